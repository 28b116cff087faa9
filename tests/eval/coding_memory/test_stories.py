from __future__ import annotations

from pathlib import Path

import pytest

from tests.eval.coding_memory.story import HELD_OUT, Answer, read, read_all
from tests.eval.updates import UPDATES

EVERY = (*read_all(), *read_all(HELD_OUT), *read_all(UPDATES))


def test_there_are_enough_questions_of_every_kind() -> None:
    questions = [question for story in EVERY for question in story.questions]
    assert len([question for question in questions if not question.unanswerable]) >= 150
    assert {question.kind for question in questions} >= {"why", "run", "fail", "file", "reject", "super", "zh", "mix"}
    assert {session.host for story in EVERY for session in story.sessions} >= {"claude_code", "codex", "opencode"}


def test_there_are_enough_questions_without_an_answer_and_enough_whose_answer_was_replaced() -> None:
    questions = [question for story in EVERY for question in story.questions]
    assert len([question for question in questions if question.unanswerable]) >= 50
    replaced = [question for story in read_all(UPDATES) for question in story.questions]
    assert len(replaced) >= 50
    for story in read_all(UPDATES):
        topics = [exchange.topic for session in story.sessions for exchange in session.exchanges]
        for question in story.questions:
            before, after = topics.index(question.topic.removesuffix("-2")), topics.index(question.topic)
            assert before < after


@pytest.mark.parametrize("story", EVERY, ids=lambda story: story.name)
def test_every_question_is_about_something_that_was_said_and_its_answer_stands_there(story: object) -> None:
    topics = {
        exchange.topic: "\n".join(step.text for step in exchange.steps)
        for session in story.sessions  # type: ignore[attr-defined]
        for exchange in session.exchanges
    }
    for question in (*story.questions, *story.musts):  # type: ignore[attr-defined]
        if question.unanswerable:
            assert question.answer == Answer((), ())
        else:
            said = Answer(question.answer.wanted, ())
            assert said.given_by("\n".join(topics.values())), question
            assert question.topic in topics, question


def test_an_answer_has_all_its_words_in_one_of_their_spellings_and_no_unwanted_one(tmp_path: Path) -> None:
    path = tmp_path / "harbor.txt"
    path.write_text(
        "# harbor\n## codex 2026-01-01\n@lamp\n> hi\n## questions\n[what] lamp | When? | dusk / night ; !dawn\n"
    )
    (question,) = read(path).questions
    assert question.answer.given_by("The lamp is lit at DUSK")
    assert not question.answer.given_by("From dusk till dawn")
    assert not question.answer.given_by("At noon")


def test_a_line_that_is_nothing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "harbor.txt"
    path.write_text("# harbor\nwhat is this\n")
    with pytest.raises(ValueError, match=r"harbor\.txt, line 2"):
        read(path)
