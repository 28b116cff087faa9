"""Fact changes: the only ways a fact comes into being, changes or ceases to hold; each leaves a line of history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memd.errors import NotFound
from memd.model import Evidence, Fact, FactBasis, FactKind, FactPart, Visibility
from memd.store import fact_rows
from memd.store.uid import uuid7

Action: TypeAlias = Literal[
    "ADD",
    "UPDATE",
    "SUPERSEDE",
    "CONTRADICT",
    "RETRACT",
    "RESTORE",
    "VERIFY",
    "RATE",
    "PROMOTE",
    "PURGE",
    "FORGET",
    "NONE",
]

_INSERT: Final = """
    INSERT INTO facts (uid, project_id, kind, title, body, topic, slot, epistemic, origin, confidence, evergreen,
        author, session_id, valid_from, created_at, updated_at, last_seen_at, basis, visibility, domain, metadata)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
_REWRITE: Final = """
    UPDATE facts SET title = ?, body = ?, slot = coalesce(?, slot), confidence = max(confidence, ?), updated_at = ?,
        revision = revision + ?, kind = coalesce(?, kind)
    WHERE id = ?
"""
_CLOSE: Final = (
    "UPDATE facts SET status = ?, valid_to = max(?, valid_from), superseded_by = ?, updated_at = ? WHERE id = ?"
)
_RESTORE: Final = """
    UPDATE facts SET status = 'current', valid_to = NULL, superseded_by = NULL, updated_at = ? WHERE id = ?
"""
_USED: Final = "UPDATE facts SET uses = uses + 1, last_used_at = ? WHERE id = ?"
_VERIFIED: Final = "UPDATE facts SET verified_at = ? WHERE id = ?"
_FORGET_TAGS: Final = "DELETE FROM fact_tags WHERE fact_id = ?"
_FORGET_PARTS: Final = "DELETE FROM fact_parts WHERE fact_id = ?"
_ADD_PART: Final = "INSERT INTO fact_parts (fact_id, ord, name, text) VALUES (?, ?, ?, ?)"
_ADD_TAG: Final = "INSERT OR IGNORE INTO fact_tags (fact_id, tag) VALUES (?, ?)"
_ADD_EVIDENCE: Final = """
    INSERT INTO evidence (fact_id, message_id, session_id, quote, at)
    SELECT ?1, ?2, ?3, ?4, ?5
    WHERE NOT EXISTS (
        SELECT 1 FROM evidence WHERE fact_id = ?1 AND message_id IS ?2 AND session_id IS ?3 AND quote = ?4)
"""
_NOTE: Final = """
    INSERT INTO fact_history (fact_id, fact_uid, at, action, reason, old_title, old_body, other_id, session_id)
    SELECT id, uid, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM facts WHERE id = ?1
"""
_HISTORY: Final = """
    SELECT h.at, h.action, h.reason, h.old_title, h.old_body, o.uid, s.uid
    FROM fact_history h LEFT JOIN facts o ON o.id = h.other_id LEFT JOIN sessions s ON s.id = h.session_id
    WHERE h.fact_id = ? ORDER BY h.at, h.id
"""


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact to be added. `project_id` None: it holds everywhere. `session_id`: where it was learnt."""

    kind: FactKind
    title: str
    body: str
    origin: str
    valid_from: int
    project_id: int | None = None
    parts: tuple[FactPart, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    tags: tuple[str, ...] = ()
    slot: str | None = None
    topic: str | None = None
    epistemic: str = "unknown"
    confidence: float = 1.0
    evergreen: bool = False
    author: str | None = None
    session_id: int | None = None
    basis: FactBasis = "extracted"
    visibility: Visibility = "private"
    domain: str | None = None
    metadata: str = "{}"
    """The caller's own JSON object."""
    uid: str | None = None
    """The one it has elsewhere; None: a new one."""


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a fact's history. `other` and `session` are uids: what replaced it, and the session that said so."""

    at: int
    action: Action
    reason: str
    old_title: str | None
    old_body: str | None
    other: str | None
    session: str | None


def add(conn: sqlite3.Connection, new: NewFact, now_ms: int, reason: str = "was said") -> Fact:
    """Add a fact, current from the time it was said, and return it."""
    fact_id = conn.execute(
        _INSERT,
        (
            new.uid or uuid7(now_ms), new.project_id, new.kind, new.title, new.body, new.topic, new.slot, new.epistemic,
            new.origin, new.confidence, new.evergreen, new.author, new.session_id, new.valid_from, now_ms, now_ms,
            new.valid_from, new.basis, new.visibility, new.domain, new.metadata,
        ),
    ).fetchone()[0]  # fmt: skip
    _write_parts(conn, fact_id, new.parts)
    conn.executemany(_ADD_TAG, [(fact_id, tag) for tag in new.tags])
    add_evidence(conn, fact_id, new.evidence)
    fact = _get(conn, fact_id)
    fact_rows.index(conn, fact)
    note(conn, fact_id, now_ms, "ADD", reason, session_id=new.session_id)
    return fact


def update(
    conn: sqlite3.Connection,
    fact_id: int,
    now_ms: int,
    reason: str,
    *,
    title: str,
    body: str,
    parts: tuple[FactPart, ...] | None = None,
    tags: tuple[str, ...] = (),
    slot: str | None = None,
    kind: FactKind | None = None,
    confidence: float = 0.0,
    session_id: int | None = None,
    only_these_tags: bool = False,
) -> Fact:
    """Say a fact in other words; parts are replaced where given, tags added, confidence only raised. Raises NotFound.

    New words make a new revision. Nothing changes, history included, when it says just that already.
    """
    old = _get(conn, fact_id)
    kept = set() if only_these_tags else {*old.tags}
    said = (title, body, old.parts if parts is None else parts, tuple(sorted({*kept, *tags})), kind or old.kind)
    if (old.title, old.body, old.parts, old.tags, old.kind) == said and (slot or old.slot) == old.slot:
        return old
    fact_rows.unindex(conn, old)
    other_words = (old.title, old.body) != (title, body)
    conn.execute(_REWRITE, (title, body, slot, confidence, now_ms, other_words, kind, fact_id))
    if parts is not None:
        put_parts(conn, fact_id, parts)
    put_tags(conn, fact_id, tags, besides=not only_these_tags)
    fact = _get(conn, fact_id)
    fact_rows.index(conn, fact)
    note(conn, fact_id, now_ms, "UPDATE", reason, old=old, session_id=session_id)
    return fact


def supersede(
    conn: sqlite3.Connection, fact_id: int, by: int, now_ms: int, reason: str, *, session_id: int | None = None
) -> Fact:
    """Let another fact replace this one from the time that one holds. Raises NotFound."""
    old, successor = _get(conn, fact_id), _get(conn, by)
    if (old.status, old.superseded_by) == ("superseded", successor.uid):
        return old
    conn.execute(_CLOSE, ("superseded", successor.valid_from, by, now_ms, fact_id))
    note(conn, fact_id, now_ms, "SUPERSEDE", reason, old=old, other_id=by, session_id=session_id)
    return _get(conn, fact_id)


def retract(conn: sqlite3.Connection, fact_id: int, now_ms: int, reason: str, *, session_id: int | None = None) -> Fact:
    """Take a fact back that held until now: it is kept with its history and given to nobody any more. Raises NotFound.

    What was never true is taken back by `judged.set_state` with `judged.never`.
    """
    old = _get(conn, fact_id)
    if old.status == "retracted":
        return old
    conn.execute(_CLOSE, ("retracted", now_ms, None, now_ms, fact_id))
    note(conn, fact_id, now_ms, "RETRACT", reason, old=old, session_id=session_id)
    return _get(conn, fact_id)


def restore(conn: sqlite3.Connection, fact_id: int, now_ms: int, reason: str, *, session_id: int | None = None) -> Fact:
    """Let a fact that was replaced or taken back hold again. Raises NotFound."""
    old = _get(conn, fact_id)
    if old.status == "current":
        return old
    conn.execute(_RESTORE, (now_ms, fact_id))
    note(conn, fact_id, now_ms, "RESTORE", reason, old=old, session_id=session_id)
    return _get(conn, fact_id)


def add_evidence(conn: sqlite3.Connection, fact_id: int, evidence: Iterable[Evidence]) -> int:
    """Add places that a fact comes from; return how many were new."""
    rows = [(fact_id, one.message or None, one.session or None, one.quote, one.at) for one in evidence]
    return conn.executemany(_ADD_EVIDENCE, rows).rowcount if rows else 0


def mark_used(conn: sqlite3.Connection, ids: Iterable[int], now_ms: int) -> None:
    """Count that facts were of use."""
    conn.executemany(_USED, [(now_ms, fact_id) for fact_id in ids])


def mark_verified(conn: sqlite3.Connection, fact_id: int, now_ms: int, reason: str = "was checked") -> None:
    """Note that somebody checked that a fact still holds."""
    conn.execute(_VERIFIED, (now_ms, fact_id))
    note(conn, fact_id, now_ms, "VERIFY", reason)


def note(
    conn: sqlite3.Connection,
    fact_id: int,
    now_ms: int,
    action: Action,
    reason: str,
    *,
    old: Fact | None = None,
    other_id: int | None = None,
    session_id: int | None = None,
) -> None:
    """Write a line into a fact's history; `old` is the fact as it was, where its words or its state changed."""
    said = (None, None) if old is None else (old.title, old.body)
    conn.execute(_NOTE, (fact_id, now_ms, action, reason, *said, other_id, session_id))


def history(conn: sqlite3.Connection, fact_id: int) -> tuple[Change, ...]:
    """Return what happened to a fact, oldest first."""
    return tuple(Change(*row) for row in conn.execute(_HISTORY, (fact_id,)))


def put_parts(conn: sqlite3.Connection, fact_id: int, parts: tuple[FactPart, ...]) -> None:
    """Let a fact have just these parts; the index has to be told."""
    conn.execute(_FORGET_PARTS, (fact_id,))
    _write_parts(conn, fact_id, parts)


def put_tags(conn: sqlite3.Connection, fact_id: int, tags: Iterable[str], *, besides: bool = False) -> None:
    """Let a fact have just these tags, or these `besides` those it has; the index has to be told."""
    if not besides:
        conn.execute(_FORGET_TAGS, (fact_id,))
    conn.executemany(_ADD_TAG, [(fact_id, tag) for tag in tags])


def _get(conn: sqlite3.Connection, fact_id: int) -> Fact:
    found = fact_rows.load(conn, (fact_id,))
    if not found:
        raise NotFound("fact", str(fact_id))
    return found[0]


def _write_parts(conn: sqlite3.Connection, fact_id: int, parts: tuple[FactPart, ...]) -> None:
    conn.executemany(_ADD_PART, [(fact_id, place, part.name, part.text) for place, part in enumerate(parts)])
