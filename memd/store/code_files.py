"""Code files: what the files of a project say, as the code graph keeps it. Facts are bytes here; what is in them is not
the store's to know.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import orjson

Connection: TypeAlias = sqlite3.Connection

UNCOMMITTED: Final = "uncommitted"
"""What stands for a commit where a file has a content that none has."""

_TREE: Final = "SELECT root, head, looked_at, skipped, error, reading FROM code_trees WHERE project_id = ?"
_SET_TREE: Final = """
    INSERT INTO code_trees (project_id, root, head, looked_at, skipped, error, reading) VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (project_id) DO UPDATE SET root = excluded.root, head = excluded.head, looked_at = excluded.looked_at,
        skipped = excluded.skipped, error = excluded.error, reading = excluded.reading
"""
_PATHS: Final = "SELECT path, digest FROM code_files WHERE project_id = ? ORDER BY path"
_FACTS: Final = "SELECT facts, digest FROM code_files WHERE project_id = ? AND path = ?"
_UNRESOLVED_FILES: Final = "SELECT path FROM code_files WHERE project_id = ? AND resolved = 0 ORDER BY path"
_UNCREDITED: Final = """
    SELECT path, digest FROM code_files WHERE project_id = ?1 AND resolved = 0 AND made_in IS NULL AND by_session = 0
    UNION ALL SELECT path, digest FROM code_files WHERE project_id = ?1 AND made_in = 'uncommitted' LIMIT ?2
"""
_DEFINING: Final = """
    SELECT f.path, d.ord FROM code_definitions d JOIN code_files f ON f.id = d.file_id
    WHERE d.project_id = ? AND d.name = ? ORDER BY f.path, d.ord
"""
_MENTIONING: Final = """
    SELECT DISTINCT f.path FROM code_mentions m JOIN code_files f ON f.id = m.file_id
    WHERE m.project_id = ?1 AND m.name IN (SELECT value FROM json_each(?2)) ORDER BY f.path
"""
_CONFIGS: Final = "SELECT path, content FROM code_configs WHERE project_id = ? ORDER BY path"
_FORGET_CONFIGS: Final = "DELETE FROM code_configs WHERE project_id = ?"
_ADD_CONFIG: Final = "INSERT INTO code_configs (project_id, path, content) VALUES (?, ?, ?)"
_UNRESOLVE: Final = """
    UPDATE code_files SET resolved = 0 WHERE project_id = ?1 AND path IN (SELECT value FROM json_each(?2))
"""
_COUNTS: Final = """
    SELECT language, count(*), sum(lines), sum(resolved = 0) FROM code_files WHERE project_id = ?
    GROUP BY language ORDER BY language
"""


@dataclass(frozen=True, slots=True)
class Tree:
    """How far the code of a project was looked through. `looked_at` None: never as a whole.

    `reading` is the number of the way in which its sources were read.
    """

    root: str
    head: str | None
    looked_at: int | None
    skipped: dict[str, int]
    error: str | None
    reading: int = 0


@dataclass(frozen=True, slots=True)
class LanguageCount:
    """How much a project has in one language; `waiting` files have edges of an older state."""

    language: str
    files: int
    lines: int
    waiting: int


def tree(conn: sqlite3.Connection, project: int) -> Tree | None:
    """Return how far a project was looked through, None where never."""
    row = conn.execute(_TREE, (project,)).fetchone()
    return None if row is None else Tree(row[0], row[1], row[2], orjson.loads(row[3]), row[4], row[5])


def save_tree(conn: sqlite3.Connection, project: int, tree: Tree) -> None:
    """Keep how far a project was looked through."""
    skipped = orjson.dumps(tree.skipped, option=orjson.OPT_SORT_KEYS).decode()
    conn.execute(_SET_TREE, (project, tree.root, tree.head, tree.looked_at, skipped, tree.error, tree.reading))


def digests(conn: sqlite3.Connection, project: int) -> dict[str, bytes]:
    """Return the digest of each file that is kept, by its path."""
    return dict(conn.execute(_PATHS, (project,)))


def facts(conn: sqlite3.Connection, project: int, path: str) -> tuple[bytes, bytes] | None:
    """Return the facts of a file and the digest they were made of, None where there is none."""
    row = conn.execute(_FACTS, (project, path)).fetchone()
    return None if row is None else (row[0], row[1])


def waiting(conn: sqlite3.Connection, project: int) -> list[str]:
    """Return the files whose edges are those of an older state."""
    return [path for (path,) in conn.execute(_UNRESOLVED_FILES, (project,))]


def uncredited(conn: sqlite3.Connection, project: int, most: int = -1) -> dict[str, bytes]:
    """Return the files, with their digests, that no session changed and of which no commit is known that did."""
    return dict(conn.execute(_UNCREDITED, (project, most)))


def defining(conn: sqlite3.Connection, project: int, name: str) -> Iterator[tuple[str, int]]:
    """Yield path and place in the file's facts of each symbol of a name."""
    yield from conn.execute(_DEFINING, (project, name))


def mentioning(conn: sqlite3.Connection, project: int, names: Iterable[str]) -> list[str]:
    """Return the files that mention one of some names."""
    listed = orjson.dumps(sorted(names)).decode()
    return [path for (path,) in conn.execute(_MENTIONING, (project, listed))]


def configs(conn: sqlite3.Connection, project: int) -> dict[str, bytes]:
    """Return the files that module systems read, by path."""
    return dict(conn.execute(_CONFIGS, (project,)))


def save_configs(conn: sqlite3.Connection, project: int, contents: Mapping[str, bytes]) -> bool:
    """Keep the files that module systems read; tell whether they are others than before."""
    if configs(conn, project) == dict(contents):
        return False
    conn.execute(_FORGET_CONFIGS, (project,))
    conn.executemany(_ADD_CONFIG, ((project, path, content) for path, content in sorted(contents.items())))
    return True


def unresolve(conn: sqlite3.Connection, project: int, paths: Sequence[str]) -> None:
    """Have the edges of some files made anew."""
    conn.execute(_UNRESOLVE, (project, orjson.dumps(list(paths)).decode()))


def counts(conn: sqlite3.Connection, project: int) -> tuple[LanguageCount, ...]:
    """Return how much there is of each language."""
    return tuple(LanguageCount(*row) for row in conn.execute(_COUNTS, (project,)))
