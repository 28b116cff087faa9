"""Searches through the socket of a daemon of its own, whose home is a folder with a filled store."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.doors.cli.client import call
from memd.paths import resolve
from tests.bench.make_transcripts import write_tree
from tests.integration.daemon.daemon_under_test import wait_until

_SECOND_MS: Final = 1000
_RESTED_MS: Final = 60
"""Processor time in a second below which a daemon has nothing to do."""
_PATIENCE_S: Final = 120
_JOBS_S: Final = 7
"""What a daemon does by itself begins five seconds after its start."""


@dataclass(frozen=True, slots=True)
class Asked:
    """How long some questions took, and what the daemon and its processes spent on each (0: not told)."""

    wall_ms: list[float]
    spent_ms: float


class SearchDaemon:
    """A running daemon that is asked."""

    def __init__(self, home: Path, pid: int, door: Path) -> None:
        self.home = home
        self._pid = pid
        self._door = door

    def ask(self, queries: list[str], **more: object) -> Asked:
        """Put questions one after the other."""
        wall, before = [], self.spent_ms()
        for query in queries:
            began = time.perf_counter()
            call(self._door, "search", {"query": query, **more})
            wall.append((time.perf_counter() - began) * _SECOND_MS)
        return Asked(wall, (self.spent_ms() - before) / len(queries))

    def ask_whoever_comes_first(self) -> None:
        """Ask what takes no time; a daemon whose socket is there may still be opening its store."""
        call(self._door, "operations.list", {}, deadline_s=_PATIENCE_S)

    def rest(self) -> None:
        """Wait until it has nothing else to do; a machine that others use never tells, so not for ever."""
        end = time.monotonic() + _PATIENCE_S
        time.sleep(_JOBS_S)
        while time.monotonic() < end:
            before = self.spent_ms()
            time.sleep(1)
            if self.spent_ms() - before < _RESTED_MS:
                return

    def spent_ms(self) -> float:
        """Return the processor time of the daemon and its processes; 0 where the system does not tell."""
        try:
            stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self._family()]
        except FileNotFoundError:
            return 0.0
        return sum(int(stat[11]) + int(stat[12]) for stat in stats) * _SECOND_MS / os.sysconf("SC_CLK_TCK")

    def resident_mb(self) -> tuple[float, float]:
        """Return the memory of the daemon and of the processes it has, in megabytes."""
        try:
            sizes = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self._family()]
        except FileNotFoundError:
            return float("nan"), float("nan")
        page = os.sysconf("SC_PAGE_SIZE") / 1e6
        return sizes[0] * page, sum(sizes[1:]) * page

    def _family(self) -> list[str]:
        children = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        return [str(self._pid), *children]


@contextmanager
def searching(folder: Path) -> Iterator[SearchDaemon]:
    """Run a daemon whose store lies in `folder/data`, rested and with the semantic lane ready."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MEMD_"))}
    env |= {"HOME": str(folder), "MEMD_DATA_DIR": str(folder / "data")}
    door = resolve(env).socket
    process = subprocess.Popen([sys.executable, "-m", "memd", "up"], env=env, stderr=subprocess.DEVNULL)
    try:
        wait_until(door.exists, "the daemon's socket", _PATIENCE_S)
        yield SearchDaemon(folder, process.pid, door)
    finally:
        process.terminate()
        process.wait(30)


def forget_the_file(database: Path) -> None:
    """Let the system drop what it keeps in memory of a database, as after a long while without a question."""
    for path in (database, database.with_name(database.name + "-wal")):
        if path.exists() and hasattr(os, "posix_fadvise"):
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
                os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(handle)


def give_to_read(home: Path, megabytes: float) -> None:
    """Write transcripts where the daemon looks for them, in a moment: what it asks for while it reads is measured."""
    later = home / "later"
    write_tree(later, megabytes, max(int(megabytes), 1))
    (home / ".claude").mkdir(exist_ok=True)
    target = home / ".claude" / "projects"
    if target.exists():
        for one in (later / "projects").iterdir():
            one.rename(target / f"{one.name}-{time.time_ns()}")
    else:
        (later / "projects").rename(target)
