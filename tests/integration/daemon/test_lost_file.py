"""The database's file is taken away, or damaged where only readers see it, under a running daemon."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from memd.store.keeper import LOOK_S
from tests.integration.daemon.daemon_under_test import Home, answers, running, wait_until
from tests.integration.daemon.talk import Talk
from tests.integration.daemon.test_start_and_stop import is_free

FIRST = "0a11ce00-0000-4000-8000-000000000001"


def _messages(home: Home) -> int:
    return int(home.call("status")["messages"]) if answers(home) else -1


def test_a_database_that_was_removed_while_in_use_is_made_anew_from_the_transcripts(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user("The first word about the anchor")
    with running(home) as daemon:
        wait_until(lambda: _messages(home) == 1, "the first word")
        for suffix in ("", "-wal", "-shm"):
            home.paths.database.with_name(f"memd.db{suffix}").unlink(missing_ok=True)
        talk.user("The second word about the capstan")
        wait_until(lambda: home.paths.database.exists(), "a new database", patience_s=LOOK_S + 100)
        wait_until(lambda: _messages(home) == 2, "both words")
        assert daemon.stop() == 0
    with running(home):
        wait_until(lambda: _messages(home) == 2, "both words, kept")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_hangup_and_an_interrupt_are_a_stop(home: Home, number: signal.Signals) -> None:
    with running(home) as daemon:
        daemon.process.send_signal(number)
        assert daemon.process.wait(timeout=90) == 0
    assert not home.paths.socket.exists()
    assert is_free(home.paths.lock_file)
    wal = home.paths.database.with_name("memd.db-wal")
    assert not wal.exists() or wal.stat().st_size == 0
