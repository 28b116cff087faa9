"""Restating: what the model says of something once more, later in the session, takes the place of what it said before.

A second look at the same thing is told by its name: the later sentence opens with words of the earlier one, and they
name a thing of the work ("removing the final `id DESC`"). In any language that puts blanks between words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import plain
from memd.distill.passages import Passage
from memd.distill.thread import Statement

_WORDS: Final = 4  # that two sentences about different things do not share where one of them begins
_FEWEST: Final = 2  # of them that are no names
_WORD: Final = re.compile(r"[^\W_]+(?:[_.-][^\W_]+)*")
_CJK: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
# "Important — `tests/tides.py:12`: removing ..." is labelled; what it says begins behind that.
_LABELLED: Final = re.compile(r"^[^:：]{0,80}?[:：](?:\d+[`:]*)?\s+(?=\w)")


def restated(passages: tuple[Passage, ...]) -> dict[Passage, Passage]:
    """Return the model's passages whose subject it takes up again in a later exchange, each with the last such one."""
    own = [one for one in passages if one.anchor.speaker == "assistant" and not _CJK.search(one.anchor.text)]
    if not own or own[0].anchor.exchange == own[-1].anchor.exchange:
        return {}
    openings = {phrase: one for one in own for said in one.statements for phrase in _opening(said)}
    found: dict[Passage, Passage] = {}
    for one in own:
        later = [again for phrase in _phrases(one.text) if (again := openings.get(phrase)) is not None]
        last = max(later, key=lambda again: again.anchor.order, default=one)
        if last.anchor.exchange > one.anchor.exchange and last.text != one.text:
            found[one] = last
    return found


def _opening(said: Statement) -> Iterator[tuple[str, ...]]:
    """Yield the words that a sentence opens with, where they name a thing of the work."""
    text = _LABELLED.sub("", plain(said.text))
    first = [match for match, _ in zip(_WORD.finditer(text), range(_WORDS), strict=False)]
    if len(first) < _WORDS:
        return
    words = tuple(match[0].lower() for match in first)
    named = (found[0] for found in cues.IDENTIFIER.finditer(text) if found.start() < first[-1].end())
    names = {match[0].lower() for name in named for match in _WORD.finditer(name)}
    if names.intersection(words) and sum(word not in names for word in words) >= _FEWEST:
        yield words


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    words = [match[0].lower() for match in _WORD.finditer(text)]
    yield from zip(words, words[1:], words[2:], words[3:], strict=False)
