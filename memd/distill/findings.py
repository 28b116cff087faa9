"""Findings: what turned out about the project, its tools and its surroundings.

The model's report after its work says most of them. What it plans, proposes, asks or guesses is none, nor is what it
only narrates. Of the rest a weighted sum of signals tells which sentences are worth keeping; the weights were fitted
on labelled sessions (tests/eval/fit_findings.py) and are rounded. A person's plain statement about the surroundings
is a finding, too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final

from memd.distill import cues
from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.model import FactKind

_MIN_CHARS: Final = 24
_SHORT: Final = 60
_REPORT: Final = 4  # statements that make a reply a report
_LAST: Final = 2  # exchanges at the end
_NARROW: Final = 0.4  # probability from which on a finding is worth keeping

BIAS: Final = -3.55
WEIGHTS: Final[dict[str, float]] = {
    "open": 0.95,
    "last": 0.95,
    "shape": 0.85,
    "named twice": 0.8,
    "cause": 0.8,
    "denies": 0.75,
    "named": 0.7,
    "now": 0.65,
    "because": 0.6,
    "edited": 0.6,
    "bold": 0.55,
    "fix": 0.5,
    "accepted": 0.45,
    "report": 0.45,
    "number": 0.4,
    "config": 0.3,
    "label": 0.25,
    "item": 0.15,
    "vague": -0.15,
    "hypothetical": -0.3,
    "explains": -0.4,
    "short": -0.8,
}

_DENIES: Final = re.compile(
    r"\b(?:not|never|no|won't|doesn't|isn't|aren't|can't|cannot|without|silently|only)\b|[不没无非]|\b(?:nicht|kein\w*"
    r"|sin|nunca|sans|pas|non|não)\b|ない|않|없",
    re.IGNORECASE,
)
_NOW: Final = re.compile(r"\b(?:now|no longer|instead)\b|现在|改为|不再|\b(?:ahora|jetzt|maintenant)\b", re.IGNORECASE)
_CONFIG: Final = re.compile(
    r"\b(?:default|env(?:ironment)? var\w*|setting|config\w*|flag|option|port|timeout|path)\b|(?<!\w)--[a-z]"
    r"|\b[A-Z]+_[A-Z_]+\b|(?:默认|配置|环境变量|端口|参数)",
    re.IGNORECASE,
)
_SHAPE: Final = re.compile(
    r"\b(?:lives? in|stored? in|is (?:a|the) (?:module|service|table|class|layer|wrapper)|reads? from"
    r"|writes? (?:to|its)|owns|calls|inherits|consists? of|namespace"
    r"|schema|architecture|table|column|unique|endpoint)\b|(?:存在|放在|位于|结构|架构|表|字段)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(
    r"^\W*(?:note|caveat|gotcha|important|warning|worth (?:knowing|noting)|heads[- ]up|side note|lesson"
    r"|key (?:finding|point|insight)|注意|提示|重要|坑)\b\W{0,4}",
    re.IGNORECASE,
)
_TELLS: Final = re.compile(
    r"\b(?:is|are|has|have|comes?|runs?|needs?|uses?|lives?|gives?|always|only|allows?|expects?|returns?|works?"
    r"|shares?|depends?)\b|[是在用给要会只]"
    r"|\b(?:viene|está|usa|ist|sind|läuft|est|sont|vient)\b|(?:です|ます|입니다|있)",
    re.IGNORECASE,
)
_FOR_NOW: Final = re.compile(
    r"^\W*(?:i|please|can|could|let|add|fix|make|show|check|run|try|now)\b|\b(?:is (?:red|green|broken|failing"
    r"|down|slow)|still (?:fails?|broken)|seen that|btw)\b",
    re.IGNORECASE,
)


def find(thread: Thread) -> Iterator[Draft]:
    """Yield what was found out, from the model's reports and the person's own statements."""
    for statement in thread.statements:
        if statement.speaker == "assistant":
            confidence = _sure(likelihood(thread, statement)) if asserts(statement.text) else 0.0
        else:
            confidence = told(statement)
        if confidence > 0.0:
            yield Draft(kind_of(statement.text), statement, confidence, _explained(thread, statement))


def asserts(text: str) -> bool:
    """Return whether a sentence states something: it neither asks, plans, proposes, guesses nor only narrates."""
    return not (
        len(text) < _MIN_CHARS
        or text.rstrip("*").endswith((":", "：", "…"))
        or cues.QUESTION.search(text)
        or cues.PLAN.match(text)
        or cues.PROPOSAL.search(text)
        or cues.NARRATION.search(text)
        or cues.HEDGED_CAUSE.search(text)
    )


def likelihood(thread: Thread, statement: Statement) -> float:
    """Return the probability, after the fitted weights, that a sentence of the model is worth keeping."""
    total = BIAS + sum(WEIGHTS[signal] for signal in signals(thread, statement))
    return 1 / (1 + math.exp(-total))


def signals(thread: Thread, statement: Statement) -> Iterator[str]:
    """Yield the names of the signals that a sentence of the model shows."""
    text = statement.text
    exchange = thread.exchanges[statement.exchange]
    named = sum(1 for _ in zip(range(2), cues.IDENTIFIER.finditer(text), strict=False))
    following = (
        thread.exchanges[statement.exchange + 1].prompt if statement.exchange + 1 < len(thread.exchanges) else None
    )
    asked = exchange.prompt is not None and cues.QUESTION.search(exchange.prompt.text.strip()) is not None
    shown: dict[str, object] = {
        "denies": _DENIES.search(text),
        "open": cues.OPEN.search(text),
        "named": named,
        "named twice": named > 1,
        "because": cues.BECAUSE.search(text),
        "shape": _SHAPE.search(text),
        "cause": cues.CAUSE.search(text),
        "report": len(thread.by_message[statement.position]) >= _REPORT,
        "number": cues.NUMBER.search(text),
        "fix": cues.FIX.search(text),
        "edited": thread.edited(exchange.first, exchange.last),
        "last": statement.exchange >= len(thread.exchanges) - _LAST,
        "now": _NOW.search(text),
        "bold": statement.bold,
        "label": _LABEL.match(text),
        "accepted": following is not None and cues.ACCEPT.match(following.text),
        "item": statement.item,
        "config": _CONFIG.search(text),
        "vague": cues.VAGUE_SUBJECT.match(text),
        "explains": asked,
        "hypothetical": cues.HYPOTHETICAL.search(text),
        "short": len(text) < _SHORT,
    }
    yield from (name for name, value in shown.items() if value)


def _sure(probability: float) -> float:
    """Return the confidence of a probability: 0.5 at the least that is kept, rising to 0.8."""
    return min(0.5 + (probability - _NARROW) * 0.6, 0.8)


def told(statement: Statement) -> float:
    """Return how sure it is that a person's sentence tells how things are here; 0 for not at all."""
    text = statement.text
    if len(text) < 16 or cues.QUESTION.search(text) or cues.HYPOTHETICAL.search(text) or not _TELLS.search(text):
        return 0.0
    named = len(cues.IDENTIFIER.findall(text)) + len(cues.NUMBER.findall(text))
    if not named or _FOR_NOW.search(text) or cues.PLAN.match(text):
        return 0.0
    return (
        0.34 + 0.05 * min(named, 3) + 0.08 * bool(cues.ASSERTIVE.search(text)) + 0.05 * bool(cues.BECAUSE.search(text))
    )


def _explained(thread: Thread, statement: Statement) -> tuple[Statement, ...]:
    """Return the next sentence where this one only opens: it is a bold lead or speaks of "it"."""
    if statement.bold or cues.VAGUE_SUBJECT.match(statement.text):
        for later in thread.following(statement):
            return (later,) if asserts(later.text) else ()
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
