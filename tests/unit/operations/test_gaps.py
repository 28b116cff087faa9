"""Gaps: what was looked for in vain is kept until something answers it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest

from memd.operations.gaps import GapAnswer, list_gaps, note_gap
from memd.operations.search import search_all
from memd.store import facts
from tests.unit.operations.conftest import FrozenClock, Harbor
from tests.unit.operations.test_remember import do


class AnHourLater:
    def now_ms(self) -> int:
        return FrozenClock().now_ms() + 3_600_000

    def monotonic_s(self) -> float:
        return 3600.0


async def look_for(harbor: Harbor, query: str, *, later: bool = False) -> bool:
    """Search the messages; tell whether the answer is sure."""
    memory = dataclasses.replace(harbor.memory, clock=AnHourLater()) if later else harbor.memory
    return (await search_all.call(memory, {"query": query, "kinds": ["messages"]})).sure


async def gaps(harbor: Harbor, *, closed: bool = False) -> Sequence[GapAnswer]:
    return (await list_gaps.call(harbor.memory, {"closed": closed})).gaps


async def test_what_is_asked_in_vain_is_counted_in_its_last_words(harbor: Harbor) -> None:
    for query in ("Where is the unicorn?", "where is the UNICORN", "独角兽在哪里"):
        assert await look_for(harbor, query) is False
    await look_for(harbor, "独角兽在哪里？", later=True)

    chinese, english = await gaps(harbor)
    assert [(gap.query, gap.asked) for gap in (chinese, english)] == [
        ("独角兽在哪里？", 2),
        ("where is the UNICORN", 2),
    ]
    assert (chinese.first, chinese.last) == ("2026-11-29T11:00:00.000Z", "2026-11-29T12:00:00.000Z")
    assert english.first == english.last == "2026-11-29T11:00:00.000Z"


async def test_a_gap_is_closed_once_something_answers_it(harbor: Harbor) -> None:
    for query in ("where is the unicorn", "独角兽在哪里"):
        await look_for(harbor, query)
    new = facts.NewFact("note", "The unicorn", "The unicorn is in the harbour", "user", 1)
    await harbor.memory.writer.run(lambda conn: facts.add(conn, new, 1))

    assert [gap.query for gap in await gaps(harbor)] == ["独角兽在哪里"]
    assert [gap.query for gap in await gaps(harbor, closed=True) if gap.closed] == ["where is the unicorn"]


async def test_a_secret_in_a_query_that_finds_nothing_is_not_kept(harbor: Harbor) -> None:
    secret = "ghp_" + "x7Kq9" * 7 + "z"
    await look_for(harbor, f"unicorn {secret}")

    assert len(await gaps(harbor)) == 1
    assert secret not in repr(await gaps(harbor))


@pytest.mark.parametrize("word", ["hunter2-Tortoise", "Xiaomao2026", "5550199", "mail-Passw0rd"])
async def test_a_word_that_could_be_a_secret_is_not_kept_by_asking_whether_it_is_gone(
    word: str, harbor: Harbor
) -> None:
    await look_for(harbor, word)
    assert await gaps(harbor) == ()

    await look_for(harbor, f"unicorn {word} horn")
    assert [gap.query.split() for gap in await gaps(harbor)] == [["unicorn", "horn"]]


@pytest.mark.parametrize("query", ["unicorn of 3.12", "unicorn E45", "unicorn (127 horns)"])
async def test_a_version_a_short_code_and_a_number_stay_in_what_was_asked(query: str, harbor: Harbor) -> None:
    await look_for(harbor, query)
    assert [gap.query for gap in await gaps(harbor)] == [query]


@pytest.mark.parametrize("mode", ["exact", "regex"])
async def test_what_is_looked_up_as_it_stands_is_no_question_to_be_kept(mode: str, harbor: Harbor) -> None:
    await search_all.call(harbor.memory, {"query": "leaked it once", "mode": mode})
    assert await gaps(harbor) == ()


async def test_a_search_is_answered_whose_project_was_deleted_meanwhile(harbor: Harbor) -> None:
    def row(conn: Any) -> int:
        return int(conn.execute("SELECT id FROM projects").fetchone()[0])

    project = await harbor.memory.readers.run(row)
    await do(harbor, "projects.delete", project="harbor", apply=True)
    before = (await do(harbor, "search.gaps")).gaps

    await note_gap(harbor.memory, "zeppelin hangar", project)

    assert (await do(harbor, "search.gaps")).gaps == before
