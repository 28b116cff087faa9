"""Record small real transcripts for tests/fixtures: ``python -m tests.hosts.record [STORY...]``.

Each story is run with the installed Claude Code in a temporary home whose path is then written as
/home/ada. Text that belongs to the program (system prompts, tool schemas, skill lists) is cut.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from tests.hosts import stories
from tests.hosts.claude_code_client import (
    MISSING,
    Desk,
    desk,
    installed,
    rows,
    version_of,
)
from tests.hosts.machine import eventually
from tests.hosts.script import script
from tests.hosts.scripted_model import ScriptedModel, running
from tests.hosts.wire_anthropic import AnthropicWire

FIXTURES = Path(__file__).parents[1] / "fixtures" / "claude_code"
HOME = "/home/ada"

_EVENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PreCompact",
    "Stop",
    "SubagentStop",
    "SessionEnd",
)
_NOTE = "payload=$(cat); printf '%s\\n' \"$payload\" >> {log}"
"""One write a hook, because several may run at once."""
_POST_COMPACT_SINCE = (2, 1, 80)
"""From about here on the event is known; before, one unknown event made the client ignore its whole settings file."""
_HARNESS = {
    "agent_listing_delta",
    "date",
    "deferred_tools_delta",
    "environment",
    "model",
    "prompt_snapshot",
    "remote_session_change",
    "session_context",
    "skill_listing",
    "total_tokens_reminder",
}
"""Attachments that hold the program's own words or describe the machine of the recording."""
_LONGEST_HARNESS_TEXT = 80
_AGENT_SINCE = (2, 1, 63)
"""The version that called the tool "Agent"; it was "Task" before."""
_PID = 4711
_CUT = "(cut)"

Story = Callable[[Desk, ScriptedModel], None]


def decision(desk: Desk, model: ScriptedModel) -> None:
    """A decision in words, a failing and a good command, a new file, an edit; then --continue."""
    desk.ask(stories.DECISION, "--session-id", _session(1))
    desk.ask(stories.FOLLOW_UP, "--continue")


def fork(desk: Desk, model: ScriptedModel) -> None:
    """The same start, forked into a second file that copies the first one's rows."""
    desk.ask(stories.DECISION, "--session-id", _session(2))
    options = ("--resume", _session(2), "--fork-session", "--session-id", _session(3))
    desk.ask(stories.NEXT_STEP, *options)


def subagent(desk: Desk, model: ScriptedModel) -> None:
    """A task given to a subagent, which writes a file of its own."""
    (desk.project / "piers.txt").write_text("north\nmiddle\nsouth\n")
    desk.ask(stories.SURVEY, "--session-id", _session(4))


def parallel_tools(desk: Desk, model: ScriptedModel) -> None:
    """Three commands in one message, of which one fails."""
    desk.ask(stories.THREE_LOOKS, "--session-id", _session(5))


def background_agent(desk: Desk, model: ScriptedModel) -> None:
    """A subagent nobody waits for; its end comes back as a notification."""
    desk.ask(stories.BACKGROUND, "--session-id", _session(7))


def injected(desk: Desk, model: ScriptedModel) -> None:
    """Hooks that give context at the start and at the prompt, and the rows that prove it arrived."""
    hooks = _log_hooks(desk.home / "hooks.jsonl", _EVENTS)
    for event in ("SessionStart", "UserPromptSubmit"):
        context = {"hookEventName": event, "additionalContext": f"Given at {event}: lighthouse."}
        said = json.dumps({"hookSpecificOutput": context})
        command = _NOTE.format(log=desk.home / "hooks.jsonl") + f"; echo '{said}'"
        hooks[event] = [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}]
    desk.settings.write_text(json.dumps({"hooks": hooks}))
    desk.ask(stories.NEXT_STEP, "--session-id", _session(8))


def branch(desk: Desk, model: ScriptedModel) -> None:
    """In a terminal: a prompt, /rename, /branch, a prompt in the branch; then the client is killed."""
    with desk.terminal("--session-id", _session(9)) as terminal:
        terminal.say(stories.NAMING)
        model.wait_for(lambda seen: len(seen) >= 1)
        terminal.settle(quiet_s=1.0)
        terminal.say("/rename tide-naming")
        terminal.settle(quiet_s=1.0)
        terminal.say("/branch")
        terminal.settle(quiet_s=1.0)
        terminal.say(stories.NEXT_STEP)
        model.wait_for(lambda seen: any("comes next" in one.conversation.prompt for one in seen))
        terminal.settle(quiet_s=1.0)
        _keep_process_file(desk)
        terminal.kill()


def interactive(desk: Desk, model: ScriptedModel) -> None:
    """In a terminal: two prompts, a rewind, /compact, a prompt, /clear, a prompt, /exit."""
    with desk.terminal("--session-id", _session(6)) as terminal:

        def say(line: str, requests: int) -> None:
            terminal.say(line)
            model.wait_for(lambda seen: len(seen) >= requests)
            terminal.settle(quiet_s=1.0)

        say(stories.DECISION, 5)
        say(stories.NAMING, 6)
        terminal.rewind_one_prompt()
        say(stories.NAMING_AGAIN, 7)
        say("/compact", 8)
        transcript = desk.transcripts[0]
        eventually(
            lambda: any(row.get("isCompactSummary") for row in rows(transcript)),
            "the summary row of the compaction",
        )
        terminal.settle(quiet_s=1.0)
        say(stories.NEXT_STEP, 9)
        terminal.say("/clear")
        say(stories.THREE_LOOKS, 11)
        _keep_process_file(desk)
        terminal.say("/exit")
        terminal.wait()


STORIES: dict[str, Story] = {
    "decision": decision,
    "fork": fork,
    "subagent": subagent,
    "parallel-tools": parallel_tools,
    "background-agent": background_agent,
    "injected": injected,
    "interactive": interactive,
    "branch": branch,
}


def record(name: str, program: Path, target: Path) -> None:
    """Run one story and leave its files, cut and with invented paths, in a folder."""
    version = tuple(int(part) for part in version_of(program).split("."))
    agent_tool = "Agent" if version >= _AGENT_SINCE else "Task"
    events = (*_EVENTS, "PostCompact") if version >= _POST_COMPACT_SINCE else _EVENTS
    with running(script(), AnthropicWire()) as model, desk(program, model.url) as at:
        model.script = script(*stories.harbor(at.project, agent_tool=agent_tool))
        log = at.home / "hooks.jsonl"
        at.settings.write_text(json.dumps({"hooks": _log_hooks(log, events)}))
        STORIES[name](at, model)
        shutil.rmtree(target, ignore_errors=True)
        root = at.home / ".claude"
        for path in sorted([*root.glob("projects/**/*.json*"), *root.glob(f"sessions/{_PID}.json")]):
            copy = target / _scrubbed(str(path.relative_to(root)), at.home)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(b"".join(_cut_line(line, at.home) for line in _lines(path)))
        (target / "hook-payloads.jsonl").write_bytes(b"".join(_cut_line(line, at.home) for line in _lines(log)))


def _session(number: int) -> str:
    return f"0a11ce00-0000-4000-8000-{number:012d}"


def _log_hooks(log: Path, events: tuple[str, ...]) -> dict[str, object]:
    command = _NOTE.format(log=log)
    return {event: [{"hooks": [{"type": "command", "command": command, "timeout": 5}]}] for event in events}


def _keep_process_file(desk: Desk) -> None:
    """sessions/<pid>.json exists only while the client runs; the .key files beside are secrets."""
    for path in (desk.home / ".claude" / "sessions").glob("*.json"):
        shutil.copyfile(path, path.with_name(f"{_PID}.json"))


def _lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().split(b"\n") if line]


def _cut_line(line: bytes, home: Path) -> bytes:
    row = json.loads(line)
    match row.get("type"):
        case "api-request-shape" | "api-request-blob" | "api-request":
            row = {key: one if _is_short(one) else _CUT for key, one in row.items()}
        case "attachment" if row["attachment"]["type"] in _HARNESS:
            row["attachment"] = {"type": row["attachment"]["type"], "text": _CUT}
            if "rendered" in row:
                row["rendered"] = _CUT
        case None if "pidDomain" in row:
            row |= {"pid": _PID, "pidDomain": _CUT, "messagingSocketPath": _CUT}
        case _:
            pass
    text = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    return _scrubbed(text, home).encode() + b"\n"


def _is_short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_HARNESS_TEXT


def _scrubbed(text: str, home: Path) -> str:
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(home))
    return text.replace(str(home), HOME).replace(slug, "-home-ada")


def main() -> None:
    """Record the stories named, or every one, in the folder of the installed version."""
    program = installed()
    if program is None:
        raise SystemExit(MISSING)
    version = version_of(program)
    for name in sys.argv[1:] or STORIES:
        target = FIXTURES / version / name
        record(name, program, target)
        print(f"{version} {name}: {sum(1 for _ in target.rglob('*.json*'))} files")


if __name__ == "__main__":
    main()
