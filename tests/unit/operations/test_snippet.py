"""What is shown of a text: the sentence that holds most of what was asked, and what follows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.model import Message
from memd.operations.snippet import passage
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
