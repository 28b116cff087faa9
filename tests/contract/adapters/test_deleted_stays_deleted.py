"""What is deleted of any host's transcript stays so, whether its file is read again as it was or from its beginning."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from memd.adapter import ReadLimits
from memd.store import deleting, sessions
from memd.store.capturing import take_in
from memd.store.ingest import Prepared
from tests.contract.adapters.samples import FIXTURES, Sample, samples
from tests.contract.adapters.test_fold_means_what_the_store_means import database

NOW = 4_000_000_000_000
SAMPLES = [sample for sample in samples() if sample.path.stat().st_size < 400_000]
OURS = [sample for sample in SAMPLES if sample.path.is_relative_to(FIXTURES)]


def read(conn: sqlite3.Connection, sample: Sample) -> None:
    """Read a sample from its beginning, in pieces, as after a change of its file."""
    source, cursor, more = sample.source(), None, True
    while more:
        batch = sample.adapter.read(source, cursor, ReadLimits(batch_bytes=20_000))
        conn.execute("BEGIN IMMEDIATE")
        take_in(conn, source, Prepared(batch, ("",) * len(batch.events)), {}, None, NOW)
        conn.execute("COMMIT")
        cursor, more = batch.cursor, batch.more


def told(conn: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """All messages by session and key, with their calls."""
    rows = conn.execute(
        "SELECT s.native_id, m.key, m.text || m.thinking || ifnull(group_concat(t.input || t.output), '')"
        " FROM messages m JOIN sessions s ON s.id = m.session_id LEFT JOIN tool_calls t ON t.message_id = m.id"
        " GROUP BY m.id ORDER BY m.id"
    )
    return {(session, key): text for session, key, text in rows}


def every_session(conn: sqlite3.Connection) -> Iterator[int]:
    yield from (session for (session,) in conn.execute("SELECT id FROM sessions ORDER BY id").fetchall())


@pytest.mark.parametrize("sample", OURS, ids=[sample.name for sample in OURS])
def test_every_second_message_stays_deleted_and_the_others_stay_as_they_are(sample: Sample) -> None:
    with closing(database()) as conn:
        read(conn, sample)
        ids = [message for (message,) in conn.execute("SELECT id FROM messages ORDER BY id").fetchall()]
        deleting.delete(conn, ids[::2])
        left = told(conn)
        assert len(left) == len(ids) - len(ids[::2])
        for _ in range(2):
            read(conn, sample)
            assert told(conn) == left
        sound(conn)


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_a_deleted_session_stays_deleted_with_its_title(sample: Sample) -> None:
    with closing(database()) as conn:
        read(conn, sample)
        family = list(every_session(conn))
        said = [text for text in told(conn).values() if len(text) > 24 and " " in text]
        deleting.delete(conn, deleting.messages_of(conn, family))
        for session in sessions.by_ids(conn, family).values():
            deleting.empty(conn, session.host, session.native_id, session.id, NOW)
        for _ in range(2):
            assert told(conn) == {}
            assert conn.execute("SELECT count(title) FROM sessions").fetchone() == (0,)
            state = "".join(state for (state,) in conn.execute("SELECT state FROM sources"))
            assert [text for text in said if text[:24] in state] == []
            read(conn, sample)
        sound(conn)


def sound(conn: sqlite3.Connection) -> None:
    """Indexes hold just what the tables do, and nothing points nowhere."""
    for table in ("messages_fts", "calls_fts"):
        conn.execute(f"INSERT INTO {table} ({table}) VALUES ('integrity-check')")
    assert conn.execute("SELECT count(*) FROM messages_fts_docsize").fetchone() == (
        conn.execute("SELECT count(*) FROM messages WHERE text != ''").fetchone()
    )
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
