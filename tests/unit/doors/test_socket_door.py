"""What the socket door answers when an operation meets trouble."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import anyio
import orjson
import pytest
from anyio.streams.buffered import BufferedByteReceiveStream

from memd.clock import SystemClock
from memd.config import TraceConfig
from memd.doors.protocol import HookRequest
from memd.doors.socket import SocketDoor
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, Operation
from memd.operations.tracing import Traces


@dataclass
class _Fails:
    """An operation that raises what it is given."""

    error: Exception
    params: type[NoParams] = NoParams

    async def call(self, _memory: Memory, _params: Mapping[str, object]) -> object:
        raise self.error


def _listening(path: str) -> socket.socket:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen()
    listener.setblocking(False)
    return listener


async def _told(folder: Path, error: Exception) -> list[dict[str, Any]]:
    """Ask twice on one connection; the answers."""
    operations = {"moor": cast("Operation[object, object]", _Fails(error))}
    door = SocketDoor(
        cast("Memory", SimpleNamespace(traces=Traces(TraceConfig(), SystemClock()))),
        operations,
        cast("Any", None),
        cast("Any", None),
    )
    path = str(folder / "memd.sock")
    listener = _listening(path)
    answers = []
    async with anyio.create_task_group() as group:
        await group.start(door.serve, (listener,))
        async with await anyio.connect_unix(path) as stream:
            lines = BufferedByteReceiveStream(stream)
            for _ in range(2):
                await stream.send(b'{"op":"moor","params":{}}\n')
                answers.append(orjson.loads(await lines.receive_until(b"\n", 10_000)))
            # The client stays until the door has closed: anyio minds one that leaves at that very moment.
            group.cancel_scope.cancel()
    return answers


@pytest.mark.parametrize(
    ("error", "named"),
    [
        (OSError(28, os.strerror(28), "/srv/harbor/export"), "/srv/harbor/export: No space left on device"),
        (PermissionError(13, os.strerror(13), "/srv/harbor"), "/srv/harbor: Permission denied"),
        (BrokenPipeError(32, os.strerror(32)), "Broken pipe"),
        (ZeroDivisionError(), "failed inside memd (ZeroDivisionError)"),
    ],
)
async def test_what_an_operation_meets_is_answered_and_the_connection_goes_on(
    error: Exception, named: str, tmp_path: Path
) -> None:
    first, second = await _told(tmp_path, error)

    assert not first["ok"]
    assert named in first["error"]["message"]
    assert second == first


async def test_who_comes_while_the_door_closes_is_heard_once(tmp_path: Path) -> None:
    heard = {b"early": anyio.Event(), b"late": anyio.Event()}

    async def answer(_request: HookRequest, body: bytes) -> bytes:
        heard[body].set()
        return b""

    door = SocketDoor(cast("Memory", None), {}, answer, cast("Any", None))
    path = str(tmp_path / "memd.sock")
    listener = _listening(path)
    hook = b'{"op":"hook","host":"codex","event":"SessionEnd","env":"","bytes":%d}\n%b'
    async with anyio.create_task_group() as group:
        await group.start(door.serve, (listener,))
        async with await anyio.connect_unix(path) as early:  # known to the door, and yet to say something
            await anyio.wait_all_tasks_blocked()
            group.start_soon(door.drain, 5.0)
            await anyio.wait_all_tasks_blocked()
            await early.send(hook % (5, b"early"))
            async with await anyio.connect_unix(path) as late:
                await late.send(hook % (4, b"late"))
                with anyio.fail_after(120):
                    for each in heard.values():
                        await each.wait()
            group.cancel_scope.cancel()


async def test_whoever_has_connected_is_heard_before_the_door_has_closed(tmp_path: Path) -> None:
    heard: set[bytes] = set()

    async def answer(_request: HookRequest, body: bytes) -> bytes:
        end = time.perf_counter() + 0.03
        while time.perf_counter() < end:
            pass  # on a busy machine everything takes so long
        heard.add(body)
        return b""

    door = SocketDoor(cast("Memory", None), {}, answer, cast("Any", None))
    path = str(tmp_path / "memd.sock")
    listener = _listening(path)
    names = {b"%d" % number for number in range(8)}
    async with anyio.create_task_group() as group:
        await group.start(door.serve, (listener,))
        for name in names:
            with socket.socket(socket.AF_UNIX) as hook:
                hook.connect(path)
                hook.sendall(b'{"op":"hook","host":"codex","event":"Stop","env":"","bytes":1}\n' + name)
        await door.drain(5.0)
        assert heard == names
        group.cancel_scope.cancel()
