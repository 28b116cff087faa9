"""What is near is told from what answers."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from memd.recall.sureness import Grounds, is_found, is_sure, likelihood

NOTHING = Grounds(0.1, 0.0, 0.0, facts=False, calls=False, things=4, unknown=True, cjk=False)
UNIT = st.floats(0, 1)


def test_a_question_of_which_no_word_is_known_and_nothing_is_near_finds_nothing() -> None:
    assert not is_found(NOTHING)
    assert not is_sure(NOTHING)


def test_what_is_near_enough_is_found_though_no_word_is_known() -> None:
    assert is_found(replace(NOTHING, cosine=0.6))
    assert is_sure(replace(NOTHING, cosine=0.8))


def test_of_a_known_word_less_nearness_is_asked() -> None:
    assert is_found(replace(NOTHING, cosine=0.3, share=0.25, unknown=False))
    assert not is_found(replace(NOTHING, cosine=0.3))
    assert not is_sure(replace(NOTHING, cosine=0.3, share=0.25, unknown=False))


def test_words_that_stand_together_somewhere_are_an_answer_however_far_the_meaning() -> None:
    typed = replace(NOTHING, share=1.0, things=2, unknown=False)

    assert is_sure(typed)
    assert not is_sure(replace(typed, things=9, cosine=0.05))
    assert is_sure(replace(NOTHING, covered=1.0, facts=True, unknown=False))


def test_a_fact_that_a_prompt_would_be_given_is_an_answer() -> None:
    assert is_sure(replace(NOTHING, facts=True, bears=0.6))
    assert not is_sure(replace(NOTHING, facts=True, bears=0.2))


def test_without_the_semantic_lane_words_decide() -> None:
    by_words = replace(NOTHING, cosine=None)

    assert is_found(by_words)
    assert not is_sure(by_words)
    assert is_sure(replace(by_words, share=0.5))
    assert is_sure(replace(by_words, calls=True))


@given(UNIT, UNIT, UNIT, st.booleans(), st.booleans(), st.integers(1, 20), st.booleans(), st.booleans())
def test_more_of_anything_never_makes_it_less_likely(
    cosine: float, share: float, covered: float, facts: bool, calls: bool, things: int, unknown: bool, cjk: bool
) -> None:
    grounds = Grounds(cosine, share, covered, facts, calls, things, unknown, cjk)

    for more in (
        replace(grounds, cosine=min(cosine + 0.1, 1.0)),
        replace(grounds, share=min(share + 0.1, 1.0)),
        replace(grounds, covered=min(covered + 0.1, 1.0)),
        replace(grounds, facts=True),
        replace(grounds, calls=True),
    ):
        assert likelihood(more) >= likelihood(grounds)


@given(st.one_of(st.none(), UNIT), UNIT, UNIT, st.booleans(), st.booleans(), st.integers(0, 20), st.booleans())
def test_what_is_sure_is_found(
    cosine: float | None, share: float, covered: float, facts: bool, calls: bool, things: int, unknown: bool
) -> None:
    grounds = Grounds(cosine, share, covered, facts, calls, things, unknown, cjk=False)

    assert is_found(grounds) or not is_sure(grounds)
