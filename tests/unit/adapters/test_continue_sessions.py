"""Sessions that are written anew while they are read, and what lies beside them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Batch, Cursor, Event, HostEnv, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd.fold import fold
from memd.model import Transcript
from memd_adapters.continue_dev import ADAPTER

SESSION = "0ada0000-c000-4000-8000-000000000001"
Item = dict[str, object]


def item(number: int, text: str, role: str = "user", **more: object) -> Item:
    return {"message": {"role": role, "content": text, "id": f"m{number}"}, "contextItems": [], **more}


def call(call_id: str, name: str = "run_terminal_command", arguments: str = '{"command":"ls"}') -> dict[str, object]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(number: int, status: str, output: Sequence[dict[str, object]] | None = None) -> Item:
    made = call("call_1")
    state: dict[str, object] = {"toolCallId": "call_1", "toolCall": made, "status": status}
    if output is not None:
        state["output"] = list(output)
    entry = item(number, "", "assistant", toolCallStates=[state])
    message = entry["message"]
    assert isinstance(message, dict)
    message["toolCalls"] = [made]
    return entry


class File:
    """A session's file, and what was read of it so far."""

    def __init__(self, home: Path) -> None:
        self.path = home / "sessions" / f"{SESSION}.json"
        self.path.parent.mkdir(parents=True)
        self.cursor: Cursor | None = None
        self.events: list[Event] = []

    def write(self, history: Sequence[Item], cut: int | None = None, **fields: object) -> None:
        content = json.dumps(
            {"sessionId": SESSION, "workspaceDirectory": "", "history": list(history), **fields}, indent=2
        )
        self.path.write_text(content if cut is None else content[:cut])

    def read(self) -> Batch:
        batch = ADAPTER.read(Source("continue", self.path, SESSION), self.cursor, ReadLimits())
        self.events += batch.events
        self.cursor = batch.cursor
        return batch

    def told(self) -> Transcript:
        (transcript,) = fold("continue", self.events)
        return transcript


@pytest.fixture
def file(tmp_path: Path) -> File:
    return File(tmp_path)


def test_an_item_that_was_added_is_told_alone(file: File) -> None:
    file.write([item(1, "one")])
    file.read()
    file.write([item(1, "one"), item(2, "two", "assistant")])
    assert file.read().lines == 1
    assert [message.text for message in file.told().messages] == ["one", "two"]


def test_a_call_is_answered_once_though_it_is_written_twice(file: File) -> None:
    output: dict[str, object] = {"name": "Terminal", "content": "a.py", "status": "Command failed with exit code 3"}
    answer: Item = {
        "message": {"role": "tool", "content": "a.py\nCommand failed with exit code 3", "toolCallId": "call_1"}
    }
    file.write([calling(1, "generating")])
    file.read()
    assert file.told().messages[0].tool_calls[0].ok is None
    file.write([calling(1, "done", [output]), answer])
    file.read()
    (message,) = file.told().messages
    (made,) = message.tool_calls
    assert (made.ok, made.exit_code, made.output) == (False, 3, "a.py")


def test_an_answer_that_stands_alone_counts_too(file: File) -> None:
    answer: Item = {"message": {"role": "tool", "content": "a.py", "toolCallId": "call_1"}}
    file.write([calling(1, "done"), answer])
    file.read()
    assert file.told().messages[0].tool_calls[0].output == "a.py"


def test_an_edited_prompt_abandons_what_came_of_it(file: File) -> None:
    file.write([item(1, "one"), item(2, "two"), item(3, "three", "assistant")])
    file.read()
    file.write([item(1, "one"), item(4, "better")])
    file.read()
    assert [(message.text, message.abandoned) for message in file.told().messages] == [
        ("one", False),
        ("two", True),
        ("three", True),
        ("better", False),
    ]


@pytest.mark.parametrize(
    ("workspace", "cwd"),
    [
        ("/home/ada/harbor", "/home/ada/harbor"),
        ("file:///home/ada/har%20bor", "/home/ada/har bor"),
        ("file:///c%3A/ada/harbor", "c:/ada/harbor"),
        ("vscode-remote://wsl%2BUbuntu/home/ada", "/home/ada"),
        ("", None),
    ],
)
def test_a_workspace_is_a_path_or_a_uri(file: File, workspace: str, cwd: str | None) -> None:
    file.write([item(1, "one")], workspaceDirectory=workspace)
    file.read()
    assert file.told().session.cwd == cwd


def test_the_list_of_sessions_tells_when_one_began_and_what_it_is_called(file: File) -> None:
    listed = [{"sessionId": SESSION, "title": "Lights", "dateCreated": "1790000000000"}]
    (file.path.parent / "sessions.json").write_text(json.dumps(listed))
    file.write([item(1, "one")])
    file.read()
    session = file.told().session
    assert (session.title, session.started_at) == ("Lights", 1_790_000_000_000)


@pytest.mark.parametrize("title", ["Untitled Session", "New Session", "[object Object],[object Object]"])
def test_a_title_that_says_nothing_is_none(file: File, title: str) -> None:
    file.write([item(1, "one")], title=title)
    file.read()
    assert file.told().session.title is None


def test_answers_have_the_times_that_were_measured(file: File) -> None:
    measured = file.path.parent.parent / "dev_data" / "0.2.0" / "chatInteraction.jsonl"
    measured.parent.mkdir(parents=True)
    rows = [
        {"timestamp": "2026-09-21T14:13:20.000Z", "sessionId": SESSION, "completion": "Done."},
        {"timestamp": "2026-09-21T14:13:30.000Z", "sessionId": "another", "completion": "Done."},
        {"timestamp": "2026-09-21T14:13:40.000Z", "sessionId": SESSION, "completion": "Done."},
    ]
    measured.write_text("".join(json.dumps(row) + "\n" for row in rows) + "{torn")
    file.write(
        [item(1, "one"), item(2, "Done.", "assistant"), item(3, "Done.", "assistant"), item(4, "?", "assistant")]
    )
    file.read()
    assert [message.at for message in file.told().messages] == [None, 1_790_000_000_000, 1_790_000_020_000, None]


def test_places_and_files(tmp_path: Path) -> None:
    env = HostEnv(tmp_path, {"CONTINUE_GLOBAL_DIR": "/x/continue"}, "linux", (tmp_path / "more",))
    assert [root.path for root in ADAPTER.roots(env)] == [Path("/x/continue/sessions"), tmp_path / "more"]
    env = HostEnv(tmp_path, {"CONTINUE_GLOBAL_DIR": "relative"}, "linux")
    assert [root.path for root in ADAPTER.roots(env)] == [tmp_path / ".continue" / "sessions"]
    root = Root("continue", Path("/x/sessions"))
    path = root.path / f"{SESSION}.json"
    assert ADAPTER.classify(root, path) == Source("continue", path, SESSION)
    assert ADAPTER.classify(root, root.path / "sessions.json") is None
    assert ADAPTER.classify(root, root.path / "x.jsonl") is None
    assert ADAPTER.classify(root, root.path / "other" / "x.json") is None


def test_only_a_session_is_recognised_as_one() -> None:
    path = Path("/copied/x.json")
    assert ADAPTER.recognise(path, b'{"sessionId":"x","title":"t","workspaceDirectory":"","history":[]}') is not None
    assert ADAPTER.recognise(path, b'{\n "history": {"timeline": [') is not None
    assert ADAPTER.recognise(path, b'{"sessionId":"x","messages":[]}') is None
    assert ADAPTER.recognise(path.with_name("sessions.json"), b'[{"sessionId":"x"}]') is None
    with pytest.raises(OSError, match="No such file"):
        ADAPTER.read(Source("continue", path), None, ReadLimits())


def test_another_json_is_no_session(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"a":1}')
    with pytest.raises(TranscriptError, match="no session of Continue"):
        ADAPTER.read(Source("continue", path), None, ReadLimits())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.integers(0, 4), st.one_of(st.none(), st.integers(0, 900))), min_size=1, max_size=8))
def test_whatever_was_read_in_between_the_end_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int | None]]
) -> None:
    file, late = (File(tmp_path_factory.mktemp("home")) for _ in range(2))
    history: list[Item] = []
    for more, cut in steps:
        history += [item(len(history) + number, f"text {len(history) + number}") for number in range(more)]
        file.write(history, cut)
        file.read()
    for written in (file, late):
        written.write(history)
        written.read()
    assert fold("continue", file.events) == fold("continue", late.events)
