"""Carried: facts that another memd exported, put in with all that was noted of them there.

Each function but `add_evidence` may be called again with the same and changes nothing then.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.model import Evidence, Ruling, Visibility
from memd.store import fact_changes, fact_marks, fact_rows
from memd.store.fact_changes import Change, NewFact
from memd.store.judged import State

SYSTEM: Final = "memd"
"""What memd itself is called among the memories that things are taken over from."""

_PUT: Final = """
    UPDATE facts SET status = ?2, valid_to = ?3, slot = ?4, created_at = ?5, updated_at = ?5, last_seen_at = ?6,
        revision = ?7, repeats = ?8, uses = ?9, last_used_at = ?10, verified_at = ?11, promoted_at = ?12,
        helpful = ?13, unhelpful = ?14, ruling = ?15
    WHERE id = ?1
"""
# What somebody noted of a fact here stays; what is as it was made says what was noted of it there.
_FILL: Final = """
    UPDATE facts SET visibility = iif(visibility = 'private', ?2, visibility), domain = coalesce(domain, ?3),
        metadata = iif(metadata = '{}', ?4, metadata), topic = coalesce(topic, ?5), author = coalesce(author, ?6),
        epistemic = iif(epistemic = 'unknown', ?7, epistemic), evergreen = max(evergreen, ?8), uses = max(uses, ?9),
        verified_at = nullif(max(ifnull(verified_at, 0), ifnull(?10, 0)), 0),
        promoted_at = nullif(max(ifnull(promoted_at, 0), ifnull(?11, 0)), 0),
        helpful = max(helpful, ?12), unhelpful = max(unhelpful, ?13)
    WHERE id = ?1
"""
IMPORTED: Final = "was imported from another memd"
"""The reason of the line that taking a fact over leaves; it is no change of what the fact says."""
_CHANGED: Final = """
    SELECT max(at) FROM fact_history WHERE fact_id = ? AND reason != ?
        AND action IN ('ADD', 'UPDATE', 'SUPERSEDE', 'RETRACT', 'RESTORE')
"""
_REWRITE: Final = """
    UPDATE facts SET kind = ?2, title = ?3, body = ?4, topic = ?5, epistemic = ?6, confidence = ?7, evergreen = ?8,
        author = ?9, basis = ?10, visibility = ?11, domain = ?12, metadata = ?13, valid_from = ?14, status = ?15,
        valid_to = ?16, superseded_by = NULL, ruling = ?17, revision = max(revision, ?18), updated_at = ?19
    WHERE id = ?1
"""
_LINES: Final = "SELECT at, action, reason, old_title, old_body FROM fact_history WHERE fact_id = ?"
_ADD_LINE: Final = """
    INSERT INTO fact_history (fact_id, fact_uid, at, action, reason, old_title, old_body, other_id)
    SELECT id, uid, ?2, ?3, ?4, ?5, ?6, (SELECT o.id FROM facts o WHERE o.uid = ?7) FROM facts WHERE id = ?1
"""
_ADD_EVIDENCE: Final = "INSERT INTO evidence (fact_id, session_id, quote, at) VALUES (?, ?, ?, ?)"
_SUCCEED: Final = """
    UPDATE facts SET superseded_by = (SELECT o.id FROM facts o WHERE o.uid = ?2 AND o.id != facts.id)
    WHERE id = ?1 AND status = 'superseded' AND superseded_by IS NULL
"""
_DISPUTE: Final = """
    INSERT OR IGNORE INTO contradictions (one, other, reason, found_at, verdict, ruled_at, why)
    VALUES (?1, ?2, ?3, ?4, ?5, iif(?5 IS NULL, NULL, ?4), ?6)
"""
_BY_UID: Final = "SELECT id FROM facts WHERE uid = ?"
_LEARNT: Final = "UPDATE facts SET learnt_elsewhere = ? WHERE id = ?"
_BY_HAND: Final = """
    SELECT NOT f.learnt_elsewhere AND EXISTS (SELECT 1 FROM claims WHERE fact_id = f.id AND session_id IS NULL)
    FROM facts f WHERE f.id = ?
"""


@dataclass(frozen=True, slots=True)
class Noted:
    """What is noted of a fact beside its words and its state, counted and stamped (UTC milliseconds)."""

    visibility: Visibility = "private"
    domain: str | None = None
    slot: str | None = None
    created_at: int | None = None
    seen_at: int | None = None
    revision: int = 1
    repeats: int = 0
    uses: int = 0
    used_at: int | None = None
    verified_at: int | None = None
    promoted_at: int | None = None
    helpful: int = 0
    unhelpful: int = 0
    ruling: Ruling | None = None


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody says of a fact: what it is about, who says so, how they know, and whether it is to stay.

    `metadata` is the caller's own JSON object.
    """

    topic: str | None
    author: str | None
    epistemic: str
    evergreen: bool
    metadata: str


def put(conn: sqlite3.Connection, fact_id: int, state: State, noted: Noted) -> None:
    """Let a fact be in a state and all this be noted of it, in place of what was; it was added as it is there."""
    conn.execute(
        _PUT,
        (
            fact_id, state.status, state.until, noted.slot, noted.created_at, noted.seen_at, noted.revision,
            noted.repeats, noted.uses, noted.used_at, noted.verified_at, noted.promoted_at, noted.helpful,
            noted.unhelpful, noted.ruling,
        ),
    )  # fmt: skip


def fill(conn: sqlite3.Connection, fact_id: int, said: Said, noted: Noted) -> None:
    """Note of a fact that is here already what was said and noted of it there and is not here."""
    conn.execute(
        _FILL,
        (
            fact_id, noted.visibility, noted.domain, said.metadata, said.topic, said.author, said.epistemic,
            said.evergreen, noted.uses, noted.verified_at, noted.promoted_at, noted.helpful, noted.unhelpful,
        ),
    )  # fmt: skip


def changed_at(conn: sqlite3.Connection, fact_id: int) -> int | None:
    """Return when the words or the state of a fact were changed last; None where that was not here and is not told."""
    at = conn.execute(_CHANGED, (fact_id, IMPORTED)).fetchone()[0]
    return None if at is None else int(at)


def rewrite(conn: sqlite3.Connection, fact_id: int, new: NewFact, state: State, noted: Noted, now_ms: int) -> None:
    """Let a fact say and be what it does elsewhere; its history there tells of that (`add_history`)."""
    (old,) = fact_rows.load(conn, (fact_id,))
    fact_rows.unindex(conn, old)
    conn.execute(
        _REWRITE,
        (
            fact_id, new.kind, new.title, new.body, new.topic, new.epistemic, new.confidence, new.evergreen, new.author,
            new.basis, new.visibility, new.domain, new.metadata, new.valid_from, state.status, state.until,
            noted.ruling, noted.revision, now_ms,
        ),
    )  # fmt: skip
    fact_changes.put_parts(conn, fact_id, new.parts)
    fact_changes.put_tags(conn, fact_id, new.tags)
    (now,) = fact_rows.load(conn, (fact_id,))
    fact_rows.index(conn, now)


def find(conn: sqlite3.Connection, uid: str) -> int | None:
    """Return the row id of the fact of a uid, None when it is not here."""
    row = conn.execute(_BY_UID, (uid,)).fetchone()
    return None if row is None else int(row[0])


def add_evidence(conn: sqlite3.Connection, fact_id: int, evidence: Iterable[Evidence]) -> None:
    """Let a fact rest on what it rests on there; the same words may have been said in several sessions."""
    conn.executemany(_ADD_EVIDENCE, [(fact_id, one.session or None, one.quote, one.at) for one in evidence])


def add_history(conn: sqlite3.Connection, fact_id: int, lines: Iterable[Change]) -> None:
    """Write lines of history that a fact has elsewhere; `other` is the uid of a fact here."""
    known = Counter(conn.execute(_LINES, (fact_id,)))
    for one in lines:
        line = (one.at, one.action, one.reason, one.old_title, one.old_body)
        if known[line]:
            known[line] -= 1
        else:
            conn.execute(_ADD_LINE, (fact_id, *line, one.other))


def succeed(conn: sqlite3.Connection, fact_id: int, uid: str) -> None:
    """Let a fact that was replaced know by which one, if that is here."""
    conn.execute(_SUCCEED, (fact_id, uid))


def dispute(conn: sqlite3.Connection, found: fact_marks.Contradiction) -> None:
    """Keep that two facts cannot both hold, and what was decided; what is known of the two here stays."""
    one, other, verdict = found.one, found.other, found.verdict
    if one > other:
        one, other, verdict = other, one, fact_marks.swapped(verdict)
    conn.execute(_DISPUTE, (one, other, found.reason, found.found_at, verdict, found.why))


def mark_learnt(conn: sqlite3.Connection, fact_id: int) -> None:
    """Note that a fact was learnt from sessions elsewhere: it gives way as what sessions say does."""
    conn.execute(_LEARNT, (True, fact_id))


def made_by_hand(conn: sqlite3.Connection, fact_id: int) -> None:
    """Note that somebody here made a fact theirs."""
    conn.execute(_LEARNT, (False, fact_id))


def by_hand(conn: sqlite3.Connection, fact_id: int) -> bool:
    """Return whether a person made a fact, or made it theirs, here or where it was taken over from."""
    return bool(conn.execute(_BY_HAND, (fact_id,)).fetchone()[0])
