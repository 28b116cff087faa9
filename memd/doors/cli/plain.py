"""Plain: the answer of any operation as people read it, where no command was shaped for it by hand.

Things of one kind, told in a few words each, are a table; everything else goes member by member.
"""

from __future__ import annotations

import re
from typing import Any, Final

from memd.doors.cli.columns import one_line, table, width, wrap
from memd.doors.cli.wording import local, short
from memd.doors.mcp.shape import prune, text_of

_TIME: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_UID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_KINDS: Final = frozenset({"", "fact", "entity"})
"""What a node is called by, before its id."""
_LEAST: Final = 12
"""Places on the line that the widest member of a row has to have."""
_FEWEST: Final = 3
"""Members that have to find room, or it is no table."""


def lines_of(answer: Any, columns: int, window: int = 0) -> list[str]:
    """Return an answer (JSON values) as lines that are at most so wide; `window`: rows of a table may be that wide."""
    wide = max(columns, window)
    pruned = prune(answer)
    if pruned in (None, [], {}) or _lists_nothing(answer):
        return ["Nothing."]
    return _table(pruned, wide) or _listed(pruned, wide) or wrap(text_of(pruned), columns)


def _lists_nothing(answer: Any) -> bool:
    """Return whether an answer is an empty list with figures that say no more than that."""
    return isinstance(answer, dict) and [] in answer.values() and not any(answer.values())


def _listed(answer: Any, columns: int) -> list[str]:
    """Return an answer that is a list and some figures about it; nothing where it is none."""
    lists = [name for name, value in answer.items() if isinstance(value, list)] if isinstance(answer, dict) else []
    figures = {name: value for name, value in answer.items() if name not in lists} if lists else {}
    if len(lists) != 1 or any(isinstance(value, dict) or not _is_word(value) for value in figures.values()):
        return []
    rows = _table([_by_label(row) if isinstance(row, dict) else row for row in answer[lists[0]]], columns)
    told = [f"{name.replace('_', ' ')}: {_cell(value)}" for name, value in figures.items() if value not in (False, 0)]
    return [*rows, "", *wrap(", ".join(told), columns)] if rows and told else rows


def _by_label(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that calls each thing what a person calls it, where it says so."""
    return {name: row.get(f"{name}_label", value) for name, value in row.items() if not name.endswith("_label")}


def _table(answer: Any, columns: int) -> list[str]:
    """Return rows under their heads; nothing where these are no rows, or do not fit."""
    if not isinstance(answer, list) or not all(isinstance(row, dict) and _is_flat(row) for row in answer):
        return []
    names = [name for name in dict.fromkeys(name for row in answer for name in row) if _tells(answer, name)]
    if not names:
        return []
    rows = [[name.upper().replace("_", " ") for name in names]]
    rows += [[_cell(row.get(name)) for name in names] for row in answer]
    fitting = _fitting(rows, columns)
    if fitting < min(len(names), _FEWEST):
        return []
    shown = [row[:fitting] for row in rows]
    widths = _widths(shown)
    lines = table(shown, stretch=widths.index(max(widths)), columns=columns)
    left = ", ".join(name.lower() for name in rows[0][fitting:])
    return [*lines, "", *wrap(f"(--json tells {left} as well.)", columns)] if left else lines


def _fitting(rows: list[list[str]], columns: int) -> int:
    """Return how many of the first columns find room, the widest of them cut to what is left."""
    for count in range(len(rows[0]), 0, -1):
        widths = _widths([row[:count] for row in rows])
        room = columns - (sum(widths) - max(widths) + 2 * (count - 1))
        if room >= min(max(widths), _LEAST):
            return count
    return 0


def _widths(rows: list[list[str]]) -> list[int]:
    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def _is_flat(row: dict[str, Any]) -> bool:
    return all(all(map(_is_word, value)) if isinstance(value, list) else _is_word(value) for value in row.values())


def _is_word(value: object) -> bool:
    if isinstance(value, list):
        return False
    if isinstance(value, dict):
        return all(not isinstance(inner, (dict, list)) and _is_word(inner) for inner in value.values())
    return "\n" not in str(value)


def _tells(rows: list[dict[str, Any]], name: str) -> bool:
    return any(row.get(name) not in (None, False, 0, "") for row in rows)


def _cell(value: object) -> str:
    if value is None or value is False:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_cell(inner)}" for name, inner in value.items())
    text = one_line(str(value))
    if _TIME.fullmatch(text):
        return local(text)
    kind, _, uid = text.rpartition(":")
    return f"{kind}{':' if kind else ''}{short(uid)}" if _UID.fullmatch(uid) and kind in _KINDS else text
