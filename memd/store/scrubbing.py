"""Scrubbing: what SQLite leaves of deleted rows in the file goes as well.

A deleted row lives on in four places: within its page, until something else is written there; on pages that are free;
in the full-text indexes, which note a deletion beside what is deleted until segments are merged; and in the log. The
writer has SQLite zero the first as it deletes (`secure_delete = FAST`); here the indexes are merged whole, free pages
given back and the log folded and cut. A file from before the writer did so is written anew once.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.store import meta
from memd.store.maintenance import TABLES

_SINCE: Final = "zeroed"
"""Note that every deletion in this file was zeroed since it was written, so that nothing older lies about in it."""
_MERGE: Final = "INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)"
_DUE: Final = "scrub"


@dataclass(frozen=True, slots=True)
class Merging:
    """How far the merging of the indexes into one segment each has come."""

    waiting: tuple[str, ...] = TABLES
    begun: bool = False


def ask(conn: sqlite3.Connection) -> None:
    """Note that something was deleted of which nothing may be left: scrubbing is due until `note_done`."""
    meta.put(conn, _DUE, "1")


def is_due(conn: sqlite3.Connection) -> bool:
    """Return whether something was deleted since the file was scrubbed last."""
    return meta.get(conn, _DUE) is not None


def note_done(conn: sqlite3.Connection) -> None:
    """Note that the file was scrubbed."""
    meta.put(conn, _DUE, None)


def merge_some(conn: sqlite3.Connection, at: Merging, pages: int = 40) -> Merging:
    """Do one step of merging each index whole; it is over when nothing waits.

    What comes in meanwhile makes segments of its own and does not keep it from ending (FTS5, 6.8: a negative number of
    pages has all segments merged, a positive one goes on with it, and fewer than two changes say that it is done).
    """
    table = at.waiting[0]
    before = conn.total_changes
    conn.execute(_MERGE.format(table=table), (pages if at.begun else -pages,))
    if at.begun and conn.total_changes - before < 2:
        return Merging(at.waiting[1:])
    return Merging(at.waiting, begun=True)


def is_zeroed(conn: sqlite3.Connection) -> bool:
    """Return whether nothing that was deleted ever can lie about in used pages of this file."""
    return meta.get(conn, _SINCE) is not None


def note_zeroed(conn: sqlite3.Connection) -> None:
    """Note that the file was written anew, or is new."""
    meta.put(conn, _SINCE, "1")


def write_anew(conn: sqlite3.Connection) -> None:
    """Write the whole file anew; nothing else can be written meanwhile. Not within a transaction."""
    conn.execute("VACUUM")


def cut_log(conn: sqlite3.Connection) -> bool:
    """Fold the log into the file and cut it to nothing; return False while somebody still reads from it."""
    busy, _, _ = conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return not busy
