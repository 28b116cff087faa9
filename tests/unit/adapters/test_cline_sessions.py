"""Files that are written anew while they are read: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Batch, Cursor, Event, ReadLimits, SessionUpdate, Source, Withdrawn
from memd.fold import fold
from memd.model import Transcript
from memd_adapters import cline, roo

SESSION = "1795000000000_ada01"
T = 1_795_000_000_000
Message = dict[str, object]


def message(number: int, text: str, role: str = "user") -> Message:
    return {"id": f"m{number}", "role": role, "content": [{"type": "text", "text": text}], "ts": T + number}


class File:
    """A session's file, and what was read of it so far."""

    def __init__(self, folder: Path, session: str = SESSION) -> None:
        self.folder = folder / session
        self.folder.mkdir(parents=True, exist_ok=True)
        self.source = Source("cline", self.folder / f"{session}.messages.json", session)
        self.cursor: Cursor | None = None
        self.events: list[Event] = []

    def write(self, messages: Sequence[Message], cut: int | None = None) -> None:
        content = json.dumps({"version": 1, "updated_at": "x", "messages": list(messages)}, indent=2)
        self.source.path.write_text(content if cut is None else content[:cut])

    def manifest(self, **fields: object) -> Source:
        path = self.folder / f"{self.folder.name}.json"
        path.write_text(json.dumps({"version": 1, "session_id": self.folder.name, **fields}))
        return Source("cline", path, self.folder.name)

    def read(self) -> Batch:
        batch = cline.ADAPTER.read(self.source, self.cursor, ReadLimits())
        self.events += batch.events
        self.cursor = batch.cursor
        return batch

    def told(self) -> Transcript:
        (transcript,) = fold("cline", self.events)
        return transcript

    def texts(self) -> list[str]:
        return [message.text for message in self.told().messages if not message.abandoned]


@pytest.fixture
def file(tmp_path: Path) -> File:
    return File(tmp_path)


def test_a_file_that_grew_gives_what_is_new_alone(file: File) -> None:
    file.write([message(1, "one")])
    assert file.read().lines == 1
    file.write([message(1, "one"), message(2, "two", "assistant")])
    batch = file.read()
    assert (batch.lines, batch.restarted, len(batch.events)) == (1, False, 1)
    assert file.texts() == ["one", "two"]


def test_a_torn_file_takes_nothing_back_and_is_read_again(file: File) -> None:
    messages = [message(number, f"text {number}") for number in range(6)]
    file.write(messages)
    file.read()
    for cut in (0, 10, 60, 200, 400):
        file.write(messages, cut)
        assert not any(isinstance(event, Withdrawn) for event in file.read().events)
    file.write([*messages, message(6, "text 6")])
    file.read()
    assert file.texts() == [f"text {number}" for number in range(7)]


def test_a_history_that_vanished_is_kept(file: File) -> None:
    file.write([message(1, "one"), message(2, "two")])
    file.read()
    file.write([])
    file.read()
    assert file.texts() == ["one", "two"]


def test_a_message_that_streams_replaces_what_was_read_of_it(file: File) -> None:
    file.write([message(1, "one"), message(2, "tw", "assistant")])
    file.read()
    file.write([message(1, "one"), message(2, "two, whole", "assistant")])
    file.read()
    assert file.texts() == ["one", "two, whole"]


def test_messages_that_were_cut_off_are_abandoned_and_new_ones_come_after_them(file: File) -> None:
    file.write([message(number, f"text {number}") for number in range(4)])
    file.read()
    file.write([message(0, "text 0"), message(1, "text 1"), message(8, "another way")])
    file.read()
    assert file.texts() == ["text 0", "text 1", "another way"]
    whole = file.told().messages
    assert [message.text for message in whole] == ["text 0", "text 1", "text 2", "text 3", "another way"]
    assert len({message.seq for message in whole}) == 5


def test_a_copy_of_a_session_counts_what_it_shares_once(tmp_path: Path) -> None:
    first, second = File(tmp_path), File(tmp_path, "1795000000100_ada02")
    messages = [message(1, "one"), message(2, "two", "assistant")]
    first.write(messages)
    second.write([*messages, message(200, "three")])
    second.manifest(started_at="2026-11-18T11:08:20Z")
    first.read()
    second.read()
    for events in (first.events + second.events, second.events + first.events):
        told = {transcript.session.native_id: transcript for transcript in fold("cline", events)}
        assert [len(told[file.folder.name].messages) for file in (first, second)] == [2, 1]


def test_the_end_is_told_after_the_last_word_and_a_resumed_session_is_open(file: File) -> None:
    file.manifest(status="completed", ended_at="2026-11-18T11:06:50Z")
    file.write([message(1, "one")])
    last = file.read().events[-1]
    assert isinstance(last, SessionUpdate)
    assert (last.ended_at, last.end_reason) == (1_795_000_010_000, "completed")
    file.write([message(1, "one"), message(20_000, "go on")])  # the manifest still speaks of the first run
    assert not any(isinstance(event, SessionUpdate) for event in file.read().events)


def test_a_manifest_tells_of_a_session_that_has_messages(file: File) -> None:
    source = file.manifest(cwd="/home/ada/harbor", status="running", started_at="2026-11-18T11:06:40Z")
    assert cline.ADAPTER.read(source, None, ReadLimits()).events == ()
    file.write([message(1, "one")])
    (update,) = cline.ADAPTER.read(source, None, ReadLimits()).events
    assert update == SessionUpdate(SESSION, cwd="/home/ada/harbor", started_at=T)


def test_a_condensed_history_is_not_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "tasks" / "0ada0000-7000-7000-8000-000000000001" / "api_conversation_history.json"
    path.parent.mkdir(parents=True)
    rows: list[Message] = [
        {"role": "user", "content": f"<task>\nprompt {number}\n</task>", "ts": T + number} for number in range(3)
    ]
    source = Source("roo", path, path.parent.name)
    path.write_text(json.dumps(rows))
    first = roo.ADAPTER.read(source, None, ReadLimits())
    path.write_text(json.dumps([{"role": "user", "isSummary": True, "content": "what was done", "ts": T + 9}]))
    second = roo.ADAPTER.read(source, first.cursor, ReadLimits())
    (told,) = fold("roo", [*first.events, *second.events])
    assert [message.kind for message in told.messages if not message.abandoned] == ["prompt"] * 3 + ["summary"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.integers(0, 5), st.booleans(), st.one_of(st.none(), st.integers(0, 900))), min_size=1, max_size=8
    )
)
def test_whatever_was_read_in_between_the_end_is_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool, int | None]]
) -> None:
    file, late = (File(tmp_path_factory.mktemp("home")) for _ in range(2))
    messages: list[Message] = []
    for more, streams, cut in steps:
        messages += [message(len(messages) + number, f"text {len(messages) + number}") for number in range(more)]
        if streams and messages:
            messages[-1] = message(len(messages) - 1, f"text {len(messages) - 1} and more")
        file.write(messages, cut)
        file.read()
    file.write(messages)
    file.read()
    late.write(messages)
    late.read()
    assert fold("cline", file.events) == fold("cline", late.events)
