"""Projects: one per body of work, under its root and every other path that means the same."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import orjson

from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.store import blocks, claims, edges, entities, meta, sessions
from memd.store.uid import LISTED_CHARS, uuid7

_COLUMNS: Final = "p.id, p.uid, p.root, p.name"
_BY_ID: Final = f"SELECT {_COLUMNS} FROM projects p WHERE p.id = ?"  # noqa: S608 - constant columns
_BY_ROOT: Final = f"SELECT {_COLUMNS} FROM projects p WHERE p.root = ?"  # noqa: S608 - constant columns
_BY_ALIAS: Final = f"""
    SELECT {_COLUMNS} FROM project_aliases a JOIN projects p ON p.id = a.project_id WHERE a.path = ?
"""  # noqa: S608 - constant columns
_BY_NAME: Final = f"SELECT {_COLUMNS} FROM projects p WHERE p.name = ?1 OR p.uid = ?1 ORDER BY p.root"  # noqa: S608 - constant columns
_BY_PIECE: Final = f"""
    SELECT {_COLUMNS} FROM projects p
    WHERE substr(p.uid, 1, length(?1)) = ?1 OR substr(p.uid, -length(?1)) = ?1
        OR substr(p.uid, -{LISTED_CHARS}, length(?1)) = ?1
    ORDER BY p.root
"""  # noqa: S608 - constant columns
_PIECE: Final = re.compile(r"[0-9a-f-]{4,36}", re.ASCII)
"""Shorter or other words are names: one that no project has must not mean another by chance."""
_NAMES: Final = "SELECT uid, name FROM projects WHERE uid IN (SELECT value FROM json_each(?))"
_LIST: Final = f"""
    SELECT {_COLUMNS},
        (SELECT count(*) FROM sessions s WHERE s.project_id = p.id AND s.kind != 'subagent' AND s.messages > 0),
        (SELECT count(*) FROM facts f WHERE f.project_id = p.id AND f.status = 'current'),
        (SELECT max(s.last_at) FROM sessions s WHERE s.project_id = p.id) AS last_at
    FROM projects p ORDER BY last_at DESC, p.root
"""  # noqa: S608 - constant columns
_UNSEEN: Final = "SELECT root FROM projects p WHERE NOT EXISTS (SELECT 1 FROM sessions s WHERE s.project_id = p.id)"
_PATHS: Final = """
    SELECT root, root FROM projects UNION ALL
    SELECT a.path, p.root FROM project_aliases a JOIN projects p ON p.id = a.project_id
"""
_ALIASES: Final = "SELECT path FROM project_aliases WHERE project_id = ? ORDER BY path"
_CREATE: Final = """
    INSERT INTO projects (id, uid, root, name, created_at)
    SELECT 1 + max(ifnull(max(id), 0), ?), ?, ?, ?, ? FROM projects RETURNING id, uid, root, name
"""
_GONE: Final = "newest project that is gone"
"""The note of the highest row id of a project that is gone. SQLite would give it to the next
project (autoinc.html), and what began for the one that went, as looking through its tree, would end in that."""
_ADD_ALIAS: Final = "INSERT OR IGNORE INTO project_aliases (path, project_id) VALUES (?, ?)"
_FORGET_ALIAS: Final = "DELETE FROM project_aliases WHERE path = ?"
_RENAME: Final = "UPDATE projects SET name = ? WHERE id = ?"
_MOVE: Final = "UPDATE projects SET root = ?, name = ? WHERE id = ?"
_GIVE_GRAPH: Final = (
    "UPDATE entities SET project_id = ? WHERE project_id = ?",
    "UPDATE edges SET project_id = ? WHERE project_id = ?",
    "UPDATE prompts SET project_id = ? WHERE project_id = ?",
    "UPDATE forgotten SET project_id = ? WHERE project_id = ?",
)
_GIVE_SESSIONS: Final = "UPDATE sessions SET project_id = ? WHERE project_id = ?"
_GIVE_FACTS: Final = "UPDATE facts SET project_id = ? WHERE project_id = ?"
_GIVE_ALIASES: Final = "UPDATE project_aliases SET project_id = ? WHERE project_id = ?"
_GIVE_HANDOFFS: Final = "UPDATE handoffs SET project_id = ? WHERE project_id = ?"
_GIVE_INJECTIONS: Final = "UPDATE injections SET project_id = ? WHERE project_id = ?"
_GIVE_SOME: Final = tuple(
    f"UPDATE {table} SET project_id = ?1 WHERE id IN (SELECT id FROM {table} WHERE project_id = ?2 LIMIT ?3)"  # noqa: S608
    for table in ("edges", "prompts", "injections")
)
_DELETE: Final = "DELETE FROM projects WHERE id = ?"
_BELOW: Final = """
    SELECT id FROM sessions WHERE project_id = ?1 AND (cwd = ?2 OR substr(cwd, 1, length(?2) + 1) = ?2 || '/')
"""
_GIVE_ASKED: Final = "UPDATE prompts SET project_id = ?1 WHERE session_id = ?2"
_GIVE_GIVEN: Final = """
    UPDATE injections SET project_id = ?1
    WHERE (host, native_id) IN (SELECT host, native_id FROM sessions WHERE id = ?2)
"""
SPLIT: Final = "split:"
"""Before a folder it makes an alias: what lies below is a project of its own, whatever repository it is in."""


@dataclass(frozen=True, slots=True)
class ProjectCounts:
    """A project with what is known of it. `facts` counts current ones, `sessions` leaves agents' sessions out."""

    project: Project
    sessions: int
    facts: int
    last_at: int | None


def resolve(
    conn: sqlite3.Connection, root: Path | str, aliases: Iterable[Path | str], name: str, now_ms: int
) -> Project:
    """Return the project at a root, made now if there is none.

    `aliases` are other paths of the same project. One that is known already folds into it: a project found under an
    alias alone moves to `root`, and a project that has an alias as its root is merged into the one at `root`.
    """
    paths = [str(alias) for alias in aliases if str(alias) != str(root)]
    project = by_path(conn, root)
    if project is None:
        project = next((found for path in paths if (found := by_path(conn, path))), None)
        if project is None:
            gone = int(meta.get(conn, _GONE) or 0)
            project = Project(*conn.execute(_CREATE, (gone, uuid7(now_ms), str(root), name, now_ms)).fetchone())
        else:
            project = move(conn, project.id, root)
    for path in paths:
        if path == project.root:
            continue
        other = conn.execute(_BY_ROOT, (path,)).fetchone()
        if other is not None:
            merge(conn, other[0], into=project.id)
        conn.execute(_ADD_ALIAS, (path, project.id))
    return project


def names(conn: sqlite3.Connection, uids: Iterable[str]) -> dict[str, str]:
    """Return the names of projects by their uids."""
    return dict(conn.execute(_NAMES, (orjson.dumps(list(uids)).decode(),)))


def get(conn: sqlite3.Connection, project_id: int) -> Project:
    """Return the project of a row id. Raises NotFound."""
    row = conn.execute(_BY_ID, (project_id,)).fetchone()
    if row is None:
        raise NotFound("project", str(project_id))
    return Project(*row)


def by_path(conn: sqlite3.Connection, path: Path | str) -> Project | None:
    """Return the project whose root or alias a path is, None when there is none; folders below do not count."""
    row = conn.execute(_BY_ROOT, (str(path),)).fetchone() or conn.execute(_BY_ALIAS, (str(path),)).fetchone()
    return None if row is None else Project(*row)


def find(conn: sqlite3.Connection, name: str) -> Project:
    """Return the project a person means: by root, alias, name or uid, or how a uid begins or ends that only one has.

    What lists show of a uid may be shortened too.

    Raises NotFound, or BadParameter that lists the roots when several have the name.
    """
    project = by_path(conn, name)
    if project is not None:
        return project
    found = [Project(*row) for row in conn.execute(_BY_NAME, (name,))]
    if not found and _PIECE.fullmatch(name):
        found = [Project(*row) for row in conn.execute(_BY_PIECE, (name,))]
    if not found:
        raise NotFound("project", name)
    if len(found) > 1:
        roots = ", ".join(project.root for project in found)
        raise BadParameter("project", f"{name!r} could be any of {roots}; give its path")
    return found[0]


def list_projects(conn: sqlite3.Connection) -> tuple[ProjectCounts, ...]:
    """Return all projects, the one worked on last first."""
    return tuple(ProjectCounts(Project(*row[:4]), *row[4:]) for row in conn.execute(_LIST))


def unseen(conn: sqlite3.Connection) -> tuple[str, ...]:
    """Return the roots of projects in which no session took place: something was kept for them, or taken over."""
    return tuple(root for (root,) in conn.execute(_UNSEEN))


def paths(conn: sqlite3.Connection) -> dict[str, str]:
    """Return the root of the project that each known path, root or alias, belongs to."""
    return dict(conn.execute(_PATHS))


def aliases(conn: sqlite3.Connection, project_id: int) -> tuple[str, ...]:
    """Return the other paths of a project."""
    return tuple(path for (path,) in conn.execute(_ALIASES, (project_id,)))


def add_alias(conn: sqlite3.Connection, project_id: int, path: Path | str) -> None:
    """Let a path mean a project; a path that means another one stays with that."""
    conn.execute(_ADD_ALIAS, (str(path), project_id))


def forget_alias(conn: sqlite3.Connection, path: Path | str) -> None:
    """Let a path no longer mean the project of which it was another name."""
    conn.execute(_FORGET_ALIAS, (str(path),))


def below(conn: sqlite3.Connection, project_id: int, folder: Path | str) -> tuple[int, ...]:
    """Return the sessions of a project that began in a folder or below it, agents' among them."""
    return tuple(session for (session,) in conn.execute(_BELOW, (project_id, str(folder))))


def split(conn: sqlite3.Connection, folder: Path | str, name: str, now_ms: int) -> Project:
    """Return the project that a folder is from now on, made if there is none; sessions below it begin in it."""
    conn.execute(_FORGET_ALIAS, (str(folder),))
    project = resolve(conn, folder, (), name, now_ms)
    conn.execute(_ADD_ALIAS, (f"{SPLIT}{folder}", project.id))
    return project


def give_session(conn: sqlite3.Connection, session_id: int, to: int) -> None:
    """Let a session, with what was asked and given in it, be another project's; it is distilled again."""
    sessions.set_project(conn, session_id, to)
    for statement in (_GIVE_ASKED, _GIVE_GIVEN):
        conn.execute(statement, (to, session_id))


def rename(conn: sqlite3.Connection, project_id: int, name: str) -> None:
    """Give a project another name; its root stays."""
    conn.execute(_RENAME, (name, project_id))


def move(conn: sqlite3.Connection, project_id: int, root: Path | str) -> Project:
    """Let a project that was moved have another root; its former one stays an alias. Raises NotFound.

    A name that was the former folder's becomes the new folder's; one that somebody gave it stays.
    """
    project = get(conn, project_id)
    name = Path(root).name if project.name == Path(project.root).name else project.name
    conn.execute(_FORGET_ALIAS, (str(root),))
    conn.execute(_MOVE, (str(root), name or project.name, project_id))
    conn.execute(_ADD_ALIAS, (project.root, project_id))
    return get(conn, project_id)


def give_some(conn: sqlite3.Connection, project_id: int, *, into: int, most: int) -> bool:
    """Do a part of a merge that goes before it, so that it is short; tell whether there is more.

    What both know becomes one, and relations, prompts and what was given go over. Stopped half way, nothing is lost:
    the next merge goes on.
    """
    done = 0
    for gone, kept in entities.in_both(conn, project_id, into)[: most // 10]:
        edges.repoint(conn, gone.node, kept.node)
        entities.merge(conn, gone, kept)
        done += 1
    if not done:
        done = sum(conn.execute(statement, (into, project_id, most)).rowcount for statement in _GIVE_SOME)
    return done > 0


def merge(conn: sqlite3.Connection, project_id: int, *, into: int) -> None:
    """Make two projects one: sessions, facts, blocks, handoffs, paths and relations go to `into`.

    What both know by one name is one thing from then on. Raises NotFound.
    """
    project, target = get(conn, project_id), get(conn, into)
    if project == target:
        return
    claims.give(conn, project.id, to=target.id)
    for gone, kept in entities.in_both(conn, project.id, target.id):
        edges.repoint(conn, gone.node, kept.node)
        entities.merge(conn, gone, kept)
    for statement in (*_GIVE_GRAPH, _GIVE_SESSIONS, _GIVE_FACTS, _GIVE_ALIASES, _GIVE_HANDOFFS, _GIVE_INJECTIONS):
        conn.execute(statement, (target.id, project.id))
    blocks.give(conn, project.id, target.id, project.name)
    drop(conn, project.id)
    conn.execute(_ADD_ALIAS, (project.root, target.id))


def drop(conn: sqlite3.Connection, project_id: int) -> None:
    """Delete a project with its paths and whatever is kept under it; no other ever has its row id."""
    meta.put(conn, _GONE, str(max(project_id, int(meta.get(conn, _GONE) or 0))))
    conn.execute(_DELETE, (project_id,))
