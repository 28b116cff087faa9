"""A stand-in for Cursor at its stores: it writes rows of the editor's database and blobs of a chat store."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from memd.adapter import Cursor, Event, ReadLimits, Source
from memd.fold import fold
from memd.model import Transcript
from memd_adapters.cursor import ADAPTER

START = 1_788_000_000_000


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("PRAGMA journal_mode = WAL")
    conn.execute("PRAGMA wal_autocheckpoint = 0")
    conn.execute("PRAGMA busy_timeout = 0")
    return conn


class Editor:
    """A `state.vscdb`."""

    def __init__(self, path: Path, *, headers: bool = False) -> None:
        self.path = path
        self.conn = _open(path)
        for table in ("ItemTable", "cursorDiskKV"):
            self.conn.execute(f"CREATE TABLE {table} (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB)")
        if headers:
            self.conn.execute(
                "CREATE TABLE composerHeaders (composerId TEXT PRIMARY KEY, workspaceId TEXT, createdAt INTEGER,"
                " isSubagent INTEGER, value TEXT)"
            )

    def close(self) -> None:
        self.conn.close()

    def put(self, key: str, value: object, table: str = "cursorDiskKV") -> None:
        text = None if value is None else json.dumps(value)
        self.conn.execute(f"INSERT INTO {table} (key, value) VALUES (?, ?)", (key, text))

    def composer(self, composer: str, bubbles: Sequence[str], **data: object) -> None:
        headers = [{"bubbleId": bubble, "type": 1 if bubble.startswith("u") else 2} for bubble in bubbles]
        row = {
            "composerId": composer,
            "createdAt": START,
            "status": "completed",
            "fullConversationHeadersOnly": headers,
        }
        self.put(f"composerData:{composer}", {**row, **data})

    def bubble(self, composer: str, bubble: str, text: str = "", **data: object) -> None:
        row = {"bubbleId": bubble, "type": 1 if bubble.startswith("u") else 2, "text": text}
        self.put(f"bubbleId:{composer}:{bubble}", {**row, **data})

    def header(self, composer: str, value: Mapping[str, object]) -> None:
        self.conn.execute(
            "INSERT INTO composerHeaders (composerId, isSubagent, value) VALUES (?, 0, ?)",
            (composer, json.dumps(value)),
        )


class ChatStore:
    """A `store.db`; roots are lists of the blobs that were put before."""

    def __init__(self, folder: Path, about: Mapping[str, object] | None = None) -> None:
        self.path = folder / "store.db"
        self.conn = _open(self.path)
        self.conn.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
        self.conn.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
        if about is not None:
            (folder / "meta.json").write_text(json.dumps(about))

    def close(self) -> None:
        self.conn.close()

    def put(self, raw: bytes) -> str:
        digest = hashlib.sha256(raw).hexdigest()
        self.conn.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (digest, raw))
        return digest

    def message(self, role: str, content: object, **row: object) -> str:
        return self.put(json.dumps({"role": role, "content": content, **row}).encode())

    def prompt(self, text: str) -> str:
        return self.message("user", [{"type": "text", "text": f"<user_query>\n{text}\n</user_query>"}])

    def root(self, messages: Sequence[str], folder: str = "/home/ada/harbor", **meta: object) -> str:
        raw = b"".join(b"\x0a\x20" + bytes.fromhex(message) for message in messages)
        uri = f"file://{folder}".encode()
        root = self.put(raw + bytes((0x4A, len(uri))) + uri)
        value = json.dumps({"latestRootBlobId": root, "name": "Lamps", "createdAt": START, **meta})
        self.conn.execute("INSERT OR REPLACE INTO meta VALUES ('0', ?)", (value.encode().hex(),))
        return root


def write_rows(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return path


def user(text: str, stamp: str = "") -> Mapping[str, object]:
    before = f"<timestamp>{stamp}</timestamp>\n" if stamp else ""
    said = {"type": "text", "text": f"{before}<user_query>\n{text}\n</user_query>"}
    return {"role": "user", "message": {"content": [said]}}


def assistant(*blocks: str | tuple[str, object]) -> Mapping[str, object]:
    content = [
        {"type": "text", "text": block} if isinstance(block, str) else
        {"type": "tool_use", "name": block[0], "input": block[1]}
        for block in blocks
    ]  # fmt: skip
    return {"role": "assistant", "message": {"content": content}}


class Reader:
    """Reads a source on and on, as capture does."""

    def __init__(self, path: Path, session: str | None = None, batch_bytes: int = 1 << 20) -> None:
        self.source = Source("cursor", path, session)
        self.limits = ReadLimits(batch_bytes=batch_bytes)
        self.cursor: Cursor | None = None
        self.events: list[Event] = []
        self.skipped: dict[str, int] = {}

    def read(self) -> list[Event]:
        """Read to the end and return what was new."""
        new: list[Event] = []
        more = True
        while more:
            batch = ADAPTER.read(self.source, self.cursor, self.limits)
            self.cursor, more = batch.cursor, batch.more
            new += batch.events
            for reason, count in batch.skipped.items():
                self.skipped[reason] = self.skipped.get(reason, 0) + count
        self.events += new
        return new

    def told(self) -> dict[str, Transcript]:
        """Return the sessions as they are by now."""
        return {transcript.session.native_id: transcript for transcript in fold("cursor", self.events)}
