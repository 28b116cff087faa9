"""Answers that were replaced: `python -m tests.eval.updates [--json] [-v] [--stories FOLDER]`.

In invented projects a value, tool or rule is laid down in one session and replaced in a later one (`topic` and
`topic-2`). The later question wants the new one: told is how often what a new session is given holds it, and how often
the old one is given as if it still held, at the prompt, at the start, and as the first fact that search finds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from tests.eval.coding_memory.house import House, lived_in
from tests.eval.coding_memory.story import Question, read_all
from tests.eval.coding_memory.table import percent

UPDATES: Final = Path(__file__).with_name("coding_memory") / "updates"
_LATER: Final = "-2"


@dataclass(frozen=True, slots=True)
class Updated:
    """What came of one question: whether the new answer was given, and where the old one was."""

    question: Question
    answered: bool
    at_prompt: bool
    in_wakeup: bool
    in_search: bool


@dataclass(frozen=True, slots=True)
class Figures:
    """Shares of the questions, 0 to 1."""

    questions: int
    answered: float
    stale_at_prompt: float
    stale_in_wakeup: float
    stale_in_search: float


def ask_all(house: House) -> tuple[Updated, ...]:
    """Return what came of every question."""
    topics, texts = house.topics(), house.facts()
    uids = {uid: fact for fact, uid in house.home.query("SELECT id, uid FROM facts")}
    outcomes = []
    for story in house.stories:
        tree = house.trees[story.name]
        woken = house.home.call("wakeup", project=str(tree))
        for number, question in enumerate(story.questions):
            old = f"{story.name}/{question.topic.removesuffix(_LATER)}"

            def stale(facts: Iterable[int], old: str = old, question: Question = question) -> bool:
                return any(old in topics.get(one, ()) and not question.answer.given_by(texts[one]) for one in facts)

            session = f"updated-{story.name}-{number}"
            prompted = house.home.hook("UserPromptSubmit", session, tree, prompt=question.text)
            hits = house.home.call("search", query=question.text, project=str(tree), kinds=["facts"], limit=1)["hits"]
            outcomes.append(
                Updated(
                    question,
                    question.answer.given_by(f"{woken['text']}\n{prompted}"),
                    stale(house.given(session)),
                    stale(uids[uid] for uid in woken["facts"]),
                    stale(uids[hit["id"]] for hit in hits),
                )
            )
    return tuple(outcomes)


def figures(outcomes: tuple[Updated, ...]) -> Figures:
    """Return the figures of outcomes."""
    return Figures(
        len(outcomes),
        fmean(one.answered for one in outcomes),
        fmean(one.at_prompt for one in outcomes),
        fmean(one.in_wakeup for one in outcomes),
        fmean(one.in_search for one in outcomes),
    )


def main() -> None:
    """Run the benchmark and print its figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell each question that went wrong")
    parser.add_argument("--stories", type=Path, default=UPDATES, help="a folder with other stories")
    chosen = parser.parse_args()
    with lived_in(read_all(chosen.stories)) as house:
        outcomes = ask_all(house)
    found = figures(outcomes)
    if chosen.verbose:
        for one in outcomes:
            where = [name for name in ("at_prompt", "in_wakeup", "in_search") if getattr(one, name)]
            if where or not one.answered:
                print(f"{one.question.project}: {one.question.text} - answered: {one.answered}, stale: {where}")
    if chosen.json:
        print(json.dumps(asdict(found)))
        return
    print(f"{found.questions} answers that were replaced: the new one given {percent(found.answered)} %;")
    print(
        f"the old one given at the prompt {percent(found.stale_at_prompt)} %, in the wakeup"
        f" {percent(found.stale_in_wakeup)} %, found first by search {percent(found.stale_in_search)} %"
    )


if __name__ == "__main__":
    main()
