"""The coding-memory benchmark: `python -m tests.eval.coding_memory [--json] [--write] [-v] [--stories FOLDER]`.

Invented projects are written down as their agents would, captured and distilled by a real daemon, and asked for later:
what did we decide and why, how do I run it, why did it fail, which file, what did we reject. R@1 and R@5 are those of
`memd search`; answered is the share of questions whose answer stands in what a new session is given at its start and
with the question as its first prompt; falsely is the share of prompts on which nothing bears that are given something.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Final

from tests.eval.coding_memory.house import lived_in
from tests.eval.coding_memory.measure import Figures, Outcome, ask_all
from tests.eval.coding_memory.story import HELD_OUT, STORIES, read_all
from tests.eval.coding_memory.table import percent, write_between

_KINDS: Final = {
    "why": "what was decided, and why",
    "what": "what holds",
    "run": "how to run it",
    "fail": "why it failed",
    "file": "which file",
    "reject": "what was rejected",
    "pref": "a rule that bears on the work",
    "super": "what replaced it",
    "open": "what is left open",
    "zh": "asked in Chinese of English sessions",
    "mix": "asked in mixed language",
    "neg": "nothing to do with the project",
    "near": "about the project, nothing said before",
}
_NAMES: Final = {"all": "**all**", "held_out": "projects that nothing was fitted on"}
MEASURED: Final = Path(__file__).parents[3] / "MEASURED.md"


def figures(outcomes: tuple[Outcome, ...]) -> dict[str, Figures]:
    """Return the measures by kind of question, and `all`."""
    found = {
        kind: Figures.of(one for one in outcomes if one.question.kind == kind)
        for kind in _KINDS
        if any(one.question.kind == kind for one in outcomes)
    }
    return {**found, "all": Figures.of(outcomes)}


def table(found: dict[str, Figures]) -> list[str]:
    """Return the measures as a Markdown table."""
    lines = [
        "| question | n | R@1 | R@5 | answered | by the prompt alone | falsely | tokens |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind, one in found.items():
        name = _NAMES.get(kind) or _KINDS[kind]
        rates = (one.recall_1, one.recall_5, one.answered, one.answered_at_prompt, one.falsely)
        tokens = "" if one.tokens is None else f"{one.tokens:.0f}"
        lines.append(f"| {name} | {one.questions} | {' | '.join(map(percent, rates))} | {tokens} |")
    return lines


def _asked(stories: Path) -> tuple[Outcome, ...]:
    with lived_in(read_all(stories)) as house:
        return ask_all(house)


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one object instead of the table")
    parser.add_argument("--write", action="store_true", help="write the table into MEASURED.md, between its marks")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell each question that was not answered")
    parser.add_argument("--stories", type=Path, default=STORIES, help="a folder with other stories")
    chosen = parser.parse_args()
    outcomes = _asked(chosen.stories)
    found = figures(outcomes)
    if chosen.stories == STORIES:
        apart = _asked(HELD_OUT)
        found["held_out"] = Figures.of(apart)
        outcomes += apart
    if chosen.json:
        print(json.dumps({kind: asdict(one) for kind, one in found.items()}))
        return
    if chosen.verbose:
        for one in outcomes:
            wrong = bool(one.prompted) if one.question.unanswerable else not one.answered
            if wrong:
                print(f"{one.question.project} [{one.question.kind}] {one.question.text}")
                print(f"    place {one.place}; given: {one.prompted[215:515]!r}")
    print("\n".join(table(found)))
    if chosen.write:
        write_between(MEASURED, "coding-memory", table(found))


if __name__ == "__main__":
    main()
