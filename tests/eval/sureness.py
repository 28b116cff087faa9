"""Whether search tells what answers from what is only near: `python -m tests.eval.sureness [--fit] [--json]`.

Asked are the questions of the coding-memory benchmark, with those on which nothing bears, and, where ../shared has it,
questions of LongMemEval of haystacks that have the answer and of others. Told is how many of the answerable ones are
called unsure or not found, and how many of the others. `--fit` prints weights for `memd.recall.sureness`, fitted on all
but the two projects that are held out and half of the haystacks.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

from memd.recall import embedding, question
from memd.recall.near import Indexes, NearRequest
from memd.recall.recall import by_words
from memd.recall.sureness import BIAS, WEIGHTS, Grounds, is_found, is_sure
from memd.store.chosen import Chosen
from tests.eval import retrieval, retrieval_suite
from tests.eval.coding_memory.house import lived_in
from tests.eval.coding_memory.story import HELD_OUT, STORIES, read_all

_EVERY: Final = 5
_FOREIGN: Final = 4
_SMOOTH: Final = 0.5
_ROUNDS: Final = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, of which set, whether it can be answered, the figures, and what was said of them."""

    of: str
    answerable: bool
    figures: dict[str, float]
    sure: bool
    found: bool
    held_out: bool


def coding() -> Iterator[Asked]:
    """Ask the questions of the coding-memory benchmark through the socket of a daemon."""
    for folder in (STORIES, HELD_OUT):
        with lived_in(read_all(folder)) as house:
            for story in house.stories:
                for one in story.questions:
                    said = house.home.call(
                        "search", query=one.text, project=str(house.trees[story.name]), limit=5, explain=True
                    )
                    yield Asked(
                        "coding memory", not one.unanswerable, said["grounds"], said["sure"], said["found"],
                        folder == HELD_OUT,
                    )  # fmt: skip


def conversations(path: Path) -> Iterator[Asked]:
    """Ask haystacks of LongMemEval their own question and some that are another's."""
    data = retrieval_suite._load(path)
    sessions, texts, chance = dict(data.pool()), retrieval.Texts(), random.Random(1)
    every = list(data.questions())
    for number, own in enumerate(every[::_EVERY]):
        conn = retrieval.open_store()
        haystack = {**own, "haystack_sessions": [sessions[one] for one in own["haystack_session_ids"]]}
        retrieval.fill(conn, haystack, texts)
        retrieval.embed(conn, texts)
        index = Indexes(texts.model)
        index.refresh(conn)
        known = set(own["haystack_session_ids"])
        others = [one for one in chance.sample(every, 2 * _FOREIGN) if not known & set(one["answer_session_ids"])]
        own_ones = [] if own["question_id"].endswith("_abs") else [own]
        for asked in (*own_ones, *others[:_FOREIGN]):
            read = question.read(asked["question"], retrieval.when(asked["question_date"]), UTC)
            near, words = index.search(conn, NearRequest(Path(), read.matter)), by_words(conn, read, Chosen())
            grounds = Grounds(
                max((cosine for _, _, cosine in near.messages), default=0.0),
                max((held.share for held in words.sessions.values()), default=0.0),
                0.0, facts=False, calls=False, things=len(read.things), unknown=len(words.lacking) == len(read.things),
                cjk=False,
            )  # fmt: skip
            yield Asked(
                "LongMemEval", asked is own, grounds.figures, is_sure(grounds), is_found(grounds), number % 2 == 1
            )
        conn.close()


def figures(asked: Sequence[Asked]) -> dict[str, dict[str, float]]:
    """Return the rates of each set, of the part that was fitted on and of the other."""
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(one.of for one in asked):
        for held_out in (False, True):
            some = [one for one in asked if one.of == name and one.held_out is held_out]
            yes, no = [one for one in some if one.answerable], [one for one in some if not one.answerable]
            found[f"{name}, held out" if held_out else name] = {
                "answerable": len(yes),
                "called unsure": _rate([not one.sure for one in yes]),
                "called not found": _rate([not one.found for one in yes]),
                "unanswerable": len(no),
                "flagged": _rate([not one.sure for one in no]),
                "nothing found": _rate([not one.found for one in no]),
            }
    return found


def fit(asked: Sequence[Asked]) -> dict[str, float]:
    """Return weights, and `bias`, by logistic regression, answerable and unanswerable questions weighing the same."""
    import numpy as np

    rows = np.array([[1.0, *(one.figures[name] for name in WEIGHTS)] for one in asked])
    wanted = np.array([one.answerable for one in asked], float)
    share = {(one.of, one.answerable): 0 for one in asked}
    for one in asked:
        share[one.of, one.answerable] += 1
    counts = np.array([100 / share[one.of, one.answerable] for one in asked])
    weights = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-rows @ weights))
        steep = rows.T @ (rows * (counts * likely * (1 - likely))[:, None]) + _SMOOTH * np.eye(len(weights))
        weights += np.linalg.solve(steep, rows.T @ (counts * (wanted - likely)) - _SMOOTH * weights)
    return dict(zip(("bias", *WEIGHTS), (round(float(weight), 2) for weight in weights), strict=True))


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", action="store_true", help="print weights fitted anew")
    parser.add_argument("--json", action="store_true", help="print one object")
    given = parser.parse_args()
    if (absent := embedding.missing()) is not None:
        print(f"Nothing is measured without the semantic lane: {absent}.")
        return 2
    asked = list(coding())
    if retrieval_suite._DATA.is_file():
        asked += conversations(retrieval_suite._DATA)
    if given.json:
        print(json.dumps(figures(asked)))
    else:
        for name, rates in figures(asked).items():
            print(f"{name:26}" + "  ".join(f"{what} {value:g}" for what, value in rates.items()))
    if given.fit:
        print("in use", {"bias": BIAS, **WEIGHTS})
        print("fitted", fit([one for one in asked if not one.held_out]))
    return 0


def _rate(held: Sequence[bool]) -> float:
    return round(100 * sum(held) / len(held), 1) if held else 0.0


if __name__ == "__main__":
    raise SystemExit(main())
