"""Reasons: the sentences around a statement that say why, and the alternatives it turns down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from memd.distill import cues
from memd.distill.thread import Statement, Thread

_MAX_REASONS: Final = 2
_BECAUSE: Final = re.compile(
    r"\b(?:because|since|cause|cuz|so that|otherwise|due to|porque|ya que|weil|denn|damit|parce que|sinon|perché"
    r"|потому что|çünkü|protože)\b\s+(?P<why>.{8,})"
    r"|(?:因为|由于)(?P<zh>[^，。；]{3,})|(?:否则|不然)(?P<else>[^。；]{3,})",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    r"(?:,? (?:and )?(?:not|never)|instead of|rather than|no longer|en vez de|en lugar de|statt|anstatt|au lieu de"
    r"|вместо)\s+(?:use |using |the |a |an )?(?P<what>`[^`]+`|[\w@/.:-]+(?: [\w@/.:-]+){0,2})"
    r"|(?:不要用|不用|别用|而不是|而非|不许用|撤回|放弃)\s*(?P<zh>`[^`]+`|[\w@/.:-]+|[\u3400-\u9fff]{2,8})",
    re.IGNORECASE,
)
# Where the name of a thing ends and the sentence goes on: "Postgres | for the tides".
_GOES_ON_WITH: Final = frozenset(
    "for in on at to of as by with from into because since so but and or when while if it its it's is are was that"
    " which where here there then now anymore please para por porque für im bei wegen pour dans sur".split()
)
_GOES_ON: Final = re.compile(
    r"^\W*(?:and|but|so|because|since|otherwise)\b.*\b(?:it|that|this|them)\b"
    r"|^\W*(?:[\w']+ ){0,3}(?:it|them)\b|.*\b(?:no[- ]go|is why)\b",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"^(?:please |now |then |and |ok,? |so )*(?:run|add|fix|make|write|show|check|commit|push|do|try|measure|test"
    r"|look|tell|give|find|create|update|move|rename|delete|implement|refactor|profile|explain|go|start|build"
    r"|deploy)\b",
    re.IGNORECASE,
)


def reasons_after(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return the sentences right after a statement that explain it: they assert, and ask or order nothing."""
    found: list[Statement] = []
    for later in thread.following(statement):
        if len(found) == _MAX_REASONS or not explains(later.text):
            break
        found.append(later)
    return tuple(found)


def explains(text: str) -> bool:
    """Return whether a sentence goes on with the one before it: it asserts, or says "it" or "and" of the same thing.

    A question, an order and a rule of its own do not.
    """
    if len(text) < 8 or cues.QUESTION.search(text):
        return False
    if goes_on(text):
        return True
    return not (
        is_order(text)
        or cues.PLAN.match(text)
        or cues.STANDING.search(text)
        or cues.USE_X_NOT_Y.search(text)
        or cues.REVERSAL.match(text)
    )


def is_order(text: str) -> bool:
    """Return whether a sentence opens with something to do ("add a column", "now run it")."""
    return _ORDER.match(text) is not None


def goes_on(text: str) -> bool:
    """Return whether a sentence says "it" or "and" of what the one before it names, and names nothing itself."""
    return _GOES_ON.match(text) is not None and not cues.IDENTIFIER.search(text)


def because(statement: Statement, support: tuple[Statement, ...]) -> str | None:
    """Return why, in the speaker's words: the clause after "because", or else the sentence that explains."""
    match = _BECAUSE.search(statement.text)
    if match is not None:
        return next(group for group in (match["why"], match["zh"], match["else"]) if group).strip()
    return support[0].text if support else None


def rejected(text: str) -> Iterator[str]:
    """Yield what a sentence turns down: what follows "not", "instead of", 不要用."""
    for match in _NOT.finditer(text):
        words = (match["what"] or match["zh"]).split(" ")
        named = takewhile(lambda word: word.casefold() not in _GOES_ON_WITH, words)
        what = " ".join(named).strip("`.,;: ")
        if len(what) > 1:
            yield what
