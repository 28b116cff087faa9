"""What OpenCode takes back, copies and moves about in its database: nothing is lost, nothing is counted twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memd.adapter import Withdrawn
from tests.unit.adapters.opencode_host import OpenCodeHost, Reader, said


@pytest.fixture
def host(tmp_path: Path) -> Iterator[OpenCodeHost]:
    host = OpenCodeHost(tmp_path / "opencode" / "opencode.db")
    yield host
    host.close()


def test_messages_that_a_revert_deleted_are_kept_as_abandoned(host: OpenCodeHost) -> None:
    session = host.session()
    host.prompt(session, "paint it red")
    host.reply(session, "Red.")
    second = host.prompt(session, "no, green")
    answer = host.reply(session, "Green.")
    reader = Reader(host.path)
    reader.read()
    host.touch(session, revert=json.dumps({"messageID": second}))
    reader.read()
    assert not any(isinstance(event, Withdrawn) for event in reader.events)
    host.delete(second)
    host.delete(answer)
    host.touch(session, revert=None)
    host.prompt(session, "blue")
    reader.read()
    assert said(reader.told()[session]) == [
        "prompt: paint it red",
        "reply: Red.",
        "-prompt: no, green",
        "-reply: Green.",
        "prompt: blue",
    ]


def test_a_revert_in_a_session_that_rested_long_is_noticed(host: OpenCodeHost) -> None:
    session = host.session()
    prompts = [host.prompt(session, f"prompt {number}") for number in range(3)]
    reader = Reader(host.path)
    reader.read()
    for _ in range(40):
        other = host.session()
        for number in range(40):
            host.message(other, "user", number=number)
    host.clock += 3_600_000
    reader.read()
    host.touch(session, revert=json.dumps({"messageID": prompts[1]}))
    reader.read()
    for prompt in prompts[1:]:
        host.delete(prompt)
    host.touch(session, revert=None)
    reader.read()
    assert said(reader.told()[session]) == ["prompt: prompt 0", "-prompt: prompt 1", "-prompt: prompt 2"]


def test_a_deleted_session_is_kept_as_abandoned(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.prompt(session, "secretly")
    reader = Reader(host.path)
    reader.read()
    host.delete(message)
    host.conn.execute("DELETE FROM session")
    reader.read()
    assert said(reader.told()[session]) == ["-prompt: secretly"]


def test_a_forks_copies_are_the_messages_they_were_copied_from(host: OpenCodeHost) -> None:
    origin = host.session()
    host.prompt(origin, "paint it red")
    host.reply(origin, "Red.")
    last = host.prompt(origin, "and the door?")
    host.clock += 60_000
    fork = host.fork(origin, until=last)
    host.prompt(fork, "and the window?")
    second = host.fork(fork)
    host.prompt(second, "and the roof?")
    for batch_bytes in (1, 1 << 20):
        reader = Reader(host.path, batch_bytes)
        reader.read()
        told = reader.told()
        assert said(told[origin]) == ["prompt: paint it red", "reply: Red.", "prompt: and the door?"]
        assert said(told[fork]) == ["prompt: and the window?"]
        assert said(told[second]) == ["prompt: and the roof?"]
        assert [told[it].session.forked_from for it in (origin, fork, second)] == [None, origin, fork]
        assert [told[it].session.kind for it in (origin, fork, second)] == ["main", "fork", "fork"]


def test_deleted_and_reused_row_numbers_lose_nothing(host: OpenCodeHost) -> None:
    session = host.session()
    host.prompt(session, "one")
    last = host.prompt(session, "two")
    reader = Reader(host.path)
    reader.read()
    host.delete(last)
    host.prompt(session, "three")
    host.prompt(session, "four")
    host.touch(session)
    reader.read()
    assert said(reader.told()[session]) == ["prompt: one", "-prompt: two", "prompt: three", "prompt: four"]


@pytest.mark.parametrize("batch_bytes", [1, 4 << 20])
def test_ids_that_begin_anew_change_no_order(host: OpenCodeHost, batch_bytes: int) -> None:
    """They are made of the time and ran over in August 2026."""
    session = host.session()
    host.count_from((1 << 48) - 4)
    host.prompt(session, "one")
    message = host.message(session, "assistant")
    host.count_from(0)
    host.part(session, message, type="text", text="two")
    host.prompt(session, "three")
    reader = Reader(host.path, batch_bytes)
    reader.read()
    host.reply(session, "four")
    reader.read()
    assert said(reader.told()[session]) == ["prompt: one", "reply: two", "prompt: three", "reply: four"]


def test_a_vacuumed_database_is_read_on(host: OpenCodeHost) -> None:
    session, other = host.session(), host.session()
    gone = [host.prompt(other, "gone") for _ in range(5)]
    host.prompt(session, "one")
    reader = Reader(host.path)
    reader.read()
    for message in gone:
        host.delete(message)
    host.conn.execute("VACUUM")
    host.prompt(session, "two")
    host.touch(session)
    reader.read()
    assert said(reader.told()[session]) == ["prompt: one", "prompt: two"]
