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
    rb"""|(?P<word>[A-Za-z_]\w*|\d[\w.]*)|(?P<mark>[^\s])""",
    re.DOTALL | re.MULTILINE,
)
_NAME: Final = re.compile(rb"[ \t]*#[ \t]*(\w+)[ \t]*(.*)", re.DOTALL)
_DEFINED: Final = re.compile(
    rb"\b(?:(?:[A-Z0-9]+_)?HAVE_\w+|__STDC__|__GNUC__|__linux__|__unix__|__x86_64__|__cplusplus)\b"
)
_WORD: Final = re.compile(rb"[A-Za-z_]\w*")
_OPEN: Final = {ord("{"): 1, ord("("): 1, ord("["): 1, ord("}"): -1, ord(")"): -1, ord("]"): -1}
_BETWEEN: Final = frozenset(b";}{:")
_FINISHED: Final = frozenset(b";}{:,")
_DEEPEST: Final = 64
"""Conditionals in each other, of which so many are followed."""


@dataclass(slots=True)
class _Branch:
    directive: tuple[int, int]
    taken: bool
    depth: int = 0
    lowest: int = 0
    end: int = 0
    unfinished: bool = False
    """It ends in the middle of something: `if (a)`, or the type of a function."""

    def close(self, end: int, last_at: int, last: int) -> None:
        """Take down where the branch ends, and what stands last before that."""
        self.end = end
        self.unfinished = last_at >= self.directive[1] and last not in _FINISHED


@dataclass(slots=True)
class _Group:
    """An `#if` with its branches, and where it stands."""

    context: str
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
    last, before, word, last_at = 0, 0, b"", -1
    for token in _TOKEN.finditer(source):
        if token["directive"] is not None:
            context = _context(last, before, lists)
            if groups:
                groups[-1].branches[-1].close(token.start(), last_at, last)
            _directive(cut, token, groups, "middle" if everywhere and lists and context == "between" else context)
            continue
        if token["mark"] is not None:
            mark = token["mark"][0]
            if mark == ord("{"):
                lists.append(before == ord("=") or last in b",=" or (lists[-1] if lists else False) or word == b"enum")
            elif mark == ord("}") and lists:
                lists.pop()
            step = _OPEN.get(mark, 0)
            for group in groups[-_DEEPEST:] if step else ():
                branch = group.branches[-1]
                branch.depth += step
                branch.lowest = min(branch.lowest, branch.depth)
            if mark in b";}":
                word = b""
            before, last = last, mark
        elif token["word"] is not None:
            if token["word"] in (b"enum", b"struct", b"class", b"union", b"namespace", b"extern"):
                word = token["word"]
            before, last = last, ord("a")
        elif token["text"] is not None:
            before, last = last, ord('"')
        else:
            continue  # a comment
        last_at = token.start()
    return bytes(cut)


def _context(last: int, before: int, lists: list[bool]) -> str:
    """Return where a directive stands: between statements, in a list, or in the middle of something else."""
    if lists and lists[-1]:
        return "list"
    if last == ord(":") and before == ord(")"):
        return "list"  # what a constructor gives its members: `X(int a) :`
    if last == 0 or last in _BETWEEN or (last == ord(")") and not lists):
        return "between"
    return "list" if last == ord(",") else "middle"


def _directive(cut: bytearray, token: re.Match[bytes], groups: list[_Group], context: str) -> None:
    named = _NAME.match(token[0])
    name = named[1] if named is not None else b""
    span = token.span()
    if name in (b"if", b"ifdef", b"ifndef"):
        assert named is not None
        groups.append(_Group(context, [_Branch(span, holds(name, named[2]), end=span[1])]))
    elif name in (b"elif", b"else") and groups:
        group = groups[-1]
        assert named is not None
        taken = not any(branch.taken for branch in group.branches) and (name == b"else" or holds(b"if", named[2]))
        group.branches.append(_Branch(span, taken, end=span[1]))
    elif name == b"endif" and groups:
        _close(cut, groups.pop(), span)
    elif context != "between":
        _blank(cut, *span)


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
    uneven = any(branch.depth or branch.lowest < 0 or branch.unfinished for branch in group.branches)
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
