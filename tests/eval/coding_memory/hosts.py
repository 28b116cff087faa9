"""Hosts: stories written down as the agents themselves would, for memd to find."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from tests.eval.coding_memory.story import Step, Story, Told
from tests.unit.adapters.claude_rows import Rows
from tests.unit.adapters.opencode_host import OpenCodeHost
from tests.unit.adapters.rollouts import Rollout

_STEP_S: Final = 20
_ROWS_APART: Final = 10_000


def write(home: Path, stories: tuple[Story, ...]) -> dict[str, Path]:
    """Write every session below a home folder; return the work tree of each project by name."""
    trees: dict[str, Path] = {}
    number = 0
    for story in stories:
        tree = trees[story.name] = home / "work" / story.name
        tree.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(tree)], check=True)
        for session in story.sessions:
            number += 1
            _WRITERS[session.host](home, tree, session, number)
    return trees


def _times(session: Told) -> Iterator[datetime]:
    at = datetime.fromisoformat(f"{session.date}T09:00:00").replace(tzinfo=UTC)
    while True:
        yield at
        at += timedelta(seconds=_STEP_S)


def _steps(session: Told) -> Iterator[Step]:
    for exchange in session.exchanges:
        yield from exchange.steps


def _iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def _claude_code(home: Path, tree: Path, session: Told, number: int) -> None:
    rows = Rows(session=f"0c0d{number:04x}-0000-4000-8000-{number:012x}", cwd=str(tree), first=number * _ROWS_APART)
    for place, step in enumerate(_steps(session)):
        call = f"toolu_{number}_{place}"
        path = str(tree / step.text)
        if step.kind == "user":
            rows.user(step.text, origin={"kind": "human"}, promptSource="typed")
        elif step.kind == "agent":
            rows.reply(step.text)
        elif step.kind in ("run", "fail"):
            rows.call(call, "Bash", {"command": step.text})
            failed = step.kind == "fail"
            details = f"Error: Exit code 1\n{step.output}" if failed else {"stdout": step.output, "stderr": ""}
            rows.result(call, f"Exit code 1\n{step.output}" if failed else step.output, details, failed=failed)
        elif step.kind == "edit":
            rows.call(call, "Edit", {"file_path": path, "old_string": "a", "new_string": "b"})
            patch = [{"oldStart": 1, "oldLines": 1, "newStart": 1, "newLines": 1, "lines": ["-a", "+b"]}]
            rows.result(call, f"The file {path} has been updated.", {"filePath": path, "structuredPatch": patch})
        else:
            rows.call(call, "Write", {"file_path": path, "content": "new\n"})
            made = {"type": "create", "filePath": path, "content": "new\n", "structuredPatch": []}
            rows.result(call, f"File created successfully at: {path}", made)
    for row, at in zip(rows.rows, _times(session), strict=False):
        row["timestamp"] = _iso(at)
    folder = home / ".claude" / "projects" / str(tree).replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{rows.session}.jsonl").write_bytes(rows.lines())


def _codex(home: Path, tree: Path, session: Told, number: int) -> None:
    rollout = Rollout(thread=f"0c0dec{number:02x}-0000-7000-8000-{number:012x}", paginated=True)
    rollout.head(cwd=str(tree))
    for place, step in enumerate(_steps(session)):
        call = f"call_{number}_{place}"
        if step.kind == "user":
            rollout.ask(step.text, f"0c0de{number:03x}-0000-7000-8000-{place:012d}")
        elif step.kind == "agent":
            rollout.say(step.text)
        elif step.kind in ("run", "fail"):
            rollout.call(call, "shell", {"command": ["bash", "-lc", step.text]})
            outcome = {"output": step.output, "metadata": {"exit_code": int(step.kind == "fail")}}
            rollout.output(call, json.dumps(outcome))
        else:
            change = "Add" if step.kind == "create" else "Update"
            body = "+b" if step.kind == "create" else "-a\n+b"
            patch = f"*** Begin Patch\n*** {change} File: {step.text}\n{body}\n*** End Patch\n"
            rollout.item(type="custom_tool_call", name="apply_patch", call_id=call, input=patch)
            rollout.output(call, "Success. Updated the files.", "custom_tool_call_output")
    for row, at in zip(rollout.rows, _times(session), strict=False):
        row["timestamp"] = _iso(at)
        if "cwd" in row["payload"]:
            row["payload"]["cwd"] = str(tree)
    day = home / ".codex" / "sessions" / session.date.replace("-", "/")
    day.mkdir(parents=True, exist_ok=True)
    (day / f"rollout-{session.date}T09-00-00-{rollout.thread}.jsonl").write_bytes(rollout.lines())


def _opencode(home: Path, tree: Path, session: Told, number: int) -> None:
    host = OpenCodeHost(home / ".local" / "share" / "opencode" / f"opencode-{number}.db")
    host._number = number * _ROWS_APART  # ids are told apart over all databases
    host.clock = int(datetime.fromisoformat(f"{session.date}T09:00:00").replace(tzinfo=UTC).timestamp() * 1000)
    first = next(step.text for step in _steps(session) if step.kind == "user")
    name = host.session(first[:60])
    host.conn.execute("UPDATE session SET directory = ? WHERE id = ?", (str(tree), name))
    for place, step in enumerate(_steps(session)):
        host.tick(_STEP_S * 1000)
        if step.kind == "user":
            host.prompt(name, step.text)
        elif step.kind == "agent":
            host.reply(name, step.text)
        else:
            _opencode_call(host, name, f"call_{number}_{place}", step, tree)
    host.close()


def _opencode_call(host: OpenCodeHost, session: str, call: str, step: Step, tree: Path) -> None:
    message = host.message(session, "assistant")
    path = str(tree / step.text)
    times = {"start": host.clock, "end": host.clock + 5}
    if step.kind in ("run", "fail"):
        tool, given = "bash", {"command": step.text}
        metadata: dict[str, object] = {"exit": int(step.kind == "fail"), "output": step.output}
    else:
        tool, given = ("write", {"filePath": path, "content": "new\n"})
        metadata = {"filepath": path, "exists": step.kind == "edit"}
    state = {
        "status": "completed",
        "input": given,
        "output": step.output,
        "title": step.text,
        "metadata": metadata,
        "time": times,
    }
    host.part(session, message, type="tool", tool=tool, callID=call, state=state)


def _aider(home: Path, tree: Path, session: Told, number: int) -> None:
    text = f"\n# aider chat started at {session.date} 09:00:00\n\n> /usr/bin/aider  \n> Aider v0.86.2  \n\n"
    for step in _steps(session):
        if step.kind == "user":
            text += f"#### {step.text}  \n\n"
        elif step.kind == "agent":
            text += f"{step.text}\n\n"
        elif step.kind in ("edit", "create"):
            text += f"> Applied edit to {step.text}  \n\n"
        else:
            text += f"#### /run {step.text}  \n\n> {step.output}  \n\n"
    with (tree / ".aider.chat.history.md").open("a", encoding="utf-8") as file:
        file.write(text)
    with (tree / ".aider.input.history").open("a", encoding="utf-8") as file:
        for at, step in zip(_times(session), _steps(session), strict=False):
            if step.kind == "user":
                file.write(f"\n# {at:%Y-%m-%d %H:%M:%S}.000000\n+{step.text}\n")


_WRITERS: Final[dict[str, Callable[[Path, Path, Told, int], None]]] = {
    "claude_code": _claude_code,
    "codex": _codex,
    "opencode": _opencode,
    "aider": _aider,
}
