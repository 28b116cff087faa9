"""Closing one session and opening the next: what the next one is told."""

from __future__ import annotations

from pathlib import Path

from memd.text.tokens import estimate_tokens
from tests.integration.daemon.conftest import make_project
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND, THIRD = (f"0a11ce00-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
DECISION = "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server."


def _hold(home: Home, project: Path, session: str = FIRST) -> None:
    """Hold a session with a decision and end it, as the host's hooks tell."""
    home.hook("SessionStart", session, project, source="startup")
    talk = Talk(home.transcript(session), project)
    talk.user(DECISION)
    talk.model("Agreed: SQLite, because the harbour office has no server.")
    home.hook("SessionEnd", session, project, reason="other")


def test_the_next_session_is_told_what_the_last_one_decided(home: Home, project: Path) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session", patience_s=10)
        told = home.hook("SessionStart", SECOND, project, source="startup")
    assert "SQLite instead of Postgres" in told
    assert estimate_tokens(told) <= 800


def test_the_wakeup_of_an_unchanged_store_is_the_same_byte_for_byte(home: Home, project: Path) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        first = home.hook("SessionStart", SECOND, project, source="startup")
        second = home.hook("SessionStart", THIRD, project, source="startup")
    assert first == second != ""


def test_another_project_is_told_nothing(home: Home, project: Path) -> None:
    other = make_project(home, "lighthouse")
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        assert home.hook("SessionStart", SECOND, other, source="startup") == ""
        assert home.hook("UserPromptSubmit", SECOND, other, prompt="Where do we keep the tide table, Postgres?") == ""


def test_a_prompt_is_given_what_bears_on_it_once_and_again_after_a_compaction(home: Home, project: Path) -> None:
    asked = "Where do we keep the tide table, in Postgres or SQLite?"
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        told = home.hook("UserPromptSubmit", SECOND, project, prompt=asked)
        again = home.hook("UserPromptSubmit", SECOND, project, prompt=asked + " Tell me once more.")
        home.hook("PostCompact", SECOND, project, trigger="manual", compact_summary="…")
        after = home.hook("UserPromptSubmit", SECOND, project, prompt=asked + " I forgot.")
        unrelated = home.hook("UserPromptSubmit", THIRD, project, prompt="Write a haiku about autumn leaves")
    assert "SQLite instead of Postgres" in told
    assert estimate_tokens(told) <= 400
    assert again == ""
    assert "SQLite instead of Postgres" in after
    assert unrelated == ""


def test_what_the_wakeup_said_is_not_said_again_at_the_prompt(home: Home, project: Path) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        assert "SQLite" in home.hook("SessionStart", SECOND, project, source="startup")
        assert home.hook("UserPromptSubmit", SECOND, project, prompt="Where do we keep the tide table, SQLite?") == ""


def test_an_event_reported_by_two_registrations_is_answered_once(home: Home, project: Path) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        answers = [home.hook("SessionStart", SECOND, project, source="startup") for _ in range(2)]
    assert [bool(answer) for answer in answers] == [True, False]


def test_a_session_that_ended_while_no_daemon_ran_is_known_at_the_next_start(home: Home, project: Path) -> None:
    with running(home) as daemon:
        daemon.stop()
    _hold(home, project)
    assert list(home.paths.spool_dir.iterdir())
    assert DECISION.encode() not in b"".join(path.read_bytes() for path in home.paths.spool_dir.iterdir())
    with running(home):
        wait_until(lambda: settled(home), "the distilled session")
        wait_until(lambda: not list(home.paths.spool_dir.iterdir()), "an empty spool")
        assert "SQLite" in home.hook("SessionStart", SECOND, project, source="startup")


def test_what_is_appended_is_found_and_files_are_for_their_owner_only(home: Home, project: Path) -> None:
    secret = "sk-ant-" + "api03-" + "Zt9wQ4mK7xP2vB8nL5rT1yU6oI3aS0dF"
    with running(home):
        talk = Talk(home.transcript(FIRST), project)
        talk.user(f"The key is {secret}, and the <private>wolf</private> lighthouse keeper is on leave")
        wait_until(lambda: bool(home.call("search", query="lighthouse keeper")["hits"]), "the message among the hits")
        for number in range(20):
            talk.model(f"Remark number {number} on the harbour")
        wait_until(lambda: bool(home.call("search", query="Remark 19")["hits"]), "the last remark")
    files = [path for path in home.folder.rglob("*") if path.is_file() and ".claude" not in path.parts]
    ours = [path for path in files if "memd" in str(path) and path.name != "hook" and "work" not in path.parts]
    assert len(ours) >= 3
    assert [path for path in ours if path.stat().st_mode & 0o077] == []
    assert [path for path in ours if secret.encode() in path.read_bytes() or b"wolf" in path.read_bytes()] == []
