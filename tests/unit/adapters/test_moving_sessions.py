"""A session that goes on in another folder says so before what it says there, so that excluded folders stay unread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memd.adapter import Event, MessagePart, ReadLimits
from memd.capture.exclusion import Exclusion
from memd.fold import read_all
from memd.registry import recognise
from memd.store.ingest import Prepared
from tests.unit.adapters import test_copilot, test_qwen
from tests.unit.adapters.claude_rows import Rows
from tests.unit.adapters.rollouts import Rollout

HOME = Path("/home/ada")


def claude_code(folder: Path) -> Path:
    rows = Rows()
    rows.user("open")
    rows.cwd = "/home/ada/secret"
    rows.user("hidden")
    rows.cwd = "/home/ada/harbor"
    rows.user("open again")
    return rows.write(folder)


def codex(folder: Path) -> Path:
    rollout = Rollout()
    rollout.head()
    for cwd, text in (("harbor", "open"), ("secret", "hidden"), ("harbor", "open again")):
        rollout.put("turn_context", {"cwd": f"/home/ada/{cwd}", "model": "m"})
        rollout.put("event_msg", {"type": "user_message", "message": text})
    return rollout.write(folder)


def qwen(folder: Path) -> Path:
    return test_qwen.write(
        folder,
        test_qwen.row(1, "user", {"text": "open"}),
        test_qwen.row(2, "user", {"text": "hidden"}, cwd="/home/ada/secret"),
        test_qwen.row(3, "user", {"text": "open again"}),
    )


def copilot(folder: Path) -> Path:
    events = test_copilot.Events()
    events.put("session.start", test_copilot.START)
    events.put("user.message", {"content": "open"})
    events.put("session.resume", {"context": {"cwd": "/home/ada/secret"}})
    events.put("user.message", {"content": "hidden"})
    events.put("session.resume", {"context": {"cwd": "/home/ada/harbor"}})
    events.put("user.message", {"content": "open again"})
    return events.write(folder)


@pytest.mark.parametrize("write", [claude_code, codex, qwen, copilot])
def test_what_is_said_in_an_excluded_folder_is_left_out(write: Callable[[Path], Path], tmp_path: Path) -> None:
    path = write(tmp_path)
    found = recognise(path)
    assert found is not None
    adapter, source = found
    events: list[Event] = read_all(adapter, source, ReadLimits())[0]
    exclusion = Exclusion(("~/secret",), (), HOME)
    batch = adapter.read(source, None, ReadLimits())
    kept = exclusion.without(Prepared(batch, tuple("" for _ in batch.events))).batch.events
    assert [event.text for event in events if isinstance(event, MessagePart)] == ["open", "hidden", "open again"]
    assert [event.text for event in kept if isinstance(event, MessagePart)] == ["open", "open again"]
