"""Code graph: what is asked of the kept graph: nodes by what they are called, neighbours, walks, and what memory knows
of them. Every question may be asked as of a time.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal, TypeAlias

import orjson

from memd.store.validity import held

Direction: TypeAlias = Literal["out", "in"]

_ESCAPED: Final = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})

# `:at` NULL asks for what holds now.
_HELD: Final = f"(({{0}}.valid_to IS NULL AND :at IS NULL) OR {held('{0}', ':at')})"
_OF_NODE: Final = """
    n.id, n.node, s.kind, s.line, s.end_line, s.signature, s.doc, s.valid_from, s.valid_to, s.changed_at, s.session_id,
    s.made_in
"""
_NODE: Final = f"""
    SELECT {_OF_NODE} FROM code_nodes n JOIN code_symbols s ON s.node_id = n.id AND {_HELD.format("s")}
"""  # noqa: S608 - constant text
_BY_NODE: Final = f"{_NODE} WHERE n.project_id = :project AND n.node = :word ORDER BY s.id"
_BY_NAME: Final = f"{_NODE} WHERE n.project_id = :project AND n.name = :word ORDER BY n.node, s.id LIMIT :most"
_BY_TAIL: Final = f"""
    {_NODE} WHERE n.project_id = :project AND n.name = :word AND n.node LIKE :tail ESCAPE '\\' ORDER BY n.node, s.id
    LIMIT :most
"""
_LIKE: Final = (
    f"{_NODE} WHERE n.project_id = :project AND n.name LIKE :part ESCAPE '\\' ORDER BY n.node, s.id LIMIT :most"
)
_BY_IDS: Final = f"{_NODE} WHERE n.id IN (SELECT value FROM json_each(:ids)) ORDER BY n.node, s.id"  # noqa: S608
_LAST: Final = f"""
    SELECT {_OF_NODE} FROM code_nodes n JOIN code_symbols s ON s.node_id = n.id
    WHERE n.project_id = :project AND (n.node = :word OR n.name = :word)
    ORDER BY s.valid_to IS NOT NULL, s.valid_to DESC LIMIT 1
"""  # noqa: S608 - constant text
_BEGAN: Final = "SELECT min(valid_from) FROM code_symbols WHERE node_id = ?"
_OUT: Final = f"""
    SELECT e.src, e.dst, e.kind, e.line, e.confidence, e.valid_from, e.valid_to, e.session_id, e.made_in
    FROM code_edges e
    WHERE e.src IN (SELECT value FROM json_each(:ids)) AND e.kind IN (SELECT value FROM json_each(:kinds))
        AND {_HELD.format("e")}
    ORDER BY e.src, e.kind, e.line, e.id LIMIT :most
"""  # noqa: S608 - constant text
_IN: Final = f"""
    SELECT e.src, e.dst, e.kind, e.line, e.confidence, e.valid_from, e.valid_to, e.session_id, e.made_in
    FROM code_edges e
    WHERE e.dst IN (SELECT value FROM json_each(:ids)) AND e.kind IN (SELECT value FROM json_each(:kinds))
        AND {_HELD.format("e")}
    ORDER BY e.dst, e.kind, e.src, e.id LIMIT :most
"""  # noqa: S608 - constant text
# Whoever leads to several of them comes several times: to put that right costs more here than where it is asked. What
# holds now is asked for by itself, as a choice between two times costs a third more.
_SOURCES: Final = """
    SELECT e.src FROM json_each(:ids) asked CROSS JOIN code_edges e ON e.dst = asked.value
    WHERE e.kind IN (SELECT value FROM json_each(:kinds)) AND {} LIMIT :most
"""
_SOURCES_NOW: Final = _SOURCES.format("e.valid_to IS NULL")
_SOURCES_THEN: Final = _SOURCES.format(held("e", ":at"))
_SESSIONS: Final = "SELECT id, uid FROM sessions WHERE id IN (SELECT value FROM json_each(?))"
_NAMES: Final = """
    SELECT n.id, n.node FROM json_each(:ids) asked CROSS JOIN code_nodes n ON n.id = asked.value
    WHERE EXISTS (SELECT 1 FROM code_symbols s WHERE s.node_id = n.id AND {})
"""
_NAMES_NOW: Final = _NAMES.format("s.valid_to IS NULL")
_NAMES_THEN: Final = _NAMES.format(held("s", ":at"))
# The names of all that is in another begin with its name and a mark; the next mark ends them.
_MEMBERS: Final = f"""
    SELECT n.id FROM code_nodes n WHERE n.project_id = :project AND n.node > :first AND n.node < :behind
        AND EXISTS (SELECT 1 FROM code_symbols s WHERE s.node_id = n.id AND {_HELD.format("s")})
    ORDER BY n.node LIMIT :most
"""  # noqa: S608 - constant text
_ALL_EDGES: Final = """
    SELECT src, dst, kind FROM code_edges WHERE project_id = ? AND valid_to IS NULL ORDER BY id
"""
_ALL_NODES: Final = """
    SELECT n.id, n.node, s.kind FROM code_nodes n JOIN code_symbols s ON s.node_id = n.id AND s.valid_to IS NULL
    WHERE n.project_id = ? ORDER BY n.id
"""
_REASONS: Final = """
    SELECT n.node, r.tag, r.text, r.line FROM code_reasons r JOIN code_nodes n ON n.id = r.node_id
    WHERE r.node_id IN (SELECT value FROM json_each(?)) ORDER BY n.node, r.line
"""
_ALL_REASONS: Final = """
    SELECT n.node, r.tag, r.text, r.line FROM code_files f JOIN code_reasons r ON r.file_id = f.id
    JOIN code_nodes n ON n.id = r.node_id
    WHERE f.project_id = ?1 AND (?2 = '[]' OR r.tag IN (SELECT value FROM json_each(?2))) ORDER BY f.path, r.line
"""
_DANGLING: Final = """
    SELECT DISTINCT n.node FROM code_edges e JOIN code_nodes n ON n.id = e.dst
    WHERE e.project_id = ?1 AND e.valid_to IS NULL AND NOT EXISTS (
        SELECT 1 FROM code_symbols s WHERE s.node_id = e.dst AND s.valid_to IS NULL)
        AND NOT EXISTS (
        SELECT 1 FROM code_nodes m JOIN code_symbols t ON t.node_id = m.id AND t.valid_to IS NULL
        WHERE m.project_id = e.project_id AND (n.node = '.' OR m.node LIKE n.node || '/%'))
    ORDER BY n.node LIMIT ?2
"""
_UNRESOLVED: Final = """
    SELECT u.src, u.name, u.line, u.reason FROM code_unresolved u JOIN code_files f ON f.id = u.file_id
    WHERE f.project_id = ? ORDER BY f.path, u.ord LIMIT ? OFFSET ?
"""
_UNRESOLVED_COUNT: Final = """
    SELECT count(*) FROM code_unresolved u JOIN code_files f ON f.id = u.file_id WHERE f.project_id = ?
"""
_COUNT_EDGES: Final = """
    SELECT kind, count(*) FROM code_edges WHERE project_id = ? AND valid_to IS NULL GROUP BY kind ORDER BY kind
"""
_COUNT_SYMBOLS: Final = """
    SELECT count(*) FROM code_symbols s JOIN code_nodes n ON n.id = s.node_id
    WHERE n.project_id = ? AND s.valid_to IS NULL AND s.kind <> 'file'
"""
_CHANGED: Final = """
    SELECT n.node, s.changed_at FROM json_each(?2) AS asked
    JOIN code_files f ON f.project_id = ?1 AND f.path = asked.value
    JOIN code_symbols s ON s.file_id = f.id AND s.valid_to IS NULL JOIN code_nodes n ON n.id = s.node_id
    WHERE s.changed_at > ?3 AND s.valid_from <= ?3 AND s.kind IN ('function', 'method')
    ORDER BY s.changed_at, s.id LIMIT ?4
"""
_ENDED: Final = """
    SELECT n.node, s.valid_to, t.uid FROM code_symbols s INDEXED BY code_symbols_ended
    CROSS JOIN code_nodes n ON n.id = s.node_id LEFT JOIN sessions t ON t.id = s.ended_by
    WHERE n.project_id = ?1 AND s.valid_to IS NOT NULL AND s.valid_to > ?2 AND NOT EXISTS (
        SELECT 1 FROM code_symbols o WHERE o.node_id = s.node_id AND o.valid_to IS NULL)
    ORDER BY s.valid_to, s.id LIMIT ?3
"""


@dataclass(frozen=True, slots=True)
class Node:
    """A node as it is or was at a time. `valid_to` None: it still is; `changed_at`: when its source changed last.

    `session` (a row id) or else `commit` made it; both None where that is not known.
    """

    id: int
    node: str
    kind: str
    line: int
    end_line: int
    signature: str
    doc: str
    valid_from: int
    valid_to: int | None
    changed_at: int
    session: int | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class CodeEdge:
    """An edge between two nodes' row ids, and the session (a row id) or else the commit that made it, where known."""

    src: int
    dst: int
    kind: str
    line: int
    confidence: float
    valid_from: int
    valid_to: int | None
    session: int | None = None
    commit: str | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """A comment that gives a reason, and the node it stands in."""

    node: str
    tag: str
    text: str
    line: int


def find(conn: sqlite3.Connection, project: int, word: str, at: int | None, most: int = 20) -> list[Node]:
    """Return the nodes that a word means: a node's whole name, the end of one (`Class.method`), or a plain name.

    The first of these that finds something decides; several nodes may have one name.
    """
    word = word.removeprefix("code:")
    given = {"project": project, "at": at, "most": most}
    found = _nodes(conn, _BY_NODE, {**given, "word": word})
    if found:
        return found
    last = word.rpartition("::")[2].rpartition(".")[2] if "::" in word or "/" not in word else word.rpartition("/")[2]
    if "." in word or "::" in word or "/" in word:
        tail = word.translate(_ESCAPED)
        for name in dict.fromkeys((last, word.rpartition("/")[2])):
            for start in ("%::", "%.", "%/"):
                found = _nodes(conn, _BY_TAIL, {**given, "word": name, "tail": start + tail})
                if found:
                    return found
    return _nodes(conn, _BY_NAME, {**given, "word": word})


def like(conn: sqlite3.Connection, project: int, part: str, at: int | None, most: int) -> list[Node]:
    """Return the nodes whose name holds a part."""
    given = {"project": project, "at": at, "most": most, "part": f"%{part.translate(_ESCAPED)}%"}
    return _nodes(conn, _LIKE, given)


def last_known(conn: sqlite3.Connection, project: int, word: str) -> Node | None:
    """Return the node of a name as it was last, also when it is gone."""
    row = conn.execute(_LAST, {"project": project, "word": word.removeprefix("code:")}).fetchone()
    return None if row is None else Node(*row)


def began(conn: sqlite3.Connection, node_id: int) -> int:
    """Return since when a node is known."""
    return int(conn.execute(_BEGAN, (node_id,)).fetchone()[0])


def by_ids(conn: sqlite3.Connection, ids: Iterable[int], at: int | None) -> dict[int, Node]:
    """Return nodes by their row ids."""
    listed = orjson.dumps(sorted(set(ids))).decode()
    return {node.id: node for node in _nodes(conn, _BY_IDS, {"ids": listed, "at": at})}


def names(conn: sqlite3.Connection, ids: Iterable[int], at: int | None) -> dict[int, str]:
    """Return what nodes are called, by their row ids; those that were not there at the time are left out."""
    listed = orjson.dumps(sorted(set(ids))).decode()
    return dict(conn.execute(_NAMES_NOW if at is None else _NAMES_THEN, {"ids": listed, "at": at}))


def members(conn: sqlite3.Connection, project: int, node: str, at: int | None, most: int) -> list[int]:
    """Return the row ids of the symbols in a file or in another symbol, at any depth."""
    first, behind = (f"{node}.", f"{node}/") if "::" in node else (f"{node}::", f"{node}:;")
    given = {"project": project, "first": first, "behind": behind, "at": at, "most": most}
    return [found for (found,) in conn.execute(_MEMBERS, given)]


def sources(conn: sqlite3.Connection, ids: Iterable[int], kinds: Sequence[str], at: int | None, most: int) -> set[int]:
    """Return the row ids of the nodes from which edges lead to some nodes; at most so many edges are looked at."""
    given = {"ids": orjson.dumps(sorted(set(ids))).decode(), "kinds": orjson.dumps(list(kinds)).decode(), "at": at}
    rows = conn.execute(_SOURCES_NOW if at is None else _SOURCES_THEN, {**given, "most": most})
    return {found for (found,) in rows}


def edges(
    conn: sqlite3.Connection, ids: Iterable[int], direction: Direction, kinds: Sequence[str], at: int | None, most: int
) -> list[CodeEdge]:
    """Return the edges that start (`out`) or end (`in`) at some nodes."""
    given = {"ids": orjson.dumps(sorted(set(ids))).decode(), "kinds": orjson.dumps(list(kinds)).decode(), "at": at}
    rows = conn.execute(_OUT if direction == "out" else _IN, {**given, "most": most})
    return [CodeEdge(*row) for row in rows]


def sessions(conn: sqlite3.Connection, ids: Iterable[int | None]) -> dict[int, str]:
    """Return the uids of sessions by their row ids."""
    listed = orjson.dumps(sorted({one for one in ids if one is not None})).decode()
    return dict(conn.execute(_SESSIONS, (listed,)))


def whole(conn: sqlite3.Connection, project: int) -> tuple[list[tuple[int, str, str]], list[tuple[int, int, str]]]:
    """Return every node (row id, name, kind) and edge (source, target, kind) of a project as it is now."""
    return conn.execute(_ALL_NODES, (project,)).fetchall(), conn.execute(_ALL_EDGES, (project,)).fetchall()


def reasons(conn: sqlite3.Connection, ids: Iterable[int]) -> list[Reason]:
    """Return the comments that give reasons in some nodes."""
    return [Reason(*row) for row in conn.execute(_REASONS, (orjson.dumps(sorted(set(ids))).decode(),))]


def all_reasons(
    conn: sqlite3.Connection, project: int, words: Sequence[str], tags: Sequence[str], most: int
) -> list[Reason]:
    """Return the comments of a project that give reasons, those that hold all words and have one of some tags."""
    listed = orjson.dumps(list(tags)).decode()
    found = (Reason(*row) for row in conn.execute(_ALL_REASONS, (project, listed)))
    wanted = [word.casefold() for word in words]
    chosen = (one for one in found if all(word in f"{one.node} {one.text}".casefold() for word in wanted))
    return list(islice(chosen, most))


def dangling(conn: sqlite3.Connection, project: int, most: int) -> list[str]:
    """Return the nodes that edges lead to now though they are no longer there."""
    return [node for (node,) in conn.execute(_DANGLING, (project, most))]


def unresolved(
    conn: sqlite3.Connection, project: int, limit: int, offset: int
) -> tuple[int, list[tuple[str, str, int, str]]]:
    """Return how many references have no grounds, and some of them: source node, name, line, reason."""
    (count,) = conn.execute(_UNRESOLVED_COUNT, (project,)).fetchone()
    return count, conn.execute(_UNRESOLVED, (project, limit, offset)).fetchall()


def counted(conn: sqlite3.Connection, project: int) -> tuple[int, dict[str, int]]:
    """Return how many symbols there are, and edges by kind."""
    (symbols,) = conn.execute(_COUNT_SYMBOLS, (project,)).fetchone()
    return symbols, dict(conn.execute(_COUNT_EDGES, (project,)))


def ended(conn: sqlite3.Connection, project: int, since: int, most: int) -> list[tuple[str, int, str | None]]:
    """Return nodes that ended after a time and did not come back: node, when, uid of the session that ended it."""
    return conn.execute(_ENDED, (project, since, most)).fetchall()


def changed(
    conn: sqlite3.Connection, project: int, paths: Sequence[str], since: int, most: int
) -> list[tuple[str, int]]:
    """Return functions and methods of some files whose source changed after a time when they were there: node, when."""
    return conn.execute(_CHANGED, (project, orjson.dumps(list(paths)).decode(), since, most)).fetchall()


def _nodes(conn: sqlite3.Connection, sql: str, given: Mapping[str, object]) -> list[Node]:
    """Return nodes, each once: one may have had several symbols at a time (a rename of a file in between)."""
    found: dict[int, Node] = {}
    for row in conn.execute(sql, given):
        found.setdefault(row[0], Node(*row))
    return list(found.values())
