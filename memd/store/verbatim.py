"""Verbatim: messages and calls by the letters that stand in them, the newest first, for as long as there is time."""

from __future__ import annotations

import sqlite3
import time
from dataclasses import dataclass
from typing import Final

import orjson

from memd.store.chosen import CHOSEN, Chosen

_WHERE: Final = CHOSEN.replace("messages_fts.rowid", "m.id")
_MESSAGES: Final = f"""
    SELECT m.id, NULL, m.text, 0 FROM messages m CROSS JOIN sessions s ON s.id = m.session_id
    WHERE instr(lower(m.text), ?1) > 0 AND ?2 IS NOT NULL AND {_WHERE}
    ORDER BY m.id DESC LIMIT ?13
"""  # noqa: S608 - constants
_CALLS: Final = f"""
    SELECT m.id, t.name, iif(instr(lower(t.output), ?1) > 0, t.output, t.input), instr(lower(t.output), ?1) > 0
    FROM tool_calls t CROSS JOIN messages m ON m.id = t.message_id CROSS JOIN sessions s ON s.id = m.session_id
    WHERE (instr(lower(t.output), ?1) > 0 OR instr(lower(t.input), ?2) > 0) AND t.name NOT GLOB '*memd[_.]*'
        AND {_WHERE}
    ORDER BY t.id DESC LIMIT ?13
"""  # noqa: S608 - constants
_STEPS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Held:
    """A text that holds the letters: a message's (row id) own, or what a tool was given (JSON) or put out."""

    message: int
    tool: str | None
    text: str
    printed: bool


def messages(
    conn: sqlite3.Connection, letters: str, chosen: Chosen, most: int, seconds: float
) -> tuple[list[Held], bool]:
    """Return texts of messages that hold these letters, in any case, at most `most`, and whether time was enough."""
    return _holding(conn, _MESSAGES, letters, chosen, most, seconds)


def calls(conn: sqlite3.Connection, letters: str, chosen: Chosen, most: int, seconds: float) -> tuple[list[Held], bool]:
    """Return what tools put out or were given that holds these letters; as `messages`."""
    return _holding(conn, _CALLS, letters, chosen, most, seconds)


def _holding(
    conn: sqlite3.Connection, sql: str, letters: str, chosen: Chosen, most: int, seconds: float
) -> tuple[list[Held], bool]:
    until = time.monotonic() + seconds
    in_json = orjson.dumps(letters.lower()).decode()[1:-1]
    found: list[Held] = []
    conn.set_progress_handler(lambda: time.monotonic() > until, _STEPS)
    try:
        for message, tool, text, printed in conn.execute(sql, (letters.lower(), in_json, *chosen.values(conn), most)):
            found.append(Held(message, tool, text, bool(printed)))
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT or time.monotonic() <= until:
            raise
        return found, False
    finally:
        conn.set_progress_handler(None, 0)
    return found, True
