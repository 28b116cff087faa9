from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import (
    Cursor,
    Event,
    HostEnv,
    LiveProcess,
    MessagePart,
    ReadLimits,
    Root,
    SessionUpdate,
    Source,
    Withdrawn,
)
from memd.errors import TranscriptError
from memd.fold import fold
from memd.text.redaction import scrub
from memd_adapters.codex import ADAPTER
from memd_adapters.codex_state import State
from tests.unit.adapters.rollouts import FOLDER, OTHER, THREAD, Rollout, bare, read, source_of, tell, tell_rows, turn_id

GENERATIONS = [
    pytest.param({"turn_ids": False}, id="envelope-without-turn-ids"),
    pytest.param({}, id="envelope"),
    pytest.param({"paginated": True}, id="paginated"),
]
every_generation = pytest.mark.parametrize("shape", GENERATIONS)


def conversation(shape: dict[str, Any]) -> Rollout:
    rollout = Rollout(**shape)
    rollout.head()
    rollout.message("developer", "<permissions instructions>\nwrite anywhere</permissions instructions>")
    rollout.message(
        "user", "# AGENTS.md instructions for /home/ada/harbor\n\n<INSTRUCTIONS>\nUse tabs.\n</INSTRUCTIONS>"
    )
    rollout.message("user", f"<environment_context>\n  <cwd>{FOLDER}</cwd>\n</environment_context>")
    rollout.ask("make f return 2")
    rollout.item(type="reasoning", summary=[{"type": "summary_text", "text": "Look first."}], encrypted_content="gAAA")
    rollout.say("Looking.")
    rollout.call("c1", "exec_command", {"cmd": "cat f.py"})
    rollout.output("c1", "Chunk ID: 0a\nWall time: 0.1 seconds\nProcess exited with code 0\nOutput:\nreturn 1\n")
    rollout.say("Done.")
    rollout.end()
    return rollout


@every_generation
def test_a_prompt_counts_once_and_host_texts_are_no_prompts(tmp_path: Path, shape: dict[str, Any]) -> None:
    told = tell_rows(tmp_path, conversation(shape))
    assert [(message.kind, message.text) for message in told.messages] == [
        ("prompt", "make f return 2"),
        ("reply", "Looking."),
        ("reply", "Done."),
    ]
    assert told.messages[1].thinking == "Look first."
    (call,) = told.calls
    assert (call.name, call.kind, call.ok, call.exit_code, call.output) == (
        "exec_command",
        "shell",
        True,
        0,
        "return 1\n",
    )
    assert not told.skipped


@every_generation
def test_a_session_is_told_with_its_folder_branch_model_and_version(tmp_path: Path, shape: dict[str, Any]) -> None:
    session = tell_rows(tmp_path, conversation(shape)).session
    assert (session.native_id, session.kind, session.cwd, session.branch) == (THREAD, "main", FOLDER, "main")
    assert (session.model, session.started_at) == ("gpt-6-codex", 1775037600000)
    assert session.version in ("0.58.0", "0.104.0", "0.171.0")
    assert session.ended_at is None  # a task that is complete ends a turn


def test_the_first_generation_has_bare_items_and_its_folder_in_the_environment(tmp_path: Path) -> None:
    def message(role: str, text: str) -> dict[str, Any]:
        return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}

    path = tmp_path / f"rollout-2025-08-01T12-00-00-{THREAD}.jsonl"
    output = json.dumps({"output": "a.py\n", "metadata": {"exit_code": 0, "duration_seconds": 0.1}})
    path.write_bytes(
        bare(
            message("user", "<user_instructions>\nUse tabs.\n</user_instructions>"),
            message(
                "user",
                f"<environment_context>\nCurrent working directory: {FOLDER}\nShell: zsh\n</environment_context>",
            ),
            message("user", "list the files"),
            {"type": "function_call", "name": "shell", "arguments": '{"command":["bash","-lc","ls"]}', "call_id": "c1"},
            {"type": "function_call_output", "call_id": "c1", "output": output},
            message("assistant", "One file."),
            message("user", "list the files"),
            message("assistant", "Still one."),
        )
    )
    told = tell(path)
    assert told.texts("prompt") == ["list the files", "list the files"]
    assert told.texts("reply") == ["", "One file.", "Still one."]
    assert (told.session.cwd, told.session.branch, told.calls[0].exit_code) == (FOLDER, "main", 0)
    assert told.messages[0].at is None


def test_what_the_editor_adds_to_a_prompt_is_taken_off(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nrename f to g")
    rollout.event("user_message", message="<environment_context>x</environment_context>", kind="environment_context")
    rollout.event(
        "user_message", message="and look", images=["data:image/png;base64,iVBOR"], local_images=["/tmp/a.png"]
    )
    assert tell_rows(tmp_path, rollout).texts("prompt") == ["rename f to g", "and look\n\n[image]\n\n[image]"]


def test_images_are_noted_and_not_stored(tmp_path: Path) -> None:
    rollout = Rollout(paginated=True)
    rollout.head()
    rollout.start()
    parts = [{"type": "text", "text": "look"}, {"type": "image", "image_url": "data:image/png;base64,iVBORw0KGgo"}]
    rollout.completed("UserMessage", id="u1", content=parts)
    path = rollout.write(tmp_path)
    assert tell(path).texts("prompt") == ["look\n\n[image]"]
    assert "iVBOR" not in repr(read(path))


def test_a_shell_line_of_the_person_is_a_command(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.start()
    rollout.message(
        "user",
        "<user_shell_command>\n<command>\ngit status\n</command>\n<result>\nExit code: 0\n"
        "Duration: 0.1 seconds\nOutput:\nclean\n</result>\n</user_shell_command>",
    )
    told = tell_rows(tmp_path, rollout)
    assert (told.texts("command"), told.texts("prompt")) == (["! git status\n\nclean"], [])


def test_an_interruption_is_a_notice(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("wait")
    rollout.message("user", "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>")
    rollout.event("turn_aborted", turn_id=rollout.turn, reason="interrupted")
    told = tell_rows(tmp_path, rollout)
    assert (told.texts("notice"), told.texts("prompt")) == (["[Turn ended early: interrupted]"], ["wait"])


def test_the_same_words_in_one_turn_are_two_messages(tmp_path: Path) -> None:
    rollout = Rollout()
    rollout.head()
    rollout.ask("go")
    for number in (1, 2):
        rollout.say("On it.")
        rollout.call(f"c{number}", "exec_command", {"cmd": "true"})
        rollout.output(f"c{number}", "Process exited with code 0\nOutput:\n")
    assert tell_rows(tmp_path, rollout).texts("reply") == ["On it.", "On it."]


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


def migrated(rollout: Rollout) -> bytes:
    """Write a rollout of the second generation again as `codex migrate-rollouts` does: paginated, times kept."""
    rows: list[dict[str, Any]] = []
    number = 0
    for row in rollout.rows:
        payload = row["payload"]
        item: dict[str, Any] | None = None
        if payload.get("type") == "user_message":
            item = {"type": "UserMessage", "content": [{"type": "text", "text": payload["message"]}]}
        elif payload.get("type") == "agent_message":
            item = {"type": "AgentMessage", "content": [{"type": "Text", "text": payload["message"]}]}
        if item is not None:
            number += 1
            turn = rollout.turn if rollout.turn_ids else f"rollout-{number}"
            payload = {"type": "item_completed", "turn_id": turn, "item": item | {"id": f"item-{number}"}}
        if row["type"] == "session_meta":
            payload = payload | {"history_mode": "paginated"}
        rows.append(row | {"ordinal": len(rows), "payload": payload})
    lines = (
        {"timestamp": row["timestamp"], "ordinal": row["ordinal"], "type": row["type"], "payload": row["payload"]}
        for row in rows
    )
    return b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines)


@pytest.mark.parametrize("turn_ids", [True, False])
def test_a_migrated_file_gives_the_same_keys(tmp_path: Path, turn_ids: bool) -> None:
    rollout = conversation({"turn_ids": turn_ids})
    path = rollout.write(tmp_path)
    before = read(path)[0]
    cursor = ADAPTER.read(source_of(path), None, ReadLimits()).cursor
    status = path.stat()
    other = path.with_suffix(".new")
    other.write_bytes(migrated(rollout))
    other.replace(path)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    batch = ADAPTER.read(source_of(path), cursor, ReadLimits())
    assert batch.restarted
    assert fold("codex", [*before, *batch.events])[0].messages == fold("codex", before)[0].messages


def packed(path: Path, folder: Path) -> Path:
    target = folder / "archived_sessions" / f"{path.name}.zst"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(zstandard.ZstdCompressor(level=3).compress(path.read_bytes()))
    return target


@every_generation
def test_an_archived_thread_is_the_same_packed_or_not(tmp_path: Path, shape: dict[str, Any]) -> None:
    path = conversation(shape).write(tmp_path)
    archive = packed(path, tmp_path)
    assert read(archive) == read(path)
    assert tell(path, archive).messages == tell(path).messages
    moved = tmp_path / "archived_sessions" / path.name
    shutil.copyfile(path, moved)
    assert read(moved) == read(path)


def test_a_packed_file_is_read_once_and_again_when_it_changed(tmp_path: Path) -> None:
    rollout = conversation({})
    archive = packed(rollout.write(tmp_path), tmp_path)
    batch = ADAPTER.read(source_of(archive), None, ReadLimits())
    assert ADAPTER.read(source_of(archive), batch.cursor, ReadLimits()).events == ()
    rollout.ask("one more")
    packed(rollout.write(tmp_path), tmp_path)
    again = ADAPTER.read(source_of(archive), batch.cursor, ReadLimits())
    assert again.restarted
    assert [event.text for event in again.events if isinstance(event, MessagePart)][-1] == "one more"


def test_a_large_packed_file_is_read_in_batches(tmp_path: Path) -> None:
    rollout = conversation({})
    for number in range(40):
        rollout.ask(f"{number} " + "word " * 200_000)
    path = rollout.write(tmp_path)
    archive = packed(path, tmp_path)
    batch = ADAPTER.read(source_of(archive), None, ReadLimits(batch_bytes=1))
    assert batch.more
    assert batch.cursor.size != archive.stat().st_size
    assert tell(archive).only == tell(path).only


def test_a_damaged_packed_file_gives_what_comes_before_the_damage(tmp_path: Path) -> None:
    archive = packed(conversation({}).write(tmp_path), tmp_path)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-20])
    assert ADAPTER.recognise(archive, whole[:100]) == Source("codex", archive, THREAD)
    with contextlib.suppress(TranscriptError):
        ADAPTER.read(Source("codex", archive, THREAD), None, ReadLimits())
    archive.write_bytes(b"\x28\xb5\x2f\xfd" + b"\xff" * 50)
    with pytest.raises(TranscriptError, match="Zstandard"):
        ADAPTER.read(Source("codex", archive, THREAD), None, ReadLimits())
    assert ADAPTER.recognise(archive, archive.read_bytes()) is None


@pytest.mark.parametrize("is_packed", [False, True])
@pytest.mark.parametrize("paginated", [False, True])
def test_a_line_that_repeats_the_history_leaves_its_summary(tmp_path: Path, paginated: bool, is_packed: bool) -> None:
    rollout = conversation({"paginated": paginated})
    image = {"type": "input_image", "image_url": "data:image/png;base64," + "QUJD" * 300_000}
    history = [{"type": "message", "role": "user", "content": [image]}] * 3
    rollout.put("compacted", {"message": "SUMMARY: f \u2028 is in a.py", "replacement_history": history})
    rollout.event("context_compacted")
    rollout.ask("go on")
    path = rollout.write(tmp_path)
    path = packed(path, tmp_path) if is_packed else path
    events, skipped = read(path, limits=ReadLimits(batch_bytes=4096, line_bytes=100_000))
    (transcript,) = fold("codex", events)
    assert [(m.kind, m.text) for m in transcript.messages[-2:]] == [
        ("summary", "SUMMARY: f \u2028 is in a.py"),
        ("prompt", "go on"),
    ]
    assert not skipped
    assert "QUJD" not in repr(events)
    assert fold("codex", read(path)[0])[0].messages == transcript.messages


def test_a_summary_longer_than_the_head_is_cut(tmp_path: Path) -> None:
    rollout = conversation({})
    rollout.put("compacted", {"message": 'words \\ " é ' * 20_000})
    (summary,) = tell_rows(tmp_path, rollout).texts("summary")
    assert summary.startswith('words \\ " é words')
    assert 10_000 < len(summary) <= 32 << 10


def test_names_given_to_threads_are_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "session_index.jsonl"
    names = ("first", "harbour")
    lines = [{"id": THREAD, "thread_name": name, "updated_at": "2026-04-01T10:00:00.123456789Z"} for name in names]
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines) + '{"id":"torn')
    source = source_of(path)
    assert source.session is None
    batch = ADAPTER.read(source, None, ReadLimits())
    assert batch.events == tuple(SessionUpdate(THREAD, title=name, title_by_user=True) for name in names)
    events = [*read(conversation({}).write(tmp_path))[0], *batch.events]
    assert fold("codex", events)[0].session.title == "harbour"


def test_a_source_is_known_by_its_name(tmp_path: Path) -> None:
    home = tmp_path / "home"
    roots = {root.path: root for root in ADAPTER.roots(HostEnv(home, {"CODEX_HOME": str(tmp_path / "own")}, "linux"))}
    assert set(roots) == {
        folder / name
        for folder in (tmp_path / "own", home / ".codex")
        for name in ("sessions", "archived_sessions", "session_index.jsonl")
    }
    root = roots[home / ".codex" / "sessions"]
    name = f"rollout-2026-04-01T12-00-00-{THREAD}"
    for path, session in {
        root.path / "2026/04/01" / f"{name}.jsonl": THREAD,
        root.path / "2026/04/01" / f"{name}_{OTHER}.jsonl": THREAD,
        root.path.parent / "archived_sessions" / f"{name}.jsonl.zst": THREAD,
        root.path / "2026/04/01" / f"{name}.jsonl.tmp": None,
        root.path / "notes.jsonl": None,
    }.items():
        source = ADAPTER.classify(root, path)
        assert (source.session if source else None) == session
    assert ADAPTER.classify(root, home / ".codex" / "session_index.jsonl") is not None


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\0" * 50,
        b'{"type":"user","uuid":"1","sessionId":"s","isSidechain":false}\n',
        b'{"id":"x","title":"y"}\n',
        b'{"sessionId":"1","projectHash":"2","startTime":"3"}\n',
        b"\x28\xb5\x2f\xfdno",
    ],
)
def test_what_another_program_wrote_is_not_recognised(tmp_path: Path, head: bytes) -> None:
    assert ADAPTER.recognise(tmp_path / "x.jsonl", head) is None


def test_a_copied_rollout_is_recognised_by_its_head_alone(tmp_path: Path) -> None:
    path = conversation({}).write(tmp_path)
    source = ADAPTER.recognise(tmp_path / "copy.jsonl", path.read_bytes()[:300])
    assert source is not None
    assert source.session == THREAD


def test_a_process_that_has_a_thread_open_is_live(tmp_path: Path) -> None:
    locks = tmp_path / "thread-writer-locks"
    locks.mkdir()
    (locks / f"{OTHER}.lock").write_text("4711\n")
    (locks / "other.lock").write_text("12")
    root = Root("codex", tmp_path / "sessions")
    assert ADAPTER.live(root) == (LiveProcess(OTHER, 4711, None),)
    (locks / f"{THREAD}.lock").write_text("")
    with (locks / f"{THREAD}.lock").open("r+b") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        found = ADAPTER.live(root)
        if Path("/proc/locks").exists() and f"{held.fileno()}" and len(found) == 2:
            assert found[0] == LiveProcess(THREAD, os.getpid(), None)
    assert LiveProcess(OTHER, 4711, None) in ADAPTER.live(root)


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


def test_withdrawn_keys_are_those_of_the_messages(tmp_path: Path) -> None:
    rollout = conversation({})
    rollout.event("thread_rolled_back", num_turns=1)
    events, _ = read(rollout.write(tmp_path))
    (withdrawn,) = [event for event in events if isinstance(event, Withdrawn)]
    assert withdrawn.messages == (f"{turn_id(1)}:1", f"{turn_id(1)}:2", f"{turn_id(1)}:3")
