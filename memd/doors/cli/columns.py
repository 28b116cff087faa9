"""Columns: how wide text is on a terminal, and how it is made to fit; what could move the cursor is taken out."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

PAGE: Final = 80
_ELLIPSIS: Final = "…"
_WIDE: Final = frozenset({"W", "F"})
_KEPT: Final = "\n\u200d"  # the joiner makes one picture of several
_UNFIT: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NOTHING: Final = frozenset({"Mn", "Me", "Cf"})


def clean(text: str) -> str:
    """Return text that a terminal shows and never obeys: no control or direction characters; newlines stay.

    A tab becomes four spaces. Stored text comes from models and tools, which may well have printed escape sequences.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = text.replace("\r\n", "\n").replace("\t", "    ")
    return "".join(char for char in plain if char in _KEPT or unicodedata.category(char) not in _UNFIT)


def one_line(text: str) -> str:
    """Return cleaned text on one line, runs of white space folded."""
    return " ".join(clean(text).split())


def width(text: str) -> int:
    """Return the columns a line takes: two for wide characters (UAX #11), none for those that combine."""
    if text.isascii():
        return len(text)
    return sum(_char_width(char) for char in text)


def cut(text: str, columns: int) -> str:
    """Return the line, ended with an ellipsis when it would take more than `columns`."""
    if width(text) <= columns:
        return text
    return _head(text, columns - 1).rstrip() + _ELLIPSIS


def pad(text: str, columns: int) -> str:
    """Return the line, cut or filled up with blanks to take exactly `columns`."""
    fitted = cut(text, columns)
    return fitted + " " * (columns - width(fitted))


def wrap(text: str, columns: int, *, whole: bool = False) -> list[str]:
    """Return the lines of a text, those that are too long broken at blanks or, without any, anywhere.

    `whole`: only at blanks, so that a long path can be copied.
    """
    lines: list[str] = []
    for line in clean(text).split("\n"):
        lines.extend(_wrap_line(line.rstrip(), max(columns, 8), whole=whole))
    return lines


def table(rows: Sequence[Sequence[str]], *, stretch: int, columns: int = PAGE) -> list[str]:
    """Return the rows in columns two blanks apart; the one numbered `stretch` gets the room that is left."""
    if not rows:
        return []
    widths = [max(width(row[index]) for row in rows) for index in range(len(rows[0]))]
    fixed = sum(widths) - widths[stretch] + 2 * (len(widths) - 1)
    widths[stretch] = min(widths[stretch], max(columns - fixed, 10))
    return [cut(_row(row, widths), columns) for row in rows]


def _row(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(pad(cell, wide) for cell, wide in zip(row, widths, strict=True)).rstrip()


def asked(shown: int) -> int:
    """Return how many to ask for so that it is known whether there are more than are shown."""
    return min(shown + 1, sys.maxsize)


def more(found: int, shown: int, command: str) -> list[str]:
    """Return the line below a list that says there are more and how to see them; none where these are all."""
    return [f"There are more: `memd {command} -n {min(shown * 5, sys.maxsize)}`."] if found > shown else []


def bullets(items: Iterable[str], columns: int = PAGE, *, whole: bool = False) -> list[str]:
    """Return each item as a list item, wrapped with a hanging indent; `whole` as for `wrap`."""
    lines: list[str] = []
    for item in items:
        first, *rest = wrap(item, columns - 2, whole=whole)
        lines += [f"- {first}", *(f"  {line}" for line in rest)]
    return lines


def _char_width(char: str) -> int:
    if unicodedata.category(char) in _NOTHING:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1


def _head(text: str, columns: int) -> str:
    taken = 0
    for index, char in enumerate(text):
        taken += _char_width(char)
        if taken > columns:
            return text[:index]
    return text


def _wrap_line(line: str, columns: int, *, whole: bool) -> list[str]:
    indent = line[: len(line) - len(line.lstrip())]
    if width(indent) > columns // 2:
        indent = ""
    broken: list[str] = []
    while width(line) > columns:
        head = _head(line, columns)
        at = head.rfind(" ", len(indent) + 1)
        if line[len(head)] == " ":
            at = len(head)
        if at <= len(indent):
            at = len(head) if not whole else line.find(" ", len(indent))
        if at < 0:
            break
        broken.append(line[:at].rstrip())
        line = indent + line[at:].lstrip()
    return [*broken, line]
