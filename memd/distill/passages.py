"""Passages: what a message says, in the pieces its writer gave it: a list item, a table row, a short paragraph.

A sentence torn from its list item or paragraph often says nothing; a passage is the smallest piece that was written to
be read by itself. It keeps the heading above it and the sentence that opens its list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.distill.possible import only_possible
from memd.distill.reasons import opens_another_matter
from memd.distill.remarks import tells
from memd.distill.thread import Statement, Thread

_MAX_CHARS: Final = 420
_MAX_SENTENCES: Final = 4
_OPENS_LIST: Final = re.compile(r"[:：]\W*$")


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Some statements of one block of one message, in order, with what stands above them."""

    statements: tuple[Statement, ...]
    heading: str
    """The heading above it, without marks; "" for none."""
    opening: Statement | None
    """The sentence ending in a colon that opens the list it is an item of."""
    number: int
    """Its place among the passages of its message, counted from 0."""
    total: int
    """How many passages the message has."""

    @property
    def anchor(self) -> Statement:
        """Its first statement."""
        return self.statements[0]

    @property
    def only_opens(self) -> bool:
        """Whether it says nothing but what is to come: every sentence ends in a colon."""
        return all(_OPENS_LIST.search(one.text) for one in self.statements)

    @property
    def text(self) -> str:
        """What it says, on one line."""
        return " ".join(one.text for one in self.statements)


def passages(thread: Thread) -> tuple[Passage, ...]:
    """Return the passages of a session in order; what only asks, plans or narrates is left out of the model's."""
    return tuple(passage for position in sorted(thread.by_message) for passage in _of_message(thread, position))


def _of_message(thread: Thread, position: int) -> Iterator[Passage]:
    blocks = list(_blocks(thread.by_message[position]))
    opening: Statement | None = None
    for number, block in enumerate(blocks):
        first = block[0]
        if not first.item:
            opening = None
        of_a_list = first.item and first.speaker == "assistant"
        if of_a_list and only_possible(opening, first.heading):
            continue
        if telling := tuple(one for one in block if tells(one.text, one.speaker)):
            yield Passage(telling, first.heading, opening, number, len(blocks))
        if not first.item and _OPENS_LIST.search(block[-1].text):
            opening = block[-1]


def _blocks(said: tuple[Statement, ...]) -> Iterator[list[Statement]]:
    """Yield the statements of each block, a long block in several pieces, a person's other matters by themselves."""
    block: list[Statement] = []
    size = 0
    for one in said:
        other = one.speaker == "user" and opens_another_matter(one.text)
        if block and (
            other or one.block != block[0].block or size + len(one.text) > _MAX_CHARS or len(block) == _MAX_SENTENCES
        ):
            yield block
            block, size = [], 0
        block.append(one)
        size += len(one.text)
    if block:
        yield block
