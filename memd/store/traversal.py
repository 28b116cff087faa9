"""Traversal: what is reached from a node of the graph, step by step."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final, Literal

import orjson

from memd.store import fact_edges
from memd.store.edges import Direction
from memd.store.validity import edge_then

_ENDS: Final = (fact_edges.PROJECT, fact_edges.TOPIC)
_STEP: Final = f"""
    SELECT e.id, e.src, e.dst FROM json_each(?1) AS asked JOIN edges e ON {{join}}
    WHERE (?2 IS NULL OR e.rel IN (SELECT value FROM json_each(?2)))
        AND (?4 IS NULL OR e.project_id = ?4 OR e.project_id IS NULL)
        AND {edge_then("e", "?3")}
    ORDER BY e.strength DESC, e.id
"""  # noqa: S608 - constant text
_STEPS: Final = {
    "out": _STEP.format(join="e.src = asked.value"),
    "in": _STEP.format(join="e.dst = asked.value"),
}


@dataclass(frozen=True, slots=True)
class Reached:
    """What was reached from a node: each node with the nodes on the way to it, and the edges that were gone over."""

    paths: dict[str, tuple[str, ...]]
    edges: tuple[int, ...]
    capped: bool


def reach(
    conn: sqlite3.Connection,
    start: str,
    *,
    depth: int,
    direction: Direction,
    relations: tuple[str, ...],
    as_of: int | None,
    project_id: int | None,
    most: int,
) -> Reached:
    """Go from a node step by step, each node once and by the shortest way, to at most so many others.

    A project or a topic is the end of a way: from it on is everything that there is. Who wants that begins there.
    """
    paths: dict[str, tuple[str, ...]] = {start: (start,)}
    edges: dict[int, None] = {}
    wanted = orjson.dumps(relations).decode() if relations else None
    frontier = [start]
    ways: tuple[Literal["out", "in"], ...] = ("out", "in") if direction == "both" else (direction,)
    for _ in range(depth):
        nodes, frontier = frontier, []
        asked = orjson.dumps(nodes).decode()
        for way in ways:
            steps = conn.execute(_STEPS[way], (asked, wanted, as_of, project_id)).fetchall()
            for edge, src, dst in steps + fact_edges.step(conn, nodes, way, relations, as_of, project_id):
                here, there = (src, dst) if way == "out" else (dst, src)
                if there not in paths:
                    if len(paths) > most:
                        return Reached(paths, tuple(edges), capped=True)
                    paths[there] = (*paths[here], there)
                    if not there.startswith(_ENDS):
                        frontier.append(there)
                edges[edge] = None
        if not frontier:
            break
    return Reached(paths, tuple(edges), capped=False)
