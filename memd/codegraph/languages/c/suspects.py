"""Suspects: words in capitals where the grammar lost its way, which are most likely macros of another file.

What a macro of another file stands for is not in the source of this one. Most are told by where they stand
(`macros.py`); of the others it is seen that the tree has an error there. The file is read once more without them, or
without what they are given, and the tree that is understood best is taken.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from typing import Final

from tree_sitter import Node, Tree

_WORD: Final = re.compile(rb"(?<![\w#.])[A-Z][A-Z0-9_]{2,}\b(?![ \t]*(?:::|\.|->|=))")
_ARGUMENTS: Final = re.compile(rb"[ \t]*\((?:[^(){};\"]|\"(?:[^\"\\\n]|\\.)*\"|\([^(){};]*\)){0,300}\)")
_CALLED: Final = re.compile(rb"(?<![\w#.])[A-Z][A-Z0-9_]{2,}[ \t]*\(")
_MARK: Final = re.compile(rb"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[()]")
_BYTE: Final = re.compile(rb"[^\r\n]")
_OPERAND: Final = re.compile(rb"(?:[(,=+\-*/%<>!&|?:]|\breturn)\s*\Z")
"""What stands before a word that is an operand: without it nothing would stand there."""
_ANOTHER: Final = re.compile(rb"\s*[\w}]")
_BEFORE: Final = 200
"""So many bytes before an error may hold what it comes from."""
_LONGEST: Final = 2_000
"""Of an error that takes in more than this, only what stands directly in it is looked at."""
_MOST: Final = 400
_ROUNDS: Final = 5
_LARGE: Final = 300_000
"""Of a source of more bytes, one attempt is what it may cost."""


def errors(root: Node) -> Iterator[Node]:
    """Yield the outermost nodes of a tree that are errors or stand for what is missing."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR" or node.is_missing:
            yield node
        elif node.has_error:
            waiting.extend(node.children)


def not_understood(root: Node) -> int:
    """Return how many bytes of a tree are not understood; what is only missing (a semicolon) does no harm."""
    return sum(node.end_byte - node.start_byte for node in errors(root))


def reread(source: bytes, tree: Tree, again: Callable[[bytes, Tree, bytes], Tree]) -> Tree:
    """Return the best tree of a source that there is without suspects, `tree` itself where none is better.

    `again` gives the tree of what is left of a source that has one.
    """
    worst = not_understood(tree.root_node)
    attempts = deque((without_words, without_arguments))
    failed = 0
    for _ in range(_ROUNDS if len(source) <= _LARGE else 1):
        if not worst or failed == len(attempts):
            break
        changed = attempts[0](source, tree.root_node)
        attempts.rotate()
        other = again(source, tree, changed) if changed != source else tree
        left = not_understood(other.root_node)
        if left < worst:
            source, tree, worst, failed = changed, other, left, 0
        else:
            failed += 1
    return tree


def without_words(source: bytes, root: Node) -> bytes:
    """Return the source with the suspects at the errors of its tree blanked out, the same where there are none."""
    cut = bytearray(source)
    for start, end in _regions(source, root):
        for found in _WORD.finditer(source, start, end):
            arguments = _ARGUMENTS.match(source, found.end())
            until = arguments.end() if arguments is not None else found.end()
            if not _in_directive(source, found.start()) and not _is_operand(source, found.start(), until):
                _blank(cut, found.start(), until)
    return bytes(cut)


def without_arguments(source: bytes, root: Node) -> bytes:
    """Return the source with what suspects are given blanked out where that holds an error: it is no expression."""
    cut = bytearray(source)
    for start, end in _regions(source, root):
        for found in _CALLED.finditer(source, start, end):
            closed = _closing(source, found.end())
            if closed is not None and not _in_directive(source, found.start()):
                _blank(cut, found.end(), closed)
    return bytes(cut)


def _regions(source: bytes, root: Node) -> list[tuple[int, int]]:
    """Return where to look: from the line on which what holds an error begins to its end."""
    found: list[tuple[int, int]] = []
    for node in errors(root):
        parts = [node] if node.end_byte - node.start_byte <= _LONGEST else _direct(node)
        for part in parts:
            line = source.rfind(b"\n", 0, part.start_byte) + 1
            found.append((max(line, part.start_byte - _BEFORE), part.end_byte))
            if len(found) >= _MOST:
                return found
    return found


def _direct(node: Node) -> Iterator[Node]:
    """Yield what stands in an error that takes in much: words, lesser errors, and what could not be finished."""
    for child in node.children:
        if child.type.endswith("identifier"):
            yield child
        elif child.has_error or child.is_missing:
            for one in errors(child):
                if one.end_byte - one.start_byte <= _LONGEST:
                    yield one
                else:
                    yield from _direct(one)


def _is_operand(source: bytes, start: int, end: int) -> bool:
    """Tell whether something would be missing without a word; in a list, what another word follows stands alone."""
    before = _OPERAND.search(source, max(0, start - 40), start)
    return before is not None and not (before[0].startswith(b",") and _ANOTHER.match(source, end))


def _in_directive(source: bytes, at: int) -> bool:
    line = source.rfind(b"\n", 0, at) + 1
    return source[line:at].lstrip().startswith(b"#")


def _closing(source: bytes, start: int) -> int | None:
    """Return where the parenthesis closes that opened right before a place, None where that is far off."""
    depth = 1
    for mark in _MARK.finditer(source, start, start + _LONGEST):
        depth += {b"(": 1, b")": -1}.get(mark[0], 0)
        if not depth:
            return mark.start()
    return None


def _blank(cut: bytearray, start: int, end: int) -> None:
    cut[start:end] = _BYTE.sub(b" ", bytes(cut[start:end]))
