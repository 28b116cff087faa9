from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import anyio
import pytest

from memd.adapter import SessionUpdate
from memd.capture.placing import Placing
from memd.config import CaptureConfig
from memd_hooks.events import HookEvent
from tests.integration.capture.house import SESSION, House, Talk, house

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")

STATE = "SELECT state, end_reason FROM sessions WHERE native_id = ?"


def event(name: str, talk: Talk | None = None, session: str = SESSION, **fields: object) -> HookEvent:
    path = None if talk is None else talk.path
    cwd = Path("/home/ada/harbor")
    return HookEvent("claude_code", "claude_code", name, session, path, cwd, **fields)  # type: ignore[arg-type]


async def state(home: House, *wanted: object, session: str = SESSION) -> None:
    await home.until(lambda rows: rows == [wanted], STATE, session)


def listed(home: Path, pid: int, session: str = SESSION) -> Path:
    """The file in which the host says that a process works on a session."""
    stat = Path(f"/proc/{pid}/stat")
    started = stat.read_text().rpartition(")")[2].split()[19] if stat.exists() else None
    file = home / ".claude" / "sessions" / f"{pid}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"pid": pid, "sessionId": session, "procStart": started, "cwd": "/home/ada/harbor"}))
    return file


async def test_an_old_session_has_ended_with_its_last_message(tmp_path: Path) -> None:
    Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await state(home, "ended", "idle")
        assert await home.query("SELECT ended_at = last_at FROM sessions") == [(1,)]
        assert home.woken


async def test_files_that_are_only_touched_change_nothing(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one", "two")
    async with house(tmp_path) as home:
        await state(home, "ended", "idle")
        asked = "SELECT state, ended_at, last_at, revision, messages FROM sessions"
        before = await home.query(asked)
        os.utime(talk.path)
        await home.capture.rescan()
        await home.capture.caught_up()
        (host,) = (await home.capture.status()).hosts
        assert host.waiting == 0
        assert await home.texts() == ["one", "two"]
        assert await home.query(asked) == before


async def test_new_content_reopens_a_session(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path, tick_s=0.2) as home:
        await state(home, "ended", "idle")
        listed(tmp_path, os.getpid())
        talk.say("two")
        await home.until_texts("one", "two")
        await state(home, "idle", None)  # its process runs, but its times are long past


@pytest.fixture
def host() -> Iterator[subprocess.Popen[bytes]]:
    """A process that ends when its standard input does."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


async def test_a_running_process_keeps_a_quiet_session_open_and_its_end_ends_it(
    tmp_path: Path, host: subprocess.Popen[bytes]
) -> None:
    file = listed(tmp_path, host.pid)
    Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await state(home, "idle", None)
        host.communicate(b"\n")
        file.unlink()
        await state(home, "ended", "exit")


async def test_a_killed_process_ends_its_session_although_it_is_still_listed(
    tmp_path: Path, host: subprocess.Popen[bytes]
) -> None:
    listed(tmp_path, host.pid)
    Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await state(home, "idle", None)
        host.kill()
        host.wait()
        await state(home, "ended", "exit")


async def test_a_session_known_from_a_hook_alone_is_there_and_filled_later(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.capture.caught_up()
        talk = Talk(tmp_path)
        await home.capture.on_event(event("SessionStart", talk, source="startup"))
        wanted = [("/home/ada/harbor", "live", 0)]
        await home.until(lambda rows: rows == wanted, "SELECT cwd, state, messages FROM sessions")
        talk.say("one")
        await home.until_texts("one")
        await home.capture.on_event(HookEvent("claude_code", "claude_code", "UserPromptSubmit", SESSION))
        assert await home.query("SELECT cwd, model IS NULL, messages FROM sessions") == [("/home/ada/harbor", 1, 1)]


async def test_what_a_session_lacked_is_filled_in_later_and_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = "SELECT s.cwd, p.root FROM sessions s LEFT JOIN projects p ON p.id = s.project_id"
    place = Placing.place

    async def slowly(self: Placing, events: Sequence[SessionUpdate]) -> tuple[tuple[SessionUpdate, ...], Any]:
        if any(event.cwd == "/home/ada/harbor" for event in events):
            await anyio.sleep(0.2)  # its disk is slow
        return await place(self, events)

    monkeypatch.setattr(Placing, "place", slowly)
    async with house(tmp_path) as home:
        # All at once, as a spool is drained.
        for cwd in (None, Path("/home/ada/harbor"), Path("/home/ada/pier"), None):
            prompt = HookEvent("claude_code", "claude_code", "UserPromptSubmit", SESSION, cwd=cwd)
            await home.capture.on_event(prompt)
        await home.until(lambda found: any(root for _, root in found), told)
        assert await home.query(told) == [("/home/ada/harbor", "/home/ada/harbor")]


async def test_the_end_of_a_session_is_told_once(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        for _ in range(2):
            await home.capture.on_event(event("SessionStart", talk, source="startup"))
        await home.until_texts("one")
        await home.capture.on_event(event("SessionEnd", talk, reason="logout"))
        await state(home, "ended", "logout")
        (ended,) = await home.query("SELECT ended_at FROM sessions")
        await home.capture.on_event(event("SessionEnd", talk, reason="other"))
        await state(home, "ended", "logout")
        assert await home.query("SELECT ended_at FROM sessions") == [ended]


async def test_a_hook_ends_a_session_after_its_last_words(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path, config=CaptureConfig(rescan_s=3600)) as home:
        await home.capture.on_event(event("SessionStart", talk))
        await home.until_texts("one")
        talk.say("last words")
        await home.capture.on_event(event("SessionEnd", talk, reason="prompt_input_exit"))
        await state(home, "ended", "prompt_input_exit")
        assert await home.texts() == ["one", "last words"]
        assert home.woken


async def test_what_hooks_tell_before_anything_is_read_is_not_forgotten(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    other = "5e551011-0000-4000-8000-00000000000b"
    async with house(tmp_path, serve=False) as home:
        await home.capture.on_event(event("SessionStart", talk, source="startup"))
        await home.capture.on_event(event("SessionStart", session=other))
        await home.capture.on_event(event("SessionEnd", talk, reason="logout"))
        await home.group.start(home.capture.serve)
        await state(home, "ended", "logout")
        await state(home, "live", None, session=other)
        assert await home.texts() == ["one"]


async def test_what_comes_after_the_end_is_kept_and_the_session_ends_again(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await home.capture.on_event(event("SessionStart", talk))
        await state(home, "live", None)
        await home.capture.on_event(event("SessionEnd", talk, reason="other"))
        await state(home, "ended", "other")
        talk.say("straggler")
        await home.until_texts("one", "straggler")
        await home.until(lambda rows: rows[0][0] == "ended", STATE, SESSION)


async def test_a_resumed_session_is_live_again_although_it_said_nothing_yet(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await state(home, "ended", "idle")
        await home.capture.on_event(event("SessionStart", talk, source="resume"))
        await anyio.sleep(0.4)  # several looks at it
        await state(home, "live", None)


async def test_an_ended_session_takes_its_agents_along(tmp_path: Path) -> None:
    child = "5e551011-0000-4000-8000-00000000000a"
    async with house(tmp_path) as home:
        talk = Talk(tmp_path).say("one")
        await home.capture.on_event(event("SessionStart", talk))
        await home.capture.on_event(event("SessionStart", session=child))
        await state(home, "live", None, session=child)
        await home.writer.run(
            lambda c: c.execute("UPDATE sessions SET parent = ? WHERE native_id = ?", (SESSION, child))
        )
        await home.capture.on_event(event("SessionEnd", talk, reason="clear"))
        await state(home, "ended", "clear", session=child)


async def test_what_happens_inside_an_agent_is_not_the_sessions(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        await home.capture.on_event(event("UserPromptSubmit", agent_id="a1b2c3", prompt="do this"))
        assert await home.query("SELECT * FROM sessions") == []


async def test_an_agents_transcript_is_a_session_of_its_own_that_its_hook_ends(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    agent = talk.path.parent / SESSION / "subagents" / "agent-a1b2c3d4.jsonl"
    other = Talk(tmp_path)
    other.path = agent
    async with house(tmp_path, tick_s=600) as home:
        await home.capture.on_event(event("SessionStart", talk))
        other.say("look for it", "found")
        await home.capture.on_event(event("SubagentStop", talk, agent_transcript_path=agent, agent_id="a1b2c3d4"))
        await home.until(
            lambda rows: rows == [("subagent", SESSION, "ended", "stop")],
            "SELECT kind, parent, state, end_reason FROM sessions WHERE native_id != ?",
            SESSION,
        )
        await state(home, "live", None)


async def test_a_hook_in_an_excluded_folder_leaves_no_trace(tmp_path: Path) -> None:
    async with house(tmp_path, config=CaptureConfig(exclude=("/home/ada/harbor",))) as home:
        await home.capture.on_event(event("SessionStart"))
        assert await home.query("SELECT * FROM sessions") == []


async def test_a_hook_of_a_host_that_is_switched_off_or_unknown_is_ignored(tmp_path: Path) -> None:
    async with house(tmp_path, config=CaptureConfig(hosts_off=("claude_code",))) as home:
        await home.capture.on_event(event("SessionStart"))
        await home.capture.on_event(HookEvent("claude_code", "cursor", "SessionStart", SESSION))
        assert await home.query("SELECT * FROM sessions") == []


async def test_a_transcript_outside_of_every_root_is_read_when_a_hook_names_it(tmp_path: Path) -> None:
    talk = Talk(tmp_path / "elsewhere").say("one")
    async with house(tmp_path) as home:
        await home.capture.on_event(event("Stop", talk))
        await home.until_texts("one")


async def test_settling_a_project_reads_what_its_open_sessions_have_said(tmp_path: Path) -> None:
    repo = tmp_path / "harbor"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    talk = Talk(tmp_path, cwd=str(repo))
    async with house(tmp_path, tick_s=600) as home:
        talk.say("one")
        await home.until_texts("one")
        talk.say("two")
        assert await home.capture.settle(cwd=repo / "src", deadline_s=20)
        assert await home.texts() == ["one", "two"]


async def test_settling_a_project_ends_at_once_what_is_said_to_be_over(tmp_path: Path) -> None:
    repo = tmp_path / "harbor"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    talk = Talk(tmp_path, cwd=str(repo))
    async with house(tmp_path, tick_s=600) as home:
        await home.capture.on_event(event("SessionStart", talk))
        talk.say("one")
        await home.until_texts("one")
        talk.say("last words")
        await home.capture.on_event(event("SessionEnd", talk, reason="other"))
        assert await home.capture.settle(cwd=repo, deadline_s=20)
        assert await home.query("SELECT state, end_reason FROM sessions") == [("ended", "other")]
        assert await home.texts() == ["one", "last words"]
        assert home.woken


async def test_settling_a_session_reads_its_files(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await home.until_texts("one")
        talk.say("two")
        assert await home.capture.settle(session=("claude_code", SESSION), deadline_s=20)
        assert await home.texts() == ["one", "two"]


async def test_settling_is_over_at_its_deadline(tmp_path: Path) -> None:
    talk = Talk(tmp_path).say("one")
    async with house(tmp_path) as home:
        await home.until_texts("one")
        talk.say("two")
        assert not await home.capture.settle(paths=[talk.path], deadline_s=0)
        await home.until_texts("one", "two")


async def test_settling_nothing_is_quick(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        assert await home.capture.settle(cwd=tmp_path / "nowhere", session=("claude_code", "none"), deadline_s=20)
