"""Causes: why something failed and what mended it.

A guess is no cause, and a cause that a later sentence takes back was none. It weighs more when the command that
failed passed afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft, plain
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

_STRONG: Final = re.compile(
    r"\b(?:root cause|the (?:actual |real |underlying )?(?:cause|culprit) (?:is|was)|caused by|turns out"
    r"|turned out)\b|(?:根本原因|根因|原因是|原因在于)|(?:原因は|원인은)|causa raíz|ursache",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^\W*(?:root cause|cause|原因|根本原因|ursache|causa|原因は|원인)\W{0,4}[:：]", re.IGNORECASE
)
_MAX_SUPPORT: Final = 2


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the causes that were found, each with its fix where one was made or named."""
    for statement in thread.statements:
        text = statement.text
        if (
            not cues.CAUSE.search(text)
            or cues.QUESTION.search(text)
            or cues.HEDGED_CAUSE.search(text)
            or cues.PLAN.match(text)
        ):
            continue
        strong = _STRONG.search(text) is not None or _LABEL.match(text) is not None
        named = cues.IDENTIFIER.search(text) is not None
        if not (strong or named) or len(text) < 15:
            continue
        support = _explained(thread, statement)
        exchange = thread.exchanges[statement.exchange]
        mended = thread.edited(statement.position, exchange.last) or _passes_later(thread, statement)
        fix = next(
            (one.text for one in (statement, *support) if one is not statement and cues.FIX.search(one.text)), None
        )
        confidence = 0.42 + 0.2 * strong + 0.08 * named + 0.08 * mended + 0.05 * bool(fix) + 0.05 * statement.bold
        if statement.speaker == "user":
            confidence -= 0.05
        parts = [FactPart("cause", plain(text))]
        if fix:
            parts.append(FactPart("fix", plain(fix)))
        yield Draft("bugfix" if mended or fix else "discovery", statement, confidence, support, tuple(parts))


def _explained(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return the next sentences that go on explaining or tell the fix."""
    found: list[Statement] = []
    for later in thread.following(statement):
        if (
            len(found) == _MAX_SUPPORT
            or cues.QUESTION.search(later.text)
            or cues.PROPOSAL.search(later.text)
            or cues.NARRATION.match(later.text)
            or cues.HEDGED_CAUSE.search(later.text)
        ):
            break
        if cues.PLAN.match(later.text) and not cues.FIX.search(later.text):
            break
        found.append(later)
    return tuple(found)


def _passes_later(thread: Thread, statement: Statement) -> bool:
    failed = any(run.ok is False and run.position <= statement.position for run in thread.runs)
    return failed and any(run.ok and run.position > statement.position for run in thread.runs)
