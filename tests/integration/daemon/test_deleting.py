"""What a person deletes with a command is in no file of memd's, and no transcript brings it back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk
from tests.integration.daemon.test_at_rest import FIRST, SECOND, ours

WORD = "Zaphnixquorble"
STEM = b"zaphnixquorbl"


def memd(home: Home, *words: str) -> str:
    """What a command says; it has to succeed."""
    command = [sys.executable, "-m", "memd", *words]
    run = subprocess.run(command, env=home.env, capture_output=True, text=True, timeout=150, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def holding(home: Home) -> set[str]:
    """The files of memd's that hold the word, or what an index keeps of it."""
    files = (path for path in ours(home) if path.is_file())
    return {path.name for path in files if STEM in path.read_bytes().lower()}


def id_of(home: Home, session: str, word: str) -> str:
    shown = home.call("sessions.show", session=session)["messages"]
    return next(str(one["id"]) for one in shown if word in one["text"])


@pytest.mark.timeout(600)
def test_what_is_deleted_stays_gone_whatever_is_read_again(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user(f"Let's use {WORD} instead of Redis for the queue, because the office has no second server.")
    talk.tool("Bash", {"command": f"pip install {WORD.lower()}"}, f"Successfully installed {WORD.lower()}-1.0")
    talk.model("Done. From now on `make tide` builds it.")
    talk.note("ai-title", aiTitle=f"A queue with {WORD}")
    second = Talk(home.transcript(SECOND), project, at="2026-11-03T09:00")
    second.user(f"What did we use {WORD} for?")
    with running(home) as daemon:
        wait_until(lambda: len(home.call("sessions.list")) == 2, "both sessions")
        for session in (FIRST, SECOND):
            home.hook("SessionEnd", session, project, reason="other")
        wait_until(lambda: settled(home), "the distilled sessions")
        home.call("backup.now")
        assert {"memd.db-wal"} < holding(home) | {"memd.db"}

        message = id_of(home, FIRST, WORD)
        assert "Nothing was changed" in memd(home, "session", "forget_message", message)
        assert message in memd(home, "show", FIRST, "--json")
        assert "Removed for good: 1 message" in memd(home, "session", "forget_message", message[:10], "--apply")
        assert "Removed for good: 1 message" in memd(home, "session", "forget", SECOND, "--apply")
        said = memd(home, "session", "forget", FIRST, "--apply", "--copies")
        assert str(home.transcript(FIRST)) in said.replace("\n", "")
        assert not holding(home)
        assert daemon.stop() == 0
    assert not holding(home)

    # The host writes its file anew, and memd has never seen such a file.
    for session in (FIRST, SECOND):
        transcript = home.transcript(session)
        content = transcript.read_bytes()
        transcript.unlink()
        copy = transcript.with_name(f"{session}.jsonl")
        copy.write_bytes(content)
        os.utime(copy, (2_000_000_000, 2_000_000_000))
    with running(home) as daemon:
        memd(home, "import", str(home.transcript(FIRST)), "--yes")
        home.hook("UserPromptSubmit", FIRST, project, prompt="Go on with the pier")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: not home.call("status")["backfill"]["running"], "the second reading")
        talk.at = "2031-01-01T09:00"
        talk.user("Paint the pier green.")
        wait_until(lambda: bool(home.call("search", query="pier green")["hits"]), "what is new")
        texts = [one["text"] for one in home.call("sessions.show", session=FIRST)["messages"]]
        assert texts == ["Paint the pier green."]
        assert not home.query("SELECT 1 FROM messages_fts WHERE messages_fts MATCH ?", WORD)
        assert daemon.stop() == 0
    assert not holding(home)


@pytest.mark.timeout(600)
def test_what_was_deleted_stays_gone_when_the_database_comes_from_a_backup_of_before(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user(f"Let's use {WORD} instead of Redis for the queue, because the office has no second server.")
    second = Talk(home.transcript(SECOND), project, at="2026-11-03T09:00")
    second.user("Paint the pier green.")
    with running(home) as daemon:
        wait_until(lambda: len(home.call("sessions.list")) == 2, "both sessions")
        for session in (FIRST, SECOND):
            home.hook("SessionEnd", session, project, reason="other")
        wait_until(lambda: settled(home), "the distilled sessions")
        home.call("backup.now")
        memd(home, "session", "forget", FIRST, "--apply")
        daemon.kill9()
    database = home.paths.database
    with database.open("r+b") as file:
        file.write(bytes(4096))
    aside = None
    for _ in range(2):
        with running(home) as daemon:
            assert [one["native_id"] for one in home.call("sessions.list")] == [SECOND]
            assert "stays deleted" in str(home.call("status"))
            home.hook("SessionEnd", FIRST, project, reason="other")
            wait_until(lambda: not home.call("status")["backfill"]["running"], "the second reading")
            assert not home.query("SELECT 1 FROM messages_fts WHERE messages_fts MATCH ?", WORD)
            assert home.query("SELECT count(*) FROM messages") == [(1,)]
            assert daemon.stop() == 0
        aside = {path.name for path in database.parent.glob("memd.db.damaged-*")}
        assert holding(home) <= aside | {path.name for path in home.paths.backups_dir.iterdir()}
    assert aside
