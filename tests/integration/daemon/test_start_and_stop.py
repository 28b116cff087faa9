"""How a daemon begins and ends: alone, orderly, and as the service manager is told."""

from __future__ import annotations

import fcntl
import json
import signal
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, answers, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"
# Become the daemon with the socket as descriptor 3, as systemd does it.
_HAND_OVER = (
    "import os, sys; os.dup2(int(sys.argv[1]), 3); os.set_inheritable(3, True);"
    " os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.executable, [sys.executable, '-m', 'memd', 'up'])"
)


def notices(home: Home) -> socket.socket:
    """A socket for what the daemon tells the service manager; its address is handed to the next daemon."""
    heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    heard.bind(str(home.folder / "notify"))
    heard.settimeout(90)
    home.settings["NOTIFY_SOCKET"] = str(home.folder / "notify")
    return heard


def wait_for(heard: socket.socket, notice: bytes) -> None:
    """Wait until the daemon tells this."""
    while heard.recv(100) != notice:
        pass


def is_free(lock: Path) -> bool:
    """Whether nobody holds a lock."""
    with lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def test_of_two_daemons_started_at_once_one_goes_on_and_the_other_says_why(home: Home) -> None:
    command = [sys.executable, "-m", "memd", "up"]
    pair = [subprocess.Popen(command, env=home.env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in "ab"]
    try:
        wait_until(lambda: sum(one.poll() is not None for one in pair) == 1, "one of the two to give up")
        (loser,) = [one for one in pair if one.poll() is not None]
        assert loser.returncode == 4
        assert loser.stderr is not None
        said = loser.stderr.read()
        assert b"already running" in said
        assert said.count(b"\n") == 1
        wait_until(lambda: answers(home), "the other's answer")
    finally:
        for one in pair:
            one.kill()
            one.communicate()


def test_a_daemon_that_was_killed_leaves_nothing_in_the_way_of_the_next(home: Home) -> None:
    with running(home) as daemon:
        daemon.kill9()
    assert home.paths.socket.exists()
    assert home.paths.lock_file.read_bytes()
    with running(home) as daemon:
        assert home.call("status")["pid"] == daemon.pid
        assert daemon.stop() == 0


def test_a_stop_leaves_no_socket_no_lock_no_log_of_writes_and_no_process(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    for number in range(2000):
        talk.user(f"Word {number} about the capstan")
    with running(home) as daemon:
        wait_until(lambda: home.call("status")["messages"] > 0, "the first words")
        assert daemon.stop() == 0
        assert home.processes() == []
    wal = home.paths.database.with_name("memd.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0
    assert not home.paths.socket.exists()
    assert is_free(home.paths.lock_file)
    with running(home):
        assert not is_free(home.paths.lock_file)
        wait_until(lambda: settled(home), "the rest")
        assert home.call("status")["messages"] == 2000


def test_a_request_in_hand_is_answered_although_the_daemon_stops(home: Home, project: Path) -> None:
    event = {"hook_event_name": "SessionStart", "session_id": "asking", "cwd": str(project), "source": "startup"}
    body = json.dumps(event).encode()
    with closing(notices(home)) as heard, running(home) as daemon, closing(home.connect()) as idle:
        home.hook("SessionStart", FIRST, project, source="startup")
        Talk(home.transcript(FIRST), project).user("Let's use SQLite instead of Postgres, because there is no server.")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: bool(home.call("facts.list")), "something to tell")
        with closing(home.connect()) as asking:
            asking.sendall(b'{"op":"hook","host":"claude_code","bytes":%d}\n' % len(body) + body[:20])
            # An answer on a later connection: by now the daemon has taken up what came before.
            assert answers(home)
            daemon.process.send_signal(signal.SIGTERM)
            wait_for(heard, b"STOPPING=1")
            asking.sendall(body[20:])
            with asking.makefile("rb") as lines:
                answer = lines.read()
        assert daemon.process.wait(timeout=90) == 0
        assert idle.recv(1) == b""
    assert b"SQLite" in answer
    assert answer.endswith(b"\n")


def test_systemd_hands_the_socket_over_and_is_told(home: Home) -> None:
    home.paths.runtime_dir.mkdir(parents=True, mode=0o700)
    with closing(notices(home)) as heard, closing(socket.socket(socket.AF_UNIX)) as door:
        door.bind(str(home.paths.socket))
        door.listen()
        env = {**home.env, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "memd", "WATCHDOG_USEC": "400000"}
        command = [sys.executable, "-c", _HAND_OVER, str(door.fileno())]
        process = subprocess.Popen(command, env=env, pass_fds=[door.fileno()])
        try:
            wait_for(heard, b"READY=1")
            assert home.call("status")["pid"] == process.pid
            for _ in range(2):
                wait_for(heard, b"WATCHDOG=1")
            process.send_signal(signal.SIGTERM)
            wait_for(heard, b"STOPPING=1")
            assert process.wait(timeout=90) == 0
            assert home.paths.socket.exists(), "the socket is systemd's"
        finally:
            process.kill()
            process.wait()
