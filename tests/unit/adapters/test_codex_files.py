"""The files of Codex: migrated, packed, grown without measure, named, recognised, held open."""

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

from memd.adapter import (
    HostEnv,
    LiveProcess,
    MessagePart,
    ReadLimits,
    Root,
    SessionUpdate,
    Source,
)
from memd.errors import TranscriptError
from memd.fold import fold
from memd_adapters.codex import ADAPTER
from tests.unit.adapters.rollouts import (
    OTHER,
    THREAD,
    Rollout,
    conversation,
    every_generation,
    read,
    source_of,
    tell,
    tell_rows,
)


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
