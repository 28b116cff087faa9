from __future__ import annotations

from pathlib import Path

from memd.adapter import SessionUpdate
from memd.store import projects
from memd.store.capturing import ProjectAt, note_session
from memd.store.connection import connect_writer
from memd.store.migrate import migrate


def test_what_stands_apart_shares_nothing_with_the_project_that_was_moved_away(tmp_path: Path) -> None:
    migrate(tmp_path / "memd.db", tmp_path / "backups", 0)
    conn = connect_writer(tmp_path / "memd.db")
    old, new = Path("/work/app"), Path("/work/renamed")
    note_session(conn, "claude_code", SessionUpdate("a"), ProjectAt(old, "app"), 1, reopen=True)
    note_session(conn, "claude_code", SessionUpdate("b"), ProjectAt(new, "renamed", moved_from=old), 2, reopen=True)
    note_session(conn, "claude_code", SessionUpdate("c"), ProjectAt(old, "app", apart=True), 3, reopen=True)
    here, there = projects.by_path(conn, old), projects.by_path(conn, new)
    conn.close()
    assert here is not None
    assert there is not None
    assert here.id != there.id
