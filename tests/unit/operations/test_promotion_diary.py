"""The diary of promotion: a page a day, to which every run of that day is added."""

from __future__ import annotations

from pathlib import Path

from anyio import to_thread

from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import do


async def read(page: str) -> str:
    return await to_thread.run_sync(Path(page).read_text)


async def test_every_run_of_a_day_is_added_to_its_page_with_signals_gates_and_outcome(harbor: Harbor) -> None:
    first = await do(harbor, "facts.promote", project="harbor")
    page = await read(first.diary)
    second = await do(harbor, "facts.promote", project="harbor", score=0.0, sessions=1, openers=1, apply=True)
    assert first.diary == second.diary
    both = await read(second.diary)
    assert both.startswith(page)
    added = both.removeprefix(page)
    assert (first.run in page, second.run in page, second.run in added) == (True, False, True)
    for signal in ("relevance", "frequency", "diversity", "recency", "consolidation", "richness"):
        assert f"{signal} " in added
    assert "short" in page  # which gate held a fact back, and by how much
    assert "promoted" in added


async def test_no_search_finds_the_diary(harbor: Harbor) -> None:
    done = await do(harbor, "facts.promote", project="harbor")
    for words in (done.run, "relevance frequency diversity", "would be promoted"):
        found = await do(harbor, "search", query=words)
        assert not [hit for hit in found.hits if "relevance" in hit.text or done.run in hit.text]
