"""Fit the weights of memd.distill.findings on labelled sessions, and print them.

Usage: python tests/eval/fit_findings.py GOLD [GOLD ...]

Every sentence of the model that asserts something is an example: a good one when the scorer beside the gold files
would count it, said alone, as a fact that still holds. Sessions weigh alike whatever their length (by the square
root of their sentences). Prints the area under the ROC curve in a four-fold cross-validation by session, then the
weights.
"""

from __future__ import annotations

import importlib.util
import math
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import orjson

from memd.distill.findings import WEIGHTS, asserts, signals
from memd.distill.thread import Thread
from memd.errors import MemdError
from memd.preview import read

_ROUNDS = 400
_STEP = 1.5
_SHRINK = 2.0
_FOLDS = 4


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence: the signals it shows, whether it is worth keeping, and the session it is from."""

    shown: frozenset[str]
    good: bool
    session: str


def examples(folder: Path) -> Iterator[Example]:
    """Yield the examples of a folder of gold files; sessions that no adapter reads are left out."""
    scorer = _scorer(folder)
    for path in sorted(folder.rglob("*.gold.json")):
        gold = orjson.loads(path.read_bytes())
        try:
            transcript = read(path.parent / gold["file"])[gold.get("session") or 0]
        except (MemdError, IndexError):
            continue
        facts = [scorer.X(fact) for fact in gold["facts"] if not fact["superseded_by"]]
        traps = [scorer.X(trap) for trap in gold["traps"]]
        thread = Thread(transcript)
        for statement in thread.statements:
            if statement.speaker == "assistant" and asserts(statement.text):
                said = scorer.prep_out({"text": statement.text, "quotes": [statement.text]})
                fact, trap = (
                    max((v for ok, v in (scorer.sim(said, x) for x in xs) if ok), default=0.0) for xs in (facts, traps)
                )
                yield Example(frozenset(signals(thread, statement)), fact > 0 and fact >= trap, gold["id"])


def _scorer(folder: Path) -> ModuleType:
    path = next(path for path in (folder / "score.py", folder.parent / "distill" / "score.py") if path.exists())
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fitted(found: Sequence[Example]) -> tuple[float, dict[str, float]]:
    """Return bias and weights of a logistic regression by gradient descent."""
    sizes: dict[str, int] = {}
    for one in found:
        sizes[one.session] = sizes.get(one.session, 0) + 1
    share = [1 / math.sqrt(sizes[one.session]) for one in found]
    total = sum(share)
    bias, weights = 0.0, dict.fromkeys(WEIGHTS, 0.0)
    for _ in range(_ROUNDS):
        slope, slopes = 0.0, dict.fromkeys(weights, 0.0)
        for one, part in zip(found, share, strict=True):
            error = (likelihood(bias, weights, one) - one.good) * part
            slope += error
            for name in one.shown:
                slopes[name] += error
        bias -= _STEP * slope / total
        for name, value in slopes.items():
            weights[name] -= _STEP * (value / total + _SHRINK * weights[name] / len(found) / 3)
    return bias, weights


def likelihood(bias: float, weights: dict[str, float], one: Example) -> float:
    """Return the probability that weights give to an example."""
    return 1 / (1 + math.exp(-bias - sum(weights[name] for name in one.shown)))


def area(bias: float, weights: dict[str, float], held: Sequence[Example]) -> float:
    """Return how often a good example is ranked before another one (0.5 is chance)."""
    good, rest = ([likelihood(bias, weights, one) for one in held if one.good is flag] for flag in (True, False))
    pairs = [(a > b) + 0.5 * (a == b) for a in good for b in rest]
    return sum(pairs) / len(pairs) if pairs else math.nan


def main() -> int:
    """Fit on the folders that were named."""
    found = [one for folder in sys.argv[1:] for one in examples(Path(folder))]
    if not found:
        print(__doc__)
        return 2
    sessions = sorted({one.session for one in found})
    random.Random(1).shuffle(sessions)
    print(f"{len(found)} sentences of {len(sessions)} sessions, {sum(one.good for one in found)} of them facts")
    for fold in range(_FOLDS):
        held = set(sessions[fold::_FOLDS])
        bias, weights = fitted([one for one in found if one.session not in held])
        print(f"fold {fold}: area {area(bias, weights, [one for one in found if one.session in held]):.3f}")
    bias, weights = fitted(found)
    print(f"bias {bias:+.2f}")
    for name, weight in sorted(weights.items(), key=lambda entry: -entry[1]):
        print(f"{name:14} {weight:+.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
