"""Usage: whether a session made use of a fact that it was given.

A fact shows by its signs: a command of it that is run, a name of it that is written, or most of its words in one reply.
A sign that the user brought in himself proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memd.model import Fact
from memd.text.everyday import EVERYDAY, PROGRAMMING
from memd.text.tokens import terms

TASK: Final = "memd.inject.usage:signs_of_use"

_CODE: Final = re.compile(r"`([^`\n]{3,120})`")
_NAME: Final = re.compile(
    r"(?<![\w/.-])(?:[\w-]+/)*[A-Za-z_][\w-]*(?:[._:/-][\w-]+)+|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
    r"|\b[A-Za-z]+\d+\w*\b"
)
_LEAST_NAME: Final = 4
_LEAST_TERMS: Final = 4
_MOST_TERMS: Final = 0.6
_SHOWN_CHARS: Final = 120


@dataclass(frozen=True, slots=True)
class Said:
    """What was said and done in a session after a fact was given: replies, inputs of tools, and what the user said."""

    replies: tuple[str, ...]
    inputs: tuple[str, ...]
    prompts: tuple[str, ...]


def signs_of_use(asked: Sequence[tuple[Fact, Said]]) -> list[str | None]:
    """Return, for each fact with what followed it, what shows that it was used, None where nothing does."""
    return [sign_of_use(fact, said) for fact, said in asked]


def sign_of_use(fact: Fact, said: Said) -> str | None:
    """Return what shows that a fact was used, None where nothing does."""
    brought = "\n".join(said.prompts).casefold()
    done = "\n".join(said.inputs)
    told = "\n".join(said.replies)
    for sign in signs(fact):
        lowered = sign.casefold()
        if lowered not in brought and (_stands_in(lowered, done.casefold()) or _stands_in(lowered, told.casefold())):
            return f"`{sign[:_SHOWN_CHARS]}`"
    return _repeated(fact, said, frozenset(terms(brought)))


def signs(fact: Fact) -> tuple[str, ...]:
    """Return the commands and names of a fact, the most telling first: commands, then longer names."""
    text = "\n".join((fact.title, fact.body, *(part.text for part in fact.parts)))
    commands = [part.text for part in fact.parts if part.name == "command"]
    coded = [found.strip() for found in _CODE.findall(text)]
    names = sorted({match[0].strip(".:-/") for match in _NAME.finditer(text)}, key=lambda name: (-len(name), name))
    found = dict.fromkeys([*commands, *coded, *names])
    return tuple(sign for sign in found if len(sign) >= _LEAST_NAME and _tells(sign))


def _tells(sign: str) -> bool:
    return any(char.isalpha() for char in sign) and sign.lower() not in EVERYDAY | PROGRAMMING


def _stands_in(sign: str, text: str) -> bool:
    """Return whether a sign stands in a text as a whole, not as the beginning of a longer name."""
    at = text.find(sign)
    while at >= 0:
        before = text[at - 1] if at else " "
        after = text[at + len(sign)] if at + len(sign) < len(text) else " "
        if not (_goes_on(before) and _goes_on(sign[0])) and not (_goes_on(after) and _goes_on(sign[-1])):
            return True
        at = text.find(sign, at + 1)
    return False


def _goes_on(char: str) -> bool:
    return char.isascii() and (char.isalnum() or char == "_")


def _repeated(fact: Fact, said: Said, brought: frozenset[str]) -> str | None:
    own = {term for term in terms(fact.body or fact.title) if term not in EVERYDAY and term not in PROGRAMMING}
    fresh = own - brought
    if len(own) < _LEAST_TERMS or len(fresh) < _LEAST_TERMS - 1:
        return None
    for reply in said.replies:
        words = frozenset(terms(reply))
        if len(fresh & words) >= _MOST_TERMS * len(fresh):
            return "its words"
    return None
