"""A pipe of messages may be looked through for facts."""

from __future__ import annotations

import io
import sys

import pytest

from tests.unit.cli.conftest import CommandLine, StubDaemon


def test_a_pipe_of_messages_is_handed_over_with_its_roles(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {
        "whoami": {"project": None, "site": None},
        "messages.add": {"taken": 2, "facts": [], "passed_over": None},
    }
    text = (
        '[{"role": "user", "content": "Grüße 🚢"}, {"role": "system", "content": "x"},'
        ' {"role": "bot", "content": "Aye"}]'
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), encoding="ascii"))

    told = memd("memory", "messages_add", "--reason", "stop", "-")

    assert told.status == 0, told.err
    op, params = daemon.asked[-1]
    assert op == "messages.add"
    said = [{"role": "user", "content": "Grüße 🚢"}, {"role": "bot", "content": "Aye"}]
    assert {name: params[name] for name in ("messages", "reason")} == {"messages": said, "reason": "stop"}
    assert "text" not in params


TOLD = [{"role": "user", "content": "Grüße 🚢, 潮汐表在本地"}]


@pytest.mark.parametrize(
    "given",
    [
        '[{"role": "user", "content": "Grüße 🚢, 潮汐表在本地"}]',
        '{"messages": [{"role": "user", "content": "Grüße 🚢, 潮汐表在本地"}]}',
        '["Grüße 🚢, 潮汐表在本地"]',
        '"Grüße 🚢, 潮汐表在本地"',
        "Grüße 🚢, 潮汐表在本地",
    ],
    ids=["array", "messages", "array of texts", "string", "plain"],
)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_messages_of_every_form_come_whole_whatever_the_locale(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch, given: str, encoding: str
) -> None:
    daemon.answers |= {
        "whoami": {"project": None, "site": None},
        "messages.add": {"taken": 1, "facts": [], "passed_over": None},
    }
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), encoding=encoding))

    told = memd("memory", "messages_add", "-")

    assert told.status == 0, told.err
    said = [message["content"].strip() for message in daemon.asked[-1][1]["messages"]]
    assert said == [TOLD[0]["content"]]


@pytest.mark.parametrize(
    "given", [b"", b" \n\t", b"[]", b'{"messages": []}', b'""', b'[{"role": "user", "content": ""}]']
)
def test_a_pipe_with_nothing_in_it_is_an_error_and_nothing_is_asked(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch, given: bytes
) -> None:
    daemon.answers |= {"whoami": {"project": None, "site": None}}
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="ascii"))

    told = memd("memory", "messages_add", "-")

    assert told.status == 2
    assert "nothing" in told.err
    assert not [op for op, _ in daemon.asked if op == "messages.add"]


def test_what_is_no_utf_8_is_refused_with_the_place(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Grüße".encode("latin-1")), encoding="ascii"))

    told = memd("memory", "messages_add", "-")

    assert told.status == 2
    assert "not UTF-8 (byte 2)" in told.err
