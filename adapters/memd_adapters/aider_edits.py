"""The edits that stand in an aider answer: SEARCH/REPLACE blocks with the file each is for, and whole files.

A block is a wish; only aider's "Applied edit to x" says that it was done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

_SEARCH: Final = re.compile(r"<{5,9} (?:SEARCH|ORIGINAL|HEAD)\b")
_MIDDLE: Final = re.compile(r"={5,9}\s*$")
_REPLACE: Final = re.compile(r">{5,9} (?:REPLACE|UPDATED|updated)\b")
_FENCE: Final = re.compile(r"\s*(?:`{3,}|~{3,}|<source>|<code>|<pre>)")
_UNIFIED: Final = re.compile(r"\+\+\+ (?:b/)?(\S+)")
_DECORATION: Final = "`*#: \t"


@dataclass(frozen=True, slots=True)
class Block:
    """One edit that the model wrote."""

    path: str
    old: str
    new: str


def blocks_of(text: str) -> tuple[Block, ...]:
    """Return the SEARCH/REPLACE blocks and unified diffs of an answer, in order."""
    lines = text.split("\n")
    return (*_search_blocks(lines), *_unified_blocks(lines))


def _search_blocks(lines: Sequence[str]) -> Iterator[Block]:
    path = ""
    at = 0
    while at < len(lines):
        if not _SEARCH.match(lines[at]):
            at += 1
            continue
        path = _path_before(lines, at) or path
        middle = _next(lines, at + 1, _MIDDLE)
        end = _next(lines, middle + 1, _REPLACE)
        if end >= len(lines):
            return
        yield Block(path, "\n".join(lines[at + 1 : middle]), "\n".join(lines[middle + 1 : end]))
        at = end + 1


def _next(lines: Sequence[str], at: int, mark: re.Pattern[str]) -> int:
    while at < len(lines) and not mark.match(lines[at]):
        at += 1
    return at


def _path_before(lines: Sequence[str], at: int) -> str:
    """Return the file's name: the line before the block, or before the fence that opens it."""
    for line in lines[max(at - 3, 0) : at][::-1]:
        if _REPLACE.match(line):
            return ""
        if line.strip() and not _FENCE.match(line):
            name = line.strip(_DECORATION)
            return name if name and " " not in name.strip() else ""
    return ""


def _unified_blocks(lines: Sequence[str]) -> Iterator[Block]:
    path = ""
    old: list[str] = []
    new: list[str] = []
    for line in lines:
        if found := _UNIFIED.match(line):
            if path and (old or new):
                yield Block(path, "\n".join(old), "\n".join(new))
            path, old, new = found[1], [], []
        elif path and _FENCE.match(line):
            yield Block(path, "\n".join(old), "\n".join(new))
            path, old, new = "", [], []
        elif path and line.startswith("-") and not line.startswith("--- "):
            old.append(line[1:])
        elif path and line.startswith("+"):
            new.append(line[1:])
    if path and (old or new):
        yield Block(path, "\n".join(old), "\n".join(new))


def same_file(said: str, path: str) -> bool:
    """Whether the model means a file by a name: aider finds a file also by the end of its path."""
    said, path = said.replace("\\", "/"), path.replace("\\", "/")
    return bool(said) and (said == path or path.endswith(f"/{said}") or said.endswith(f"/{path}"))
