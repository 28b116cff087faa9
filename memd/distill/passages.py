"""Passages: what a message says, in the pieces its writer gave it: a list item, a table row, a short paragraph.

A sentence torn from its list item or paragraph often says nothing; a passage is the smallest piece that was written to
be read by itself. It keeps the heading above it and the sentence that opens its list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.thread import Statement, Thread

_MAX_CHARS: Final = 420
_MAX_SENTENCES: Final = 4
_REDACTED: Final = re.compile(r"[=:]\s*\S*\[redacted:")  # an assignment that held a secret tells nothing without it
_SPECULATES: Final = re.compile(
    r"\b(?:if (?:we|i|it|they) ever|some ?day|one day|in theory|what if|hypothetically|si algún día|si un jour"
    r"|falls wir|если когда-нибудь|якщо колись)\b|(?:万一|要是以后|如果以后|假如)|(?:もしいつか|언젠가)",
    re.IGNORECASE,
)
# What somebody thought turned out otherwise, and what they try is not settled yet.
_MISTOOK: Final = Cue(
    r"\bi (?:thought|assumed|had assumed|believed|was under the impression)\b",
    r"(?:我(?:还|原本|本来)?以为|原以为)|と思ってた|と思っていた|(?:ㄴ|은|는) 줄 알았",
    r"\b(?:pensé|creía|creí|je pensais|je croyais|ich dachte|pensavo|achei|pensei|sanmıştım|sanıyordum|myslel jsem"
    r"|myślałem|jeg troede)\b",
    r"\b(?:я думал\w*|я считал\w*|думала|гадав|я вважа\w*)\b",
)
_TRIES: Final = Cue(
    r"^\W*(?:ok(?:ay)?,? |then |so |and |now )*(?:let'?s |let me |maybe |please |can we |could we )?try\b"
    r"|\b(?:i'?d like to|i want to|wanna|let'?s) (?:try|experiment|test)\b|\btry\b[^.]*\?",
    r"(?:我?想试|试一?[下试]|要不试)|試してみ|해 ?보[자고]",
    r"\b(?:prueba|probemos|essaie|essayons|versuch|probier|deneyelim|zkusme|zkus|spróbuj)\b",
    r"\b(?:попробу\w+|спробу\w+)\b",
)
_OFFERS: Final = re.compile(
    r"\bwould be an? (?:alternative|option)\b|^\W*(?:options?|alternatives?)(?: for [^:]{1,40})?:|^\W*alternatively\b"
    r"|\banother (?:option|way|approach)\b|\bwould help (?:to )?(?:identify|with|you)\b",
    re.IGNORECASE,
)
# What a page or a file wants of its readers is nobody's wish here, and what the model ignored even less.
_REPORTS_ORDERS: Final = re.compile(
    r"\b(?:tells?|told|instructs?|instructed|asks?|asked|wants?|urges?|orders?)\s+"
    r"(?:ai |coding |the |any |all )*"
    r"(?:agents?|assistants?|ais?|models?|llms?|readers?|contributors?|me|us)\b"
    r"|\b(?:injected|injection|embedded instructions?)\b"
    r"|\b(?:did not|didn't|won't|will not|not) follow(?:ing)? (?:that|it|them|those|the)\b|\bwhich i ignored\b"
    r"|提示注入|注入的指令|忽略了",
    re.IGNORECASE,
)
_SHORT_NARRATION: Final = 60
_OPENS_LIST: Final = re.compile(r"[:：]\W*$")


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Some statements of one block of one message, in order, with what stands above them."""

    statements: tuple[Statement, ...]
    heading: str
    """The heading above it, without marks; "" for none."""
    opening: Statement | None
    """The sentence ending in a colon that opens the list it is an item of."""
    number: int
    """Its place among the passages of its message, counted from 0."""
    total: int
    """How many passages the message has."""

    @property
    def anchor(self) -> Statement:
        """Its first statement."""
        return self.statements[0]

    @property
    def only_opens(self) -> bool:
        """Whether it says nothing but what is to come: every sentence ends in a colon."""
        return all(_OPENS_LIST.search(one.text) for one in self.statements)

    @property
    def text(self) -> str:
        """What it says, on one line."""
        return " ".join(one.text for one in self.statements)


def passages(thread: Thread) -> tuple[Passage, ...]:
    """Return the passages of a session in order; what only asks, plans or narrates is left out of the model's."""
    return tuple(passage for position in sorted(thread.by_message) for passage in _of_message(thread, position))


def _tells(statement: Statement) -> bool:
    text = statement.text
    if _REDACTED.search(text) or _SPECULATES.search(text):
        return False
    if statement.speaker == "user":
        return not (_MISTOOK.search(text) or _TRIES.search(text) or _only_asks(text))
    return not (
        _OFFERS.search(text)
        or cues.HEDGED_CAUSE.search(text)
        or cues.QUESTION.search(text)
        or _REPORTS_ORDERS.search(text)
        or cues.PLAN.match(text)
        or (len(text) < _SHORT_NARRATION and cues.NARRATION.match(text))
    )


def _only_asks(text: str) -> bool:
    """Return whether a person's sentence asks and does not want anything at the same time ("should not be, right?")."""
    wants = cues.NEGATED_ORDER.search(text) or cues.STANDING.search(text)
    return cues.QUESTION.search(text) is not None and not wants


def _of_message(thread: Thread, position: int) -> Iterator[Passage]:
    blocks = list(_blocks(thread.by_message[position]))
    opening: Statement | None = None
    for number, block in enumerate(blocks):
        first = block[0]
        if not first.item:
            opening = None
        if telling := tuple(one for one in block if _tells(one)):
            yield Passage(telling, first.heading, opening, number, len(blocks))
        if not first.item and _OPENS_LIST.search(block[-1].text):
            opening = block[-1]


def _blocks(said: tuple[Statement, ...]) -> Iterator[list[Statement]]:
    """Yield the statements of each block, a long block in several pieces."""
    block: list[Statement] = []
    size = 0
    for one in said:
        if block and (one.block != block[0].block or size + len(one.text) > _MAX_CHARS or len(block) == _MAX_SENTENCES):
            yield block
            block, size = [], 0
        block.append(one)
        size += len(one.text)
    if block:
        yield block
