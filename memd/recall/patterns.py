"""Patterns: regular expressions over texts, in a worker process, because some run for ever."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

TASK: Final = "memd.recall.patterns:matching"
LITERAL_TASK: Final = "memd.recall.patterns:literal_in"
LONGEST: Final = 1_000
"""Characters of a pattern: reading one takes time as well, the more the longer it is."""
_FLAGS: Final = re.IGNORECASE | re.MULTILINE


@dataclass(frozen=True, slots=True)
class PatternRequest:
    """A pattern and the texts to look through, by row id."""

    pattern: str
    texts: dict[int, str]


def matching(request: PatternRequest) -> dict[int, str]:
    """Return what the pattern finds first in each text, by row id."""
    pattern = re.compile(request.pattern, _FLAGS)
    found = {}
    for row, text in request.texts.items():
        match = pattern.search(text)
        if match is not None:
            found[row] = match.group()
    return found


def literal_in(pattern: str) -> str | None:
    """Return the longest run of letters that every match holds, "" when there is none; None for what is no pattern."""
    try:
        parsed: Any = re._parser.parse(pattern, _FLAGS)  # type: ignore[attr-defined]  # noqa: SLF001
        re.compile(pattern, _FLAGS)
    except (re.error, RecursionError, OverflowError):
        return None
    runs, run = [], ""
    for kind, value in parsed:
        if str(kind) == "LITERAL":
            run += chr(value)
            continue
        runs.append(run)
        run = ""
    return max([*runs, run], key=len)
