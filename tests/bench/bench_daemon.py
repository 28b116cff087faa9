"""Measures a real daemon: `python -m tests.bench.bench_daemon [--mb N] [--facts N]`.

A home with years of transcripts and thousands of facts; the daemon reads it while hooks, commands and appends go on.
Prints how long an append takes to be found, idle and during the backfill, from a PreCompact hook until what was said
just before it is kept, a SessionStart hook and `memd status` from
spawn to exit against the bare interpreter in the same run, the wakeup, a round trip over the socket, and what the
daemon takes when it is idle.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from memd.model import FactKind
from memd.store import facts, projects
from memd.store.connection import connect_writer
from memd.store.migrate import migrate
from tests.bench.make_transcripts import write_tree
from tests.integration.daemon.daemon_under_test import Daemon, Home, running, start, wait_until
from tests.integration.daemon.talk import Talk

RUNS = 25
KEPT = "SELECT count(*) FROM messages WHERE id > (SELECT max(id) - 1000 FROM messages) AND text LIKE ?"
IDLE_S = 20
PROMPTS_BEFORE = 20
"""Prompts that are said just before a compaction."""
KINDS: tuple[FactKind, ...] = ("decision", "convention", "discovery", "config", "bugfix")


@dataclass(slots=True)
class Measured:
    """What a run came to; times in milliseconds."""

    bare_ms: list[float] = field(default_factory=list)
    status_ms: list[float] = field(default_factory=list)
    hook_ms: list[float] = field(default_factory=list)
    hook_busy_ms: list[float] = field(default_factory=list)
    wakeup_ms: list[float] = field(default_factory=list)
    round_trip_ms: list[float] = field(default_factory=list)
    append_idle_ms: list[float] = field(default_factory=list)
    append_busy_ms: list[float] = field(default_factory=list)
    compaction_ms: list[float] = field(default_factory=list)
    took_over_ms: float = 0.0
    """From the start of a daemon after another was killed to its first answer."""
    idle_mb: float = 0.0
    idle_cpu_s: float = 0.0

    def lines(self) -> list[str]:
        """The result as people read it."""
        bare = statistics.median(self.bare_ms)
        times = {
            "bare interpreter, spawn to exit": self.bare_ms,
            "memd status, spawn to exit": self.status_ms,
            "SessionStart hook": self.hook_ms,
            "SessionStart hook, backfilling": self.hook_busy_ms,
            "wakeup": self.wakeup_ms,
            "socket round trip": self.round_trip_ms,
            "append to searchable, idle": self.append_idle_ms,
            "append to searchable, backfilling": self.append_busy_ms,
            "PreCompact hook to prompts kept": self.compaction_ms,
        }
        lines = [
            f"{what:36} {statistics.median(taken):8.1f} ms p50 {p95(taken):8.1f} ms p95"
            f" {statistics.median(taken) / bare:6.2f} x bare  ({len(taken)})"
            for what, taken in times.items()
            if taken
        ]
        lines.append(f"{'start after a kill -9, first answer':36} {self.took_over_ms:8.1f} ms")
        lines.append(f"{'idle daemon, resident':36} {self.idle_mb:8.1f} MB")
        lines.append(f"{f'idle daemon, CPU in {IDLE_S} s':36} {self.idle_cpu_s:8.2f} s")
        return lines


def p95(values: list[float]) -> float:
    """The value that 95 of 100 stay below."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]


def measure(megabytes: float, fact_count: int) -> Measured:
    """Run everything once, in a temporary home."""
    measured = Measured()
    with tempfile.TemporaryDirectory(prefix="memd-b-", dir="/tmp") as folder:
        home = Home(Path(folder), {"MEMD_WORKERS_IDLE_S": "3"})
        project = home.folder / "work" / "harbor"
        project.mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(project)], check=True)
        write_tree(home.folder / ".claude", megabytes, max(1, int(megabytes)))
        _fill(home, project, fact_count)
        with running(home) as daemon:
            _while_backfilling(home, project, measured)
            wait_until(lambda: home.call("status")["queues"]["distill"] == 0, "the distilled sessions", 300)
            _one_by_one(home, project, measured)
            _idle(home, daemon, measured)
            daemon.kill9()
        begun = time.perf_counter()
        again = start(home)
        measured.took_over_ms = (time.perf_counter() - begun) * 1000
        again.stop()
    return measured


def _fill(home: Home, project: Path, count: int) -> None:
    migrate(home.paths.database, home.paths.backups_dir, 0)
    with closing(connect_writer(home.paths.database)) as conn:
        conn.execute("BEGIN IMMEDIATE")
        place = projects.resolve(conn, str(project), (), "harbor", 1)
        for number in range(count):
            at = 1_790_000_000_000 + number
            text = (
                f"Statement {number}: the {number % 97} buoys of quay {number % 31} are listed in table {number % 13}"
            )
            facts.add(conn, facts.NewFact(KINDS[number % 5], text, text, "person", at, place.id), at)
        conn.execute("COMMIT")


def _while_backfilling(home: Home, project: Path, measured: Measured) -> None:
    talk = Talk(home.transcript(str(uuid.uuid4())), project)
    while home.call("status")["backfill"]["running"]:
        measured.append_busy_ms.append(_append(home, talk))
        measured.hook_busy_ms.append(_hook(home, project))


def _one_by_one(home: Home, project: Path, measured: Measured) -> None:
    talk = Talk(home.transcript(str(uuid.uuid4())), project)
    # In turns, so that a busy moment hits all of them alike.
    for _ in range(RUNS):
        measured.bare_ms.append(_timed(lambda: _spawn(["-I", "-S", "-c", "pass"], home)))
        measured.status_ms.append(_timed(lambda: _spawn(["-I", "-m", "memd", "status"], home)))
        measured.hook_ms.append(_hook(home, project))
        measured.append_idle_ms.append(_append(home, talk))
        measured.compaction_ms.append(_compaction(home, project, talk))
        measured.wakeup_ms += [_timed(lambda: home.call("wakeup", project=str(project))) for _ in range(4)]
        measured.round_trip_ms += [_timed(lambda: home.call("jobs.list")) for _ in range(4)]


def _idle(home: Home, daemon: Daemon, measured: Measured) -> None:
    wait_until(lambda: home.processes() == [daemon.pid], "the workers to go")
    before = _cpu_s(daemon.pid)
    time.sleep(IDLE_S)
    measured.idle_cpu_s = _cpu_s(daemon.pid) - before
    measured.idle_mb = _rss_mb(daemon.pid)


def _append(home: Home, talk: Talk) -> float:
    """The time from an append until a search finds it."""
    word = f"needle{uuid.uuid4().hex}"
    talk.user(f"please remember {word}")
    begun = time.perf_counter()
    wait_until(lambda: bool(home.call("search", query=word, kinds=["messages"])["hits"]), "the appended prompt")
    return (time.perf_counter() - begun) * 1000


def _compaction(home: Home, project: Path, talk: Talk) -> float:
    """The time from the spawn of a PreCompact hook until the prompts that were said just before it are kept."""
    word = f"needle{uuid.uuid4().hex}"
    for number in range(PROMPTS_BEFORE):
        talk.user(f"please remember {word} of {number}")
    fields = {"session_id": talk.path.stem, "transcript_path": str(talk.path), "cwd": str(project), "trigger": "auto"}
    begun = time.perf_counter()
    hook = home.start_hook({"hook_event_name": "PreCompact", **fields})
    while home.query(KEPT, f"%{word}%")[0][0] < PROMPTS_BEFORE:
        time.sleep(0.002)
    taken = (time.perf_counter() - begun) * 1000
    hook.communicate(timeout=20)
    assert hook.returncode == 0
    return taken


def _hook(home: Home, project: Path) -> float:
    """The time of a SessionStart hook from spawn to exit, under the deadline a host gives it."""
    event = {"hook_event_name": "SessionStart", "session_id": str(uuid.uuid4()), "cwd": str(project)}
    begun = time.perf_counter()
    hook = home.start_hook(event | {"source": "startup"})
    out, _ = hook.communicate(timeout=20)
    taken = (time.perf_counter() - begun) * 1000
    assert hook.returncode == 0
    assert not out or json.loads(out)
    return taken


def _spawn(arguments: list[str], home: Home) -> None:
    subprocess.run([sys.executable, *arguments], env=home.env, stdout=subprocess.DEVNULL, check=True)


def _timed(run: Callable[[], object]) -> float:
    begun = time.perf_counter()
    run()
    return (time.perf_counter() - begun) * 1000


def _rss_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:", 1)[1].split(None, 1)[0]) / 1024


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mb", type=float, default=60)
    parser.add_argument("--facts", type=int, default=10_000)
    arguments = parser.parse_args()
    print("\n".join(measure(arguments.mb, arguments.facts).lines()))


if __name__ == "__main__":
    main()
