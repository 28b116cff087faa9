"""Measures a real daemon: `python -m tests.bench.bench_daemon`.

Prints the memory and CPU of an idle daemon, the time of `memd status`, of the wakeup at 10,000 facts, and of a
SessionStart hook from spawn to exit, against the bare interpreter in the same run.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from memd.model import FactKind
from memd.store import facts, projects
from memd.store.connection import connect_writer
from memd.store.migrate import migrate
from tests.integration.daemon.daemon_under_test import Home, running
from tests.integration.daemon.talk import Talk

RUNS = 25
FACTS = 10_000
SESSION = "0a11ce00-0000-4000-8000-000000000001"


def main() -> None:
    """Print what was measured."""
    with tempfile.TemporaryDirectory(prefix="memd-b-") as folder:
        home = Home(Path(folder))
        project = home.folder / "work" / "harbor"
        project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        Talk(home.transcript(SESSION), project).user("Where does the tide table lie?")
        _fill(home, project)
        with running(home) as daemon:
            time.sleep(6)
            bare = _median(lambda: _spawn(["-I", "-S", "-c", "pass"], home))
            _say("bare interpreter, spawn to exit", bare, 1.0)
            _say("memd status, spawn to exit", _median(lambda: _spawn(["-m", "memd", "status"], home)), bare)
            counter = iter(range(10_000))
            hook = _median(lambda: home.hook("SessionStart", f"session-{next(counter)}", project, source="startup"))
            _say(f"SessionStart hook at {FACTS} facts", hook, bare)
            wakeup = [_timed(lambda: home.call("wakeup", project=str(project))) for _ in range(60)]
            print(f"{'wakeup at 10,000 facts, p95':40} {sorted(wakeup)[57] * 1000:8.1f} ms")
            time.sleep(35)  # workers have gone by then
            before = _cpu_s(daemon.process.pid)
            time.sleep(20)
            print(f"{'idle daemon, resident':40} {_rss_mb(daemon.process.pid):8.1f} MB")
            print(f"{'idle daemon, CPU in 20 s':40} {_cpu_s(daemon.process.pid) - before:8.2f} s")


def _fill(home: Home, project: Path) -> None:
    migrate(home.paths.database, home.paths.backups_dir, 0)
    kinds: tuple[FactKind, ...] = ("decision", "convention", "discovery", "config", "bugfix")
    with closing(connect_writer(home.paths.database)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        place = projects.resolve(conn, str(project), (), "harbor", 1)
        for number in range(FACTS):
            text = (
                f"Statement {number}: the {number % 97} buoys of quay {number % 31} are listed in table {number % 13}"
            )
            new = facts.NewFact(kinds[number % 5], text, text, "person", 1_790_000_000_000 + number, place.id)
            facts.add(conn, new, 1_790_000_000_000 + number)
        conn.execute("COMMIT")


def _spawn(arguments: list[str], home: Home) -> None:
    subprocess.run([sys.executable, *arguments], env=home.env, stdout=subprocess.DEVNULL, check=True)


def _timed(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def _median(run: Callable[[], object]) -> float:
    return statistics.median(_timed(run) for _ in range(RUNS))


def _say(what: str, seconds: float, bare: float) -> None:
    ratio = f"  {seconds / bare:5.2f} x bare" if bare != 1.0 else ""
    print(f"{what:40} {seconds * 1000:8.1f} ms{ratio}")


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:", 1)[1].split(None, 1)[0]) / 1024


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
