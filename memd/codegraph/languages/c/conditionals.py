"""Conditionals: directives of the preprocessor where a grammar cannot have them, in the middle of something.

A grammar reads `#if` between statements and declarations. Inside of a list, an expression or a declarator, and where a
branch opens a brace that another one closes, it loses its way, often to the end of the file. Here such directives are
blanked out: in a list every branch stays, elsewhere the one that holds when nothing is defined.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(
    rb"""//[^\n]*|/\*.*?\*/"""
    rb"""|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    rb"""|(?P<directive>^[ \t]*\#(?:[^\n\\/]|\\\n|\\.|/(?!\*)|/\*.*?\*/)*)"""
    rb"""|(?P<brace>[{}()\[\];])"""
    # Words and marks in a row. What begins something else is a mark where nothing of that comes of it.
    rb"""|(?P<run>[^\s{}()\[\];"'#/](?:[^\n{}()\[\];"'#/]+|\n[ \t\n]*(?=[^\s{}()\[\];"'#/]))*|[^\s])""",
    re.DOTALL | re.MULTILINE,
)
_WORDS: Final = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
_KEYWORD: Final = re.compile(rb"\b(?:enum|struct|class|union|namespace|extern)\b")
_WORD_BYTE: Final = ord("a")
_NAME: Final = re.compile(rb"[ \t]*#[ \t]*(\w+)[ \t]*(.*)", re.DOTALL)
_DEFINED: Final = re.compile(
    rb"\b(?:(?:[A-Z0-9]+_)?HAVE_\w+|__STDC__|__GNUC__|__linux__|__unix__|__x86_64__|__cplusplus)\b"
)
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_STEPS: Final = {ord("{"): 1, ord("("): 1, ord("["): 1, ord("}"): -1, ord(")"): -1, ord("]"): -1}
_OPENS, _CLOSES, _EQUALS = b"{}="
_NOTHING: Final = (-1, -1)
_BETWEEN: Final = frozenset(b";}{:")
_FINISHED: Final = frozenset(b";}{:,")


@dataclass(slots=True)
class _Branch:
    directive: tuple[int, int]
    taken: bool
    began: int
    """How deep in braces and parentheses it begins."""
    end: int = 0
    uneven: bool = False
    """It closes what it does not open, opens what it does not close, or ends in the middle of something: `if (a)`."""


@dataclass(slots=True)
class _Group:
    """An `#if` with its branches, and where it stands. `lowest` is the least depth there was in what is around it."""

    context: str
    lowest: int
    branches: list[_Branch] = field(default_factory=list)


def repaired(source: bytes) -> bytes:
    """Return the source with directives blanked out where they stand in the middle of something; of the same length."""
    return _without(source, everywhere=False)


def resolved(source: bytes) -> bytes:
    """Return the source with every conditional inside of braces decided, for a file that cannot be read otherwise."""
    return _without(source, everywhere=True)


def _without(source: bytes, *, everywhere: bool) -> bytes:
    cut = bytearray(source)
    groups: list[_Group] = []
    lists: list[bool] = []
    # The last two tokens or rows of them, and the keyword that says what a brace opens.
    one, two, word = _NOTHING, _NOTHING, b""
    # How deep in braces and parentheses it is, and the least that it was in the innermost branch.
    depth = lowest = 0
    for token in _TOKEN.finditer(source):
        kind = token.lastgroup
        if kind is None:
            continue  # a comment
        span = token.span()
        if kind == "directive":
            last, before, last_at = _last_two(source, one, two)
            context = _context(last, before, lists)
            if groups:
                branch = groups[-1].branches[-1]
                unfinished = last_at >= branch.directive[1] and last not in _FINISHED
                branch.end, branch.uneven = span[0], unfinished or not depth == branch.began <= lowest
            context = "middle" if everywhere and lists and context == "between" else context
            lowest = _directive(cut, token[0], span, groups, context, depth, lowest)
            continue
        if kind == "brace":
            mark = source[span[0]]
            if mark == _OPENS:
                last, before, _ = _last_two(source, one, two)
                inner = lists[-1] if lists else False
                lists.append(before == _EQUALS or last in b",=" or inner or word == b"enum")
            elif mark == _CLOSES and lists:
                lists.pop()
            step = _STEPS.get(mark, 0)
            depth += step
            lowest = min(lowest, depth)
            if not step or mark == _CLOSES:
                word = b""
        elif kind == "run":
            keywords = _KEYWORD.findall(source, *span)
            word = keywords[-1] if keywords else word
        one, two = span, one
    return bytes(cut)


def _last_two(source: bytes, one: tuple[int, int], two: tuple[int, int]) -> tuple[int, int, int]:
    """Return the last two tokens, and where the last begins: a mark by itself, a word as `a`, nothing as 0."""
    last, at = _last_in(source, one)
    before, _ = _last_in(source, (one[0], at) if source[one[0] : at].strip() else two)
    return last, before, at


def _last_in(source: bytes, row: tuple[int, int]) -> tuple[int, int]:
    """Return the last token of a row of them, and where it begins."""
    if row == _NOTHING:
        return 0, -1
    words = source[slice(*row)].rstrip()
    if words[0] in b"\"'" and words[-1] == words[0]:
        return ord('"'), row[0]
    rest = words.rstrip(_WORDS)
    length = len(words) - len(rest)
    if length and words[len(rest) :].strip(b"."):
        return _WORD_BYTE, row[0] + len(rest)
    return words[-1], row[0] + len(words) - 1


def _context(last: int, before: int, lists: list[bool]) -> str:
    """Return where a directive stands: between statements, in a list, or in the middle of something else."""
    if lists and lists[-1]:
        return "list"
    if last == ord(":") and before == ord(")"):
        return "list"  # what a constructor gives its members: `X(int a) :`
    if last == 0 or last in _BETWEEN or (last == ord(")") and not lists):
        return "between"
    return "list" if last == ord(",") else "middle"


def _directive(
    cut: bytearray, words: bytes, span: tuple[int, int], groups: list[_Group], context: str, depth: int, lowest: int
) -> int:
    """Take up a directive and return the least depth so far in the branch that goes on behind it."""
    named = _NAME.match(words)
    name = named[1] if named is not None else b""
    if name in (b"if", b"ifdef", b"ifndef"):
        assert named is not None
        groups.append(_Group(context, lowest, [_Branch(span, holds(name, named[2]), depth, span[1])]))
        return depth
    if name in (b"elif", b"else") and groups:
        group = groups[-1]
        assert named is not None
        taken = not any(branch.taken for branch in group.branches) and (name == b"else" or holds(b"if", named[2]))
        group.branches.append(_Branch(span, taken, depth, span[1]))
        group.lowest = min(group.lowest, lowest)
        return depth
    if name == b"endif" and groups:
        group = groups.pop()
        _close(cut, group, span)
        return min(group.lowest, lowest)
    if context != "between":
        _blank(cut, *span)
    return lowest


def holds(name: bytes, condition: bytes, given: Collection[bytes] = ()) -> bool:
    """Tell whether a condition holds where nothing is defined but what most compilers and configurations define.

    `name` is the directive's (`if`, `ifdef`, `ifndef`); `given` are names that are defined besides. That one is not
    defined is believed whatever is given: most who ask for that are guards, or define it themselves right there.
    """
    condition = condition.strip()
    if name == b"ifdef":
        return _known(condition, given)
    if name == b"ifndef":
        return _DEFINED.search(condition) is None
    return any(all(_true(term, given) for term in choice.split(b"&&")) for choice in condition.split(b"||"))


def _known(words: bytes, given: Collection[bytes]) -> bool:
    return _DEFINED.search(words) is not None or any(word in given for word in _WORD.findall(words) if given)


def _true(term: bytes, given: Collection[bytes]) -> bool:
    """Tell whether one term of a condition holds, of the words that stand in it alone."""
    term = term.strip(b" \t()")
    if term.startswith((b"!", b"1")):
        return _DEFINED.search(term) is None
    return _known(term, given) and not term.startswith(b"0")


def _close(cut: bytearray, group: _Group, end: tuple[int, int]) -> None:
    """Blank out what has to go of a group that ends here."""
    uneven = any(branch.uneven for branch in group.branches)
    if group.context == "between" and not uneven:
        return
    _blank(cut, *end)
    for branch in group.branches:
        _blank(cut, *branch.directive)
        if not branch.taken and (group.context != "list" or uneven):
            _blank(cut, branch.directive[1], branch.end)


def _blank(cut: bytearray, start: int, end: int) -> None:
    for at in range(start, end):
        if cut[at] not in b"\r\n":
            cut[at] = 32
