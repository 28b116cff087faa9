"""Verbatim: messages by the letters that stand in them, the newest first, for as long as there is time."""

from __future__ import annotations

import sqlite3
import time
from typing import Final

from memd.store.chosen import CHOSEN, Chosen

_HOLDING: Final = f"""
    SELECT m.id, m.text FROM messages m CROSS JOIN sessions s ON s.id = m.session_id
    WHERE instr(lower(m.text), ?1) > 0 AND ?2 IS NULL AND {CHOSEN.replace("messages_fts.rowid", "m.id")}
    ORDER BY m.id DESC LIMIT ?13
"""  # noqa: S608 - constants
_STEPS: Final = 20_000


def holding(
    conn: sqlite3.Connection, letters: str, chosen: Chosen, most: int, seconds: float
) -> tuple[dict[int, str], bool]:
    """Return texts of messages that hold these letters, in any case, by row id, and whether all were looked through."""
    until = time.monotonic() + seconds
    found: dict[int, str] = {}
    conn.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        found.update(conn.execute(_HOLDING, (letters.lower(), None, *chosen.values(conn), most)))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT or time.monotonic() <= until:
            raise
        return found, False
    finally:
        conn.set_progress_handler(None, 0)
    return found, len(found) < most
