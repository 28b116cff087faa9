"""Causes: why something failed and what mended it.

A guess is no cause, and a cause that a later sentence takes back was none. It weighs more when the command that
failed passed afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.draft import Draft, plain
from memd.distill.findings import reports_repair
from memd.distill.mended import made_pass
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
# What was done, at the end of a sentence that told the trouble: "...; upgraded to 6", "..., so I pinned it".
_DID: Final = Cue(
    r"[;,.:–—-]\s*(?:so |and |now |it(?:'s| is) )*(?:(?:i|we)(?:'ve| have)? )?(?:fixed|upgraded|downgraded|pinned"
    r"|replaced|switched|raised|lowered|increased|added|moved|removed|changed|set|bumped|rewrote|renamed|disabled|enabled|updated"
    r"|corrected|reverted|dropped|wrapped)\b|\bfixed (?:it )?(?:by|with|in)\b",
    r"[；，,。;]\s*(?:所以|于是|现在|已经?|我)*(?:修复|改成|改为|换成|升级|降级|加上|加了|去掉|设为|设成|改用|固定|调大|调小|删掉)",
    r"[;,.]\s*(?:actualizad\w+|cambiad\w+|corregid\w+|aktualisiert|ersetzt|behoben|corrigé\w*|remplacé\w*|opraven\w*)\b",
    r"[;,.]\s*(?:исправ\w+|обнов\w+|замен\w+|виправ\w+|онов\w+)\b",
)
_CLAUSE: Final = re.compile(r"[;；]\s*|(?<=[^\d\s])[.。]\s+")
_IN_ONE: Final = 0.66  # of trouble, its reason and what was done, told in one sentence
_MAX_SUPPORT: Final = 2


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the causes that were found, each with its fix where one was made or named."""
    for statement in thread.statements:
        text = statement.text
        if told_in_one(statement):
            yield _in_one(thread, statement)
            continue
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
        if thread.edited(exchange.first, statement.position):  # told when all was done
            mended = mended or cues.FIX.search(text) is not None or made_pass(thread, exchange)
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


def told_in_one(statement: Statement) -> bool:
    """Return whether the model tells in one sentence what failed, why, and what it did about it.

    "Fixed: `npm ci` failed since the picker needs React 17; upgraded to 6." It has to name something.
    """
    text = statement.text
    if statement.speaker != "assistant" or not cues.IDENTIFIER.search(text):
        return False
    if any(cue.search(text) for cue in (cues.QUESTION, cues.HEDGED_CAUSE, cues.PROPOSAL)) or cues.PLAN.match(text):
        return False
    if not (cues.BECAUSE.search(text) or cues.CAUSE.search(text)):
        return False
    return reports_repair(text) or (cues.TROUBLE.search(text) is not None and _DID.search(text) is not None)


def _in_one(thread: Thread, statement: Statement) -> Draft:
    text = plain(statement.text)
    did = next((one for one in _CLAUSE.split(text)[1:] if _DID.search(f"; {one}")), None)
    parts = (FactPart("cause", text), *([FactPart("fix", did.strip())] if did else []))
    return Draft("bugfix", statement, _IN_ONE, _explained(thread, statement), parts)


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
