from __future__ import annotations

import pytest

from memd.model import Fact, FactPart
from memd.recall.relevance import Asked, Known, compare, corpus_of, prior_of, rank


def _fact(number: int, body: str, because: str = "") -> Fact:
    return Fact(
        id=number,
        uid=f"fact-{number}",
        project=None,
        kind="decision",
        title=body[:80],
        body=body,
        status="current",
        confidence=0.8,
        valid_from=number,
        created_at=number,
        updated_at=number,
        parts=(FactPart("because", because),) if because else (),
    )


FACTS = (
    _fact(1, "Use Postgres advisory locks for the payout worker instead of Redis locks", "Redis failed over twice"),
    _fact(2, "Run the tests with `make unit`, never with plain pytest"),
    _fact(3, "The idempotency key of a payout is stored in ledger.payout_keys"),
    _fact(4, "Dates in the API are always ISO-8601 with an offset"),
    _fact(5, "前端统一使用 pnpm 安装依赖，不要用 npm"),
    _fact(6, "The staging cluster runs out of memory when fixtures are loaded in parallel"),
)


def _found(prompt: str) -> list[int]:
    return [fact.id for fact, _ in rank(prompt, FACTS, 4)]


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("The payout worker deadlocks, look at its advisory locks", 1),
        ("where do we keep payout_keys?", 3),
        ("why is there no Redis here?", 1),
        ("loading the fixtures on staging crashes", 6),
        ("帮我安装前端的依赖", 5),
        ("What format do dates have in the API responses?", 4),
    ],
)
def test_the_fact_that_a_prompt_is_about_comes_first(prompt: str, first: int) -> None:
    assert _found(prompt)[:1] == [first]


@pytest.mark.parametrize(
    "prompt",
    [
        "",
        "hello",
        "please continue",
        "Write a haiku about autumn",
        "Add a new function to the module and test it",
        "今天天气怎么样？",
        "Could you rename the variable in that loop and make the code shorter",
    ],
)
def test_a_prompt_about_something_else_gets_nothing(prompt: str) -> None:
    assert _found(prompt) == []


@pytest.mark.parametrize(
    ("prompt", "body"),
    [
        ("pip install celery", "cron and a command, no Celery"),
        ("resize the pictures with Pillow", "use scanline and not Pillow, Pillow drops the notes"),
        ("npm install dayjs", "a partir de ahora usa siempre pnpm, nunca npm"),
        ("换成 TiDB 吧", "先用 MySQL 分库，不上 TiDB"),
    ],
)
def test_who_takes_up_what_was_ruled_out_is_told_so(prompt: str, body: str) -> None:
    assert [fact.id for fact, _ in rank(prompt, (*FACTS, _fact(7, body)), 4)][:1] == [7]


@pytest.mark.parametrize(
    ("prompt", "ruled_out"),
    [
        ("explain the error above", False),
        ("wrap it with pkg/errors", True),
        ("a period of an hour", False),
        ("why is there a trailing period?", True),
    ],
)
def test_what_is_ruled_out_by_two_words_is_taken_up_by_both(prompt: str, ruled_out: bool) -> None:
    fact = Known.of(_fact(7, "wrap with %w, no pkg/errors; commit subjects have no trailing period"))
    figures, _ = compare(Asked.of(prompt), fact, corpus_of([fact]))
    assert figures["barred"] == ruled_out


def test_work_of_every_day_is_ruled_out_by_no_rule_about_it() -> None:
    rule = _fact(7, "releases are tagged by the runner; never merge, it rebases")
    assert rank("merge the two helper functions", (*FACTS, rule), 4) == ()


@pytest.mark.parametrize(
    "prompt", ["¿por qué no usamos Redis aquí?", "warum haben wir hier kein Redis?", "pourquoi pas de Redis ici ?"]
)
def test_words_of_grammar_in_other_languages_hide_no_name(prompt: str) -> None:
    assert _found(prompt)[:1] == [1]


def test_no_facts_give_nothing() -> None:
    assert rank("payout locks", (), 4) == ()


def test_the_limit_holds_and_the_order_is_stable() -> None:
    twins = tuple(_fact(number, "Use Postgres advisory locks for the payout worker") for number in range(10))
    first = rank("advisory locks of the payout worker", twins, 4)
    second = rank("advisory locks of the payout worker", tuple(reversed(twins)), 4)
    assert len(first) == 4
    assert [fact.id for fact, _ in first] == [fact.id for fact, _ in second]


def test_of_two_that_fit_alike_the_one_that_was_used_comes_first() -> None:
    twins = tuple(_fact(number, "Use Postgres advisory locks for the payout worker") for number in (1, 2))
    prior = {1: prior_of(6, 5), 2: prior_of(6, 0)}
    ranked = rank("advisory locks of the payout worker", twins, 4, prior=prior)
    assert [fact.id for fact, _ in ranked] == [1, 2]
    assert ranked[0][1].score > ranked[1][1].score


def test_what_came_of_a_fact_counts_from_the_third_time_on_and_never_much() -> None:
    assert prior_of(0, 0) == prior_of(2, 0) == prior_of(2, 2) == 0
    assert -0.5 < prior_of(1_000, 0) < prior_of(6, 1) < prior_of(6, 5) < prior_of(1_000, 1_000) < 0.5


@pytest.mark.parametrize(
    ("question", "body"),
    [
        ("Which typeface is the running copy in?", "for the booklets set body text in Source Serif"),
        ("how heavy may an axle be?", "trucks above 11.5 t per axle are turned away"),
        ("报警阈值是多少克？", "称重低于 350 克就报警，不要再用百分比"),
        ("who settles the prices?", "pricing questions are decided by Henrike, prices are hers"),
    ],
)
def test_a_fact_that_holds_the_kind_of_value_asked_for_is_found_by_that(question: str, body: str) -> None:
    facts = (*FACTS, _fact(7, body))

    assert [fact.id for fact, _ in rank(question, facts, 4)][:1] == [7]


def test_a_value_of_the_right_kind_is_no_ground_by_itself() -> None:
    assert rank("how long does light take from the sun?", (*FACTS, _fact(7, "plates are kept for 72 hours")), 4) == ()
