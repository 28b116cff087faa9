"""Fit the weights of memd.distill.worth on labelled sessions, check them on sessions left out, and write them down.

Usage: python tests/eval/fit_distill.py [GOLD ...] [--folds N] [--seed N] [--write]

Every passage is an example: a good one when the scorer of the gold files would count it, said alone, as a fact that
still holds. Sessions weigh by the square root of their passages, those of a set called `-real` twice, and what holds a
fact that must not be missed, or a trap, weighs more. A logistic regression with a ridge penalty, solved by Newton's
method. First the figures on sessions that were left out, one by one, through the whole of distillation; then, with
--write, memd/distill/weights.py.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memd.distill.distill import setting_of
from memd.distill.draft import Draft, candidate
from memd.distill.setting import Setting
from memd.distill.signals import signals
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.distill.worth import Weights
from memd.errors import MemdError
from memd.model import Distilled, Events, Summary
from memd.preview import document
from tests.eval.distill_gold import Labelled, folders, labelled, load_scorer, scorer, transcript

_RIDGE = 60.0
_STEPS = 8
_LIVED = 2.0  # weight of a session that people really had, against one that was written for the purpose
_MUST = 2.25  # weight of what holds a must-fact
_TRAP = 3.5  # weight of what holds a trap, or what no longer holds
_LEAST = 0.04  # smaller weights are left out
_WEIGHTS = Path(__file__).resolve().parents[2] / "memd" / "distill" / "weights.py"


@dataclass(frozen=True, slots=True)
class Example:
    """A passage: its speaker, the signals it shows, whether it holds a fact, and what it weighs."""

    speaker: str
    shown: frozenset[str]
    good: bool
    weight: float


@dataclass(frozen=True, slots=True)
class Session:
    """A labelled session made ready."""

    labelled: Labelled
    setting: Setting
    drafts: tuple[Draft, ...]
    examples: tuple[Example, ...]
    score: Any


def load(folder: Path) -> list[Session]:
    """Return the sessions of a folder that an adapter reads."""
    program = scorer(folder)
    if program is None:
        return []
    found = []
    for one in labelled(folder):
        try:
            setting, drafts = setting_of(Thread(transcript(one)))
        except (MemdError, IndexError):
            continue
        score = load_scorer(program)
        found.append(Session(one, setting, drafts, _examples(one, setting, score), score))
    return found


def _examples(one: Labelled, setting: Setting, score: Any) -> tuple[Example, ...]:
    gold = one.gold
    facts = [score.X(fact) for fact in gold["facts"]]
    traps = [score.X(trap) for trap in gold["traps"]]
    found = []
    for passage in setting.passages:
        said = score.prep_out({"text": passage.text})
        fits = [(value, fact.g) for fact in facts for ok, value in [score.sim(said, fact)] if ok]
        trap = max((value for x in traps for ok, value in [score.sim(said, x)] if ok), default=0.0)
        best = max(fits, key=lambda fit: fit[0], default=(0.0, None))
        good = best[1] is not None and best[0] >= trap and not best[1]["superseded_by"]
        weight = (_LIVED if one.set.endswith("-real") else 1) / math.sqrt(len(setting.passages))
        if good and any(fact["must"] for _, fact in fits):
            weight *= _MUST
        elif not good and (trap > 0 or best[0] > 0):
            weight *= _TRAP
        found.append(Example(passage.anchor.speaker, signals(setting, passage), good, weight))
    return tuple(found)


def fitted(sessions: Sequence[Session]) -> Weights:
    """Return the weights that fit best."""
    examples = [one for session in sessions for one in session.examples]
    user, model = (_regression([one for one in examples if one.speaker == who]) for who in ("user", "assistant"))
    return Weights(user, model)


def _regression(examples: Sequence[Example]) -> dict[str, float]:
    """Return the weights of a logistic regression, the bias under ""; Newton's method with a ridge penalty."""
    names = ["", *sorted({name for one in examples for name in one.shown})]
    at = {name: number for number, name in enumerate(names)}
    rows = [[0, *sorted(at[name] for name in one.shown)] for one in examples]  # in one order: sums of floats differ
    mean = sum(one.weight for one in examples) / len(examples)
    shares = [one.weight / mean for one in examples]
    beta = [0.0] * len(names)
    for _ in range(_STEPS):
        slope = [0.0 if n == 0 else _RIDGE * value for n, value in enumerate(beta)]
        curve = [[0.0] * len(names) for _ in names]
        for n in range(1, len(names)):
            curve[n][n] = _RIDGE
        for one, row, share in zip(examples, rows, shares, strict=True):
            likely = 1 / (1 + math.exp(-sum(beta[n] for n in row)))
            error, spread = share * (likely - one.good), share * likely * (1 - likely)
            for n in row:
                slope[n] += error
                line = curve[n]
                for m in row:
                    line[m] += spread
        beta = [value - step for value, step in zip(beta, _solved(curve, slope), strict=True)]
    return {name: round(value, 2) for name, value in zip(names, beta, strict=True) if not name or abs(value) >= _LEAST}


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Return x of matrix x = right, for a symmetric positive definite matrix (Cholesky)."""
    size = len(right)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(a * b for a, b in zip(lower[i][:j], lower[j][:j], strict=True))
            lower[i][j] = math.sqrt(max(rest, 1e-12)) if i == j else rest / lower[j][j]
    forward: list[float] = []
    for i in range(size):
        forward.append((right[i] - sum(lower[i][j] * forward[j] for j in range(i))) / lower[i][i])
    found = [0.0] * size
    for i in reversed(range(size)):
        found[i] = (forward[i] - sum(lower[j][i] * found[j] for j in range(i + 1, size))) / lower[i][i]
    return found


def measured(session: Session, weights: Weights) -> dict[str, Any]:
    """Return what the scorer counts for one session with these weights."""
    drafts = weigh(session.setting, session.drafts, weights)
    own = session.setting.thread.session
    found = Distilled(Summary("", ""), tuple(candidate(draft, own) for draft in drafts), Events())
    counted: dict[str, Any] = session.score.one(session.labelled.gold, document(own, found))
    return counted


def left_out(sessions: Sequence[Session], folds: int = 0, seed: int = 1) -> list[tuple[Session, dict[str, Any]]]:
    """Return each session with its counts under weights that were fitted without it.

    Each is left out alone, or with the others of its fold where a number of `folds` is given; which they are is drawn.
    """
    order = list(sessions)
    random.Random(seed).shuffle(order)
    folds = folds or len(order)
    found: list[tuple[Session, dict[str, Any]]] = []
    for fold in range(folds):
        held = order[fold::folds]
        weights = fitted([one for one in order if one not in held])
        found += [(one, measured(one, weights)) for one in held]
    return found


def line(name: str, counts: Sequence[dict[str, Any]]) -> str:
    """Return the figures of some sessions on one line."""
    sums = {
        key: sum(one[key] for one in counts) for key in ("out", "good", "must", "must_hit", "traps_hit", "sup_viol")
    }
    return (
        f"{name:28} {len(counts):3} sessions, {sums['out'] / len(counts):5.1f} facts each: must-recall"
        f" {sums['must_hit'] / max(sums['must'], 1):.2f}, precision {sums['good'] / max(sums['out'], 1):.2f}, traps"
        f" {sums['traps_hit'] / len(counts):.2f} a session, superseded shown {sums['sup_viol']}"
    )


def main() -> int:
    """Fit on the folders that were named."""
    parser = argparse.ArgumentParser(description="Fit the weights of distillation.")
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--folds", type=int, default=0, help="leave out a fold of sessions at a time, not one")
    parser.add_argument("--seed", type=int, default=1, help="which sessions make a fold")
    parser.add_argument("--write", action="store_true", help="write memd/distill/weights.py")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every session")
    options = parser.parse_args()
    sessions = [one for folder in folders(options.gold) for one in load(folder)]
    if not sessions:
        print(__doc__)
        return 2
    final = fitted(sessions)
    for title, counts in (
        ("left out", left_out(sessions, options.folds, options.seed)),
        ("fitted on", [(one, measured(one, final)) for one in sessions]),
    ):
        print(f"== {title}")
        if options.verbose:
            for one, count in sorted(counts, key=lambda entry: (entry[0].labelled.set, entry[0].labelled.id)):
                print(line(one.labelled.id, [count]))
        for name in sorted({one.labelled.set for one in sessions}):
            print(line(name, [count for one, count in counts if one.labelled.set == name]))
    if options.write:
        _WEIGHTS.write_text(_module(final, sessions), "utf-8")
        print(f"wrote {_WEIGHTS}")
    return 0


def _module(weights: Weights, sessions: Sequence[Session]) -> str:
    def table(name: str, of: dict[str, float]) -> str:
        lines = [
            f'    "{key}": {value},' for key, value in sorted(of.items(), key=lambda entry: (entry[0] != "", -entry[1]))
        ]
        return "\n".join([f"{name}: Final[dict[str, float]] = {{", *lines, "}"])

    examples = sum(len(one.examples) for one in sessions)
    return (
        f'"""The weights of the signals, fitted on {examples} passages of {len(sessions)} labelled sessions.\n\n'
        'Written by tests/eval/fit_distill.py; not to be edited by hand.\n"""\n\nfrom __future__ import annotations\n\n'
        "from typing import Final\n\n"
        + table("USER", dict(weights.user))
        + "\n\n"
        + table("MODEL", dict(weights.model))
        + "\n"
    )


if __name__ == "__main__":
    sys.exit(main())
