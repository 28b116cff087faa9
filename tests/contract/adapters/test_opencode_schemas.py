"""OpenCode's database in every schema that its migrations went through: read wherever they lie beside this checkout."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from memd.adapter import ReadLimits, Source
from memd.fold import fold, read_all
from memd_adapters.opencode import ADAPTER
from tests.contract.adapters.samples import BESIDE

MIGRATIONS = sorted((BESIDE / "opencode" / "1.18.33-migrations").glob("*.sql"))
T = 1_790_000_000_000
ROWS: Mapping[str, Mapping[str, object]] = {
    "project": {"id": "p", "worktree": "/home/ada/harbor", "sandboxes": "[]"},
    "session": {"id": "ses_1", "project_id": "p", "slug": "pier", "directory": "/home/ada/harbor", "title": "Lamps"},
    "message": {"id": "msg_1", "session_id": "ses_1", "data": json.dumps({"role": "user", "time": {"created": T}})},
    "part": {
        "id": "prt_1",
        "message_id": "msg_1",
        "session_id": "ses_1",
        "data": json.dumps({"type": "text", "text": "oil the lamps"}),
    },
}


def migrate(conn: sqlite3.Connection, path: Path) -> None:
    for statement in path.read_text().split("--> statement-breakpoint"):
        try:
            conn.executescript(statement)
        except sqlite3.OperationalError as error:
            assert "unrecognized token" in str(error)  # noqa: PT017 - one migration fills in names by a program


def insert(conn: sqlite3.Connection, table: str, given: Mapping[str, object]) -> None:
    """Insert a row with whatever columns the table has by now."""
    row: dict[str, object] = {}
    for _, name, kind, needed, default, _ in conn.execute(f"PRAGMA table_info({table})").fetchall():
        if name in given:
            row[name] = given[name]
        elif name.startswith("time_") and needed:
            row[name] = T
        elif needed and default is None:
            row[name] = 0 if "int" in kind.lower() else "x"
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    conn.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))


@pytest.mark.parametrize("count", range(1, len(MIGRATIONS) + 1))
def test_a_session_is_read_in_every_schema_there_was(tmp_path: Path, count: int) -> None:
    path = tmp_path / "opencode.db"
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA synchronous = OFF")
    for migration in MIGRATIONS[:count]:
        migrate(conn, migration)
    for table, given in ROWS.items():
        insert(conn, table, given)
    conn.commit()
    conn.close()
    (told,) = fold("opencode", read_all(ADAPTER, Source("opencode", path), ReadLimits())[0])
    assert (told.session.cwd, told.session.title) == ("/home/ada/harbor", "Lamps")
    assert [message.text for message in told.messages] == ["oil the lamps"]
