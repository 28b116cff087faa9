"""What is said in Chinese, Japanese or Korean is learnt, kept once, found and given as in any other language."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_deleting import said
from tests.unit.operations.test_project_deleting import read
from tests.unit.operations.test_prompt_facts import _ask
from tests.unit.operations.test_remember import do, remember

SESSION = "0a11ce00-0000-4000-8000-0000000000f5"


@dataclass(frozen=True, slots=True)
class Said:
    """A rule, the same with other blanks, a part of it, a question that it answers, and one about something else."""

    rule: str
    again: str
    part: str
    question: str
    other: str


SAYINGS = {
    "Chinese": Said(
        "以后潮汐表的日期一律用 `tide_date()` 格式化，不要直接用 strftime",
        "以后潮汐表的日期一律用 `tide_date()`  格式化，不要直接用 strftime",
        "潮汐表的日期",
        "潮汐表的日期怎么格式化？",
        "写一首关于秋天落叶的诗",
    ),
    "Japanese": Said(
        "今後、潮汐表の日付は必ず `tide_date()` で整形してください。strftime を直接使わないでください",
        "今後、潮汐表の日付は必ず  `tide_date()` で整形してください。strftime を直接使わないでください",
        "潮汐表の日付",
        "潮汐表の日付はどう整形しますか？",
        "秋の落ち葉についての詩を書いて",
    ),
    "Korean": Said(
        "앞으로 조석표의 날짜는 항상 `tide_date()`로 형식을 맞춰 주세요. strftime을 직접 쓰지 마세요",
        "앞으로 조석표의  날짜는 항상 `tide_date()`로 형식을 맞춰 주세요. strftime을 직접 쓰지 마세요",
        "조석표의 날짜",
        "조석표의 날짜는 어떻게 형식을 맞추나요?",
        "가을 낙엽에 관한 시를 써 줘",
    ),
}


@pytest.mark.parametrize("one", SAYINGS.values(), ids=SAYINGS)
async def test_a_rule_is_learnt_from_a_session_and_given_to_the_prompt_it_answers(harbor: Harbor, one: Said) -> None:
    await read(harbor, SESSION, said(SESSION, "f5-1", 7_000, one.rule))
    await harbor.memory.distiller.run_due()

    (fact,) = [fact for fact in await do(harbor, "facts.list", project="harbor") if one.part in fact.text]
    assert fact.kind in ("convention", "preference", "decision")
    assert "tide_date()" in await _ask(harbor, one.question)
    assert "tide_date()" not in await _ask(harbor, one.other)


@pytest.mark.parametrize("one", SAYINGS.values(), ids=SAYINGS)
async def test_the_same_with_other_blanks_is_known_and_any_part_of_it_finds_it(harbor: Harbor, one: Said) -> None:
    first = await remember(harbor, one.rule, project="harbor")
    again = await remember(harbor, one.again, project="harbor")
    assert (again.fact.id, again.action, again.repeats) == (first.fact.id, "NONE", 1)
    for words in (one.part, one.part[:2], one.question):
        hits = (await do(harbor, "search", query=words, kinds=["facts"])).hits
        assert hits[0].id == first.fact.id, words
