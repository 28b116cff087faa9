from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.integration.capture.house import Talk


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home folder in which a daemon runs."""
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "MEMD_DATA_DIR": str(tmp_path / "d")}
    (tmp_path / ".claude/projects").mkdir(parents=True)
    daemon = subprocess.Popen([sys.executable, "-m", "memd", "up"], env=env, stderr=subprocess.DEVNULL)
    yield tmp_path
    daemon.send_signal(signal.SIGTERM)
    assert daemon.wait(90) == 0


def wait_for_messages(database: Path, count: int) -> None:
    held: object = None
    end = time.monotonic() + 120
    while time.monotonic() < end:
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as conn:
            held = conn.execute("SELECT count(*) FROM messages").fetchone()[0]
            if held == count:
                return
        time.sleep(0.05)
    pytest.fail(f"{held} messages, not {count}")


def test_a_database_damaged_while_the_daemon_runs_is_put_right_without_a_restart(home: Path) -> None:
    (database,) = wait_for(home)
    talk = Talk(home).say(*(f"message {number}" for number in range(50)))
    wait_for_messages(database, 50)
    with database.open("r+b") as file:
        file.write(b"\xff" * database.stat().st_size)
    with database.with_name("memd.db-wal").open("r+b") as file:
        file.truncate(0)
    talk.say("one", "more")
    wait_for_messages(database, 52)
    assert list(database.parent.glob("memd.db.damaged-*"))


def wait_for(home: Path) -> list[Path]:
    end = time.monotonic() + 120
    while not (found := list(home.glob("d/**/memd.db"))) and time.monotonic() < end:
        time.sleep(0.05)
    return found
