from __future__ import annotations

import json
import socket
import threading
from pathlib import Path

import pytest

from memd.doors.cli.client import Refused, call
from memd.errors import DaemonUnavailable, UsageError
from tests.unit.cli.conftest import StubDaemon


def test_the_result_comes_back_as_json(daemon: StubDaemon) -> None:
    daemon.answers["echo"] = {"text": "Zürich 東京"}

    assert json.loads(call(daemon.path, "echo", {"n": 1})) == {"text": "Zürich 東京"}
    assert daemon.asked == [("echo", {"n": 1})]


def test_an_answer_of_many_packets_is_read_whole(daemon: StubDaemon) -> None:
    daemon.answers["long"] = ["x" * 1000] * 3000

    assert len(json.loads(call(daemon.path, "long", {}))) == 3000


def test_a_refusal_carries_the_daemons_own_words_and_numbers(daemon: StubDaemon) -> None:
    daemon.answers["show"] = {"refused": {"code": "not_found", "message": "There is no session 'x'.", "exit_status": 3}}

    with pytest.raises(Refused, match=r"There is no session 'x'\.") as refused:
        call(daemon.path, "show", {})

    assert (refused.value.answer_code, refused.value.answer_status) == ("not_found", 3)


def test_no_socket_is_told(tmp_path: Path) -> None:
    with pytest.raises(DaemonUnavailable, match="there is no socket"):
        call(tmp_path / "memd.sock", "status", {})


def test_a_socket_left_by_a_dead_daemon_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))

    with pytest.raises(DaemonUnavailable, match="nobody listens"):
        call(path, "status", {})


def test_a_daemon_that_hangs_is_not_waited_for_longer_than_the_deadline(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as silent:
        silent.bind(str(path))
        silent.listen(1)

        with pytest.raises(DaemonUnavailable, match="no answer within"):
            call(path, "status", {}, deadline_s=0.1)


def test_a_daemon_that_hangs_up_is_told(tmp_path: Path) -> None:
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(1)

        def hang_up() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)

        rude = threading.Thread(target=hang_up)
        rude.start()
        with pytest.raises(DaemonUnavailable, match="it hung up"):
            call(path, "status", {})
        rude.join()


def test_something_else_at_the_socket_is_told(daemon: StubDaemon) -> None:
    daemon.raw = b"220 mail.example ESMTP\n"

    with pytest.raises(DaemonUnavailable, match="no memd"):
        call(daemon.path, "status", {})


def test_a_word_that_is_no_text_is_refused(daemon: StubDaemon) -> None:
    with pytest.raises(UsageError, match="not valid UTF-8"):
        call(daemon.path, "search", {"query": "caf\udce9"})
