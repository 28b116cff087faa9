"""Fact rows: facts as the tables hold them, and the text they are found by."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Final

import orjson

from memd.model import Doubt, Evidence, Fact, FactPart, Project
from memd.text.tokens import prepare

COLUMNS: Final = (
    "f.id, f.uid, p.id, p.uid, p.root, p.name, f.kind, f.title, f.body, f.status, f.confidence, f.valid_from,"
    " f.created_at, f.updated_at, f.slot, f.topic, f.epistemic, f.origin, f.author, f.evergreen, f.valid_to, b.uid,"
    " s.uid, f.uses, f.last_used_at, f.verified_at, f.revision, f.repeats, f.last_seen_at, f.basis, f.visibility,"
    " f.domain, f.metadata, f.helpful, f.unhelpful, f.promoted_at, f.ruling"
)
JOINS: Final = (
    "LEFT JOIN projects p ON p.id = f.project_id LEFT JOIN facts b ON b.id = f.superseded_by"
    " LEFT JOIN sessions s ON s.id = f.session_id"
)
_BY_IDS: Final = f"""
    SELECT {COLUMNS} FROM json_each(?) AS asked JOIN facts f ON f.id = asked.value {JOINS} ORDER BY asked.key
"""  # noqa: S608 - constant columns
_PARTS: Final = """
    SELECT r.fact_id, r.name, r.text FROM json_each(?) AS asked JOIN fact_parts r ON r.fact_id = asked.value
    ORDER BY r.fact_id, r.ord
"""
_TAGS: Final = """
    SELECT t.fact_id, t.tag FROM json_each(?) AS asked JOIN fact_tags t ON t.fact_id = asked.value
    ORDER BY t.fact_id, t.tag
"""
_EVIDENCE: Final = """
    SELECT e.fact_id, e.message_id, e.session_id, e.quote, e.at
    FROM json_each(?) AS asked JOIN evidence e ON e.fact_id = asked.value
    GROUP BY e.fact_id, e.message_id, e.session_id, e.quote, iif(e.session_id IS NULL, e.at, NULL)
    ORDER BY e.fact_id, e.at, min(e.id)
"""
_DOUBTS: Final = """
    SELECT y.fact_id, y.name, y.change, y.detail, y.at, s.uid
    FROM json_each(?) AS asked JOIN stale_facts y ON y.fact_id = asked.value LEFT JOIN sessions s ON s.id = y.session_id
    ORDER BY y.fact_id, y.at DESC, y.name
"""
_INDEX: Final = "INSERT INTO facts_fts (rowid, title, body) VALUES (?, ?, ?)"
_UNINDEX: Final = """
    INSERT INTO facts_fts (facts_fts, rowid, title, body)
    SELECT 'delete', ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM facts_fts_docsize WHERE id = ?1)
"""


def load(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[Fact, ...]:
    """Return the facts of row ids, in that order, whole; those that do not exist are left out."""
    return facts_of(conn, conn.execute(_BY_IDS, (_json(ids),)).fetchall())


def facts_of(conn: sqlite3.Connection, rows: list[tuple[object, ...]]) -> tuple[Fact, ...]:
    """Return the facts of rows selected by `COLUMNS` and `JOINS`, with what belongs to them."""
    asked = _json(row[0] for row in rows)
    parts: dict[int, list[FactPart]] = {}
    tags: dict[int, list[str]] = {}
    evidence: dict[int, list[Evidence]] = {}
    for fact, name, text in conn.execute(_PARTS, (asked,)):
        parts.setdefault(fact, []).append(FactPart(name, text))
    for fact, tag in conn.execute(_TAGS, (asked,)):
        tags.setdefault(fact, []).append(tag)
    for fact, message, session, quote, at in conn.execute(_EVIDENCE, (asked,)):
        evidence.setdefault(fact, []).append(Evidence(message or 0, session or 0, quote, at))
    doubts: dict[int, list[Doubt]] = {}
    for fact, *doubt in conn.execute(_DOUBTS, (asked,)):
        doubts.setdefault(fact, []).append(Doubt(*doubt))
    return tuple(_fact(row, parts, evidence, tags, doubts) for row in rows)


def index(conn: sqlite3.Connection, fact: Fact) -> None:
    """Let a fact be found."""
    conn.execute(_INDEX, (fact.id, *indexed(fact.title, fact.body, fact.parts, fact.tags)))


def unindex(conn: sqlite3.Connection, fact: Fact) -> None:
    """Let a fact be found no more; `fact` is as it was when it was indexed."""
    conn.execute(_UNINDEX, (fact.id, *indexed(fact.title, fact.body, fact.parts, fact.tags)))


def indexed(title: str, body: str, parts: tuple[FactPart, ...], tags: tuple[str, ...]) -> tuple[str, str]:
    """Return what the index holds for a fact: its title, and all its other words."""
    said = [part.text for part in parts if part.text not in body]
    return prepare(title), prepare("\n".join((body, *said, *tags)))


def _fact(
    row: tuple[object, ...],
    parts: dict[int, list[FactPart]],
    evidence: dict[int, list[Evidence]],
    tags: dict[int, list[str]],
    doubts: dict[int, list[Doubt]],
) -> Fact:
    (
        fact, uid, project_id, project_uid, root, name, kind, title, body, status, confidence, valid_from, created_at,
        updated_at, slot, topic, epistemic, origin, author, evergreen, valid_to, superseded_by, session, uses,
        last_used_at, verified_at, revision, repeats, last_seen_at, basis, visibility, domain, metadata, helpful,
        unhelpful, promoted_at, ruling,
    ) = row  # fmt: skip
    project = None if project_id is None else Project(project_id, project_uid, root, name)  # type: ignore[arg-type]
    return Fact(
        fact, uid, project, kind, title, body, status, confidence, valid_from, created_at, updated_at,  # type: ignore[arg-type]
        parts=tuple(parts.get(fact, ())), evidence=tuple(evidence.get(fact, ())), tags=tuple(tags.get(fact, ())),  # type: ignore[call-overload]
        slot=slot, topic=topic, epistemic=epistemic, origin=origin, author=author, evergreen=bool(evergreen),  # type: ignore[arg-type]
        valid_to=valid_to, superseded_by=superseded_by, session=session, uses=uses, last_used_at=last_used_at,  # type: ignore[arg-type]
        verified_at=verified_at, revision=revision, repeats=repeats, last_seen_at=last_seen_at, basis=basis,  # type: ignore[arg-type]
        visibility=visibility, domain=domain, metadata=metadata, helpful=helpful, unhelpful=unhelpful,  # type: ignore[arg-type]
        promoted_at=promoted_at, ruling=ruling, doubts=tuple(doubts.get(fact, ())),  # type: ignore[arg-type,call-overload]
    )  # fmt: skip


def _json(ids: Iterable[object]) -> str:
    return orjson.dumps(list(ids)).decode()
