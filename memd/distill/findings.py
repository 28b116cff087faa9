"""Findings: what a passage tells about the project, its tools and its surroundings when no rule says more of it."""

from __future__ import annotations

import re
from typing import Final

from memd.distill import cues
from memd.distill.cue import Cue
from memd.distill.thread import Statement
from memd.model import FactKind

_SAYS_LITTLE: Final = 20  # characters
# A setting: a variable or a flag with what it is set to, a default, a port.
_CONFIG: Final = re.compile(
    r"\b(?i:defaults?|env(?:ironment)? var\w*|config(?:ured|uration)?|timeout)\b|\b(?i:port) \d+"
    r"|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b"
    r"|(?<!\w)--[a-z][\w-]+`?(?:[ =]\S+)? (?:sets?|is|moves?|turns?|takes?)\b"
    r"|默认|預設|配置|环境变量|環境變數|端口|参数|既定|環境変数|기본값|환경 ?변수|설정값|по умолчанию"
    r"|за замовчуванням|par défaut|por defecto|standardmäßig|varsayılan|výchoz"
)
_SHAPE: Final = re.compile(
    r"\b(?:lives? in|stored? in|is (?:a|the) (?:module|service|table|class|layer|wrapper)|reads? from"
    r"|writes? (?:to|its)|owns|calls|inherits|consists? of|namespace"
    r"|schema|architecture|table|column|unique|endpoint)\b|(?:存在|放在|位于|结构|架构|表|字段)",
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

_ORDERS: Final = re.compile(
    r"^\W*(?:(?:please|ok(?:ay)?|then|and|always|just|so)\W+)*(?:use|keep|store|put|write|send|name|call)\b",
    re.IGNORECASE,
)
_TURNS_DOWN: Final = re.compile(
    r"\b(?:no good|no[- ]go|out of the question|not an option|unacceptable|no sirve|kommt nicht in frage"
    r"|hors de question)\b|不行|不可接受|ダメ|안 된다",
    re.IGNORECASE,
)


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


def telling(text: str) -> int:
    """Return how much a sentence says by itself: what it names, why, and what is not."""
    named = sum(1 for _ in zip(range(3), cues.IDENTIFIER.finditer(text), strict=False))
    says = bool(cues.BECAUSE.search(text)) + bool(cues.ASSERTIVE.search(text))
    return named + says - 2 * (len(text) < _SAYS_LITTLE) - 2 * bool(cues.VAGUE_SUBJECT.match(text))


def reports_trouble(text: str) -> bool:
    """Return whether a person tells what goes wrong, and has not made up their mind about anything."""
    if cues.REFUSE.match(text) or any(cue.search(text) for cue in (cues.STRONG_CHOICE, cues.REVERSAL, _TURNS_DOWN)):
        return False
    return cues.TROUBLE.search(text) is not None


def _wants(text: str) -> bool:
    if _ORDERS.match(text) or cues.REFUSE.match(text) or cues.CHOICE.search(text) or cues.NEGATED_ORDER.search(text):
        return True
    return not _TELLS.search(text)


# What a report of a repair begins with.
_MENDS: Final = Cue(
    r"^\W*(?:fix(?:ed|es)|resolved|solved|repaired|corrected)\b",
    r"^\W*(?:已?修复|已?修正|已?解决|已?修好|修正し|直し|수정)",
    r"^\W*(?:corregid\w+|arreglad\w+|corrigé\w*|behoben|korrigiert|corretto|corrigid\w+|opraven\w*|opravil\w*"
    r"|düzelt\w+|naprawion\w+|løst|rettet|opgelost)\b",
    r"^\W*(?:исправ\w+|виправ\w+)\b",
)


def reports_repair(text: str) -> bool:
    """Return whether a sentence opens as the report of a repair ("Fixed: ...", 修复)."""
    return _MENDS.match(text) is not None


def kind_of(text: str, of_a_person: bool = False) -> FactKind:
    """Return which kind of finding a passage states; a person who tells nothing wants something."""
    if (cues.CAUSE.search(text) and cues.FIX.search(text)) or (not of_a_person and reports_repair(text)):
        return "bugfix"
    if of_a_person:
        if reports_trouble(text):
            return "discovery"
        if _wants(text):
            return "decision"
    if _CONFIG.search(text):
        return "config"
    if _SHAPE.search(text):
        return "architecture"
    return "discovery"
