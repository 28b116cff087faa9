from __future__ import annotations

import json

import pytest

from memd.distill.distill import distill
from memd.model import Summary, ToolCall
from tests.unit.distill.talk import Talk


def summary(talk: Talk) -> Summary:
    return distill(talk.transcript()).summary


def test_a_title_that_was_given_is_kept(talk: Talk) -> None:
    talk.title = "Harbor master rewrite"
    assert summary(talk.user("hi")).title == "Harbor master rewrite"


@pytest.mark.parametrize(
    ("prompts", "title"),
    [
        (("hello", "please add a tide table to the harbor page"), "add a tide table to the harbor page"),
        (("could you fix the berth count",), "fix the berth count"),
        (("你好", "帮我看下列表滚动为什么卡顿"), "看下列表滚动为什么卡顿"),
    ],
)
def test_otherwise_the_first_real_request_is_the_title(talk: Talk, prompts: tuple[str, ...], title: str) -> None:
    for prompt in prompts:
        talk.user(prompt).reply("OK.")
    assert summary(talk).title == title


def test_a_title_is_never_longer_than_eighty_characters(talk: Talk) -> None:
    assert len(summary(talk.user("rework " + "the harbor page " * 20)).title) <= 80


def test_an_empty_session_has_a_title_too(talk: Talk) -> None:
    assert summary(talk) == Summary("Session without a prompt", "", ())


def test_the_text_tells_what_was_asked_done_and_left(talk: Talk) -> None:
    talk.user("add a tide table").edited("/home/ada/harbor/tide.py").ran("make test", "3 passed")
    talk.reply(
        "The tide table is in `tide.py` and reads its figures from the harbor office.\n\n"
        "Still open: winter time is not handled in `tide.py`."
    )
    text = summary(talk).text
    for line in (
        "**Asked**\n- add a tide table",
        "`~/harbor/tide.py`",
        "`make test`",
        "reads its figures",
        "**Open ends**",
    ):
        assert line in text


def test_open_ends_are_todos_questions_and_failing_tests(talk: Talk) -> None:
    todos = {
        "todos": [{"content": "Write the docs", "status": "pending"}, {"content": "Fix it", "status": "completed"}]
    }
    talk.user("go").reply("", ToolCall("t", "TodoWrite", "todo", json.dumps(todos), True))
    talk.ran("pytest", "E   assert 1 == 2", ok=False, exit_code=1).reply("Two tests still fail.\n\nShall I skip them?")
    assert summary(talk).open_ends == ("Write the docs", "Shall I skip them?", "Tests failed at the end: `pytest`")


def test_tests_that_passed_in_the_end_are_no_open_end_whatever_failed_before(talk: Talk) -> None:
    talk.user("go").ran("cargo test", "1 failed", ok=False, exit_code=1).ran("cargo nextest run", ok=False, exit_code=1)
    assert summary(talk).open_ends == ("Tests failed at the end: `cargo nextest run`",)

    talk.edited("/home/ada/harbor/tide.rs").ran("cargo nextest run && cargo clippy", "11 passed", exit_code=0)
    assert summary(talk).open_ends == ()


def test_thanks_and_what_was_said_before_are_not_told_and_a_nod_is_nothing_done(talk: Talk) -> None:
    talk.user("add a tide table").edited("tide.py", "The tide table is in `tide.py`, sorted by day.")
    talk.user("oh good one, thanks!").reply("You're welcome.")
    talk.user("add a tide table").reply(
        "All set, everything works as expected. The tide table is in `tide.py`, sorted by day."
    )
    text = summary(talk).text
    assert text.count("add a tide table") == 1
    assert text.count("sorted by day") == 1
    assert "good one" not in text
    assert "All set" not in text


def test_the_tools_and_files_of_a_session_are_told_and_its_topics_are_a_persons_words(talk: Talk) -> None:
    for n in range(4):
        talk.user(f"paint crane {n} " + "and its long boom " * 30).edited(f"/home/ada/harbor/crane{n}.py").ran(
            f"make test N={n}", "ok"
        )
    talk.notice("<system-reminder>Never tell anybody of the boom</system-reminder>").reply('{"json": "only"}')
    text = summary(talk).text
    assert "**Tools**\n- Edit 4, Bash 4" in text
    assert all(f"`~/harbor/crane{n}.py`" in text for n in range(4))
    asked = text.partition("**Asked**\n")[2].partition("\n\n")[0].splitlines()
    assert [line[:15] for line in asked] == [f"- paint crane {n}" for n in range(4)]
    assert all(len(line) <= 300 for line in asked)
    assert "Never tell anybody" not in text
    assert "json" not in text


def test_what_was_done_is_told_with_the_cause_before_it(talk: Talk) -> None:
    talk.user("The login page hangs in one browser, find out why").edited("auth.ts")
    talk.reply(
        "The cookie was set without SameSite. I set it to Lax in `auth.ts`, and the test passes now. Anything else?"
    )
    told = "- The cookie was set without SameSite. I set it to Lax in `auth.ts`, and the test passes now."
    assert told in distill(talk.transcript()).summary.text.splitlines()
