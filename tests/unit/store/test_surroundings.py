"""The files that a fact is told with are those that were changed for it."""

from __future__ import annotations

import sqlite3

import pytest

from memd.adapter import Event, FileChange, SessionUpdate, ToolUse
from memd.model import Evidence, FactKind
from memd.store import fact_changes, projects, sessions, surroundings
from memd.store.fact_changes import NewFact
from tests.unit.store.rows import HOST, NOW, part, prompt, result, store, use

Step = str | tuple[str, bool]
"""A file that is changed, or a command with whether it passes."""


def told(conn: sqlite3.Connection, *steps: Step, kind: FactKind = "bugfix") -> tuple[str, ...]:
    """The files around a fact that is said after these steps of one exchange."""
    events: list[Event] = [SessionUpdate("s1", cwd="/home/ada/harbor"), prompt("s1", "m1", 1, "load the tides")]
    for seq, step in enumerate(steps, 2):
        if isinstance(step, str):
            call, ok = ToolUse(f"c{seq}", "Edit", "edit", "{}"), True
            changes: tuple[FileChange, ...] = (FileChange(step, "update"),)
        else:
            call, ok, changes = use(f"c{seq}", step[0]), step[1], ()
        events.append(part("s1", f"m{seq}", seq, calls=(call,)))
        events.append(result("s1", f"r{seq}", seq, f"c{seq}", ok=ok, changes=changes))
    events.append(part("s1", "end", len(steps) + 2, "The tides were locked; now they wait."))
    store(conn, "s1", events)
    session = sessions.by_native(conn, HOST, "s1")
    assert session is not None
    row = conn.execute("SELECT id FROM messages ORDER BY seq DESC").fetchone()[0]
    project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
    said = (Evidence(row, session.id, "The tides were locked", NOW),)
    new = NewFact(
        kind=kind, title="Tides", body="The tides were locked", origin="auto", valid_from=NOW, project_id=project.id,
        evidence=said,
    )  # fmt: skip
    fact = fact_changes.add(conn, new, NOW, "was said")
    return surroundings.of_facts(conn, [fact.id])[fact.id].files


FAILS, PASSES = ("make test", False), ("make test", True)


@pytest.mark.parametrize(
    ("steps", "files"),
    [
        (("sql/7.sql", "cart.py", FAILS, "db.py", PASSES), ("db.py",)),
        (("cart.py", FAILS, "db.py", FAILS, "wal.py", PASSES, "README.md"), ("db.py", "wal.py")),
        (("cart.py", FAILS, "db.py", ("make clean test", True)), ("db.py",)),
        (("cart.py", "db.py", PASSES), ("cart.py", "db.py")),
        (("cart.py", FAILS), ("cart.py",)),
        ((FAILS, "db.py", PASSES, "map.py", PASSES), ("db.py",)),
        ((("ls x", False), "cart.py", FAILS, "db.py", PASSES), ("db.py",)),
    ],
)
def test_a_fix_is_in_the_files_between_the_failure_and_its_success(
    conn: sqlite3.Connection, steps: tuple[Step, ...], files: tuple[str, ...]
) -> None:
    assert told(conn, *steps) == files


def test_what_is_no_fix_keeps_the_files_of_its_exchange(conn: sqlite3.Connection) -> None:
    assert told(conn, "cart.py", FAILS, "db.py", PASSES, kind="decision") == ("cart.py", "db.py")
