"""Summaries and events of sessions."""

from __future__ import annotations

import sqlite3

from memd.adapter import FileChange, SessionUpdate
from memd.model import CommandRun, Distilled, ErrorSeen, Events, PackageChange, Summary
from memd.store import projects, sessions, summaries
from tests.unit.store.rows import HOST, NOW, part, prompt, result, store, use

EVENTS = Events(
    files_changed=("/home/ada/harbor/b.c", "/home/ada/harbor/a.c"),
    commands=(CommandRun("make", True), CommandRun("make test", None)),
    commits=("Add buoys",),
    errors=(ErrorSeen("no rule", True, "add one"), ErrorSeen("leak", False, None)),
    packages=(PackageChange("cork", "add"),),
    urls=("https://tides.example",),
)


def session(conn: sqlite3.Connection, name: str, at: int = 1, kind: str | None = None) -> int:
    store(conn, name, [SessionUpdate(name, kind=kind), prompt(name, f"{name}-p", at)])  # type: ignore[arg-type]
    known = sessions.by_native(conn, HOST, name)
    assert known is not None
    return known.id


def test_a_summary_takes_the_place_of_the_one_before(conn: sqlite3.Connection) -> None:
    said_in = session(conn, "s")
    assert summaries.get(conn, said_in) is None
    summaries.save(conn, said_in, Distilled(Summary("Buoys", "text", ("paint",)), (), EVENTS), 1, NOW)
    summaries.save(conn, said_in, Distilled(Summary("Buoys and bells", "more"), (), Events(commits=("Bells",))), 2, NOW)
    assert summaries.get(conn, said_in) == Summary("Buoys and bells", "more")
    assert summaries.events(conn, said_in) == Events(commits=("Bells",))
    assert sessions.get(conn, said_in).title == "Buoys and bells"


def test_events_come_back_as_they_were(conn: sqlite3.Connection) -> None:
    said_in = session(conn, "s")
    for n, path in enumerate(EVENTS.files_changed):
        call = part("s", f"c{n}", 10 * n, calls=(use(f"t{n}"),))
        store(conn, "s", [call, result("s", f"r{n}", 10 * n + 1, f"t{n}", changes=(FileChange(path, "update"),))])
    summaries.save(conn, said_in, Distilled(Summary("", ""), (), EVENTS), 1, NOW)
    assert summaries.events(conn, said_in) == EVENTS
    assert sessions.get(conn, said_in).title is None


def test_the_latest_session_of_a_project_is_no_agents_one(conn: sqlite3.Connection) -> None:
    project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id
    assert summaries.latest(conn, project, 1) == ()
    for at, (name, kind) in enumerate([("old", None), ("new", None), ("kid", "subagent")]):
        row = session(conn, name, at, kind)
        sessions.set_project(conn, row, project)
        summaries.save(conn, row, Distilled(Summary(name, "", (f"finish {name}",)), (), Events()), 1, NOW)
    (newest,) = summaries.latest(conn, project, 1)
    assert (newest.session.native_id, newest.summary.open_ends) == ("new", ("finish new",))
    assert [found.summary.title for found in summaries.latest(conn, project)] == ["new", "old"]


def test_a_session_in_which_nothing_happened_is_not_the_latest(conn: sqlite3.Connection) -> None:
    project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW).id
    for at, (name, text) in enumerate([("worked", "**Done**\n- Buoys"), ("opened and closed", "")]):
        row = session(conn, name, at)
        sessions.set_project(conn, row, project)
        summaries.save(conn, row, Distilled(Summary(name, text), (), Events()), 1, NOW)
    (newest,) = summaries.latest(conn, project, 1)
    assert newest.session.native_id == "worked"
