"""Respelling: a word of a question that is nowhere is read as those one letter away.

Most words that no message holds are spelled well; they are just nowhere. So where the question has other words that
were found, only what looks like a slip of the hand is read otherwise: "databse", but not "writing" as "white".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memd.recall.question import Question
from memd.store import spelling
from memd.store.facts import Connection

_TYPED: Final = 8
"""Things asked for above which a question was not typed: a pasted text has many words of its own."""
_MISTYPED: Final = 2
_ONE_WORD: Final = re.compile(r'"([a-z]{5,})"', re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Respelled:
    """A question in which words were read otherwise, and as what."""

    question: Question
    read_as: Mapping[str, tuple[str, ...]]


def respelled(conn: Connection, question: Question, lacking: Sequence[int]) -> Respelled | None:
    """Return the question with words that are in no message replaced by those one letter away, None without such.

    `lacking` are the things asked for, by number, that no message holds.
    """
    things = list(question.things)
    if len(things) > _TYPED:
        return None
    read_as: dict[str, tuple[str, ...]] = {}
    for number in lacking[:_MISTYPED]:
        word = _ONE_WORD.fullmatch(things[number][0]) if len(things[number]) == 1 else None
        if word is None:
            continue
        alike = spelling.alike(conn, word.group(1), only_slips=len(lacking) < len(things))
        if alike:
            things[number] = tuple(f'"{other}"' for other in alike)
            read_as[word.group(1)] = alike
    return Respelled(replace(question, things=tuple(things)), read_as) if read_as else None
