"""The plain background process, with a small real program in the daemon's place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memd_service import lockfile, reach
from memd_service.environment import Environment
from memd_service.errors import DaemonDidNotStart
from memd_service.manager import Running, Stopped, end_daemon
from memd_service.plain import Plain

# What matters of the daemon here: it holds the lock, writes who it is, listens, and ends on SIGTERM.
PROGRAM = """
import fcntl, os, pathlib, signal, socket, sys
from memd_service import lockfile
lock, path = map(pathlib.Path, sys.argv[1:])
signal.signal(signal.SIGTERM, lambda *_: (path.unlink(), os._exit(0)))
with open(lock, "ab") as held:
    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock.write_bytes(lockfile.render("1.2.3"))
    path.parent.mkdir(parents=True, exist_ok=True)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(str(path))
        door.listen()
        while True:
            door.accept()[0].close()
"""


@pytest.fixture
def plain(environment: Environment) -> Iterator[Plain]:
    program = environment.home / "program.py"
    program.write_text(PROGRAM)
    paths = environment.paths
    yield Plain(environment, ("-I", str(program), str(paths.lock_file), str(paths.socket)))
    end_daemon(environment)


def running(plain: Plain) -> Running:
    daemon = plain.state().daemon
    assert isinstance(daemon, Running)
    return daemon


def test_started_it_answers_and_stopped_it_is_gone(plain: Plain) -> None:
    plain.start()
    assert reach.is_answering(plain.environment.paths.socket)
    assert running(plain).version == "1.2.3"

    plain.stop()
    assert plain.state().daemon == Stopped()
    assert not reach.is_answering(plain.environment.paths.socket)


def test_starting_twice_leaves_one(plain: Plain) -> None:
    plain.start()
    first = running(plain)
    plain.start()

    assert running(plain) == first


def test_a_restart_is_another_process(plain: Plain) -> None:
    plain.install()
    first = running(plain)
    plain.install()

    assert running(plain).pid != first.pid


def test_stopping_what_does_not_run_is_fine(plain: Plain) -> None:
    plain.stop()
    plain.uninstall()

    assert plain.state().daemon == Stopped()


def test_a_stale_lock_file_does_not_keep_it_from_starting(plain: Plain) -> None:
    lock = plain.environment.paths.lock_file
    lock.parent.mkdir(parents=True)
    lock.write_text("1\nan earlier start\n1.2.2\n")

    plain.start()

    assert running(plain).version == "1.2.3"


def test_one_that_dies_is_reported_with_its_last_words(plain: Plain) -> None:
    dying = replace(plain, command=("-I", "-c", "print('no space'); raise SystemExit(5)"))

    with pytest.raises(DaemonDidNotStart, match=r"ended with status 5.*\nno space"):
        dying.start()


def test_one_that_another_program_started_at_the_same_moment_is_as_good(plain: Plain) -> None:
    first = (
        "import subprocess, sys, time, pathlib; from memd_service import lockfile;"
        "subprocess.Popen([sys.executable, *sys.argv[1:]], start_new_session=True);"
        "lock = pathlib.Path(sys.argv[-2]);"
        "[time.sleep(0.01) for _ in range(1000) if lockfile.running(lock) is None];"
        "raise SystemExit(4)"
    )
    late = replace(plain, command=("-I", "-c", first, *plain.command))

    late.restart()

    assert reach.is_answering(plain.environment.paths.socket)
    assert running(plain).version == "1.2.3"


def test_one_that_never_answers_is_ended_and_reported(plain: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memd_service.plain._START_TIMEOUT_S", 0.3)
    silent = replace(plain, command=("-I", "-c", "import time; time.sleep(60)"))

    with pytest.raises(DaemonDidNotStart, match="no answer within"):
        silent.start()


def test_one_that_runs_but_does_not_answer_is_reported(
    environment: Environment, monkeypatch: pytest.MonkeyPatch, plain: Plain
) -> None:
    plain.start()
    monkeypatch.setattr("memd_service.plain._START_TIMEOUT_S", 0.1)
    environment.paths.socket.rename(environment.paths.socket.with_name("moved"))

    with pytest.raises(DaemonDidNotStart, match="does not answer"):
        plain.start()
    environment.paths.socket.with_name("moved").rename(environment.paths.socket)


def test_what_it_prints_is_for_its_owner_only(plain: Plain) -> None:
    plain.start()
    state = plain.environment.paths.state_dir

    assert state.stat().st_mode & 0o777 == 0o700
    assert (state / "service.log").stat().st_mode & 0o777 == 0o600


def test_the_lock_is_only_read(plain: Plain, tmp_path: Path) -> None:
    plain.start()
    lock = plain.environment.paths.lock_file
    before = lock.stat()

    assert lockfile.running(lock) is not None
    assert lock.stat().st_mtime_ns == before.st_mtime_ns
