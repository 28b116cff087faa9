"""Answers: what a person chose when the model's question tool asked them.

The tool's output is the person's word: in the form `"question"="answer"` (Claude Code, OpenCode), or after "User
selected:" or "User responded:" with the question in the tool's input (Copilot). Of other tools' outputs nothing is ever
read here. What the tool offered and the person did not take is refused, and what the model said of it is overtaken.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from memd.distill.draft import Draft
from memd.distill.thread import Statement, Thread
from memd.model import FactPart, ToolCall
from memd.text.stopwords import STOP_WORDS
from memd.text.tokens import terms

_ASKING: Final = frozenset(
    (
        "askuserquestion",
        "ask_user_question",
        "ask_question",
        "ask_followup_question",
        "request_user_input",
        "ask_user",
        "question",
    )
)
ANSWER: Final = re.compile(r"\"(?P<question>[^\"\n]{8,300})\"\s*=\s*\"(?P<answer>[^\"\n]{2,300})\"")
_SAID: Final = re.compile(r"^\s*User (?:responded|selected|answered|chose): *(?P<answer>\S[^\n]{0,600})")
_RECOMMENDED: Final = re.compile(r"\s*\((?:recommended|推荐)\)", re.IGNORECASE)
_NO_CHOICE: Final = re.compile(
    r"^\W*(?:other|skip|cancel|no preference|none|yes|no|ok|something else)\W*$", re.IGNORECASE
)
_CONFIDENCE: Final = 0.75
_LONGEST_QUESTION: Final = 300
_SHARED: Final = 0.5  # share of an option's terms by which a statement speaks of it
_FEWEST: Final = 3  # terms of it


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person answered to a question, and the options that it offered besides."""

    question: str
    answer: str
    position: int
    """Position of the message whose call asked."""
    text: str
    """An exact part of the call's output."""
    refused: tuple[str, ...]


def find(thread: Thread) -> Iterator[Draft]:
    """Yield the choices made in answer to the model's questions."""
    number = 0
    for one in answers(thread):
        while thread.exchanges[number].last < one.position:
            number += 1
        message, order = thread.messages[one.position], thread.order_at(one.position)
        said = Statement(one.text, message, one.position, number, order, "user", False, False, False)
        parts = (
            FactPart("decided", f"{one.question} {one.answer}"),
            *(FactPart("rejected", other) for other in one.refused),
        )
        yield Draft("decision", said, _CONFIDENCE, parts=parts, wording=f"{one.answer} ({one.question})")


def answers(thread: Thread) -> Iterator[Answer]:
    """Yield what a person answered to each question of the model's tool, in order, a mere nod left out."""
    for position, message in enumerate(thread.messages):
        for call in message.tool_calls:
            if call.name.lower() in _ASKING and call.ok is not False:
                yield from _of_call(call, position)


def refused(thread: Thread) -> frozenset[Statement]:
    """Return what the model said of options that it then asked about and that a person did not take."""
    found: set[Statement] = set()
    for one in answers(thread):
        taken = _telling(f"{one.answer}")
        said = next((thread.by_message[at] for at in range(one.position, -1, -1) if at in thread.by_message), ())
        for option in filter(None, map(_telling, one.refused)):
            for statement in said:
                own = thread.terms(statement) - STOP_WORDS
                shared = len(own & option)
                if (
                    statement.speaker == "assistant"
                    and shared >= max(_FEWEST, _SHARED * min(len(option), len(own)))
                    and shared > len(own & taken)
                ):
                    found.update(each for each in said if each is statement or (each.item and _same(each, statement)))
    return frozenset(found)


def _same(one: Statement, other: Statement) -> bool:
    """Return whether two statements of one message stand in one item: what opens it tells of all of it."""
    return one.block == other.block and one.order > other.order


def _of_call(call: ToolCall, position: int) -> Iterator[Answer]:
    asked = _asked(call)
    for match in ANSWER.finditer(call.output):
        if (one := _answer(match["question"], match["answer"], position, match[0], asked)) is not None:
            yield one
    if (said := _SAID.match(call.output)) is not None and len(asked) == 1:
        (question,) = asked
        if (one := _answer(question, said["answer"], position, said["answer"], asked)) is not None:
            yield one


def _answer(question: str, answer: str, position: int, text: str, asked: dict[str, tuple[str, ...]]) -> Answer | None:
    told = _RECOMMENDED.sub("", answer).strip()
    if _NO_CHOICE.match(told):
        return None
    others = (_RECOMMENDED.sub("", one).strip() for one in asked.get(question, ()))
    refused = tuple(one for one in others if one not in told and not _NO_CHOICE.match(one))
    return Answer(question, told, position, text, refused)


def _asked(call: ToolCall) -> dict[str, tuple[str, ...]]:
    """Return the questions of a call's input, each with the options that it offers."""
    try:
        given = orjson.loads(call.input)
    except orjson.JSONDecodeError:
        return {}
    if not isinstance(given, dict):
        return {}
    several = given.get("questions")
    found: dict[str, tuple[str, ...]] = {}
    for one in several if isinstance(several, list) else [given]:
        if isinstance(one, dict) and isinstance(one.get("question"), str):
            offered = one.get("choices") or one.get("options")
            labels = [
                each.get("label") if isinstance(each, dict) else each
                for each in (offered if isinstance(offered, list) else ())
            ]
            found[one["question"][:_LONGEST_QUESTION]] = tuple(each for each in labels if isinstance(each, str))
    return found


def _telling(text: str) -> frozenset[str]:
    return frozenset(term for term in terms(text) if len(term) > 1) - STOP_WORDS
