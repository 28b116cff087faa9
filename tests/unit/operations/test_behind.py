"""What a session is told besides facts: that transcripts wait to be read, and what a compaction should keep."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import anyio
import orjson
import pytest

from memd.capture.pipeline import Capture
from memd.inject.framing import CLOSE, OPEN, noticed
from memd.inject.hooks import COMPACTION_NOTE, HookAnswers
from tests.unit.operations.conftest import FrozenClock, Harbor

Waiting = Callable[[int], None]


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    return lambda count: monkeypatch.setattr(Capture, "unread", property(lambda _: count))


async def started(harbor: Harbor, *, receipts: bool = False, source: str = "startup") -> dict[str, str]:
    parts = harbor.memory
    config = dataclasses.replace(parts.config, inject=dataclasses.replace(parts.config.inject, receipts=receipts))
    answers = HookAnswers(config, FrozenClock(), parts.capture, parts.distiller, parts.injector)
    body = orjson.dumps({"session_id": "new", "cwd": str(harbor.root), "source": source})
    async with anyio.create_task_group() as group:
        group.start_soon(answers.serve)
        said = orjson.loads(await answers.answer("claude_code", "SessionStart", "", body) or b"{}")
        group.cancel_scope.cancel()
    return {
        "context": said.get("hookSpecificOutput", {}).get("additionalContext", ""),
        "receipt": said.get("systemMessage", ""),
    }


async def test_a_session_is_told_how_much_is_not_read_yet_and_where_to_look(
    harbor: Harbor,
    waiting: Waiting,
) -> None:
    waiting(1214)

    told = await started(harbor, receipts=True)

    assert "1,214 transcripts of earlier sessions are not read yet" in told["context"]
    assert "`memd status`" in told["context"]
    assert told["context"].startswith(OPEN)
    assert told["context"].endswith(CLOSE)
    assert "1,214 transcripts" in told["receipt"]


@pytest.mark.parametrize("count", [0, 2])
async def test_a_session_is_told_nothing_of_the_kind_where_memd_keeps_up(
    harbor: Harbor,
    waiting: Waiting,
    count: int,
) -> None:
    waiting(count)

    told = await started(harbor, receipts=True)

    assert "not read yet" not in told["context"] + told["receipt"]
    assert "SQLite" in told["context"]


async def before_a_compaction(harbor: Harbor, host: str, *, note: bool = True) -> bytes:
    parts = harbor.memory
    inject = dataclasses.replace(parts.config.inject, compaction_note=note, receipts=True)
    config = dataclasses.replace(parts.config, inject=inject)
    answers = HookAnswers(config, FrozenClock(), parts.capture, parts.distiller, parts.injector)
    body = orjson.dumps({"session_id": "new", "cwd": str(harbor.root)})
    async with anyio.create_task_group() as group:
        group.start_soon(answers.serve)
        said = await answers.answer(host, "PreCompact", "", body)
        group.cancel_scope.cancel()
    return said


async def test_before_a_compaction_a_host_that_takes_it_is_asked_to_keep_what_matters(harbor: Harbor) -> None:
    said = await before_a_compaction(harbor, "opencode")

    assert orjson.loads(said) == {"context": COMPACTION_NOTE}


async def test_the_note_before_a_compaction_can_be_switched_off_by_itself(harbor: Harbor) -> None:
    assert await before_a_compaction(harbor, "opencode", note=False) == b""


async def test_a_host_that_takes_nothing_before_a_compaction_is_told_nothing(harbor: Harbor) -> None:
    assert await before_a_compaction(harbor, "claude_code") == b""


def test_where_nothing_is_said_a_notice_says_nothing_either() -> None:
    assert noticed("", "behind") == ""
    assert noticed("text", "") == "text"
