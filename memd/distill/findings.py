"""Findings: what turned out about the project, its tools and its surroundings.

The model's report after its work says most of them. What it plans, proposes or guesses is none, nor is what it only narrates; what
it sets in bold, names exactly and asserts without a hedge most likely is. A person's plain statement about the surroundings is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.model import FactKind

_MIN_CHARS: Final = 24
_SAID_BY_USER: Final = re.compile(
    r"\b(?:is|are|has|have|comes?|runs?|needs?|uses?|lives?|gives?|always|only|allows?|expects?|returns?|works?|shares?|depends?)\b|(?:是|在|用|给|要|会|只)"
    r"|\b(?:viene|está|usa|ist|sind|läuft|est|sont|vient)\b|(?:です|ます|입니다|있)",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(
    r"^\W*(?:i|i'?ve|i'?m|my|we|we'?ve)\b|\b(?:i (?:did|ran|added|changed|fixed|removed|updated|created|wrote|checked|verified))\b|^(?:我|我们)",
    re.IGNORECASE,
)
_CONFIG: Final = re.compile(
    r"\b(?:default|env(?:ironment)? var\w*|setting|config\w*|flag|option|port|timeout|path)\b|(?<!\w)--[a-z]|\b[A-Z]+_[A-Z_]+\b|(?:默认|配置|环境变量|端口|参数)",
    re.IGNORECASE,
)
_SHAPE: Final = re.compile(
    r"\b(?:lives? in|stored? in|is (?:a|the) (?:module|service|table|class|layer|wrapper)|reads? from|writes? (?:to|its)|owns|calls|inherits|consists? of|namespace|schema|architecture|table|column|unique|endpoint)\b|(?:存在|放在|位于|结构|架构|表|字段)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^\W*(?:note|caveat|gotcha|important|warning|worth (?:knowing|noting)|heads[- ]up|side note|lesson|key (?:finding|point|insight)|注意|提示|重要|坑)\b\W{0,4}",
    re.IGNORECASE,
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was found out, from the model's reports and the person's own statements."""
    for statement in thread.statements:
        confidence = reported(thread, statement) if statement.speaker == "assistant" else told(statement)
        if confidence > 0.0:
            yield Draft(kind_of(statement.text), statement, confidence, _explained(thread, statement))


def reported(thread: Thread, statement: Statement) -> float:
    """Return how sure it is that a sentence of the model states a finding; 0 for not at all."""
    text = statement.text
    if (
        len(text) < _MIN_CHARS
        or text.endswith((":", "：", "…"))
        or cues.QUESTION.search(text)
        or cues.PLAN.match(text)
        or cues.PROPOSAL.search(text)
        or cues.NARRATION.search(text)
        or cues.HEDGED_CAUSE.search(text)
    ):
        return 0.0
    named = len(cues.IDENTIFIER.findall(text))
    score = 0.1 + 0.07 * min(named, 3) + 0.03 * min(len(cues.NUMBER.findall(text)), 2)
    score += (
        0.12 * bool(cues.ASSERTIVE.search(text))
        + 0.16 * statement.bold
        + 0.1 * statement.final
        + 0.1 * bool("**" in text and not statement.bold)
    )
    score += (
        0.12 * bool(_LABEL.match(text)) + 0.08 * bool(cues.BECAUSE.search(text)) + 0.06 * bool(cues.CAUSE.search(text))
    )
    score -= (
        0.12 * bool(cues.VAGUE_SUBJECT.match(text))
        + 0.12 * bool(_FIRST_PERSON.search(text))
        + 0.1 * bool(cues.HYPOTHETICAL.search(text))
    )
    score -= 0.08 * bool(len(text) > 320)
    score += 0.05 * _worked(thread, statement)
    return max(score, 0.0)


def told(statement: Statement) -> float:
    """Return how sure it is that a person's sentence tells how things are; 0 for not at all."""
    text = statement.text
    if (
        len(text) < 16
        or cues.QUESTION.search(text)
        or cues.HYPOTHETICAL.search(text)
        or not _SAID_BY_USER.search(text)
        or cues.PLAN.match(text)
    ):
        return 0.0
    named = len(cues.IDENTIFIER.findall(text)) + len(cues.NUMBER.findall(text))
    if not named or re.match(
        r"^\W*(?:i|please|can|could|let|add|fix|make|show|check|run|try|now)\b", text, re.IGNORECASE
    ):
        return 0.0
    return (
        0.34 + 0.05 * min(named, 3) + 0.08 * bool(cues.ASSERTIVE.search(text)) + 0.05 * bool(cues.BECAUSE.search(text))
    )


def _worked(thread: Thread, statement: Statement) -> bool:
    """Whether tools were used in the exchange, so that the sentence reports rather than lectures."""
    exchange = thread.exchanges[statement.exchange]
    return any(thread.messages[at].tool_calls for at in range(exchange.first, statement.position + 1))


def _explained(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    if not (statement.bold or cues.VAGUE_SUBJECT.match(statement.text)):
        return ()
    for later in thread.following(statement):
        if not (cues.QUESTION.search(later.text) or cues.PLAN.match(later.text) or cues.PROPOSAL.search(later.text)):
            return (later,)
        break
    return ()


def kind_of(text: str) -> FactKind:
    """Return which kind of finding a sentence states."""
    if cues.CAUSE.search(text) and cues.FIX.search(text):
        return "bugfix"
    if _CONFIG.search(text):
        return "config"
    if _SHAPE.search(text):
        return "architecture"
    return "discovery"
