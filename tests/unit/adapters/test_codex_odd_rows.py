"""Rows of Codex that were never seen, and files that are read while they grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import (
    Cursor,
    Event,
    ReadLimits,
    Source,
)
from memd.fold import fold
from memd.text.redaction import scrub
from memd_adapters.codex import ADAPTER
from memd_adapters.codex_state import State
from tests.unit.adapters.rollouts import (
    THREAD,
    Rollout,
    conversation,
    read,
    source_of,
    tell_rows,
)


def test_unknown_rows_are_counted(tmp_path: Path) -> None:
    rollout = conversation({})
    rollout.put("new_thing", {"x": 1})
    rollout.event("new_event", x=1)
    rollout.completed("NewItem", id="x")
    rollout.item(type="new_call", x=1)
    assert dict(tell_rows(tmp_path, rollout).skipped) == {
        "unknown row kind: new_thing": 1,
        "unknown row kind: event_msg/new_event": 1,
        "unknown row kind: item_completed/NewItem": 1,
        "unknown row kind: response_item/new_call": 1,
    }


def test_nothing_but_a_head_makes_no_session(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    assert tell_rows(tmp_path, rollout).transcripts == ()


def test_the_state_stays_small_and_is_no_secret(tmp_path: Path) -> None:
    rollout = Rollout(turn_ids=False)
    rollout.head()
    for number in range(1500):
        rollout.ask(f"prompt {number}")
        rollout.say(f"answer {number}")
        rollout.call(f"c{number}", "apply_patch", {"input": f"*** Begin Patch\n*** Add File: f{number}\n+x\n"})
    path = rollout.write(tmp_path)
    cursor: Cursor | None = None
    batch = ADAPTER.read(source_of(path), cursor, ReadLimits(batch_bytes=100_000))
    while batch.more:
        assert len(batch.cursor.state) < 64 << 10
        assert scrub(batch.cursor.state).text == batch.cursor.state
        batch = ADAPTER.read(source_of(path), batch.cursor, ReadLimits(batch_bytes=100_000))
    assert State.load(batch.cursor.state).dump() == batch.cursor.state


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"turns":[1]}', '{"calls":{"a":1}}', '{"strange":1}'])
def test_an_unreadable_state_counts_as_none(text: str) -> None:
    assert State.load(text) == State()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    cuts=st.lists(st.integers(0, 9000), max_size=6),
    shape=st.sampled_from([{}, {"paginated": True}, {"turn_ids": False}]),
)
def test_reading_while_a_file_grows_tells_the_same(tmp_path: Path, cuts: list[int], shape: dict[str, Any]) -> None:
    rollout = conversation(shape)
    rollout.event("thread_rolled_back", num_turns=1)
    rollout.ask("again")
    rollout.call("c2", "exec_command", {"cmd": "sleep 9"})
    rollout.output("c2", "Process running with session ID 7\nOutput:\na\n")
    rollout.call("c3", "write_stdin", {"session_id": 7, "chars": ""})
    rollout.output("c3", "Process exited with code 3\nOutput:\nb\n")
    whole = rollout.write(tmp_path / "whole")
    content = whole.read_bytes()
    path = tmp_path / "grows" / whole.name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    events: list[Event] = []
    cursor = None
    for stop in sorted({min(cut, len(content)) for cut in cuts} | {len(content)}):
        with path.open("ab") as file:
            file.write(content[path.stat().st_size : stop])
        batch = ADAPTER.read(Source("codex", path, THREAD), cursor, ReadLimits())
        events += batch.events
        cursor = batch.cursor
    assert fold("codex", events) == fold("codex", read(whole)[0])
