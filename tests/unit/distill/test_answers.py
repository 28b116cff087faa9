"""What a person picks when the model's question tool asks them is their decision; no other tool's output is read."""

from __future__ import annotations

import pytest

from memd.distill import answers
from memd.distill.thread import Thread
from memd.model import ToolCall
from tests.unit.distill.talk import Talk


def chosen(output: str, tool: str = "AskUserQuestion", ok: bool | None = True) -> list[str | None]:
    call = ToolCall("q", tool, "other", "{}", ok, output=output)
    return [draft.wording for draft in answers.find(Thread(Talk().user("go").reply("", call).transcript()))]


CHOSEN = (
    ('"Where are berths kept?"="SQLite"', ["SQLite (Where are berths kept?)"]),
    ('"Where are berths kept?"="SQLite (Recommended)"', ["SQLite (Where are berths kept?)"]),
    ('"泊位存在哪里比较好？"="SQLite (推荐)"', ["SQLite (泊位存在哪里比较好？)"]),
    (
        'User has answered: "Which pier first?"="North pier", "Which lamp is it?"="the red one".',
        ["North pier (Which pier first?)", "the red one (Which lamp is it?)"],
    ),
)
NOT_CHOSEN = (
    '"Where are berths kept?"="Other"',
    '"Shall I go on with it?"="yes"',
    '"Where are berths kept?"="skip"',
    '"Why?"="because"',  # too short to say what it is of
    "Where are berths kept? SQLite",
    "",
)


@pytest.mark.parametrize(("output", "expected"), CHOSEN)
def test_a_choice_is_told_with_its_question(output: str, expected: list[str]) -> None:
    assert chosen(output) == expected


@pytest.mark.parametrize("output", NOT_CHOSEN)
def test_a_nod_and_what_has_no_form_choose_nothing(output: str) -> None:
    assert chosen(output) == []


@pytest.mark.parametrize(("tool", "ok"), [("Bash", True), ("Read", True), ("AskUserQuestion", False)])
def test_other_tools_and_questions_that_failed_tell_nothing(tool: str, ok: bool) -> None:
    assert chosen('"Where are berths kept?"="SQLite"', tool, ok) == []
