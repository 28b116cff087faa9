"""What a set of claims comes to, whatever order it is read in."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.judge import Pin
from memd.model import Claim, FactKind, FactPart
from tests.unit.distill.claimed import claim, current, judged, story

WORDS = (
    "keep drop use redis postgres cache keys retries payout lamp pier tide table revert mmap tabs never not test"
    " pnpm npm `make check` `make test` 潮汐 表 撤回 缓存 不要 port 8080 8081 v1.2 v1.3"
).split()
KINDS: tuple[FactKind, ...] = ("decision", "convention", "architecture", "bugfix", "task")


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    body = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=7)))
    return claim(
        body,
        draw(st.one_of(st.none(), st.integers(1, 9))),
        kind=draw(st.sampled_from(KINDS)),
        slot=draw(st.sampled_from((None, None, "command:test", "choice:keys"))),
        session=draw(st.integers(1, 6)),
        confidence=draw(st.sampled_from((0.5, 0.7, 0.9))),
    )


def test_what_nobody_said_before_stands_for_itself() -> None:
    found = judged([claim("Retries are table driven in `payout`", 1), claim("Images are kept in `.cache/img`", 2)])
    assert len(found) == 2
    assert all(one.until is None for one in found)


def test_what_is_known_adds_a_claim_and_is_surer() -> None:
    once = judged([claim("Images are kept in `.cache/img`", 1)])
    twice = judged([claim("Images are kept in `.cache/img`", 1), claim("images are kept in  `.cache/img`", 2)])
    assert len(twice) == 1
    assert len(twice[0].claims) == 2
    assert twice[0].confidence > once[0].confidence
    same_session = [claim("Images are kept in `.cache/img`", at, session=1) for at in (1, 2)]
    assert judged(same_session)[0].confidence == once[0].confidence


def test_the_more_precise_words_are_taken() -> None:
    longer = "Images are kept in `.cache/img` and copied after each build of the site"
    for order in itertools.permutations([claim("Images are kept in `.cache/img`", 1), claim(longer, 2)]):
        (found,) = judged(order)
        assert found.voice.body == longer


def test_the_same_slot_with_another_value_ends_the_first() -> None:
    old, new = judged(
        [
            claim("Run the tests with `npm test`", 1, kind="convention", slot="command:test"),
            claim("Tests are `pnpm test:unit` here", 2, kind="convention", slot="command:test"),
        ]
    )
    assert (old.until, old.successor, old.reason) == (2, new, "another value for the same thing")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Full hashes use mmap through blake3", "revert mmap, 25% is not worth a crash"),
        ("Run the payouts through celery countdown", "drop the celery countdown, we go table driven"),
        ("看板列宽放 zustand 里", "撤回 zustand 的改动，列宽继续放 context"),
        ("use tailwind for the species cards", "don't use tailwind for the species cards"),
    ],
)
def test_a_reversal_ends_what_it_names(old: str, new: str) -> None:
    for order in itertools.permutations([claim(old, 1), claim(new, 2)]):
        assert current(judged(order)) == [new]


def test_a_reversal_of_another_thing_ends_nothing() -> None:
    found = judged([claim("Full hashes use mmap through blake3", 1), claim("drop the celery countdown entirely", 2)])
    assert len(current(found)) == 2


def test_turning_the_same_thing_down_twice_contradicts_nothing() -> None:
    found = judged([claim("revert mmap, it crashes", 1), claim("no more mmap, drop mmap everywhere", 2)])
    assert all(one.until is None and not one.against for one in found)


def test_what_was_replaced_and_is_said_again_holds_anew() -> None:
    first, reverted, again = judged(
        [
            claim("Full hashes use mmap through blake3", 1),
            claim("revert mmap, it is not worth a crash", 5),
            claim("Full hashes use mmap through blake3", 9),
        ]
    )
    assert (first.until, reverted.until, again.until) == (5, 9, None)
    assert (first.successor, reverted.successor) == (reverted, again)


def test_parts_decide_what_a_statement_is_about() -> None:
    parts = (FactPart("decided", "plain reads for hashing"), FactPart("rejected", "mmap"))
    found = judged([claim("hash with mmap", 1), claim("as before (the mmap crashed)", 2, parts=parts)])
    assert current(found) == ["as before (the mmap crashed)"]


def test_where_no_order_is_clear_both_stand_and_are_listed() -> None:
    one, other = (
        claim(f"keep the idempotency keys in {place}", None, session=session, slot="choice:keys")
        for session, place in enumerate(("redis", "postgres"))
    )
    found = judged([one, other])
    assert len(current(found)) == 2
    assert [why for standing in found for _, why in standing.against] == ["another value for the same thing"]


def test_alternatives_said_in_one_breath_stand_side_by_side() -> None:
    said = [claim(f"Run `make {name}`", 3, session=1, slot="command:test") for name in ("test", "test-fast")]
    found = judged(said)
    assert all(one.until is None and not one.against for one in found)


def test_alternatives_of_one_breath_stand_side_by_side_whoever_else_named_one_of_them() -> None:
    both = [claim(f"Run `make {name}`", None, session=1, slot="command:test") for name in ("test", "trial")]
    again = claim("Run `make test`", None, session=2, slot="command:test")
    for order in itertools.permutations([*both, again]):
        assert not any(one.against for one in judged(order))


def test_what_is_recalled_of_the_past_does_not_replace_a_decision() -> None:
    found = judged(
        [
            claim("drop the celery countdown, we go table driven", 2),
            claim("Payouts run through the celery countdown", 3, kind="architecture"),
        ]
    )
    assert "drop the celery countdown, we go table driven" in current(found)
    assert any(one.against for one in found)


def test_what_a_person_made_gives_way_only_to_words_that_take_it_back() -> None:
    own = claim("keep the idempotency keys in redis", 1, slot="choice:keys", by_person=7)
    pins = {7: Pin(7, "current", 1, None, None, False)}
    weak = claim("the idempotency keys live in postgres", 2, slot="choice:keys")
    assert len(current(judged([own, weak], pins))) == 2
    strong = claim("drop the redis keys, postgres holds the idempotency keys", 2)
    assert current(judged([own, strong], pins)) == [strong.body]
    assert len(current(judged([own, strong], {7: replace(pins[7], evergreen=True)}))) == 2
    assert len(current(judged([own, strong], {7: replace(pins[7], ruling="kept")}))) == 2


def test_what_a_person_took_back_absorbs_what_says_the_same() -> None:
    own = claim("keep the idempotency keys in redis", 1, by_person=7)
    pins = {7: Pin(7, "retracted", 1, 5, "closed", False)}
    for at in (0, 3, 9):
        (found,) = judged([own, claim("keep the idempotency keys in redis", at)], pins)
        assert found.fact == 7


def test_what_a_person_ended_speaks_for_its_time_only() -> None:
    own = claim("keep the idempotency keys in redis", 1, by_person=7)
    pins = {7: Pin(7, "superseded", 1, 5, "closed", False)}
    (found,) = judged([own, claim("keep the idempotency keys in redis", 3)], pins)
    assert found.fact == 7
    assert len(judged([own, claim("keep the idempotency keys in redis", 9)], pins)) == 2


@given(st.sets(st.text("abcdefghij", min_size=3, max_size=8), min_size=2, max_size=12))
def test_statements_about_distinct_identifiers_never_merge(names: set[str]) -> None:
    text = "the service `svc_{}` listens on its own port and writes its own log"
    found = judged([claim(text.format(name), at) for at, name in enumerate(sorted(names))])
    assert len(current(found)) == len(names)


@pytest.mark.parametrize(
    "text",
    [
        "the metrics endpoint of the lamp service listens on port {}",
        "the tide table service is pinned to version v{}.4 in the lock file",
        "Ask {} for the key of the lamp store when the office is closed",
        "the nightly copy of the tide table goes to `/srv/copies/{}/tides`",
        "潮汐服务的端口是 {} 并且每天晚上备份",
    ],
)
def test_numbers_versions_names_and_paths_keep_facts_apart(text: str) -> None:
    values = ("Grace", "Linus") if text.startswith("Ask") else ("8080", "9090")
    found = judged([claim(text.format(value), at, kind="discovery") for at, value in enumerate(values)])
    assert len(current(found)) == 2


def test_five_hundred_distinct_facts_leave_five_hundred() -> None:
    said = [
        claim(f"the name of the worker for queue q{place} is worker-{place * 7} and it restarts by itself", place)
        for place in range(500)
    ]
    found = judged(said)
    assert len(current(found)) == 500


STORY = (
    claim("keep the idempotency keys in redis", 1, slot="choice:keys"),
    claim("keep the idempotency keys in postgres instead of redis", 2, slot="choice:keys"),
    claim("Full hashes use mmap through blake3", 3),
    claim("revert mmap, it is not worth a crash", 4),
    claim("never push to main without asking", 5, kind="convention"),
    claim("keep the idempotency keys in a table of sqlite", 6, slot="choice:keys"),
)


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(STORY))))[::7])
def test_a_story_ends_the_same_in_whatever_order_it_is_read(order: tuple[int, ...]) -> None:
    assert current(judged(STORY[place] for place in order)) == sorted(STORY[place].body for place in (3, 4, 5))


@given(st.lists(claims(), max_size=12), st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_nothing(said: list[Claim], random: object) -> None:
    mixed = list(said)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert story(judged(mixed)) == story(judged(said))


@given(st.lists(claims(), max_size=10))
def test_a_claim_made_twice_in_a_session_is_one(said: list[Claim]) -> None:
    assert current(judged([*said, *said])) == current(judged(said))


@given(st.lists(claims(), max_size=12))
def test_nothing_is_lost_and_nothing_ends_before_it_began(said: list[Claim]) -> None:
    found = judged(said)
    assert sum(len(one.claims) for one in found) == len(said)
    for one in found:
        assert one.until is None or one.until >= min(claim.at or 0 for claim in one.claims)
        assert one.until is None or one.successor is not None
