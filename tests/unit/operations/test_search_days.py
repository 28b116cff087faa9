"""Who asks for a time and nothing else is told what was learnt and asked then; who asks for more is answered that."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memd.operations.answers import SearchAnswer
from memd.operations.search import search_all
from memd.recall import question
from memd.store import facts, projects
from memd.store.facts import Connection
from tests.unit.operations.conftest import NOW, Harbor

DAY = 86_400_000


async def find(harbor: Harbor, query: str, **params: object) -> SearchAnswer:
    return await search_all.call(harbor.memory, {"query": query, **params})


@pytest.fixture
async def busy(harbor: Harbor) -> Harbor:
    """The harbour, in which something was decided ten days ago, too."""

    def learn(conn: Connection) -> None:
        project = projects.by_path(conn, harbor.root)
        assert project is not None
        facts.add(
            conn, facts.NewFact("decision", "Lamps", "The lamps burn gas", "user", NOW - 10 * DAY, project.id), NOW
        )

    await harbor.memory.writer.run(learn)
    return harbor


@pytest.mark.parametrize("query", ["what did we do on November 29", "29 November", "11月29日做了什么", "in November"])
async def test_what_was_learnt_and_asked_on_a_day_is_found_by_the_day(busy: Harbor, query: str) -> None:
    answer = await find(busy, query, project="harbor")

    assert (answer.sure, answer.found, answer.lanes) == (True, True, ("time",))
    assert answer.hits[0].text == "Use SQLite instead of Postgres for the tide table"
    assert "Count the piers." in [hit.text for hit in answer.hits]
    assert ("The lamps burn gas" in [hit.text for hit in answer.hits]) == (query == "in November")
    assert {hit.project for hit in answer.hits} == {str(busy.root)}
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)


async def test_the_latest_comes_first_and_only_what_is_asked_for_comes(busy: Harbor) -> None:
    answer = await find(busy, "in November", project="harbor", kinds=["facts"], explain=True)

    assert [hit.text for hit in answer.hits] == [
        "Use SQLite instead of Postgres for the tide table",
        "The lamps burn gas",
    ]
    assert all(hit.score == pytest.approx(hit.why["time"], abs=2e-3) for hit in answer.hits)
    messages = await find(busy, "in November", project="harbor", kinds=["messages"])
    assert {hit.kind for hit in messages.hits} == {"message"}
    assert len((await find(busy, "in November", project="harbor", limit=1)).hits) == 1


async def test_where_nothing_was_done_then_the_words_are_looked_for(busy: Harbor) -> None:
    assert "time" not in (await find(busy, "what did we do three weeks ago", project="harbor")).lanes


@pytest.mark.parametrize(
    "query",
    ["what did we decide last week", "tide tables last week", "上周的潮汐表", '"last week"', "what did we do", ""],
)
def test_who_asks_for_something_of_a_time_does_not_ask_for_the_time_alone(query: str) -> None:
    assert not question.read(query, int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000), UTC).only_times
