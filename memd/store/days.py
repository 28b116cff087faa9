"""Days: what was learnt between two times."""

from __future__ import annotations

import sqlite3
from typing import Final

import orjson

from memd.store.chosen import ChosenFacts

_LEARNT: Final = """
    SELECT id FROM facts
    WHERE valid_from >= ?1 AND valid_from < ?2 AND status = 'current' AND origin != 'code'
        AND (?3 OR project_id IS ?4) AND (?5 IS NULL OR kind IN (SELECT value FROM json_each(?5)))
        AND (?6 IS NULL OR topic = ?6)
        AND (?7 IS NULL OR EXISTS (SELECT 1 FROM fact_tags t WHERE t.fact_id = facts.id AND t.tag = ?7))
    ORDER BY valid_from DESC, id DESC LIMIT ?8
"""


def learnt(conn: sqlite3.Connection, since: int, until: int, chosen: ChosenFacts, most: int) -> tuple[int, ...]:
    """Return row ids of current facts that hold since a time between two (UTC milliseconds), the newest first.

    A project's are its own alone: what holds everywhere is of no day in it.
    """
    kinds = None if chosen.kinds is None else orjson.dumps(list(chosen.kinds)).decode()
    asked = (since, until, chosen.all_projects, chosen.project_id, kinds, chosen.topic, chosen.tag, most)
    rows = conn.execute(_LEARNT, asked)
    return tuple(fact for (fact,) in rows)
