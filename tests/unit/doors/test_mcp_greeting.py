"""What every client asks as it comes is answered by the pump, in the words that another one was answered."""

# ruff: noqa: F811  A fixture that is imported has the name of the parameter that asks for it.

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import memd.doors.mcp.pump as pump_module
from memd.doors.mcp import greeting
from memd.doors.mcp.greeting import Recorder
from tests.contract.doors.agent import HELLO, Agent, agent
from tests.measured import MEASURED
from tests.unit.doors.test_mcp_pump import Behave, Stub, fine, program, serve  # noqa: F401 - a fixture

GREETING = {
    "initialize": {"protocolVersion": HELLO["protocolVersion"], "capabilities": {"tools": {}}},
    "tools/list": {"tools": [{"name": "search"}]},
    "resources/list": {"resources": [], "ttlMs": 0},
}
MODERN = "2026-07-28"
META = {"_meta": {pump_module.VERSION: MODERN}}


def greetings(folder: Path, version: object = HELLO["protocolVersion"], profile: str = "full") -> Path:
    """A folder with what another client of a profile was told in a version of the protocol."""
    folder.mkdir(exist_ok=True)
    lines = (f"{method} {json.dumps(result, separators=(',', ':'))}\n" for method, result in GREETING.items())
    (folder / f"{profile}-{version}").write_text("".join(lines))
    return folder


def pump(folder: Path, start: tuple[bytes, ...] = ()) -> list[str]:
    """The command that runs a pump which knows what another client was told."""
    blanks = {
        "MCP_SOCKET": os.fsencode(folder / "mcp.sock"),
        "DAEMON_SOCKET": os.fsencode(folder / "memd.sock"),
        "GREETINGS": os.fsencode(greetings(folder / "known")),
        "START_COMMAND": start,
        "PATIENCE_S": 1.0,
        "TOOL_PATIENCE_S": 1.0,
    }
    return [*program(blanks), "--profile=full"]


@pytest.fixture
def greeted(tmp_path: Path) -> Iterator[Agent]:
    """A pump that knows what another client was told."""
    with agent(pump(tmp_path), {**MEASURED, "HOME": "/"}, tmp_path) as running:
        yield running


def test_what_another_client_was_told_needs_no_process(greeted: Agent) -> None:
    assert greeted.greet()["result"] == GREETING["initialize"]
    assert greeted.ask("tools/list")["result"] == GREETING["tools/list"]
    assert greeted.ask("ping")["result"] == {}
    assert greeted.end() == 0


def test_the_first_question_of_a_client_that_was_greeted_brings_the_greeting_along(
    serve: Callable[[Behave], Stub], greeted: Agent
) -> None:
    greeted.greet()
    greeted.ask("tools/list")
    stub = serve(fine)

    assert greeted.call("search") == {"heard": "tools/call"}
    assert greeted.ask("tools/list")["result"] == {"heard": "tools/list"}
    (heard,) = stub.heard
    assert [message["method"] for message in heard] == [
        "initialize",
        "notifications/initialized",
        "tools/call",
        "tools/list",
    ]


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/list", {"cursor": "20"}),
        ("prompts/list", {}),
        ("logging/setLevel", {"level": "info"}),
        ("tools/list", META),
        ("initialize", {**HELLO, "protocolVersion": "2024-11-05"}),
        ("initialize", {**HELLO, "protocolVersion": "../full"}),
        ("initialize", {**HELLO, "protocolVersion": 3}),
    ],
    ids=str,
)
def test_what_nobody_was_told_is_asked(
    method: str, params: dict[str, Any], serve: Callable[[Behave], Stub], greeted: Agent
) -> None:
    greeted.greet()
    serve(fine)

    assert greeted.ask(method, **params)["result"] == {"heard": method}


def test_a_client_that_names_the_version_with_each_request_is_answered_in_it(tmp_path: Path, greeted: Agent) -> None:
    greetings(tmp_path / "known", MODERN)

    assert greeted.ask("tools/list", **META)["result"] == GREETING["tools/list"]


def test_the_resources_of_the_moment_are_the_daemons(tmp_path: Path, greeted: Agent) -> None:
    daemon = Stub(tmp_path / "memd.sock", fine)
    asked = []

    def answer(listener: socket.socket) -> None:
        for _ in range(2):  # the pump looks first whether somebody listens
            connection, _ = listener.accept()
            with connection, connection.makefile("rwb") as lines:
                line = lines.readline()
                if line:
                    asked.append(json.loads(line))
                    lines.write(b'{"ok":true,"result":[{"uri":"memd://wakeup","name":"w"}]}\n')

    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(daemon.path))
        listener.listen()
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        greeted.greet()
        told = greeted.ask("resources/list")["result"]
        thread.join()

    assert told == {"resources": [{"uri": "memd://wakeup", "name": "w"}], "ttlMs": 0}
    assert asked == [{"op": "resources.list", "params": {"project": str(tmp_path)}, "door": "mcp"}]


def test_a_greeted_client_has_the_daemon_started_and_does_not_wait(tmp_path: Path) -> None:
    started = tmp_path / "started"
    command = (b"/bin/sh", b"-c", f"echo >> {started}; sleep 5".encode())
    with agent(pump(tmp_path, command), {**MEASURED, "HOME": "/"}, tmp_path) as running:
        assert running.greet()["result"] == GREETING["initialize"]
        end = time.monotonic() + 120
        while not started.exists():
            assert time.monotonic() < end
            time.sleep(0.01)
        assert running.end() == 0


def told(recorder: Recorder, number: int, method: str, result: dict[str, Any], **params: object) -> None:
    recorder.hear(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
    recorder.answer(json.dumps({"jsonrpc": "2.0", "id": number, "result": result}).encode())


def known(folder: Path) -> dict[str, list[str]]:
    return {path.name: path.read_text().splitlines() for path in folder.iterdir() if path.name != "stamp"}


def test_of_what_a_client_is_told_that_is_kept_which_every_client_asks(tmp_path: Path) -> None:
    greeting.tidy(tmp_path / "known", "record")
    recorder = Recorder(tmp_path / "known", "full")

    told(recorder, 1, "tools/list", {"tools": ["before any greeting"]})
    told(recorder, 2, "initialize", {"instructions": "Ask."}, **HELLO)
    told(recorder, 3, "tools/call", {"content": "a secret"}, name="search")
    told(recorder, 4, "tools/list", {"tools": ["search"], "nextCursor": "1"})
    told(recorder, 5, "prompts/list", {"prompts": ["a page"]}, cursor="1")
    told(recorder, 6, "resources/list", {"resources": [{"name": "of the moment"}], "ttlMs": 0})
    told(recorder, 7, "tools/list", {"tools": ["anew"]}, **META)
    recorder.hear(b"no message")
    recorder.hear(b'{"jsonrpc":"2.0","id":8,"method":"tools/list"}')
    recorder.answer(b'{"jsonrpc":"2.0","id":8,"error":{"code":1,"message":"m"}}')

    assert known(tmp_path / "known") == {
        "full-2025-06-18": ['initialize {"instructions":"Ask."}', 'resources/list {"resources":[],"ttlMs":0}'],
        "full-2026-07-28": ['tools/list {"tools":["anew"]}'],
    }
    assert all(path.stat().st_mode & 0o077 == 0 for path in (tmp_path / "known").glob("full-*"))


def test_what_another_program_answered_is_let_go_of(tmp_path: Path) -> None:
    folder = tmp_path / "known"
    greeting.tidy(folder, "record")
    told(Recorder(folder, ""), 1, "initialize", {"instructions": "Ask."}, **HELLO)

    greeting.tidy(folder, "record")
    same = known(folder)
    greeting.tidy(folder, "full")

    assert list(same) == ["-2025-06-18"]
    assert known(folder) == {}


def test_a_folder_among_the_answers_keeps_none_of_them(tmp_path: Path) -> None:
    for number in range(4):
        (tmp_path / "known" / f"folder-{number}").mkdir(parents=True)
        (tmp_path / "known" / f"full-{number}").write_text("initialize {}\n")

    greeting.tidy(tmp_path / "known", "record")

    assert list((tmp_path / "known").glob("full-*")) == []


def test_however_many_versions_clients_claim_to_speak_a_few_answers_are_kept_the_last_ones(tmp_path: Path) -> None:
    folder = tmp_path / "known"
    greeting.tidy(folder, "full")
    (folder / "a-folder").mkdir()
    for year in range(2000, 2100):
        told(Recorder(folder, "full"), 1, "initialize", {"n": year}, **{**HELLO, "protocolVersion": f"{year}-01-01"})
        os.utime(folder / f"full-{year}-01-01", (year, year))

    (folder / "a-folder").rmdir()
    assert sorted(known(folder)) == [f"full-{year}-01-01" for year in range(2084, 2100)]


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    told(Recorder(tmp_path / "nowhere", ""), 1, "initialize", {}, **HELLO)

    assert list(tmp_path.iterdir()) == []


def test_the_process_is_had_started_a_while_after_the_greeting_once_and_without_waiting(
    tmp_path: Path, greeted: Agent
) -> None:
    asked: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        while b"mcp" not in b"".join(asked):
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                asked.append(lines.readline())

    greeted.greet()  # nobody listens yet: the daemon takes a moment
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "memd.sock"))
        listener.listen()
        listener.settimeout(90)
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        thread.join()
        assert greeted.ask("ping")["result"] == {}

        # The first look, whether somebody listens at all, may come as late as this; it says nothing.
        assert [line for line in asked if line] == [b'{"op":"mcp"}\n']
        listener.settimeout(2.5)
        with pytest.raises(TimeoutError):
            listener.accept()
