from __future__ import annotations

import pytest

from memd.inject.open_ends import still_open
from memd.model import Summary


def _session(*left: str, done: tuple[str, ...] = ()) -> Summary:
    listed = "\n".join(f"- {line}" for line in done)
    return Summary("A session", f"**Done**\n{listed}" if done else "", left)


def test_what_the_last_session_left_is_open() -> None:
    assert still_open([_session("The retry queue has no test yet")]) == ("The retry queue has no test yet",)


def test_what_a_later_session_has_done_is_not() -> None:
    later = _session(done=("Wrote the missing test of the retry queue",))
    assert still_open([later, _session("Left open: test of the retry queue")]) == ()


def test_what_an_older_session_left_stays_open_when_it_is_labelled_or_names_something() -> None:
    older = _session("TODO: paint the crane of pier 4", "look at it again some day", "`fold.py` still sorts twice")
    assert still_open([_session("The lamp flickers"), older]) == (
        "The lamp flickers", "TODO: paint the crane of pier 4", "`fold.py` still sorts twice",
    )  # fmt: skip


@pytest.mark.parametrize(
    "remark",
    [
        "Let me run the tests once more",
        "Shall I commit this?",
        "Want me to go on with the crane?",
        "ok",
        "让我再看一下日志",
    ],
)
def test_what_was_said_on_the_way_is_over_with_the_session(remark: str) -> None:
    assert still_open([_session(remark, "The retry queue has no test yet")]) == ("The retry queue has no test yet",)


def test_the_same_question_in_other_forms_of_its_words_is_told_once_and_what_names_nothing_not_at_all() -> None:
    last = Summary(
        "Refunds",
        "",
        (
            "Open: who gets alerted when attempt 5 fails?",
            "The question about the alert after attempt 5 is still open.",
            "dont know yet, i'll ask ops.",
            "Noted, I left `/refunds` alone.",
            "`lamps.py`",
        ),
    )
    assert still_open([last]) == ("Open: who gets alerted when attempt 5 fails?", "`lamps.py`")


def test_the_same_thing_left_twice_is_told_once() -> None:
    twice = [_session("The retry queue has no test"), _session("TODO: the retry queue has no test yet")]
    assert still_open(twice) == ("The retry queue has no test",)
