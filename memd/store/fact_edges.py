"""Fact edges: what a fact belongs to and what its topic is, told as edges of the graph.

Both are columns of the fact, and are read from there: a second copy as rows would have to follow every change of them.
So that they can be told from rows their ids are below zero. The nodes are `project:UID` and `topic:WORDS`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
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

_ID: Final = {BELONGS_TO: "-2 * f.id", HAS_TOPIC: "-2 * f.id - 1"}
_NODE: Final = {BELONGS_TO: "'project:' || p.uid", HAS_TOPIC: "'topic:' || f.topic"}
_THERE: Final = {
    BELONGS_TO: "facts f JOIN projects p ON p.id = f.project_id",
    HAS_TOPIC: "facts f LEFT JOIN projects p ON p.id = f.project_id",
}
_IS: Final = {BELONGS_TO: "f.project_id IS NOT NULL", HAS_TOPIC: "f.topic IS NOT NULL"}
_OUT: Final = "f.uid IN (SELECT substr(value, 6) FROM json_each({asked}) WHERE value LIKE 'fact:%')"
_IN: Final = {
    BELONGS_TO: (
        "f.project_id IN (SELECT id FROM projects"
        " WHERE uid IN (SELECT substr(value, 9) FROM json_each({asked}) WHERE value LIKE 'project:%'))"
    ),
    HAS_TOPIC: "f.topic IN (SELECT substr(value, 7) FROM json_each({asked}) WHERE value LIKE 'topic:%')",
}
_LEADS_TO: Final = {BELONGS_TO: PROJECT, HAS_TOPIC: TOPIC}
_STEPS: Final = {
    way: {
        relation: f"""
            SELECT {_ID[relation]}, 'fact:' || f.uid, {_NODE[relation]} FROM {_THERE[relation]}
            WHERE {_IS[relation]} AND {(_OUT if way == "out" else _IN[relation]).format(asked="?1")}
                AND (?3 IS NULL OR f.project_id = ?3 OR f.project_id IS NULL) AND {fact_then("f", "?2")}
            ORDER BY f.id
        """  # noqa: S608 - constant text
        for relation in (BELONGS_TO, HAS_TOPIC)
    }
    for way in ("out", "in")
}
_SHOWN: Final = """
    SELECT {id}, f.uid || '{node}', 'fact:' || f.uid, '{relation}', {there_node}, 1.0, 1.0, 'column', f.valid_from,
        f.valid_to, f.uid, NULL, NULL, NULL, p.root
    FROM {there} WHERE {of} AND f.id IN (SELECT value FROM json_each(?))
"""
_BY_IDS: Final = {
    relation: _SHOWN.format(
        id=_ID[relation], node=node, relation=relation, there_node=_NODE[relation], there=_THERE[relation],
        of=_IS[relation],
    )
    for relation, node in ((BELONGS_TO, ":project"), (HAS_TOPIC, ":topic"))
}  # fmt: skip
_MATCHING: Final = """
    SELECT {id} AS id, f.valid_from AS since FROM facts f
    WHERE {of} AND (?3 IS NULL OR ?3 = '{relation}') AND (?4 IS NULL OR ?4 = 'column')
        AND (?1 IS NULL OR (?2 != 'in' AND {out}) OR (?2 != 'out' AND {into}))
        AND (?5 IS NULL OR f.project_id = ?5 OR f.project_id IS NULL)
        AND CASE WHEN ?6 IS NOT NULL THEN {held}
            WHEN ?7 = 'current' THEN f.status = 'current' WHEN ?7 = 'superseded' THEN f.status != 'current' ELSE 1 END
"""
_EVERY: Final = " UNION ALL ".join((
    f"SELECT e.id AS id, e.valid_from AS since FROM edges e {edges.MATCHING}",  # noqa: S608 - constant text
    *(
        _MATCHING.format(
            id=_ID[relation], of=_IS[relation], relation=relation, out=_OUT.format(asked="json_array(?1)"),
            into=_IN[relation].format(asked="json_array(?1)"), held=held("f", "?6"),
        )
        for relation in (BELONGS_TO, HAS_TOPIC)
    ),
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
    for relation, odd in ((BELONGS_TO, 0), (HAS_TOPIC, 1)):
        of = orjson.dumps([-number // 2 for number in asked if number < 0 and -number % 2 == odd]).decode()
        found += (Edge(*row) for row in conn.execute(_BY_IDS[relation], (of,)))
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
    for relation, sql in _STEPS[way].items():
        there = _LEADS_TO[relation] if way == "in" else "fact:"
        asked = [node for node in nodes if node.startswith(there)]
        if asked and (not relations or relation in relations):
            found += conn.execute(sql, (orjson.dumps(asked).decode(), as_of, project_id)).fetchall()
    return found
