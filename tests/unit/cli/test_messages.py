"""A pipe of messages may be looked through for facts."""

from __future__ import annotations

import io
import sys

import pytest

from tests.unit.cli.conftest import CommandLine, StubDaemon


def test_a_pipe_of_messages_is_handed_over_with_its_roles(
    memd: CommandLine, daemon: StubDaemon, monkeypatch: pytest.MonkeyPatch
) -> None:
    daemon.answers |= {"whoami": {"project": None}, "messages.add": {"taken": 2, "facts": [], "passed_over": None}}
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
