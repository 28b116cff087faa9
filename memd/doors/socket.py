"""The socket door: the way in for hooks and the command line.

Each connection is its own task; requests on it are answered in order. A drain lets the request in hand finish and
closes connections that wait for the next; who comes meanwhile is heard once, as a hook that tells of a session's end
does not wait to see whether anybody took note. When there are too many connections, the one that has sent nothing whole
for the longest time makes room: somebody who opens hundreds and says nothing keeps nobody out.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack

import anyio
from anyio import to_thread
from anyio.abc import SocketAttribute, SocketListener, SocketStream, TaskStatus
from anyio.streams.buffered import BufferedByteReceiveStream

from memd.clock import in_zone, zone_named
from memd.doors.listener import peer_uid
from memd.doors.protocol import (
    LINE_LIMIT,
    HookRequest,
    McpRequest,
    Request,
    encode_error,
    encode_result,
    parse_request,
)
from memd.errors import MemdError, UnknownOperation, UsageError
from memd.operations.memory import Memory
from memd.operations.registry import Operation

logger = logging.getLogger(__name__)

_IDLE_S = 300.0
_BODY_S = 5.0
_CONNECTIONS = 256
_STEP_S = 0.02
_FIRST_WORD_S = 0.1
_QUIET_TURNS = 10
"""Turns of the loop in which nobody may be there: some pass from when the system lets somebody in until we know."""

HookAnswer = Callable[[HookRequest, bytes], Awaitable[bytes]]
OpenMcp = Callable[[], Awaitable[None]]


class SocketDoor:
    """Serves operations and hooks on listening unix sockets."""

    def __init__(
        self,
        memory: Memory,
        operations: Mapping[str, Operation[object, object]],
        answer_hook: HookAnswer,
        open_mcp: OpenMcp,
    ) -> None:
        """`open_mcp` returns once MCP is spoken at its own socket, and raises a MemdError where it cannot be."""
        self._open_mcp = open_mcp
        self._memory = memory
        self._operations = operations
        self._answer_hook = answer_hook
        self._listeners: tuple[socket.socket, ...] = ()
        self._slots = anyio.Semaphore(_CONNECTIONS)
        self._waiting: dict[anyio.CancelScope, bool] = {}
        """Connections that wait for a request; whether it would be their first."""
        self._half_told: dict[anyio.CancelScope, bool] = {}
        self._draining = False
        self._busy = 0

    async def serve(
        self,
        listeners: tuple[socket.socket, ...],
        *,
        task_status: TaskStatus[None] = anyio.TASK_STATUS_IGNORED,
    ) -> None:
        """Serve until cancelled; the listeners are closed on leaving, their files are the caller's."""
        self._listeners = listeners
        async with AsyncExitStack() as stack, anyio.create_task_group() as group:
            for listener in listeners:
                wrapped = await SocketListener.from_socket(listener)
                await stack.enter_async_context(wrapped)
                group.start_soon(wrapped.serve, self._connection)
            task_status.started()

    async def drain(self, grace_s: float) -> None:
        """Close connections that wait for another request and give those in the middle of one `grace_s` to end it."""
        self._draining = True
        for scope, first in tuple(self._waiting.items()):
            if not first:
                scope.cancel()
        patient_until = anyio.current_time() + _FIRST_WORD_S
        quiet = 0
        with anyio.move_on_after(grace_s):
            while quiet < _QUIET_TURNS:
                await anyio.sleep(0 if quiet else _STEP_S)  # also for who knocks at this moment
                expected = any(self._waiting.values()) and anyio.current_time() < patient_until
                quiet = 0 if self._busy or expected or self._knocked() else quiet + 1

    def _knocked(self) -> bool:
        """Whether somebody has connected who was not let in yet."""
        knocking = select.poll()
        for listener in self._listeners:
            knocking.register(listener, select.POLLIN)
        return bool(knocking.poll(0))

    async def _connection(self, stream: SocketStream) -> None:
        async with stream:
            raw = stream.extra(SocketAttribute.raw_socket)
            uid = peer_uid(raw)
            if uid is not None and uid != os.getuid():
                logger.warning("event=foreign_peer uid=%d", uid)
                return
            if self._slots.value == 0:
                self._make_room()
            async with self._slots:
                try:
                    await self._requests(stream, BufferedByteReceiveStream(stream))
                except (anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, OSError):
                    # The other side went away; a hook that does not wait for its answer does so on purpose.
                    return

    def _make_room(self) -> None:
        """Close the connection that has waited the longest, for a request or else for the rest of one."""
        for waiting in (self._waiting, self._half_told):
            for scope in waiting:
                scope.cancel()
                del waiting[scope]
                return

    async def _requests(self, stream: SocketStream, buffered: BufferedByteReceiveStream) -> None:
        first = True
        while first or not self._draining:
            line = await self._line(stream, buffered, first=first)
            first = False
            if line is None:
                return
            self._busy += 1
            try:
                if not await self._answer(line, stream, buffered):
                    return
            finally:
                self._busy -= 1

    async def _answer(self, line: bytes, stream: SocketStream, buffered: BufferedByteReceiveStream) -> bool:
        """Answer one request; return whether another may follow on the connection."""
        try:
            request = parse_request(line)
        except UsageError as error:
            await stream.send(encode_error(error))
            return False
        if isinstance(request, HookRequest):
            await self._hook(stream, buffered, request)
            return False
        await stream.send(await (self._mcp() if isinstance(request, McpRequest) else self._call(request)))
        return True

    async def _mcp(self) -> bytes:
        try:
            await self._open_mcp()
        except MemdError as error:
            return encode_error(error)
        return encode_result(None)

    async def _line(self, stream: SocketStream, buffered: BufferedByteReceiveStream, *, first: bool) -> bytes | None:
        with anyio.move_on_after(_IDLE_S) as scope:
            self._waiting[scope] = first
            try:
                return await buffered.receive_until(b"\n", LINE_LIMIT)
            except anyio.IncompleteRead:
                return None
            except anyio.DelimiterNotFound:
                # Where the next request begins cannot be known any more.
                await stream.send(encode_error(UsageError(f"A request may be {LINE_LIMIT} bytes long, not more.")))
                return None
            finally:
                self._waiting.pop(scope, None)
        return None

    async def _call(self, request: Request) -> bytes:
        """Answer an operation's request, and note how it went."""
        operation, failed = self._operations.get(request.op), None
        began = time.perf_counter()
        try:
            answer = await self._result(operation, request)
        except MemdError as error:
            answer, failed = encode_error(error), error.code
        ms = (time.perf_counter() - began) * 1e3
        takes = None if operation is None else operation.params
        self._memory.traces.note(request.op, takes, request.door, request.params, ms=ms, size=len(answer), error=failed)
        return answer

    async def _result(self, operation: Operation[object, object] | None, request: Request) -> bytes:
        """Run an operation; raises a MemdError for whatever goes wrong in it."""
        try:
            if operation is None:
                raise UnknownOperation(request.op)
            zone = None if request.zone is None else await to_thread.run_sync(zone_named, request.zone)
            with in_zone(zone):
                return encode_result(await operation.call(self._memory, request.params))
        except (TypeError, ValueError, KeyError, AttributeError, LookupError, ArithmeticError) as error:
            # A defect of ours must not take the daemon down with it.
            logger.exception("event=operation_failed op=%s", request.op)
            raise MemdError(f"{request.op} failed inside memd ({type(error).__name__}); see `memd logs`.") from error
        except OSError as error:
            # What an operation met on the disk is an answer; only the connection's own errors mean that nobody waits.
            logger.warning("event=operation_failed op=%s error=%s", request.op, error)
            where = f"{error.filename}: " if error.filename else ""
            raise MemdError(f"{request.op} failed: {where}{error.strerror or error}.") from error

    async def _hook(self, stream: SocketStream, buffered: BufferedByteReceiveStream, request: HookRequest) -> None:
        body = b""
        with anyio.move_on_after(_BODY_S) as scope:
            self._half_told[scope] = True
            try:
                body = await buffered.receive_exactly(request.size) if request.size else b""
            except anyio.IncompleteRead:
                return
            finally:
                self._half_told.pop(scope, None)
        if scope.cancelled_caught:
            return
        answer = await self._answer_hook(request, body)
        if answer:
            await stream.send(answer)
