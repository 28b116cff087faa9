"""Closing one session and opening the next: what the next one is told."""

from __future__ import annotations

import itertools
import json
import signal
import time
from pathlib import Path

import pytest

from memd.text.tokens import estimate_tokens
from tests.integration.daemon.conftest import make_project
from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND, THIRD = (f"0a11ce00-0000-4000-8000-00000000000{n}" for n in (1, 2, 3))
DECISION = "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server."
ASKED = "Where do we keep the tide table, in Postgres or SQLite?"
STATEMENTS = (
    "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server.",
    "We decided to send the storm warning by pigeon, because the telegraph line breaks in every storm.",
    "Let's use Caddy instead of nginx for the lighthouse page, because it renews its certificates by itself.",
    "Always run the crane tests with `pytest -x tests/crane` before you commit.",
    "Never write to the customs ledger without asking the keeper first.",
    "We decided to keep the ferry plan in YAML rather than TOML, because the ferrymen edit it by hand.",
    "Let's use Redis instead of RabbitMQ for the berth queue, because the pilots need it in the pilot boat as well.",
)


def _hold(home: Home, project: Path, session: str = FIRST) -> None:
    """Hold a session with a decision and end it, as the host's hooks tell."""
    home.hook("SessionStart", session, project, source="startup")
    talk = Talk(home.transcript(session), project)
    talk.user(DECISION)
    talk.model("Agreed: SQLite, because the harbour office has no server.")
    home.hook("SessionEnd", session, project, reason="other")


def test_the_next_session_is_told_what_the_last_one_decided(home: Home, project: Path) -> None:
    with running(home):
        for number in range(5):
            looks = _looks(home)
            _hold(home, project, f"0a11ce00-0000-4000-8000-0000000002{number:02}")
            wait_until(lambda: settled(home), "the distilled session")
            if _looks(home) == looks:
                break  # the end itself had it distilled, and not the look that is taken once a minute
        else:
            pytest.fail("what has ended is distilled at the next look only")
        told = home.hook("SessionStart", SECOND, project, source="startup")
    assert "SQLite instead of Postgres" in told
    assert estimate_tokens(told) <= 800


def _looks(home: Home) -> int:
    """How often the job that distills what is left over has run."""
    return sum(int(job["runs"]) for job in home.call("status")["jobs"] if job["name"] == "distill")


def test_the_next_session_is_told_although_it_begins_the_moment_the_last_one_ends(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", FIRST, project, source="startup")
        Talk(home.transcript(FIRST), project).user(DECISION)
        wait_until(lambda: home.call("status")["messages"] == 1, "the prompt")
        home.hook("SessionEnd", FIRST, project, reason="other")
        # On a busy machine distilling may take longer than a start can wait: then the one after it is told.
        started = (f"session-{number}" for number in itertools.count())
        wait_until(
            lambda: "SQLite" in home.hook("SessionStart", next(started), project, source="startup"), "the decision"
        )


def test_a_daemon_that_is_stopped_while_a_session_ends_keeps_the_end_and_what_was_not_read_yet(
    home: Home, project: Path
) -> None:
    with running(home) as daemon:
        home.hook("SessionStart", FIRST, project, source="startup")
        wait_until(lambda: home.query("SELECT 1 FROM sessions") == [(1,)], "the session that began")
        talk = Talk(home.transcript(FIRST), project)
        home.hook("SessionEnd", FIRST, project, reason="other")
        daemon.stop()
    talk.user(DECISION)
    talk.model("Agreed: SQLite, because the harbour office has no server.")
    assert home.query("SELECT state, end_reason FROM sessions") == [("ended", "other")]
    with running(home):
        wait_until(lambda: "SQLite" in json.dumps(home.call("facts.list")), "the decision that was read late")
        assert home.query("SELECT state FROM sessions") == [("ended",)]


def test_the_ends_of_sessions_that_are_told_while_the_daemon_stops_are_kept(home: Home, project: Path) -> None:
    sessions = [f"0a11ce00-0000-4000-8000-0000000001{number:02}" for number in range(24)]
    with running(home) as daemon:
        for session in sessions:
            home.hook("SessionStart", session, project, source="startup")
        wait_until(lambda: home.query("SELECT count(*) FROM sessions") == [(24,)], "the sessions that began")
        fields = {"hook_event_name": "SessionEnd", "cwd": str(project), "reason": "other"}
        hooks = []
        for number, session in enumerate(sessions):
            if number == 2:
                daemon.process.send_signal(signal.SIGTERM)
            hooks.append(home.start_hook({**fields, "session_id": session}, patient=True))
            time.sleep(0.01)
        assert {(hook.communicate(timeout=90), hook.returncode) for hook in hooks} == {((b"", b""), 0)}
        daemon.process.wait(timeout=90)
    with running(home):
        wait_until(
            lambda: home.query("SELECT DISTINCT state, end_reason FROM sessions") == [("ended", "other")], "all ends"
        )


def test_what_a_start_came_too_early_for_is_told_at_the_first_prompt(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", FIRST, project, source="startup")
        talk = Talk(home.transcript(FIRST), project)
        talk.user(DECISION)
        talk.model("Agreed: SQLite, because the harbour office has no server.")
        wait_until(lambda: home.call("status")["messages"] == 2, "the session")
        home.hook("SessionEnd", FIRST, project, reason="other")
        started = home.hook("SessionStart", SECOND, project, source="startup")
        wait_until(lambda: bool(home.call("facts.list")), "the fact of the session that ended")
        asked = home.hook("UserPromptSubmit", SECOND, project, prompt="Write a haiku about autumn leaves")
    # Which of the two is told depends on how busy the machine is; that it is told once does not.
    assert (started + asked).count("SQLite instead of Postgres") >= 1
    assert ("SQLite" in started) != ("## Decisions" in asked)


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
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        # The first prompt of a daemon's life is its slowest, and a hook does not wait: here it has nothing to say.
        unrelated = home.hook("UserPromptSubmit", THIRD, project, prompt="Write a haiku about autumn leaves")
        passed = [home.hook("UserPromptSubmit", SECOND, project, prompt=one) for one in ("/model", "!ls", "go on", "")]
        told = home.hook("UserPromptSubmit", SECOND, project, prompt=ASKED)
        again = home.hook("UserPromptSubmit", SECOND, project, prompt=ASKED + " Tell me once more.")
        home.hook("PostCompact", SECOND, project, trigger="manual", compact_summary="…")
        after = home.hook("UserPromptSubmit", SECOND, project, prompt=ASKED + " I forgot.")
    assert "SQLite instead of Postgres" in told
    assert estimate_tokens(told) <= 400
    assert passed == ["", "", "", ""]
    assert again == ""
    assert "SQLite instead of Postgres" in after
    assert unrelated == ""


@pytest.mark.parametrize("source", ["resume", "clear"])
def test_a_session_that_lost_what_it_knew_is_told_again(home: Home, project: Path, source: str) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        first = home.hook("SessionStart", SECOND, project, source="startup")
        again = home.hook("SessionStart", SECOND, project, source=source)
    assert first == again != ""


def test_after_a_compaction_a_session_is_given_what_that_took_away_once_and_nothing_else(
    home: Home, project: Path
) -> None:
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        home.hook("SessionStart", SECOND, project, source="startup")
        home.hook("PreCompact", SECOND, project, trigger="auto")
        again = home.hook("SessionStart", SECOND, project, source="compact")
        home.hook("PostCompact", SECOND, project, trigger="auto", compact_summary="…")
        prompted = home.hook("UserPromptSubmit", SECOND, project, prompt=ASKED)
    assert "Given before in this session" in again
    assert "SQLite instead of Postgres" in again
    assert "Last session" not in again
    assert prompted == ""


def test_what_a_session_settled_before_a_compaction_is_stored_by_then_and_given_back(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", SECOND, project, source="startup")
        talk = Talk(home.transcript(SECOND), project)
        talk.user(DECISION)
        talk.model("Agreed: SQLite, because the harbour office has no server.")
        home.hook("PreCompact", SECOND, project, trigger="manual")
        wait_until(lambda: bool(home.call("facts.list")), "the facts of the session that goes on")
        again = home.hook("SessionStart", SECOND, project, source="compact")
    assert "## Settled in this session\n- " in again
    assert "SQLite instead of Postgres" in again


def test_a_chinese_prompt_of_ten_characters_is_given_what_bears_on_it(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", FIRST, project, source="startup")
        talk = Talk(home.transcript(FIRST), project)
        talk.user("潮汐表就存在 SQLite 数据库里，不用 Postgres，因为港口办公室没有服务器。")
        talk.model("好的，用 SQLite。")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: bool(home.call("facts.list")), "the decision")
        home.hook("UserPromptSubmit", THIRD, project, prompt="写一首关于秋天落叶的诗")
        told = home.hook("UserPromptSubmit", SECOND, project, prompt="潮汐表存在哪个数据库")
    assert "SQLite" in told


def test_a_prompt_is_given_four_facts_and_four_hundred_tokens_at_most(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", FIRST, project, source="startup")
        talk = Talk(home.transcript(FIRST), project)
        for statement in STATEMENTS:
            talk.user(statement)
            talk.model("Agreed.")
        home.hook("SessionEnd", FIRST, project, reason="other")
        wait_until(lambda: len(home.call("facts.list")) > 4, "more facts than a prompt is given")
        told = home.hook("UserPromptSubmit", SECOND, project, prompt=" ".join(STATEMENTS))
    assert 1 <= told.count("\n- ") <= 4
    assert estimate_tokens(told) <= 400


@pytest.mark.parametrize("switch", ["session_start", "user_prompt_submit"])
def test_a_hook_that_is_switched_off_says_nothing_and_the_other_still_does(
    home: Home, project: Path, switch: str
) -> None:
    home.settings[f"MEMD_HOOKS_{switch.upper()}"] = "false"
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        told = {
            "session_start": home.hook("SessionStart", SECOND, project, source="startup"),
            "user_prompt_submit": home.hook("UserPromptSubmit", THIRD, project, prompt=ASKED),
        }
    assert [name for name, text in told.items() if not text] == [switch]


def test_who_wants_receipts_is_told_at_every_hook_what_was_given_or_why_nothing(home: Home, project: Path) -> None:
    told = []
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
    home.settings["MEMD_INJECT_RECEIPTS"] = "true"
    with running(home):
        wait_until(lambda: settled(home), "the distilled session")
        for event in (
            {"hook_event_name": "UserPromptSubmit", "prompt": ASKED},
            {"hook_event_name": "UserPromptSubmit", "prompt": "Write a haiku about autumn leaves"},
            {"hook_event_name": "UserPromptSubmit", "prompt": "go on"},
        ):
            hook = home.start_hook({"session_id": SECOND, "cwd": str(project), **event}, patient=True)
            told.append(json.loads(hook.communicate(timeout=90)[0])["systemMessage"])
    assert told[0].startswith("memd: 1 fact from earlier sessions, about ")
    assert told[1:] == [
        "memd: nothing given, nothing known bears on this prompt",
        "memd: nothing given, this prompt is not looked into",
    ]


def test_a_subagent_is_told_nothing_and_what_memd_asks_a_model_is_not_observed(home: Home, project: Path) -> None:
    event = {"hook_event_name": "SessionStart", "session_id": THIRD, "cwd": str(project), "source": "startup"}
    with running(home):
        _hold(home, project)
        wait_until(lambda: settled(home), "the distilled session")
        agent = home.hook("UserPromptSubmit", SECOND, project, prompt=ASKED, agent_id="a1", agent_type="Explore")
        inner = home.start_hook(event, env={"MEMD_INTERNAL": "1"})
        assert inner.communicate(timeout=90) == (b"", b"")
        known = {session["native_id"] for session in home.call("sessions.list", empty=True)}
    assert agent == ""
    assert inner.returncode == 0
    assert known == {FIRST}


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


def test_a_transcript_that_grows_while_it_is_read_is_stored_whole_and_once(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    said = [f"sentence {number} " + "of a long talk " * 40 for number in range(400)]
    for text in said[:200]:
        talk.user(text)
    with running(home):
        for text in said[200:]:
            talk.user(text)
        wait_until(lambda: home.call("status")["messages"] >= len(said), "the last sentence")
        stored = [text for (text,) in home.query("SELECT text FROM messages ORDER BY seq")]
    assert stored == [text.strip() for text in said]


def test_what_is_appended_is_found_and_files_are_for_their_owner_only(home: Home, project: Path) -> None:
    secret = "sk-ant-" + "api03-" + "Zt9wQ4mK7xP2vB8nL5rT1yU6oI3aS0dF"
    with running(home):
        talk = Talk(home.transcript(FIRST), project)
        talk.user(f"The key is {secret}, and the <private>wolf</private> lighthouse keeper is on leave")
        wait_until(lambda: bool(home.call("search", query="lighthouse keeper")["hits"]), "the message among the hits")
        for number in range(20):
            talk.model(f"Remark number {number} on the harbour")
        wait_until(lambda: bool(home.call("search", query="Remark 19")["hits"]), "the last remark")
    places = (home.paths.data_dir, home.paths.state_dir)
    ours = [path for place in places for path in place.rglob("*") if path.is_file()]
    assert len(ours) >= 3
    assert [path for path in ours if path.stat().st_mode & 0o077] == []
    assert [path for path in ours if secret.encode() in path.read_bytes() or b"wolf" in path.read_bytes()] == []
