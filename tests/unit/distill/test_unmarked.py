"""What is left of a sentence from which a secret, or what a person kept private, was taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.distill.thread import Thread
from memd.distill.unmarked import unmarked
from tests.unit.distill.talk import Talk


@pytest.mark.parametrize(
    ("sentence", "left"),
    [
        ("数据库密码是 [redacted:password],不要写进代码。", "不要写进代码。"),
        ("数据库密码是 [redacted:password]，不要写进代码。", "不要写进代码。"),
        ("the staging API key is [redacted:key]", ""),
        ("The staging API key is [redacted:key].", ""),
        ("The key is [redacted:key], never commit it.", ""),
        (
            "The key is [redacted:key], and secrets never go into the repository.",
            "secrets never go into the repository.",
        ),
        (
            "Always run `make check` before a push, the token is [redacted:token]",
            "Always run `make check` before a push",
        ),
        ("The mirror is tide://[redacted:password]@pier , use it to compare the tides.", ""),
        ("The token is [redacted:token], please put it into `.env`.", ""),
        ("令牌是 [redacted:token]，用它来对比潮汐表。", ""),
        (
            "The token is [redacted:token], the mirror has the tides of 2019 and nothing after it.",
            "the mirror has the tides of 2019 and nothing after it.",
        ),
        ("[private] From now on always run `go vet`", "From now on always run `go vet`"),
        ("From now on always run `go vet` [private].", "From now on always run `go vet`"),
        ("Call [private] before you deploy", ""),
        ("[private]", ""),
        ("Ask [redacted:email] before you merge.", "Ask [redacted:email] before you merge."),
        ("We keep version 1.2, as 1.3 is slow.", "We keep version 1.2, as 1.3 is slow."),
        ("The `<private>` tag hides a span.", "The `<private>` tag hides a span."),
    ],
)
def test_what_a_marker_stands_in_goes_and_a_rule_beside_it_stays(sentence: str, left: str) -> None:
    assert unmarked(sentence) == left


PIECES = st.sampled_from(
    ["[private]", "[redacted:key]", "[redacted:email]", ", ", "。", " ", ". ", "run the tests", "和"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_what_is_left_is_an_exact_part_without_secrets(sentence: str) -> None:
    left = unmarked(sentence)

    assert left in sentence
    assert "[redacted:key]" not in left
    assert "[private]" not in left
    assert unmarked(left) == left


def test_nobody_states_a_secret_that_was_taken(talk: Talk) -> None:
    talk.user("The staging API key is [redacted:key]. [private] From now on always run `go vet`.")
    talk.reply("The password of the harbour database is [redacted:password]. The tides are in `tides.db`.")

    said = [one.text for one in Thread(talk.transcript()).statements]

    assert said == ["From now on always run `go vet`.", "The tides are in `tides.db`."]
