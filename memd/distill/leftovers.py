"""Leftovers: questions that stayed open and work that stayed undone at the end of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.size import size
from memd.distill.thread import Statement, Thread

_LAST_EXCHANGES: Final = 3
_LABEL: Final = re.compile(
    r"^\W*(?:open|todo|to do|left|leftover|remaining|pending|still open|not done|one leftover"
    r"|还没做|待办|未完成|遗留|待定|下一步"
    r"|pendiente|offen|à faire)\b[^:：]{0,25}[:：]",
    re.IGNORECASE,
)
_LATER: Final = re.compile(
    r"\b(?:later|tomorrow|next (?:week|time|session|sprint)|on (?:mon|tues|wednes|thurs|fri)day|another day"
    r"|at some (?:point|stage)|not (?:now|today)|leave (?:it|that|this) (?:open|for (?:now|later))"
    r"|(?:don'?t|dont) know yet|before the .{0,20}(?:release|rollout|launch))\b"
    r"|(?:下周|明天|以后再|下次|回头再|改天|明日|来週|あとで|後で|次回|내일|나중에|다음에)"
    r"|\b(?:el lunes|mañana|más tarde|otro día|morgen|später|ein andermal|demain|plus tard|une autre fois|domani"
    r"|più tardi|amanhã|mais tarde|позже|потом|завтра|пізніше|jutro|później|zítra|později|yarın|daha sonra)\b",
    re.IGNORECASE,
)
_PUT_OFF: Final = re.compile(  # by the one who decides it, of something to be done
    r"\b(?:not (?:now|today)|at some (?:point|stage)|another day|leave (?:it|that|this) open"
    r"|(?:but|do) (?:that|it|this) (?:later|tomorrow|on monday|next week)|(?:don'?t|dont) know yet)\b"
    r"|(?:以后再|下次再|回头再|改天)|(?:あとで|次回に|나중에 ?(?:하|해))"
    r"|\b(?:otro día|el lunes|ein andermal|une autre fois)\b",
    re.IGNORECASE,
)


_PUT_OFF_SURELY: Final = 0.5  # more than any choice in the same breath
_UNDECIDED: Final = re.compile(r"\b(?:don'?t|dont) know yet\b|\bleave (?:it|that|this) open\b", re.IGNORECASE)
_LEAST_NEXT: Final = 15  # characters of a sentence that adds something
_LEAST: Final = 20  # of `size`: a sentence that names what is put off


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was left open, as tasks and open questions."""
    total = len(thread.exchanges)
    for statement in thread.statements:
        late = statement.exchange >= total - _LAST_EXCHANGES
        labelled = _LABEL.match(statement.text) is not None
        if statement.speaker == "assistant":
            if not (statement.final or labelled) or not (labelled or (late and cues.OPEN.search(statement.text))):
                continue
            if not labelled and (
                cues.QUESTION.search(statement.text)
                or cues.PROPOSAL.search(statement.text)
                or len(statement.text) < 25
                or cues.NARRATION.match(statement.text)
            ):
                continue
        elif not _put_off(statement.text):
            continue
        if resolved(thread, statement):
            continue
        named = cues.IDENTIFIER.search(statement.text) is not None
        confidence = 0.34 + 0.2 * labelled + 0.08 * named + 0.06 * late
        if statement.speaker == "user" and _PUT_OFF.search(statement.text):
            confidence += _PUT_OFF_SURELY
        question = "?" in statement.text or "？" in statement.text or _UNDECIDED.search(statement.text) is not None
        yield Draft("open_question" if question else "task", statement, confidence, tuple(_next(thread, statement)))


def _put_off(text: str) -> bool:
    """Return whether a person puts off something: named, or said to be for another day."""
    if cues.QUESTION.search(text) or not _LATER.search(text):
        return False
    return size(text) >= _LEAST and (cues.IDENTIFIER.search(text) is not None or _PUT_OFF.search(text) is not None)


def _next(thread: Thread, statement: Statement) -> Iterator[Statement]:
    later = next(thread.following(statement), None)
    if later is None or len(later.text) <= _LEAST_NEXT or cues.QUESTION.search(later.text):
        return
    supposes = cues.HYPOTHETICAL if statement.speaker == "user" else cues.PROPOSAL
    if not supposes.search(later.text):
        yield later


def resolved(thread: Thread, statement: Statement) -> bool:
    """Return whether files were edited, or a commit made, two exchanges or more after something was called open."""
    later = thread.exchanges[statement.exchange + 2 :]
    return any(thread.edited(exchange.first, exchange.last) for exchange in later)
