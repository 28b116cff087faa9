"""Passages: what was said in an earlier session, word for word, where no fact answers a prompt.

Distillation keeps what is worth a fact; a question may be about what it let go. A passage has to fit better than a fact
would have to, because it was not weighed by anything before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from memd.clock import local_day
from memd.distill import cues
from memd.inject.framing import harmless, shorten
from memd.model import Message
from memd.recall.relevance import PASSAGE_FLOOR, Asked, Corpus, Known, compare, likelihood
from memd.store import messages, surroundings
from memd.store.facts import Connection
from memd.text.sentences import sentences
from memd.text.tokens import terms

_TOKENS: Final = 70
_NAME_CHARS: Final = 60
_LOOKED_AT: Final = 4_000
"""Characters of a message that are looked at."""
_LEAST_CHARS: Final = 20
_SO: Final = re.compile(r",? so (?!far|much|many)|\btherefore\b|所以|因此|导致", re.IGNORECASE)
_DID: Final = re.compile(
    r"\bI (?:have |also )?[a-z]+ed\b|\bnow\b(?! (?:let|i)\b)(?<!\bright now)|\bno longer\b|改成|换成|已经"
    r"|\b(?:ahora|agora|maintenant|jetzt|теперь) (?!voy|vou|je\b|ich\b|я\b)"
    r"|(?:^|[.!] )(?-i:[A-Z][a-z]+ed) (?:it|them|the|that|this|to|by|a|an)\b",
    re.IGNORECASE,
)
_INSTEAD: Final = re.compile(r"\binstead of\b|\brather than\b|而不是", re.IGNORECASE)
_LEAST_TOLD: Final = 1.5
"""What a reply's best sentences have to tell to be taken for what came of a prompt: a cause or a fix."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One or two sentences of a message that fit a prompt, and how well."""

    message: Message
    text: str
    score: float

    @property
    def name(self) -> str:
        """What it is called in the ledger: its beginning, in quotation marks."""
        return f"“{' '.join(self.text.split())[:_NAME_CHARS]}”"

    @property
    def asks(self) -> bool:
        """Whether the user only asks in it, whatever he says besides."""
        return self.message.role == "user" and any(mark in self.text for mark in "?？")

    @property
    def line(self) -> str:
        """The passage as one list item, with who said it and when."""
        who = "The user" if self.message.role == "user" else "The agent"
        day = f" on {local_day(self.message.at)}" if self.message.at is not None else ""
        said = shorten(harmless(" ".join(self.text.split())), _TOKENS)
        return f"- {who} said{day}: “{said}”"


def find(
    conn: Connection, asked: Asked, corpus: Corpus, rows: Iterable[int], *, besides: int | None, most: int
) -> tuple[Passage, ...]:
    """Return the best passages of messages (row ids), at most `most`, () when none fits well enough.

    `besides` is the row id of the session that asks: what was said in it is before it already.
    """
    loaded = messages.by_ids(conn, rows)
    said = {
        row: message
        for row, (session, message) in loaded.items()
        if session != besides and not message.abandoned and message.kind in ("prompt", "reply")
    }
    around = surroundings.before(conn, said)
    found: dict[str, Passage] = {}
    for row, message in said.items():
        for text in _windows(message.text[:_LOOKED_AT]):
            if len(text) < _LEAST_CHARS or _asks_only(text):
                continue
            figures, shared = compare(asked, Known.of_text(text, around.get(row, "")), corpus)
            score = likelihood(figures)
            if shared and score >= PASSAGE_FLOOR and score > _score(found.get(message.key)):
                found[message.key] = Passage(message, text, score)
    concluded = conclusions(conn, [one.message.id for one in found.values()])
    # What somebody asked or reported helps less than what came of it.
    told = [replace(concluded.get(one.message.id, one), score=one.score) for one in found.values()]
    best = sorted(told, key=lambda one: (-round(one.score, 2), -(one.message.at or 0)))
    return tuple(_distinct(best))[:most]


def conclusions(conn: Connection, prompts: Iterable[int]) -> dict[int, Passage]:
    """Return, by row id of a prompt, what the agent came to before the next one: the sentences that tell cause or fix.

    A prompt that nothing was found out about has none.
    """
    answered = surroundings.replies(conn, prompts)
    loaded = messages.by_ids(conn, {row for rows in answered.values() for row in rows})
    found = {}
    for prompt, rows in answered.items():
        told = ((loaded[row][1], text) for row in rows for text in _windows(loaded[row][1].text[:_LOOKED_AT]))
        message, text = max(told, key=lambda one: _tells(one[1]), default=(None, ""))
        if message is not None and _tells(text) >= _LEAST_TOLD:
            found[prompt] = Passage(message, text, 0.0)
    return found


def _tells(text: str) -> float:
    """Return how much a text tells of a cause or a fix."""
    if cues.PLAN.match(text) or cues.PROPOSAL.search(text) or cues.QUESTION.search(text):
        return 0.0
    told = 2.0 * bool(cues.CAUSE.search(text)) + 1.5 * bool(cues.FIX.search(text)) + bool(cues.BECAUSE.search(text))
    told += bool(_SO.search(text)) + bool(_DID.search(text))
    return told + 0.5 * (bool(cues.IDENTIFIER.search(text)) + bool(_INSTEAD.search(text))) if told else 0.0


def _windows(text: str) -> Iterator[str]:
    """Yield the sentences of a text, and each two that follow one another."""
    said = [one.text.strip() for one in sentences(text) if one.kind in ("prose", "item", "heading")]
    yield from said
    yield from (f"{one} {other}" for one, other in pairwise(said))


def _asks_only(text: str) -> bool:
    return text.rstrip().endswith(("?", "？"))


def _score(passage: Passage | None) -> float:
    return 0.0 if passage is None else passage.score


def _distinct(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Leave out what says the same as a better one."""
    kept: list[frozenset[str]] = []
    for passage in passages:
        own = frozenset(terms(passage.text))
        if not any(len(own & other) > 0.6 * min(len(own), len(other)) for other in kept):
            kept.append(own)
            yield passage
