"""Facts: looked up and listed. How they change is in `fact_changes` and `judged`, offered here under the same roof."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import orjson

from memd.errors import BadParameter, NotFound
from memd.model import Candidate, Fact, FactKind, FactStatus
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
from memd.store.judged import Applied, apply
from memd.store.uid import LISTED_CHARS
from memd.text.tokens import terms

__all__ = [
    "Applied", "Change", "Connection", "FactFilter", "NewFact", "add", "add_evidence", "alike", "apply", "by_slot",
    "find", "get", "history", "known", "list_facts", "load", "mark_used", "mark_verified", "restore", "retract",
    "supersede", "update",
]  # fmt: skip

Connection = sqlite3.Connection
"""What the functions of the store take first, for rooms that do not know SQLite."""

_SELECT: Final = f"SELECT {COLUMNS} FROM facts f {JOINS}"  # noqa: S608 - constant columns
_IN_SCOPE: Final = "((?1 IS NULL OR f.project_id = ?1) OR (?2 AND f.project_id IS NULL))"
_LIST: Final = f"""
    {_SELECT} WHERE {_IN_SCOPE} AND (?3 IS NULL OR f.kind IN (SELECT value FROM json_each(?3)))
        AND (?4 IS NULL OR f.status = ?4) AND (?5 IS NULL OR f.session_id = ?5)
        AND (?6 IS NULL OR (f.valid_from <= ?6 AND (f.valid_to IS NULL OR f.valid_to > ?6)))
        AND (?7 IS NULL OR EXISTS (SELECT 1 FROM fact_tags t WHERE t.fact_id = f.id AND t.tag = ?7))
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
_OF_SLOTS: Final = """
    SELECT id FROM facts WHERE slot IN (SELECT value FROM json_each(?2)) AND status != 'retracted'
        AND (project_id = ?1 OR project_id IS NULL)
"""
_OF_WORDS: Final = """
    SELECT f.id FROM facts_fts JOIN facts f ON f.id = facts_fts.rowid
    WHERE facts_fts MATCH ?2 AND f.status != 'retracted' AND (f.project_id = ?1 OR f.project_id IS NULL)
    ORDER BY facts_fts.rank LIMIT ?3
"""

_ALIKE_PER_CANDIDATE: Final = 20
_WORDS_ASKED: Final = 24


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
        limit, offset,
    )  # fmt: skip
    return facts_of(conn, conn.execute(_LIST, values).fetchall())


def known(conn: sqlite3.Connection, project_id: int | None) -> tuple[Fact, ...]:
    """Return the current facts of a project and those that hold everywhere, oldest first."""
    return facts_of(conn, conn.execute(_KNOWN, (project_id,)).fetchall())


def by_slot(conn: sqlite3.Connection, project_id: int | None, slot: str) -> Fact | None:
    """Return the current value of a slot in a project (None: everywhere), None when it has none."""
    found = facts_of(conn, conn.execute(_BY_SLOT, (project_id, slot)).fetchall())
    return found[0] if found else None


def alike(conn: sqlite3.Connection, project_id: int | None, candidates: Sequence[Candidate]) -> tuple[Fact, ...]:
    """Return the facts that candidates may repeat, contradict or follow, for the judge: current and superseded ones.

    Those of the same slots, and of each candidate the 20 nearest by words, in the project and everywhere, oldest first.
    """
    slots = orjson.dumps([candidate.slot for candidate in candidates if candidate.slot is not None]).decode()
    ids = {fact for (fact,) in conn.execute(_OF_SLOTS, (project_id, slots))}
    for candidate in candidates:
        match = _any_of(terms(f"{candidate.title}\n{candidate.body}"))
        if match:
            rows = conn.execute(_OF_WORDS, (project_id, match, _ALIKE_PER_CANDIDATE))
            ids.update(fact for (fact,) in rows)
    return tuple(sorted(load(conn, ids), key=lambda fact: (fact.valid_from, fact.id)))


def _any_of(words: Iterable[str]) -> str:
    """Return the MATCH expression for texts with any of the words, the longest ones if there are many."""
    telling = sorted(words, key=len, reverse=True)[:_WORDS_ASKED]
    return " OR ".join(f'"{word}"' for word in telling)
