"""Speed of the code graph, in thousand lines a second of one core: `python -m tests.bench.bench_codegraph [TREE]`.

Without a TREE the standard library's own sources are measured. CPU time of this process counts, so that what else runs
on the machine does not; `peak` is the resident memory of this process.
"""

from __future__ import annotations

import resource
import sys
import sysconfig
import time
from pathlib import Path

from memd.codegraph.batch import readable
from memd.codegraph.facts import pack, unpack
from memd.codegraph.graph import resolve_all
from memd.codegraph.parse import extract
from memd.codegraph.registry import language_in
from memd.codegraph.sources import passed_over
from memd.codegraph.walk import walk


def main() -> None:
    """Print the figures of a tree."""
    tree = Path(sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("stdlib")).absolute()
    found = walk(tree)
    sources = [(path, readable((tree / path).read_bytes())) for path in found.files]
    sources = [(path, source) for path, source in sources if passed_over(source) is None]
    lines = sum(source.count(b"\n") for _, source in sources)
    began = time.process_time()
    packed = [
        pack(extract(path, source, language))
        for path, source in sources
        if (language := language_in(path, source)) is not None
    ]
    parsed = time.process_time()
    edges = unresolved = 0
    slowest = (0.0, "")
    last = time.process_time()
    for resolution in resolve_all(map(unpack, packed), found.configs):
        edges += len(resolution.edges)
        unresolved += len(resolution.unresolved)
        now = time.process_time()
        slowest = max(slowest, (now - last, resolution.path))
        last = now
    ended = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    print(f"{len(sources)} files, {lines / 1000:.0f} kLoC, {sum(map(len, packed)) / 1e6:.1f} MB of facts")
    print(f"parse and extract  {lines / (parsed - began) / 1000:6.0f} kLoC/s")
    print(f"resolve            {lines / (ended - parsed) / 1000:6.0f} kLoC/s")
    print(f"to resolved graph  {lines / (ended - began) / 1000:6.0f} kLoC/s")
    print(
        f"{edges} edges, {unresolved} without grounds; slowest file {slowest[1]} {slowest[0]:.2f} s; peak {peak:.0f} MB"
    )


if __name__ == "__main__":
    main()
