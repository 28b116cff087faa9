from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memd.adapter import LiveProcess
from memd.capture.processes import is_running


def process(pid: int, started: str | None = None) -> LiveProcess:
    return LiveProcess("a", pid, started)


def started(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]


def test_this_process_runs() -> None:
    assert is_running(process(os.getpid()))


def test_an_ended_process_does_not_run() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as child:
        child.wait()
    assert not is_running(process(child.pid))


@pytest.mark.skipif(sys.platform != "linux", reason="start times are told by Linux")
def test_another_process_of_the_same_number_is_not_the_one_that_was() -> None:
    assert is_running(process(os.getpid(), started(os.getpid())))
    assert not is_running(process(os.getpid(), "1"))
    assert is_running(process(os.getpid(), "Mon Nov 30 03:31:00 2026"))


@pytest.mark.skipif(sys.platform != "linux", reason="zombies are told by /proc")
def test_a_zombie_does_not_run() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.read()  # ends with the child, which nobody has waited for yet
        while is_running(process(child.pid)):
            pass


def test_without_a_process_file_system_the_process_is_asked(tmp_path: Path) -> None:
    assert is_running(process(os.getpid()), tmp_path / "none")
