"""Chosen: whether a word of a statement is the thing that it takes, or only one that it speaks of.

"The menu shows lunch at noon" does not choose lunch, and who says to forget about lunch ends nothing of it. What is
chosen stands behind a verb of taking or a preposition, or opens the statement.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_REMEMBERED: Final = 1024
_LONGEST: Final = 2000  # characters of a text in which it says what it takes
_TAKES: Final = (
    r"use|uses|using|used|prefer|take|keep|keeps|choose|chose|pick|picked|run|runs|call|add|adds|want|have|put|install|adopt"
    r"|pin|go|store|stores|draw|drawn|serve|cache|write|send|log|ship|no|with|over|in|on|off|to|via|through|into|by|from|at|as"
    r"|called|named|is|are|be|behind|under|for|of|instead|than|not|and|or|plus"
)


def is_chosen(word: str, text: str) -> bool:
    """Return whether a text (in lower case) takes the thing that a word of it names.

    Texts of a script without blanks do not tell; a word of it counts as chosen.
    """
    return not word.isascii() or _pattern(word).search(text, 0, _LONGEST) is not None


@lru_cache(maxsize=_REMEMBERED)
def _pattern(word: str) -> re.Pattern[str]:
    name = re.escape(word)
    return re.compile(
        rf"(?:^\W*(?:ok(?:ay)?\W+|yes\W+|so\W+|and\W+|let's\W+|the\s+|our\s+)*|[:：,;.]\s+|[\u3400-\u9fff]\s*"
        rf"|\b(?:{_TAKES})\s+)"
        rf"(?:(?:the|a|an|our|my|your|all|only|just|plain|own|new|old|local|same|one|single|more|every)\s+|[`'\"*(]+)*"
        rf"(?:[\w./+-]{{1,40}}\s+)?[`'\"*(]*{name}(?![\w/@-])"
    )
