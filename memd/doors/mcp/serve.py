"""The process that speaks MCP with all clients.

Started by the daemon, when a client asks something, as
`python -m memd.doors.mcp.serve PARENT SOCKET DAEMON_SOCKET IDLE_S PROFILE GREETINGS`. It holds the SDK and nothing
else: what is asked goes to the daemon's socket. It ends when nobody has asked anything for a while, however many
clients are connected: their pumps have it started anew with the next question. It ends with the daemon: by the kernel's
hand on Linux, by the end of its standard input everywhere.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import anyio
import msgspec
import orjson
from anyio.abc import SocketAttribute, SocketListener, SocketStream
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter

from memd.doors.listener import bind, peer_uid
from memd.doors.mcp.ask import Daemon, Refused
from memd.doors.mcp.greeting import Recorder
from memd.doors.mcp.peers import PEERS
from memd.doors.mcp.placement import PROFILES, Profile
from memd.doors.mcp.process import READY
from memd.doors.mcp.pump import MESSAGE_LIMIT, is_id
from memd.doors.mcp.server import Client, build, place_of
from memd.errors import MemdError
from memd.operations.description import OperationAnswer

logger = logging.getLogger(__name__)

CLIENTS_AT_ONCE: Final = 128
_HEADER_LIMIT: Final = 1 << 16
_HEADER_S: Final = 10.0
_PR_SET_PDEATHSIG: Final = 1
_PARSE_ERROR: Final = -32700
_INVALID_REQUEST: Final = -32600
_INVALID_PARAMS: Final = -32602
_JSON_KINDS: Final[Mapping[type, str]] = {str: "a text", list: "a list", bool: "true or false"}


class Door:
    """The socket at which clients are let in, and its file."""

    def __init__(self, path: Path) -> None:
        self.bound = bind(path)
        self._path = path
        self._inode = path.stat().st_ino

    def shut(self) -> None:
        """Remove the file, unless it is another one's by now: before clients are left, who would come back to it."""
        with suppress(FileNotFoundError):
            if self._path.stat().st_ino == self._inode:
                self._path.unlink()


class Header(NamedTuple):
    """What a client says of itself first: the project it was told, the folder it works in, the name of a profile."""

    project: bytes
    cwd: bytes
    profile: str


class Activity:
    """When somebody said something last, and how many wait for an answer."""

    def __init__(self) -> None:
        self.at_s = anyio.current_time()

    def note(self) -> None:
        """Somebody says something, or is answered."""
        self.at_s = anyio.current_time()


def main(arguments: list[str]) -> int:
    """Serve until idle, until the daemon has gone, or until SIGTERM; return the exit status."""
    parent, path, daemon_socket, idle_s, profile, greetings = arguments
    if not _die_with_parent(int(parent)):
        return 0
    door = Door(Path(path))
    try:
        anyio.run(_serve, door, Daemon(Path(daemon_socket)), float(idle_s), _profile(profile), Path(greetings))
    finally:
        door.shut()
    return 0


async def _serve(door: Door, daemon: Daemon, idle_s: float, usual: Profile, greetings: Path) -> None:
    operations = msgspec.convert(await daemon.ask("operations.list", {}), tuple[OperationAnswer, ...])
    daemon.lost = anyio.Event()
    async with await SocketListener.from_socket(door.bound) as listener, anyio.create_task_group() as group:

        def leave() -> None:
            door.shut()
            group.cancel_scope.cancel()

        activity = Activity()
        slots = anyio.Semaphore(CLIENTS_AT_ONCE)

        async def connection(stream: SocketStream) -> None:
            async with stream:
                buffered = BufferedByteReceiveStream(stream)
                # Who says nothing takes no place: it is another one's as soon as that one says who it is.
                header = await _header(buffered) if _is_ours(stream) else None
                if header is not None:
                    async with slots:
                        await _client(stream, buffered, header, daemon, operations, usual, activity, greetings)

        group.start_soon(listener.serve, connection)
        group.start_soon(_until_told, leave)
        group.start_soon(_until_parent_ends, leave)
        group.start_soon(_until_lost, daemon.lost, leave)
        os.write(1, READY)
        # What is waited for is that nothing happens.
        while (quiet_s := anyio.current_time() - activity.at_s) < idle_s:  # noqa: ASYNC110
            await anyio.sleep(idle_s - quiet_s)
        leave()


def _is_ours(stream: SocketStream) -> bool:
    uid = peer_uid(stream.extra(SocketAttribute.raw_socket))
    return uid is None or uid == os.getuid()


async def _header(buffered: BufferedByteReceiveStream) -> Header | None:
    """Return what a client says of itself first; None where it says nothing in time, or nothing that is meant so."""
    went_away = (anyio.IncompleteRead, anyio.DelimiterNotFound, anyio.BrokenResourceError)
    with anyio.move_on_after(_HEADER_S), suppress(*went_away, ValueError, KeyError, TypeError):
        told = orjson.loads(await buffered.receive_until(b"\n", _HEADER_LIMIT))
        project, cwd, profile = (bytes.fromhex(told[name]) for name in ("project", "cwd", "profile"))
        return Header(project, cwd, profile.decode())
    return None


async def _client(
    stream: SocketStream,
    buffered: BufferedByteReceiveStream,
    header: Header,
    daemon: Daemon,
    operations: tuple[OperationAnswer, ...],
    usual: Profile,
    activity: Activity,
    greetings: Path,
) -> None:
    profile = _profile(header.profile or usual)
    server = build(daemon, operations, Client(profile, place_of(header.project, header.cwd)))
    try:
        await _speak(server, stream, buffered, activity, Recorder(greetings, header.profile and profile))
    except* (anyio.BrokenResourceError, anyio.ClosedResourceError, OSError):
        pass  # the client went away, in the middle of an answer as a rule
    except* Exception:
        # What goes wrong in one conversation ends that one, and none of the others in this process.
        logger.exception("event=mcp_conversation_failed")


async def _speak(
    server: Server[Any],
    stream: SocketStream,
    buffered: BufferedByteReceiveStream,
    activity: Activity,
    recorder: Recorder,
) -> None:
    """Run the SDK's session over newline-delimited JSON, as its own stdio transport does."""
    to_server, from_client = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    saying = anyio.Lock()

    async def say(line: bytes) -> None:
        async with saying:
            await stream.send(line + b"\n")

    async def read() -> None:
        async with to_server:
            while True:
                try:
                    line = await buffered.receive_until(b"\n", MESSAGE_LIMIT)
                except (anyio.IncompleteRead, anyio.DelimiterNotFound):
                    return
                activity.note()
                recorder.hear(line)
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValueError:
                    await say(refusal(line))
                    continue
                if (said := misfit(message)) is not None:
                    await say(_refused(getattr(message, "id", None), _INVALID_PARAMS, said))
                    continue
                await to_server.send(SessionMessage(message))

    async def write() -> None:
        async with from_server:
            async for told in from_server:
                activity.note()
                line = told.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                recorder.answer(line)
                await say(line)

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
        await server.run(cast("Any", from_client), cast("Any", to_client), server.create_initialization_options())
        group.cancel_scope.cancel()


def refusal(line: bytes) -> bytes:
    """Return the answer to a line that is no message, with the id of the request that it was meant to be, if any.

    The SDK passes over such lines, and whoever sent one would wait for its answer without end. Codes: JSON-RPC 2.0,
    section 5.1.
    """
    try:
        # Reads numbers of any size and lone surrogates, which the SDK does not.
        message: object = json.loads(line.decode("utf-8", "replace"))
        code, said = _INVALID_REQUEST, "This is no JSON-RPC 2.0 message."
    except (ValueError, RecursionError):
        message, code, said = None, _PARSE_ERROR, "This is no JSON that can be read."
    key = message.get("id") if isinstance(message, dict) and "method" in message else None
    if not is_id(key):
        key = None
    return _refused(key, code, said)


def misfit(message: object) -> str | None:
    """Return what is wrong with the call of a tool of which the SDK says no more than that something is."""
    if getattr(message, "method", None) != "tools/call":
        return None
    given = getattr(message, "params", None) or {}
    if not isinstance(given.get("name"), str):
        return "A call needs the name of a tool, a text, as name; tools/list tells them."
    arguments = given.get("arguments")
    if arguments is not None and not isinstance(arguments, dict):
        kind = _JSON_KINDS.get(type(arguments), "a number")
        return f'arguments must be an object, such as {{"action": "list"}}, not {kind}.'
    return None


def _refused(key: object, code: int, said: str) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": key, "error": {"code": code, "message": said}}).encode()


async def _until_told(leave: Callable[[], None]) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for _ in signals:
            leave()
            return


async def _until_parent_ends(leave: Callable[[], None]) -> None:
    """The daemon holds the other end of standard input and never writes."""
    await anyio.wait_readable(sys.stdin.fileno())
    leave()


async def _until_lost(lost: anyio.Event, leave: Callable[[], None]) -> None:
    await lost.wait()
    leave()


def _profile(word: str) -> Profile:
    """Return the profile of that name; for anything else the one that can do least."""
    return next((profile for profile in (*PROFILES, *PEERS) if profile == word), "recall")


def _die_with_parent(parent: int) -> bool:
    """Ask the kernel to end this process with its parent; return False when the parent is gone already."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    return os.getppid() == parent


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    try:
        sys.exit(main(sys.argv[1:]))
    except (Refused, MemdError) as error:
        logger.error("event=mcp_failed error=%s", error)  # noqa: TRY400 - a sentence says it all
        sys.exit(1)
