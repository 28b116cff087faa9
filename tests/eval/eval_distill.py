"""Measure distillation: distill every labelled session, score what comes out, print the tables.

Usage: python -m tests.eval.eval_distill [GOLD ...] [--out DIR] [--only ID ...] [-v] [--readme]

GOLD is a folder of `*.gold.json` files, each beside its transcript; without it the `GOLD` of the environment, or else
the labelled sets that lie beside the checkout. The scorer is the `score.py` of that folder or of `distill` beside it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from memd.distill.distill import distill
from memd.errors import MemdError
from memd.model import Transcript
from memd.preview import document
from memd.text.sentences import sentences
from tests.eval import fit_distill
from tests.eval.distill_gold import Labelled, folders, labelled, load_scorer, scorer, transcript

README = Path(__file__).resolve().parents[2] / "README.md"
BEGIN, END = "<!-- distillation -->", "<!-- /distillation -->"
EVENTS = ("files_changed", "commands", "commits", "errors", "packages", "urls")


@dataclass(frozen=True, slots=True)
class Measured:
    """A session with the scorer's counts and the must-facts that are missing."""

    labelled: Labelled
    counts: dict[str, Any]
    missed: tuple[str, ...]
    """The kinds of the must-facts that were not found."""
    leaked: int
    """How many of the session's secrets stand in the output."""


def naive(who: tuple[str, ...]) -> Callable[[Transcript], dict[str, Any]]:
    """Return a distiller that keeps every sentence that these roles said."""

    def keep(session: Transcript) -> dict[str, Any]:
        said = (
            one.text
            for message in session.messages
            if message.role in who and message.kind in ("prompt", "reply")
            for one in sentences(message.text)
        )
        return {"facts": [{"text": text, "quotes": [text[:200]]} for text in dict.fromkeys(said)]}

    return keep


def ours(session: Transcript) -> dict[str, Any]:
    """Distill a session."""
    return document(session.session, distill(session))


BASELINES: dict[str, Callable[[Transcript], dict[str, Any]]] = {
    "every sentence of the user": naive(("user",)),
    "every sentence": naive(("user", "assistant")),
}


def measure(
    folder: Path, make: Callable[[Transcript], dict[str, Any]], only: Sequence[str] = (), out: Path | None = None
) -> list[Measured]:
    """Return what the scorer counts for each session of a folder; those no adapter reads are named and left out."""
    program = scorer(folder)
    if program is None:
        print(f"{folder}: no score.py beside it", file=sys.stderr)
        return []
    found = []
    for one in labelled(folder):
        if only and one.id not in only:
            continue
        try:
            made = orjson.loads(orjson.dumps(make(transcript(one))))  # as the scorer reads it
        except (MemdError, IndexError) as error:
            print(f"left out {one.id}: {error}", file=sys.stderr)
            continue
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / f"{one.id}.json").write_bytes(orjson.dumps(made))
        found.append(_measured(one, made, load_scorer(program)))
    return found


def _measured(one: Labelled, made: dict[str, Any], score: Any) -> Measured:
    said = [score.prep_out(fact) for fact in made["facts"]]
    missed = tuple(
        fact["type"]
        for fact in one.gold["facts"]
        if fact["must"] and not fact["superseded_by"] and not any(score.sim(x, score.X(fact))[0] for x in said)
    )
    text = orjson.dumps(made).decode()
    leaked = sum(1 for secret in one.gold.get("secrets", ()) if _literal(secret) in text)
    return Measured(one, score.one(one.gold, made), missed, leaked)


def _literal(secret: object) -> str:
    return str(secret.get("value", secret)) if isinstance(secret, dict) else str(secret)


def figures(found: Iterable[Measured], score: Any) -> dict[str, Any]:
    """Return the scorer's metrics over some sessions, with the secrets that leaked."""
    rows = list(found)
    totals: dict[str, Any] = score.metrics(score.add([one.counts for one in rows]))
    totals["leaked"] = sum(one.leaked for one in rows)
    return totals


def table(groups: dict[str, list[Measured]], score: Any) -> str:
    """Return the figures of named groups of sessions as lines of text."""
    head = f"{'':28} {'n':>3} {'facts':>5} | must  prec | traps sup | " + " ".join(f"{name[:5]:>5}" for name in EVENTS)
    lines = [head + " | type"]
    for name, found in groups.items():
        m = figures(found, score)
        events = " ".join(_number(m["events_f1"][kind]) for kind in EVENTS)
        lines.append(
            f"{name:28.28} {len(found):3} {m['outputs']:5} | {_number(m['recall_must'])} {_number(m['precision'])}"
            f" | {_number(m['traps_per_session'])} {m['superseded_violations']}/{m['superseded']}"
            f" | {events} | {_number(m['type_acc_lenient'])}"
        )
    return "\n".join(lines)


def _number(value: float | None) -> str:
    return "    -" if value is None else f"{value:5.2f}"


def grouped(found: Sequence[Measured], key: str) -> dict[str, list[Measured]]:
    """Return the sessions by a field of their gold files."""
    groups: dict[str, list[Measured]] = defaultdict(list)
    for one in found:
        groups[str(one.labelled.gold[key])].append(one)
    return dict(sorted(groups.items()))


def report(folder: Path, found: list[Measured], verbose: bool) -> None:
    """Print the tables of one folder: by session, host and language, beside the baselines; the kinds missed."""
    program = scorer(folder)
    if program is None or not found:
        return
    score = load_scorer(program)
    print(f"== {folder.name}")
    if verbose:
        print(table({one.labelled.id: [one] for one in found}, score), end="\n\n")
    print(table({**grouped(found, "host"), **grouped(found, "language"), "all": found}, score), end="\n\n")
    print(table({name: measure(folder, make) for name, make in BASELINES.items()}, score), end="\n\n")
    wanted = Counter(
        fact["type"]
        for one in found
        for fact in one.labelled.gold["facts"]
        if fact["must"] and not fact["superseded_by"]
    )
    missed = Counter(kind for one in found for kind in one.missed)
    print("must-facts missed: " + ", ".join(f"{kind} {missed[kind]} of {count}" for kind, count in wanted.items()))
    traps = figures(found, score)["traps_by_why"]
    print("traps hit: " + ", ".join(f"{why} {hit} of {count}" for why, (hit, count) in traps.items()))
    print(f"secrets in the output: {sum(one.leaked for one in found)}\n")


def write_readme(given: list[Path]) -> None:
    """Write the table of the figures between its markers in README.md."""
    lines = [
        "| sessions | what is kept | must-facts found | of what is kept, right | traps a session | superseded shown |",
        "|---|---|---|---|---|---|",
    ]
    ready = [one for folder in given for one in fit_distill.load(folder)]
    unseen = fit_distill.left_out(ready)
    for folder in given:
        program = scorer(folder)
        if program is None:
            continue
        score = load_scorer(program)
        counts = [count for one, count in unseen if one.labelled.set == folder.name]
        rows = [("by memd, fitted without the session", score.metrics(score.add(counts)))] if counts else []
        rows.append(("by memd", figures(measure(folder, ours), score)))
        rows += [(name, figures(measure(folder, make), score)) for name, make in BASELINES.items()]
        for name, m in rows:
            lines.append(
                f"| {TITLES.get(folder.name, folder.name)} | {name} | {m['recall_must']:.2f} | {m['precision']:.2f} |"
                f" {m['traps_per_session']:.1f} | {m['superseded_violations']} of {m['superseded']} |"
            )
    text = README.read_text("utf-8")
    before, rest = text.split(BEGIN, 1)
    README.write_text(before + BEGIN + "\n" + "\n".join(lines) + "\n" + END + rest.split(END, 1)[1], "utf-8")


TITLES = {"distill": "18 written for the purpose", "distill-real": "13 that people published"}


def main() -> int:
    """Measure the folders that were asked for."""
    parser = argparse.ArgumentParser(description="Measure distillation on labelled sessions.")
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=None, help="where the documents are written")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--readme", action="store_true", help="write the table into README.md")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every session")
    options = parser.parse_args()
    chosen = folders(options.gold)
    if not chosen:
        print("No labelled sessions: name a folder of *.gold.json files, or set GOLD.", file=sys.stderr)
        return 2
    for folder in chosen:
        out = options.out / folder.name if options.out else None
        report(folder, measure(folder, ours, options.only, out), options.verbose)
    if options.readme:
        write_readme(chosen)
    return 0


if __name__ == "__main__":
    sys.exit(main())
