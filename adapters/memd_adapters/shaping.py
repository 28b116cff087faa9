"""Values in the form memd keeps them: times, texts, and the inputs and outputs of tools at a bounded size."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import orjson

from memd_adapters.cutting import whole_head, whole_tail
from memd_adapters.jsonl_rows import Json, Row

INPUT_CHARS: Final = 16 << 10
"""A longer input keeps the start of each of its long strings."""
OUTPUT_CHARS: Final = 4 << 10
"""A longer output keeps this much of its start and as much of its end."""
_INPUT_STRING_CHARS: Final = 4 << 10
_INPUT_ITEMS: Final = 40
_INPUT_NAME_CHARS: Final = 200
_INPUT_DEPTH: Final = 24
_SMALL_FILE_BYTES: Final = 1 << 20
_SLACK_CHARS: Final = 256
"""How far a cut may move to fall between two words."""


def moment(value: Json) -> int | None:
    """Return an ISO-8601 time as UTC epoch milliseconds, or None when it is none."""
    if not isinstance(value, str):
        return None
    try:
        when = datetime.fromisoformat(value)
        return round((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def text_of(row: Row, key: str) -> str | None:
    """Return a field that is a text and not empty."""
    value = row.get(key)
    return value if isinstance(value, str) and value else None


def clean(text: str) -> str:
    """Return the text without NULs, at which databases end a text; a replacement character stands in."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


def input_text(value: Json) -> str:
    """Return a tool's input as JSON text of at most about `INPUT_CHARS` characters."""
    try:
        text = orjson.dumps(value).decode()
        if len(text) <= INPUT_CHARS:
            return text
    except orjson.JSONEncodeError:  # nested deeper than orjson writes, though it reads it
        pass
    text = ""
    for string_chars in (_INPUT_STRING_CHARS, INPUT_CHARS // (4 * _INPUT_ITEMS)):
        text = orjson.dumps(_shortened(value, string_chars, _INPUT_DEPTH)).decode()
        if len(text) <= INPUT_CHARS:
            return text
    return orjson.dumps({"cut": head_of(text, INPUT_CHARS // 2)}).decode()


def _shortened(value: Json, string_chars: int, depth: int) -> Json:
    if isinstance(value, str):
        return head_of(value, string_chars)
    if isinstance(value, list | dict) and not depth:
        return "[cut]"
    if isinstance(value, list):
        return [_shortened(item, string_chars, depth - 1) for item in value[:_INPUT_ITEMS]]
    if isinstance(value, dict):
        items = list(value.items())[:_INPUT_ITEMS]
        return {head_of(key, _INPUT_NAME_CHARS): _shortened(item, string_chars, depth - 1) for key, item in items}
    return value


def head_of(text: str, chars: int) -> str:
    """Return the text, cut between two words near `chars` with a note of its whole length when it is longer."""
    if len(text) <= chars:
        return text
    return f"{_head(text, chars)} [cut: {len(text)} characters in all]"


def head_and_tail(text: str, chars: int) -> str:
    """Return the text, or its first and last `chars` with a note of what lies between."""
    if len(text) <= 2 * chars + _SLACK_CHARS:
        return text
    head, tail = _head(text, chars), _tail(text, chars)
    return f"{head}\n[cut: {len(text) - len(head) - len(tail)} characters]\n{tail}"


def _head(text: str, chars: int) -> str:
    """Return the first `chars` or somewhat fewer, cut between two lines or words."""
    for mark in ("\n", " "):
        found = text.rfind(mark, max(chars - _SLACK_CHARS, 1), chars)
        if found > 0:
            return text[:found]
    return whole_head(text[:chars])


def _tail(text: str, chars: int) -> str:
    """Return the last `chars` or somewhat fewer, cut between two lines or words."""
    tail = text[-chars:]
    for mark in ("\n", " "):
        found = tail.find(mark, 0, _SLACK_CHARS)
        if found >= 0:
            return tail[found + 1 :]
    return whole_tail(tail)


def line_count(text: Json) -> int:
    """Count lines as an editor shows them: an unfinished last line counts."""
    if not isinstance(text, str) or not text:
        return 0
    return text.count("\n") + (not text.endswith("\n"))


def diff_counts(diff: Json) -> tuple[int | None, int | None]:
    """Return the lines a unified diff adds and removes; None for each where there is no diff."""
    if not isinstance(diff, str):
        return None, None
    start = diff.find("@@")
    lines = diff[max(start, 0) :].split("\n")
    return sum(line.startswith("+") for line in lines), sum(line.startswith("-") for line in lines)


def small_json(path: Path) -> Row:
    """Return the object in a small file; empty when it cannot be read."""
    try:
        with path.open("rb") as file:
            value = orjson.loads(file.read(_SMALL_FILE_BYTES))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
