"""Rollouts as Codex writes them, made small: what the tests of its adapter are told in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Cursor, Event, ReadLimits, Source
from memd.fold import fold
from memd.model import Message, Session, ToolCall, Transcript
from memd_adapters.codex import ADAPTER

THREAD = "0c0dec00-0000-7000-8000-0000000000aa"
OTHER = "0c0dec00-0000-7000-8000-0000000000bb"
FOLDER = "/home/ada/harbor"


def turn_id(number: int) -> str:
    """Return the id of the n-th turn."""
    return f"0c0de000-0000-7000-8000-{number:012d}"


@dataclass
class Rollout:
    """A rollout being written; `paginated` gives the newest generation, else the second one."""

    thread: str = THREAD
    paginated: bool = False
    turn_ids: bool = True
    second: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)
    first_ordinal: int = 0
    turns: int = 0
    turn: str = ""

    def put(self, kind: str, payload: dict[str, Any]) -> None:
        """Append a row, one second later."""
        self.second += 1
        time = f"2026-04-01T10:{self.second // 60:02d}:{self.second % 60:02d}.000Z"
        ordinal = {"ordinal": self.first_ordinal + len(self.rows)} if self.paginated else {}
        self.rows.append({"timestamp": time, **ordinal, "type": kind, "payload": payload})

    def head(self, **fields: Any) -> None:
        """Append the head of the file."""
        mode = {"history_mode": "paginated"} if self.paginated else {}
        meta = {
            "id": self.thread,
            "timestamp": "2026-04-01T10:00:00.000Z",
            "cwd": FOLDER,
            "originator": "codex_cli_rs",
            "cli_version": "0.171.0" if self.paginated else "0.104.0" if self.turn_ids else "0.58.0",
            "git": {"branch": "main", "commit_hash": "0"},
        }
        self.put("session_meta", meta | mode | fields)

    def item(self, **payload: Any) -> None:
        """Append an item of the conversation with the model."""
        self.put("response_item", payload)

    def event(self, name: str, **fields: Any) -> None:
        """Append an event."""
        self.put("event_msg", {"type": name, **fields})

    def completed(self, kind: str, **fields: Any) -> None:
        """Append a completed item."""
        self.event("item_completed", thread_id=self.thread, turn_id=self.turn, item={"type": kind, **fields})

    def message(self, role: str, text: str, part: str = "input_text") -> None:
        """Append a message."""
        self.item(type="message", role=role, content=[{"type": part, "text": text}])

    def start(self, turn: str | None = None) -> None:
        """Begin a turn."""
        self.turns += 1
        if self.turn_ids:
            self.turn = turn or turn_id(self.turns)
            self.event("task_started", turn_id=self.turn)
        context = {"cwd": FOLDER, "model": "gpt-6-codex"} | ({"turn_id": self.turn} if self.turn_ids else {})
        self.put("turn_context", context)

    def ask(self, text: str, turn: str | None = None) -> None:
        """Begin a turn with a prompt."""
        self.start(turn)
        self.message("user", text)
        if self.paginated:
            self.completed("UserMessage", id=f"u{len(self.rows)}", content=[{"type": "text", "text": text}])
        else:
            self.event("user_message", message=text, images=[])

    def say(self, text: str) -> None:
        """Append an answer, twice as the host does."""
        if self.paginated:
            self.completed("AgentMessage", id=f"m{len(self.rows)}", content=[{"type": "Text", "text": text}])
        else:
            self.event("agent_message", message=text)
        self.message("assistant", text, "output_text")

    def end(self) -> None:
        """End the turn."""
        self.event("task_complete", turn_id=self.turn)

    def call(self, call_id: str, name: str, given: dict[str, Any], **fields: Any) -> None:
        """Append a function call."""
        self.item(type="function_call", name=name, arguments=json.dumps(given), call_id=call_id, **fields)

    def output(self, call_id: str, output: Any, kind: str = "function_call_output") -> None:
        """Append what a call gave back."""
        self.item(type=kind, call_id=call_id, output=output)

    def lines(self) -> bytes:
        """Return the rows as a file's content."""
        return b"".join(_line(row) for row in self.rows)

    def write(self, folder: Path, name: str | None = None) -> Path:
        """Write the file where Codex would."""
        name = name or f"rollout-2026-04-01T12-00-00-{self.thread}.jsonl"
        path = folder / "sessions" / "2026" / "04" / "01" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.lines())
        return path

    def copy(self) -> Rollout:
        """Return a rollout that goes on from here by itself."""
        return Rollout(
            self.thread, self.paginated, self.turn_ids, self.second, list(self.rows), 0, self.turns, self.turn
        )

    def fork(self, thread: str = OTHER, *, replay_at: int = 600, **fields: Any) -> Rollout:
        """Return a fork: its own head, then all rows of this one again, within one second."""
        child = Rollout(thread, self.paginated, self.turn_ids, replay_at, [], 0, self.turns + 100)
        child.head(**fields)
        for number, row in enumerate(self.rows):
            child.rows.append(row | {"timestamp": f"2026-04-01T10:{replay_at // 60:02d}:01.{number:03d}Z"})
        child.second += 5
        return child


def _line(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def bare(*rows: dict[str, Any], thread: str = THREAD) -> bytes:
    """Return a file of the first generation."""
    head: dict[str, Any] = {
        "id": thread,
        "timestamp": "2025-08-01T10:00:00.000Z",
        "instructions": None,
        "git": {"branch": "main"},
    }
    return b"".join(_line(row) for row in (head, {"record_type": "state"}, *rows))


def source_of(path: Path) -> Source:
    """Return the source a file is, by its content."""
    source = ADAPTER.recognise(path, path.read_bytes()[:65536])
    assert source is not None
    return source


def read(*paths: Path, limits: ReadLimits | None = None) -> tuple[list[Event], Counter[str]]:
    """Return the events of files and what was passed over."""
    events: list[Event] = []
    skipped: Counter[str] = Counter()
    for path in paths:
        cursor: Cursor | None = None
        more = True
        while more:
            batch = ADAPTER.read(source_of(path), cursor, limits or ReadLimits())
            events += batch.events
            skipped.update(batch.skipped)
            cursor, more = batch.cursor, batch.more
    return events, skipped


@dataclass(frozen=True)
class Told:
    """What files tell."""

    transcripts: tuple[Transcript, ...]
    skipped: Counter[str]

    @property
    def only(self) -> Transcript:
        """The only session."""
        (transcript,) = self.transcripts
        return transcript

    @property
    def session(self) -> Session:
        """What is known of the only session."""
        return self.only.session

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages of the only session."""
        return self.only.messages

    @property
    def calls(self) -> list[ToolCall]:
        """The tool calls of the only session."""
        return [call for message in self.messages for call in message.tool_calls]

    def texts(self, kind: str) -> list[str]:
        """The texts of one kind in the only session."""
        return [message.text for message in self.messages if message.kind == kind]

    def of(self, thread: str) -> Transcript:
        """The session of an id."""
        return next(transcript for transcript in self.transcripts if transcript.session.native_id == thread)


def tell(*paths: Path) -> Told:
    """Return what files tell together."""
    events, skipped = read(*paths)
    return Told(fold("codex", events), skipped)


def tell_rows(folder: Path, rollout: Rollout) -> Told:
    """Return what one rollout tells."""
    return tell(rollout.write(folder))


GENERATIONS = [
    pytest.param({"turn_ids": False}, id="envelope-without-turn-ids"),
    pytest.param({}, id="envelope"),
    pytest.param({"paginated": True}, id="paginated"),
]
every_generation = pytest.mark.parametrize("shape", GENERATIONS)


def conversation(shape: dict[str, Any]) -> Rollout:
    """Return a thread with one prompt, a call and two answers, among what the host says of its own."""
    rollout = Rollout(**shape)
    rollout.head()
    rollout.message("developer", "<permissions instructions>\nwrite anywhere</permissions instructions>")
    rollout.message(
        "user", "# AGENTS.md instructions for /home/ada/harbor\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
    )
    rollout.message("user", f"<environment_context>\n  <cwd>{FOLDER}</cwd>\n</environment_context>")
    rollout.ask("make f return 2")
    rollout.item(type="reasoning", summary=[{"type": "summary_text", "text": "Look first."}], encrypted_content="gAAA")
    rollout.say("Looking.")
    rollout.call("c1", "exec_command", {"cmd": "cat f.py"})
    rollout.output("c1", "Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nreturn 1\n")
    rollout.say("Done.")
    rollout.end()
    return rollout
