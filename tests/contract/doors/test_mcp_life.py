"""What agents' conversations live through: a process they share, ends of it, rubbish, questions that are too long."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sys
import threading

import pytest
from anyio.abc import SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream

from memd.doors.mcp import serve
from memd.doors.mcp.pump import header_of
from memd.doors.mcp.serve import CLIENTS_AT_ONCE
from tests.contract.doors.agent import HELLO, agent, agent_of
from tests.contract.doors.conftest import Home
from tests.contract.doors.test_every_operation import ask


def test_nothing_but_the_protocol_is_printed_and_the_end_comes_at_once(lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        pumped.say({"jsonrpc": "2.0", "method": "notifications/never-heard-of", "params": {}})
        assert pumped.ask("ping")["result"] == {}
        assert pumped.end() == 0
        assert pumped.process.stdout is not None
        assert pumped.process.stdout.read() == b""
        assert pumped.process.stderr is not None
        assert pumped.process.stderr.read() == b""


def test_what_was_asked_before_the_end_of_input_is_answered(lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        for number in (7, 8):
            pumped.say({"jsonrpc": "2.0", "id": number, "method": "tools/list"})
        assert pumped.process.stdin is not None
        pumped.process.stdin.close()
        assert {pumped.hear()["id"], pumped.hear()["id"]} == {7, 8}
        assert pumped.process.wait(90) == 0


def test_five_agents_share_one_process_and_each_has_its_own_answers(lived_in: Home) -> None:
    roots: list[str] = []
    daemon = agent_of_daemon(lived_in)
    lived_in.paths.mcp_socket.unlink(missing_ok=True)  # so that a process is started anew
    started = lived_in.paths.log_file.read_text().count("event=mcp_started")

    def one() -> None:
        with agent_of(lived_in) as pumped:
            pumped.greet()
            roots.extend(pumped.call("session")["structuredContent"]["project"] for _ in range(5))

    threads = [threading.Thread(target=one) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert roots == [str(lived_in.project)] * 25
    assert agent_of_daemon(lived_in) == daemon
    assert lived_in.paths.log_file.read_text().count("event=mcp_started") == started + 1


def test_a_conversation_outlives_its_process_and_the_daemon(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    with agent_of(home) as pumped:
        pumped.greet()
        before = pumped.call("session", action="whoami")["structuredContent"]["result"]
        pid = agent_of_daemon(home)
        assert home.memd("down").status == 0
        after = pumped.call("session", action="whoami")["structuredContent"]["result"]

    assert before == after
    assert agent_of_daemon(home) != pid


def agent_of_daemon(home: Home) -> int:
    """The daemon's process id."""
    return int(ask(home, "status", {})["pid"])


def test_a_killed_daemon_is_started_by_the_next_question(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    with agent_of(home) as pumped:
        pumped.greet()
        os.kill(agent_of_daemon(home), signal.SIGKILL)
        told = pumped.call("session", action="whoami")

    assert not told["isError"]


def test_a_socket_that_was_removed_is_made_again(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    with agent_of(home) as pumped:
        pumped.greet()
    home.paths.mcp_socket.unlink()
    with agent_of(home) as pumped:
        pumped.greet()
        told = pumped.call("session", action="whoami")

    assert not told["isError"]


def test_memd_mcp_is_the_same_pump(lived_in: Home) -> None:
    slow = {"MEMD_CONFIG_DIR": str(lived_in.paths.config_dir)}
    for words, env in ((["mcp"], {}), (["mcp", "--profile", "recall"], {}), (["mcp", "--profile=full"], slow)):
        with agent([sys.executable, "-I", "-m", "memd", *words], {**lived_in.env, **env}, lived_in.project) as running:
            running.greet()
            names = {tool["name"] for tool in running.ask("tools/list")["result"]["tools"]}
            assert "search" in names
            assert ("admin" in names) == ("--profile=full" in words)


def test_rubbish_harms_nobody(lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        assert pumped.process.stdin is not None
        rubbish = (b"not json\n", b"[]\n", b'{"jsonrpc": "2.0"}\n', b"\xff\xfe\n", b'{"id": {}}\n', b"\n")
        for line in (*rubbish, b'{"method": {}, "id": 1.5}\n'):
            pumped.process.stdin.write(line)
        pumped.process.stdin.flush()
        pumped.say({"jsonrpc": "2.0", "id": "last", "method": "ping"})
        while (heard := pumped.hear()).get("id") != "last":
            assert "error" in heard
    assert heard["result"] == {}


@pytest.mark.parametrize(
    ("line", "answered"),
    [
        (
            b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"search","arguments":{"query":"\\ud800"}}}',
            5,
        ),
        (b'{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"\xff","arguments":[1]}}', "x"),
        (b'{"jsonrpc":"1.0","id":6,"method":"ping"}', 6),
        (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}", None),
    ],
)
def test_what_is_no_message_is_answered_by_an_error(line: bytes, answered: object, lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        assert pumped.process.stdin is not None
        pumped.process.stdin.write(line + b"\n")
        pumped.process.stdin.flush()
        heard = pumped.hear()
    assert heard["id"] == answered
    assert "error" in heard


def test_a_question_that_is_too_long_is_refused_and_hurts_nobody_else(lived_in: Home) -> None:
    with agent_of(lived_in) as long, agent_of(lived_in) as other:
        long.greet()
        other.greet()
        told = long.call("search", query="tide " * 300_000)
        assert told["isError"]
        assert "at most 1 MB" in told["content"][0]["text"]
        told = long.call("search", query=2**70)
        assert told["isError"]
        assert "result" in other.ask("ping")


def test_an_error_does_not_repeat_at_length_what_it_was_given(lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        told = pumped.call("session", action="show", session="x" * 100_000)
    assert told["isError"]
    assert len(told["content"][0]["text"]) < 1_200


def test_clients_that_say_nothing_keep_nobody_out(lived_in: Home) -> None:
    with agent_of(lived_in) as pumped, contextlib.ExitStack() as doors:
        pumped.greet()
        pumped.call("session", action="whoami")  # so that the process runs, whatever was asked before
        for _ in range(CLIENTS_AT_ONCE + 20):
            silent = doors.enter_context(socket.socket(socket.AF_UNIX))
            silent.connect(str(lived_in.paths.mcp_socket))
        with agent_of(lived_in) as other:
            other.greet()
            assert not other.call("session", action="whoami")["isError"]
        assert not pumped.call("session", action="whoami")["isError"]


def test_a_client_that_goes_in_the_middle_of_an_answer_takes_nobody_along(lived_in: Home) -> None:
    header = header_of([]) + b"\n"
    asked = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{}}\n' % number for number in range(200))
    hello = b'{"jsonrpc":"2.0","id":"a","method":"initialize","params":%b}\n' % json.dumps(HELLO).encode()
    with agent_of(lived_in) as pumped:
        pumped.greet()
        pumped.call("session", action="whoami")
        started = lived_in.paths.log_file.read_text().count("event=mcp_started")
        for _ in range(5):
            with socket.socket(socket.AF_UNIX) as hasty:
                hasty.connect(str(lived_in.paths.mcp_socket))
                hasty.sendall(header + hello + asked)
                assert hasty.recv(1)  # and the rest of all the answers is nobody's
        assert not pumped.call("session", action="whoami")["isError"]
    with agent_of(lived_in) as other:
        other.greet()
        assert not other.call("session", action="whoami")["isError"]

    assert lived_in.paths.log_file.read_text().count("event=mcp_started") == started


async def test_a_client_that_does_not_say_who_it_is_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "_HEADER_S", 0.0)
    ours, theirs = socket.socketpair()
    with ours:
        async with await SocketStream.from_socket(theirs) as stream:
            assert await serve._header(BufferedByteReceiveStream(stream)) is None
