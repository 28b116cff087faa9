"""Fit the weights and floors of `memd.recall.relevance`: `python -m tests.eval.injection_fit [--database FILE] [-v]`.

The pairs are those of the coding-memory benchmark: each question with each fact of its project, wanted when the fact
answers it or was said about its topic. Questions without an answer, and questions about other projects, want nothing.
What is printed is measured on projects that the weights were not fitted on, each left out once; the weights to be
written into the module are those of all projects together.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.inject.choosing import around_text
from memd.inject.prompt import worth_looking
from memd.model import Fact
from memd.recall.relevance import FEATURES, Asked, Known, compare, corpus_of
from memd.store import facts, projects, surroundings
from memd.store.connection import connect_reader
from tests.eval.coding_memory.house import lived_in, topics_of
from tests.eval.coding_memory.story import Question, Story, read_all

_ROUNDS: Final = 30
_RIDGE: Final = 1.0
# A fact beside the one that answers is often near the matter, and so may be one about the same tool in another project.
_BESIDE: Final = 0.15
_ELSEWHERE_WEIGHT: Final = 1.0
# What is asked in another project only makes sense as a question when it names something of that project.
_ELSEWHERE: Final = frozenset({"why", "what", "fail", "file", "reject"})
_FALSE: Final = 0.02
_STRAY: Final = 1 / 7


@dataclass(frozen=True, slots=True)
class Pair:
    """A prompt and a fact: the figures, and whether the fact is wanted."""

    figures: tuple[float, ...]
    wanted: bool
    weight: float
    text: str


@dataclass(frozen=True, slots=True)
class Asking:
    """A prompt in a project with all of that project's facts."""

    project: str
    text: str
    answerable: bool
    near: bool
    """Whether it is a prompt of this project that nothing bears on."""
    pairs: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Model:
    """Weights by feature, and what is added."""

    weights: tuple[float, ...]
    bias: float

    def score(self, figures: Sequence[float]) -> float:
        """How likely a fact with these figures is wanted."""
        return 1 / (1 + math.exp(-self.bias - sum(map(float.__mul__, self.weights, figures))))


def askings(database: Path, stories: tuple[Story, ...]) -> tuple[Asking, ...]:
    """Return every prompt with the figures of every fact of the project it is asked in."""
    with closing(connect_reader(database)) as conn:
        known = {story.name: facts.known(conn, projects.find(conn, story.name).id) for story in stories}
        topics = topics_of(conn, stories)
        everything = {fact.id: fact for found in known.values() for fact in found}
        around = surroundings.of_facts(conn, everything)
    about = {fact.id: Known.of(fact, _said(around.get(fact.id))) for fact in everything.values()}
    corpus = corpus_of(list(about.values()))

    def pairs(question: Question, found: tuple[Fact, ...], *, here: bool) -> Iterator[Pair]:
        asked = Asked.of(question.text)
        for fact in found:
            figures, shared = compare(asked, about[fact.id], corpus)
            wanted = here and _wants(question, fact, topics.get(fact.id, frozenset()))
            weight = 1.0 if wanted or question.unanswerable else _BESIDE if here else _ELSEWHERE_WEIGHT
            if shared or wanted:
                yield Pair(tuple(float(figures[name]) for name in FEATURES), wanted, weight, fact.title[:70])

    found = []
    for story in stories:
        for other in stories:
            for question in other.questions:
                here = other is story
                if worth_looking(question.text) and (here or question.kind in _ELSEWHERE):
                    made = tuple(pairs(question, known[story.name], here=here))
                    answerable = any(pair.wanted for pair in made)
                    if here or made:
                        found.append(
                            Asking(story.name, question.text, answerable, here and question.unanswerable, made)
                        )
    return tuple(found)


def _said(around: surroundings.Surroundings | None) -> str:
    return "" if around is None else around_text(around)


def _wants(question: Question, fact: Fact, topics: frozenset[str]) -> bool:
    if question.unanswerable:
        return False
    text = "\n".join((fact.title, fact.body, *(part.text for part in fact.parts)))
    return question.answer.given_by(text) or f"{question.project}/{question.topic}" in topics


def fit(asked: Sequence[Asking]) -> Model:
    """Return the weights, none below zero, that make wanted pairs likely: ridge logistic regression by Newton's steps.

    A feature whose weight would be negative is left out, one after the other.
    """
    pairs = [pair for asking in asked for pair in asking.pairs]
    used = list(range(len(FEATURES)))
    while True:
        solved = _newton(pairs, used)
        worst = min(range(len(used)), key=lambda at: solved[at])
        if solved[worst] >= 0:
            weights = [0.0] * len(FEATURES)
            for at, feature in enumerate(used):
                weights[feature] = solved[at]
            return Model(tuple(weights), solved[-1])
        del used[worst]


def _newton(pairs: Sequence[Pair], used: Sequence[int]) -> list[float]:
    """Return the weights of the used features and the bias."""
    size = len(used) + 1
    found = [0.0] * size
    rows = [([pair.figures[at] for at in used] + [1.0], pair.wanted, pair.weight) for pair in pairs]
    for _ in range(_ROUNDS):
        slope = [_RIDGE * value for value in found[:-1]] + [0.0]
        curve = [[_RIDGE * (row == column) for column in range(size)] for row in range(size)]
        for figures, wanted, weight in rows:
            score = 1 / (1 + math.exp(-sum(map(float.__mul__, found, figures))))
            steep = weight * score * (1 - score)
            for row in range(size):
                slope[row] += weight * (score - wanted) * figures[row]
                for column in range(size):
                    curve[row][column] += steep * figures[row] * figures[column]
        step = _solve(curve, slope)
        found = [value - moved for value, moved in zip(found, step, strict=True)]
        if max(map(abs, step)) < 1e-4:
            break
    return found


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return x of matrix x = right, by elimination; the matrix is positive definite."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for at in range(size):
        for below in range(at + 1, size):
            factor = rows[below][at] / rows[at][at]
            rows[below] = [mine - factor * above for mine, above in zip(rows[below], rows[at], strict=True)]
    solved = [0.0] * size
    for at in reversed(range(size)):
        solved[at] = (rows[at][size] - sum(rows[at][k] * solved[k] for k in range(at + 1, size))) / rows[at][at]
    return solved


def floor_for(model: Model, asked: Sequence[Asking], rate: float) -> float:
    """Return the least floor at which few prompts without an answer are given something.

    That is at most `rate` of those about the project, and one in seven of those about another one, which may name what
    both have.
    """
    near = [_best(model, asking) for asking in asked if asking.near]
    stray = [_best(model, asking) for asking in asked if not asking.near and not asking.answerable]
    return max(_exceeded_by(near, rate), _exceeded_by(stray, _STRAY)) + 1e-6


def _exceeded_by(scores: Sequence[float], rate: float) -> float:
    best = sorted(scores, reverse=True)
    return best[min(int(rate * len(best)), len(best) - 1)] if best else 0.0


def _best(model: Model, asking: Asking) -> float:
    return max((model.score(pair.figures) for pair in asking.pairs), default=0.0)


@dataclass(slots=True)
class Count:
    """What came of some prompts at a floor."""

    answerable: int = 0
    answered: int = 0
    first: int = 0
    said: int = 0
    right: int = 0
    silent: int = 0
    falsely: int = 0
    elsewhere: int = 0
    strayed: int = 0

    def add(self, model: Model, asking: Asking, floor: float, most: int = 4) -> None:
        """Count one prompt."""
        ranked = sorted(asking.pairs, key=lambda pair: -model.score(pair.figures))
        given = [pair for pair in ranked[:most] if model.score(pair.figures) >= floor]
        self.said += len(given)
        self.right += sum(pair.wanted for pair in given)
        if asking.answerable:
            self.answerable += 1
            self.answered += any(pair.wanted for pair in given)
            self.first += bool(given) and given[0].wanted
        elif asking.near:
            self.silent += 1
            self.falsely += bool(given)
        else:
            self.elsewhere += 1
            self.strayed += bool(given)

    def line(self) -> str:
        """The counts as one line."""
        return (
            f"answered {self.answered}/{self.answerable}, first {self.first}; precision"
            f" {self.right}/{self.said} = {self.right / max(self.said, 1):.2f};"
            f" falsely {self.falsely}/{self.silent} = {self.falsely / max(self.silent, 1):.3f};"
            f" to other projects' questions {self.strayed}/{self.elsewhere}"
        )


def left_out(asked: Sequence[Asking], rate: float) -> Count:
    """Return what comes of each project's prompts with weights and floor of the other projects."""
    count = Count()
    for name in dict.fromkeys(asking.project for asking in asked):
        others = [asking for asking in asked if asking.project != name]
        model = fit(others)
        floor = floor_for(model, others, rate)
        for asking in asked:
            if asking.project == name:
                count.add(model, asking, floor)
    return count


def _tell(model: Model, asked: Sequence[Asking], floor: float) -> None:
    for asking in asked:
        best = max(asking.pairs, key=lambda pair: model.score(pair.figures), default=None)
        if best is None:
            if asking.answerable:
                print("  nothing shared:", asking.project, asking.text)
        elif (model.score(best.figures) >= floor) != asking.answerable or (asking.answerable and not best.wanted):
            what = "silent " if asking.answerable and model.score(best.figures) < floor else "wrong  "
            figures = {name: round(value, 2) for name, value in zip(FEATURES, best.figures, strict=True) if value}
            print(f"  {what} {model.score(best.figures):.2f} {asking.project}: {asking.text} <- {best.text} {figures}")


def report(database: Path, stories: tuple[Story, ...], *, verbose: bool = False) -> None:
    """Print the fit."""
    asked = askings(database, stories)
    print(f"{len(asked)} prompts, {sum(asking.answerable for asking in asked)} of them with an answer")
    for rate in (0.01, _FALSE, 0.05):
        print(f"left out, {rate:.0%} of the unanswerable allowed: {left_out(asked, rate).line()}")
    model = fit(asked)
    print("BIAS", round(model.bias, 2))
    print("WEIGHTS", {name: round(weight, 2) for name, weight in zip(FEATURES, model.weights, strict=True)})
    if verbose:
        _tell(model, asked, floor_for(model, asked, _FALSE))
    for rate in (0.005, 0.01, _FALSE, 0.05):
        floor = floor_for(model, asked, rate)
        count = Count()
        for asking in asked:
            count.add(model, asking, floor)
        print(f"floor {floor:.3f} at {rate:.1%}: {count.line()}")


def main() -> None:
    """Fit on a database that was kept, or on one that is made now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", type=Path, help="a database of the benchmark that was kept")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell where it errs")
    chosen = parser.parse_args()
    if chosen.database is not None:
        report(chosen.database, read_all(), verbose=chosen.verbose)
        return
    with lived_in() as house:
        report(house.home.paths.database, house.stories, verbose=chosen.verbose)


if __name__ == "__main__":
    main()
