"""What is shown of a text: the sentence that holds most of what was asked, and what follows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.model import Message, ToolCall
from memd.operations.snippet import passage, said_in_call
from memd.text.sentences import sentences
from memd.text.tokens import terms

WORDS = st.sampled_from(
    ["tide", "Tides", "TideTable", "oAuthToken", "HTTPServer", "café", "CAFÉ", "utf8", "a.b", "潮汐表", "ß", "x_y", ".",
     "ＡＢ", "ﬁn", "e\u0301tat", "데이터베이스", "データ"]
)  # fmt: skip


def said(text: str) -> Message:
    return Message(1, "m", 1, "user", "prompt", None, text, "", None)


@given(st.lists(WORDS, min_size=1, max_size=30), st.lists(WORDS, min_size=1, max_size=4))
def test_the_sentence_shown_is_the_first_that_holds_most(words: list[str], asked: list[str]) -> None:
    text, wanted = ". ".join(words), frozenset(terms(" ".join(asked)))
    counts = [len(wanted.intersection(terms(part.text))) for part in sentences(text)]

    shown = passage(said(text), wanted)

    assert shown.held == max(counts, default=0)
    if shown.held:
        assert shown.sentence == sentences(text)[counts.index(shown.held)].text


def message(text: str, *outputs: str) -> Message:
    calls = tuple(ToolCall("c", "Bash", "shell", "{}", output=output) for output in outputs)
    return Message(1, "k", 1, "assistant", "reply", None, text, tool_calls=calls)


def test_a_snippet_begins_with_the_sentence_that_holds_most() -> None:
    long = "Something else entirely. " * 40 + "The tide table is in SQLite. It is copied nightly. " + "More. " * 200

    found = passage(message(long), frozenset(terms("sqlite tide"))).text

    assert found.startswith("The tide table is in SQLite. It is copied nightly.")
    assert len(found) <= 480


def test_a_snippet_of_what_holds_nothing_is_the_beginning() -> None:
    assert passage(message("The sea. " * 100), frozenset({"unicorn"})).text.startswith("The sea.")
    assert passage(message(""), frozenset({"unicorn"})).text == ""


@given(st.text(max_size=2000), st.lists(st.text(max_size=300), max_size=2))
def test_a_snippet_is_never_long(text: str, outputs: list[str]) -> None:
    assert len(passage(message(text, *outputs), frozenset({"a", "the"})).text) <= 480


def test_a_call_is_shown_as_a_person_would_write_it() -> None:
    call = ToolCall("c", "Bash", "shell", '{"command": "make tide", "timeout": 3}', output="")

    found = passage(Message(1, "k", 1, "assistant", "reply", None, "", tool_calls=(call,)), frozenset({"tide"}))

    assert (found.text, found.tool, found.printed) == ("Bash: make tide", "Bash", False)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ('{"command": ["bash", "-lc", "make tide"]}', "make tide"),
        ('{"command": ["/bin/zsh", "-lc", "make tide"], "workdir": "docs"}', "make tide docs"),
        ('{"command": ["make", "tide"]}', "make tide"),
        ('{"edits": [{"old": "tide"}], "path": "tide.py"}', "tide.py"),
        ('["tide"]', '["tide"]'),
    ],
)
def test_a_command_that_is_given_as_a_list_of_words_is_shown_as_it_would_be_typed(given: str, shown: str) -> None:
    assert said_in_call(given) == shown
