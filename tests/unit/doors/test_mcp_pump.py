"""The pump against an MCP process that ends when a test wants it to."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import memd.doors.mcp.pump as pump_module
from tests.contract.doors.agent import HELLO, Agent, agent
from tests.measured import MEASURED

Behave = Callable[["Stub", dict[str, Any]], dict[str, Any] | None]


@dataclass
class Stub:
    """A listener that answers as a test says; None hangs up."""

    path: Path
    behave: Behave
    heard: list[list[dict[str, Any]]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def serve(self, listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as lines:
                self.headers.append(json.loads(lines.readline()))
                heard: list[dict[str, Any]] = []
                self.heard.append(heard)
                for line in lines:
                    message = json.loads(line)
                    heard.append(message)
                    if "id" not in message:
                        continue
                    answer = self.behave(self, message)
                    if answer is None:
                        break
                    connection.sendall(json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}).encode() + b"\n")


def program(blanks: Mapping[str, object]) -> list[str]:
    """The command that runs the pump as it is installed: its text with the blanks filled in.

    Where coverage is measured, the same is done with the module itself: nobody counts the lines of a text.
    """
    if MEASURED:
        given = "\n".join(f"pump.{name} = {value!r}" for name, value in blanks.items())
        run = "pump.Pump(pump.header_of(sys.argv[1:])).run()"
        return [sys.executable, "-I", "-c", f"import sys\nfrom memd.doors.mcp import pump\n{given}\n{run}"]
    lines = Path(pump_module.__file__).read_text("utf-8").splitlines()
    names = [line.partition(" = ")[0] for line in lines]
    assert all(names.count(name) == 1 for name in blanks)
    filled = (f"{name} = {blanks[name]!r}" if name in blanks else line for name, line in zip(names, lines, strict=True))
    return [sys.executable, "-I", "-S", "-c", "\n".join(filled)]


def pump(mcp: Path, daemon: Path, patience_s: float = 1.0, start: tuple[bytes, ...] = ()) -> list[str]:
    """The command that runs the pump for these sockets."""
    return program(
        {
            "MCP_SOCKET": os.fsencode(mcp),
            "DAEMON_SOCKET": os.fsencode(daemon),
            "START_COMMAND": start,
            "PATIENCE_S": patience_s,
            "TOOL_PATIENCE_S": patience_s,
        }
    )


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Behave], Stub]]:
    listeners = []
    threads = []

    def start(behave: Behave) -> Stub:
        stub = Stub(tmp_path / "mcp.sock", behave)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(stub.path))
        listener.listen(16)
        thread = threading.Thread(target=stub.serve, args=(listener,))
        thread.start()
        listeners.append(listener)
        threads.append(thread)
        return stub

    yield start
    for listener in listeners:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
    for thread in threads:
        thread.join()


@pytest.fixture
def pumped(tmp_path: Path) -> Iterator[Agent]:
    command = [*pump(tmp_path / "mcp.sock", tmp_path / "memd.sock"), "--profile=full"]
    with agent(command, {**MEASURED, "HOME": str(tmp_path), "MEMD_PROJECT": "/work/ñandú"}, tmp_path) as running:
        yield running


def fine(_: Stub, message: dict[str, Any]) -> dict[str, Any]:
    return {"result": {"heard": message["method"]}}


def ends(times: int) -> Behave:
    """Hang up at so many tool calls, then answer."""
    left = [times]

    def behave(_: Stub, message: dict[str, Any]) -> dict[str, Any] | None:
        if message["method"] == "tools/call" and left[0]:
            left[0] -= 1
            return None
        return {"result": {"heard": message["method"]}}

    return behave


def test_messages_go_through_unchanged_behind_one_header(serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    stub = serve(fine)

    assert pumped.greet()["result"] == {"heard": "initialize"}
    assert pumped.ask("tools/call", name="grüße", arguments={"deep": [1.5, None, "🚢"]})["result"]
    pumped.end()

    assert [message["method"] for message in stub.heard[0]] == ["initialize", "notifications/initialized", "tools/call"]
    assert stub.heard[0][2]["params"] == {"name": "grüße", "arguments": {"deep": [1.5, None, "🚢"]}}
    header = {name: bytes.fromhex(value).decode() for name, value in stub.headers[0].items()}
    assert header["profile"] == "full"
    assert header["project"] == "/work/ñandú"
    assert Path(header["cwd"]).is_absolute()


def test_a_request_cut_off_once_is_sent_again_after_the_greeting(
    serve: Callable[[Behave], Stub], pumped: Agent
) -> None:
    stub = serve(ends(1))
    pumped.greet()

    assert pumped.ask("tools/call", name="x")["result"] == {"heard": "tools/call"}
    assert pumped.ask("ping")["result"] == {"heard": "ping"}

    methods = [message["method"] for message in stub.heard[1]]
    assert methods == ["initialize", "notifications/initialized", "tools/call", "ping"]


def test_a_request_cut_off_twice_is_an_error_and_the_conversation_goes_on(
    serve: Callable[[Behave], Stub], pumped: Agent
) -> None:
    serve(ends(2))
    pumped.greet()

    told = pumped.ask("tools/call", name="x")

    assert "twice" in told["error"]["message"]
    assert pumped.ask("ping")["result"] == {"heard": "ping"}


def test_an_idle_conversation_is_taken_up_again_only_when_somebody_asks(
    serve: Callable[[Behave], Stub], pumped: Agent
) -> None:
    def after_hello(_: Stub, message: dict[str, Any]) -> dict[str, Any] | None:
        return None if message["method"] == "bye" else {"result": {}}

    stub = serve(after_hello)
    pumped.greet()
    pumped.say({"jsonrpc": "2.0", "id": "x", "method": "bye"})
    assert pumped.hear()["error"]
    count = len(stub.heard)
    time.sleep(0.2)
    assert len(stub.heard) == count

    assert pumped.ask("ping")["result"] == {}


def test_an_id_may_be_any_text(serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    serve(ends(2))
    pumped.greet()
    strange = 'quote " and ü and \\ and \n'
    pumped.say({"jsonrpc": "2.0", "id": strange, "method": "tools/call"})

    assert pumped.hear()["id"] == strange


def test_where_memd_cannot_be_reached_each_request_is_told_so(pumped: Agent) -> None:
    told = pumped.ask("initialize", **HELLO)

    assert "cannot be reached" in told["error"]["message"]
    assert "memd doctor" in told["error"]["message"]
    pumped.say({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    assert pumped.end() == 0


@contextmanager
def daemon_that_says(path: Path, answer: bytes) -> Iterator[list[bytes]]:
    """A daemon that answers whatever it is asked the same; gives what it was asked."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen(64)
    asked: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                asked.append(connection.recv(100))
                connection.sendall(answer + b"\n")

    thread = threading.Thread(target=serve)
    thread.start()
    yield asked
    listener.shutdown(socket.SHUT_RDWR)
    listener.close()
    thread.join()


def test_a_daemon_that_refuses_is_quoted(tmp_path: Path, pumped: Agent) -> None:
    refusal = b'{"ok":false,"error":{"code":"worker","message":"The worker for MCP is ill."}}'
    with daemon_that_says(tmp_path / "memd.sock", refusal):
        told = pumped.ask("initialize", **HELLO)

    assert "The worker for MCP is ill." in told["error"]["message"]


def test_a_door_that_is_said_to_be_open_and_is_not_is_asked_for_with_pauses(tmp_path: Path, pumped: Agent) -> None:
    with daemon_that_says(tmp_path / "memd.sock", b'{"ok":true,"result":null}') as asked:
        told = pumped.ask("initialize", **HELLO)

    assert "nobody listens" in told["error"]["message"]
    assert len(asked) < 60


def test_true_is_no_id(serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    serve(fine)
    pumped.ask("initialize", **HELLO)
    pumped.say({"jsonrpc": "2.0", "id": True, "method": "ping"})
    assert pumped.hear()["id"] is True
    assert pumped.ask("ping")["id"] == 2


def test_the_daemon_is_started_once_and_silently(tmp_path: Path) -> None:
    noisy = (b"/bin/sh", b"-c", b"echo noise; echo started >> %b" % os.fsencode(tmp_path / "starts"))
    command = pump(tmp_path / "mcp.sock", tmp_path / "memd.sock", start=noisy)
    with agent(command, {**MEASURED, "HOME": str(tmp_path)}, tmp_path) as running:
        assert "error" in running.ask("initialize", **HELLO)

    assert (tmp_path / "starts").read_text() == "started\n"


def test_many_messages_in_one_piece_and_one_in_many(serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    serve(fine)
    pumped.greet()
    assert pumped.process.stdin is not None
    lines = b"".join(b'{"jsonrpc":"2.0","id":"a%d","method":"m%d"}\n' % (n, n) for n in range(50))
    pumped.process.stdin.write(lines)
    for byte in b'{"jsonrpc":"2.0","id":"last","method":"slow"}\n':
        pumped.process.stdin.write(bytes((byte,)))
        pumped.process.stdin.flush()

    assert [pumped.hear()["id"] for _ in range(51)] == [*(f"a{n}" for n in range(50)), "last"]


def test_what_was_cancelled_is_not_asked_again(serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    def behave(stub: Stub, message: dict[str, Any]) -> dict[str, Any] | None:
        if message["method"] == "slow":
            return {"method": "notifications/message", "params": {}}  # says something, but answers nothing
        return None if message["method"] == "bye" and len(stub.heard) == 1 else {"result": {}}

    stub = serve(behave)
    pumped.greet()
    pumped.say({"jsonrpc": "2.0", "id": "s", "method": "slow"})
    pumped.hear()
    pumped.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "s"}})
    assert pumped.ask("bye")["result"] == {}

    assert [message["method"] for message in stub.heard[1]] == ["initialize", "notifications/initialized", "bye"]


@pytest.mark.parametrize("key", [float("nan"), float("inf")], ids=repr)
def test_no_number_of_jsons_is_no_id(key: float, serve: Callable[[Behave], Stub], pumped: Agent) -> None:
    stub = serve(lambda _, message: {"id": None} if message["method"] == "x" else fine(_, message))
    pumped.say({"jsonrpc": "2.0", "id": key, "method": "x"})
    assert pumped.hear()["id"] is None
    assert pumped.ask("ping")["result"] == {"heard": "ping"}
    assert [message["method"] for message in stub.heard[0]] == ["x", "ping"]


def test_a_request_that_is_too_long_is_refused_and_what_else_was_asked_goes_on(
    serve: Callable[[Behave], Stub], pumped: Agent
) -> None:
    stub = serve(fine)
    pumped.greet()
    pumped.say({"jsonrpc": "2.0", "id": "long", "method": "x", "params": {"text": "y" * (16 << 20)}})
    told = pumped.hear()
    assert (told["id"], "4 MB" in told["error"]["message"]) == ("long", True)
    assert pumped.ask("ping")["result"] == {"heard": "ping"}
    assert len(stub.heard) == 1


@pytest.mark.parametrize("key", [{}, [1], None, True], ids=repr)
def test_an_id_that_is_none_is_passed_on_and_harms_nobody(
    key: object, serve: Callable[[Behave], Stub], pumped: Agent
) -> None:
    stub = serve(fine)
    pumped.greet()
    pumped.say({"jsonrpc": "2.0", "id": key, "method": "x"})
    pumped.hear()

    assert pumped.ask("ping")["result"] == {"heard": "ping"}
    assert [message["method"] for message in stub.heard[0]][-2:] == ["x", "ping"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--profile", "foo"], "there is no profile 'foo'; there are recall, record, full"),
        (["--profile=Recall"], "there is no profile 'Recall'"),
        (["--porfile", "recall"], "takes --profile and --project, not '--porfile'"),
        (["recall"], "takes --profile and --project, not 'recall'"),
        (["--project"], "--project needs a value"),
        (["--project", "--profile", "--profile", "full"], ""),
        (["--profile=full", "--project=/quay"], ""),
        (["--profile="], ""),
        ([], ""),
    ],
    ids=" ".join,
)
def test_words_that_mean_nothing_are_refused_with_those_that_do(words: list[str], said: str) -> None:
    wrong = pump_module.wrong_words(words)

    assert said in wrong
    assert bool(wrong) == bool(said)


def test_a_profile_that_there_is_not_ends_the_pump_with_a_sentence_and_no_word_of_protocol() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", pump_module.__file__, "--profile", "foo"], capture_output=True, check=False
    )

    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"memd: there is no profile 'foo'; there are recall, record, full,")
