"""A draft: what a rule found, before it is weighed, merged and cut to a candidate."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd.distill.size import size
from memd.distill.thread import Statement
from memd.model import Candidate, Evidence, FactKind, FactPart, Session

_MAX_TITLE: Final = 80
_MAX_BODY: Final = 700
_MAX_QUOTE: Final = 200
_MAX_QUOTES: Final = 4
_CELLS: Final = re.compile(r"(?<=\S) \| (?=\S)")
_SAYS_LITTLE: Final = 40  # characters of a title that needs what stands above it
_FRAGMENT: Final = 16  # of `size`: an opening that names nothing yet
_POINTS_BACK: Final = re.compile(
    r"(?:it|that|this|they|these|those)(?:'s|'re)?\s|(?:use|put|keep|set|make|run|call|send|store) (?:it|them)\b"
    r"|它|这样|那样",
    re.IGNORECASE,
)
_TORN: Final = re.compile(
    r"(?:not|nor|neither|which|because|to)\s|(?:不是|而是|因为)|" + _POINTS_BACK.pattern, re.IGNORECASE
)
_MARKS: Final = re.compile(r"\*\*|^#+\s*|^(?:[-*+•]|\d+[.)])\s+|^(?:\|\s*)+|(?:\s*\|)+$")
# "No, use tabs" opens with a word that adds nothing; "no unwrap" and "right-hand traffic" would mean something else.
_OPENERS: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|yes|yeah|yep|sure|agreed|right|good|great|and|so|but|also|btw|oh|hm+|well|nice|perfect|exactly"
    r"|cool|alright|please|sí|vale|venga|ja|gut|oui|da|lol|haha|actually)\b(?!-\w)[,.:!;\s—-]*|no[,.:!;—][,.:!;\s—-]*"
    r"|(?:(?:one|another|last|just one) (?:more |last |other |small |quick )?thing|wait|hold on|by the way|fyi|listen"
    r"|thanks?(?: you)?|one more)(?: please)?[,.:!;…—-][,.:!;…\s—-]*"
    r"|(?:好的?|行|对|嗯|可以|ok|对了|哦对?|顺便(?:说一?下|说一?句)?|另外|还有|等等|等一下|话说|补充一下|谢谢)[，,。、：:！\s]+)+",
    re.IGNORECASE,
)
# Of these nothing is lost even in the body, where "please" and "no," stay.
_CHATTER: Final = re.compile(
    r"^(?:[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\s]+"
    r"|(?:oh|ah|hm+|well|nice|cool|great|lol|haha|wait|hold on|listen|thanks?(?: you)?"
    r"|(?:just )?(?:one|another|last) (?:more |last |other |small |quick )?thing)"
    r"(?!-\w)[,.:!;…—-][,.:!;…\s—-]*|(?:oh|hm+|btw|by the way|fyi|lol|haha)\b(?!-\w)[,.:!;…\s—-]+"
    r"|also(?:[,:]\s*|\s+(?!it\b|this\b|that\b|they\b|because\b))"
    r"|(?:and|so)(?:[,:]\s*|\s+(?=(?:please|from now|always|never|don'?t|do not|no|use|stop|keep|make sure)\b))"
    r"|(?:对了|哦对?|顺便(?:说一?下|说一?句)?|等等|等一下|话说|补充一下|谢谢)[，,。、：:！\s]+)+",
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
    rule: str = ""
    """Which kind of rule found it."""
    context: str = ""
    """What stands above it and has to be read with it: a heading, the sentence that opens a list."""
    also: tuple[Statement, ...] = ()
    """Where the same is said again: evidence, not to be repeated."""

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
    told = draft.wording or plain(anchor.text)
    lead = _CHATTER.sub("", told) or told
    title = _title(draft, _OPENERS.sub("", lead) or lead)
    if draft.context and len(title) < _SAYS_LITTLE:
        title = f"{draft.context}: {title}"
    quoted = dict.fromkeys((anchor, *(one for one in draft.sources if one is not anchor), *draft.also))
    return Candidate(
        kind=draft.kind,
        title=shorten(title, _MAX_TITLE),
        body=shorten(_body(draft, lead), _MAX_BODY),
        parts=draft.parts,
        evidence=tuple(_evidence(one, session) for one in list(quoted)[:_MAX_QUOTES]),
        confidence=round(min(draft.confidence, 0.99), 2),
        at=anchor.message.at,
        everywhere=draft.everywhere,
        slot=draft.slot,
        tags=draft.tags,
    )


def _title(draft: Draft, opening: str) -> str:
    """Return what names a fact: the words that open it, or, where those are torn from their sense, what goes with them.

    "Not blue." says nothing without "use the brand colour" behind it, nor "it is signed" without what stands before.
    """
    if draft.wording or not (size(opening) < _FRAGMENT or _TORN.match(opening)):
        return opening
    here = [one for one in draft.sources if one.message is draft.anchor.message]
    elsewhere = [one for one in draft.support if one.message is not draft.anchor.message]
    if len(here) == 1 and elsewhere and draft.anchor.speaker == "user":
        return f"{opening} ({_bare(elsewhere[0])})"
    at = here.index(draft.anchor)
    if _POINTS_BACK.match(opening):
        before = plain(here[at - 1].text) if at else ""
        return _OPENERS.sub("", before) or before or opening
    behind = plain(here[at + 1].text) if at + 1 < len(here) else ""
    if not behind:
        return opening
    both = f"{opening} {behind}"
    return both if len(both) <= _MAX_TITLE or size(behind) < _SAYS_LITTLE else behind


def _body(draft: Draft, lead: str) -> str:
    """Return what was said with the anchor, as it reads there, and in parentheses what stands elsewhere."""
    anchor = draft.anchor
    here = [one for one in draft.sources if one.message is anchor.message]
    elsewhere = [_bare(one) for one in draft.sources if one.message is not anchor.message]
    said = [(lead if one is anchor else _bare(one), one.item or one.row) for one in here]
    body = said[0][0]
    for text, listed in said[1:]:
        body += ("; " if listed and not body.endswith((".", "。", ":", "：", "!", ";")) else " ") + text
    if draft.context:
        body = f"{draft.context}: {body}"
    return body + (f" ({'; '.join(elsewhere)})" if elsewhere else "")


def _bare(statement: Statement) -> str:
    """Return a sentence without the chatter that opens it."""
    text = plain(statement.text)
    return _CHATTER.sub("", text) or text


def _evidence(statement: Statement, session: Session) -> Evidence:
    return Evidence(statement.message.id, session.id, statement.text[:_MAX_QUOTE].rstrip(), statement.message.at)


def plain(text: str) -> str:
    """Return a sentence without Markdown's emphasis and list marks, on one line; code marks stay."""
    return _CELLS.sub(" — ", " ".join(_MARKS.sub("", text.strip()).split()))


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
