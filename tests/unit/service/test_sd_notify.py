"""What the daemon and systemd tell each other."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from memd_service import sd_notify


@pytest.fixture(autouse=True)
def outside_systemd(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "NOTIFY_SOCKET",
        "LISTEN_PID",
        "LISTEN_FDS",
        "LISTEN_FDNAMES",
        "WATCHDOG_USEC",
        "WATCHDOG_PID",
    ):
        monkeypatch.delenv(name, raising=False)


def test_outside_systemd_nothing_is_told_and_nothing_is_taken() -> None:
    assert not sd_notify.notify("READY=1")
    assert sd_notify.listen_fds() == {}
    assert sd_notify.watchdog_interval_s() is None


def test_ready_reaches_the_notify_socket(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(home / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(home / "notify"))

        assert sd_notify.notify("READY=1\nSTATUS=reading")

        assert systemd.recv(100) == b"READY=1\nSTATUS=reading"


@pytest.mark.skipif(sys.platform != "linux", reason="the abstract namespace is Linux's")
def test_an_at_sign_means_the_abstract_namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"memd-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(f"\0{name}")
        monkeypatch.setenv("NOTIFY_SOCKET", f"@{name}")

        assert sd_notify.notify("WATCHDOG=1")

        assert systemd.recv(100) == b"WATCHDOG=1"


def test_a_notify_socket_that_has_gone_is_no_failure(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(home / "gone"))

    assert not sd_notify.notify("READY=1")


def test_a_passed_socket_is_taken_by_its_name_and_only_once(home: Path) -> None:
    # In a process of its own: file descriptor 3 of the test runner belongs to somebody else.
    code = """if True:
        import os, sys
        from memd_service import sd_notify
        os.environ["LISTEN_PID"] = str(os.getpid())
        taken = sd_notify.listen_fds()
        assert list(taken) == ["memd"], taken
        assert not os.get_inheritable(3)
        assert not {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"} & set(os.environ)
        assert sd_notify.listen_fds() == {}
        print(taken["memd"].getsockname())
        taken["memd"].close()
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as opened:
        opened.bind(str(home / "memd.sock"))
        opened.listen()

        def pass_on() -> None:
            os.dup2(opened.fileno(), 3)

        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "LISTEN_FDS": "1", "LISTEN_FDNAMES": "memd"},
            pass_fds=(3,) if opened.fileno() == 3 else (),
            preexec_fn=pass_on,
            close_fds=False,
            capture_output=True,
            text=True,
            check=False,
        )

    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(home / "memd.sock")


def test_sockets_meant_for_another_process_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + 1))
    monkeypatch.setenv("LISTEN_FDS", "1")

    assert sd_notify.listen_fds() == {}
    assert "LISTEN_FDS" not in os.environ


def test_the_watchdog_is_fed_twice_as_often_as_systemd_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "60000000")

    assert sd_notify.watchdog_interval_s() == 30.0


@pytest.mark.parametrize(("limit", "owner"), [("0", ""), ("soon", ""), ("60000000", "1")], ids=["off", "bad", "other"])
def test_no_watchdog_where_none_watches_this_process(limit: str, owner: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", limit)
    monkeypatch.setenv("WATCHDOG_PID", owner or str(os.getpid()))

    assert sd_notify.watchdog_interval_s() is None
