"""Linked: entities by the names that stand in a question, and what is related to them, one step at a time."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import orjson

from memd.store.chosen import ChosenFacts
from memd.store.validity import edge_then

_NAMED: Final = """
    SELECT 'entity:' || e.uid FROM entities e
    WHERE ?2 AND e.id IN (
        SELECT n.id FROM json_each(?1) AS asked CROSS JOIN projects p
            CROSS JOIN entities n ON ifnull(n.project_id, 0) = p.id AND n.folded = asked.value)
    UNION SELECT 'entity:' || e.uid FROM json_each(?1) AS asked CROSS JOIN entities e
        ON ifnull(e.project_id, 0) IN (0, ifnull(?3, 0)) AND e.folded = asked.value
    UNION SELECT 'entity:' || e.uid FROM json_each(?1) AS asked CROSS JOIN entity_aliases a ON a.folded = asked.value
        JOIN entities e ON e.id = a.entity_id
    WHERE ?2 OR e.project_id IS NULL OR e.project_id = ?3
"""
_STEP: Final = f"""
    SELECT asked.value, e.rel, e.{{there}}, e.fact_id, e.strength * e.confidence
    FROM json_each(?1) AS asked CROSS JOIN edges e INDEXED BY edges_{{here}} ON e.{{here}} = asked.value
    WHERE (?2 OR e.project_id IS NULL OR e.project_id = ?3) AND e.origin NOT LIKE 'auto%'
        AND {edge_then("e", "?4")}
    LIMIT ?5
"""  # noqa: S608 - constant text
_OUT: Final = _STEP.format(here="src", there="dst")
_IN: Final = _STEP.format(here="dst", there="src")
_LABELS: Final = """
    SELECT 'entity:' || e.uid, e.name FROM json_each(?) AS asked CROSS JOIN entities e ON e.uid = substr(asked.value, 8)
"""
_INTERVAL: Final = 1_000
"""Steps of SQLite's machine after which it is asked whether there is still time."""


@dataclass(frozen=True, slots=True)
class Step:
    """An edge gone over: from a node to another one, by which relation (`<` before it: against its direction), the row
    id of the fact that says so (None: a person does), and how strong it is, 0 to 1.
    """

    here: str
    relation: str
    there: str
    fact: int | None
    strength: float


class OutOfTimeError(Exception):
    """There was no time to look further."""


@contextmanager
def within(conn: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Let what is asked of a connection take at most so long; raises OutOfTimeError when it would take longer."""
    end = time.monotonic() + seconds
    conn.set_progress_handler(lambda: time.monotonic() > end, _INTERVAL)
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT or time.monotonic() <= end:
            raise
        raise OutOfTimeError from error
    finally:
        conn.set_progress_handler(None, 0)


def named(conn: sqlite3.Connection, names: Sequence[str], chosen: ChosenFacts) -> tuple[str, ...]:
    """Return the nodes of the entities that have one of these names, in the form in which names are compared."""
    asked = (orjson.dumps(names).decode(), chosen.all_projects, chosen.project_id)
    return tuple(sorted(node for (node,) in conn.execute(_NAMED, asked)))


def step(conn: sqlite3.Connection, nodes: Iterable[str], chosen: ChosenFacts, most: int) -> tuple[Step, ...]:
    """Return the edges that hold, or held at the time asked for, from and to nodes; at most so many either way."""
    asked = (orjson.dumps(list(nodes)).decode(), chosen.all_projects, chosen.project_id, chosen.as_of, most)
    out = [Step(*row) for row in conn.execute(_OUT, asked).fetchall()]
    into = [
        Step(here, f"<{rel}", there, fact, strength)
        for here, rel, there, fact, strength in conn.execute(_IN, asked).fetchall()
    ]
    return (*out, *into)


def labels(conn: sqlite3.Connection, nodes: Iterable[str]) -> dict[str, str]:
    """Return the names of entities by node; other nodes have none."""
    return dict(conn.execute(_LABELS, (orjson.dumps(list(nodes)).decode(),)))
