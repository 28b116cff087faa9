"""Scores of lanes become one order, whatever the lanes say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memd.recall import fusion
from memd.recall.lexical import SessionWords, Words

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
    words = Words(scores, held, session_of, (1.0,), ())
    return words, {row: (session_of[row], cosine) for row, cosine in cosines.items()}, then


@given(found(), st.dictionaries(SESSIONS, st.floats(0, 1)))
def test_the_best_message_has_its_sessions_score_and_no_other_more(
    said: tuple[Words, dict[int, tuple[int, float]], dict[int, int]], times: dict[int, float]
) -> None:
    words, meaning, then = said
    best = {session: max(c for s, c in meaning.values() if s == session) for session, _ in meaning.values()}

    sessions = fusion.sessions(words, best or None, times, dict.fromkeys(range(1, 9), 0.5))
    messages = fusion.messages(sessions, words, meaning, then, 20, 3)

    score = {one.session: one.score for one in sessions}
    assert [one.score for one in sessions] == sorted(score.values(), reverse=True)
    first: dict[int, float] = {}
    for one in messages:
        assert one.score <= score[one.session] + 1e-3
        first.setdefault(one.session, one.score)
    assert all(abs(first[session] - score[session]) < 1e-3 for session in first)
