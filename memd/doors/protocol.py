"""The socket's protocol: newline-delimited JSON, and raw bytes for hooks.

A request is one line `{"op": NAME, "params": {...}, "door": "cli", "zone": "Europe/Berlin"}`, of which only the name is
needed; its answer is one line `{"ok": true, "result": ...}` or `{"ok": false, "error": {"code", "message",
"exit_status"}}`, with `what` (a fact, a project) for something not found. A connection may carry several. `zone` is
that of the asker's environment (TZ), where that is set: days are days there.

A hook sends one line `{"op": "hook", "host": ..., "event": ..., "env": ..., "bytes": N}` and N raw bytes, just as the
host gave them; the answer is raw bytes up to the end of the stream, just as the host gets them.

The pump of an agent's MCP client sends `{"op": "mcp"}` and is answered as soon as the process that speaks MCP listens
at its own socket.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import orjson

from memd.errors import BadParameter, MemdError, NotFound, UsageError
from memd.store.traces import Door

LINE_LIMIT: Final = 1 << 20
HOOK_LIMIT: Final = 1 << 20
_MESSAGE_CHARS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Request:
    """A call of an operation."""

    op: str
    params: dict[str, object]
    door: Door = "socket"
    """Who asks, as it says itself; told in traces."""
    zone: str | None = None
    """The time zone that days are meant in, None: this machine's."""


@dataclass(frozen=True, slots=True)
class HookRequest:
    """The header of a hook's request; `size` raw bytes follow."""

    host: str
    env: str
    """Comma-separated names of the environment variables that tell which host it really is."""
    event: str
    """The event's name, for a host that does not put it into the event itself."""
    size: int


@dataclass(frozen=True, slots=True)
class McpRequest:
    """Somebody wants to speak MCP."""


def parse_request(line: bytes) -> Request | HookRequest | McpRequest:
    """Return what a line asks for; raises UsageError in one sentence when it cannot be a request."""
    try:
        document: Any = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise UsageError("A request must be one line of JSON.") from error
    if not isinstance(document, dict) or not isinstance(document.get("op"), str):
        raise UsageError('A request must be an object with an "op".')
    if document["op"] == "hook":
        return _hook(document)
    if document["op"] == "mcp":
        return McpRequest()
    params = document.get("params", {})
    if not isinstance(params, dict):
        raise UsageError('"params" must be an object.')
    door = document.get("door")
    zone = document.get("zone")
    return Request(
        document["op"],
        params,
        door if door in ("cli", "mcp") else "socket",
        zone if isinstance(zone, str) else None,
    )


def encode_result(result: object) -> bytes:
    """Return the answer line for a result (dataclasses and plain values)."""
    return orjson.dumps({"ok": True, "result": result}, option=orjson.OPT_APPEND_NEWLINE)


def encode_error(error: MemdError) -> bytes:
    """Return the answer line for an error; a message that repeats what it was given at length is cut."""
    message = str(error)
    if len(message) > _MESSAGE_CHARS:
        message = message[:_MESSAGE_CHARS] + "…"
    body = {"code": error.code, "message": message, "exit_status": error.exit_status}
    if isinstance(error, NotFound):
        body["what"] = error.what
    if isinstance(error, BadParameter):
        body["about"] = error.operation
    return orjson.dumps({"ok": False, "error": body}, option=orjson.OPT_APPEND_NEWLINE)


def in_words_of(message: str, about: str | None, op: str, called: str) -> str:
    """Return an error's message about what was asked by that name, and not by the operation's.

    `about`: what the message begins with; None, or what is no operation (`session: ...`), leaves it as it is.
    """
    if about is None or not (about == op or "." in about):
        return message
    return f"{called}: {message.removeprefix(f'{about}: ')}"


def _hook(document: dict[str, Any]) -> HookRequest:
    host, env, event = document.get("host"), document.get("env", ""), document.get("event", "")
    size = document.get("bytes")
    texts = isinstance(host, str) and isinstance(env, str) and isinstance(event, str)
    if not texts or type(size) is not int or size < 0:
        raise UsageError('A hook\'s header must hold "host", "env" and "bytes".')
    if size > HOOK_LIMIT:
        raise UsageError(f"A hook may send {HOOK_LIMIT} bytes, not {size}.")
    return HookRequest(str(host), env, event, size)
