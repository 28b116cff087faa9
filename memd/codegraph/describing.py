"""Describing: the comment right before a definition says what it is for, in every language that has comments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, Builder, one_line
from memd.codegraph.facts import Flag

_MARKS: Final = re.compile(r"^\s*(?:/\*+[!<]?|\*+(?!/)|//[/!<]*|#+!?|--+|;+)\s?|\s*\*+/\s*$")
_FOR_TOOLS: Final = re.compile(r"\s*(?:@|\\(?:param|return)|eslint|NOLINT|clang-format|ts-|prettier-|go:|region\b)")
_BETWEEN: Final = (b"template", b"#[", b"@", b"[[")
"""How a line begins that may stand between a comment and the definition that it is of."""
_MOST_BETWEEN: Final = 4
_LONGEST: Final = 12
"""So many lines of comments are looked at."""


def describe(builder: Builder, comments: Sequence[Node]) -> None:
    """Give each symbol that has no description the first sentence of the comment before it."""
    plain = [at for at, one in enumerate(builder.symbols) if one.name and not one.doc and not one.flags & Flag.PART]
    if not plain or not comments:
        return
    lines = builder.source.split(b"\n")
    ends = {_last_row(node): node for node in comments if _stands_alone(lines, node)}
    for at in plain:
        row = builder.symbols[at].line - 2
        for _ in range(_MOST_BETWEEN):
            if row in ends or row < 0 or not lines[row].lstrip().startswith(_BETWEEN):
                break
            row -= 1
        words = _words(_run(ends, row))
        if words:
            builder.change(at, doc=words)


def _last_row(node: Node) -> int:
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def _stands_alone(lines: list[bytes], node: Node) -> bool:
    row, column = node.start_point
    return row < len(lines) and not lines[row][:column].strip()


def _run(ends: dict[int, Node], row: int) -> list[Node]:
    """Return the comments of consecutive lines that end on a row, the first first; a block comment is one."""
    found: list[Node] = []
    while row in ends and len(found) < _LONGEST:
        node = ends[row]
        block = (node.text or b"").startswith(b"/*")
        if found and block:
            break
        found.append(node)
        if block:
            break
        row = node.start_point[0] - 1
    return found[::-1]


def _words(comments: list[Node]) -> str:
    kept: list[str] = []
    for node in comments:
        for line in (node.text or b"").decode("utf-8", "replace").rstrip().split("\n")[:_LONGEST]:
            words = _MARKS.sub("", line).strip()
            if _FOR_TOOLS.match(words) or (not words and kept):
                return _first_sentence(kept)
            kept += [words] if words else []
    return _first_sentence(kept)


def _first_sentence(lines: list[str]) -> str:
    return one_line(" ".join(lines).partition(". ")[0], LONGEST_DOC)
