"""An idle daemon is small again, whatever it has read."""

from __future__ import annotations

from pathlib import Path

from tests.bench.make_transcripts import write_tree
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until

BUDGET_MB = 80


def resident_mb(pid: int) -> float:
    """What a process holds in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:", 1)[1].split(None, 1)[0]) / 1024


def test_after_the_work_workers_go_and_memory_is_given_back(home: Home) -> None:
    write_tree(home.folder / ".claude", 12, 12)
    home.settings["MEMD_WORKERS_IDLE_S"] = "1"
    with running(home) as daemon:
        wait_until(lambda: settled(home), "the end of the work")
        wait_until(lambda: home.processes() == [daemon.pid], "the workers to go")
        wait_until(lambda: resident_mb(daemon.pid) < BUDGET_MB, "the memory to be given back")
