"""Record the decision with every client, for tests/fixtures: ``python -m tests.hosts.record_hosts [HOST...]``.

The temporary home is written as /home/ada. Text that belongs to the program (system prompts, the machine's description)
is cut in its middle. OpenCode's and Kilo's databases are written as the SQL that makes the tables a session stands in.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from tests.hosts import stories
from tests.hosts.client import Client
from tests.hosts.clients import CLIENTS
from tests.hosts.machine import HOSTS_DIR
from tests.hosts.seat import Seat, seat

FIXTURES: Final = Path(__file__).parents[1] / "fixtures"
HOME: Final = "/home/ada"
STORY: Final = "decision"
WRITTEN: Final = {
    "codex": ".codex/sessions/**/*.jsonl",
    "copilot": ".copilot/session-state/*/[ew]*.*",
    "opencode": ".local/share/opencode/opencode.db",
    "kilo": ".local/share/kilo/kilo.db",
    "gemini": ".gemini/tmp/harbor/**/*",
    "qwen": ".qwen/projects/**/*.jsonl",
    "cline": ".cline/data/sessions/**/*.json",
    "continue": ".continue/sessions/*.json",
    "aider": "harbor/.aider.*.history*",
}
"""What each client writes of a session, below the home."""

_LONGEST: Final = 600
_KEPT: Final = 120
_TABLES: Final = ("project", "session", "message", "part")


def folder_of(client: Client) -> Path:
    """Where the recording of a client lies."""
    return FIXTURES / client.host / client.package.version / STORY


def record(client: Client) -> None:
    """Tell the story and take it up once more; leave what the client wrote."""
    with seat(client) as at:
        at.ask(stories.DECISION)
        at.go_on(stories.FOLLOW_UP)
        target = folder_of(client)
        shutil.rmtree(target, ignore_errors=True)
        for path in sorted(filter(Path.is_file, at.machine.home.glob(WRITTEN[client.host]))):
            copy = target / _scrubbed(at, str(path.relative_to(at.machine.home)))
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.with_suffix(".sql" if path.suffix == ".db" else path.suffix).write_text(_scrubbed(at, _told(path)))


def _told(path: Path) -> str:
    match path.suffix:
        case ".db":
            return "".join(f"{line}\n" for line in _sql(path))
        case ".jsonl":
            rows = [json.loads(line) for line in path.read_text().splitlines()]
            return "".join(f"{json.dumps(_cut(row), ensure_ascii=False, separators=(',', ':'))}\n" for row in rows)
        case ".json":
            return json.dumps(_cut(json.loads(path.read_text())), ensure_ascii=False, indent=1) + "\n"
        case _:
            return path.read_text()


def _sql(path: Path) -> Iterator[str]:
    """The tables, their rows and indexes, in statements of one line; long values are cut as elsewhere."""
    with closing(sqlite3.connect(path)) as database:
        for table in _TABLES:
            (made,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
            yield " ".join(made.split()) + ";"
            for row in database.execute(f"SELECT * FROM {table} ORDER BY rowid"):
                yield f"INSERT INTO {table} VALUES({', '.join(_literal(value) for value in row)});"
            indexes = "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL"
            yield from (f"{' '.join(made.split())};" for (made,) in database.execute(indexes, (table,)))


def _literal(value: object) -> str:
    match value:
        case None:
            return "NULL"
        case str() if value.startswith("{"):
            text = json.dumps(_cut(json.loads(value)), ensure_ascii=False, separators=(",", ":"))
        case str():
            text = value
        case _:
            return str(value)
    return "'" + text.replace("'", "''") + "'"


def _cut(value: object) -> object:
    match value:
        case str() if len(value) > _LONGEST:
            return f"{value[:_KEPT]}(cut){value[-_KEPT:]}"
        case list():
            return [_cut(one) for one in value]
        case dict():
            return {key: _cut(one) for key, one in value.items()}
        case _:
            return value


def _scrubbed(at: Seat, text: str) -> str:
    for real, invented in (
        (str(at.machine.home), HOME),
        (str(at.machine.home).replace("/", "-").replace("_", "-"), HOME.replace("/", "-")),
        (str(HOSTS_DIR / "aider" / "bin"), f"{HOME}/.local/bin"),
        (at.model.url, "http://127.0.0.1:8080"),
    ):
        text = text.replace(real, invented)
    return text


def main() -> None:
    """Record the hosts named, or every one, in the folder of the pinned version."""
    for client in CLIENTS:
        if client.host not in (sys.argv[1:] or WRITTEN):
            continue
        if client.package.missing:
            raise SystemExit(client.package.missing)
        record(client)
        print(f"{client.title} {client.package.version}: {sum(1 for _ in folder_of(client).rglob('*.*'))} files")


if __name__ == "__main__":
    main()
