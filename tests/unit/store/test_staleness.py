"""Facts that name what a later session changed or removed are marked with what changed."""

from __future__ import annotations

import json
import sqlite3

import pytest

from memd.adapter import ChangeOp
from memd.distill import marking
from memd.distill.staleness import changes_of, speaks_of
from memd.model import ChangedFile, Message, Project, ToolCall
from memd.store import fact_marks, facts, projects
from tests.unit.store.rows import NOW
from tests.unit.store.test_judged import candidate, says, session


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


def edit(path: str, op: ChangeOp = "update", at: int = 5000, ok: bool = True, **given: object) -> Message:
    call = ToolCall("c", "Edit", "edit", json.dumps(given or {}), ok, changes=(ChangedFile(path, op),))
    return Message(0, "m", 0, "assistant", "reply", at, "", tool_calls=(call,))


def mark(conn: sqlite3.Connection, session_id: int, *messages: Message) -> int:
    marks = marking.changed_by(conn, session_id, changes_of(messages), NOW)
    marking.write(conn, session_id, marks)
    return len(marks)


def marked(conn: sqlite3.Connection, project: Project) -> list[tuple[str, str, str]]:
    return [(facts.get(conn, one.fact).body, one.name, one.change) for one in fact_marks.stale(conn, project.id)]


def test_files_and_symbols_that_were_taken_out_are_seen() -> None:
    messages = [
        edit("/home/ada/harbor/lamps/state.py", old_string="def relight(lamp):\n  pass", new_string="x = 1"),
        edit("/home/ada/harbor/lamps/old.py", "delete"),
        edit("/home/ada/harbor/lamps/new.py", "create"),
        edit("/home/ada/harbor/lamps/views.py", ok=False, old_string="class View:", new_string=""),
    ]
    found = {(one.name.rsplit("/", 1)[-1], one.change) for one in changes_of(messages)}
    assert found == {("state.py", "changed"), ("old.py", "removed"), ("relight", "removed")}


def test_a_symbol_that_was_moved_or_edited_is_there_still() -> None:
    moved = [
        edit("a.py", old_string="def relight(lamp):\n  pass", new_string=""),
        edit("b.py", old_string="# here", new_string="def relight(lamp):\n  pass"),
        edit("c.py", old_string="def light(lamp):\n  1", new_string="def light(lamp, again):\n  2"),
    ]
    assert {one.change for one in changes_of(moved)} == {"changed"}


def test_a_patch_shows_what_it_takes_out() -> None:
    patch = "*** Begin Patch\n*** Update File: a.py\n-class LampView:\n+class PierView:\n*** End Patch"
    assert "LampView" in {one.name for one in changes_of([edit("a.py", input=patch)])}


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("States live in `lamps/state.py`.", "/home/ada/harbor/lamps/state.py", True),
        ("States live in state.py", "/home/ada/harbor/lamps/state.py", True),
        ("States live in `estate.py`", "/home/ada/harbor/lamps/state.py", False),
        ("`relight()` is called at dusk", "relight", True),
        ("`relight_all` is called at dusk", "relight", False),
    ],
)
def test_a_text_names_a_thing_as_a_word_of_its_own(text: str, name: str, named: bool) -> None:
    assert speaks_of(text, name) is named


def test_a_fact_is_marked_with_what_a_later_session_did(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("`relight()` in `lamps/state.py` is called at dusk"), candidate("Tin", 1001))
    removed = edit("/home/ada/harbor/lamps/state.py", old_string="def relight(): ...", new_string="")
    assert mark(conn, second, removed) == 2
    text = "`relight()` in `lamps/state.py` is called at dusk"
    assert sorted(marked(conn, project)) == [
        (text, "/home/ada/harbor/lamps/state.py", "changed"),
        (text, "relight", "removed"),
    ]
    # Read again without the edit, the mark goes.
    mark(conn, second)
    assert marked(conn, project) == []


def test_what_a_session_says_of_its_own_edits_is_not_stale(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    says(conn, said_in, candidate("States live in `lamps/state.py`"))
    assert mark(conn, said_in, edit("lamps/state.py")) == 0


def test_what_was_checked_since_is_not_stale(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("States live in `lamps/state.py`"))
    (fact,) = facts.known(conn, project.id)
    facts.mark_verified(conn, fact.id, 9000)
    assert mark(conn, second, edit("lamps/state.py", at=5000)) == 0
    assert mark(conn, second, edit("lamps/state.py", at=9500)) == 1


def test_a_fact_read_later_is_marked_by_what_was_read_before(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    call = conn.execute(
        "INSERT INTO tool_calls (message_id, session_id, call_id, name, kind, input)"
        " SELECT id, session_id, 'c', 'Edit', 'edit', '{}' FROM messages WHERE session_id = ? RETURNING id",
        (second,),
    ).fetchone()[0]
    conn.execute(
        "INSERT INTO file_changes (session_id, tool_call_id, path, op, at) VALUES (?, ?, ?, 'delete', 5000)",
        (second, call, "/home/ada/harbor/lamps/state.py"),
    )
    added = says(conn, first, candidate("States live in `lamps/state.py`")).added
    conn.execute("UPDATE sessions SET last_at = 6000 WHERE id = ?", (second,))
    marking.write(conn, first, marking.changed_since(conn, added))
    assert [change for _, _, change in marked(conn, project)] == ["removed"]
