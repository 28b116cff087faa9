"""Speed of the kept code graph: `python -m tests.bench.bench_codegraph_store [TREE]`.

Without a TREE the standard library's own sources are copied and measured. Printed are: all of it from nothing, one edit
of a file that many others use, callers and impact of what is called most, and the memory of daemon and workers.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import anyio

from memd.clock import SystemClock
from memd.codegraph.indexer import Indexer
from memd.model import Project
from memd.operations import code_walks
from memd.store.migrate import migrate
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers

_ROUNDS = 7


async def _timed(times: int, work: Callable[[], Awaitable[object]]) -> str:
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await work()
        took.append((time.perf_counter() - began) * 1000)
    return f"{statistics.median(took):.0f} ms median, {max(took):.0f} ms at most"


async def _measure(root: Path, folder: Path) -> None:
    database = folder / "memd.db"
    migrate(database, folder, 0)
    async with Writer.open(database) as writer, Readers.open(database) as readers, Workers() as workers:
        row = (1, "u", str(root), root.name, 0)
        await writer.run(lambda conn: conn.execute("INSERT INTO projects VALUES (?, ?, ?, ?, ?)", row).close())
        indexer = Indexer(database, workers, writer, readers, SystemClock())
        began = time.perf_counter()
        done = await indexer.index(1, root)
        took = time.perf_counter() - began
        lines, files = await readers.run(
            lambda conn: conn.execute("SELECT sum(lines), count(*) FROM code_files").fetchone()
        )
        (edges,) = await readers.run(lambda conn: conn.execute("SELECT count(*) FROM code_edges").fetchone())
        print(f"{files} files, {lines / 1000:.0f} kLoC, {edges} edges, database {database.stat().st_size / 1e6:.0f} MB")
        speed, own = lines / took / 1000, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"all of it from nothing   {took:.1f} s, {speed:.0f} kLoC/s with two workers, {done.resolved} resolved")
        print(f"memory                   daemon's part {own:.0f} MB")
        project = Project(1, "u", str(root), root.name)
        ((busiest, path),) = await readers.run(
            lambda conn: conn.execute(
                "SELECT n.node, f.path FROM code_edges e JOIN code_nodes n ON n.id = e.dst JOIN code_symbols s ON"
                " s.node_id = n.id JOIN code_files f ON f.id = s.file_id WHERE e.kind = 'calls' AND s.kind = 'function'"
                " GROUP BY n.id ORDER BY count(*) DESC LIMIT 1"
            ).fetchall()
        )
        target = root / path
        source = target.read_text("utf-8")
        count = 0

        async def edit() -> None:
            nonlocal count
            count += 1
            target.write_text(f"{source}\n# edit {count}\n", "utf-8")
            await indexer.look_at(1, root, [path])

        print(f"one edit ({path})   {await _timed(_ROUNDS, edit)}")

        def ask(depth: int) -> Callable[[], Awaitable[object]]:
            def read(conn: object) -> object:
                start = code_walks.the_one(conn, project, busiest, None, "bench")  # type: ignore[arg-type]
                return code_walks.walk(conn, project, start, ("in",), ("calls",), depth, None, 100)  # type: ignore[arg-type]

            return partial(readers.run, read)

        def impact() -> Callable[[], Awaitable[object]]:
            def read(conn: object) -> object:
                start = code_walks.the_one(conn, project, busiest, None, "bench")  # type: ignore[arg-type]
                return code_walks.impact(conn, project, start, 3, None, 100)  # type: ignore[arg-type]

            return partial(readers.run, read)

        print(f"callers of {busiest}   {await _timed(_ROUNDS * 3, ask(1))}")
        print(f"impact of it, 3 steps   {await _timed(_ROUNDS * 3, impact())}")


def main() -> None:
    """Print the figures of a tree."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(sys.argv[1] if len(sys.argv) > 1 else sysconfig.get_path("stdlib")).absolute()
        root = Path(folder) / source.name
        ignored = shutil.ignore_patterns("site-packages", "test", "tests", "idlelib", "__pycache__", "*.so", "*.a")
        shutil.copytree(source, root, ignore=ignored if len(sys.argv) < 2 else None, symlinks=True)
        anyio.run(_measure, root, Path(folder))
    # Workers go when there is nothing to do, so that only those that are over can be asked.
    print(f"a worker, at most   {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
