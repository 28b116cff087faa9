"""Which thread rows belong to: forks, agents, reverts and turns that were taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memd.adapter import (
    MessagePart,
    Withdrawn,
)
from tests.unit.adapters.rollouts import (
    OTHER,
    THREAD,
    Rollout,
    conversation,
    every_generation,
    read,
    tell,
    tell_rows,
    turn_id,
)


@every_generation
def test_a_fork_that_writes_its_parents_rows_again_counts_them_once(tmp_path: Path, shape: dict[str, Any]) -> None:
    parent = conversation(shape)
    child = parent.fork()
    child.ask("on the fork")
    child.say("Yes.")
    told = tell(child.write(tmp_path), parent.write(tmp_path))
    assert [message.text for message in told.of(THREAD).messages] == ["make f return 2", "Looking.", "Done."]
    assert [message.text for message in told.of(OTHER).messages] == ["on the fork", "Yes."]
    assert (told.of(OTHER).session.kind, told.of(OTHER).session.forked_from) == ("fork", THREAD)
    assert told.of(OTHER).session.started_at == 1775037600000  # as its own head says


@every_generation
def test_the_same_prompt_in_parent_and_fork_is_two_prompts(tmp_path: Path, shape: dict[str, Any]) -> None:
    parent = conversation(shape)
    child = parent.fork()
    for rollout in (parent, child):
        rollout.ask("go on")
        rollout.say("Yes.")
    told = tell(parent.write(tmp_path), child.write(tmp_path))
    assert [len(told.of(thread).messages) for thread in (THREAD, OTHER)] == [5, 2]


def test_a_subagent_replays_its_parent_and_has_its_own_id(tmp_path: Path) -> None:
    parent = conversation({})
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": THREAD, "depth": 1, "agent_nickname": "Russell"}}}
    child = parent.fork(session_id=THREAD, source=spawn, thread_source="subagent")
    child.ask("list files")
    child.say("None.")
    told = tell(child.write(tmp_path), parent.write(tmp_path))
    session = told.of(OTHER).session
    assert (session.kind, session.parent, session.agent) == ("subagent", THREAD, "Russell")
    assert [message.text for message in told.of(OTHER).messages] == ["list files", "None."]
    assert len(told.of(THREAD).messages) == 3


def test_a_paginated_fork_copies_nothing(tmp_path: Path) -> None:
    fork = Rollout(OTHER, paginated=True, first_ordinal=40)
    fork.head(forked_from_id=THREAD, history_base={"thread_id": THREAD, "end_ordinal_exclusive": 40})
    fork.ask("on the fork")
    told = tell_rows(tmp_path, fork)
    assert (told.session.kind, told.session.forked_from, told.session.native_id) == ("fork", THREAD, OTHER)
    parts = [event for event in read(fork.write(tmp_path))[0] if isinstance(event, MessagePart)]
    assert [part.copied_from for part in parts] == [None]


def test_a_revert_goes_on_in_another_file_of_the_same_thread(tmp_path: Path) -> None:
    before = conversation({"paginated": True})
    cut = len(before.rows)
    before.ask("the wrong way")
    before.say("Went wrong.")
    before.end()
    after = Rollout(THREAD, paginated=True, first_ordinal=cut, second=before.second, turns=50)
    after.head(history_base={"thread_id": THREAD, "end_ordinal_exclusive": cut, "end_byte_offset": 1})
    after.ask("the right way")
    after.say("Went right.")
    segment = f"rollout-2026-04-01T13-00-00-{THREAD}_{OTHER}.jsonl"
    paths = [before.write(tmp_path), after.write(tmp_path, segment)]
    for told in (tell(*paths), tell(*reversed(paths))):
        assert [(message.text, message.abandoned) for message in told.messages] == [
            ("make f return 2", False),
            ("Looking.", False),
            ("Done.", False),
            ("the wrong way", True),
            ("Went wrong.", True),
            ("the right way", False),
            ("Went right.", False),
        ]


@pytest.mark.parametrize("turn_ids", [True, False])
def test_turns_that_were_rolled_back_are_withdrawn(tmp_path: Path, turn_ids: bool) -> None:
    rollout = Rollout(turn_ids=turn_ids)
    rollout.head()
    for text in ("one", "two", "three"):
        rollout.ask(text)
        rollout.say(f"Did {text}.")
        if turn_ids:
            rollout.end()
    rollout.event("thread_rolled_back", num_turns=2)
    rollout.ask("two")
    rollout.say("Better.")
    told = tell_rows(tmp_path, rollout)
    assert [(message.text, message.abandoned) for message in told.messages] == [
        ("one", False),
        ("Did one.", False),
        ("two", True),
        ("Did two.", True),
        ("three", True),
        ("Did three.", True),
        ("two", False),
        ("Better.", False),
    ]


def test_withdrawn_keys_are_those_of_the_messages(tmp_path: Path) -> None:
    rollout = conversation({})
    rollout.event("thread_rolled_back", num_turns=1)
    events, _ = read(rollout.write(tmp_path))
    (withdrawn,) = [event for event in events if isinstance(event, Withdrawn)]
    assert withdrawn.messages == (f"{turn_id(1)}:1", f"{turn_id(1)}:2", f"{turn_id(1)}:3")
