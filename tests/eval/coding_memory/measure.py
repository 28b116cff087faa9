"""Measures: every question of the stories is put to search and, as a new session's first prompt, to the hooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from memd.text.tokens import estimate_tokens
from tests.eval.coding_memory.house import House
from tests.eval.coding_memory.story import Question

_QUOTED: Final = re.compile(r"^- The (?:user|agent) said[^:]*: “(.*)”$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one question. `place` is that of the first hit with the answer, from 1; None: not among five."""

    question: Question
    place: int | None
    prompted: str
    """What the prompt was given in a session that was told nothing before."""
    answered: bool
    """Whether wakeup and prompt together hold the answer."""
    given: int
    """How many facts and passages the prompt was given."""
    right: int
    """How many of them are about the matter."""

    @property
    def tokens(self) -> int:
        """The size of what the prompt was given."""
        return estimate_tokens(self.prompted) if self.prompted else 0

    @property
    def answered_at_prompt(self) -> bool:
        """Whether what the prompt was given holds the answer."""
        return bool(self.prompted) and self.question.answer.given_by(self.prompted)


def ask_all(house: House) -> tuple[Outcome, ...]:
    """Return the outcome of every question."""
    topics, texts = house.topics(), house.facts()
    outcomes = []
    for story in house.stories:
        tree = house.trees[story.name]
        woken = house.home.call("wakeup", project=str(tree))["text"]
        for number, question in enumerate(story.questions):
            session = f"asking-{story.name}-{number}"
            place = None if question.unanswerable else _place(house, question)
            prompted = house.home.hook("UserPromptSubmit", session, tree, prompt=question.text)
            topic = f"{story.name}/{question.topic}"
            facts = house.given(session)
            quoted = _QUOTED.findall(prompted)
            right = sum(topic in topics.get(fact, ()) or question.answer.given_by(texts[fact]) for fact in facts)
            right += sum(house.is_about(topic, text) or question.answer.given_by(text) for text in quoted)
            given = len(facts) + len(quoted)
            answered = question.answer.given_by(f"{woken}\n{prompted}")
            outcomes.append(Outcome(question, place, prompted, answered, given, 0 if question.unanswerable else right))
    return tuple(outcomes)


def _place(house: House, question: Question) -> int | None:
    tree = str(house.trees[question.project])
    hits: list[dict[str, Any]] = house.home.call("search", query=question.text, project=tree, limit=5)["hits"]
    for place, hit in enumerate(hits, 1):
        if question.answer.given_by(f"{hit.get('title') or ''}\n{hit['text']}"):
            return place
    return None


@dataclass(frozen=True, slots=True)
class Figures:
    """The measures of some questions; rates are 0 to 1, None where there is nothing to measure."""

    questions: int
    recall_1: float | None
    recall_5: float | None
    answered: float | None
    answered_at_prompt: float | None
    falsely: float | None
    tokens: float | None
    """Tokens that an answer at the prompt takes."""

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Figures:
        """Return the measures of some outcomes."""
        every = list(outcomes)
        asked = [one for one in every if not one.question.unanswerable]
        silent = [one for one in every if one.question.unanswerable]
        return cls(
            len(every),
            _rate(asked, lambda one: one.place == 1),
            _rate(asked, lambda one: one.place is not None),
            _rate(asked, lambda one: one.answered),
            _rate(asked, lambda one: one.answered_at_prompt),
            _rate(silent, lambda one: bool(one.prompted)),
            fmean([one.tokens for one in asked if one.answered_at_prompt] or [0]) if asked else None,
        )


def _rate(outcomes: list[Outcome], holds: Callable[[Outcome], bool]) -> float | None:
    return fmean(map(holds, outcomes)) if outcomes else None
