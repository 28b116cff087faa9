"""Measure distillation: preview every labelled session of a folder, score what comes out, print the table.

Usage: python tests/eval/eval_distill.py [GOLD ...] [--out DIR] [--host HOST] [--only ID ...] [-v]

GOLD is a folder of `*.gold.json` files, each beside its transcript; without it the `GOLD` of the environment, or else
the labelled sets that lie beside the checkout. The scorer is the `score.py` of that folder or of `distill` beside it,
run as it is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from memd.errors import MemdError
from memd.preview import preview

_BESIDE = Path(__file__).resolve().parents[3] / "shared" / "eval"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled session: its gold file, the transcript, and its place in it."""

    id: str
    host: str
    gold: Path
    transcript: Path
    session: int


def labelled(folder: Path) -> Iterator[Labelled]:
    """Yield the labelled sessions below a folder, by id."""
    for gold in sorted(folder.rglob("*.gold.json")):
        entry = orjson.loads(gold.read_bytes())
        yield Labelled(entry["id"], entry["host"], gold, gold.parent / entry["file"], entry.get("session") or 0)


def write_preview(one: Labelled, out: Path) -> str | None:
    """Write what memd makes of a session to OUT/<id>.json; return why not, where it cannot be read."""
    try:
        document = preview(one.transcript, session=one.session)[0]
    except MemdError as error:
        return str(error)
    (out / f"{one.id}.json").write_bytes(orjson.dumps(document))
    return None


def score(folder: Path, out: Path, verbose: bool) -> int:
    """Run the scorer that belongs to a folder of gold files; return its exit status."""
    program = next(
        (
            path
            for path in (folder / "score.py", folder.parent / "distill" / "score.py", _BESIDE / "distill" / "score.py")
            if path.exists()
        ),
        None,
    )
    if program is None:
        print(f"{folder}: no score.py beside it", file=sys.stderr)
        return 2
    return subprocess.run(
        [sys.executable, str(program), str(folder), str(out), *(["-v"] if verbose else [])], check=False
    ).returncode


def measure(folder: Path, out: Path, host: str | None, only: list[str], verbose: bool) -> int:
    """Preview and score one folder; sessions that are left out do not count."""
    chosen = [one for one in labelled(folder) if (host is None or one.host == host) and (not only or one.id in only)]
    if not chosen:
        print(f"{folder}: no labelled session to measure", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        golds = Path(scratch)
        for one in chosen:
            problem = write_preview(one, out)
            if problem is not None:
                print(f"left out {one.id}: {problem}", file=sys.stderr)
            else:
                shutil.copy(one.gold, golds)
        program = next(
            (path for path in (folder / "score.py", folder.parent / "distill" / "score.py") if path.exists()), None
        )
        if program is not None:
            shutil.copy(program, golds / "score.py")
        return score(golds, out, verbose)


def main() -> int:
    """Measure the folders that were asked for."""
    parser = argparse.ArgumentParser(description="Measure distillation on labelled sessions.")
    parser.add_argument("gold", nargs="*", type=Path)
    parser.add_argument(
        "--out", type=Path, default=None, help="where the documents are written (default: a temporary folder)"
    )
    parser.add_argument("--host", default=None)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    given = os.environ.get("GOLD")
    folders: list[Path] = options.gold or (
        [Path(given)] if given else [path for path in (_BESIDE / "distill", _BESIDE / "distill-real") if path.exists()]
    )
    if not folders:
        print("No labelled sessions: name a folder of *.gold.json files, or set GOLD.", file=sys.stderr)
        return 2
    status = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            print(f"== {folder.name}", flush=True)
            status = max(
                status,
                measure(
                    folder, options.out or Path(scratch) / folder.name, options.host, options.only, options.verbose
                ),
            )
    return status


if __name__ == "__main__":
    sys.exit(main())
