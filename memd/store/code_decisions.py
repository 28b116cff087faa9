"""Code decisions: the facts that comments in the code became. `imports` keeps which comment is which fact."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

from memd.model import FactPart, FactStatus, Ruling
from memd.store import edges, fact_rows, imports

ORIGIN: Final = "code"
"""The origin of these facts; what says its own is given to nobody who did not ask."""
EDGES: Final = "tree-sitter"
"""The origin of their relations to the code."""
_SYSTEM: Final = "code"
_BUILDS_ON: Final = "builds_on"

_KEPT: Final = """
    SELECT i.key, f.id, f.status, f.ruling, f.body, f.metadata FROM imports i
    LEFT JOIN facts f ON f.uid = i.fact_uid AND f.project_id = ?2
    WHERE i.system = ?1 AND i.key >= ?3 AND i.key < ?4
"""
_CURRENT: Final = """
    SELECT id FROM facts WHERE project_id = ? AND kind = 'decision' AND status = 'current' AND origin = ?
        AND ruling IS NULL
"""
_PLACE: Final = "UPDATE facts SET body = ?, metadata = ?, updated_at = ? WHERE id = ?"
_FORGET_PARTS: Final = "DELETE FROM fact_parts WHERE fact_id = ?"
_ADD_PART: Final = "INSERT INTO fact_parts (fact_id, ord, name, text) VALUES (?, ?, ?, ?)"
_FORGET_EVIDENCE: Final = "DELETE FROM evidence WHERE fact_id = ?"
_ADD_EVIDENCE: Final = "INSERT INTO evidence (fact_id, quote, at) VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept of a comment: the fact (row id) it became, None where somebody had that deleted."""

    fact: int | None
    status: FactStatus | None
    ruling: Ruling | None
    body: str
    metadata: str


@dataclass(frozen=True, slots=True)
class Placed:
    """What a fact says of where it stands: its body, places (`path:line`), quotes, and the nodes it builds on."""

    body: str
    places: tuple[str, ...]
    quotes: tuple[str, ...]
    nodes: tuple[str, ...]
    metadata: str


def kept(conn: sqlite3.Connection, project: int) -> dict[str, Kept]:
    """Return what is kept of a project's comments, by their keys."""
    start = f"{project}/"
    rows = conn.execute(_KEPT, (_SYSTEM, project, start, f"{project}0"))  # "0" comes right after "/"
    return {key.removeprefix(start): Kept(*rest) for key, *rest in rows}


def current(conn: sqlite3.Connection, project: int) -> frozenset[int]:
    """Return the facts (row ids) of a project that comments became, that hold and that nobody ruled on."""
    return frozenset(fact for (fact,) in conn.execute(_CURRENT, (project, ORIGIN)))


def note(conn: sqlite3.Connection, project: int, key: str, fact_uid: str, now_ms: int) -> None:
    """Keep which fact a comment became."""
    imports.put(conn, _SYSTEM, f"{project}/{key}", imports.Taken(key, fact_uid), now_ms)


def place(conn: sqlite3.Connection, project: int, fact_id: int, placed: Placed, now_ms: int) -> None:
    """Let a fact say where it stands now. That is no change of what it says: no line of history tells of it."""
    (old,) = fact_rows.load(conn, (fact_id,))
    fact_rows.unindex(conn, old)
    conn.execute(_PLACE, (placed.body, placed.metadata, now_ms, fact_id))
    conn.execute(_FORGET_PARTS, (fact_id,))
    conn.executemany(
        _ADD_PART, [(fact_id, at, part.name, part.text) for at, part in enumerate(parts_of(placed.places))]
    )
    conn.execute(_FORGET_EVIDENCE, (fact_id,))
    conn.executemany(_ADD_EVIDENCE, [(fact_id, quote, now_ms) for quote in placed.quotes])
    (new,) = fact_rows.load(conn, (fact_id,))
    fact_rows.index(conn, new)
    relate(conn, project, fact_id, new.uid, placed.nodes, now_ms)


def relate(
    conn: sqlite3.Connection, project: int, fact_id: int, fact_uid: str, nodes: tuple[str, ...], now_ms: int
) -> None:
    """Let a fact build on just these nodes of the code from now on."""
    source = f"fact:{fact_uid}"
    held = {dst for _, _, dst, _, until in edges.of_fact(conn, fact_id, EDGES) if until is None}
    for node in held.difference(nodes):
        edge = edges.current(conn, source, _BUILDS_ON, node, fact_id)
        if edge is not None:
            edges.end(conn, edge, now_ms, "no longer stands there")
    for node in nodes:
        if node not in held:
            new = edges.NewEdge(source, _BUILDS_ON, node, EDGES, fact_id=fact_id, project_id=project)
            edges.link(conn, new, now_ms)


def parts_of(places: tuple[str, ...]) -> tuple[FactPart, ...]:
    """Return where something stands, as parts of a fact."""
    return tuple(FactPart("where", place) for place in places)
