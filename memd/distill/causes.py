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
from memd.distill.possible import possible
from memd.distill.size import size
from memd.distill.thread import Statement, Thread
from memd.model import FactPart

_STRONG: Final = re.compile(
    r"\b(?:root cause|the (?:actual |real |underlying )?(?:cause|culprit) (?:is|was)|caused by|turns out"
    r"|turned out)\b|(?:根本原因|根因|原因是|原因在于)|(?:原因は|원인은)|causa raíz|ursache",
    re.IGNORECASE,
)
# "I see the issue - ...", "Found it: ...": what follows is what was looked for.
ANNOUNCED: Final = Cue(
    r"^\W*(?:(?:ah+|aha|oh|ok(?:ay)?|now|so|and|great|good|perfect|yes|right|excellent)\W+)*(?:"
    r"(?:(?:i|we)(?:'ve| have)? )?(?:now )?(?:see|found|spotted|identified|know|understand|got|located|pinpointed)"
    r" (?:it\b(?=\s*[:!.–—-])|(?:the|what'?s the|where the|your|two|a|an)"
    r" (?:\w+ ){0,2}(?:issues?|problems?|bugs?|causes?|culprits?|errors?|mistakes?|reasons?)\b)"
    r"|(?:here'?s|here is|this is|that'?s|that is|there'?s|there it is:?)"
    r" (?:the|your|our) (?:\w+ ){0,2}(?:issue|problem|bug|culprit)\b)",
    r"^\W*(?:(?:啊|好|哦)[，,]?)?(?:我)?(?:找到|发现|看到|明白|定位到?)(?:了)?(?:问题|原因|bug|根源|症结)",
    r"^\W*(?:(?:he|ho) (?:encontrado|trovato) el (?:problema|error)|ya (?:veo|encontré) el (?:problema|error)"
    r"|ich (?:sehe|habe) das problem|j'ai (?:trouvé|identifié) (?:le problème|la cause|l'erreur)|vedo il problema"
    r"|encontrei o (?:problema|erro)|vidím problém|našel jsem (?:problém|chybu)|widzę problem|znalazłem"
    r"|sorunu (?:buldum|gördüm))\b",
    r"^\W*(?:вижу|нашёл|нашел|понял) (?:проблему|причину|ошибку|в чём|в чем)|^\W*(?:знайшов|бачу) (?:проблему|причину)",
    r"^\W*(?:原因(?:が|は)?(?:わか|分か|判明|見つか)|問題(?:が|を)(?:わか|分か|見つけ|特定))"
    r"|^\W*(?:문제를|원인을) (?:찾|발견)",
)
# A heading under which a cause is told: "Root cause", "What was wrong", "Why you saw no call".
_CAUSE_HEADING: Final = Cue(
    r"^\W*(?:\d+[.)]\s*)?(?:the )?(?:root |actual |real |underlying |likely )?(?:causes?|culprit|problem|diagnosis"
    r"|what(?:'s| is| was|'s been)? (?:going |went )?(?:wrong|happening|happened|broken|going on)"
    r"|why (?:it|this|that|you|the|nothing|your|we)\b.*"
    r"(?:fail|saw|see|broke|happen|didn|doesn|wasn|isn|crash|error|no ))",
    r"^\W*(?:根本原因|原因|根因|问题(?:原因|根源|所在)|故障原因|原因分析)",
    r"^\W*(?:la causa|causa(?: raíz)?|ursache|cause(?: racine)?|problème|problema|příčina|przyczyna|sebep|neden)\b",
    r"^\W*(?:причина|проблема)",
    r"^\W*(?:原因|問題|원인|문제)",
)
_OF_HEADING: Final = 2  # sentences under such a heading that tell the cause
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
_LEAST_ANNOUNCED: Final = 45  # of `size`: what announces a cause and tells it


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the causes that were found, each with its fix where one was made or named."""
    for statement in thread.statements:
        text = statement.text
        if told_in_one(statement):
            yield _in_one(thread, statement)
            continue
        announced = _announced(thread, statement)
        if (
            not (announced or cues.CAUSE.search(text))
            or cues.QUESTION.search(text)
            or cues.HEDGED_CAUSE.search(text)
            or cues.PLAN.match(text)
        ):
            continue
        if announced and _in_vain(thread, statement):
            continue
        strong = announced or _STRONG.search(text) is not None or _LABEL.match(text) is not None
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


def _announced(thread: Thread, statement: Statement) -> bool:
    """Return whether the model says a cause as what it looked for: it announces it, or a heading does."""
    if statement.speaker != "assistant" or possible(statement.text) or cues.HYPOTHETICAL.match(statement.text):
        return False
    if ANNOUNCED.match(statement.text):
        return size(statement.text) >= _LEAST_ANNOUNCED
    said = thread.by_message[statement.position]
    at = said.index(statement)
    before = said[at - 1] if at and said[at - 1].block >= statement.block - 1 else None
    if before is not None and size(before.text) < _LEAST_ANNOUNCED and ANNOUNCED.match(before.text):
        return True  # "Found the issue!"
    if not statement.heading or statement.row or not _CAUSE_HEADING.match(statement.heading):
        return False
    first = next(number for number, one in enumerate(said) if one.heading == statement.heading)
    return at - first < _OF_HEADING and not possible(statement.heading)


def _in_vain(thread: Thread, statement: Statement) -> bool:
    """Return whether what was taken for the cause was not it: a command failed again, and another one was found."""
    exchange = thread.exchanges[statement.exchange]
    failed = next((run for run in thread.runs if run.ok is False and run.position > statement.position), None)
    if failed is None or failed.position > exchange.last:
        return False
    return any(
        one.speaker == "assistant" and (ANNOUNCED.match(one.text) or cues.CAUSE.search(one.text))
        for at in range(failed.position + 1, exchange.last + 1)
        for one in thread.by_message.get(at, ())
    )


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
