"""Maintenance: the full-text indexes kept compact, and built anew when the form of their text changes.

Everything here works in steps that each fit in a short transaction, so that capture goes on in between.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.store import fact_rows, meta
from memd.store.calls import call_text
from memd.text.tokens import TOKENS_VERSION, prepare

_MERGE: Final = "INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"
_EMPTY: Final = "INSERT INTO {table} ({table}) VALUES ('delete-all')"
_SIZE: Final = "SELECT count(*) FROM {table}_docsize"
_GIVE_BACK: Final = "PRAGMA incremental_vacuum({pages})"
_UNUSED: Final = "PRAGMA freelist_count"
_MESSAGES: Final = """
    SELECT id, text FROM messages WHERE id > ? AND text != '' AND id NOT IN (SELECT id FROM messages_fts_docsize)
    ORDER BY id LIMIT ?
"""
_CALLS: Final = """
    SELECT id, input, output FROM tool_calls WHERE id > ? AND id NOT IN (SELECT id FROM calls_fts_docsize)
    ORDER BY id LIMIT ?
"""
_FACTS: Final = """
    SELECT id FROM facts WHERE id > ? AND id NOT IN (SELECT id FROM facts_fts_docsize) ORDER BY id LIMIT ?
"""
_ADD_MESSAGE: Final = "INSERT INTO messages_fts (rowid, body) VALUES (?, ?)"
_ADD_CALL: Final = "INSERT INTO calls_fts (rowid, body) VALUES (?, ?)"

TABLES: Final = ("messages_fts", "calls_fts", "facts_fts")


@dataclass(frozen=True, slots=True)
class _Index:
    """How far an index is: the form of its text, and the row up to which it was built (None: complete)."""

    version: int
    built_to: int | None


def optimize(conn: sqlite3.Connection, pages: int = 64) -> bool:
    """Merge about so many pages of each index and return whether more is left to do."""
    more = False
    for table in TABLES:
        before = conn.total_changes
        conn.execute(_MERGE.format(table=table), (pages,))
        # SQLite documents (FTS5, 6.8) that a difference below two means that there was nothing to merge.
        more |= conn.total_changes - before >= 2
    return more


def stale(conn: sqlite3.Connection) -> tuple[str, ...]:
    """Return the indexes that hold text in another form than `prepare` gives now, or are not fully built."""
    return tuple(table for table in TABLES if _state(conn, table) != _Index(TOKENS_VERSION, None))


def rebuild(conn: sqlite3.Connection, table: str) -> None:
    """Empty an index, to be filled by `rebuild_some`; until then searches find less."""
    conn.execute(_EMPTY.format(table=table))
    _note(conn, table, _Index(TOKENS_VERSION, 0))


def rebuild_some(conn: sqlite3.Connection, rows: int = 300) -> bool:
    """Do one step of bringing stale indexes up to date and return whether more is left to do.

    What is stored in between is indexed as it comes and passed over here.
    """
    waiting = stale(conn)
    if not waiting:
        return False
    table = waiting[0]
    state = _state(conn, table)
    if state.version != TOKENS_VERSION or state.built_to is None:
        rebuild(conn, table)
        return True
    last = _fill(conn, table, state.built_to, rows)
    _note(conn, table, _Index(TOKENS_VERSION, last))
    return last is not None or len(waiting) > 1


def _fill(conn: sqlite3.Connection, table: str, after: int, rows: int) -> int | None:
    """Index the next rows after a row id; return the last one's, None when there were none."""
    ids: list[int]
    if table == "messages_fts":
        texts = conn.execute(_MESSAGES, (after, rows)).fetchall()
        conn.executemany(_ADD_MESSAGE, [(row, prepare(text)) for row, text in texts])
        ids = [row for row, _ in texts]
    elif table == "calls_fts":
        calls = conn.execute(_CALLS, (after, rows)).fetchall()
        conn.executemany(_ADD_CALL, [(row, prepare(call_text(asked, output))) for row, asked, output in calls])
        ids = [row for row, _, _ in calls]
    else:
        ids = [row for (row,) in conn.execute(_FACTS, (after, rows))]
        for fact in fact_rows.load(conn, ids):
            fact_rows.index(conn, fact)
    return ids[-1] if ids else None


def _state(conn: sqlite3.Connection, table: str) -> _Index:
    """Return how far an index is; one of which nothing is noted is as the first version of memd made it."""
    version, _, built_to = (meta.get(conn, f"index.{table}") or "1").partition(":")
    return _Index(int(version), int(built_to) if built_to else None)


def _note(conn: sqlite3.Connection, table: str, state: _Index) -> None:
    place = "" if state.built_to is None else f":{state.built_to}"
    meta.put(conn, f"index.{table}", f"{state.version}{place}")


def indexed(conn: sqlite3.Connection) -> dict[str, int]:
    """Return how many rows each index holds."""
    return {table: int(conn.execute(_SIZE.format(table=table)).fetchone()[0]) for table in TABLES}


def give_back_pages(conn: sqlite3.Connection, pages: int) -> bool:
    """Give so many unused pages back to the disk; return whether there are more. Not within a transaction."""
    conn.execute(_GIVE_BACK.format(pages=int(pages))).fetchall()
    return bool(conn.execute(_UNUSED).fetchone()[0])


def shrink_memory(conn: sqlite3.Connection) -> None:
    """Let go of what the connection keeps in memory of the file."""
    conn.execute("PRAGMA shrink_memory")
