"""The injection benchmark: `python -m tests.eval.injection [--json] [--write] [-v] [--stories FOLDER]`.

Over the stories of the coding-memory benchmark. Prompts: how many are given anything, how many of the facts given bear
on the matter, how many of those that nothing bears on are left alone, and what it costs. Sessions: in one long session
of each project every question is asked one after the other, and no fact may be said twice. Wakeups: how much of what
the next session must know stands in 800 tokens.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from memd.text.tokens import estimate_tokens
from tests.eval.coding_memory.house import House, lived_in
from tests.eval.coding_memory.measure import Outcome, ask_all
from tests.eval.coding_memory.story import HELD_OUT, STORIES, read_all
from tests.eval.coding_memory.table import percent, write_between

MEASURED: Final = Path(__file__).parents[2] / "MEASURED.md"


@dataclass(frozen=True, slots=True)
class Injected:
    """The measures; rates are 0 to 1."""

    prompts: int
    given: float
    """Share of prompts with an injection."""
    answerable_given: float
    falsely: float
    """Share of prompts that nothing bears on and that were given something."""
    facts: int
    precision: float
    """Share of the facts and passages given that are about the matter; those given falsely count against it."""
    tokens: float
    """Per prompt that was given something."""
    repeats: int
    later_given: float
    """Share of a long session's later prompts that were given something."""
    musts: int
    must_recall: float
    wakeup_tokens: float


@dataclass(frozen=True, slots=True)
class LongSession:
    """What came of one session that asked everything: facts said more than once, and later prompts given something."""

    repeats: int
    later: int
    later_given: int


def measure(house: House, *, verbose: bool = False) -> Injected:
    """Return the measures of a house."""
    outcomes = ask_all(house)
    musts, tokens = _wakeups(house, verbose=verbose)
    talks = [_long_session(house, story.name) for story in house.stories]
    asked = [one for one in outcomes if not one.question.unanswerable]
    silent = [one for one in outcomes if one.question.unanswerable]
    facts = sum(one.given for one in outcomes)
    return Injected(
        len(outcomes),
        _share(outcomes),
        _share(asked),
        _share(silent),
        facts,
        sum(one.right for one in outcomes) / max(facts, 1),
        fmean([one.tokens for one in outcomes if one.prompted] or [0]),
        sum(talk.repeats for talk in talks),
        sum(talk.later_given for talk in talks) / max(sum(talk.later for talk in talks), 1),
        len(musts),
        fmean(musts or [0]),
        fmean(tokens or [0]),
    )


def _share(outcomes: list[Outcome] | tuple[Outcome, ...]) -> float:
    return fmean(bool(one.prompted) for one in outcomes) if outcomes else 0.0


def _wakeups(house: House, *, verbose: bool) -> tuple[list[bool], list[int]]:
    found, tokens = [], []
    for story in house.stories:
        text = house.home.hook("SessionStart", f"waking-{story.name}", house.trees[story.name], source="startup")
        tokens.append(estimate_tokens(text))
        for must in story.musts:
            found.append(must.answer.given_by(text))
            if verbose and not found[-1]:
                print(f"{story.name}: the wakeup lacks {must.topic}")
        if verbose:
            print(text)
    return found, tokens


def _long_session(house: House, name: str) -> LongSession:
    story = next(story for story in house.stories if story.name == name)
    session, tree = f"long-{name}", house.trees[name]
    house.home.hook("SessionStart", session, tree, source="startup")
    given = [bool(house.home.hook("UserPromptSubmit", session, tree, prompt=one.text)) for one in story.questions]
    said = Counter(house.given(session))
    first = given.index(True) + 1 if True in given else len(given)
    return LongSession(sum(times - 1 for times in said.values()), len(given) - first, sum(given[first:]))


def table(found: Injected, apart: Injected | None = None) -> list[str]:
    """Return the measures as a Markdown table, those of stories that nothing was fitted on in a column of their own."""
    columns = [one for one in (found, apart) if one is not None]
    heads = ("", "all projects fitted on", "those that nothing was fitted on")
    rows = [
        ("first prompts", [str(one.prompts) for one in columns]),
        ("given something", [f"{percent(one.given)} %" for one in columns]),
        ("… of those with an answer in the past", [f"{percent(one.answerable_given)} %" for one in columns]),
        ("… of those that nothing bears on", [f"{percent(one.falsely)} %" for one in columns]),
        ("of what is given, bears on the matter", [f"{percent(one.precision)} % of {one.facts}" for one in columns]),
        ("tokens, where something is given", [f"{one.tokens:.0f}" for one in columns]),
        ("later prompts of a long session given something", [f"{percent(one.later_given)} %" for one in columns]),
        ("facts said twice in a session", [str(one.repeats) for one in columns]),
        (
            "what the next session must know, in its wakeup",
            [f"{percent(one.must_recall)} % of {one.musts}" for one in columns],
        ),
        ("tokens of a wakeup", [f"{one.wakeup_tokens:.0f}" for one in columns]),
    ]
    return [
        f"| {' | '.join(heads[: len(columns) + 1])} |",
        "|---" * (len(columns) + 1) + "|",
        *(f"| {name} | {' | '.join(values)} |" for name, values in rows),
    ]


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of the table")
    parser.add_argument("--write", action="store_true", help="write the table into MEASURED.md, between its marks")
    parser.add_argument("-v", "--verbose", action="store_true", help="show the wakeups and what they lack")
    parser.add_argument("--stories", type=Path, default=STORIES, help="a folder with other stories")
    chosen = parser.parse_args()
    with lived_in(read_all(chosen.stories)) as house:
        found = measure(house, verbose=chosen.verbose)
    if chosen.json:
        print(json.dumps(asdict(found)))
        return
    apart = None
    if chosen.stories == STORIES:
        with lived_in(read_all(HELD_OUT)) as house:
            apart = measure(house, verbose=chosen.verbose)
    print("\n".join(table(found, apart)))
    if chosen.write:
        write_between(MEASURED, "injection", table(found, apart))


if __name__ == "__main__":
    main()
