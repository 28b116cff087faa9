"""Erasing: how facts leave the store for good, and what is kept of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final, Literal

import orjson

from memd.model import Fact
from memd.store import edges, entities, erasures, fact_changes, fact_rows, scrubbing

_DELETE: Final = "DELETE FROM facts WHERE id = ?"
_BLANK_HISTORY: Final = "UPDATE fact_history SET old_title = NULL, old_body = NULL WHERE fact_uid = ?"
_FORGET: Final = "INSERT OR IGNORE INTO forgotten (digest, project_id, fact_uid, at) VALUES (?, ?, ?, ?)"
_REMEMBER: Final = "DELETE FROM forgotten WHERE digest = ? AND project_id IS ?"
_ERASED: Final = "SELECT 1 FROM fact_history WHERE fact_uid = ? AND action IN ('FORGET', 'PURGE') LIMIT 1"
_REST_OF: Final = "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} WHERE project_id IS ? LIMIT ?)"
_CLEAR: Final = {
    "relations": _REST_OF.format(table="edges"),
    "entities": _REST_OF.format(table="entities"),
    "prompts": _REST_OF.format(table="prompts"),
}
REST: Final = tuple(_CLEAR)
"""What was learnt in a scope besides facts."""
_IN_SCOPE: Final = "SELECT id FROM facts WHERE project_id IS ? ORDER BY id"
_FROM: Final = """
    (message_id IN (SELECT value FROM json_each(?1)) OR session_id IN (SELECT value FROM json_each(?2)))
"""
_LEARNT_FROM: Final = f"""
    SELECT fact_id FROM evidence WHERE {_FROM}
    UNION SELECT fact_id FROM claims WHERE session_id IN (SELECT value FROM json_each(?2)) AND fact_id IS NOT NULL
    UNION SELECT h.fact_id FROM fact_history h JOIN facts f ON f.id = h.fact_id
        WHERE f.origin = 'distill' AND h.session_id IN (
            SELECT value FROM json_each(?2)
            UNION SELECT m.session_id FROM json_each(?1) AS asked JOIN messages m ON m.id = asked.value)
        AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.fact_id = f.id)
        AND NOT EXISTS (SELECT 1 FROM evidence e WHERE e.fact_id = f.id)
    ORDER BY fact_id
"""  # noqa: S608 - constant parts
_CLAIMS_FROM: Final = """
    SELECT claim_id FROM evidence
    WHERE fact_id = ? AND claim_id IS NOT NULL AND message_id IN (SELECT value FROM json_each(?))
"""
_DROP_EVIDENCE: Final = f"DELETE FROM evidence WHERE fact_id = ?3 AND {_FROM}"  # noqa: S608 - constant parts
_OTHER_EVIDENCE: Final = f"""
    SELECT EXISTS (SELECT 1 FROM evidence WHERE fact_id = ?3 AND NOT ifnull({_FROM}, 0)
        AND ifnull(claim_id, 0) NOT IN (SELECT value FROM json_each(?4)))
"""  # noqa: S608 - constant parts
_BLANK_WORDS: Final = """
    UPDATE fact_history SET old_title = NULL, old_body = NULL WHERE fact_uid = ? AND old_title = ? AND old_body = ?
"""
_NAMED_IN_HISTORY: Final = """
    UPDATE fact_history SET reason = replace(reason, ?1, '…')
    WHERE other_id IS NULL AND action = 'RETRACT' AND instr(reason, ?1)
"""


def erase(
    conn: sqlite3.Connection,
    fact: Fact,
    digests: Iterable[str],
    now_ms: int,
    action: Literal["FORGET", "PURGE"],
    reason: str,
) -> None:
    """Delete a fact; `digests` are those of the texts that are never to be learnt again.

    FORGET leaves a line that something was, and none of its words anywhere; PURGE keeps them in its history. Entities
    that were known by it alone go with it.
    """
    project = None if fact.project is None else fact.project.id
    conn.executemany(_FORGET, [(digest, project, fact.uid, now_ms) for digest in digests])
    fact_changes.note(conn, fact.id, now_ms, action, reason, old=fact)
    fact_rows.unindex(conn, fact)
    named = edges.named_by(conn, fact.id, fact.uid)
    conn.execute(_DELETE, (fact.id,))
    entities.drop_left_alone(conn, named)
    if action == "FORGET":
        conn.execute(_BLANK_HISTORY, (fact.uid,))
        conn.execute(_NAMED_IN_HISTORY, (repr(fact.title),))
        scrubbing.ask(conn)


def remember_again(conn: sqlite3.Connection, digest: str, project_id: int | None) -> None:
    """Let a text be learnt again, because somebody said it to memd."""
    conn.execute(_REMEMBER, (digest, project_id))
    erasures.allow_text(conn, digest, project_id)


def erased(conn: sqlite3.Connection, uid: str) -> bool:
    """Return whether a fact of this uid was there and somebody had it deleted."""
    return conn.execute(_ERASED, (uid,)).fetchone() is not None


def learnt_from(conn: sqlite3.Connection, messages: Iterable[int], sessions: Iterable[int]) -> tuple[int, ...]:
    """Return the row ids of the facts that rest, among other things, on messages or whole sessions.

    Also of those that rest on nothing any more, as their session no longer says so (a rewind, other rules): which of
    its messages they came from is not known then, so they go with any.
    """
    return tuple(fact for (fact,) in conn.execute(_LEARNT_FROM, (_json(messages), _json(sessions))))


def claims_from(conn: sqlite3.Connection, fact_id: int, messages: Iterable[int]) -> frozenset[int]:
    """Return the row ids of a fact's claims that any of these messages is evidence of."""
    return frozenset(claim for (claim,) in conn.execute(_CLAIMS_FROM, (fact_id, _json(messages))))


def has_other_evidence(
    conn: sqlite3.Connection, fact_id: int, messages: Iterable[int], sessions: Iterable[int], claims: Iterable[int]
) -> bool:
    """Return whether a fact has evidence that is of none of these messages, sessions and claims."""
    asked = (_json(messages), _json(sessions), fact_id, _json(claims))
    return bool(conn.execute(_OTHER_EVIDENCE, asked).fetchone()[0])


def drop_evidence(conn: sqlite3.Connection, fact_id: int, messages: Iterable[int], sessions: Iterable[int]) -> None:
    """Let a fact no longer rest on these messages and sessions."""
    conn.execute(_DROP_EVIDENCE, (_json(messages), _json(sessions), fact_id))


def blank_words(conn: sqlite3.Connection, fact_uid: str, said: Iterable[tuple[str, str]]) -> None:
    """Take versions of a fact's words, by title and text, out of its history; that there was one stays."""
    conn.executemany(_BLANK_WORDS, [(fact_uid, title, body) for title, body in said])


def in_scope(conn: sqlite3.Connection, project_id: int | None) -> tuple[int, ...]:
    """Return the row ids of all facts of a project, or of those that hold everywhere."""
    return tuple(fact for (fact,) in conn.execute(_IN_SCOPE, (project_id,)))


def clear_rest(conn: sqlite3.Connection, what: str, project_id: int | None, most: int) -> int:
    """Delete at most so many of one of the `REST` of a scope; return how many were."""
    return conn.execute(_CLEAR[what], (project_id, most)).rowcount


def _json(values: Iterable[int]) -> str:
    return orjson.dumps(list(values)).decode()
