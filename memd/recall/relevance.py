"""Relevance: whether a fact has anything to do with a prompt, and how much.

Full-text search finds whatever shares a word; a prompt deserves silence more often than a fact. What prompt and fact
share (words by how rare they are, names, concepts, what is to be done) becomes a few figures between 0 and 1, and a
logistic model of these says how likely the fact is one that somebody at this prompt would want. A floor on that decides
whether to speak at all. Weights and floors are fitted by `tests/eval/injection_fit.py`, which prints them.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from memd.model import Fact
from memd.text.barred import barred
from memd.text.concepts import CONCEPT_WORDS, WORK, asks_of_here, concepts, intents
from memd.text.everyday import EVERYDAY, GRAMMAR, PROGRAMMING
from memd.text.tokens import terms
from memd.text.values import TELLING, VAGUE, asked_values, asks_of_now, held_values

FLOOR: Final = 0.5
"""How likely a fact has to be wanted to be said at a session's first prompt that gets any."""
PASSAGE_FLOOR: Final = 0.52
"""How well words of an earlier session have to fit to be quoted where no fact is said."""
LATER_FLOOR: Final = 0.66
"""The same for later prompts, where what is said interrupts."""

# Terms of a prompt that decide, the weightiest first: a long prompt must not drown what it is about.
_DECISIVE_TERMS: Final = 16
_EVERYDAY: Final = 0.12
_PROGRAMMING: Final = 0.25
_CONCEPTUAL: Final = 0.6
_NAMED: Final = 1.8
_UNKNOWN: Final = 0.35
_MOST_STRANGE: Final = 1.2
_FOREIGN: Final = 0.3
_VAGUELY: Final = 0.5
_LEAST_GIVEN: Final = 3
_RULES: Final = frozenset({"preference", "convention", "config"})
_BARRING: Final = _RULES | {"decision", "architecture"}
_NAME: Final = re.compile(r"[0-9_]|[a-z][A-Z]|\w[./-]\w")
_CJK: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ENDINGS: Final = (("ies", 6), ("ing", 6), ("ed", 5), ("es", 6), ("s", 5))
_WORD: Final = re.compile(r"[^\s,;:!?()\[\]{}<>\"'`，。；：！？（）]+")

FEATURES: Final = ("covered", "shared", "about", "intended", "concept", "around", "asking", "valued", "barred")
"""Each 0 to 1. How much of the prompt's weight the fact has, and what was said around it has besides; how many telling
words and concepts both share; how much of the fact's title; whether it is a rule for what is to be done; whether the
prompt asks of the project at all; whether the fact shares more and holds a value of the kind that is asked for;
whether it rules out what the prompt names."""
WEIGHTS: Final[Mapping[str, float]] = {
    "covered": 2.31,
    "shared": 0.82,
    "about": 1.23,
    "intended": 3.1,
    "concept": 2.59,
    "around": 1.36,
    "asking": 0.7,
    "valued": 0.6,
    "barred": 2.03,
}
BIAS: Final = -2.24


@dataclass(frozen=True, slots=True)
class Relevance:
    """How likely a fact is wanted at a prompt, 0 to 1, and the terms and concepts that say so."""

    score: float
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Corpus:
    """How rare terms are: in how many of `total` facts each stands; a term that is not in it stands in none."""

    frequency: Mapping[str, int]
    total: int


def rank(
    prompt: str,
    facts: Sequence[Fact],
    limit: int,
    *,
    around: Mapping[int, str] | None = None,
    prior: Mapping[int, float] | None = None,
    corpus: Corpus | None = None,
    floor: float = FLOOR,
) -> tuple[tuple[Fact, Relevance], ...]:
    """Return the facts that deserve to be said at this prompt, the most relevant first, at most `limit`.

    `facts` are candidates of any quality; `around` is what was said around each, by row id, `prior` what is
    added to the model's sum for each (what came of it when it was given before). Without a corpus rarity is measured
    among the facts.
    """
    asked = Asked.of(prompt)
    if not (asked.terms or asked.concepts) or not facts:
        return ()
    known = [Known.of(fact, (around or {}).get(fact.id, "")) for fact in facts]
    corpus = corpus or corpus_of(known)
    found = []
    for fact, own in zip(facts, known, strict=True):
        figures, shared = compare(asked, own, corpus)
        score = likelihood(figures, (prior or {}).get(fact.id, 0.0))
        if shared and score >= floor:
            found.append((fact, Relevance(score, shared)))
    found.sort(key=lambda pair: (-pair[1].score, -pair[0].confidence, -pair[0].valid_from, pair[0].uid))
    return tuple(found[:limit])


def likelihood(figures: Mapping[str, float], prior: float = 0.0) -> float:
    """Return the model's answer for the figures of a prompt and a fact."""
    return 1 / (1 + math.exp(-(BIAS + prior + sum(WEIGHTS[name] * figure for name, figure in figures.items()))))


def prior_of(times: int, used: int) -> float:
    """Return what is added to the model's sum for a fact that was given to sessions so often, and used by some.

    Nothing until it was given three times; at most half a unit either way, towards what came of it.
    """
    return 0.0 if times < _LEAST_GIVEN else (used + 1) / (times + 2) - 0.5


@dataclass(frozen=True, slots=True)
class Asked:
    """What a prompt is about."""

    terms: tuple[str, ...]
    names: frozenset[str]
    concepts: frozenset[str]
    intents: frozenset[str]
    asking: bool
    values: frozenset[str] = frozenset()

    @classmethod
    def of(cls, prompt: str) -> Asked:
        """Return what a prompt is about."""
        values = asked_values(prompt)
        asking = (asks_of_here(prompt) or bool(values)) and not asks_of_now(prompt)
        said = _roots(terms(prompt))
        told = tuple(term for term in said if term not in GRAMMAR)
        return cls(told or said, _names(prompt), concepts(prompt), intents(prompt), asking, values)


@dataclass(frozen=True, slots=True)
class Known:
    """What a fact is about: its terms, those of its title and of what was said around it, its concepts and values."""

    terms: frozenset[str]
    title: frozenset[str]
    around: frozenset[str]
    concepts: frozenset[str]
    rule: bool
    cjk: bool
    values: frozenset[str] = frozenset()
    barred: frozenset[frozenset[str]] = frozenset()
    """The terms of each thing that it rules out by name."""

    @classmethod
    def of(cls, fact: Fact, around: str = "") -> Known:
        """Return what a fact is about, given what was said around it."""
        parts = " ".join(part.text for part in fact.parts)
        said = f"{fact.title}\n{fact.body}\n{parts}\n{' '.join(fact.tags)}"
        aims = {fact.slot.partition(":")[2]} if fact.slot and fact.slot.startswith("command:") else set()
        purposes = {part.text for part in fact.parts if part.name == "purpose"}
        return cls(
            frozenset(_roots(terms(said))),
            frozenset(_roots(terms(fact.title))),
            frozenset(_roots(terms(around))),
            concepts(said) | aims | concepts(" ".join(purposes)),
            fact.kind in _RULES or bool(aims),
            _CJK.search(said) is not None,
            held_values(said),
            _barred(fact),
        )

    @classmethod
    def of_text(cls, text: str, around: str = "") -> Known:
        """Return what something is about that is no fact."""
        cjk = _CJK.search(text) is not None
        own, beside = frozenset(_roots(terms(text))), frozenset(_roots(terms(around)))
        return cls(own, frozenset(), beside, concepts(text), rule=False, cjk=cjk, values=held_values(text))


def _barred(fact: Fact) -> frozenset[frozenset[str]]:
    if fact.kind not in _BARRING:
        return frozenset()
    named = barred(fact.body) | {part.text for part in fact.parts if part.name == "rejected" and " " not in part.text}
    things = (frozenset(root for root in _roots(terms(name)) if not _is_common(root)) for name in named)
    # What is to be done in every project is no name of anything.
    return frozenset(thing for thing in things if thing and thing.isdisjoint(_WORK_ROOTS))


def telling(text: str) -> frozenset[str]:
    """Return the terms of a text that say what it is about, without their endings."""
    return frozenset(term for term in _roots(terms(text)) if not _is_common(term))


def corpus_of(known: Sequence[Known]) -> Corpus:
    """Return how rare terms are among some facts."""
    return Corpus(Counter(term for one in known for term in one.terms), len(known))


def compare(asked: Asked, known: Known, corpus: Corpus) -> tuple[dict[str, float], tuple[str, ...]]:
    """Return the figures of a prompt and a fact, each 0 to 1, and what both share."""
    weights = {term: _weight(term, asked.names, corpus) for term in asked.terms}
    if not known.cjk:
        # Words of a language that a fact is not written in cannot speak against it.
        weights = {term: weight * (_FOREIGN if _CJK.match(term) else 1.0) for term, weight in weights.items()}
    decisive = sorted(asked.terms, key=lambda term: -weights[term])[:_DECISIVE_TERMS]
    shared = [term for term in decisive if term in known.terms]
    telling = [term for term in shared if not _is_common(term)]
    beside = [term for term in decisive if term in known.around and term not in known.terms]
    # However long a prompt is: words that no fact knows speak against a fact only so much.
    strange = sum(weights[term] for term in decisive if not corpus.frequency.get(term))
    total = sum(weights[term] for term in decisive if corpus.frequency.get(term))
    total += min(strange, _MOST_STRANGE * _rarity(0, corpus.total))
    gained = sum(weights[term] for term in shared)
    intended = asked.intents & known.concepts
    # What shares the word itself is counted by that.
    said = frozenset(name for term in asked.terms if term in known.terms for name in _CONCEPTS_OF.get(term, ()))
    common = (asked.concepts & known.concepts) - said
    values = asked.values & known.values
    if not (telling or common or any(not _is_common(term) for term in beside)):
        values &= TELLING
    figures = {
        "covered": gained / total if total else 0.0,
        "shared": min(len(telling), 4) / 4,
        "about": min(len(set(telling) & known.title) / max(min(len(known.title), 6), 1), 1.0),
        "intended": float(bool(intended)) * (1.0 if known.rule else 0.4),
        "concept": min(len(common), 2) / 2,
        "around": min(sum(weights[term] for term in beside) / total, 1.0) if total else 0.0,
        "asking": float(asked.asking),
        "valued": 1.0 if values - VAGUE else _VAGUELY if values else 0.0,
        "barred": float(any(name.issubset(asked.terms) for name in known.barred)),
    }
    grounds = (*telling, *(term for term in beside if not _is_common(term)), *sorted(values & TELLING))
    both = intended or (common if len(common) > 1 or (common and values) else ())
    return figures, (*grounds, *sorted(both))


def _weight(term: str, names: frozenset[str], corpus: Corpus) -> float:
    seen = corpus.frequency.get(term, 0)
    rarity = _rarity(seen, corpus.total)
    if term in _EVERYDAY_ROOTS:
        rarity *= _EVERYDAY
    elif term in _PROGRAMMING_ROOTS:
        rarity *= _PROGRAMMING
    elif term in _CONCEPTS_OF:
        rarity *= _CONCEPTUAL
    elif not seen:
        # No fact knows it: it says that the prompt is about something else, but most words of a prompt are such.
        rarity *= _UNKNOWN
    return rarity * (_NAMED if term in names else 1.0)


def _rarity(seen: int, total: int) -> float:
    return math.log1p((total + 1) / (seen + 0.5))


def _is_common(term: str) -> bool:
    return term in _EVERYDAY_ROOTS or term in _PROGRAMMING_ROOTS


def _roots(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_root(word) for word in words))


@lru_cache(16_384)
def _root(word: str) -> str:
    """Return an English word without the ending that says how many or when; others as they are."""
    if len(word) < 4 or not word.isascii() or not word.isalpha() or word.endswith("ss"):
        return word
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) >= least:
            stem = word[: -len(ending)]
            if ending == "ies":
                return f"{stem}y"
            doubled = ending in ("ing", "ed") and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            return stem[:-1] if doubled else stem.removesuffix("e")
    return word.removesuffix("e")


def _names(prompt: str) -> frozenset[str]:
    """The terms of identifiers, file names and the like, which say more than words do."""
    words = [word.strip(".") for word in _WORD.findall(prompt)]
    named = [word for word in words if _NAME.search(word) and not _CJK.search(word)]
    return frozenset(_roots(term for word in named for term in terms(word)))


_EVERYDAY_ROOTS: Final = frozenset(_roots(EVERYDAY)) | GRAMMAR
_PROGRAMMING_ROOTS: Final = frozenset(_roots(PROGRAMMING))
_WORK_ROOTS: Final = frozenset(_roots(WORK))
# Words of concepts stand in every project's talk, be they rare in this one or not.
_CONCEPTS_OF: Final[Mapping[str, frozenset[str]]] = {_root(word): names for word, names in CONCEPT_WORDS.items()}
