"""Sessions looked up, listed and led through their life."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from memd.adapter import Batch, Cursor, SessionUpdate, Source
from memd.doors.cli.wording import short
from memd.errors import BadParameter, NotFound
from memd.store import capturing, sessions, sources
from memd.store.ingest import Prepared, store_batch
from memd.store.sessions import SessionFilter
from tests.unit.store.rows import HOST, NOW, prompt, store


@pytest.fixture
def names(conn: sqlite3.Connection) -> dict[str, int]:
    """Three sessions and an agent's one: their row ids by native id."""
    for at, name in enumerate(["beef-1", "beef-2", "cafe-3"]):
        store(conn, name, [SessionUpdate(name, cwd=f"/home/ada/{name}"), prompt(name, f"{name}-p", at)])
    store(conn, "kid", [SessionUpdate("kid", kind="subagent", parent="cafe-3"), prompt("kid", "kid-p", 9)])
    return {session.native_id: session.id for session in sessions.list_sessions(conn, SessionFilter(subagents=True))}


def listed(conn: sqlite3.Connection, chosen: SessionFilter, **page: int) -> list[str]:
    return [session.native_id for session in sessions.list_sessions(conn, chosen, **page)]


def test_a_session_is_found_by_any_of_its_names(conn: sqlite3.Connection, names: dict[str, int]) -> None:
    session = sessions.get(conn, names["cafe-3"])
    for name in ("cafe-3", session.uid, session.uid[-8:], short(session.uid)[:6], "caf", "-3"):
        assert sessions.find(conn, name) == session
    assert sessions.by_ids(conn, [session.id, 99]) == {session.id: session}


def test_a_beginning_that_several_have_lists_them(conn: sqlite3.Connection, names: dict[str, int]) -> None:
    with pytest.raises(BadParameter, match=r"beef-1 \(quill\).*") as refused:
        sessions.find(conn, "beef")
    assert "beef-2" in str(refused.value)
    for unknown in ("dead", "", "99999999999999999999", "zz"):
        with pytest.raises(NotFound):
            sessions.find(conn, unknown)
    with pytest.raises(NotFound):
        sessions.get(conn, 77)


def test_sessions_are_listed_newest_first_and_filtered(conn: sqlite3.Connection, names: dict[str, int]) -> None:
    assert listed(conn, SessionFilter()) == ["cafe-3", "beef-2", "beef-1"]
    assert listed(conn, SessionFilter(subagents=True))[0] == "kid"
    assert listed(conn, SessionFilter(parent="cafe-3")) == ["kid"]
    store(conn, "shut", [SessionUpdate("shut", cwd="/home/ada/harbor")])
    assert listed(conn, SessionFilter())[-1] == "shut"
    assert "shut" not in listed(conn, SessionFilter(empty=False))
    assert listed(conn, SessionFilter(since=1001, until=1002)) == ["beef-2"]
    assert listed(conn, SessionFilter(host="other")) == []
    assert listed(conn, SessionFilter(), limit=1, offset=1) == ["beef-2"]
    assert listed(conn, SessionFilter(state="ended")) == []


def test_a_session_is_live_then_idle_then_ended_then_live_again(
    conn: sqlite3.Connection, names: dict[str, int]
) -> None:
    beef = names["beef-1"]
    assert sessions.mark_idle(conn, beef)
    assert not sessions.mark_idle(conn, beef)
    assert sessions.mark_ended(conn, beef, 5000, "exit")
    assert not sessions.mark_ended(conn, beef, 6000, "exit")
    assert [session.ended_at for session in sessions.in_state(conn, "ended", HOST)] == [5000]
    assert sessions.reopen(conn, beef)
    assert sessions.get(conn, beef).ended_at is None


def test_what_was_said_by_the_end_of_a_session_and_is_read_late_does_not_reopen_it(
    conn: sqlite3.Connection, names: dict[str, int]
) -> None:
    beef = names["beef-1"]
    store(conn, "beef-1", [prompt("beef-1", "second", 3)])
    said_at = sessions.get(conn, beef).last_at
    assert said_at is not None
    sessions.mark_ended(conn, beef, said_at + 100, "exit")
    sessions.mark_distilled(conn, beef, sessions.get(conn, beef).revision)

    late = store(conn, "beef-1", [prompt("beef-1", "third", 4)])

    assert late.late
    assert sessions.get(conn, beef).state == "ended"
    assert sessions.due(conn) == (beef,)
    sessions.mark_ended(conn, names["beef-2"], 0, "exit")
    assert not store(conn, "beef-2", [prompt("beef-2", "after", 50)]).late
    assert sessions.get(conn, names["beef-2"]).state == "live"


def test_a_session_without_times_was_at_work_when_the_file_it_shares_with_others_was_written(
    conn: sqlite3.Connection,
) -> None:
    written = NOW - 86_400_000
    silent = tuple(replace(prompt(name, f"{name}-p", 0), at=None) for name in ("monday", "tuesday"))
    store_batch(
        conn,
        Source(HOST, Path("/home/ada/harbor/.history.md"), None),
        Prepared(Batch(silent, Cursor(offset=9, mtime_ns=written * 1_000_000)), ("", "")),
        NOW,
    )
    found = {one.native_id: one.last_at for one in capturing.open_sessions(conn)}
    assert found == {"monday": written, "tuesday": written}
    assert sources.status(conn)[0].newest_captured == written


def test_only_sessions_at_rest_that_changed_are_to_be_distilled(
    conn: sqlite3.Connection, names: dict[str, int]
) -> None:
    beef = names["beef-1"]
    assert sessions.due(conn, quiet=True) == ()
    sessions.mark_idle(conn, beef)
    assert (sessions.due(conn), sessions.due(conn, quiet=True)) == ((), (beef,))
    sessions.mark_distilled(conn, beef, sessions.get(conn, beef).revision)
    assert sessions.due(conn, quiet=True) == ()
    store(conn, "beef-1", [prompt("beef-1", "more", 20)])
    sessions.mark_ended(conn, beef, 7000, None)
    assert (sessions.due(conn), sessions.due(conn, project_id=5)) == ((beef,), ())
    sessions.mark_distilled(conn, beef, 99)
    sessions.distil_again(conn)
    assert sessions.due(conn) == (beef,)
    assert len(sessions.transcript(conn, beef).messages) == 2


def test_a_title_of_distillation_yields_to_the_hosts_and_the_users(
    conn: sqlite3.Connection, names: dict[str, int]
) -> None:
    beef = names["beef-1"]
    assert sessions.set_title(conn, beef, "Tides")
    assert sessions.set_title(conn, beef, "Tides and moons")
    store(conn, "beef-1", [SessionUpdate("beef-1", title="Named by the host")])
    assert not sessions.set_title(conn, beef, "Tides")
    assert sessions.get(conn, beef).title == "Named by the host"


def test_a_session_is_distilled_again_without_the_title_that_distillation_gave_it(
    conn: sqlite3.Connection, names: dict[str, int]
) -> None:
    beef = names["beef-1"]
    assert sessions.set_title(conn, beef, "Session without a prompt")
    assert sessions.to_distill(conn, beef).session.title is None
    store(conn, "beef-1", [SessionUpdate("beef-1", title="Named by the host")])
    assert sessions.to_distill(conn, beef).session.title == "Named by the host"


def test_giving_a_session_its_project_is_a_change(conn: sqlite3.Connection, names: dict[str, int]) -> None:
    beef = names["beef-1"]
    conn.execute(
        "INSERT INTO projects (id, uid, root, name, created_at) VALUES (5, 'u', '/home/ada/harbor', 'harbor', 0)"
    )
    before = sessions.get(conn, beef).revision
    assert sessions.set_project(conn, beef, 5)
    assert not sessions.set_project(conn, beef, 5)
    session = sessions.get(conn, beef)
    assert session.project is not None
    assert (session.project.root, session.revision) == ("/home/ada/harbor", before + 1)
    assert listed(conn, SessionFilter(project_id=5)) == ["beef-1"]
