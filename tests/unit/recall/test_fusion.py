"""Scores of lanes become one order, whatever the lanes say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.recall import fusion
from memd.recall.lexical import SessionWords, Words
from memd.recall.near import Near

ROWS = st.integers(1, 40)
SESSIONS = st.integers(1, 8)


@st.composite
def found(draw: st.DrawFn) -> tuple[Words, dict[int, tuple[int, float]], dict[int, int]]:
    """What the lanes may say: words of some rows, cosines of others (also below zero), sessions of a time."""
    session_of = {row: row % 8 + 1 for row in range(1, 41)}
    scores = draw(st.dictionaries(ROWS, st.floats(0, 30)))
    held = {
        session_of[row]: SessionWords(score, draw(st.floats(0, 30)), draw(st.floats(0, 1)))
        for row, score in scores.items()
    }
    cosines = draw(st.dictionaries(ROWS, st.floats(-1, 1)))
    then = {row: session_of[row] for row in draw(st.sets(ROWS)) if session_of[row] not in held}
    rows_of: dict[int, list[int]] = {}
    for row in scores:
        rows_of.setdefault(session_of[row], []).append(row)
    words = Words(scores, held, session_of, (1.0,), (), rows_of)
    return words, {row: (session_of[row], cosine) for row, cosine in cosines.items()}, then


@given(
    found(),
    st.dictionaries(SESSIONS, st.floats(0, 1)),
    st.none() | st.dictionaries(SESSIONS, st.floats(-1, 1), max_size=3),
)
def test_the_best_message_has_its_sessions_score_and_no_other_more(
    said: tuple[Words, dict[int, tuple[int, float]], dict[int, int]],
    times: dict[int, float],
    tier: dict[int, float] | None,
) -> None:
    words, meaning, then = said
    best = {session: max(c for s, c in meaning.values() if s == session) for session, _ in meaning.values()}

    sessions = fusion.sessions(words, best or None, times, dict.fromkeys(range(1, 9), 0.5), tier)
    messages = fusion.messages(sessions, words, meaning, then, 20, 3)

    score = {one.session: one.score for one in sessions}
    assert [one.score for one in sessions] == sorted(score.values(), reverse=True)
    first: dict[int, float] = {}
    for one in messages:
        assert one.score <= score[one.session] + 1e-3
        first.setdefault(one.session, one.score)
    assert all(abs(first[session] - score[session]) < 1e-3 for session in first)


COSINES = st.dictionaries(ROWS, st.floats(-1, 1), min_size=1)


@given(COSINES, COSINES)
def test_what_two_embeddings_say_lies_between_nothing_and_the_nearest_of_both(
    one: dict[int, float], other: dict[int, float]
) -> None:
    def cosines(of: dict[int, float]) -> fusion.Cosines[int]:
        return fusion.Cosines(of, max(of.values()))

    alone, together = fusion.both(cosines(one), None), fusion.both(cosines(one), cosines(other))

    assert alone.keys() == one.keys()
    assert together.keys() == one.keys() | other.keys()
    assert all(0 <= near <= 1 + 1e-9 for near in (*alone.values(), *together.values()))
    for row in one.keys() & other.keys():
        if 0 < one[row] == max(one.values()) and 0 < other[row] == max(other.values()):
            assert abs(together[row] - 1) < 1e-9


def test_a_second_embedding_takes_its_share_from_the_first_and_words_still_decide() -> None:
    held = {1: SessionWords(10.0, 10.0, 1.0), 2: SessionWords(1.0, 1.0, 0.1)}
    words = Words({11: 10.0, 21: 1.0}, held, {11: 1, 21: 2}, (1.0,), (), {1: [11], 2: [21]})
    meaning, tier = {1: 0.1, 2: 0.9}, {1: 0.2, 2: 0.8}

    first = fusion.sessions(words, meaning, {}, {}, tier)[0]

    assert first.session == 1
    assert set(first.parts) == {"words", "together", "share", "meaning", "tier"}
    assert fusion.sessions(words, None, {}, {}, tier)[0].parts.keys() == {"words", "together", "share"}


def test_what_is_near_to_an_imagined_answer_counts_with_either_embedding() -> None:
    question = Near(((1, 1, 0.5),), ((7, 0.4),)).with_tier(Near(((1, 1, 0.3),), ((7, 0.2),)))
    imagined = Near(((1, 1, 0.9), (2, 1, 0.2))).with_tier(Near(((2, 1, 0.6),), ((8, 0.8),)))

    both = question.with_other(imagined, 0.5)

    assert both.messages == ((1, 1, 0.5), (2, 1, 0.1))
    assert both.tier is not None
    assert both.tier.messages == ((1, 1, 0.3), (2, 1, 0.3))
    assert both.cosines_of_facts() == {7: 0.4, 8: 0.4}
    assert question.with_other(Near(), 0.5).tier == question.tier
