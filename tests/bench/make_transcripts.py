"""Writes a folder of Claude Code transcripts that look like months of real work, for measuring.

    python tests/bench/make_transcripts.py DIR --mb 200 --sessions 400

Rows have the kinds, the sizes (median about 2 KB) and the repetitions of real ones: request shapes of 70 KB,
attachments, tool results written twice (for the model and for the host), edits with the whole file before them. The
same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import random
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

import orjson

Row: TypeAlias = dict[str, object]

PROJECTS: Final = ("harbor", "ledger", "kite", "lantern", "orchard")
TOPICS: Final = ("retry policy", "login form", "CSV import", "cache key", "release script", "flaky test", "search page")
WORDS: Final = (
    "the parser keeps a cursor for each file and reads only what is new since the last time so that nothing is lost "
    "when the process stops we decided to use a queue because the lock was held too long and the tests now pass on "
    "both machines the cause was a missing index on the table of events fix the import and run pytest again with the "
    "flag that shows durations return None if value is empty else value.strip() raise ValueError for key in mapping"
).split()
_START: Final = datetime(2026, 3, 1, 8, 0, tzinfo=UTC)
_VERSION: Final = "2.1.332"
_MODEL: Final = "claude-opus-5-5"


@dataclass(slots=True)
class Writer:
    """One session being written."""

    session: str
    cwd: str
    rng: random.Random
    now: datetime
    parent: str | None = None
    lines: list[bytes] = field(default_factory=list)
    size: int = 0
    turn: int = 0

    def put(self, row: Row) -> None:
        """Append a row."""
        line = orjson.dumps(row) + b"\n"
        self.lines.append(line)
        self.size += len(line)

    def chain(self, kind: str, body: Row) -> str:
        """Append a row of the conversation's tree and return its id."""
        self.now += timedelta(milliseconds=self.rng.randint(40, 9000))
        row_id = self.id()
        self.put(
            {"parentUuid": self.parent, "isSidechain": False}
            | body
            | {
                "type": kind,
                "uuid": row_id,
                "timestamp": self.now.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
                "userType": "external",
                "entrypoint": "cli",
                "cwd": self.cwd,
                "sessionId": self.session,
                "version": _VERSION,
                "gitBranch": "main",
            }
        )
        self.parent = row_id
        return row_id

    def id(self) -> str:
        """Return the next random id."""
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def note(self, kind: str, **fields: object) -> None:
        """Append a row outside the tree."""
        self.put({"type": kind, "sessionId": self.session} | fields)

    def words(self, low: int, high: int) -> str:
        """Return some words."""
        return " ".join(self.rng.choices(WORDS, k=self.rng.randint(low, high)))

    def code(self, lines: int) -> str:
        """Return something of the shape of code."""
        return "\n".join("    " * self.rng.randint(0, 3) + self.words(4, 12) for _ in range(lines)) + "\n"


def write_tree(folder: Path, megabytes: float, sessions: int, seed: int = 7) -> int:
    """Write about so many megabytes as so many session files below `folder/projects`; return the bytes written."""
    rng = random.Random(seed)
    each = int(megabytes * 1e6 / sessions)
    total = 0
    for index in range(sessions):
        project = PROJECTS[index % len(PROJECTS)]
        session = str(uuid.UUID(int=rng.getrandbits(128), version=4))
        path = folder / "projects" / f"-home-ada-{project}" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        writer = Writer(
            session, f"/home/ada/{project}", random.Random(rng.getrandbits(64)), _START + timedelta(hours=7 * index)
        )
        write_session(writer, each)
        path.write_bytes(b"".join(writer.lines))
        total += writer.size
    return total


def write_session(writer: Writer, size: int) -> None:
    """Write turns until the session is about so large."""
    writer.note("mode", mode="normal")
    writer.note("permission-mode", permissionMode="default")
    shapes = max(1, size // 600_000)
    for _ in range(shapes):
        _shape(writer)
    while writer.size < size:
        _turn(writer)


def _shape(writer: Writer) -> None:
    tools = [{"name": f"Tool{n}", "description": writer.words(300, 500), "input_schema": {}} for n in range(24)]
    writer.note(
        "api-request-shape",
        shapeHash=writer.id(),
        shape={"system": [{"text": writer.words(900, 1200)}], "tools": tools},
    )


def _turn(writer: Writer) -> None:
    writer.turn += 1
    topic = writer.rng.choice(TOPICS)
    prompt = f"please look at the {topic} once more: {writer.words(6, 60)}"
    writer.chain(
        "user",
        {
            "promptId": writer.id(),
            "message": {"role": "user", "content": prompt},
            "origin": {"kind": "human"},
            "promptSource": "typed",
            "permissionMode": "default",
        },
    )
    for kind in ("environment", "total_tokens_reminder", "date"):
        rendered = [{"content": f"<system-reminder>\n{writer.words(200, 900)}\n</system-reminder>"}]
        writer.chain("attachment", {"attachment": {"type": kind, "text": writer.words(5, 40)}, "rendered": rendered})
    writer.note("api-request", id=writer.id(), params={"model": _MODEL, "betas": ["a", "b"]}, tail=[writer.id()] * 4)
    for _ in range(writer.rng.randint(1, 6)):
        _step(writer)
    _reply(writer, [{"type": "text", "text": f"We decided to keep the {topic} because {writer.words(60, 500)}."}])
    writer.chain("system", {"subtype": "turn_duration", "durationMs": 900, "messageCount": 9, "isMeta": False})
    writer.note("last-prompt", lastPrompt=prompt, leafUuid=writer.parent)


def _reply(writer: Writer, blocks: list[Row]) -> None:
    message_id = "msg_" + writer.id()
    usage = {"input_tokens": 10, "output_tokens": 42, "cache_read_input_tokens": 20_000, "iterations": []}
    for index, block in enumerate(blocks):
        message = {"id": message_id, "type": "message", "role": "assistant", "model": _MODEL, "content": [block]}
        writer.chain(
            "assistant",
            {
                "message": message | {"stop_reason": "end_turn", "stop_sequence": None, "usage": usage},
                "apiBlockIndex": index,
                "requestRef": writer.id(),
                "requestedModel": _MODEL,
                "effort": "medium",
                "madeBy": "model",
            },
        )


def _step(writer: Writer) -> None:
    """A thought, a tool call and its result."""
    call = "toolu_" + writer.id()
    name, given, text, result, failed = writer.rng.choices((_bash, _read, _edit), weights=(5, 3, 3))[0](writer)
    blocks: list[Row] = [{"type": "tool_use", "id": call, "name": name, "input": given}]
    if writer.rng.random() < 0.4:
        blocks.insert(0, {"type": "text", "text": writer.words(60, 320)})
    if writer.rng.random() < 0.3:
        blocks.insert(0, {"type": "thinking", "thinking": writer.words(30, 200), "signature": writer.id() * 8})
    _reply(writer, blocks)
    writer.chain(
        "user",
        {
            "message": {
                "role": "user",
                "content": [{"tool_use_id": call, "type": "tool_result", "content": text, "is_error": failed}],
            },
            "toolUseResult": result,
            "sourceToolAssistantUUID": writer.parent,
        },
    )


def _bash(writer: Writer) -> tuple[str, Row, str, object, bool]:
    command = f"pytest tests/{writer.rng.choice(TOPICS).replace(' ', '_')} -q"
    output = writer.code(writer.rng.choice((8, 14, 30, 60, 120)))
    if writer.rng.random() < 0.2:
        text = f"Exit code 1\n{output}"
        return "Bash", {"command": command, "description": "Run tests"}, text, f"Error: {text}", True
    result = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False, "noOutputExpected": False}
    return "Bash", {"command": command, "description": "Run tests"}, output, result, False


def _read(writer: Writer) -> tuple[str, Row, str, object, bool]:
    path = f"{writer.cwd}/src/module_{writer.rng.randint(1, 40)}.py"
    content = writer.code(writer.rng.choice((20, 60, 120)))
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(content.split("\n"), 1))
    result = {"type": "text", "file": {"filePath": path, "content": content, "numLines": 60, "startLine": 1}}
    return "Read", {"file_path": path}, numbered, result, False


def _edit(writer: Writer) -> tuple[str, Row, str, object, bool]:
    path = f"{writer.cwd}/src/module_{writer.rng.randint(1, 40)}.py"
    old, new = writer.code(3), writer.code(4)
    lines = [f"-{line}" for line in old.splitlines()] + [f"+{line}" for line in new.splitlines()]
    result = {
        "filePath": path,
        "oldString": old,
        "newString": new,
        "originalFile": writer.code(writer.rng.choice((40, 100, 200))),
        "structuredPatch": [{"oldStart": 1, "oldLines": 3, "newStart": 1, "newLines": 4, "lines": lines}],
        "userModified": False,
        "replaceAll": False,
    }
    given: Row = {"replace_all": False, "file_path": path, "old_string": old, "new_string": new}
    return "Edit", given, f"The file {path} has been updated.", result, False


def main() -> None:
    """Write the folder the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mb", type=float, default=200, help="how much to write, in megabytes")
    parser.add_argument("--sessions", type=int, default=400, help="in how many session files")
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    written = write_tree(given.folder, given.mb, given.sessions, given.seed)
    print(f"{written / 1e6:.1f} MB in {given.sessions} sessions below {given.folder}")


if __name__ == "__main__":
    main()
