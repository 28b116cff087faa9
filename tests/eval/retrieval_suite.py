"""LongMemEval_S and the rebuilt M with memd's own recall, beside the paper's baseline.

    python -m tests.eval.retrieval_suite [--sample N]

`--data FILE` measures any other file of that form. `--tiers minilm multilingual` adds these to the static embedding;
the texts of a set take one of them an hour. Where `MEMD_EMBED_API` and its like name an embedding that is asked over
HTTP, it is measured beside the others. Without the data in ../shared it says so and asks questions of our own instead.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from memd.recall import embedding
from memd.recall.tiers import TIERS
from tests.eval import own_questions, retrieval
from tests.eval.provided import Provided, provided
from tests.eval.tiered import Tiered

_HERE: Final = Path(__file__).parent
_DATA: Final = _HERE.parents[2] / "shared" / "eval" / "retrieval" / "load.py"
_SEEDS: Final = (7, 8, 9)


def main(arguments: Sequence[str]) -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.eval.retrieval_suite")
    parser.add_argument("--sample", type=int, help="only so many questions of each set")
    parser.add_argument("--data", type=Path, help="a file of questions instead")
    parser.add_argument("--sets", nargs="*", default=("s", *(f"m{seed}" for seed in _SEEDS)))
    parser.add_argument("--tiers", nargs="*", choices=tuple(TIERS), default=())
    given = parser.parse_args(arguments)
    absent = embedding.missing()
    arms = ("flat", "lexical") if absent else ("flat", "lexical", "default")
    for name in given.tiers:
        if TIERS[name].missing:
            print(f"Without {name}: {TIERS[name].missing}.")
        elif not absent:
            arms = (*arms, name)
    by = provided()
    if by is not None:
        arms = (*arms, by.model)
    if absent:
        print(f"Without the semantic lane: {absent}.")
    if given.data is not None:
        for arm in arms:
            _show(f"{given.data.name}, {arm}", list(_ask(retrieval.questions(given.data, given.sample), arm, by)))
        return 0
    if not _DATA.is_file():
        print(f"{_DATA} is not there; a small set of our own is asked instead.")
        for arm in arms:
            _show(f"questions of our own, {arm}", list(_ask(own_questions.questions(), arm, by)))
        return 0
    data = _load(_DATA)
    sessions = dict(data.pool())
    for name in given.sets:
        for arm in arms:
            asked = _set(data, sessions, name, given.sample)
            _show(f"{name}, {arm}", list(_ask(asked, arm, by)))
    return 0


def _set(data: ModuleType, sessions: Mapping[str, Any], name: str, sample: int | None) -> Iterator[dict[str, Any]]:
    asked: Iterable[dict[str, Any]] = data.questions()
    if name != "s":
        asked = data.rebuild_m(list(asked), sessions, int(name[1:]))
    for number, question in enumerate(asked):
        if sample is None or number * sample // 300 != (number - 1) * sample // 300:
            yield {**question, "haystack_sessions": [sessions[one] for one in question["haystack_session_ids"]]}


def _ask(asked: Iterable[dict[str, Any]], arm: str, by: Provided | None) -> Iterator[retrieval.Outcome]:
    if arm == "flat":
        return retrieval.flatly(asked)
    if arm in TIERS:
        return retrieval.run(asked, semantic=True, tier=Tiered(TIERS[arm]))
    return retrieval.run(asked, semantic=arm != "lexical", by=None if arm in {"lexical", "default"} else by)


def _show(title: str, outcomes: Sequence[retrieval.Outcome]) -> None:
    print(title)
    print("\n".join(retrieval.table(outcomes)), flush=True)


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("retrieval_data", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
