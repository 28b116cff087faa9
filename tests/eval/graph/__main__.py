"""How well relations are found in what is told: `python -m tests.eval.graph [FILE] [--json] [-v]`.

FILE has cases in the form that the head of `cases.txt` tells; without one these are measured. Printed are the share of
the wanted relations that is found and that of the unwanted ones, by language.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.eval.graph.measure import CASES, Figures, measure, read


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=CASES)
    parser.add_argument("--json", action="store_true", help="print one object instead of the table")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell what is missing and what is false")
    chosen = parser.parse_args()
    cases = read(chosen.file)
    found = {language: measure(one for one in cases if one.language == language) for language in _languages(cases)}
    found["all"] = measure(cases)
    if chosen.json:
        print(json.dumps({language: _plain(one) for language, one in found.items()}))
        return
    if chosen.verbose:
        for outcome in found["all"].open:
            print(outcome.case.text)
            for told in outcome.missing:
                print(f"    missing: {' | '.join(told)}")
            for told in outcome.false:
                print(f"    false: {' | '.join(told)}")
    print("\n".join(table(found)))


def _languages(cases: tuple[object, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(getattr(one, "language", "") for one in cases))


def _plain(one: Figures) -> dict[str, float]:
    return {
        "cases": one.cases,
        "wanted": one.wanted,
        "recall": round(one.recall, 4),
        "unwanted": one.unwanted,
        "false_rate": round(one.false_rate, 4),
    }


def table(found: dict[str, Figures]) -> list[str]:
    """Return the figures as a Markdown table."""
    return [
        "| | cases | wanted relations found | unwanted ones found |",
        "|---|---|---|---|",
        *(
            f"| {language} | {one.cases} | {one.found} of {one.wanted} | {one.false} of {one.unwanted} |"
            for language, one in found.items()
        ),
    ]


if __name__ == "__main__":
    main()
