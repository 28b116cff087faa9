"""Fact edges: what a fact belongs to and what its topic is, told as edges of the graph.

Both are columns of the fact, and are read from there: a second copy as rows would have to follow every change of them.
So that they can be told from rows their ids are below zero. The nodes are `project:UID` and `topic:WORDS`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import orjson

from memd.store import edges
from memd.store.edges import Edge, EdgeFilter
from memd.store.validity import fact_then, held

ORIGIN: Final = "column"
PROJECT: Final = "project:"
TOPIC: Final = "topic:"
BELONGS_TO: Final = "part_of"
HAS_TOPIC: Final = "has_topic"
RELATIONS: Final = frozenset((BELONGS_TO, HAS_TOPIC))

_STEP: Final = """
    SELECT {id}, 'fact:' || f.uid, {node} FROM {there}
    WHERE {has} AND {of} AND (?3 IS NULL OR f.project_id = ?3 OR f.project_id IS NULL) AND {then}
    ORDER BY f.id
"""
_SHOWN: Final = """
    SELECT {id}, f.uid || '{uid}', 'fact:' || f.uid, '{relation}', {node}, 1.0, 1.0, 'column', f.valid_from,
        f.valid_to, f.uid, NULL, NULL, NULL, p.root
    FROM {there} WHERE {has} AND f.id IN (SELECT value FROM json_each(?))
"""
_MATCHING: Final = """
    SELECT {id} AS id, f.valid_from AS since FROM facts f
    WHERE {has} AND (?3 IS NULL OR ?3 = '{relation}') AND (?4 IS NULL OR ?4 = 'column')
        AND (?1 IS NULL OR (?2 != 'in' AND {out}) OR (?2 != 'out' AND {into}))
        AND (?5 IS NULL OR f.project_id = ?5 OR f.project_id IS NULL)
        AND CASE WHEN ?6 IS NOT NULL THEN {held}
            WHEN ?7 = 'current' THEN f.status = 'current' WHEN ?7 = 'superseded' THEN f.status != 'current' ELSE 1 END
"""
_OUT: Final = "f.uid IN (SELECT substr(value, 6) FROM json_each({asked}) WHERE value LIKE 'fact:%')"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of facts and how it is told as an edge, in SQL over a fact `f` and its project `p`."""

    relation: str
    odd: int
    """What is left of its ids when they are halved; a fact has one id below zero for each column."""
    there: str
    has: str
    """Whether the fact has it."""
    node: str
    node_begins: str
    uid_ends: str
    into: str
    """Whether it is one of the nodes `{asked}`, a JSON array."""

    @property
    def id(self) -> str:
        return f"-2 * f.id - {self.odd}"

    def step(self, way: Literal["out", "in"]) -> str:
        """Return the statement for what leads on: of nodes ?1 (JSON), at a time ?2, in a project ?3 (NULL: any)."""
        of = (_OUT if way == "out" else self.into).format(asked="?1")
        return _STEP.format(
            id=self.id, node=self.node, there=self.there, has=self.has, of=of, then=fact_then("f", "?2")
        )

    def shown(self) -> str:
        """Return the statement for the edges of facts ? (JSON), in the order of `Edge`'s fields."""
        return _SHOWN.format(
            id=self.id, uid=self.uid_ends, relation=self.relation, node=self.node, there=self.there, has=self.has
        )

    def matching(self) -> str:
        """Return the statement for ids and times by the parameters of `edges.MATCHING`."""
        out, into = (one.format(asked="json_array(?1)") for one in (_OUT, self.into))
        return _MATCHING.format(
            id=self.id, has=self.has, relation=self.relation, out=out, into=into, held=held("f", "?6")
        )


_COLUMNS: Final = (
    _Column(
        relation=BELONGS_TO,
        odd=0,
        there="facts f JOIN projects p ON p.id = f.project_id",
        has="f.project_id IS NOT NULL",
        node="'project:' || p.uid",
        node_begins=PROJECT,
        uid_ends=":project",
        into=(
            "f.project_id IN (SELECT id FROM projects"
            " WHERE uid IN (SELECT substr(value, 9) FROM json_each({asked}) WHERE value LIKE 'project:%'))"
        ),
    ),
    _Column(
        relation=HAS_TOPIC,
        odd=1,
        there="facts f LEFT JOIN projects p ON p.id = f.project_id",
        has="f.topic IS NOT NULL",
        node="'topic:' || f.topic",
        node_begins=TOPIC,
        uid_ends=":topic",
        into="f.topic IN (SELECT substr(value, 7) FROM json_each({asked}) WHERE value LIKE 'topic:%')",
    ),
)
_EVERY: Final = " UNION ALL ".join((
    f"SELECT e.id AS id, e.valid_from AS since FROM edges e {edges.MATCHING}",  # noqa: S608 - constant text
    *(column.matching() for column in _COLUMNS),
))  # fmt: skip
_PAGE: Final = f"SELECT id FROM ({_EVERY}) ORDER BY since DESC, id DESC LIMIT ?8 OFFSET ?9"  # noqa: S608 - constant text
_COUNT: Final = f"SELECT count(*) FROM ({_EVERY})"  # noqa: S608 - constant text


def list_edges(
    conn: sqlite3.Connection, chosen: EdgeFilter, limit: int, offset: int = 0
) -> tuple[tuple[Edge, ...], int]:
    """Return edges, the newest first, and how many there are in all, with what facts belong to and their topics.

    Where neither a node nor one of the two relations nor their origin is asked for they are left out: there would be
    two for each fact, and of what else there is nothing could be seen.
    """
    if chosen.node is None and chosen.rel not in RELATIONS and chosen.origin != ORIGIN:
        return edges.list_edges(conn, chosen, limit, offset)
    ids = [number for (number,) in conn.execute(_PAGE, (*chosen.values, limit, offset))]
    known = {edge.id: edge for edge in by_ids(conn, ids)}
    total = int(conn.execute(_COUNT, chosen.values).fetchone()[0])
    return tuple(known[number] for number in ids if number in known), total


def by_ids(conn: sqlite3.Connection, ids: Iterable[int]) -> tuple[Edge, ...]:
    """Return the edges of row ids and of ids below zero."""
    asked = tuple(ids)
    found = list(edges.by_ids(conn, (number for number in asked if number > 0)))
    for column in _COLUMNS:
        of = orjson.dumps([-number // 2 for number in asked if number < 0 and -number % 2 == column.odd]).decode()
        found += (Edge(*row) for row in conn.execute(column.shown(), (of,)))
    return tuple(found)


def step(
    conn: sqlite3.Connection,
    nodes: Sequence[str],
    way: Literal["out", "in"],
    relations: tuple[str, ...],
    as_of: int | None,
    project_id: int | None,
) -> list[tuple[int, str, str]]:
    """Return id, source and target of what leads on from some nodes, of these relations (none: all)."""
    found: list[tuple[int, str, str]] = []
    for column in _COLUMNS:
        begins = column.node_begins if way == "in" else "fact:"
        asked = [node for node in nodes if node.startswith(begins)]
        if asked and (not relations or column.relation in relations):
            found += conn.execute(column.step(way), (orjson.dumps(asked).decode(), as_of, project_id)).fetchall()
    return found
