from __future__ import annotations

import json
import subprocess
from collections import Counter

import pytest

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk
from tests.hosts.machine import eventually
from tests.hosts.memd_under_test import Memd, decide, said
from tests.hosts.scripted_model import ScriptedModel
from tests.hosts.stories import FIRST, SECOND

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(240)]


@pytest.mark.proves("captured")
def test_a_session_is_captured_whole_with_nothing_done_but_install(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)

    (session,) = memd.sessions()
    assert (session.host, session.native_id, session.parent) == ("claude_code", FIRST, None)
    assert "harbor" in session.project
    messages = memd.messages(session)
    assert said(messages) == [stories.DECISION, stories.AGREEMENT, stories.DECIDED]
    calls = [call for one in messages for call in one.calls]
    assert [(call.name, call.ok) for call in calls] == [
        ("Bash", False),
        ("Bash", True),
        ("Write", True),
        ("Edit", True),
    ]
    assert calls[0].exit_code == 3
    assert "No such file" in json.dumps(calls[0].whole)
    for edit in calls[2:]:
        assert "docs/storage.md" in json.dumps(edit.whole)


def test_the_work_tree_holds_nothing_but_what_the_session_wrote(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all", "--ignored"],
        cwd=desk.project,
        capture_output=True,
        text=True,
        check=True,
    )
    assert listed.stdout.splitlines() == ["?? docs/storage.md"]


def test_a_secret_typed_into_a_prompt_is_nowhere_in_memds_files(desk: Desk, memd: Memd) -> None:
    secret = "ghp_" + "R7k2Qm9ZxT4vB8nL1sW6" + "yD3fH5jP0aCeUv4X"
    desk.ask(f"{stories.NEXT_STEP} The token is {secret}, for the record.")
    memd.wait_for_text(stories.NEXT)

    assert any("for the record" in text for text in memd.texts())
    memd.must("down")
    files = memd.own_files()
    assert files
    assert [path for path in files if secret.encode() in path.read_bytes()] == []


@pytest.mark.proves("injected")
def test_the_next_sessions_first_request_holds_the_decision(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    decide(desk, memd)

    desk.ask(stories.NEXT_STEP, "--session-id", SECOND)

    told = model.first_request(stories.NEXT_STEP)
    assert "SQLite" in told
    assert "Postgres" in told


def test_a_session_opened_the_moment_the_last_one_closed_knows_it_too(
    desk: Desk, memd: Memd, model: ScriptedModel
) -> None:
    desk.ask(stories.DECISION, "--session-id", FIRST)
    # A client that asks one thing and is gone leaves half a second. On a busy machine that is too short, and the
    # session after it is told.
    for _ in range(3):
        desk.ask(stories.NEXT_STEP)
        if "SQLite" in model.asked(stories.NEXT_STEP)[-1].conversation.text:
            break
    else:
        pytest.fail("three sessions in a row were not told the decision")


def test_the_decision_is_a_fact_with_the_words_it_came_from(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    eventually(
        lambda: any(one["kind"] == "decision" for one in memd.facts()),
        "the decision among the facts",
    )

    decisions = [one for one in memd.facts() if one["kind"] == "decision"]
    assert len(decisions) == 1
    assert "SQLite" in f"{decisions[0]['title']} {decisions[0]['text']}"
    assert "SQLite" in json.dumps(decisions[0]["evidence"])


@pytest.mark.proves("injected")
def test_another_project_is_not_told_the_decision(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    decide(desk, memd)

    desk.at_project("lighthouse").ask(stories.NEXT_STEP)

    told = model.first_request(stories.NEXT_STEP)
    assert "SQLite" not in told
    assert "harbour office" not in told


def test_what_memd_told_a_session_is_not_taken_for_its_own_words(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    before = len(memd.facts())

    desk.ask(stories.NEXT_STEP, "--session-id", SECOND)
    memd.wait_for_text(stories.NEXT)
    memd.wait_for_end(SECOND)

    assert said(memd.messages(memd.session(SECOND))) == [stories.NEXT_STEP, stories.NEXT]
    kinds = Counter(str(one["kind"]) for one in memd.facts())
    assert kinds["decision"] == 1
    assert len(memd.facts()) - before <= 1, "at most the second session's own summary"
