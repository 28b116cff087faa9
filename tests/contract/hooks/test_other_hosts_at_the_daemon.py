"""A real daemon, asked by the hooks of every host: each is told what another's session decided, once."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from memd_hooks import registration
from memd_hooks.hosts import HOSTS
from memd_hooks.place import Place
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

EARLIER = "0a11ce00-0000-4000-8000-000000000001"
DECISION = "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server."
STANDING = "In all my projects, always write dates as year-month-day."
ASKED = "Where do we keep the tide table, in Postgres or SQLite?"


@pytest.fixture
def home() -> Iterator[Home]:
    folder = Path(tempfile.mkdtemp(prefix="memd-h-"))
    (folder / ".claude" / "projects").mkdir(parents=True)
    yield Home(folder)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def project(home: Home) -> Path:
    folder = home.folder / "work" / "harbor"
    folder.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def place_of(home: Home) -> Place:
    """Where hosts and memd keep their files in this home."""
    paths = home.paths
    return Place(
        home.folder, {}, Path("/usr/bin/python3"), paths.hook_shim, paths.socket, paths.spool_dir, paths.data_dir
    )


def hold(home: Home, project: Path, said: str) -> None:
    """Have a session of Claude Code end in which something was said."""
    home.hook("SessionStart", EARLIER, project, source="startup")
    talk = Talk(home.transcript(EARLIER), project)
    talk.user(said)
    talk.model("Agreed.")
    home.hook("SessionEnd", EARLIER, project, reason="other")
    wait_until(lambda: settled(home), "the distilled session")


def ask(home: Home, host: str, event: dict[str, object], *, named: str = "", env: str = "") -> object:
    """Tell the daemon of an event as a host's hook does; the JSON it is to print, None for nothing."""
    body = json.dumps(event).encode()
    head = {"op": "hook", "host": host, "event": named, "env": env, "bytes": len(body)}
    answer = home.raw(json.dumps(head).encode() + b"\n" + body)
    return json.loads(answer) if answer else None


def cursor(project: Path, event: str, **more: object) -> dict[str, object]:
    common = {"conversation_id": "c1", "hook_event_name": event, "cursor_version": "3.20.17", "transcript_path": None}
    return {**common, "workspace_roots": [str(project)], **more}


def cline(project: Path, task: str = "1764460800000") -> dict[str, object]:
    return {"taskId": task, "hookName": "PreToolUse", "workspaceRoots": [str(project)], "parent_agent_id": None}


def test_every_host_that_takes_context_is_told_in_its_own_shape(home: Home, project: Path) -> None:
    plain: dict[str, object] = {"session_id": "s1", "cwd": str(project), "source": "startup"}
    start = {**plain, "hook_event_name": "SessionStart"}
    with running(home):
        hold(home, project, DECISION)
        told = {
            "codex": ask(home, "codex", start),
            "gemini": ask(home, "gemini", start, env="GEMINI_SESSION_ID,CLAUDE_PROJECT_DIR"),
            "qwen": ask(home, "qwen", start, env="CLAUDE_PROJECT_DIR"),
            "opencode": ask(home, "opencode", start),
            "kilo": ask(home, "kilo", start),
            "copilot": ask(home, "copilot", {"sessionId": "p1", "cwd": str(project)}, named="sessionStart"),
            "cursor": ask(home, "cursor", cursor(project, "sessionStart"), env="CURSOR_VERSION"),
            "cline": ask(home, "cline", cline(project), named="PreToolUse"),
        }
        asked: dict[str, object] = {**plain, "session_id": "s2", "prompt": ASKED}
        prompt = cursor(project, "beforeSubmitPrompt", prompt=ASKED)
        prompts = {
            "codex": ask(home, "codex", {**asked, "hook_event_name": "UserPromptSubmit"}),
            "gemini": ask(home, "gemini", {**asked, "hook_event_name": "BeforeAgent"}),
            "qwen": ask(home, "qwen", {**asked, "hook_event_name": "UserPromptSubmit", "submitted_prompt": ASKED}),
            "copilot": ask(
                home, "copilot", {"sessionId": "p2", "cwd": str(project), "prompt": ASKED}, named="userPromptSubmitted"
            ),
            "cursor": ask(home, "cursor", {**prompt, "conversation_id": "c2"}),
        }
    for host, answer in {**told, **prompts}.items():
        assert "SQLite instead of Postgres" in json.dumps(answer), host


@pytest.mark.parametrize("first", ["claude_code", "cursor"])
def test_cursor_running_both_registrations_is_told_once(home: Home, project: Path, first: str) -> None:
    second = {"claude_code": "cursor", "cursor": "claude_code"}[first]
    event = cursor(project, "sessionStart", session_id="c1")
    with running(home):
        hold(home, project, DECISION)
        answers = {host: ask(home, host, event, env="CURSOR_VERSION,CLAUDE_PROJECT_DIR") for host in (first, second)}
        again = ask(home, "cursor", event, env="CURSOR_VERSION")
    assert answers["claude_code"] is None
    assert "SQLite" in json.dumps(answers["cursor"])
    assert again is None


def test_a_host_that_takes_context_before_a_tool_is_told_before_its_first(home: Home, project: Path) -> None:
    with running(home):
        hold(home, project, DECISION)
        first = ask(home, "cline", cline(project), named="PreToolUse")
        second = ask(home, "cline", {**cline(project), "timestamp": "later"}, named="PreToolUse")
        other = ask(home, "cline", cline(project, "1764460899999"), named="PreToolUse")
        agent = ask(
            home, "cline", {**cline(project, "t2"), "agent_id": "a", "parent_agent_id": "m"}, named="PreToolUse"
        )
    with running(home):
        after = ask(home, "cline", {**cline(project), "timestamp": "much later"}, named="PreToolUse")
    assert "SQLite" in json.dumps(first)
    assert "SQLite" in json.dumps(other)
    assert (second, agent, after) == (None, None, None)


def test_what_a_hosts_rules_file_says_is_not_told_once_more_before_a_tool(home: Home, project: Path) -> None:
    (each,) = (each for each in HOSTS["cline"].registrations(place_of(home)) if each.refreshed)
    registration.install(each, home.paths.state_dir)
    with running(home):
        hold(home, project, f"{DECISION} {STANDING}")
        wait_until(lambda: b"year-month-day" in each.path.read_bytes(), "the rules file")
        first = json.dumps(ask(home, "cline", cline(project), named="PreToolUse"))
        each.path.unlink()
        without = json.dumps(ask(home, "cline", cline(project, "1764460899999"), named="PreToolUse"))
    assert "SQLite" in first
    assert "year-month-day" not in first
    assert "SQLite" in without
    assert "year-month-day" in without


def test_a_session_taken_up_again_is_told_again_on_every_host(home: Home, project: Path) -> None:
    hosts, sources = ("codex", "gemini", "qwen", "opencode", "kilo", "copilot"), ("startup", "resume", "clear")
    event = {"session_id": "s1", "cwd": str(project), "hook_event_name": "SessionStart"}
    with running(home):
        hold(home, project, DECISION)
        told = {(host, source): ask(home, host, {**event, "source": source}) for host in hosts for source in sources}
    assert [which for which, answer in told.items() if "SQLite" not in json.dumps(answer)] == []


def test_neither_what_a_tool_gave_back_nor_an_agent_is_told_anything(home: Home, project: Path) -> None:
    """Qwen reports a prompt without words when it sends a tool's output; Copilot one for each agent's task."""
    sent: dict[str, object] = {"session_id": "q1", "cwd": str(project), "prompt": ""}
    task: dict[str, object] = {
        "sessionId": "a1",
        "cwd": str(project),
        "prompt": ASKED,
        "agentId": "a1",
        "parentAgentId": "p1",
    }
    with running(home):
        hold(home, project, DECISION)
        assert ask(home, "qwen", sent, named="UserPromptSubmit") is None
        assert ask(home, "copilot", task, named="userPromptSubmitted") is None
        assert home.query("SELECT native_id FROM sessions WHERE host = ?", "copilot") == []


def test_geminis_look_before_each_turn_lets_nothing_be_said_twice(home: Home, project: Path) -> None:
    def prompt(text: str) -> object:
        return ask(
            home, "gemini", {"session_id": "g", "cwd": str(project), "hook_event_name": "BeforeAgent", "prompt": text}
        )

    with running(home):
        hold(home, project, DECISION)
        first = prompt(ASKED)
        ask(home, "gemini", {"session_id": "g", "hook_event_name": "PreCompress", "trigger": "auto"})
        second = prompt(ASKED + " Once more.")
        ask(home, "gemini", {"session_id": "g", "hook_event_name": "PreCompress", "trigger": "manual"})
        third = prompt(ASKED + " I forgot.")
    assert "SQLite" in json.dumps(first)
    assert second is None
    assert "SQLite" in json.dumps(third)


def test_rules_files_hold_what_holds_everywhere_and_nothing_of_a_project(home: Home, project: Path) -> None:
    rules = [each for host in HOSTS.values() for each in host.registrations(place_of(home)) if each.refreshed]
    foreign, *ours = rules
    for each in rules:
        registration.install(each, home.paths.state_dir)
    foreign.path.write_text("mine\n")
    neutral = [each.path.read_bytes() for each in ours]
    with running(home):
        hold(home, project, f"{DECISION} {STANDING}")
        wait_until(lambda: all(b"year-month-day" in each.path.read_bytes() for each in ours), "the rules files")
    assert foreign.path.read_text() == "mine\n"
    assert all(b"Postgres" not in each.path.read_bytes() for each in ours)
    assert all(each.path.read_bytes().startswith(before) for each, before in zip(ours, neutral, strict=True))
    assert all(registration.steps_to_install(each) == () for each in ours)
