"""A database of the first version that has been lived with keeps every row on its way to the newest one."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from memd.store import facts, files_written, maintenance, meta, projects, search
from memd.store.connection import connect_writer
from memd.store.migrate import migrate, migrations
from memd.text.tokens import match_query

NOW = 1_795_946_400_000
_FIRST_OF = re.compile(r"\b(\w+)\s+(?:IS NULL OR \w+ )?IN \(\s*'(\w+)'")


def _tables(conn: sqlite3.Connection) -> list[str]:
    """The tables of a database in an order in which they can be filled, those of its indexes left out."""
    found = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_fts%' ESCAPE '\\'"
    names = [name for (name,) in conn.execute(f"{found} AND name NOT LIKE 'sqlite%' ORDER BY rowid")]
    return [name for name in names if "VIRTUAL" not in _sql(conn, name)]


def _sql(conn: sqlite3.Connection, table: str) -> str:
    return str(conn.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (table,)).fetchone()[0])


def _fill(conn: sqlite3.Connection) -> None:
    """Put two rows into every table, each with something in every column; references lead to the row of that number."""
    for table in _tables(conn):
        allowed = dict(_FIRST_OF.findall(_sql(conn, table)))
        refers = {row[3] for row in conn.execute(f"PRAGMA foreign_key_list({table})")}
        columns = list(conn.execute(f"PRAGMA table_info({table})"))
        for number in (1, 2):
            values: list[Any] = []
            for _, name, kind, *_ in columns:
                if name in {"id", *refers}:
                    values.append(number)
                elif name in allowed:
                    values.append(allowed[name])
                elif kind == "TEXT":
                    values.append(f"{table} {name} {number}")
                elif _is_flag(_sql(conn, table), name):
                    values.append(1)
                else:
                    values.append(1.0 if kind == "REAL" else NOW + number)
            marks = ", ".join("?" * len(values))
            conn.execute(f"INSERT INTO {table} VALUES ({marks})", values)
    conn.execute("UPDATE messages SET text = 'The tide table is kept in SQLite', abandoned = 0 WHERE id = 1")
    conn.execute("UPDATE facts SET title = 'Tide table', body = 'Keep the tide table in SQLite' WHERE id = 1")
    conn.execute("UPDATE tool_calls SET output = 'barnacle not found' WHERE id = 1")
    conn.execute("DELETE FROM meta")


def _is_flag(sql: str, column: str) -> bool:
    return re.search(rf"\b{column} IN \(0, 1\)", sql) is not None


def _rows(conn: sqlite3.Connection, table: str, columns: list[str]) -> list[tuple[Any, ...]]:
    listed = ", ".join(f'"{column}"' for column in columns)
    return sorted(conn.execute(f"SELECT {listed} FROM {table}").fetchall(), key=str)


def test_every_row_of_the_first_version_is_there_in_the_newest_and_is_found(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    migrate(path, tmp_path / "backups", NOW, migrations()[:1])
    with closing(connect_writer(path)) as conn:
        conn.execute("BEGIN")
        _fill(conn)
        conn.execute("COMMIT")
        columns = {
            table: [row[1] for row in conn.execute(f"PRAGMA table_info({table})")]
            for table in _tables(conn)
            if table != "meta"
        }
        columns["sessions"].remove("distilled")  # all are distilled anew, by the rules there are now
        before = {table: _rows(conn, table, names) for table, names in columns.items()}
    assert all(len(rows) == 2 for rows in before.values())

    assert migrate(path, tmp_path / "backups", NOW).backup is not None

    with closing(connect_writer(path)) as conn:
        assert {table: _rows(conn, table, names) for table, names in columns.items()} == before
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        while maintenance.rebuild_some(conn):
            pass
        assert maintenance.stale(conn) == ()
        assert [row for row, *_ in search.messages(conn, match_query("tide"), search.Where(), 10)] == [1]
        assert [row for row, *_ in search.calls(conn, match_query("barnacle"), search.Where(), 10)] == [1]
        assert [row for (row,) in conn.execute("SELECT rowid FROM facts_fts WHERE facts_fts MATCH 'tide'")] == [1]
        assert facts.get(conn, 1).body == "Keep the tide table in SQLite"


def test_what_was_noted_of_handoffs_pages_and_imports_moves_into_their_tables(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    before = tuple(one for one in migrations() if one.number < 17)
    migrate(path, tmp_path / "backups", NOW, before)
    with closing(connect_writer(path)) as conn:
        conn.execute("BEGIN")
        project = projects.resolve(conn, Path("/work/harbor"), [], "harbor", NOW)
        for uid, status, origin in (
            ("a", "retracted", "user"),
            ("b", "retracted", "code"),
            ("c", "superseded", "user"),
        ):
            conn.execute(
                "INSERT INTO facts (uid, status, origin, kind, title, body, confidence, valid_from, valid_to,"
                " created_at, updated_at) VALUES (?, ?, ?, 'note', '', '', 1, 5, 9, 5, 9)",
                (uid, status, origin),
            )
        conn.execute("INSERT INTO imports VALUES ('memd', 'learnt/c', '', 'c', 1), ('memd', 'c', 'd', 'c', 1)")
        for uid in ("mine", "theirs"):
            conn.execute(
                "INSERT INTO handoffs (uid, project_id, text, at) VALUES (?, ?, 'mind the ebb', 1)", (uid, project.id)
            )
        meta.put(conn, "handoff_sessions", '{"theirs": "session-1", "long gone": "session-2"}')
        meta.put(conn, "project_pages", f'{{"{project.uid}": "/work/harbor/MEMORY.md"}}')
        conn.execute("COMMIT")

    migrate(path, tmp_path / "backups", NOW)

    with closing(connect_writer(path)) as conn:
        assert conn.execute("SELECT uid, valid_to, learnt_elsewhere FROM facts ORDER BY uid").fetchall() == [
            ("a", 5, 0), ("b", 9, 0), ("c", 9, 1),
        ]  # fmt: skip
        assert conn.execute("SELECT key FROM imports").fetchall() == [("c",)]
        assert conn.execute("SELECT uid, session FROM handoffs ORDER BY uid").fetchall() == [
            ("mine", None), ("theirs", "session-1"),
        ]  # fmt: skip
        assert files_written.pages(conn) == {project.uid: Path("/work/harbor/MEMORY.md")}
        assert [meta.get(conn, key) for key in ("handoff_sessions", "project_pages")] == [None, None]
