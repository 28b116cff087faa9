from __future__ import annotations

from pathlib import Path

from memd.adapter import SessionUpdate
from memd.store import projects, sessions
from memd.store.capturing import ProjectAt, note_session
from memd.store.connection import connect_writer
from memd.store.migrate import migrate


def test_what_stands_apart_shares_nothing_with_the_project_that_was_moved_away(tmp_path: Path) -> None:
    migrate(tmp_path / "memd.db", tmp_path / "backups", 0)
    conn = connect_writer(tmp_path / "memd.db")
    old, new = Path("/work/app"), Path("/work/renamed")
    places = [ProjectAt(old, "app"), ProjectAt(new, "renamed", moved_from=old), ProjectAt(old, "app", apart=True)]
    for number, place in enumerate(places):
        cwd = str(place.root / "src")
        note_session(conn, "claude_code", SessionUpdate(str(number), cwd=cwd), {cwd: place}, number, reopen=True)
    here, there = projects.by_path(conn, old), projects.by_path(conn, new)
    conn.close()
    assert here is not None
    assert there is not None
    assert here.id != there.id


def test_a_session_belongs_to_where_it_began_and_not_to_where_it_moved(tmp_path: Path) -> None:
    migrate(tmp_path / "memd.db", tmp_path / "backups", 0)
    conn = connect_writer(tmp_path / "memd.db")
    place = {"/work/app": ProjectAt(Path("/work/app"), "app")}
    note_session(conn, "claude_code", SessionUpdate("a", cwd="/home/ada"), {}, 1, reopen=True)
    session = note_session(conn, "claude_code", SessionUpdate("a", cwd="/work/app"), place, 2, reopen=True)
    found = sessions.get(conn, session)
    conn.close()
    assert (found.cwd, found.project) == ("/home/ada", None)
