"""Facts: looked up and listed. How they change is in `fact_changes`, offered here under the same roof."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from memd.errors import BadParameter, NotFound
from memd.model import Fact, FactKind, FactStatus
from memd.store.fact_changes import (
    Change,
    NewFact,
    add,
    add_evidence,
    history,
    mark_used,
    mark_verified,
    restore,
    retract,
    supersede,
    update,
)
from memd.store.fact_rows import COLUMNS, JOINS, facts_of, load
from memd.store.uid import LISTED_CHARS
from memd.store.validity import held

__all__ = [
    "Change", "Connection", "FactFilter", "NewFact", "add", "add_evidence", "by_slot", "find", "get", "history",
    "known", "list_facts", "load", "mark_used", "mark_verified", "replaced_by", "restore", "retract", "supersede",
    "titles", "update",
]  # fmt: skip

Connection = sqlite3.Connection
"""What the functions of the store take first, for rooms that do not know SQLite."""

_SELECT: Final = f"SELECT {COLUMNS} FROM facts f {JOINS}"  # noqa: S608 - constant columns
_IN_SCOPE: Final = "((?1 IS NULL OR f.project_id = ?1) OR (?2 AND f.project_id IS NULL))"
_LIST: Final = f"""
    {_SELECT} WHERE {_IN_SCOPE} AND (?3 IS NULL OR f.kind IN (SELECT value FROM json_each(?3)))
        AND (?4 IS NULL OR f.status = ?4) AND (?5 IS NULL OR f.session_id = ?5)
        AND (?6 IS NULL OR {held("f", "?6")})
        AND (?7 IS NULL OR EXISTS (SELECT 1 FROM fact_tags t WHERE t.fact_id = f.id AND t.tag = ?7))
        AND (?11 IS NULL OR f.topic = ?11) AND (?12 IS NULL OR f.author = ?12) AND (?13 IS NULL OR f.domain = ?13)
        AND (?14 IS NULL OR f.epistemic = ?14)
        AND NOT EXISTS (SELECT 1 FROM json_each(?15) AS asked
            WHERE json_extract(f.metadata, '$."' || asked.key || '"') IS NOT asked.value)
    ORDER BY f.confidence < ?8, f.valid_from DESC, f.id DESC LIMIT ?9 OFFSET ?10
"""  # noqa: S608 - constant parts
_KNOWN: Final = f"""
    {_SELECT} WHERE f.status = 'current' AND (f.project_id = ?1 OR f.project_id IS NULL) ORDER BY f.valid_from, f.id
"""
_BY_SLOT: Final = f"""
    {_SELECT} WHERE f.status = 'current' AND f.slot = ?2 AND f.project_id IS ?1 ORDER BY f.valid_from DESC, f.id DESC
"""
_BY_NAME: Final = f"""
    {_SELECT} WHERE length(?1) >= 4 AND (substr(f.uid, 1, length(?1)) = ?1 OR substr(f.uid, -length(?1)) = ?1
        OR substr(f.uid, -{LISTED_CHARS}, length(?1)) = ?1)
    ORDER BY f.id LIMIT 9
"""
_TITLES: Final = "SELECT uid, title FROM facts WHERE uid IN (SELECT value FROM json_each(?))"
_REPLACED_BY: Final = f"{_SELECT} WHERE f.superseded_by = ? ORDER BY f.valid_from, f.id"


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts to list; None means any. `as_of` gives what held at a time; without it `status` decides."""

    project_id: int | None = None
    everywhere: bool = True
    """Whether facts that hold in every project are listed with a project's own."""
    kinds: tuple[FactKind, ...] | None = None
    status: FactStatus | None = "current"
    session_id: int | None = None
    """Row id of the session they were learnt in."""
    as_of: int | None = None
    tag: str | None = None
    sure: float = 0.0
    """Those of at least this confidence are listed before the others."""
    topic: str | None = None
    author: str | None = None
    domain: str | None = None
    epistemic: str | None = None
    where: tuple[tuple[str, object], ...] = ()
    """Values that the caller's metadata has to have, by name."""


def get(conn: sqlite3.Connection, fact_id: int) -> Fact:
    """Return the fact of a row id. Raises NotFound."""
    found = load(conn, (fact_id,))
    if not found:
        raise NotFound("fact", str(fact_id))
    return found[0]


def find(conn: sqlite3.Connection, name: str) -> Fact:
    """Return the fact a person means: by its uid, or how that or what lists show of it begins or ends.

    It takes 4 characters or more.

    Raises NotFound, or BadParameter when several fit.
    """
    found = facts_of(conn, conn.execute(_BY_NAME, (name,)).fetchall())
    if not found:
        raise NotFound("fact", name)
    if len(found) > 1:
        shown = ", ".join(f"{fact.uid} ({fact.title})" for fact in found[:8])
        raise BadParameter("fact", f"{name!r} could be any of {shown}; say more of the id")
    return found[0]


def list_facts(conn: sqlite3.Connection, chosen: FactFilter, limit: int = 100, offset: int = 0) -> tuple[Fact, ...]:
    """Return facts, those said last first."""
    kinds = None if chosen.kinds is None else orjson.dumps(chosen.kinds).decode()
    status = chosen.status if chosen.as_of is None else None
    values = (
        chosen.project_id, chosen.everywhere, kinds, status, chosen.session_id, chosen.as_of, chosen.tag, chosen.sure,
        limit, offset, chosen.topic, chosen.author, chosen.domain, chosen.epistemic,
        orjson.dumps(dict(chosen.where)).decode(),
    )  # fmt: skip
    return facts_of(conn, conn.execute(_LIST, values).fetchall())


def known(conn: sqlite3.Connection, project_id: int | None) -> tuple[Fact, ...]:
    """Return the current facts of a project and those that hold everywhere, oldest first."""
    return facts_of(conn, conn.execute(_KNOWN, (project_id,)).fetchall())


def by_slot(conn: sqlite3.Connection, project_id: int | None, slot: str) -> Fact | None:
    """Return the current value of a slot in a project (None: everywhere), None when it has none."""
    found = facts_of(conn, conn.execute(_BY_SLOT, (project_id, slot)).fetchall())
    return found[0] if found else None


def replaced_by(conn: sqlite3.Connection, fact_id: int) -> tuple[Fact, ...]:
    """Return the facts that a fact replaced, oldest first."""
    return facts_of(conn, conn.execute(_REPLACED_BY, (fact_id,)).fetchall())


def summary_topic(session_uid: str) -> str:
    """Return the topic of the fact in which somebody summed a session up."""
    return f"session/{session_uid}/summary"


def titles(conn: sqlite3.Connection, uids: Iterable[str]) -> dict[str, str]:
    """Return the titles of facts by uid."""
    return dict(conn.execute(_TITLES, (orjson.dumps(list(uids)).decode(),)).fetchall())
