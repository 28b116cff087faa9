"""What a person picks when the model's question tool asks them is their decision; no other tool's output is read."""

from __future__ import annotations

import json

import pytest

from memd.distill import answers
from memd.distill.distill import distill
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


CSV = "Keep a CSV file beside the gauge"


def offered(answer: str, said: str = "") -> Thread:
    given = {"question": "How shall the tides be kept?", "choices": [CSV, "A SQLite table"]}
    call = ToolCall("q", "ask_user", "other", json.dumps(given), True, output=answer)
    return Thread(Talk().user("tides please").reply(said, call).transcript())


@pytest.mark.parametrize(
    ("output", "told", "rejected"),
    [
        ("User selected: A SQLite table", "A SQLite table", ["Keep a CSV file beside the gauge"]),
        (
            "User responded: one Parquet file a year",
            "one Parquet file a year",
            ["Keep a CSV file beside the gauge", "A SQLite table"],
        ),
    ],
)
def test_copilots_answers_are_read_with_the_question_that_was_put(output: str, told: str, rejected: list[str]) -> None:
    (draft,) = answers.find(offered(output))
    assert draft.wording == f"{told} (How shall the tides be kept?)"
    assert [part.text for part in draft.parts if part.name == "rejected"] == rejected


@pytest.mark.parametrize("output", ["User selected: Something else", "User skipped the question", "selected: A table"])
def test_copilots_other_outcomes_choose_nothing(output: str) -> None:
    assert list(answers.find(offered(output))) == []


@pytest.mark.parametrize(
    "input_", ["", "[]", "not json", '{"question": 7}', '{"questions": "x"}', '{"questions": [3, {"options": 4}]}']
)
def test_an_input_of_another_form_offers_nothing(input_: str) -> None:
    call = ToolCall("q", "ask_user", "other", input_, True, output="User responded: one Parquet file a year")
    assert list(answers.answers(Thread(Talk().user("go").reply("", call).transcript()))) == []


def test_what_was_said_of_an_option_that_was_not_taken_is_overtaken() -> None:
    csv = "We could keep a CSV file beside the gauge and read it once."
    why = "Nobody has to install anything."
    thread = offered("User selected: A SQLite table", f"- {csv} {why}\n- A SQLite table has an index on the hour.")
    assert {one.text for one in answers.refused(thread)} == {csv, why}


def test_what_a_person_answered_is_the_fact_where_the_model_says_the_same() -> None:
    given = {"question": "How shall the tides be kept?", "choices": [CSV, "A SQLite table"]}
    call = ToolCall("q", "ask_user", "other", json.dumps(given), True, output=f"User selected: {CSV}")
    talk = Talk().user("where do the tides go").reply("", call)
    talk.edited("gauge.py", f"{CSV}: `gauge.py` reads the tides once, at the start, and the question is closed.")
    told = [one.title for one in distill(talk.transcript()).candidates if "CSV" in one.title]
    assert [title[: len(CSV) + 2] for title in told] == [f"{CSV} ("]
