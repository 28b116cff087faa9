"""How far sources were read, and what is known of those that could not be."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from memd.adapter import Cursor
from memd.store import sources
from tests.unit.store.rows import HOST, NOW, prompt, source, store

PATH = source("s").path


def test_skips_add_up_until_a_source_is_read_from_its_start(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1)], skipped={"torn line": 1})
    store(conn, "s", [], skipped={"torn line": 2, "unknown row kind: foo": 1})
    (status,) = sources.status(conn)
    assert (status.skipped, status.lines) == ({"torn line": 3, "unknown row kind: foo": 1}, 1)
    store(conn, "s", [prompt("s", "a", 1)], skipped={"torn line": 1}, restarted=True)
    (status,) = sources.status(conn)
    assert (status.skipped, status.lines, status.newest_captured) == ({"torn line": 1}, 1, 1001)


def test_an_error_is_kept_until_the_source_can_be_read_again(conn: sqlite3.Connection) -> None:
    sources.set_error(conn, source("s"), "permission denied", NOW)
    assert sources.load(conn, HOST, PATH) is None
    assert sources.all_cursors(conn, HOST) == {}
    assert [(error.path, error.error) for error in sources.status(conn)[0].errors] == [(PATH, "permission denied")]
    store(conn, "s", [])
    sources.set_error(conn, source("s"), "gone mad", NOW)
    assert sources.load(conn, HOST, PATH) == Cursor(1, 1)
    store(conn, "s", [])
    assert sources.status(conn)[0].errors == ()


def test_a_moved_file_keeps_its_cursor(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1)], cursor=Cursor(offset=7, size=7))
    store(conn, "t", [])
    new = source("t").path
    assert sources.rename(conn, HOST, PATH, new)
    assert not sources.rename(conn, HOST, Path("/home/ada/never"), new)
    assert sources.all_cursors(conn, HOST) == {new: Cursor(offset=7, size=7)}


def test_a_source_may_go_and_come_back(conn: sqlite3.Connection) -> None:
    store(conn, "s", [])
    sources.mark_gone(conn, HOST, PATH, NOW)
    assert sources.status(conn)[0].gone == 1
    store(conn, "s", [])
    assert (sources.status(conn)[0].gone, sources.status(conn)[0].sources) == (0, 1)
