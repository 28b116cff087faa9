"""Each hook has a setting that switches it off: it then does nothing, and the doctor says so."""

from __future__ import annotations

from dataclasses import fields, replace

import anyio
import orjson
import pytest

from memd.config import HooksConfig
from memd.errors import StoreError
from memd.inject.hooks import HookAnswers
from memd.operations.health import health
from memd_hooks.events import HookEvent
from tests.unit.operations.conftest import Harbor

EVENTS = {
    "session_start": "SessionStart",
    "user_prompt_submit": "UserPromptSubmit",
    "pre_compact": "PreCompact",
    "post_compact": "PostCompact",
    "stop": "Stop",
    "subagent_stop": "SubagentStop",
    "session_end": "SessionEnd",
}


@pytest.mark.parametrize("switch", EVENTS)
async def test_what_is_switched_off_does_nothing_and_is_told_by_the_doctor(
    harbor: Harbor, switch: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(EVENTS) == {field.name for field in fields(HooksConfig)}
    memory = harbor.memory
    config = replace(memory.config, hooks=replace(memory.config.hooks, **{switch: False}))
    taken: list[str] = []

    async def take(event: HookEvent) -> None:
        taken.append(event.event)
        raise StoreError("nothing is stored here")

    monkeypatch.setattr(memory.capture, "on_event", take)
    answers = HookAnswers(config, memory.clock, memory.capture, memory.distiller, memory.injector)
    async with anyio.create_task_group() as group:
        group.start_soon(answers.serve)
        for name in EVENTS.values():
            told_of = {"hook_event_name": name, "session_id": "0a11ce00", "cwd": str(harbor.root), "prompt": "Where?"}
            assert await answers.answer("claude_code", name, "", orjson.dumps(told_of)) == b""
            await answers.take_spooled({**told_of, "host": "claude_code", "event": name})
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()

    told = (await health.call(replace(memory, config=config), {})).checks
    (hooks,) = [check.detail for check in told if check.name == "hooks"]
    assert sorted(taken) == sorted([name for other, name in EVENTS.items() if other != switch] * 2)
    assert hooks.endswith(f"off by [hooks] in the configuration: {switch}")
    assert all(other in hooks for other in EVENTS)


async def test_whoever_keeps_memd_out_of_a_folder_is_told_nothing_there(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = harbor.memory
    answers = HookAnswers(memory.config, memory.clock, memory.capture, memory.distiller, memory.injector)
    told_of = {"hook_event_name": "SessionStart", "session_id": "0a11ce00", "cwd": str(harbor.root)}
    async with anyio.create_task_group() as group:
        group.start_soon(answers.serve)
        assert b"SQLite" in await answers.answer("claude_code", "SessionStart", "", orjson.dumps(told_of))
        monkeypatch.setattr(memory.capture, "excludes", lambda cwd: cwd == harbor.root)
        for name in ("SessionStart", "UserPromptSubmit"):
            asked = {**told_of, "hook_event_name": name, "session_id": "0a11ce01", "prompt": "Where is the tide table?"}
            assert await answers.answer("claude_code", name, "", orjson.dumps(asked)) == b""
        group.cancel_scope.cancel()
