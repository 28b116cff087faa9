"""Rows that were never seen, are damaged, written again or unfinished: nothing is lost and nothing is told twice."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Cursor, ReadLimits, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd_adapters.claude_code import ADAPTER
from tests.unit.adapters.claude_rows import SESSION, Rows, events_of, read_on, source_of, tell_file, turn


def test_what_was_never_seen_is_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    rows = Rows(version="3.0.0")
    turn(rows)
    rows.note("hologram", content="x")
    rows.note("hologram", content="y")
    rows.put("system", subtype="teleport", content="x")
    rows.put("user", message="absent")
    rows.rows.append({"no": "type"})
    told = tell_file(rows.write(tmp_path))
    assert [message.text for message in told.messages] == ["do it", "done"]
    assert told.skipped == {
        "unknown version: 3.0.0": 1,
        "unknown row kind: hologram": 2,
        "unknown row kind: system/teleport": 1,
        "row without a message": 1,
        "row without a type": 1,
    }


def test_odd_shapes_of_a_message_are_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.put("user", message={"role": "user", "content": {"0": "h", "1": "i"}})
    rows.put("user", message={"0": "y", "1": "o"})
    rows.put("user", message="plain")
    rows.put("assistant", message={"role": "assistant", "content": "as a string", "id": "m"})
    told = tell_file(rows.write(tmp_path))
    assert (told.texts("prompt"), told.texts("reply")) == (["hi", "yo", "plain"], ["as a string"])


def test_a_row_without_an_id_is_told_once_however_often_it_is_read(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("hello", uuid="absent")
    rows.reply("yes")
    path = rows.write(tmp_path)
    events = events_of(read_on(source_of(path))) * 2
    (told,) = fold("claude_code", events)
    assert [message.text for message in told.messages] == ["hello", "yes"]


def test_nul_characters_do_not_reach_the_store(tmp_path: Path) -> None:
    rows = Rows()
    rows.user("a\0b")
    assert tell_file(rows.write(tmp_path)).texts("prompt") == ["a\ufffdb"]


def test_a_last_row_without_its_newline_is_told_and_told_no_second_time(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    path.write_bytes(rows.lines()[:-1])
    source = source_of(path)
    first = ADAPTER.read(source, None, ReadLimits())
    with path.open("ab") as file:
        file.write(b"\n")
    second = ADAPTER.read(source, first.cursor, ReadLimits())
    (early,) = fold("claude_code", first.events)
    (both,) = fold("claude_code", first.events + second.events)
    assert [message.text for message in early.messages] == ["do it", "done"]
    assert early == both


def test_a_rewritten_file_repeats_nothing(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    first = ADAPTER.read(source_of(path), None, ReadLimits())
    turn(rows, "later", "yes")
    del rows.rows[0]
    again = Path(tmp_path / "new")
    again.write_bytes(rows.lines())
    again.replace(path)
    second = ADAPTER.read(source_of(path), first.cursor, ReadLimits())
    assert second.restarted
    (told,) = fold("claude_code", first.events + second.events)
    assert Counter(message.text for message in told.messages) == Counter(["do it", "done", "later", "yes"])


def test_a_file_that_is_no_transcript_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_text("no json\nat all\n")
    with pytest.raises(TranscriptError, match="is no transcript of Claude Code"):
        ADAPTER.read(Source("claude_code", path, SESSION), None, ReadLimits())


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"")
    batch = ADAPTER.read(Source("claude_code", path, SESSION), None, ReadLimits())
    assert (batch.events, batch.more, batch.lines) == ((), False, 0)


def test_a_cursor_of_an_unknown_state_is_no_obstacle(tmp_path: Path) -> None:
    rows = Rows()
    turn(rows)
    path = rows.write(tmp_path)
    whole = ADAPTER.read(source_of(path), None, ReadLimits(batch_bytes=1))
    cursor = whole.cursor
    for state in ("", "{", "[]", '{"calls":{"x":3}}', '{"unknown":1}'):
        odd = Cursor(cursor.offset, cursor.size, cursor.inode, cursor.mtime_ns, cursor.head, cursor.tail, state)
        assert ADAPTER.read(source_of(path), odd, ReadLimits()).events


KEYS = (
    "uuid parentUuid message content id model type text thinking tool_use_id is_error name input toolUseResult stdout"
    " isSidechain isMeta isCompactSummary agentId attachment prompt commandMode subtype timestamp cwd version gitBranch"
    " sessionId sessionKind forkedFrom messageUuid origin kind promptSource customTitle relocatedCwd filePath"
    " structuredPatch lines bashEditDiff files answers questions persistedOutputSize 0 1"
).split()
TYPES = ["user", "assistant", "system", "attachment", "progress", "custom-title", "relocated", "queue-operation", "?"]
WORDS = [
    *TYPES,
    *"text tool_use tool_result thinking image local_command queued_command prompt Warmup Task Edit Bash x".split(),
    "",
    "Exit code 7",
    "2026-04-01T10:00:00Z",
    "<bash-input>ls</bash-input>",
    "<command-name>/x</command-name>",
    "<local-command-stdout>x</local-command-stdout>",
]
SHAPES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(WORDS) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
ROWS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | SHAPES}, optional={key: SHAPES for key in KEYS if key != "type"}
)


# Making up a row takes longer than reading it: fewer of them, so that a busy machine is done in time.
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(rows=st.lists(ROWS, max_size=4), agent=st.booleans())
def test_rows_of_any_shape_are_borne(tmp_path: Path, rows: list[dict[str, Any]], agent: bool) -> None:
    path = tmp_path / ("agent-a13f09c.jsonl" if agent else f"{SESSION}.jsonl")
    path.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    source = Source("claude_code", path, None if agent else SESSION)
    events = events_of(read_on(source))
    assert fold("claude_code", events_of(read_on(source, limits=ReadLimits(batch_bytes=1)))) == fold(
        "claude_code", events
    )
