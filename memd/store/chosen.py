"""Chosen: which messages a search may give, as every lane asks for them."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Final

import orjson

from memd.adapter import MessageKind, Role
from memd.model import FactKind
from memd.store import spans
from memd.store.validity import fact_then

CHOSEN: Final = """
    messages_fts.rowid BETWEEN ?3 AND ?4
    AND (?5 IS NULL OR +messages_fts.rowid IN (
        SELECT x.id FROM sessions y JOIN messages x ON x.session_id = y.id WHERE y.project_id = ?5))
    AND (?6 IS NULL OR s.project_id = ?6) AND (?7 IS NULL OR s.host = ?7) AND (?8 IS NULL OR m.session_id = ?8)
    AND (?9 IS NULL OR m.role = ?9) AND (?10 IS NULL OR m.kind = ?10)
    AND (?11 IS NULL OR m.at >= ?11) AND (?12 IS NULL OR m.at < ?12)
"""
"""Condition over `messages_fts`, its message `m` and session `s`; parameters 3 to 12 are `Chosen.values`."""

FACTS_CHOSEN: Final = f"""
    (f.project_id IS NULL OR ?2 OR f.project_id = ?3)
    AND (?4 IS NULL OR (
        (json_extract(?4, '$.kinds') IS NULL OR f.kind IN (SELECT value FROM json_each(?4, '$.kinds')))
        AND (json_extract(?4, '$.topic') IS NULL OR f.topic = json_extract(?4, '$.topic'))
        AND (json_extract(?4, '$.tag') IS NULL
            OR EXISTS (SELECT 1 FROM fact_tags t WHERE t.fact_id = f.id AND t.tag = json_extract(?4, '$.tag')))))
    AND {fact_then("f", "?5")}
"""  # noqa: S608 - constant text
"""Condition over a fact `f`; parameters 2 to 5 are `ChosenFacts.values`."""

_SESSIONS: Final = """
    SELECT id FROM sessions WHERE (?1 IS NULL OR project_id = ?1) AND (?2 IS NULL OR host = ?2)
        AND (?3 IS NULL OR id = ?3)
"""
_HOW_MANY: Final = """
    SELECT count(*) FROM sessions WHERE messages > 0 AND (?1 IS NULL OR project_id = ?1)
        AND (?2 IS NULL OR host = ?2) AND (?3 IS NULL OR id = ?3)
"""


@dataclass(frozen=True, slots=True)
class ChosenFacts:
    """Which facts: a project's with those that hold everywhere (without a project only the latter), or of all
    projects; of these kinds, this topic and with this tag (None: any); current ones, or those that held at a time.
    """

    project_id: int | None = None
    all_projects: bool = False
    kinds: tuple[FactKind, ...] | None = None
    as_of: int | None = None
    topic: str | None = None
    tag: str | None = None

    @property
    def values(self) -> tuple[bool | int | str | None, ...]:
        """The parameters of `FACTS_CHOSEN`."""
        named = {"kinds": self.kinds, "topic": self.topic, "tag": self.tag}
        what = None if all(one is None for one in named.values()) else orjson.dumps(named).decode()
        return (self.all_projects, self.project_id, what, self.as_of)


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is asked for; None means anything. Times are those of messages, `until` not included."""

    project_id: int | None = None
    host: str | None = None
    session_id: int | None = None
    role: Role | None = None
    kind: MessageKind | None = None
    since: int | None = None
    until: int | None = None

    def values(self, conn: sqlite3.Connection) -> tuple[int | str | None, ...]:
        """Return the parameters of `CHOSEN`."""
        rows = spans.to_search(conn, "messages", self.session_id, self.project_id)
        return (*rows, self.host, self.session_id, self.role, self.kind, self.since, self.until)

    def sessions(self, conn: sqlite3.Connection) -> list[int] | None:
        """Return the row ids of the sessions that may be given, None for all."""
        if self.project_id is None and self.host is None and self.session_id is None:
            return None
        return [row for (row,) in conn.execute(_SESSIONS, (self.project_id, self.host, self.session_id))]

    def how_many_sessions(self, conn: sqlite3.Connection) -> int:
        """Return how many sessions may be given."""
        return int(conn.execute(_HOW_MANY, (self.project_id, self.host, self.session_id)).fetchone()[0])

    def size(self, conn: sqlite3.Connection) -> int:
        """Return how many messages the project has that is asked for, 0 without one."""
        return spans.size_of(conn, self.project_id)
