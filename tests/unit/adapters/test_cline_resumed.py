"""Cline tasks that were gone on with in a session of its SDK: what lies in two files counts once, what is new is there.

Forms: cline/cline, apps/vscode/src/sdk/legacy-task-handling.ts and legacy-task-writeback.ts.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd.adapter import Event, ReadLimits, Root, Source
from memd.fold import fold, read_all
from memd.model import Transcript
from memd_adapters import cline

T = 1_746_780_000_000
TASK = str(T)
EDITOR = Path(".config", "Code", "User", "globalStorage", "saoudrizwan.claude-dev", "tasks", TASK)
BESIDE = Path(".cline", "data", "tasks", TASK)
SESSIONS = Path(".cline", "data", "sessions")
Row = dict[str, object]


def text(role: str, words: str, **fields: object) -> Row:
    return {"role": role, "content": [{"type": "text", "text": words}], **fields}


HISTORY: list[Row] = [
    text("user", "<task>\nread the tides\n</task>\n<environment_details>\nnow\n</environment_details>", ts=T + 1),
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I read them."},
            {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "tides.csv"}},
        ],
        "ts": T + 2,
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "[read_file] Result:\nhigh 6:12"}],
        "ts": T + 3,
    },
    text("assistant", "High water is at 6:12.", ts=T + 4),
    text("user", "<feedback>\nnow the lows\n</feedback>", ts=T + 5),
    text("assistant", "Low water is at 12:31.", ts=T + 6),
]
COPIED: list[Row] = [
    text("user", "read the tides"),
    {
        "role": "assistant",
        "content": [
            {"type": "text", "text": "I read them."},
            {"type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {"path": "tides.csv"}},
        ],
    },
    {
        "role": "user",
        "content": [{
            "type": "tool_result", "tool_use_id": "toolu_1", "name": "read_file",
            "content": "[read_file] Result:\nhigh 6:12",
        }],
    },
    text("assistant", "High water is at 6:12."),
    text("user", "now the lows"),
    text("assistant", "Low water is at 12:31."),
]  # fmt: skip
WARNINGS = (
    "Warning: this is a legacy conversation, which means tool names may have changed. Please use the newer ones.",
    "[cline-legacy-resume-warning:v1]\nWarning: this conversation was created by an older Cline runtime.",
)
NEW: list[Row] = [
    text("user", '<user_input mode="act">and the neap tides?</user_input>', ts=T + 900, id="n1"),
    text("assistant", "They come on Friday.", ts=T + 901, id="n2"),
]
ALL_TEXTS = [
    "read the tides",
    "I read them.",
    "High water is at 6:12.",
    "now the lows",
    "Low water is at 12:31.",
    "and the neap tides?",
    "They come on Friday.",
]


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    return path


def session(home: Path, rows: list[Row], name: str = TASK, **metadata: object) -> Path:
    folder = home / SESSIONS / name
    write(folder / f"{name}.json", {"version": 1, "session_id": name, "cwd": "/home/ada/harbor", "metadata": metadata})
    messages = {"version": 1, "updated_at": "x", "messages": rows}
    return write(folder / f"{name}.messages.json", messages)


def told(home: Path, *paths: Path) -> dict[str, Transcript]:
    """Read files as they are found below the roots of a home; each is read once more, as after a change."""
    events: list[Event] = []
    for path in paths:
        root = next(folder for folder in path.parents if folder.name in ("tasks", "sessions"))
        source = cline.ADAPTER.classify(Root("cline", root), path)
        assert source is not None, path
        events += read_all(cline.ADAPTER, source, ReadLimits())[0]
    return {transcript.session.native_id: transcript for transcript in fold("cline", events)}


def texts(transcript: Transcript) -> list[str]:
    return [message.text for message in transcript.messages if message.text and not message.abandoned]


@pytest.mark.parametrize("place", [EDITOR, BESIDE])
@pytest.mark.parametrize("warning", WARNINGS)
def test_a_task_gone_on_with_is_one_session_and_counts_once(tmp_path: Path, place: Path, warning: str) -> None:
    history = write(tmp_path / place / "api_conversation_history.json", HISTORY)
    messages = session(tmp_path, [*COPIED, text("user", warning), *NEW], legacyTask=True)
    for paths in ((history, messages), (messages, history)):
        found = told(tmp_path, *paths)
        assert list(found) == [TASK]
        assert texts(found[TASK]) == ALL_TEXTS
        assert [call.call_id for message in found[TASK].messages for call in message.tool_calls] == ["toolu_1"]


def test_what_cline_cut_from_the_context_is_still_the_tasks(tmp_path: Path) -> None:
    history = write(tmp_path / BESIDE / "api_conversation_history.json", HISTORY)
    rows = [COPIED[0], COPIED[1], COPIED[5], text("user", WARNINGS[0]), *NEW]
    messages = session(tmp_path, rows, migratedFromLegacyTask=True)
    assert texts(told(tmp_path, history, messages)[TASK]) == ALL_TEXTS


def test_a_session_whose_task_is_gone_tells_all_of_it(tmp_path: Path) -> None:
    messages = session(tmp_path, [*COPIED, text("user", WARNINGS[0]), *NEW], legacyTask=True)
    assert texts(told(tmp_path, messages)[TASK]) == ALL_TEXTS


def test_a_task_that_is_deleted_later_is_not_told_again(tmp_path: Path) -> None:
    history = write(tmp_path / BESIDE / "api_conversation_history.json", HISTORY)
    rows = [*COPIED, text("user", WARNINGS[0]), *NEW]
    source = Source("cline", session(tmp_path, rows, legacyTask=True), TASK)
    first = cline.ADAPTER.read(source, None, ReadLimits())
    history.unlink()
    session(tmp_path, [*rows, text("user", "thanks", ts=T + 902, id="n3")], legacyTask=True)
    second = cline.ADAPTER.read(source, first.cursor, ReadLimits())
    source.path.write_text(source.path.read_text()[:400])
    torn = cline.ADAPTER.read(source, second.cursor, ReadLimits())
    (transcript,) = fold("cline", [*first.events, *second.events, *torn.events])
    assert texts(transcript) == [*ALL_TEXTS[-2:], "thanks"]


def test_a_session_of_another_id_links_what_it_repeats(tmp_path: Path) -> None:
    history = write(tmp_path / EDITOR / "api_conversation_history.json", HISTORY)
    name = f"{T + 800}_ada01"
    messages = session(tmp_path, [*COPIED, *NEW], name, legacyTask={"id": TASK})
    for paths in ((history, messages), (messages, history)):
        found = told(tmp_path, *paths)
        assert texts(found[TASK]) == ALL_TEXTS[:-2]
        assert texts(found[name]) == ALL_TEXTS[-2:]
        assert found[name].session.forked_from == TASK


def test_what_was_written_back_behind_a_task_is_its_sessions(tmp_path: Path) -> None:
    back = [text("user", "and the neap tides?", ts=T + 900), text("assistant", "They come on Friday.", ts=T + 901)]
    later = [text("user", "<feedback>\nthanks\n</feedback>", ts=T + 950)]
    history = write(tmp_path / EDITOR / "api_conversation_history.json", [*HISTORY, *back, *later])
    write(
        history.with_name("sdk_writeback.json"), {"version": 1, "baseApiMessageCount": 6, "writtenApiMessageCount": 8}
    )
    messages = session(tmp_path, [*COPIED, text("user", WARNINGS[1]), *NEW], legacyTask=True)
    assert sorted(texts(told(tmp_path, history, messages)[TASK])) == sorted([*ALL_TEXTS, "thanks"])


def test_what_was_written_back_behind_what_was_shown_is_its_sessions(tmp_path: Path) -> None:
    shown: list[Row] = [{"ts": T, "type": "say", "say": "task", "text": "read the tides"}]
    shown += [{"ts": T + 1, "type": "say", "say": "api_req_started", "text": "{}"} for _ in range(3)]
    back: Row = {"ts": T + 900, "type": "say", "say": "user_feedback", "text": "and the neap tides?"}
    path = write(tmp_path / EDITOR / "ui_messages.json", [*shown, back])
    write(path.with_name("sdk_writeback.json"), {"baseUiMessageCount": 4, "writtenUiMessageCount": 5})
    assert texts(told(tmp_path, path)[TASK]) == ["read the tides"]


@pytest.mark.parametrize(
    "words",
    [
        '<cline_internal_prompt kind="task_resumption">Please continue where you left off.</cline_internal_prompt>',
        "[TASK RESUMPTION] This task was interrupted. New instructions from the user: read the tides",
        "<mode_notice>act</mode_notice>\nThe user approved switching to act mode. Continue with the approved plan now.",
        WARNINGS[0],
    ],
)
@pytest.mark.parametrize("form", ['<user_input mode="act">{}</user_input>', "{}"])
def test_what_cline_asks_in_a_persons_place_is_no_prompt(tmp_path: Path, words: str, form: str) -> None:
    rows = [text("user", form.format(words), id="a"), text("assistant", "I go on.", id="b")]
    found = told(tmp_path, session(tmp_path, rows, "1795000000000_ada01"))["1795000000000_ada01"]
    assert [message.kind for message in found.messages] == ["reply"]
