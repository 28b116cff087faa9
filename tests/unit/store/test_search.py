"""Searches give what was asked for, best first, and filter before they cut."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from memd.adapter import SessionUpdate, ToolUse
from memd.store import facts, messages, projects, search, sessions, spans
from memd.store.facts import NewFact
from memd.store.search import Where
from memd.text.tokens import match_query
from tests.unit.store.rows import HOST, NOW, part, prompt, result, store, use


@pytest.fixture
def many() -> Iterator[None]:
    """Common words become common after a few rows, so that small stores take the ways of large ones."""
    patch = pytest.MonkeyPatch()
    patch.setattr(search, "_RARE", 3)
    patch.setattr(search, "_SCORED", 8)
    yield
    patch.undo()


def keys(conn: sqlite3.Connection, query: str, where: Where | None = None, limit: int = 50) -> list[str]:
    hits = search.messages(conn, match_query(query), where, limit)
    known = messages.by_ids(conn, [message for message, _, _ in hits])
    assert all(known[message][0] == session for message, session, _ in hits)
    return [known[message][1].key for message, _, _ in hits]


def project_of(conn: sqlite3.Connection, name: str, session: str) -> int:
    project = projects.resolve(conn, f"/home/ada/{name}", [], name, NOW).id
    known = sessions.by_native(conn, HOST, session)
    assert known is not None
    sessions.set_project(conn, known.id, project)
    return project


def test_the_message_that_says_more_of_it_comes_first(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, "the tide comes in"), part("s", "b", 2, "tide tables of the harbour")])
    store(conn, "s", [part("s", "c", 3, "nothing of that"), part("s", "d", 4, "tide tide tables and more words")])
    assert keys(conn, "tide tables")[:2] in (["b", "d"], ["d", "b"])
    assert keys(conn, "tide tables")[2:] == ["a"]
    assert keys(conn, "lighthouse") == []


def test_messages_are_filtered_by_everything_asked(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "buoy"), part("s", "b", 2, "buoy")])
    store(conn, "t", [prompt("t", "c", 3, "buoy")])
    harbor = project_of(conn, "harbor", "s")
    quay = project_of(conn, "quay", "t")
    other = sessions.by_native(conn, HOST, "t")
    assert other is not None
    assert sorted(keys(conn, "buoy")) == ["a", "b", "c"]
    assert sorted(keys(conn, "buoy", Where(project_id=harbor))) == ["a", "b"]
    assert keys(conn, "buoy", Where(project_id=quay)) == ["c"]
    assert keys(conn, "buoy", Where(project_id=99)) == []
    assert keys(conn, "buoy", Where(session_id=other.id)) == ["c"]
    assert keys(conn, "buoy", Where(session_id=99)) == []
    assert keys(conn, "buoy", Where(project_id=harbor, role="assistant")) == ["b"]
    assert keys(conn, "buoy", Where(since=1002, until=1003)) == ["b"]


def test_large_projects_are_filtered_the_same(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "_LISTED", 0)
    monkeypatch.setattr(spans, "_CLOSE", 0)
    test_messages_are_filtered_by_everything_asked(conn)


@pytest.mark.usefixtures("many")
def test_a_rare_word_is_found_among_the_oldest_whatever_else_is_asked(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "old", 0, "the sextant file")])
    store(conn, "s", [part("s", f"m{n}", n, f"file of harbour {n}") for n in range(1, 60)])
    assert keys(conn, "harbour file sextant")[0] == "old"
    assert len(keys(conn, "harbour file sextant", limit=5)) == 5


@pytest.mark.usefixtures("many")
def test_filters_come_before_the_cut_of_common_words(conn: sqlite3.Connection) -> None:
    store(conn, "s", [SessionUpdate("s"), *(part("s", f"old{n}", n, "harbour") for n in range(5))])
    store(conn, "t", [part("t", f"m{n}", 10 + n, "harbour") for n in range(60)])
    project = project_of(conn, "quay", "s")
    assert sorted(keys(conn, "harbour", Where(project_id=project))) == [f"old{n}" for n in range(5)]
    assert keys(conn, "harbour", limit=1) == ["m59"]


def test_a_call_is_found_by_what_was_run_and_what_came_out(conn: sqlite3.Connection) -> None:
    store(
        conn, "s", [part("s", "a", 1, calls=(use("t", "make lighthouse"),)), result("s", "b", 2, "t", "bulb missing")]
    )
    for word in ("lighthouse", "bulb"):
        ((_, message, score),) = search.calls(conn, match_query(word))
        assert score > 0
        assert messages.by_ids(conn, [message])[message][1].key == "a"
    session = sessions.by_native(conn, HOST, "s")
    assert session is not None
    assert len(search.calls(conn, '"bulb"', Where(session_id=session.id, role="assistant"))) == 1
    assert search.calls(conn, '"bulb"', Where(role="user")) == []
    assert len(search.calls(conn, '"bulb"', Where(project_id=project_of(conn, "quay", "s")))) == 1


@pytest.mark.parametrize("name", ["mcp__memd__search", "memd_search", "memd.search", "memd__search"])
def test_what_an_agent_asked_memd_for_is_not_found(conn: sqlite3.Connection, name: str) -> None:
    own = ToolUse("t", name, "other", "where is the lighthouse")
    store(conn, "s", [part("s", "a", 1, calls=(own,)), result("s", "b", 2, "t", "on the quay")])
    assert search.calls(conn, '"lighthouse"') == []


def test_facts_of_other_projects_are_given_only_when_asked_for(conn: sqlite3.Connection) -> None:
    harbor = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id
    quay = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW).id
    for title, project in (("Cork floats", harbor), ("Cork sinks", quay), ("Cork everywhere", None)):
        facts.add(conn, NewFact("decision", title, "body", "user", 1000, project), NOW)

    def titles(project: int | None, *, all_projects: bool = False) -> list[str]:
        found = search.facts(conn, '"cork"', project, all_projects=all_projects)
        return sorted(fact.title for fact, _ in found)

    assert titles(harbor) == ["Cork everywhere", "Cork floats"]
    assert titles(None) == ["Cork everywhere"]
    assert titles(None, all_projects=True) == ["Cork everywhere", "Cork floats", "Cork sinks"]


def test_facts_are_found_by_title_first_and_as_of_a_time(conn: sqlite3.Connection) -> None:
    def add(title: str, body: str, at: int) -> int:
        return facts.add(conn, NewFact("decision", title, body, "user", at), NOW).id

    by_body, by_title = add("Floats", "made of cork and pitch", 1000), add("Cork and pitch", "for the floats", 1000)
    assert [fact.id for fact, _ in search.facts(conn, '"cork"', None)] == [by_title, by_body]
    facts.supersede(conn, by_body, add("Floats", "of foam", 5000), NOW, "dear")
    facts.retract(conn, by_title, NOW, "wrong")
    assert search.facts(conn, '"cork"', None) == []
    assert {fact.id for fact, _ in search.facts(conn, '"cork"', None, as_of=2000)} == {by_body, by_title}
    assert search.facts(conn, '"foam"', None, kinds=("task",)) == []
    assert len(search.facts(conn, '"foam"', None, kinds=("decision", "task"))) == 1
