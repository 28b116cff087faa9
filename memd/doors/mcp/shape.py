"""Shape: an operation's answer as an agent gets it. Nothing that says nothing, never more than was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from memd.text.clip import clip

_TEXT_SHARE: Final = 3
_LEAST_TEXT: Final = 240
_DIGITS: Final = 3
_HOW_FOUND: Final = frozenset({"lanes", "why", "host", "chars"})
_NEAREST: Final = 3
"""Hits that are told where nothing was found: more would be paid for and not read."""


@dataclass(frozen=True, slots=True)
class Page:
    """A part of an answer. `next_offset` is where the list in it goes on; None: it is whole."""

    value: Any
    next_offset: int | None = None
    left: int | None = None
    """How many are left, where that is known."""


def page(value: Any, *, offset: int, limit: int, max_chars: int, paged: bool = False) -> Page:
    """Return the part of an answer that is wanted, in at most about `max_chars` characters of JSON.

    The list that is cut is the answer itself or its longest list; where not all fits, a text beside others may have a
    third of the room. With `paged` the list begins at `offset` already.
    """
    pruned = prune(value)
    name = _longest_list(pruned)
    if name is None and not isinstance(pruned, list):
        return Page(_clipped(pruned, max_chars))
    fits = _size(pruned) <= max_chars
    clipped = pruned if fits else _clipped(pruned, max(max_chars // _TEXT_SHARE, _LEAST_TEXT))
    if name is None:
        return _cut(clipped, offset, limit, max_chars, paged=paged)
    around = _size({**clipped, name: []})
    cut = _cut(clipped[name], offset, limit, max(max_chars - around, max_chars // 2), paged=paged)
    return Page({**clipped, name: cut.value}, cut.next_offset, cut.left)


def text_page(value: Any) -> Page:
    """Return a part of a long text, as an operation gives it, with where the text goes on."""
    end = value["offset"] + len(value["text"])
    return Page(prune(value), None if value["last"] else end, value["total"] - end)


def plain_hits(answer: Any) -> Any:
    """Return what a search found without what only tells how it was found, and without sentences that the text has.

    Where nothing was found that is said first, before the few that come nearest.
    """
    found = answer.get("found", True)
    verdict = {} if found else {"found": False}
    hits = [
        {
            name: value
            for name, value in hit.items()
            if name not in _HOW_FOUND and not (name == "sentence" and value in hit.get("text", ""))
        }
        for hit in answer["hits"][: None if found else _NEAREST]
    ]
    return {**verdict, **answer, "hits": hits}


def prune(value: Any) -> Any:
    """Return the value without members that are null or empty, numbers rounded."""
    if isinstance(value, dict):
        kept = {name: prune(inner) for name, inner in value.items()}
        return {name: inner for name, inner in kept.items() if inner is not None and inner not in ("", [], {})}
    if isinstance(value, list):
        return [prune(item) for item in value]
    return round(value, _DIGITS) if isinstance(value, float) else value


def text_of(value: Any) -> str:
    """Return a value as short lines: members by name, list items with a dash, nothing quoted."""
    return "\n".join(_lines(value, "")) or "(nothing)"


def _lines(value: Any, indent: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, (dict, list)) and inner:
                yield f"{indent}{name}:"
                yield from _lines(inner, indent + "  ")
            else:
                yield f"{indent}{name}: {_plain(inner, indent + '  ')}"
    elif isinstance(value, list):
        for item in value:
            first, *rest = "\n".join(_lines(item, "")).split("\n")
            yield f"{indent}- {first}"
            yield from (f"{indent}  {line}" for line in rest)
    elif value is not None:
        yield indent + _plain(value, indent)


def _plain(value: Any, indent: str) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(value).replace("\n", "\n" + indent) if not isinstance(value, (dict, list)) else "none"


def _cut(items: list[Any], offset: int, limit: int, max_chars: int, *, paged: bool) -> Page:
    start = 0 if paged else offset
    shown: list[Any] = []
    room = max_chars
    for item in items[start : start + limit]:
        size = _size(item)
        if shown and size > room:
            break
        room -= size
        shown.append(item)
    rest = len(items) - start - len(shown)
    return Page(shown, offset + len(shown), rest) if rest > 0 else Page(shown)


def _longest_list(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    sizes = {name: _size(inner) for name, inner in value.items() if isinstance(inner, list)}
    return max(sizes, key=lambda name: sizes[name]) if sizes else None


def _clipped(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return clip(value, most)
    if isinstance(value, list):
        return [_clipped(item, most) for item in value]
    if isinstance(value, dict):
        return {name: _clipped(inner, most) for name, inner in value.items()}
    return value


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
