from __future__ import annotations

import os
from pathlib import Path

from memd.adapter import Root, Source
from memd.capture.finder import SMALL_BYTES, Finder
from memd.capture.known import KnownSources
from memd.capture.queue import Rank, SourceQueue
from memd.capture.scan import Stamp
from memd.capture.watch import Watcher
from memd.clock import SystemClock
from tests.unit.capture.test_scan import JsonlFiles


def written(path: Path, at_s: int, size: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    os.truncate(path, size)
    os.utime(path, (at_s, at_s))
    return path


async def order(known: KnownSources, *roots: Root) -> list[str]:
    queue = SourceQueue()
    finder = Finder(
        roots=[(JsonlFiles(), root) for root in roots],
        watcher=Watcher([root.path for root in roots]),
        known=known,
        queue=queue,
        storage=None,  # type: ignore[arg-type]  # for files that are gone
        clock=SystemClock(),
    )
    await finder.rescan()
    taken = []
    while len(queue):
        job = await queue.take(Rank.BACKLOG)
        taken.append(job.path.stem)
        queue.done(job)
    return taken


async def test_of_each_host_one_source_is_read_first_then_the_newest_of_all(tmp_path: Path) -> None:
    for host, days in (("busy", (9, 8, 7)), ("quiet", (3, 2))):
        for day in days:
            written(tmp_path / host / f"{host}{day}.jsonl", day)
    written(tmp_path / "quiet" / "large.jsonl", 4, SMALL_BYTES + 1)
    busy, quiet = (Root(host, tmp_path / host) for host in ("busy", "quiet"))
    assert await order(KnownSources(), busy, quiet) == ["busy9", "quiet3", "busy8", "busy7", "large", "quiet2"]


async def test_a_host_that_was_read_before_waits_for_its_turn(tmp_path: Path) -> None:
    for day in (9, 8):
        written(tmp_path / "busy" / f"busy{day}.jsonl", day)
    written(tmp_path / "quiet" / "quiet3.jsonl", 3)
    known = KnownSources()
    known.note(Source("quiet", tmp_path / "quiet" / "before.jsonl"), Stamp(3, 1, 1))
    known.forget("quiet", [tmp_path / "quiet" / "before.jsonl"])
    busy, quiet = (Root(host, tmp_path / host) for host in ("busy", "quiet"))
    assert await order(known, busy, quiet) == ["busy9", "busy8", "quiet3"]
