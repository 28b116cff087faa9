"""A draft: what a rule found, before it is weighed, merged and cut to a candidate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd.distill.thread import Statement
from memd.model import Candidate, Evidence, FactKind, FactPart, Session

_MAX_TITLE: Final = 80
_MAX_BODY: Final = 700
_MAX_QUOTE: Final = 200
_MAX_QUOTES: Final = 4
_MARKS: Final = re.compile(r"\*\*|^#+\s*|^(?:[-*+•]|\d+[.)])\s+")
# "No, use tabs" opens with a word that adds nothing; "no unwrap" and "right-hand traffic" would mean something else.
_OPENERS: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|agreed|right|good|great|and|so|but|also|btw|oh|hm+|well|nice|perfect|exactly"
    r"|cool|alright|please|sí|vale|venga|ja|gut|oui|da)\b(?!-\w)[,.:!;\s—-]*|no[,.:!;—][,.:!;\s—-]*"
    r"|(?:好的?|行|对|嗯|可以|ok)[，,。、\s]+)+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rule found: the sentence that says it, those that explain it, and how sure the rule is (0 to 1)."""

    kind: FactKind
    anchor: Statement
    confidence: float
    support: tuple[Statement, ...] = ()
    parts: tuple[FactPart, ...] = ()
    everywhere: bool = False
    slot: str | None = None
    tags: tuple[str, ...] = ()
    wording: str | None = None
    """How to say it, where the anchor's own words are no sentence (an answer to a question, a command line)."""

    @property
    def sources(self) -> tuple[Statement, ...]:
        """The anchor and its support in the order they were said."""
        return tuple(sorted({self.anchor, *self.support}, key=lambda one: one.order))

    @property
    def text(self) -> str:
        """All that the draft says, in the words of the session."""
        return " ".join((*([self.wording] if self.wording else ()), *(plain(one.text) for one in self.sources)))


def candidate(draft: Draft, session: Session) -> Candidate:
    """Return the candidate that a draft stands for."""
    anchor = draft.anchor
    lead = [draft.wording or plain(anchor.text)]
    rest = [plain(one.text) for one in draft.sources if one is not anchor]
    body = " ".join([*lead, *rest]) if _reads_on(draft) else lead[0] + (f" ({'; '.join(rest)})" if rest else "")
    return Candidate(
        kind=draft.kind,
        title=shorten(_OPENERS.sub("", lead[0]) or lead[0], _MAX_TITLE),
        body=shorten(body, _MAX_BODY),
        parts=draft.parts,
        evidence=tuple(
            _evidence(one, session)
            for one in (anchor, *(one for one in draft.sources if one is not anchor))[:_MAX_QUOTES]
        ),
        confidence=round(min(draft.confidence, 0.99), 2),
        at=anchor.message.at,
        everywhere=draft.everywhere,
        slot=draft.slot,
        tags=draft.tags,
    )


def _reads_on(draft: Draft) -> bool:
    return all(one.message is draft.anchor.message and one.order > draft.anchor.order for one in draft.support)


def _evidence(statement: Statement, session: Session) -> Evidence:
    return Evidence(statement.message.id, session.id, statement.text[:_MAX_QUOTE].rstrip(), statement.message.at)


def plain(text: str) -> str:
    """Return a sentence without Markdown's emphasis and list marks, on one line; code marks stay."""
    return " ".join(_MARKS.sub("", text.strip()).split())


def shorten(text: str, limit: int) -> str:
    """Return the text cut to at most `limit` characters, at a clause or a word, with an ellipsis."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    for mark in ("; ", ": ", " — ", ", ", "；", "，", "：", " ("):
        at = head.rfind(mark)
        if at > limit // 2:
            return head[:at].rstrip(" ,;:，；：—(") + "…"
    at = head.rfind(" ")
    return (head[:at] if at > limit // 2 else head).rstrip() + "…"
