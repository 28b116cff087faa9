from __future__ import annotations

import json
import subprocess
from collections import Counter

import pytest

from tests.hosts import stories
from tests.hosts.memd_under_test import Memd, SeenCall, said
from tests.hosts.seat import Seat

# Minutes for each client: `make test-hosts` runs them, `make test` does not.
pytestmark = [pytest.mark.hosts, pytest.mark.slow, pytest.mark.timeout(400)]

_SILENCE_S = 150.0
"""How long a fact may take where only silence tells the end of a session."""


def _decide(seat: Seat, memd: Memd) -> None:
    outcome = seat.ask(stories.DECISION)
    assert stories.DECIDED in outcome.stdout
    memd.wait_for_text(stories.DECIDED)


def _calls(memd: Memd) -> list[SeenCall]:
    (session,) = memd.sessions()
    return [call for one in memd.messages(session) for call in one.calls]


@pytest.mark.proves("captured")
def test_a_session_is_captured_whole_with_nothing_done_but_install(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)

    (session,) = memd.sessions()
    assert (session.host, session.parent) == (seat.client.host, None)
    assert "harbor" in session.project
    told = said(memd.messages(session))
    assert told[0] == stories.DECISION
    assert stories.AGREEMENT in told[1]
    assert stories.DECIDED in told[-1]


@pytest.mark.proves("captured")
def test_tool_calls_come_with_their_output_and_how_they_ended(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)

    if not seat.client.keeps_output:
        assert any("echo three piers" in text for text in memd.texts())
        return
    calls = _calls(memd)
    (failed,) = [call for call in calls if "harbor.toml || exit 3" in json.dumps(call.whole)]
    (good,) = [call for call in calls if "echo three piers" in json.dumps(call.whole)]
    assert "No such file" in json.dumps(failed.whole["output"])
    assert "three piers" in json.dumps(good.whole["output"])
    assert (failed.exit_code, failed.ok) == (3, False)
    assert (good.exit_code, good.ok) == (0, True)


@pytest.mark.proves("captured")
def test_a_changed_file_is_known_by_its_path(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)

    changes = [change for call in _calls(memd) for change in _list(call.whole["changes"])]
    assert changes
    assert all("docs/storage.md" in json.dumps(change) for change in changes)


@pytest.mark.proves("injected")
def test_the_next_session_is_told_what_was_decided(seat: Seat, memd: Memd) -> None:
    if seat.client.reach == "everywhere":
        pytest.skip("this host has one place for all projects")
    _decide(seat, memd)
    memd.wait_for_fact("SQLite", timeout_s=_SILENCE_S)

    seat.ask(stories.NEXT_STEP)

    requests = seat.model.asked(stories.NEXT_STEP)
    assert len(requests) == (1 if seat.client.reach == "start" else 2)
    told = requests[-1].conversation.text
    assert "SQLite" in told
    assert "Postgres" in told


@pytest.mark.proves("injected")
def test_what_holds_everywhere_is_told_in_every_project(seat: Seat, memd: Memd) -> None:
    seat.ask(stories.STANDING)
    memd.wait_for_fact("year-month-day", timeout_s=_SILENCE_S)

    seat.ask(stories.NEXT_STEP, project="lighthouse")

    assert "year-month-day" in seat.model.first_request(stories.NEXT_STEP)


@pytest.mark.proves("injected")
def test_another_project_is_not_told_the_decision(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)
    memd.wait_for_fact("SQLite", timeout_s=_SILENCE_S)

    seat.ask(stories.NEXT_STEP, project="lighthouse")

    assert not any("SQLite" in one.conversation.text for one in seat.model.asked(stories.NEXT_STEP))


@pytest.mark.proves("injected")
def test_what_memd_told_a_session_is_not_captured_as_its_own_words(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)
    memd.wait_for_fact("SQLite", timeout_s=_SILENCE_S)

    seat.ask(stories.NEXT_STEP)
    memd.wait_for_text(stories.NEXT)

    (second,) = [one for one in memd.sessions() if stories.NEXT_STEP in said(memd.messages(one))]
    assert said(memd.messages(second)) == [stories.NEXT_STEP, stories.NEXT]
    assert len([one for one in memd.facts() if one["kind"] == "decision"]) == 1


@pytest.mark.proves("resumed")
def test_a_session_taken_up_again_is_counted_once(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)

    seat.go_on(stories.FOLLOW_UP)
    memd.wait_for_text(stories.FOLLOWED_UP)

    assert len(memd.sessions()) == (1 if seat.client.keeps_a_session else 2)
    counted = Counter(text for one in memd.sessions() for text in said(memd.messages(one)))
    assert counted[stories.DECISION] == 1
    assert counted[stories.FOLLOW_UP] == 1
    assert counted[stories.FOLLOWED_UP] == 1
    assert max(counted.values()) == 1


@pytest.mark.proves("uninstalled")
def test_uninstall_leaves_every_settings_file_byte_for_byte_as_it_was(seat: Seat) -> None:
    before = seat.files()
    memd = Memd(seat.machine)
    try:
        memd.install()
        assert seat.files() != before
    finally:
        memd.must("uninstall", "--yes")
    assert seat.files() == before


@pytest.mark.proves("uninstalled")
def test_after_uninstall_the_client_works_and_is_told_nothing(seat: Seat) -> None:
    before = seat.settings()
    memd = Memd(seat.machine)
    try:
        memd.install()
        _decide(seat, memd)
    finally:
        memd.must("uninstall", "--yes")
    outcome = seat.ask(stories.NEXT_STEP)

    assert stories.NEXT in outcome.stdout
    assert "memd" not in seat.model.first_request(stories.NEXT_STEP).replace(str(seat.machine.home.parent), "")
    assert seat.settings() == before


@pytest.mark.proves("captured")
def test_with_the_daemon_killed_the_client_works_as_before_and_nothing_is_lost(seat: Seat, memd: Memd) -> None:
    memd.kill_daemon()

    outcome = seat.ask(stories.DECISION)

    assert stories.DECIDED in outcome.stdout
    assert "memd" not in outcome.stderr.replace(str(seat.machine.home.parent), "")
    memd.must("restart")
    memd.wait_for_text(stories.DECIDED)
    assert Counter(memd.texts())[stories.DECISION] == 1


@pytest.mark.proves("captured")
def test_the_work_tree_holds_nothing_of_memd(seat: Seat, memd: Memd) -> None:
    _decide(seat, memd)
    listed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=all", "--ignored"],
        cwd=seat.machine.project,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "memd" not in listed.stdout


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
