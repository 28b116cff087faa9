"""Leftovers: questions that stayed open and work that stayed undone at the end of a session."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread

_LAST_EXCHANGES: Final = 3
_LABEL: Final = re.compile(
    r"^\W*(?:open|todo|to do|left|leftover|remaining|pending|still open|not done|one leftover"
    r"|还没做|待办|未完成|遗留|待定|下一步"
    r"|pendiente|offen|à faire)\b[^:：]{0,25}[:：]",
    re.IGNORECASE,
)
_LATER: Final = re.compile(
    r"\b(?:later|tomorrow|next (?:week|time|session|sprint)|on monday|another day|leave it open|(?:don'?t"
    r"|dont) know yet|before the .{0,20}(?:release|rollout|launch))\b"
    r"|(?:下周|明天|以后再|下次|回头)|\b(?:el lunes|mañana"
    r"|morgen|demain)\b",
    re.IGNORECASE,
)


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
        elif (
            not _LATER.search(statement.text) or len(statement.text) < 20 or not cues.IDENTIFIER.search(statement.text)
        ):
            continue
        if resolved(thread, statement):
            continue
        named = cues.IDENTIFIER.search(statement.text) is not None
        confidence = 0.34 + 0.2 * labelled + 0.08 * named + 0.06 * late
        question = "?" in statement.text or "？" in statement.text
        yield Draft("open_question" if question else "task", statement, confidence, tuple(_next(thread, statement)))


def _next(thread: Thread, statement: Statement) -> Iterator[Statement]:
    for later in thread.following(statement):
        if not cues.PROPOSAL.search(later.text) and not cues.QUESTION.search(later.text) and len(later.text) > 15:
            yield later
        return


def resolved(thread: Thread, statement: Statement) -> bool:
    """Return whether files were edited, or a commit made, two exchanges or more after something was called open."""
    later = thread.exchanges[statement.exchange + 2 :]
    return any(thread.edited(exchange.first, exchange.last) for exchange in later)
