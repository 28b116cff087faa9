"""Redistilling: when the rules of distillation change, every session is distilled once more by them.

Without this a session that earlier rules learnt nothing from would stay so for good, and a memory that has grown would
know less than one that reads the same transcripts today.
"""

from __future__ import annotations

from typing import Final

from memd.store import meta, sessions
from memd.store.facts import Connection

RULES: Final = 12
"""Raised with a release whose rules find something else in the same sessions."""
_NOTE: Final = "distill_rules"


def is_due(conn: Connection) -> bool:
    """Return whether sessions may have been distilled by other rules."""
    return meta.get(conn, _NOTE) != str(RULES)


def note_new(conn: Connection) -> None:
    """Where there is no session yet, note that all that will come is distilled by the rules of now."""
    if not sessions.are_known(conn):
        meta.put(conn, _NOTE, str(RULES))


def begin(conn: Connection) -> None:
    """Let every session be distilled once more; what a person ruled stays."""
    sessions.distil_again(conn)
    meta.put(conn, _NOTE, str(RULES))
