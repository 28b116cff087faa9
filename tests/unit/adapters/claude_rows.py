"""Rows as Claude Code writes them, made small: what the tests of its adapter are told in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memd.adapter import Batch, Cursor, Event, ReadLimits, Source
from memd.fold import fold
from memd.model import Message, Session, Transcript
from memd_adapters.claude_code import ADAPTER

SESSION = "0a11ce00-0000-4000-8000-0000000000aa"
OTHER = "0a11ce00-0000-4000-8000-0000000000bb"


def row_id(number: int) -> str:
    """Return the id of the n-th row."""
    return f"00000000-0000-4000-8000-{number:012d}"


@dataclass
class Rows:
    """A session being written; every call appends a row and returns its id."""

    session: str = SESSION
    version: str = "2.1.332"
    cwd: str = "/home/ada/harbor"
    first: int = 1
    rows: list[dict[str, Any]] = field(default_factory=list)
    leaf: str | None = None
    clock: int = 0

    def put(self, kind: str, **fields: Any) -> str:
        """Append a row of the tree below the last one, unless `parentUuid` says otherwise."""
        number = self.first + len(self.rows)
        self.clock += 1
        row = {
            "parentUuid": self.leaf,
            "isSidechain": False,
            "type": kind,
            "uuid": row_id(number),
            "timestamp": f"2026-04-01T10:{self.clock // 60:02d}:{self.clock % 60:02d}.000Z",
            "cwd": self.cwd,
            "sessionId": self.session,
            "version": self.version,
            "gitBranch": "main",
        } | fields
        self.rows.append({key: value for key, value in row.items() if value != "absent"})
        self.leaf = row["uuid"]
        return str(self.leaf)

    def note(self, kind: str, **fields: Any) -> None:
        """Append a row outside the tree."""
        self.rows.append({"type": kind, "sessionId": self.session} | fields)

    def user(self, content: Any, **fields: Any) -> str:
        """Append a user row."""
        return self.put("user", message={"role": "user", "content": content}, **fields)

    def reply(self, text: str, *, message: str = "", **fields: Any) -> str:
        """Append a text block of the model."""
        return self.block({"type": "text", "text": text}, message=message, **fields)

    def block(self, *blocks: dict[str, Any], message: str = "", model: str = "claude-opus-5-5", **fields: Any) -> str:
        """Append content blocks of the model."""
        said = {"role": "assistant", "model": model, "content": list(blocks)}
        if message != "none":
            said["id"] = message or f"msg_{self.first + len(self.rows)}"
        return self.put("assistant", message=said, **fields)

    def call(self, call_id: str, name: str, given: dict[str, Any], *, message: str = "", **fields: Any) -> str:
        """Append a tool call."""
        return self.block({"type": "tool_use", "id": call_id, "name": name, "input": given}, message=message, **fields)

    def result(
        self, call_id: str, content: Any, details: Any = None, *, failed: bool | None = None, **fields: Any
    ) -> str:
        """Append the result of a tool call."""
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if failed is not None:
            block["is_error"] = failed
        more = {} if details is None else {"toolUseResult": details}
        return self.put("user", message={"role": "user", "content": [block]}, **more, **fields)

    def lines(self) -> bytes:
        """Return the rows as a file's content."""
        return b"".join(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in self.rows)

    def write(self, folder: Path, name: str | None = None) -> Path:
        """Write the file where Claude Code would."""
        path = folder / "projects" / "-home-ada-harbor" / (name or f"{self.session}.jsonl")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.lines())
        return path


def source_of(path: Path) -> Source:
    """Return the source a file is, by its content."""
    source = ADAPTER.recognise(path, path.read_bytes()[:65536])
    assert source is not None
    return source


def read_on(source: Source, cursor: Cursor | None = None, limits: ReadLimits | None = None) -> list[Batch]:
    """Read until there is no more; return the batches."""
    batches = [ADAPTER.read(source, cursor, limits or ReadLimits())]
    while batches[-1].more:
        batches.append(ADAPTER.read(source, batches[-1].cursor, limits or ReadLimits()))
    return batches


def events_of(batches: list[Batch]) -> list[Event]:
    """Return the events of batches."""
    return [event for batch in batches for event in batch.events]


@dataclass(frozen=True)
class Told:
    """What a file tells."""

    transcripts: tuple[Transcript, ...]
    skipped: Counter[str]

    @property
    def session(self) -> Session:
        """The only session."""
        (transcript,) = self.transcripts
        return transcript.session

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the only session."""
        (transcript,) = self.transcripts
        return transcript.messages

    def texts(self, kind: str) -> list[str]:
        """Return the texts of the messages of a kind."""
        return [message.text for message in self.messages if message.kind == kind]


def tell_file(*paths: Path, limits: ReadLimits | None = None) -> Told:
    """Read files one after another and fold what they tell."""
    events: list[Event] = []
    skipped: Counter[str] = Counter()
    for path in paths:
        batches = read_on(source_of(path), limits=limits)
        events += events_of(batches)
        for batch in batches:
            skipped.update(batch.skipped)
    return Told(fold("claude_code", events), skipped)


def turn(rows: Rows, asked: str = "do it", said: str = "done") -> None:
    """Append a prompt and its answer."""
    rows.user(asked, origin={"kind": "human"}, promptSource="typed")
    rows.reply(said)
