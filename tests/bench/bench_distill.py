"""How fast sessions are distilled, and how much memory that takes.

    python -m tests.bench.bench_distill [--mb 20] [--gold]

Prints MB of session text (messages, tool inputs and outputs, as stored) a second of one core's time, the best of three
rounds; with --gold for the labelled sessions that lie beside the checkout.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from memd.distill.distill import distill
from memd.model import Transcript
from memd.preview import read
from tests.bench.make_transcripts import write_tree
from tests.eval.distill_gold import folders, labelled, transcript

ROUNDS = 3


def size(one: Transcript) -> int:
    """Return the bytes of UTF-8 that a session's text has."""
    texts = (message.text for message in one.messages)
    calls = (text for message in one.messages for call in message.tool_calls for text in (call.input, call.output))
    return sum(len(text.encode("utf-8", "surrogatepass")) for part in (texts, calls) for text in part)


def speed(transcripts: Sequence[Transcript]) -> float:
    """Return the best of several rounds in MB/s of processor time."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for one in transcripts:
            distill(one)
        best = min(best, time.process_time() - begun)
    return sum(size(one) for one in transcripts) / 1e6 / best


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=20)
    parser.add_argument("--gold", action="store_true")
    given = parser.parse_args()
    sets: dict[str, list[Transcript]] = {}
    if given.gold:
        sets = {folder.name: [transcript(one) for one in labelled(folder)] for folder in folders([])}
    else:
        with tempfile.TemporaryDirectory() as made:
            write_tree(Path(made), given.mb, max(int(given.mb), 1))
            sets["made sessions"] = [one for path in sorted(Path(made).rglob("*.jsonl")) for one in read(path)]
    for name, transcripts in sets.items():
        text = sum(size(one) for one in transcripts) / 1e6
        print(f"{name:20} {len(transcripts):4} sessions {text:7.1f} MB of text {speed(transcripts):6.1f} MB/s")
    print(f"{'peak memory':20} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


if __name__ == "__main__":
    main()
