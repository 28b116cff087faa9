"""Which process the daemon is, and that it is never mistaken for another."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from memd_service import lockfile, process

SLEEP = [sys.executable, "-I", "-S", "-c", "import time; print('up', flush=True); time.sleep(60)"]
STUBBORN = [
    sys.executable,
    "-I",
    "-S",
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)",
]


def started(argv: list[str]) -> subprocess.Popen[str]:
    child = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "up\n"
    return child


def test_a_process_keeps_its_start_and_nobody_else_has_it() -> None:
    with started(SLEEP) as child:
        start = process.start_of(child.pid)
        assert start is not None
        assert process.start_of(child.pid) == start
        assert process.start_of(os.getpid()) != start
        child.kill()


def test_an_ended_process_does_not_run_though_nobody_has_reaped_it() -> None:
    with started(SLEEP) as child:
        start = process.start_of(child.pid)
        assert start is not None
        child.kill()
        assert process.wait_until_gone(child.pid, start, 10)
        assert process.start_of(child.pid) is None


def test_terminate_asks_first() -> None:
    with started(SLEEP) as child:
        start = process.start_of(child.pid)
        assert start is not None
        assert process.terminate(child.pid, start, deadline_s=10)
        assert child.wait() == -signal.SIGTERM


def test_terminate_insists_in_the_end() -> None:
    with started(STUBBORN) as child:
        start = process.start_of(child.pid)
        assert start is not None
        assert process.terminate(child.pid, start, deadline_s=0.2)
        assert child.wait() == -signal.SIGKILL


def test_terminate_never_touches_a_process_that_merely_has_the_number() -> None:
    with started(SLEEP) as child:
        assert process.terminate(child.pid, "an earlier start", deadline_s=1)
        assert child.poll() is None
        child.kill()


def test_the_holder_of_the_lock_is_read_back(tmp_path: Path) -> None:
    lock = tmp_path / "daemon.lock"
    lock.write_bytes(lockfile.render("1.2.3"))

    holder = lockfile.running(lock)

    assert holder is not None
    assert (holder.pid, holder.version) == (os.getpid(), "1.2.3")


def test_a_stale_lock_file_names_nobody(tmp_path: Path) -> None:
    lock = tmp_path / "daemon.lock"
    lock.write_text(f"{os.getpid()}\nan earlier start\n1.2.3\n")

    assert lockfile.read(lock) is not None
    assert lockfile.running(lock) is None


@pytest.mark.parametrize(
    "content",
    [b"", b"12", b"12\n34/ab\n", b"x\n34/ab\n1.2.3\n", b"-1\n34/ab\n1.2.3\n", b"\xff\xfe\n\n\n"],
)
def test_a_torn_or_foreign_lock_file_names_nobody(content: bytes, tmp_path: Path) -> None:
    lock = tmp_path / "daemon.lock"
    lock.write_bytes(content)

    assert lockfile.read(lock) is None
    assert lockfile.running(lock) is None


def test_no_lock_file_names_nobody(tmp_path: Path) -> None:
    assert lockfile.running(tmp_path / "daemon.lock") is None


@pytest.mark.skipif(not Path("/bin/ps").exists(), reason="ps is not here")
def test_ps_tells_the_start_where_there_is_no_proc() -> None:
    with started(SLEEP) as child:
        start = process._start_from_ps(child.pid)
        assert start is not None
        assert process._start_from_ps(child.pid) == start
        child.kill()
        assert process.wait_until_gone(child.pid, process.start_of(child.pid) or "", 10)
        assert process._start_from_ps(child.pid) is None


def test_a_process_of_somebody_else_is_not_reported_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pid: int, number: int) -> None:
        raise PermissionError

    with started(SLEEP) as child:
        start = process.start_of(child.pid)
        assert start is not None
        monkeypatch.setattr(os, "kill", refuse)
        assert not process.terminate(child.pid, start, deadline_s=1)
        monkeypatch.undo()
        child.kill()
