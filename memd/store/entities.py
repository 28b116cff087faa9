"""Entities: what is spoken of, under every name it has."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import orjson

from memd.store.uid import uuid7
from memd.text.folding import bare

_COLUMNS: Final = "e.id, e.uid, e.project_id, p.root, e.name, e.kind, e.origin"
_FROM: Final = "FROM entities e LEFT JOIN projects p ON p.id = e.project_id"
_BY_NAME: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.id IN (
        SELECT id FROM entities WHERE ifnull(project_id, 0) IN (0, ifnull(?2, 0)) AND folded = ?1
        UNION SELECT entity_id FROM entity_aliases WHERE folded = ?1)
        AND (e.project_id IS ?2 OR e.project_id IS NULL) ORDER BY e.project_id IS NULL, e.id LIMIT 1
"""  # noqa: S608 - constant columns
_BY_UID: Final = f"SELECT {_COLUMNS} {_FROM} WHERE e.uid = ?"
_BY_UIDS: Final = f"""
    SELECT {_COLUMNS} {_FROM} WHERE e.uid IN (SELECT value FROM json_each(?))
"""  # noqa: S608 - constant columns
_INSERT: Final = """
    INSERT INTO entities (uid, project_id, name, folded, kind, origin, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)
    RETURNING id
"""
_ADD_ALIAS: Final = "INSERT OR IGNORE INTO entity_aliases (entity_id, name, folded) VALUES (?, ?, ?)"
_ALIASES: Final = "SELECT name FROM entity_aliases WHERE entity_id = ? ORDER BY name"
_GIVE_ALIASES: Final = "UPDATE OR IGNORE entity_aliases SET entity_id = ? WHERE entity_id = ?"
_DELETE: Final = "DELETE FROM entities WHERE id = ?"
_MATCHING: Final = """
    FROM entities e LEFT JOIN projects p ON p.id = e.project_id
    WHERE (?1 = '' OR instr(e.folded, ?1) OR EXISTS (
            SELECT 1 FROM entity_aliases a WHERE a.entity_id = e.id AND instr(a.folded, ?1)))
        AND (?2 IS NULL OR e.kind = ?2) AND (?3 IS NULL OR e.project_id = ?3 OR e.project_id IS NULL)
"""
_SEARCH: Final = f"""
    SELECT {_COLUMNS} {_MATCHING} ORDER BY e.folded != ?1, length(e.folded), e.folded, e.id LIMIT ?4 OFFSET ?5
"""
_COUNT: Final = f"SELECT count(*) {_MATCHING}"
_KINDS: Final = "SELECT kind, count(*) FROM entities GROUP BY kind ORDER BY kind"
_ORPHANS: Final = """
    DELETE FROM entities WHERE origin != 'manual' AND NOT EXISTS (
        SELECT 1 FROM edges WHERE src = 'entity:' || entities.uid OR dst = 'entity:' || entities.uid)
"""
_LEFT_ALONE: Final = f"""{_ORPHANS}
    AND NOT EXISTS (SELECT 1 FROM entity_aliases a WHERE a.entity_id = entities.id)
    AND uid IN (SELECT substr(value, 8) FROM json_each(?) WHERE value LIKE 'entity:%')
"""  # noqa: S608 - constant parts
_BY_HAND: Final = "UPDATE entities SET origin = 'manual' WHERE id = ?"
_IN_BOTH: Final = """
    SELECT gone.uid, kept.uid FROM entities gone JOIN entities kept ON kept.folded = gone.folded
    WHERE gone.project_id = ?1 AND kept.project_id = ?2 ORDER BY gone.id
"""


_MANUAL: Final = "manual"


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that is spoken of. `project`: row id of its project, None for one that is the same everywhere."""

    id: int
    uid: str
    project: int | None
    root: str | None
    name: str
    kind: str
    origin: str

    @property
    def node(self) -> str:
        """Its name in relations."""
        return f"entity:{self.uid}"


def folded(name: str) -> str:
    """Return a name as it is compared: without case, accents and superfluous blanks."""
    return " ".join(bare(name).split())


def find(conn: sqlite3.Connection, name: str, project_id: int | None) -> Entity | None:
    """Return the entity of a name or other name, a project's own before one that is the same everywhere."""
    row = conn.execute(_BY_NAME, (folded(name), project_id)).fetchone()
    return None if row is None else Entity(*row)


def by_uid(conn: sqlite3.Connection, uid: str) -> Entity | None:
    """Return the entity of a uid."""
    row = conn.execute(_BY_UID, (uid,)).fetchone()
    return None if row is None else Entity(*row)


def by_uids(conn: sqlite3.Connection, uids: Iterable[str]) -> dict[str, Entity]:
    """Return the entities of uids."""
    rows = conn.execute(_BY_UIDS, (orjson.dumps(list(uids)).decode(),))
    return {row[1]: Entity(*row) for row in rows}


def add(
    conn: sqlite3.Connection, name: str, kind: str, project_id: int | None, origin: str, now_ms: int
) -> tuple[Entity, bool]:
    """Return the entity of a name in a scope, made now if there is none, and whether it was."""
    known = find(conn, name, project_id)
    if known is not None:
        return known, False
    row = conn.execute(_BY_UID, (make(conn, name, kind, project_id, origin, now_ms),)).fetchone()
    return Entity(*row), True


def make(conn: sqlite3.Connection, name: str, kind: str, project_id: int | None, origin: str, now_ms: int) -> str:
    """Make the entity of a name that nothing in its scope has yet, and return its uid."""
    uid = uuid7(now_ms)
    conn.execute(_INSERT, (uid, project_id, " ".join(name.split()), folded(name), kind, origin, now_ms))
    return uid


def add_alias(conn: sqlite3.Connection, entity: Entity, name: str) -> None:
    """Let an entity have another name."""
    if folded(name) != folded(entity.name):
        conn.execute(_ADD_ALIAS, (entity.id, " ".join(name.split()), folded(name)))


def merge(conn: sqlite3.Connection, gone: Entity, into: Entity) -> None:
    """Let two entities be one; relations are to be repointed before."""
    conn.execute(_GIVE_ALIASES, (into.id, gone.id))
    add_alias(conn, into, gone.name)
    if gone.origin == _MANUAL:
        conn.execute(_BY_HAND, (into.id,))
    conn.execute(_DELETE, (gone.id,))


def in_both(conn: sqlite3.Connection, project_id: int, other: int) -> list[tuple[Entity, Entity]]:
    """Return the entities that two projects both know by one name, each with the other project's."""
    return [
        (Entity(*conn.execute(_BY_UID, (gone,)).fetchone()), Entity(*conn.execute(_BY_UID, (kept,)).fetchone()))
        for gone, kept in conn.execute(_IN_BOTH, (project_id, other)).fetchall()
    ]


def aliases(conn: sqlite3.Connection, entity: Entity) -> tuple[str, ...]:
    """Return the other names of an entity."""
    return tuple(name for (name,) in conn.execute(_ALIASES, (entity.id,)))


def search(
    conn: sqlite3.Connection, part: str, kind: str | None, project_id: int | None, limit: int, offset: int
) -> tuple[tuple[Entity, ...], int]:
    """Return entities whose name has a part, the shortest first, and how many there are in all."""
    of = (folded(part), kind, project_id)
    found = tuple(Entity(*row) for row in conn.execute(_SEARCH, (*of, limit, offset)))
    return found, int(conn.execute(_COUNT, of).fetchone()[0])


def kinds(conn: sqlite3.Connection) -> dict[str, int]:
    """Return how many entities of each kind there are."""
    return dict(conn.execute(_KINDS))


def drop_orphans(conn: sqlite3.Connection) -> int:
    """Remove entities that nobody added by hand and nothing relates to; return how many."""
    return conn.execute(_ORPHANS).rowcount


def drop_left_alone(conn: sqlite3.Connection, nodes: Iterable[str]) -> int:
    """Remove those of some nodes that are entities which nobody added or named and nothing relates to any more."""
    return conn.execute(_LEFT_ALONE, (orjson.dumps(list(nodes)).decode(),)).rowcount
