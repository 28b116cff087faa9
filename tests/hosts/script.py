"""The script a pretend model speaks from, the same whatever wire format a host uses.

A conversation is reduced to what the script may decide on: the last thing a person (or a parent
agent) wrote, and how often the model has answered since. So a script needs no state: a host that
retries a request is given the same answer again, and two conversations at once do not mix.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Say:
    """The model writes text."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The model asks the host to run one of the host's own tools."""

    tool: str
    input: Mapping[str, object]


Part: TypeAlias = Say | Call
Answer: TypeAlias = tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """What one request to the model holds, without the shape it was written in."""

    prompt: str
    """The text of the last message that is not the answer of a tool, without what the host added."""
    answers_since: int
    """How many times the model has already answered that message."""
    offered_tools: frozenset[str]
    text: str
    """Everything the model would read: system text and all messages, in order."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Answers for every conversation whose last prompt contains a phrase."""

    phrase: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """Rules in order of precedence, and a harmless word for whatever none of them covers."""

    rules: tuple[Rule, ...] = ()
    otherwise: Answer = (Say("Fine."),)

    def answer(self, conversation: Conversation) -> Answer:
        """What the model says next; after a rule's last answer, the fallback."""
        for rule in self.rules:
            if rule.phrase in conversation.prompt:
                if conversation.answers_since < len(rule.answers):
                    return rule.answers[conversation.answers_since]
                break
        return self.otherwise


def rule(phrase: str, *answers: Answer | Part | str) -> Rule:
    """A rule written shortly: text alone is said, a part alone is a whole answer."""
    return Rule(phrase, tuple(_answer(one) for one in answers))


def _answer(one: Answer | Part | str) -> Answer:
    match one:
        case str():
            return (Say(one),)
        case Say() | Call():
            return (one,)
        case _:
            return one


def script(*rules: Rule) -> Script:
    """A script of these rules."""
    return Script(tuple(rules))


def joined(texts: Sequence[str]) -> str:
    """The pieces of a request as one text, one piece a paragraph."""
    return "\n\n".join(text for text in texts if text)
