"""Reasons: the sentences around a statement that say why, and the alternatives it turns down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.size import size
from memd.distill.thread import Statement, Thread

_MAX_REASONS: Final = 2
_BECAUSE: Final = re.compile(
    r"\b(?:because|since|cause|cuz|so that|otherwise|due to|porque|ya que|weil|denn|damit|parce que|sinon|perché"
    r"|потому что|çünkü|protože)\b\s+(?P<why>.{8,})"
    r"|(?:因为|由于)(?P<zh>[^，。；]{3,})|(?:否则|不然)(?P<else>[^。；]{3,})",
    re.IGNORECASE,
)
_NOT: Final = re.compile(
    # "must not switch" turns nothing down.
    r"(?:(?<!\blets)(?<!\blet's)(?<!\bmust)(?<!\bshould)(?<!\bshall)(?<!\bmay)(?<!\bmight)(?<!\bcan)(?<!\bcould)(?<!\bwill)(?<!\bwould)"
    r"(?<!\bdo)(?<!\bdoes)(?<!\bdid)(?<!\bhas)(?<!\bhave)(?<!\bhad)(?<!\bneed)"
    r",? (?:and )?(?:not|never)|instead of|rather than|no longer|en vez de|en lugar de|statt|anstatt|au lieu de"
    r"|вместо)\s+(?:use |using |the |a |an )?(?P<what>`[^`]+`|[\w@/.:-]+(?: [\w@/.:-]+){0,2})"
    r"|(?:不要用|不用|别用|而不是|而非|不许用|撤回|放弃|(?<!被)(?:代替|取代)[掉了]?)\s*(?P<zh>`[^`]+`|[\w@/.:-]+|[\u3400-\u9fff]{2,8})",
    re.IGNORECASE,
)
_UNLESS: Final = re.compile(
    r"[^.;!?]{0,60}\b(?:without|unless|until|before|except)\b|[^。；！？]{0,30}(?:除非|之前)", re.IGNORECASE
)
# Where the name of a thing ends and the sentence goes on: "Postgres | for the tides".
_GOES_ON_WITH: Final = frozenset(
    "for in on at to of as by with from into because since so but and or when while if it its it's is are was that"
    " which where here there then now anymore please para por porque für im bei wegen pour dans sur".split()
)
# "Use A instead of B: that wears out": what a colon or a dash sets off from a choice, and what makes it one.
_SET_OFF: Final = re.compile(r"(?<=[\w`)\"'])(?::\s+|\s*：\s*|\s+[–—-]{1,2}\s+|——)(?P<why>\S.{5,})$")
_LEAST_SET_OFF: Final = 12  # of `size`
_TAKES: Final = Cue(
    r"\b(?:instead of|rather than|let'?s (?:use|go with|take|stay|keep|stick|drop|switch)|go(?:ing)? with"
    r"|stick(?:ing)? (?:with|to)|stay(?:ing)? (?:on|with)|switch(?:ing)? to|we(?:'ll| will)? (?:use|take|chose|choose"
    r"|decided (?:on|to|for|against)))\s+\S.*\w\W*$",
    r"(?:就用|改用|换成|采用|选用|代替|决定用|还是用|选)\s*\S",
)
_ANNOUNCES: Final = re.compile(r"\b(?:following|this|these|that|it|way|so|rules?|steps?|things?)\W*$", re.IGNORECASE)
_TELLS_TO: Final = (
    r"^\W*(?:please |always |just |only )*(?:use|keep|put|write|store|call|name|prefer)\b|^\W*(?:用|放|写|存)"
)
_ORDERS: Final = re.compile(_TELLS_TO, re.IGNORECASE)
_LAYS_DOWN: Final = re.compile(_TELLS_TO + r"|^\W*(?:never|no|all|every|each)\b|^\W*(?:都|所有|每)", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"^\W*(?:and|but|so|because|since|otherwise)\b.*\b(?:it|that|this|them)\b"
    r"|^\W*(?:[\w']+ ){0,3}(?:it|them)\b|.*\b(?:no[- ]go|is why)\b",
    re.IGNORECASE,
)
# "Also, the retries: make it 5" opens another matter than the sentence before it.
_ANOTHER_MATTER: Final = re.compile(
    r"^\W*(?:and |oh,? )?(?:also(?:,|:| (?!it\b|this\b|that\b|they\b|because\b))|btw\b|by the way\b"
    r"|(?:another|one more|last|next) thing\b|separately\b|unrelated\b)"
    r"|^\W*(?:另外|还有(?:一[个件点])?[，,：:]|顺便|对了|ちなみに|それと|그리고 또)"
    r"|^\W*(?:außerdem|übrigens|por cierto|au fait)\b",
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
    if len(text) < 8 or cues.QUESTION.search(text) or opens_another_matter(text):
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


def opens_another_matter(text: str) -> bool:
    """Return whether a sentence says that it is about something else than the one before it ("btw, ...", 另外)."""
    return _ANOTHER_MATTER.match(text) is not None


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
    if (set_off := reason_set_off(statement.text)) is not None:
        return set_off[1]
    return support[0].text if support and not _ORDERS.match(support[0].text) else None


def reason_set_off(text: str) -> tuple[str, str] | None:
    """Return a choice and the reason that a colon or a dash sets off from it ("use A instead of B: that wears out").

    None where what is set off is a choice, an order or a rule itself, or what the words before it only announce.
    """
    match = _SET_OFF.search(text)
    if match is None:
        return None
    choice, why = text[: match.start()], match["why"].strip()
    if (
        size(why) < _LEAST_SET_OFF
        or not _TAKES.search(choice)
        or _ANNOUNCES.search(choice)
        or _LAYS_DOWN.match(why)
        or is_order(why)
    ):
        return None
    wants = (cues.STRONG_CHOICE.search(why), cues.STANDING.match(why), cues.NEGATED_ORDER.match(why))
    return None if any(wants) else (choice, why)


def rejected(text: str) -> Iterator[str]:
    """Yield what a sentence turns down: what follows "not", "instead of", 不要用."""
    for match in _NOT.finditer(text):
        words = (match["what"] or match["zh"]).split(" ")
        ended = next((at for at, word in enumerate(words, 1) if word.endswith((":", "."))), len(words))
        named = takewhile(lambda word: word.casefold() not in _GOES_ON_WITH, words[:ended])
        what = " ".join(named).strip("`.,;: ")
        # "Never touch legacy/ without asking" turns down nothing but doing so unasked.
        if len(what) > 1 and not _UNLESS.match(text, match.start("what") if match["what"] else match.start("zh")):
            yield what
