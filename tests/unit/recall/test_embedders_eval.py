"""Embeddings are ranked by where they put the text that answers, and told with how sure that is."""

from __future__ import annotations

import pytest

from tests.eval.coding_memory.story import read_all
from tests.eval.embedders import Corpus, corpus, interval, rank, reciprocals

np = pytest.importorskip("numpy")

OF = Corpus(("tide", "lamp", "crane"), ("when is high water?", "which light?"), (frozenset({0}), frozenset({1})))
RIGHT = {"tide": (1.0, 0.0), "lamp": (0.0, 1.0), "crane": (0.6, 0.8)}
RIGHT |= {"when is high water?": (0.8, 0.6), "which light?": (0.0, 1.0)}


def _knows(texts: tuple[str, ...], as_question: bool) -> object:
    return np.array([RIGHT[text] for text in texts], np.float32)


def _knows_nothing(texts: tuple[str, ...], as_question: bool) -> object:
    return np.array([(1.0, 0.0) if as_question else RIGHT[text] for text in texts], np.float32)


def test_a_question_counts_by_the_place_of_the_first_text_that_answers_it() -> None:
    # 0.8 for the tide and 0.96 for the crane; 1 for the lamp.
    assert reciprocals(OF, _knows) == (0.5, 1.0)  # type: ignore[arg-type]


def test_the_better_one_comes_first_with_an_interval_around_its_mean() -> None:
    first, second = rank(OF, {"bad": _knows_nothing, "good": _knows})  # type: ignore[dict-item]

    assert (first.name, second.name) == ("good", "bad")
    assert first.low <= first.mrr <= first.high


def test_intervals_are_the_same_each_time_and_narrow_with_more_questions() -> None:
    few, many = (0.0, 1.0) * 5, (0.0, 1.0) * 200

    assert interval(few) == interval(few)
    assert interval(many)[1] - interval(many)[0] < interval(few)[1] - interval(few)[0]


def test_every_question_of_the_stories_that_is_asked_has_a_text_that_answers_it() -> None:
    of = corpus(read_all())

    assert len(of.questions) > 100
    assert all(of.answers)
    assert max(max(right) for right in of.answers) < len(of.texts)
