"""Beside a name: passwords that stand before their name, below it, or in a cell of a table.

`use … as the password`, `… is the root password`; `Password:` with the value alone on the next line; `**Password**: …`;
`| password | … |`, and whatever stands below the heading `password` in a table of Markdown, CSV or tabs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memd.text.assignments import Hit
from memd.text.said_of import GOES_WITH
from memd.text.telling import FILE, is_own_word, looks_made_up, looks_telling

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd.text.password_names import Name

_CHARS: Final = r"[^\s\"'`<>,;(){}\[\]\\|\u2e80-\uffff]"
_MARKS: Final = r"[*_`\"']{0,3}"
_AFTER: Final = re.compile(
    rf"{_MARKS}(?P<bind> ?(?:→|->|=>|—|–) ?|\*\*(?:: ?| [—–-] )|:\*\* ?|`: ?| {{0,24}}\| {{0,24}}|\t{{1,4}})"
    rf"{_MARKS}(?P<value>{_CHARS}{{4,128}}?)(?P<close>{_MARKS})(?=\s|\||\Z|[.,;!](?:\s|\Z))"
)
_BEGINS_AFTER: Final = frozenset(" \t*_`:|→—–-=")
_BELOW: Final = re.compile(
    rf"(?: (?:is|was|ist|es|est|is now))?{_MARKS}(?:[:：]{_MARKS}|(?<=is)|(?<=was))[ \t]*\r?\n(?:[ \t>]*\r?\n)?"
    rf"(?P<fence>[ \t]*```\w{{0,12}}\r?\n)?[ \t>]{{0,12}}(?P<quote>[`\"'*]{{0,3}})(?P<value>{_CHARS}{{4,128}}+)"
    r"[`\"'*]{0,3}[ \t]*(?P<end>\Z|\r?\n[ \t]*(?:\Z|\r?\n|```)|\r?\n)"
)
_HANDS_OVER: Final = re.compile(
    r"(?P<verb>\b(?:use|using|take|try|enter|type|set|put|with|it's)(?: the)? )?(?P<quote>[\"'`]?)"
    rf"(?P<value>(?<![\w.-]){_CHARS}{{4,64}})(?P<close>[\"'`]?) (?P<bind>as|for|is|was)"
    r"(?: (?:the|my|our|your|its|his|her|their|a|new|old|root|admin|user|staging|production|prod|db|database|wifi|vpn"
    r"|default|initial|temporary|login|sudo|current))* \Z",
    re.IGNORECASE,
)
_HANDS_OVER_SIZE: Final = 120
_NOT_PART: Final = re.compile(
    r"(?=\s*(?:\Z|[.,;:!?)\n\"'`])| (?:for|of|on|at|to|in|and|but|it|then|when|until|now|there|here|if|so)\b)"
)
_HEADING: Final = re.compile(r"\|?(?P<rule>[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*\r?\n)")
_CELLS: Final = re.compile(r"[\w .#*`\"/-]{1,40}(?:(?P<sign>[,;\t])[\w .#*`\"/-]{1,40}){1,20}")
_WHO: Final = re.compile(r"\b(?:user|username|login|account|e-?mail|name|host|benutzer|usuario)\b", re.IGNORECASE)
_MOST_ROWS: Final = 200
_LONGEST_LINE: Final = 1000
_VALUE: Final = re.compile(rf"{_CHARS}{{4,128}}")


def beside(text: str, names: tuple[Name, ...]) -> Iterator[Hit]:
    """Yield the passwords that stand beside their name in `text`; the names in it are given."""
    for name in names:
        following = text[name.end : name.end + 1]
        if following in _BEGINS_AFTER:
            yield from _after(text, name)
        yield from _below(text, name)
        yield from _before(text, name)
        yield from _in_column(text, name)


def _after(text: str, name: Name) -> Iterator[Hit]:
    told = _AFTER.match(text, name.end)
    if told is None:
        return
    value, bind = told["value"], told["bind"]
    is_marked = told["close"].startswith(("`", '"', "'")) and is_own_word(text, value, None)
    if (looks_telling(value) if "**" in bind else looks_made_up(value)) or is_marked:
        yield Hit(*told.span("value"), "password")


def _below(text: str, name: Name) -> Iterator[Hit]:
    """Yield what stands alone on the line below: a word of letters only where nothing else goes on there."""
    told = _BELOW.match(text, name.end)
    if told is None or told["value"].endswith(":") or FILE.fullmatch(told["value"]):
        return
    is_last = told["end"] == "" or told["end"].count("\n") > 1 or "```" in told["end"]
    if looks_telling(told["value"]) or (is_last and is_own_word(text, told["value"], None)):
        yield Hit(*told.span("value"), "password")


def _before(text: str, name: Name) -> Iterator[Hit]:
    # A glance: programs are full of `pass` on a line of its own.
    if text[name.start - 1 : name.start] != " " or not text[name.start - 2 : name.start - 1].isalpha():
        return
    if not _NOT_PART.match(text, name.end):
        return
    told = _HANDS_OVER.search(text, max(0, name.start - _HANDS_OVER_SIZE), name.start)
    if told is None or (told["bind"].lower() == "for" and not told["verb"]):
        return
    value = told["value"]
    is_made_up = looks_made_up(value) and (bool(told["verb"]) or told["bind"].lower() != "for")
    is_word = is_own_word(text, value, None)
    if not (told["quote"] and told["quote"] == told["close"]):
        is_handed_over = bool(told["verb"]) and told["bind"].lower() in {"as", "for"}
        is_word = is_word and is_handed_over and value.islower() and len(value) >= 5 and value not in GOES_WITH
    if is_made_up or is_word:
        yield Hit(*told.span("value"), "password")


def _in_column(text: str, name: Name) -> Iterator[Hit]:
    """Yield what stands in the rows of a table below a heading."""
    end = text.find("\n", name.end, name.end + _LONGEST_LINE)
    if end < 0:
        return
    start = text.rfind("\n", max(0, name.start - _LONGEST_LINE), name.start) + 1
    heading = text[start:end].rstrip("\r")
    if "|" not in heading and "," not in heading and "\t" not in heading and ";" not in heading:
        return
    if "|" in heading:
        rule = _HEADING.match(text, end + 1)
        if rule is not None:
            yield from _rows(text, rule.end(), "|", heading, name.start - start)
    elif text[name.end : name.end + 1] in {"", ",", ";", "\t", '"', "\n", "\r"}:
        cells = _CELLS.fullmatch(heading)
        if cells is not None:
            yield from _rows(text, end + 1, cells["sign"], heading, name.start - start)


def _rows(text: str, at: int, sign: str, heading: str, place: int) -> Iterator[Hit]:
    column = heading.count(sign, 0, place)
    columns = heading.count(sign)
    knows_who = _WHO.search(heading) is not None
    for _ in range(_MOST_ROWS):
        end = text.find("\n", at, at + _LONGEST_LINE)
        row = text[at : end if end >= 0 else min(len(text), at + _LONGEST_LINE)]
        if row.count(sign) != columns:
            return
        cells = row.split(sign)
        cell = cells[column].strip(" \t\r*_`\"'")
        start = at + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].find(cell)
        if cell and _VALUE.fullmatch(cell) and (looks_made_up(cell) or (knows_who and is_own_word(text, cell, None))):
            yield Hit(start, start + len(cell), "password")
        if end < 0:
            return
        at = end + 1
