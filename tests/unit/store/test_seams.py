"""A secret that two rows of one message hold only together is in neither, however the rows come in."""

from __future__ import annotations

import sqlite3

import pytest

from memd.adapter import Batch, Cursor, Event
from memd.store.capturing import take_in
from memd.store.ingest import Prepared
from memd.text.redaction import redact
from memd.text.tokens import prepare
from tests.unit.store.rows import NOW, part, source
from tests.unit.text.secret_corpus import Maker

KEY = "gh" + "p_" + Maker(11).some("abcdefGHIJKL0123456789", 36)
FIRST, SECOND = f"Push with {KEY[:19]}", f"{KEY[19:]} to the harbour."


def read(conn: sqlite3.Connection, *events: Event) -> None:
    """Have rows read as capture does: each redacted by itself."""
    prepared = Prepared(
        Batch(events, Cursor(offset=1, size=1), skipped={}), tuple(prepare(getattr(one, "text", "")) for one in events)
    )
    take_in(conn, source("s"), prepared, {}, None, NOW)


def told(conn: sqlite3.Connection) -> str:
    return str(conn.execute("SELECT group_concat(text, '|') FROM messages ORDER BY id").fetchone()[0])


def rows() -> tuple[Event, Event]:
    assert redact(FIRST).text == FIRST
    return part("s", "a", 1, FIRST, message="m"), part("s", "b", 2, SECOND, message="m")


@pytest.mark.parametrize("together", [True, False])
def test_a_key_in_two_rows_is_in_neither(conn: sqlite3.Connection, together: bool) -> None:
    one, two = rows()
    if together:
        read(conn, one, two)
    else:
        read(conn, one)
        read(conn, two)
    assert told(conn) == "Push with [redacted:github]\n\n to the harbour."
    read(conn, one, two)
    assert told(conn) == "Push with [redacted:github]\n\n to the harbour."
    read(conn, part("s", "c", 3, "Done.", message="m"))
    assert told(conn) == "Push with [redacted:github]\n\n to the harbour.\n\nDone."
    found = conn.execute("SELECT 1 FROM messages_fts WHERE messages_fts MATCH ?", (f'"{KEY[:19].lower()}"',))
    assert not found.fetchall()


def test_rows_of_different_messages_are_not_put_together(conn: sqlite3.Connection) -> None:
    one, _ = rows()
    read(conn, one, part("s", "b", 2, SECOND, message="n"))
    assert KEY[:19] in told(conn)
