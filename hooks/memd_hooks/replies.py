"""Replies: the bytes that a host takes from a hook's standard output, made by the daemon, printed as they are.

A reply is one line of JSON. Its final newline is part of the contract with the hook client, which takes an answer
without one for cut off and prints nothing.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memd_hooks.events import HookEvent

VALUE_LIMIT: Final = 9_000
"""UTF-16 units per value. Claude Code 2.1 turns more than 10,000 into a file and a preview of 2,000."""

_CLAUDE_CODE_TAKES: Final = frozenset({"SessionStart", "UserPromptSubmit"})


def reply(event: HookEvent, context: str, receipt: str = "") -> bytes:
    """What to print so that the model reads `context` and the person the `receipt` line; b"" to print nothing.

    b"" also for a host that runs another host's registration: it would not understand the answer, or hear it twice.
    """
    emit = REPLIES.get(event.host) if event.host == event.host_is else None
    return emit(event.event, context, receipt) if emit else b""


def claude_code_reply(event: str, context: str, receipt: str = "") -> bytes:
    """Claude Code's JSON for an event that takes context (SessionStart, UserPromptSubmit), b"" for the others.

    Source: hooks reference of Claude Code, `hookSpecificOutput.additionalContext` and `systemMessage`.
    """
    if event not in _CLAUDE_CODE_TAKES or not context.strip():
        return b""
    output: dict[str, object] = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": _capped(context)}}
    if receipt:
        output["systemMessage"] = _capped(receipt)
    return json.dumps(output, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _capped(text: str) -> str:
    """The text up to the limit, ending at a line's end where that loses less than half."""
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= 2 * VALUE_LIMIT:
        return text
    head = units[: 2 * VALUE_LIMIT].decode("utf-16-le", "ignore")
    end = head.rfind("\n")
    return head[:end] if end > len(head) // 2 else head


REPLIES: Final[Mapping[str, Callable[[str, str, str], bytes]]] = MappingProxyType({"claude_code": claude_code_reply})
"""The emitter of each host: event name, context, receipt -> bytes."""
