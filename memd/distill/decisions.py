"""Decisions: what a person chose, turned down or took back.

"Table driven then" says little alone: the option it picks from the reply before it belongs to the decision.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.assent import agreed_to, told_with
from memd.distill.draft import Draft
from memd.distill.findings import reports_trouble
from memd.distill.instructions import is_rule
from memd.distill.reasons import because, explains, reasons_after, rejected
from memd.distill.remarks import only_heard
from memd.distill.reversal import takes_back, undone
from memd.distill.taken import plain
from memd.distill.thread import Statement, Thread
from memd.model import FactPart
from memd.text.tokens import terms

_NUMBERED: Final = re.compile(
    r"(?:^|\b(?:do|option|take|try|go with|use|fix|number|#)\s*|[和、,]\s*|\band\s+)(?P<n>[1-9])(?=[\s.,:;)!、，]"
    r"|$)(?!\s*(?:%|[a-z]{1,3}\b(?<!and)))",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(r"^\s*(?:\*\*)?(?P<n>[1-9])[.)]\s+(?P<text>.+)$", re.MULTILINE)
_BACK: Final = 6  # replies in which an option may have been listed
_FEWEST_SHARED: Final = 2  # terms of a choice, or a quarter of them, that what it refers to has
_SHORT_REPLY: Final = 8  # statements of a reply whose end an answer can only mean
_TERSE: Final = 40  # characters of a sentence that says little without the next one
_EITHER: Final = re.compile(r"\beither\b.*\bor\b", re.IGNORECASE)
_THEN: Final = re.compile(r"\bthen\b|[,.;，。；]", re.IGNORECASE)
_TRY: Final = re.compile(
    r"^\W*(?:ok(?:ay)?,? |let'?s |maybe |please )*(?:try|试试?|prueba|versuch|essaie)\b|\btry\b.*\?|venga, prueba",
    re.IGNORECASE,
)
_LOOK: Final = re.compile(
    r"^\W*(?:(?:can|could|would) you\b|please |now |ok(?:ay)?,? |next:? |and |then )*(?:check|look|show|tell"
    r"|explain|find|read|list|run|commit|push|review|investigate|see|see if|search|analy[sz]e|profile|summari[sz]e"
    r"|continue)\b",
    re.IGNORECASE,
)
_COMMON: Final = frozenset(
    """
    use using used want need make like good then thing things stuff change changes file files test tests code run add
    fix new one
    """.split()
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what a person decided in this session."""
    for statement in thread.statements:
        if statement.speaker != "user" or is_rule(statement):
            continue
        found = [draft for rule in (_choice, _requirement) if (draft := rule(thread, statement)) is not None]
        if found:
            yield max(found, key=lambda draft: draft.confidence)


def _choice(thread: Thread, statement: Statement) -> Draft | None:
    """Return the decision of a sentence that chooses: go with, stay on, instead of, revert, X then."""
    text = statement.text
    if cues.QUESTION.search(text) or _LOOK.match(text):
        return None
    numbered = options(thread, statement)
    if not numbered and not cues.CHOICE.search(text):
        return None
    picked = numbered or _background(thread, statement)
    if takes_back(text):
        gone = undone(text)
        picked = tuple(one for one in picked if not any(plain(thing) & thread.terms(one) for thing in gone))
    support = reasons_after(thread, statement)
    reason = because(statement, support) or _clause_reason(text)
    strong = cues.STRONG_CHOICE.search(text) is not None
    if not numbered and reports_trouble(text):
        return None
    confidence = (
        0.4 + 0.14 * strong + 0.1 * bool(picked) + 0.1 * bool(reason) + 0.08 * bool(cues.IDENTIFIER.search(text))
    )
    confidence += 0.06 * bool(
        statement.order == thread.by_message[statement.position][0].order and cues.ACCEPT.match(text)
    )
    confidence -= 0.15 * bool(_TRY.search(text)) + 0.15 * bool(cues.HYPOTHETICAL.search(text))
    confidence += 0.05 * bool(cues.REVERSAL.search(text))
    if not strong and not reason and not cues.IDENTIFIER.search(text):
        confidence -= 0.15
    return Draft(
        "decision",
        statement,
        confidence,
        (*picked, *support),
        _parts(statement, picked, reason),
        tags=("reversal",) if takes_back(text) else (),
    )


def _requirement(thread: Thread, statement: Statement) -> Draft | None:
    """Return what a person requires in figures and names: "max 5 attempts, backoff 1m 5m"."""
    text = statement.text
    if cues.QUESTION.search(text) or _LOOK.match(text) or cues.HYPOTHETICAL.search(text):
        return None
    named = len(cues.IDENTIFIER.findall(text)) + len(cues.NUMBER.findall(text))
    required = re.search(
        r"\b(?:should|must|needs?|has to|have to|max|min|at (?:most|least)|default|limit|only|always|named?"
        r"|called)\b|(?:应该|需要|必须|最多|最少|默认|上限|要)",
        text,
        re.IGNORECASE,
    )
    if named < 2 or not required or reports_trouble(text):
        return None
    support = reasons_after(thread, statement)
    draft = Draft("decision", statement, 0.42 + 0.04 * min(named, 4), support, (FactPart("decided", text),))
    return told_with(draft, agreed_to(thread, statement))


def options(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return the numbered options of the reply before it that a sentence picks ("do 1 and 2")."""
    numbers = {match["n"] for match in _NUMBERED.finditer(statement.text)}
    if not numbers or statement.exchange == 0:
        return ()
    final = thread.exchanges[statement.exchange - 1].final
    if final is None:
        return ()
    said = thread.by_message.get(final, ())
    listed = {match["n"]: match["text"] for match in _ORDINAL.finditer(thread.messages[final].text)}
    found = [
        next((one for one in said if one.item and listed[n].startswith(one.text[:40])), None)
        for n in sorted(numbers)
        if n in listed
    ]
    return tuple(one for one in found if one is not None)


def _background(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return what a choice refers to: the option it names, and what the reply before it said about that."""
    wanted = set(thread.terms(statement)) - _COMMON
    option = _option(thread, statement, wanted)
    found = [option] if option is not None else []
    best: tuple[float, Statement] | None = None
    answered = tuple(one for one in thread.answered(statement.exchange) if not only_heard(one.text))
    for said in answered:
        shared = len(wanted & thread.terms(said))
        if not shared or (shared < _FEWEST_SHARED and 4 * shared < len(wanted)):
            continue
        if said in found or cues.QUESTION.search(said.text) or _EITHER.search(said.text):
            continue
        score = (
            shared
            + 0.5 * bool(cues.CAUSE.search(said.text))
            + 0.5 * bool(cues.IDENTIFIER.search(said.text))
            - (len(said.text) < 30)
        )
        if best is None or score > best[0]:
            best = (score, said)
    if best is None and not found and cues.ACCEPT.match(statement.text):
        told = [one for one in answered if not cues.QUESTION.search(one.text)]
        return tuple(told[-2:]) if len(told) <= _SHORT_REPLY else ()
    if best is not None:
        found.append(best[1])
        if len(best[1].text) < _TERSE:
            found.extend(
                later
                for later in (next(iter(thread.following(best[1])), None),)
                if later is not None and explains(later.text)
            )
    return tuple(found)


def _option(thread: Thread, statement: Statement, wanted: set[str]) -> Statement | None:
    """Return the list item of an earlier reply whose opening words are those of the choice ("table driven then")."""
    head = set(terms(_THEN.split(statement.text, maxsplit=1)[0])) - _COMMON
    if len(head) < 2 or not head <= wanted:
        return None
    for exchange in range(statement.exchange, max(statement.exchange - _BACK, 0), -1):
        for said in thread.answered(exchange):
            if said.item and head <= set(terms(said.text[:80])):
                return said
    return None


def _clause_reason(text: str) -> str | None:
    """Return the clause after the first comma when it gives a reason: "zigbuild then, dont want docker"."""
    clauses = re.split(r"[,，;；]\s*", text, maxsplit=1)
    return clauses[1] if len(clauses) == 2 and len(clauses[1]) > 8 and cues.BECAUSE.search(clauses[1]) else None


def _parts(statement: Statement, picked: tuple[Statement, ...], reason: str | None) -> tuple[FactPart, ...]:
    parts = [FactPart("decided", statement.text), *(FactPart("decided", one.text) for one in picked)]
    if reason:
        parts.append(FactPart("because", reason))
    parts.extend(FactPart("rejected", one) for one in rejected(statement.text))
    return tuple(parts)
