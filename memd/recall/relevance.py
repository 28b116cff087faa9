"""Relevance: whether a fact has anything to do with a prompt, and how much.

Full-text search finds whatever shares a word; a prompt deserves silence more often than a fact. So the words both share
are weighed by how rare they are among the facts, and a floor decides whether to speak at all.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from memd.model import Fact
from memd.text.tokens import terms

# Terms of a prompt that decide, the rarest first: a long prompt must not drown what it is about.
_DECISIVE_TERMS: Final = 16
_FLOOR: Final = 0.22
_LONE_FLOOR: Final = 0.30
_NAME: Final = re.compile(r"[0-9_]|[a-z][A-Z]")
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")

# Words that programmers use of everything: on their own they are no ground to speak.
_COMMON: Final = frozenset(
    (
        "add all also any app build bug change check code command create data default delete do does error file "
        "files find fix folder function get help how implement issue just let like line list look make method "
        "module name need new now one page please project read remove run same see set should show start test "
        "tests thing think try two type update use used user using want way we what when where which why work "
        "write yes"
    ).split()
)


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much a fact has to do with a prompt: 0 to 1, and the terms that say so."""

    score: float
    shared: tuple[str, ...]


def rank(prompt: str, facts: Sequence[Fact], limit: int) -> tuple[tuple[Fact, Relevance], ...]:
    """Return the facts that deserve to be said at this prompt, the most relevant first, at most `limit`.

    `facts` are candidates of any quality; rarity is measured among them and the terms of the prompt.
    """
    asked = terms(prompt)
    if not asked or not facts:
        return ()
    texts = [_fact_terms(fact) for fact in facts]
    weights = _weights(asked, texts, names=_names(prompt))
    decisive = sorted(asked, key=lambda term: -weights[term])[:_DECISIVE_TERMS]
    found = []
    for fact, own in zip(facts, texts, strict=True):
        relevance = _relevance(decisive, own, weights)
        if relevance is not None:
            found.append((fact, relevance))
    found.sort(key=lambda pair: (-pair[1].score, -pair[0].confidence, -pair[0].valid_from, pair[0].uid))
    return tuple(found[:limit])


def _relevance(decisive: Sequence[str], own: frozenset[str], weights: dict[str, float]) -> Relevance | None:
    shared = tuple(term for term in decisive if term in own)
    telling = [term for term in shared if term not in _COMMON]
    if not telling:
        return None
    total = sum(weights[term] for term in decisive)
    score = sum(weights[term] for term in shared) / total if total else 0.0
    floor = _FLOOR if len(telling) > 1 else _LONE_FLOOR
    return Relevance(min(score, 1.0), shared) if score >= floor else None


def _weights(asked: Iterable[str], texts: Sequence[frozenset[str]], *, names: frozenset[str]) -> dict[str, float]:
    count = Counter(term for own in texts for term in own)
    total = len(texts)
    weights = {}
    for term in asked:
        rarity = math.log1p((total + 1) / (count[term] + 0.5))
        if term in _COMMON:
            rarity *= 0.2
        elif count[term] == 0:
            # No fact knows it: it says that the prompt is about something else, but most words of a prompt are such.
            rarity *= 0.35
        weights[term] = rarity * (2.0 if term in names else 1.0)
    return weights


def _fact_terms(fact: Fact) -> frozenset[str]:
    parts = " ".join(part.text for part in fact.parts)
    return frozenset(terms(f"{fact.title}\n{fact.body}\n{parts}\n{' '.join(fact.tags)}"))


def _names(prompt: str) -> frozenset[str]:
    """The terms of identifiers, file names and the like, which say more than words do."""
    words = [
        word for word in prompt.split() if _NAME.search(word) or ("." in word.strip(".") and not _CJK.search(word))
    ]
    return frozenset(term for word in words for term in terms(word))
