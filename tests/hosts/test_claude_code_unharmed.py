from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk
from tests.hosts.memd_under_test import Memd, decide, said
from tests.hosts.scripted_model import ScriptedModel
from tests.hosts.stories import FIRST

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(240)]

HAND_WRITTEN = """\
{
    "model": "sonnet",  "env": {"HARBOUR": "north"},
  "hooks": {
      "Stop": [ {"hooks": [{"type": "command", "command": "true", "timeout": 5}]} ] }
}
"""


@pytest.mark.proves("captured")
def test_with_the_daemon_killed_the_client_works_as_before_and_nothing_is_lost(
    desk: Desk, memd: Memd, model: ScriptedModel
) -> None:
    memd.kill_daemon()

    outcome = desk.ask(stories.DECISION, "--session-id", FIRST)

    assert outcome.exit_code == 0
    assert outcome.stdout.strip() == stories.DECIDED
    assert "hook" not in outcome.stderr
    (transcript,) = desk.transcripts
    assert "hook_non_blocking_error" not in transcript.read_text()
    memd.must("restart")
    memd.wait_for_text(stories.DECIDED)
    (session,) = memd.sessions()
    assert said(memd.messages(session)) == [
        stories.DECISION,
        stories.AGREEMENT,
        stories.DECIDED,
    ]
    memd.wait_for_end(FIRST)


def test_a_daemon_killed_in_the_middle_of_a_session_loses_and_repeats_nothing(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    memd.kill_daemon()
    desk.ask(stories.FOLLOW_UP, "--continue")
    memd.must("restart")
    memd.wait_for_text(stories.FOLLOWED_UP)

    counted = Counter(memd.texts())
    assert [counted[one] for one in (stories.DECISION, stories.DECIDED, stories.FOLLOW_UP)] == [
        1,
        1,
        1,
    ]


def test_a_transcript_is_only_ever_read(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    (transcript,) = desk.transcripts
    before = _stamp(transcript)
    memd.must("restart")
    memd.wait_for_text(stories.DECIDED)
    assert _stamp(transcript) == before


def _stamp(path: Path) -> tuple[bytes, int, int]:
    status = path.stat()
    return path.read_bytes(), status.st_mtime_ns, status.st_ino


@pytest.mark.proves("uninstalled")
def test_uninstall_leaves_the_settings_byte_for_byte_as_they_were(desk: Desk) -> None:
    desk.settings.write_text(HAND_WRITTEN)
    memd = Memd(desk)
    try:
        memd.install()
        assert desk.settings.read_text() != HAND_WRITTEN
        desk.ask(stories.NEXT_STEP)
    finally:
        memd.must("uninstall", "--yes")
    assert desk.settings.read_text() == HAND_WRITTEN


def test_uninstall_keeps_what_was_edited_meanwhile(desk: Desk) -> None:
    desk.settings.write_text(HAND_WRITTEN)
    memd = Memd(desk)
    try:
        memd.install()
        edited = desk.settings.read_text().replace('"north"', '"south"')
        desk.settings.write_text(edited)
    finally:
        memd.must("uninstall", "--yes")
    assert desk.settings.read_text() == HAND_WRITTEN.replace('"north"', '"south"')


def test_uninstall_takes_away_a_settings_file_that_was_not_there(desk: Desk) -> None:
    memd = Memd(desk)
    try:
        memd.install()
        assert desk.settings.exists()
    finally:
        memd.must("uninstall", "--yes")
    assert not desk.settings.exists()


@pytest.mark.proves("uninstalled")
def test_after_uninstall_the_client_works_and_nothing_is_captured_orsaid(desk: Desk, model: ScriptedModel) -> None:
    memd = Memd(desk)
    try:
        memd.install()
        decide(desk, memd)
    finally:
        memd.must("uninstall", "--yes")
    outcome = desk.ask(stories.NEXT_STEP)
    assert outcome.exit_code == 0
    assert "SQLite" not in model.first_request(stories.NEXT_STEP)


def test_installing_twice_changes_nothing_the_second_time(desk: Desk, memd: Memd) -> None:
    once = desk.settings.read_bytes()
    memd.install()
    assert desk.settings.read_bytes() == once
    desk.ask(stories.NEXT_STEP)
    memd.wait_for_text(stories.NEXT)
    assert Counter(memd.texts())[stories.NEXT_STEP] == 1
