"""Standard input: what a pipe gives, read as UTF-8 whatever the locale says."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from memd.errors import UsageError

_LIMIT_BYTES: Final = 64 << 20
_TEXT: Final = ("content", "text", "message")


@dataclass(frozen=True, slots=True)
class Said:
    """One message of standard input."""

    role: str
    text: str


def whole_text() -> str:
    """Return everything on standard input; raises UsageError when it is empty or no UTF-8."""
    raw = sys.stdin.buffer.read(_LIMIT_BYTES + 1) if sys.stdin is not None else b""
    if len(raw) > _LIMIT_BYTES:
        raise UsageError(f"Standard input is larger than {_LIMIT_BYTES >> 20} MiB; give a file to `memd import`.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"Standard input is not UTF-8 (byte {error.start}).") from error
    if not text.strip():
        raise UsageError("Standard input is empty; there is nothing to keep.")
    return text


def messages(text: str) -> tuple[Said, ...]:
    """Return the messages in a text: a JSON array of them, an object with `messages`, a JSON string, or plain text.

    An item is a text or an object with a role (user, where it has none) and a content that is a text or a list of
    parts. Raises UsageError for an array whose items are none of this, or when nothing is left.
    """
    document: Any = text
    if text.lstrip()[:1] in {"[", "{", '"'}:
        try:
            document = msgspec.json.decode(text.encode())
        except msgspec.DecodeError:
            document = text  # words that only look like JSON
    if isinstance(document, dict):
        document = document.get("messages", [document])
    items = document if isinstance(document, list) else [document]
    found = tuple(_said(item, place) for place, item in enumerate(items))
    kept = tuple(one for one in found if one.role != "system" and any(char.isalnum() for char in one.text))
    if not kept:
        raise UsageError("There is no message with words in it; nothing was kept.")
    return kept


def _said(item: object, place: int) -> Said:
    if isinstance(item, str):
        return Said("user", item)
    if isinstance(item, dict):
        content = next((item[name] for name in _TEXT if name in item), None)
        role = item.get("role", "user")
        if isinstance(content, list):
            parts = [part.get("text", "") if isinstance(part, dict) else part for part in content]
            content = "\n".join(part for part in parts if isinstance(part, str))
        if isinstance(content, str) and isinstance(role, str):
            return Said(role, content)
    raise UsageError(f"Message {place} (counted from 0) is neither a text nor an object with role and content.")
