"""Faults of the machine and of those who knock at the door."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.integration.daemon.daemon_under_test import Home, answers, running, settled, start, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"


def test_of_two_daemons_started_at_once_one_goes_on_and_the_other_says_why(home: Home) -> None:
    command = [sys.executable, "-m", "memd", "up"]
    pair = [subprocess.Popen(command, env=home.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in "ab"]
    try:
        wait_until(lambda: sum(one.poll() is not None for one in pair) == 1, "one of the two to give up")
        (loser,) = [one for one in pair if one.poll() is not None]
        assert loser.returncode == 4
        assert loser.stderr is not None
        assert b"already running" in loser.stderr.read()
        wait_until(lambda: answers(home), "the other's answer")
    finally:
        for one in pair:
            one.kill()
            one.communicate()


def test_a_daemon_that_was_killed_leaves_nothing_in_the_way_of_the_next(home: Home) -> None:
    with running(home) as daemon:
        daemon.kill9()
    assert home.paths.socket.exists()
    with running(home) as daemon:
        assert answers(home)
        assert daemon.stop() == 0
    assert not home.paths.socket.exists()
    wal = home.paths.database.with_name("memd.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0


def test_a_full_disk_stops_reading_and_nothing_else_and_it_goes_on_when_there_is_room(
    home: Home, project: Path
) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("The first word about the anchor")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        daemon.stop()

    def small() -> None:
        # A write beyond the limit fails with EFBIG, as one on a full disk does with ENOSPC.
        limit = home.paths.database.stat().st_size + 150_000
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with running(home, prepare=small) as daemon:
        for number in range(3000):
            talk.user(f"Word {number} about the capstan " + "and the chain " * 20)
        wait_until(lambda: any("space" in one for one in home.call("status")["degraded"]), "the word about the disk")
        assert home.call("search", query="anchor")["hits"]
        daemon.kill9()
    with running(home):
        wait_until(lambda: home.call("status")["messages"] >= 3001, "the last word")
        assert home.call("status")["messages"] == 3001


def test_a_database_damaged_while_down_is_restored_and_what_followed_read_again(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("Before the backup: the anchor")
    with running(home) as daemon:
        wait_until(lambda: bool(home.call("search", query="anchor")["hits"]), "the first word")
        home.call("backup.now")
        talk.user("After the backup: the capstan")
        wait_until(lambda: bool(home.call("search", query="capstan")["hits"]), "the second word")
        daemon.stop()
    with home.paths.database.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * 60_000)
    with running(home):
        wait_until(lambda: bool(home.call("search", query="capstan")["hits"]), "the second word again")
        status = home.call("status")
        assert status["messages"] == 2
        assert "damaged" in status["recovery"]


def test_a_stop_in_the_middle_of_work_is_orderly_and_leaves_no_process(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    for number in range(2000):
        talk.user(f"Word {number} about the capstan")
    with running(home) as daemon:
        time.sleep(0.3)
        assert daemon.stop() == 0
        children = subprocess.run(["pgrep", "-P", str(daemon.process.pid)], capture_output=True, check=False)
        assert children.stdout == b""
    with running(home):
        wait_until(lambda: settled(home), "the rest")
        assert home.call("status")["messages"] == 2000


def test_systemd_hands_the_socket_over_and_is_told(home: Home) -> None:
    home.paths.runtime_dir.mkdir(parents=True, mode=0o700)
    told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices = home.folder / "notify"
    told.bind(str(notices))
    told.settimeout(20)
    door = socket.socket(socket.AF_UNIX)
    door.bind(str(home.paths.socket))
    door.listen()
    script = (
        "import os, sys; os.dup2(int(sys.argv[1]), 3); os.set_inheritable(3, True);"
        " os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.executable, [sys.executable, '-m', 'memd', 'up'])"
    )
    env = {
        **home.env,
        "LISTEN_FDS": "1",
        "LISTEN_FDNAMES": "memd",
        "NOTIFY_SOCKET": str(notices),
        "WATCHDOG_USEC": "400000",
    }
    process = subprocess.Popen([sys.executable, "-c", script, str(door.fileno())], env=env, pass_fds=[door.fileno()])
    try:
        assert told.recv(100) in {b"READY=1", b"WATCHDOG=1"}
        assert answers(home)
        heard = {told.recv(100) for _ in range(3)}
        assert b"WATCHDOG=1" in heard
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0
        assert home.paths.socket.exists(), "the socket is systemd's"
    finally:
        process.kill()
        process.wait()
        told.close()
        door.close()


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_read_only_data_folder_is_named(home: Home) -> None:
    home.paths.data_dir.mkdir(parents=True)
    home.paths.data_dir.chmod(0o500)
    daemon = start(home, ready=False)
    assert daemon.process.wait(timeout=20) == 5
    shutil.rmtree(home.paths.data_dir)
