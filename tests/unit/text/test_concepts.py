from __future__ import annotations

import pytest

from memd.text.concepts import asks_of_here, concepts, intents, words_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("run the suite", "tests start with `pytest -q`"),
        ("跑一下测试", "the tests need Docker"),
        ("部署到生产环境", "deploy to production with `just ship`"),
        ("数据库用什么？", "Postgres holds the ledger"),
        ("add a dependency", "use pnpm, never npm"),
        ("instala la dependencia", "use pnpm, never npm"),
        ("die Tests sind langsam", "the p95 latency"),
        ("в каком порту?", "the gauge listens on 4841"),
    ],
)
def test_texts_that_share_no_word_may_share_a_concept(one: str, other: str) -> None:
    assert concepts(one) & concepts(other)


@pytest.mark.parametrize("text", ["", "a haiku about autumn", "今天天气怎么样", "the harbour master sleeps"])
def test_most_texts_are_about_none(text: str) -> None:
    assert concepts(text) == frozenset()


@pytest.mark.parametrize(
    ("prompt", "wanted"),
    [
        ("run the test suite please", {"test"}),
        ("how are the unit tests started?", {"test"}),
        ("跑一下测试", {"test"}),
        ("deploy to staging", {"deploy"}),
        ("怎么发布新版本？", {"release"}),
        ("commit this with a good message", {"commit"}),
        ("install the zod package", {"package"}),
        ("instala zod", {"package"}),
        ("npm install dayjs", {"package"}),
        ("haz un commit con los cambios", {"commit"}),
        ("run one test in tests/pier", {"test"}),
        ("how do I send a test mail?", set()),
        ("the parser test is named badly", set()),
        ("why did the release fail?", set()),
    ],
)
def test_what_a_prompt_wants_done_is_told_from_what_it_mentions(prompt: str, wanted: set[str]) -> None:
    assert intents(prompt) == wanted


def test_the_words_of_a_concept_are_those_it_is_known_by() -> None:
    assert "pytest" in words_of("test")
    assert words_of("barnacle") == ()


@pytest.mark.parametrize(
    "prompt",
    [
        "why do we not use BullMQ?",
        "where is the parser?",
        "should we add a broker?",
        "how do I roll back?",
        "当初为什么不用 Milvus？",
        "¿por qué no usamos Prisma?",
        "wo liegt der Parser?",
        "pourquoi pas Redis ?",
        "почему не Redis?",
    ],
)
def test_a_question_of_the_project_is_told_from_work_to_do(prompt: str) -> None:
    assert asks_of_here(prompt)


@pytest.mark.parametrize(
    "prompt",
    ["add a spinner to the list", "explain recursion", "把标题改成粗体", "añade una tabla", "mach den Knopf blau"],
)
def test_work_to_do_and_questions_of_the_world_are_none(prompt: str) -> None:
    assert not asks_of_here(prompt)
