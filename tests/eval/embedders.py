"""Embeddings beside each other: `python -m tests.eval.embedders [NAME ...] [--json]`.

The corpus is that of the coding-memory benchmark: what its people and agents say, one text each, and the questions that
are asked of it later. A text answers when it stands in the exchange that a question is about and holds the answer; an
embedding counts by the reciprocal place of the first text that does (MRR), found by cosine alone. Intervals are those
of 95 in 100 samples of the questions, drawn with replacement. Of two embeddings the difference is told as well,
question by question, because two intervals that overlap may still differ. Without names all that run here are compared:
the static one, its signs alone, and the tiers that are installed.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

from memd.recall import embedding, tiers
from tests.eval.coding_memory.story import HELD_OUT, Question, Story, read_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SAMPLES: Final = 1_000
_TAIL: Final = 0.025

Embed = Callable[[Sequence[str], bool], "NDArray[np.float32]"]
"""Turns texts, or questions (True), into rows of length 1."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Texts, questions, and for each question the places of the texts that answer it."""

    texts: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """An embedding's MRR with its interval, and the reciprocal place of each question."""

    name: str
    mrr: float
    low: float
    high: float
    each: tuple[float, ...]


def corpus(stories: Sequence[Story]) -> Corpus:
    """Return what is said in stories, and the questions that something said answers."""
    places: dict[tuple[str, str], list[int]] = {}
    texts: list[str] = []
    for story in stories:
        for told in story.sessions:
            for exchange in told.exchanges:
                for step in exchange.steps:
                    if step.kind in ("user", "agent"):
                        places.setdefault((story.name, exchange.topic), []).append(len(texts))
                        texts.append(step.text)
    asked: list[tuple[Question, frozenset[int]]] = []
    for story in stories:
        for question in story.questions:
            own = places.get((story.name, question.topic), ())
            asked.append((question, frozenset(at for at in own if question.answer.given_by(texts[at]))))
    answered = [(question.text, right) for question, right in asked if right and not question.unanswerable]
    return Corpus(tuple(texts), tuple(text for text, _ in answered), tuple(right for _, right in answered))


def known() -> Mapping[str, Embed]:
    """Return the embeddings that run here, by name."""
    found: dict[str, Embed] = {}
    if embedding.missing() is None:
        found["static"] = lambda texts, _: embedding.embedder().embed(texts)
        found["static-signs"] = lambda texts, _: _signs(embedding.embedder().embed(texts))
    for name, tier in tiers.TIERS.items():
        if tier.missing is None:
            found[name] = _of_tier(tier.make)
    return found


def reciprocals(of: Corpus, embed: Embed) -> tuple[float, ...]:
    """Return for each question one divided by the place of the first text that answers it."""
    alike = embed(of.questions, True) @ embed(of.texts, False).T
    places = []
    for row, right in zip(alike, of.answers, strict=True):
        best = max(float(row[at]) for at in right)
        places.append(1 / (1 + int((row > best).sum())))
    return tuple(places)


def interval(each: Sequence[float], seed: int = 7) -> tuple[float, float]:
    """Return between what the mean of 95 in 100 samples lies."""
    chance = random.Random(seed)
    means = sorted(fmean(chance.choices(each, k=len(each))) for _ in range(_SAMPLES))
    return means[int(_SAMPLES * _TAIL)], means[int(_SAMPLES * (1 - _TAIL)) - 1]


def rank(of: Corpus, embeddings: Mapping[str, Embed]) -> tuple[Standing, ...]:
    """Return the embeddings, the best first."""
    found = []
    for name, embed in embeddings.items():
        each = reciprocals(of, embed)
        found.append(Standing(name, fmean(each), *interval(each), each))
    return tuple(sorted(found, key=lambda one: (-one.mrr, one.name)))


def _signs(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    import numpy as np

    signs: NDArray[np.float32] = np.where(rows > 0, 1.0, -1.0).astype(np.float32)
    return signs / np.float32(rows.shape[1] ** 0.5)


def _of_tier(make: str) -> Embed:
    return lambda texts, as_question: tiers.embedder(make).embed(texts, as_question=as_question)


def main() -> None:
    """Print the ranking."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(known())}")
    parser.add_argument("--json", action="store_true", help="one object instead of a table")
    given = parser.parse_args()
    chosen: dict[str, Any] = {name: embed for name, embed in known().items() if not given.names or name in given.names}
    if absent := [name for name in given.names if name not in chosen]:
        parser.error(f"{', '.join(absent)} does not run here; there is {', '.join(known()) or 'none'}")
    of = corpus((*read_all(), *read_all(HELD_OUT)))
    ranked = rank(of, chosen)
    if given.json:
        told = [{"name": one.name, "MRR": one.mrr, "low": one.low, "high": one.high} for one in ranked]
        print(json.dumps({"questions": len(of.questions), "texts": len(of.texts), "embeddings": told}))
        return
    print(f"{len(of.questions)} questions over {len(of.texts)} texts")
    for place, one in enumerate(ranked, 1):
        line = f"{place}. {one.name:14} MRR {one.mrr:.3f}  ({one.low:.3f} to {one.high:.3f})"
        if place > 1:
            apart = [better - own for better, own in zip(ranked[0].each, one.each, strict=True)]
            low, high = interval(apart)
            line += f"  behind the first by {fmean(apart):.3f}  ({low:.3f} to {high:.3f})"
        print(line)


if __name__ == "__main__":
    main()
