"""Ask: an operation of the daemon, asked by the process that speaks MCP."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import anyio
import orjson
from anyio.streams.buffered import BufferedByteReceiveStream

from memd.doors.protocol import LINE_LIMIT
from memd.errors import DaemonUnavailable

_ANSWER_LIMIT: Final = 256 << 20


class Refused(Exception):
    """The daemon's answer was an error; the message is its sentence."""

    def __init__(self, message: str, code: str, missing: str | None = None, about: str | None = None) -> None:
        """`missing`: what was not found, such as "project"; `about`: what the message begins with, such as the
        operation's name; None for another trouble.
        """
        super().__init__(message)
        self.code = code
        self.missing = missing
        self.about = about


class Daemon:
    """The daemon at its socket; every question has a connection of its own, so that none waits for another."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self.lost: anyio.Event | None = None
        """Set when the daemon is found gone; questions then wait to be cancelled, so that they are asked again."""

    async def ask(self, op: str, params: Mapping[str, object]) -> Any:
        """Return the result as plain JSON values; raises Refused, and DaemonUnavailable."""
        request = _request(op, params)
        try:
            async with await anyio.connect_unix(self._socket) as stream:
                await stream.send(request)
                line = await BufferedByteReceiveStream(stream).receive_until(b"\n", _ANSWER_LIMIT)
        except (OSError, anyio.BrokenResourceError, anyio.IncompleteRead, anyio.EndOfStream) as error:
            if self.lost is not None:
                self.lost.set()
                await anyio.sleep_forever()
            raise DaemonUnavailable(self._socket, "it hung up") from error
        answer = orjson.loads(line)
        if not answer["ok"]:
            told = answer["error"]
            raise Refused(told["message"], told["code"], told.get("what"), told.get("about"))
        return answer["result"]


def _request(op: str, params: Mapping[str, object]) -> bytes:
    """Return a question as the daemon reads it; raises Refused for one that it would hang up on."""
    try:
        request = orjson.dumps({"op": op, "params": params, "door": "mcp"}, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise Refused(f"{op} cannot be asked with this: {error}.", "bad_parameter") from error
    if len(request) > LINE_LIMIT:
        raise Refused(f"{op} takes at most {LINE_LIMIT >> 20} MB at once; send less.", "too_long")
    return request
