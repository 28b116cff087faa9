"""Amending: a short order that says of a thing just spoken of how it shall be instead ("make that per API key").

It says nothing by itself. What it amends is the sentence with the same word before it ("rate limit per IP"); told is
that sentence with the new words in the old ones' place, and the old one holds no longer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.distill.draft import Draft, plain
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

CONFIDENCE: Final = 0.7
_LONGEST: Final = 90  # characters of such an order
_LONGEST_AMENDED: Final = 240
_ENDS: Final = (
    r"(?=\s*(?:[,.;:!?)，。；]|$)|\s+(?:and|or|but|with|for|of|to|in|on|at|by|is|are|so|then|when|if|that)\b)"
)
_ORDER: Final = re.compile(
    r"^\W*(?:(?:no|ok(?:ay)?|wait|actually|hm+|and|please|sorry|yes|but)\W+)*(?:make|change|do|have|turn|switch|set|count"
    r"|run|put|store|keep|save|send|write|log|move) (?:it|that|this|them|those)(?: be| to| into)? "
    r"(?P<how>(?P<word>per|every|each|by|in|on|with|as|for|at|via|over|through) [\w`./+#-]+(?: [\w`./+#-]+){0,3}?)"
    r"(?P<turns>(?:,? (?:instead|rather|not [^,.;]{1,30}))*)(?:,? (?:please|then))*"
    r"(?:\s*[,;:–—-]\s*(?P<why>[^\n]{2,80}?))?\W*$"
    r"|^\W*(?:(?:不|还是|等等)[，,\s]*)?(?:改成|改为|换成)\s*"
    r"(?P<zh>(?P<zhword>按|每)\s*[^，。；！？\n]{1,20}?)(?:吧|来)?\W*$",
    re.IGNORECASE,
)
# With these a word alone tells what is amended; with the others it has to be said that it shall be otherwise.
_TELLING: Final = frozenset(("per", "every", "each", "by", "按", "每"))


@dataclass(frozen=True, slots=True)
class Amended:
    """An order, the sentence that it amends, and how that reads now; `former` are the words that it replaces."""

    order: Statement
    before: Statement
    now: str
    former: str


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was amended, as it is wanted now."""
    for one in _amended(thread):
        parts = (FactPart("decided", one.now), FactPart("rejected", one.former))
        yield Draft("decision", one.order, CONFIDENCE, parts=parts, tags=("reversal",), wording=one.now)


def amended(thread: Thread) -> frozenset[Statement]:
    """Return what was said, up to the order, in the words that an order replaced."""
    found: set[Statement] = set()
    for one in _amended(thread):
        found.update(
            said
            for said in thread.statements
            if said.exchange == one.before.exchange and one.former.lower() in said.text.lower()
        )
    return frozenset(found)


def _amended(thread: Thread) -> Iterator[Amended]:
    for order in thread.statements:
        match = _ORDER.match(order.text) if order.speaker == "user" and len(order.text) <= _LONGEST else None
        if match is None or order.exchange == 0:
            continue
        how, word = match["how"] or match["zh"], match["word"] or match["zhword"]
        if word.lower() not in _TELLING and not match["turns"]:
            continue
        said = [one for one in thread.statements if one.exchange == order.exchange - 1]
        for before in (*(one for one in said if one.speaker == "user"), *reversed(said)):
            spans = [one.span() for one in _phrase(word).finditer(before.text)]
            if len(spans) == 1 and len(before.text) <= _LONGEST_AMENDED:
                (first, last), text = spans[0], before.text
                why = f" ({match['why']})" if match["why"] else ""
                now = plain(f"{text[:first]}{how.strip()}{text[last:]}{why}")
                yield Amended(order, before, now, text[first:last])
                break


def _phrase(word: str) -> re.Pattern[str]:
    if not word.isascii():
        return re.compile(rf"{word}\s*(?:[A-Za-z][\w.-]*|[\u3400-\u9fff]{{1,6}})")
    name = r"(?:(?:the|a|an|each)\s+)?[\w`./+#-]+"
    return re.compile(rf"\b{word}\s+{name}(?:\s+[\w`./+#-]+)??{_ENDS}", re.IGNORECASE)
