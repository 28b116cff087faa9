from __future__ import annotations

from collections import Counter

import pytest

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk, rows
from tests.hosts.machine import eventually
from tests.hosts.memd_under_test import Memd, decide, said
from tests.hosts.scripted_model import ScriptedModel
from tests.hosts.stories import FIRST, SECOND

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(240)]


@pytest.mark.proves("resumed")
@pytest.mark.parametrize("option", [("--continue",), ("--resume", FIRST)], ids=["continue", "id"])
def test_a_session_taken_up_again_grows_and_repeats_nothing(desk: Desk, memd: Memd, option: tuple[str, ...]) -> None:
    decide(desk, memd)
    desk.ask(stories.FOLLOW_UP, *option)
    memd.wait_for_text(stories.FOLLOWED_UP)

    (session,) = memd.sessions()
    assert session.native_id == FIRST
    assert said(memd.messages(session)) == [
        stories.DECISION,
        stories.AGREEMENT,
        stories.DECIDED,
        stories.FOLLOW_UP,
        stories.FOLLOWED_UP,
    ]


def test_a_fork_is_a_session_of_its_own_that_counts_its_own_words_only(desk: Desk, memd: Memd) -> None:
    decide(desk, memd)
    desk.ask(stories.NEXT_STEP, "--resume", FIRST, "--fork-session", "--session-id", SECOND)
    memd.wait_for_text(stories.NEXT)

    original, fork = memd.session(FIRST), memd.session(SECOND)
    assert len(memd.sessions()) == 2
    assert fork.messages < original.messages
    assert Counter(memd.texts())[stories.DECISION] == 1


def test_a_subagent_is_a_child_session_captured_once(desk: Desk, memd: Memd) -> None:
    (desk.project / "piers.txt").write_text("north\nmiddle\nsouth\n")
    desk.ask(stories.SURVEY, "--session-id", FIRST)
    memd.wait_for_text(stories.SURVEYED)
    memd.wait_for_text(stories.SURVEY_RESULT)

    main = memd.session(FIRST)
    children = [one for one in memd.sessions() if one.parent is not None]
    assert [one.parent for one in children] == [FIRST]
    assert said(memd.messages(main)) == [stories.SURVEY, stories.SURVEYED]
    assert said(memd.messages(children[0])) == [stories.SURVEY_TASK, stories.SURVEY_RESULT]
    assert [call.name for one in memd.messages(main) for call in one.calls] == ["Agent"]


def test_a_background_agents_end_is_no_prompt_of_the_person(desk: Desk, memd: Memd) -> None:
    desk.ask(stories.BACKGROUND, "--session-id", FIRST)
    memd.wait_for_text(stories.MEASURED)

    messages = memd.messages(memd.session(FIRST))
    assert [one.text for one in messages if one.kind == "prompt"] == [stories.BACKGROUND]


def test_a_compaction_keeps_the_session_and_repeats_nothing(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    with desk.terminal("--session-id", FIRST) as terminal:
        terminal.say(stories.NAMING)
        model.wait_for(lambda seen: len(seen) >= 1)
        terminal.settle(quiet_s=1.0)
        terminal.say("/compact")
        (transcript,) = desk.transcripts
        eventually(
            lambda: any(row.get("isCompactSummary") for row in rows(transcript)),
            "the summary row of the compaction",
        )
        terminal.settle(quiet_s=1.0)
        terminal.say(stories.NEXT_STEP)
        model.wait_for(lambda _: bool(model.asked(stories.NEXT_STEP)))
        terminal.settle(quiet_s=1.0)
        terminal.say("/exit")
        terminal.wait()
    memd.wait_for_text(stories.NEXT)

    (session,) = memd.sessions()
    messages = memd.messages(session)
    assert session.native_id == FIRST
    assert said(messages) == [stories.NAMING, stories.NAMED, stories.NEXT_STEP, stories.NEXT]
    assert sum(stories.RECAP in one.text for one in messages) == 1
    assert [one.kind for one in messages if stories.RECAP in one.text] == ["summary"]


def test_a_rewound_answer_is_kept_beside_the_one_that_replaced_it(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    with desk.terminal("--session-id", FIRST) as terminal:
        terminal.say(stories.NEXT_STEP)
        model.wait_for(lambda seen: len(seen) >= 1)
        terminal.settle(quiet_s=1.0)
        terminal.say(stories.NAMING)
        model.wait_for(lambda seen: len(seen) >= 2)
        terminal.settle(quiet_s=1.0)
        terminal.rewind_one_prompt()
        terminal.say(stories.NAMING_AGAIN)
        model.wait_for(lambda seen: len(seen) >= 3)
        terminal.settle(quiet_s=1.0)
        terminal.say("/exit")
        terminal.wait()
    memd.wait_for_text(stories.RENAMED)

    assert said(memd.messages(memd.session(FIRST))) == [
        stories.NEXT_STEP,
        stories.NEXT,
        stories.NAMING,
        stories.NAMED,
        stories.NAMING + stories.NAMING_AGAIN,
        stories.RENAMED,
    ]


def test_clear_begins_a_second_session(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    with desk.terminal("--session-id", FIRST) as terminal:
        terminal.say(stories.NAMING)
        model.wait_for(lambda seen: len(seen) >= 1)
        terminal.settle(quiet_s=1.0)
        terminal.say("/clear")
        terminal.settle(quiet_s=1.0)
        terminal.say(stories.NEXT_STEP)
        model.wait_for(lambda _: bool(model.asked(stories.NEXT_STEP)))
        terminal.settle(quiet_s=1.0)
        terminal.say("/exit")
        terminal.wait()
    memd.wait_for_text(stories.NAMED)
    memd.wait_for_text(stories.NEXT)

    by_session = {one.native_id: said(memd.messages(one)) for one in memd.sessions()}
    assert by_session == {
        FIRST: [stories.NAMING, stories.NAMED],
        desk.transcript_after(FIRST).stem: [stories.NEXT_STEP, stories.NEXT],
    }


def test_a_client_killed_in_the_middle_leaves_a_session_captured_once(
    desk: Desk, memd: Memd, model: ScriptedModel
) -> None:
    with desk.terminal("--session-id", FIRST) as terminal:
        terminal.say(stories.NAMING)
        model.wait_for(lambda seen: len(seen) >= 1)
        terminal.settle(quiet_s=1.0)
        terminal.kill()
    memd.wait_for_text(stories.NAMED)
    desk.ask(stories.NEXT_STEP, "--resume", FIRST)
    memd.wait_for_text(stories.NEXT)

    (session,) = memd.sessions()
    assert said(memd.messages(session)) == [
        stories.NAMING,
        stories.NAMED,
        stories.NEXT_STEP,
        stories.NEXT,
    ]
