"""Edge shape: all that is related now, for looking at the graph of facts and entities as a whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Final

import orjson

from memd.store.validity import edge_then, fact_then

_EDGES: Final = f"""
    SELECT src, dst, rel FROM edges WHERE {edge_then("", "?3")}
        AND (?1 IS NULL OR project_id IS NULL OR project_id = ?1)
        AND src NOT LIKE 'code:%' AND dst NOT LIKE 'code:%' AND (?2 OR origin NOT LIKE 'auto%') ORDER BY id
"""  # noqa: S608 - constant text
_FACTS: Final = f"""
    SELECT 'fact:' || uid, uses, last_used_at FROM facts
    WHERE {fact_then("", "?2")} AND (?1 IS NULL OR project_id = ?1) ORDER BY id
"""  # noqa: S608 - constant text
_ENTITIES: Final = """
    SELECT 'entity:' || uid FROM entities WHERE ?1 IS NULL OR project_id IS NULL OR project_id = ?1 ORDER BY id
"""

_KINDS: Final = """
    SELECT 'fact:' || uid, kind FROM facts WHERE uid IN (SELECT value FROM json_each(?1))
    UNION ALL SELECT 'entity:' || uid, kind FROM entities WHERE uid IN (SELECT value FROM json_each(?2))
"""

_SENTENCES: Final = f"""
    SELECT edges.quote, facts.uid FROM edges JOIN facts ON facts.id = edges.fact_id
    WHERE edges.src IN (SELECT value FROM json_each(?1)) AND edges.dst IN (SELECT value FROM json_each(?1))
        AND edges.quote IS NOT NULL AND {edge_then("edges", "?3")} AND {fact_then("facts", "?3")}
    ORDER BY edges.strength DESC, edges.id LIMIT ?2
"""  # noqa: S608 - constant text


def related(
    conn: sqlite3.Connection, project: int | None, *, automatic: bool, as_of: int | None = None
) -> list[tuple[str, str, str]]:
    """Return source, target and relation of what holds, or held at a time, without code.

    Automatic links only where asked for.
    """
    return conn.execute(_EDGES, (project, automatic, as_of)).fetchall()


def facts(
    conn: sqlite3.Connection, project: int | None, *, as_of: int | None = None
) -> list[tuple[str, int, int | None]]:
    """Return the node of each fact that holds, or held at a time, how often it was used by now and when last."""
    return conn.execute(_FACTS, (project, as_of)).fetchall()


def entities(conn: sqlite3.Connection, project: int | None) -> list[str]:
    """Return the node of each entity."""
    return [node for (node,) in conn.execute(_ENTITIES, (project,))]


def sentences(
    conn: sqlite3.Connection, nodes: Sequence[str], most: int, *, as_of: int | None = None
) -> list[tuple[str, str]]:
    """Return the sentences that say how some nodes are related to each other, with the ids of the facts they are of."""
    return conn.execute(_SENTENCES, (orjson.dumps(nodes).decode(), most, as_of)).fetchall()


def kinds(conn: sqlite3.Connection, nodes: Iterable[str]) -> dict[str, str]:
    """Return of which kind some facts and entities are."""
    asked = set(nodes)
    uids = (sorted(node.removeprefix(kind) for node in asked if node.startswith(kind)) for kind in ("fact:", "entity:"))
    return dict(conn.execute(_KINDS, tuple(orjson.dumps(of_kind).decode() for of_kind in uids)))
