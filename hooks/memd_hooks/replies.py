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

BYTE_LIMIT: Final = 9_000
"""UTF-8 bytes, for hosts that count these: Codex spills more than 2,500 tokens of four bytes, Copilot takes 10 KB."""

_TAKES: Final = frozenset({"SessionStart", "UserPromptSubmit"})


def reply(event: HookEvent, context: str, receipt: str = "") -> bytes:
    """What to print so that the model reads `context` and the person the `receipt` line; b"" to print nothing.

    b"" also for a host that runs another host's registration: it would not understand the answer, or hear it twice.
    """
    emit = REPLIES.get(event.host) if event.host == event.host_is else None
    return emit(event.event, context, receipt) if emit else b""


def claude_code_reply(event: str, context: str, receipt: str = "") -> bytes:
    """Claude Code's JSON for an event that takes context (SessionStart, UserPromptSubmit), b"" for the others.

    Source: hooks reference of Claude Code, `hookSpecificOutput.additionalContext` and `systemMessage`; Qwen Code's is
    the same.
    """
    return _specific(event, event, _capped(context), receipt)


def codex_reply(event: str, context: str, receipt: str = "") -> bytes:
    """Codex's JSON: Claude Code's. It takes no key that it does not know (`deny_unknown_fields` in its hook schema)."""
    return _specific(event, event, _capped_bytes(context), receipt)


def gemini_reply(event: str, context: str, receipt: str = "") -> bytes:
    """Gemini CLI's JSON, under its own name for a prompt (hooks reference of Gemini CLI)."""
    return _specific(event, "BeforeAgent" if event == "UserPromptSubmit" else event, _capped(context), receipt)


def cursor_reply(event: str, context: str, _receipt: str = "") -> bytes:
    """Cursor's JSON; a prompt is let through expressly (Cursor's hooks reference)."""
    if event not in _TAKES or not context.strip():
        return b""
    passed: dict[str, object] = {"continue": True} if event == "UserPromptSubmit" else {}
    return _line({**passed, "additional_context": _capped(context)})


def copilot_reply(event: str, context: str, _receipt: str = "") -> bytes:
    """Copilot CLI's JSON: it takes context at a start and with a prompt (1.0.102; earlier ones drop the latter)."""
    if event not in _TAKES or not context.strip():
        return b""
    return _line({"additionalContext": _capped_bytes(context)})


def cline_reply(event: str, context: str, _receipt: str = "") -> bytes:
    """Cline's JSON: it takes context before a tool runs (its hooks guide)."""
    if event != "PreToolUse" or not context.strip():
        return b""
    return _line({"cancel": False, "contextModification": _capped(context)})


def opencode_reply(event: str, context: str, _receipt: str = "") -> bytes:
    """What memd's own plugin for OpenCode and Kilo reads; they take text for the prompt of a compaction, too."""
    if event not in _TAKES | {"PreCompact"} or not context.strip():
        return b""
    return _line({"context": _capped(context)})


def _specific(event: str, name: str, context: str, receipt: str) -> bytes:
    if event not in _TAKES:
        return b""
    if not context.strip():
        return _line({"systemMessage": _capped(receipt)}) if receipt.strip() else b""
    output: dict[str, object] = {"hookSpecificOutput": {"hookEventName": name, "additionalContext": context}}
    if receipt:
        output["systemMessage"] = _capped(receipt)
    return _line(output)


def _line(output: dict[str, object]) -> bytes:
    return json.dumps(output, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") + b"\n"


def _capped(text: str) -> str:
    """The text up to VALUE_LIMIT."""
    units = text.encode("utf-16-le", "surrogatepass")
    return (
        text if len(units) <= 2 * VALUE_LIMIT else _whole_lines(units[: 2 * VALUE_LIMIT].decode("utf-16-le", "ignore"))
    )


def _capped_bytes(text: str) -> str:
    """The text up to BYTE_LIMIT."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= BYTE_LIMIT else _whole_lines(data[:BYTE_LIMIT].decode("utf-8", "ignore"))


def _whole_lines(head: str) -> str:
    """The beginning of a text, ending at a line's end where that loses less than half."""
    end = head.rfind("\n")
    return head[:end] if end > len(head) // 2 else head


REPLIES: Final[Mapping[str, Callable[[str, str, str], bytes]]] = MappingProxyType(
    {
        "claude_code": claude_code_reply,
        "codex": codex_reply,
        "gemini": gemini_reply,
        "qwen": claude_code_reply,
        "cursor": cursor_reply,
        "copilot": copilot_reply,
        "cline": cline_reply,
        "opencode": opencode_reply,
        "kilo": opencode_reply,
    }
)
"""The emitter of each host: event name, context, receipt -> bytes."""
