"""Whatever is asked through a door is answered: by a result, or by a sentence that says what to change."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from memd.doors.mcp.peers import PEERS, offered
from memd.doors.mcp.placement import PROFILES, Profile
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from tests.contract.doors.agent import agent_of
from tests.contract.doors.conftest import DECIDED, Home
from tests.contract.doors.test_every_operation import PARAMS

# What stops the daemon, and what works through the whole store each time.
LEFT_OUT = {"stop", "backup.now", "database.compact", "index.rebuild", "facts.rejudge", "sessions.distill"}
ROUNDS = 6
ODD: tuple[object, ...] = (
    None, True, False, 0, -1, 1, 3, 2**31, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308, "", " ", "x", "all", ".", "/",
    "harbor", "zz" * 5_000, "é\u202e\x00\x1b[2J", "用户", "%_'\"--;", "memd://", "../../etc/passwd", DECIDED, "0" * 36,
    "2026-13-45", "yesterday", "9999999-01-01", "1e999", "[", "(", "(a+)+$", [], [""], ["harbor"] * 3, [[[]]], [None],
    [{"text": "x"}], {}, {"a": {"b": []}}, [{"source": "a", "relation": "uses", "target": "a"}], "decision", "words",
)  # fmt: skip
"""Values of any shape, so that each parameter meets what it wants, almost what it wants, and what nobody wants."""


def cases(seed: str, names: list[str], usual: dict[str, object]) -> Iterator[dict[str, object]]:
    """Parameters for one operation or action: by turns near to what is meant and far from it."""
    chance = random.Random(seed)
    usual = {name: value for name, value in usual.items() if not str(value).startswith("$")}
    for turn in range(ROUNDS):
        given = dict(usual) if turn % 2 else {}
        for name in chance.sample(names, min(len(names), chance.randint(1, 4))):
            given[name] = chance.choice(ODD)
        if turn == ROUNDS - 1:
            given["no_such_parameter"] = chance.choice(ODD)
        # What destroys is only asked what it would do, and no store of anybody's is read.
        yield {name: value for name, value in given.items() if name not in {"apply", "dry_run", "confirm"}}


def checked(answer: dict[str, Any], about: object) -> None:
    """Whether an answer of the socket is a result, or a sentence and no defect."""
    if not answer["ok"]:
        error = answer["error"]
        assert "inside memd" not in error["message"], (about, error)
        assert error["code"] not in {"", "error"}, (about, error)
        assert 0 < len(error["message"]) <= 1_001, (about, error)
        assert error["exit_status"] > 0


@pytest.mark.parametrize("op", [name for name in PARAMS if name not in LEFT_OUT])
def test_whatever_an_operation_is_given_the_socket_answers(op: str, lived_in: Home) -> None:
    names = list(describe(OPERATIONS[op]).parameters["properties"])  # type: ignore[call-overload]
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(str(lived_in.paths.socket))
        with door.makefile("rwb") as lines:
            for given in cases(op, names, PARAMS[op]):
                lines.write(json.dumps({"op": op, "params": given}).encode() + b"\n")
                lines.flush()
                line = lines.readline()
                assert line, (op, given)
                checked(json.loads(line), (op, given))


@pytest.mark.parametrize("profile", [*PROFILES, *PEERS])
def test_whatever_a_tool_is_given_an_agent_is_answered_in_a_few_words(profile: Profile, lived_in: Home) -> None:
    listed = offered(tuple(map(describe, OPERATIONS.values())), profile)
    with agent_of(lived_in, f"--profile={profile}") as pumped:
        pumped.greet()
        for tool in listed:
            for action in tool.actions.values():
                if action.operation.name in LEFT_OUT:
                    continue
                for given in cases(f"{profile} {tool.name} {action.name}", [*action.parameters, "limit", "action"], {}):
                    if "action" not in given and action.name != tool.name:
                        given["action"] = action.name
                    answer = pumped.ask("tools/call", name=tool.name, arguments=given)
                    assert "result" in answer, (tool.name, given, answer)
                    told = answer["result"]["content"][0]["text"]
                    assert "inside memd" not in told, (tool.name, given, told)
                    if answer["result"].get("isError"):
                        assert 0 < len(told) <= 300, (tool.name, given, told)


@pytest.mark.parametrize(
    "line",
    [
        b"\n", b"null\n", b"[]", b'"x"\n', b"{}\n", b'{"op": 1}\n', b'{"op": "search", "params": []}\n', b"\xff\xfe\n",
        b'{"op": "search", "params": {"query": "\\ud800"}}\n', b'{"op": "hook", "host": "x", "bytes": -1}\n',
        b'{"op": "hook", "host": "claude_code", "env": "", "event": "", "bytes": 5}\n[[[[[', b"{" * 100_000 + b"\n",
        b'{"op": "hook", "host": "\\u0000", "env": "", "event": "", "bytes": 2}\n{}', b"x" * (1 << 21) + b"\n",
    ],
    ids=range(14),
)  # fmt: skip
def test_whatever_is_said_at_the_socket_the_next_is_answered(line: bytes, lived_in: Home) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.settimeout(90)
        door.connect(str(lived_in.paths.socket))
        try:
            door.sendall(line)
            door.shutdown(socket.SHUT_WR)
            while door.recv(65536):
                pass
        except (BrokenPipeError, ConnectionResetError):
            pass  # it hung up
    with socket.socket(socket.AF_UNIX) as door, door.makefile("rwb") as lines:
        door.connect(str(lived_in.paths.socket))
        lines.write(b'{"op": "operations.list"}\n')
        lines.flush()
        assert json.loads(lines.readline())["ok"]
