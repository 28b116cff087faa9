"""Edges: relations between nodes, each with the time it holds and where it comes from."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import orjson

from memd.store.uid import uuid7
from memd.store.validity import edge_then, held

Direction: TypeAlias = Literal["out", "in", "both"]
Status: TypeAlias = Literal["current", "superseded", "all"]

_ANYONE: Final = -1
_COLUMNS: Final = (
    "e.id, e.uid, e.src, e.rel, e.dst, e.strength, e.confidence, e.origin, e.valid_from, e.valid_to, f.uid, e.quote,"
    " e.extractor, b.uid, p.root"
)
_FROM: Final = (
    "FROM edges e LEFT JOIN facts f ON f.id = e.fact_id LEFT JOIN edges b ON b.id = e.superseded_by"
    " LEFT JOIN projects p ON p.id = e.project_id"
)
_CURRENT: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.src = ?1 AND e.rel = ?2 AND e.dst = ?3 AND e.valid_to IS NULL
        AND (?4 = -1 OR e.fact_id IS ?4) ORDER BY e.fact_id IS NOT NULL, e.id LIMIT 1
"""
_KNOWN: Final = """
    SELECT id FROM edges WHERE src = ? AND rel = ? AND dst = ? AND ifnull(fact_id, 0) = ifnull(?, 0)
        AND valid_to IS NULL
"""
_UIDS: Final = "SELECT e.uid FROM json_each(?) AS asked JOIN edges e ON e.id = asked.value ORDER BY asked.key"
_BY_ID: Final = f"SELECT {_COLUMNS} {_FROM} WHERE e.id = ?"
_INSERT: Final = """
    INSERT INTO edges (uid, project_id, src, rel, dst, strength, confidence, origin, extractor, quote, fact_id,
        valid_from, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
"""
_STRONGER: Final = "UPDATE edges SET strength = ?, confidence = max(confidence, ?) WHERE id = ?"
_END: Final = "UPDATE edges SET valid_to = max(?, valid_from), reason = ?, superseded_by = ? WHERE id = ?"
_DELETE: Final = "DELETE FROM edges WHERE id = ?"
_DELETE_ORIGIN: Final = "DELETE FROM edges WHERE origin = ?1 AND (?2 IS NULL OR project_id = ?2)"
_DELETE_OF_FACT: Final = "DELETE FROM edges WHERE fact_id = ? AND origin = ?"
_REVIVE: Final = """
    UPDATE OR IGNORE edges SET valid_to = NULL, superseded_by = NULL, reason = NULL
    WHERE superseded_by IN (SELECT id FROM edges WHERE fact_id = ?1 AND origin = ?2)
"""
_TIED: Final = f"""
    SELECT {_COLUMNS} {_FROM}
    WHERE e.id IN (SELECT id FROM edges WHERE src = ?1 UNION SELECT id FROM edges WHERE dst = ?1)
        AND e.origin = ?2 AND e.valid_to IS NULL ORDER BY e.id
"""  # noqa: S608 - constant columns
_SPAN_OF_FACT: Final = """
    UPDATE OR IGNORE edges SET valid_from = ?3, valid_to = ?4
    WHERE fact_id = ?1 AND origin = ?2 AND (valid_from, ifnull(valid_to, 0)) != (?3, ifnull(?4, 0))
"""
_OF_FACT: Final = "SELECT src, rel, dst, valid_from, valid_to FROM edges WHERE fact_id = ? AND origin = ? ORDER BY id"
MATCHING: Final = f"""
    WHERE (?1 IS NULL OR (?2 != 'in' AND e.src = ?1) OR (?2 != 'out' AND e.dst = ?1))
        AND (?3 IS NULL OR e.rel = ?3) AND (?4 IS NULL OR e.origin = ?4)
        AND (?5 IS NULL OR e.project_id = ?5 OR e.project_id IS NULL)
        AND CASE WHEN ?6 IS NOT NULL THEN {held("e", "?6")}
            WHEN ?7 = 'current' THEN e.valid_to IS NULL WHEN ?7 = 'superseded' THEN e.valid_to IS NOT NULL ELSE 1 END
"""
# What is shown of an edge is read of those of the page alone.
_LIST: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.id IN (
        SELECT e.id FROM edges e {MATCHING} ORDER BY e.valid_from DESC, e.id DESC LIMIT ?8 OFFSET ?9
    ) ORDER BY e.valid_from DESC, e.id DESC
"""  # noqa: S608 - constant parts
_COUNT: Final = f"SELECT count(*) FROM edges e {MATCHING}"  # noqa: S608 - constant parts
_BY_IDS: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.id IN (SELECT value FROM json_each(?)) ORDER BY e.id
"""  # noqa: S608 - constant columns
_OTHERS: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.src = ? AND e.rel = ? AND e.dst != ? AND e.valid_to IS NULL AND e.origin = ?
"""
_HOLDING: Final = edge_then("", "?1")
_RELATIONS: Final = f"SELECT rel, count(*) FROM edges WHERE {_HOLDING} GROUP BY rel ORDER BY rel"  # noqa: S608 - constant parts
_ORIGINS: Final = f"SELECT origin, count(*) FROM edges WHERE {_HOLDING} GROUP BY origin ORDER BY origin"  # noqa: S608 - constant parts
_OLD: Final = """
    SELECT id FROM (SELECT id, row_number() OVER (PARTITION BY src, rel ORDER BY valid_to DESC, id DESC) AS place
        FROM edges WHERE valid_to IS NOT NULL) WHERE place > ?
"""
_NAMED_BY: Final = """
    SELECT src FROM edges WHERE fact_id = ?1 UNION SELECT dst FROM edges WHERE fact_id = ?1
    UNION SELECT src FROM edges WHERE dst = ?2 UNION SELECT dst FROM edges WHERE src = ?2
"""
_DEGREE: Final = "SELECT count(*) FROM edges WHERE (src = ?1 OR dst = ?1) AND valid_to IS NULL"
_REPOINT: Final = (
    "UPDATE OR IGNORE edges SET src = ?2 WHERE src = ?1 AND dst != ?2",
    "UPDATE OR IGNORE edges SET dst = ?2 WHERE dst = ?1 AND src != ?2",
)


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation of two nodes. `fact` and `superseded_by` are uids, `root` is its project's."""

    id: int
    uid: str
    src: str
    rel: str
    dst: str
    strength: float
    confidence: float
    origin: str
    valid_from: int
    valid_to: int | None
    fact: str | None
    quote: str | None
    extractor: str | None
    superseded_by: str | None
    root: str | None


@dataclass(frozen=True, slots=True)
class NewEdge:
    """A relation to be kept. `fact_id`: row id of the fact that says so."""

    src: str
    rel: str
    dst: str
    origin: str
    strength: float = 0.5
    confidence: float = 1.0
    extractor: str | None = None
    quote: str | None = None
    fact_id: int | None = None
    project_id: int | None = None
    valid_from: int | None = None


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """Which edges; None means any. `as_of` gives those that held at a time, else `status` decides."""

    node: str | None = None
    direction: Direction = "both"
    rel: str | None = None
    origin: str | None = None
    project_id: int | None = None
    as_of: int | None = None
    status: Status = "current"

    @property
    def values(self) -> tuple[object, ...]:
        """The values of a query, in order."""
        return self.node, self.direction, self.rel, self.origin, self.project_id, self.as_of, self.status


def link(conn: sqlite3.Connection, new: NewEdge, now_ms: int) -> tuple[Edge, bool]:
    """Return the edge that holds between two nodes, made now if there is none, and whether it was."""
    edge, is_new = keep(conn, new, now_ms)
    return get(conn, edge), is_new


def keep(conn: sqlite3.Connection, new: NewEdge, now_ms: int) -> tuple[int, bool]:
    """Do as `link`, and return the row id of the edge."""
    known = conn.execute(_KNOWN, (new.src, new.rel, new.dst, new.fact_id)).fetchone()
    if known is not None:
        conn.execute(_STRONGER, (new.strength, new.confidence, known[0]))
        return int(known[0]), False
    row = conn.execute(
        _INSERT,
        (
            uuid7(now_ms), new.project_id, new.src, new.rel, new.dst, new.strength, new.confidence, new.origin,
            new.extractor, new.quote, new.fact_id, now_ms if new.valid_from is None else new.valid_from, now_ms,
        ),
    ).fetchone()  # fmt: skip
    return int(row[0]), True


def uids(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[str, ...]:
    """Return the uids of edges of row ids, in that order."""
    return tuple(uid for (uid,) in conn.execute(_UIDS, (orjson.dumps(list(ids)).decode(),)))


def current(conn: sqlite3.Connection, src: str, rel: str, dst: str, fact_id: int | None = _ANYONE) -> Edge | None:
    """Return the edge that holds between two nodes, None when none does; a person's before that of a fact.

    `fact_id`: only the one that this fact says (None: that a person made).
    """
    row = conn.execute(_CURRENT, (src, rel, dst, fact_id)).fetchone()
    return None if row is None else Edge(*row)


def get(conn: sqlite3.Connection, edge_id: int) -> Edge:
    """Return the edge of a row id."""
    return Edge(*conn.execute(_BY_ID, (edge_id,)).fetchone())


def end(conn: sqlite3.Connection, edge: Edge, at: int, reason: str, by: int | None = None) -> Edge:
    """Let an edge hold only until a time; `by`: row id of the edge that holds instead."""
    conn.execute(_END, (at, reason, by, edge.id))
    return get(conn, edge.id)


def others(conn: sqlite3.Connection, edge: Edge) -> tuple[Edge, ...]:
    """Return the edges that hold from the same node by the same relation to another one, of the same origin."""
    return tuple(Edge(*row) for row in conn.execute(_OTHERS, (edge.src, edge.rel, edge.dst, edge.origin)))


def delete(conn: sqlite3.Connection, edge: Edge) -> None:
    """Remove an edge without a trace."""
    conn.execute(_DELETE, (edge.id,))


def delete_origin(conn: sqlite3.Connection, origin: str, project_id: int | None) -> int:
    """Remove all edges of an origin, in one project or all; return how many."""
    return conn.execute(_DELETE_ORIGIN, (origin, project_id)).rowcount


def delete_of_fact(conn: sqlite3.Connection, fact_id: int, origin: str) -> int:
    """Remove the edges that a fact brought; what they had taken the place of holds again. Return how many."""
    conn.execute(_REVIVE, (fact_id, origin))
    return conn.execute(_DELETE_OF_FACT, (fact_id, origin)).rowcount


def set_span(conn: sqlite3.Connection, fact_id: int, origin: str, since: int, until: int | None) -> None:
    """Let the edges of an origin that a fact brought hold as long as the fact; one that another says stays ended."""
    conn.execute(_SPAN_OF_FACT, (fact_id, origin, since, until))


def of_fact(conn: sqlite3.Connection, fact_id: int, origin: str) -> list[tuple[str, str, str, int, int | None]]:
    """Return the edges that a fact brought: source, relation, target, since and until when."""
    return conn.execute(_OF_FACT, (fact_id, origin)).fetchall()


def named_by(conn: sqlite3.Connection, fact_id: int, uid: str) -> tuple[str, ...]:
    """Return the nodes of all relations that a fact tells of or takes part in."""
    return tuple(node for (node,) in conn.execute(_NAMED_BY, (fact_id, f"fact:{uid}")))


def tied(conn: sqlite3.Connection, node: str, origin: str) -> tuple[Edge, ...]:
    """Return the edges of an origin that hold from or to a node."""
    return tuple(Edge(*row) for row in conn.execute(_TIED, (node, origin)))


def list_edges(
    conn: sqlite3.Connection, chosen: EdgeFilter, limit: int, offset: int = 0
) -> tuple[tuple[Edge, ...], int]:
    """Return edges, the newest first, and how many there are in all."""
    found = tuple(Edge(*row) for row in conn.execute(_LIST, (*chosen.values, limit, offset)))
    return found, int(conn.execute(_COUNT, chosen.values).fetchone()[0])


def by_ids(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[Edge, ...]:
    """Return the edges of row ids."""
    return tuple(Edge(*row) for row in conn.execute(_BY_IDS, (orjson.dumps(list(ids)).decode(),)))


def relations(conn: sqlite3.Connection, as_of: int | None = None) -> dict[str, int]:
    """Return how many edges of each relation hold, or held at a time."""
    return dict(conn.execute(_RELATIONS, (as_of,)))


def origins(conn: sqlite3.Connection, as_of: int | None = None) -> dict[str, int]:
    """Return how many edges of each origin hold, or held at a time."""
    return dict(conn.execute(_ORIGINS, (as_of,)))


def old(conn: sqlite3.Connection, keep: int) -> tuple[int, ...]:
    """Return the ended edges beyond the newest so many of each source and relation."""
    return tuple(edge for (edge,) in conn.execute(_OLD, (keep,)))


def drop(conn: sqlite3.Connection, ids: Iterable[int]) -> None:
    """Remove edges of row ids."""
    conn.executemany(_DELETE, [(edge,) for edge in ids])


def degree(conn: sqlite3.Connection, node: str) -> int:
    """Return how many edges of a node hold."""
    return int(conn.execute(_DEGREE, (node,)).fetchone()[0])


def repoint(conn: sqlite3.Connection, old_node: str, new_node: str) -> None:
    """Let what relates to one node relate to another; what related the two to each other, or is there already, goes."""
    for statement in _REPOINT:
        conn.execute(statement, (old_node, new_node))
