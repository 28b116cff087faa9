"""Frontmatter: the fields at the head of a Markdown file, read and changed without touching what is not known. Pure.

Of YAML (1.2, as flat heads use it) are read: scalars, plain or quoted, flow lists `[a, b]` and block lists `- a`. A
field that is anything else keeps its lines as they stand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

Value: TypeAlias = str | bool | float | tuple[str, ...]

_FENCE: Final = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_KEY: Final = re.compile(r"^([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
_ITEM: Final = re.compile(r"^[ \t]*-[ \t]+(.*)$")
_FLOW: Final = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^,\s\"'][^,]*)")
_PLAIN: Final = re.compile(r"[^\W\d_][\w /.@+()-]*\Z")
_COMMENT: Final = re.compile(r"[ \t]+#.*\Z")
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?\Z")
_WORDS: Final = {"true": True, "false": False}
_RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


@dataclass(frozen=True, slots=True)
class Page:
    """A Markdown file: the lines of each field of its head, in order, and what stands below."""

    head: tuple[tuple[str, str], ...]
    """Name and lines; the name is empty for lines that are no field."""
    body: str

    def get(self, name: str) -> Value | None:
        """Return a field's value, None where there is none or it is of a form that is not read."""
        lines = next((lines for key, lines in self.head if key == name), None)
        return None if lines is None else _value(lines)

    def text(self, name: str) -> str | None:
        """Return a field as text; None where there is none or it is empty."""
        value = self.get(name)
        if value is None or isinstance(value, tuple):
            return None
        return (str(value).lower() if isinstance(value, bool) else str(value)) or None

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a field as texts; one text with commas is several."""
        value = self.get(name)
        if isinstance(value, tuple):
            return value
        return tuple(filter(None, (part.strip() for part in str(value or "").split(","))))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the fields."""
        return tuple(key for key, _ in self.head if key)

    def having(self, fields: Mapping[str, Value | None], body: str | None = None) -> Page:
        """Return the page with other values for some fields; None takes a field away. All others stay to the byte."""
        head = []
        left = dict(fields)
        for key, lines in self.head:
            if key not in left:
                head.append((key, lines))
                continue
            value = left.pop(key)
            if value is not None:
                head.append((key, lines if _value(lines) == value else f"{key}: {_told(value)}\n"))
        head += [(key, f"{key}: {_told(value)}\n") for key, value in left.items() if value is not None]
        return replace(self, head=tuple(head), body=self.body if body is None else body)

    def whole(self) -> str:
        """Return the file's text."""
        return f"---\n{''.join(lines for _, lines in self.head)}---\n{self.body}" if self.head else self.body


def page_of(text: str) -> Page:
    """Return a file's head and body; a file without a head is all body."""
    fence = _FENCE.match(text)
    if fence is None:
        return Page((), text)
    head: list[tuple[str, str]] = []
    for line in fence[1].splitlines(keepends=True):
        key = _KEY.match(line.rstrip("\r\n"))
        if key:
            head.append((key[1], line))
        elif head:
            name, lines = head[-1]
            head[-1] = (name, lines + line)
        else:
            head.append(("", line))
    return Page(tuple(head), text[fence.end() :])


def _value(lines: str) -> Value | None:
    first, *rest = lines.rstrip().splitlines()
    key = _KEY.match(first)
    assert key is not None
    told = (key[2] or "").strip()
    if told and not any(line.strip() for line in rest):
        if told.startswith("["):
            return tuple(filter(None, map(_scalar_text, _FLOW.findall(told[1:-1])))) if told.endswith("]") else None
        return None if told[0] in "{|>&*!" else _scalar(told)
    items = [_ITEM.match(line) for line in rest if line.strip()]
    if told or not all(items):
        return None
    return tuple(_scalar_text(item[1]) for item in items if item) if items else ""


def _scalar(told: str) -> Value:
    if told[0] in "\"'":
        return _scalar_text(told)
    plain = _COMMENT.sub("", told)
    if plain.lower() in _WORDS:
        return _WORDS[plain.lower()]
    return float(plain) if _NUMBER.match(plain) else plain


def _scalar_text(told: str) -> str:
    told = told.strip()
    if len(told) > 1 and told[0] == told[-1] == '"':
        try:
            return str(json.loads(told))
        except ValueError:
            return told[1:-1]
    if len(told) > 1 and told[0] == told[-1] == "'":
        return told[1:-1].replace("''", "'")
    return told


def _told(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return f"[{', '.join(map(_quoted, value))}]"
    return _quoted(value)


def _quoted(text: str) -> str:
    plain = _PLAIN.match(text) and text.lower() not in _RESERVED and text == text.strip()
    return text if plain else json.dumps(text, ensure_ascii=False)
