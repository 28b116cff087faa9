"""How fast transcripts are read and turned into events, and how much memory that takes.

    python tests/bench/bench_adapter.py [--mb 100] [--dir EXISTING_TREE]

Prints MB/s of one core, for the line reader with JSON decoding alone and for the adapter as a whole.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from memd.adapter import Cursor, ReadLimits, Root
from memd_adapters import ADAPTERS
from memd_adapters.jsonl import LineShortener, read_lines
from memd_adapters.jsonl_rows import parse_line
from tests.bench.make_transcripts import write_tree


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--dir", type=Path, default=None, help="a folder with projects/ in it, instead of a made one")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = given.dir or Path(made)
        if given.dir is None:
            write_tree(folder, given.mb, max(int(given.mb), 1))
        paths = sorted(folder.rglob("*.jsonl"))
        size = sum(path.stat().st_size for path in paths)
        for path in paths:  # once beforehand, so that the page cache is warm for all
            path.read_bytes()
        _report("read lines and decode JSON", size, lambda: _decode(paths))
        _report("adapter: events", size, lambda: _events(folder, paths))
    line = b'{"type":"user","message":{"content":"' + b"QUJD" * 15_000_000 + b'"}}'
    _report("a line of 60 MB shortened", len(line), lambda: _shorten(line))
    print(f"{'peak memory':32} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:8.0f} MB")


def _report(what: str, size: int, work: Callable[[], str]) -> None:
    start = time.perf_counter()
    note = work()
    took = time.perf_counter() - start
    print(f"{what:32} {size / 1e6 / took:8.0f} MB/s   {note}")


def _decode(paths: Iterable[Path]) -> str:
    rows, skipped = 0, Counter[str]()
    for path in paths:
        cursor: Cursor | None = None
        more = True
        while more:
            read = read_lines(path, cursor, ReadLimits())
            for line in read.lines:
                if not line.startswith(b'{"type":"api-request'):
                    rows += len(parse_line(line, skipped))
            cursor, more = read.cursor, read.more
    return f"{rows} rows"


def _events(folder: Path, paths: Iterable[Path]) -> str:
    adapter = ADAPTERS["claude_code"]
    root = Root(adapter.name, folder / "projects")
    events = 0
    for path in paths:
        source = adapter.classify(root, path)
        if source is None:
            continue
        cursor: Cursor | None = None
        more = True
        while more:
            batch = adapter.read(source, cursor, ReadLimits())
            events += len(batch.events)
            cursor, more = batch.cursor, batch.more
    return f"{events} events"


def _shorten(line: bytes) -> str:
    shortener = LineShortener(8 << 20)
    for start in range(0, len(line), 1 << 20):
        shortener.feed(line[start : start + (1 << 20)])
    return f"{len(shortener.close(Counter()))} bytes left"


if __name__ == "__main__":
    main()
