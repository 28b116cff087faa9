"""Spans: the row ids between which a session or a project lies, and how a search tells which rows are a project's.

Both save a search something and cut nothing off: what is looked for so is found as if all rows were looked at.
"""

from __future__ import annotations

import sqlite3
from typing import Final, Literal, TypeAlias

Table: TypeAlias = Literal["messages", "tool_calls"]

_SIZE: Final = "SELECT ifnull(sum(messages), 0) FROM sessions WHERE project_id = ?"
_OF_SESSION: Final = "SELECT min(id), max(id) FROM {table} WHERE session_id = ?"
_OF_PROJECT: Final = """
    SELECT min(m.id), max(m.id) FROM sessions s JOIN {table} m ON m.session_id = s.id WHERE s.project_id = ?
"""
_APART: Final = """
    SELECT abs(
        (SELECT max(id) FROM {table} WHERE session_id = (SELECT max(id) FROM sessions WHERE project_id = ?1))
        - (SELECT min(id) FROM {table} WHERE session_id = (SELECT min(id) FROM sessions WHERE project_id = ?1))
    ) * 2 > (SELECT max(id) FROM {table})
"""
_CLOSE: Final = 10_000
"""Messages up to which a project's rows are gone through to know between which they lie."""
_LISTED: Final = 50_000
"""Messages up to which a project's rows are listed before the search, instead of looking at each row that is found."""
_EVERYWHERE: Final = (0, (1 << 63) - 1)
_NOWHERE: Final = (0, -1)


def size_of(conn: sqlite3.Connection, project_id: int | None) -> int:
    """Return how many messages a project has, 0 for None."""
    return 0 if project_id is None else int(conn.execute(_SIZE, (project_id,)).fetchone()[0])


def to_search(
    conn: sqlite3.Connection, table: Table, session_id: int | None, project_id: int | None
) -> tuple[int, int, int | None, int | None]:
    """Return rows between which all lies of a session, a project or everything, and how the project's are told.

    The third is the project if its rows are to be listed before the search, the fourth if each row that is found is to
    be asked for it; the other is None, and both are without a project.
    """
    size = size_of(conn, project_id)
    listed = project_id if size <= _LISTED else None
    return (*between(conn, table, session_id, project_id, size), listed, project_id if listed is None else None)


def between(
    conn: sqlite3.Connection, table: Table, session_id: int | None, project_id: int | None, size: int
) -> tuple[int, int]:
    """Return rows between which all lies of a session, else of a project with `size` messages, else of everything."""
    if session_id is not None:
        return of_session(conn, table, session_id)
    return _EVERYWHERE if project_id is None else of_project(conn, table, project_id, size)


def of_session(conn: sqlite3.Connection, table: Table, session_id: int) -> tuple[int, int]:
    """Return the first and the last row of a session (row id)."""
    return _found(conn.execute(_OF_SESSION.format(table=table), (session_id,)).fetchone())


def of_project(conn: sqlite3.Connection, table: Table, project_id: int, size: int) -> tuple[int, int]:
    """Return rows between which all of a project lie that has `size` messages; of a large project that is anywhere.

    So it is of one whose first and last session (by row id) are far apart already: to know it exactly would take
    longer than it saves.
    """
    if size > _CLOSE or conn.execute(_APART.format(table=table), (project_id,)).fetchone()[0]:
        return _EVERYWHERE
    return _found(conn.execute(_OF_PROJECT.format(table=table), (project_id,)).fetchone())


def _found(row: tuple[int | None, int | None]) -> tuple[int, int]:
    first, last = row
    return _NOWHERE if first is None or last is None else (first, last)
