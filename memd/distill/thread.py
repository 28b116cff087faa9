"""The thread of a session: its exchanges, and every sentence with who said it and where it stands.

What nobody says as their own is left out (`own.py`), and so are the host's notices, a compaction summary, abandoned
messages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Final

from memd.distill.calls import Run, living, runs
from memd.distill.own import Speaker, own_sentences
from memd.model import Message, ToolCall, Transcript
from memd.text.tokens import terms

_HANDED_ON: Final = 160  # characters that a prompt and the reply before it do not share by chance
_BOLD: Final = re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__")
_WORD: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A sentence of a message: `text` is an exact part of its text, `order` its place among all statements."""

    text: str
    message: Message
    position: int
    exchange: int
    order: int
    speaker: Speaker
    item: bool
    """Whether it is an item of a list."""
    bold: bool
    """Whether the writer set most of its beginning in bold."""
    final: bool
    """Whether it stands in the last reply of its exchange that says something."""
    block: int = 0
    """Which block of its message it stands in: a list item, a table row, a paragraph; counted from 0."""
    heading: str = ""
    """The nearest heading above it in its message, without marks."""
    row: bool = False
    """Whether it is a row of a table."""
    command: bool = False
    """Whether it is a command to type, out of a block of code."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A prompt and what came of it: positions of messages, `first` to `last` inclusive, and the last telling reply."""

    prompt: Message | None
    first: int
    last: int
    final: int | None


class Thread:
    """A session made ready for the rules. Everything is computed once, when it is first asked for."""

    def __init__(self, transcript: Transcript) -> None:
        self.session = transcript.session
        self.messages = _own(living(transcript))
        self._terms: dict[Statement, frozenset[str]] = {}

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The command lines that were run, in order."""
        return runs(self.messages)

    @cached_property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The exchanges; what came before the first prompt belongs to one without a prompt."""
        starts = [at for at, message in enumerate(self.messages) if is_prompt(message)]
        bounds = ([] if starts[:1] == [0] else [0]) + starts + [len(self.messages)]
        return tuple(self._exchange(first, end) for first, end in pairwise(bounds) if first < end)

    def _exchange(self, first: int, end: int) -> Exchange:
        opening = self.messages[first]
        final = next(
            (
                at
                for at in range(end - 1, first - 1, -1)
                if is_reply(self.messages[at]) and self.messages[at].text.strip()
            ),
            None,
        )
        return Exchange(opening if is_prompt(opening) else None, first, end - 1, final)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """Every sentence that somebody said as their own, in order."""
        return tuple(self._statements())

    def _statements(self) -> Iterator[Statement]:
        order = 0
        for number, exchange in enumerate(self.exchanges):
            for position in range(exchange.first, exchange.last + 1):
                message = self.messages[position]
                if not (is_prompt(message) or is_reply(message)):
                    continue
                speaker: Speaker = "user" if message.role == "user" else "assistant"
                for said in own_sentences(message.text, speaker):
                    yield Statement(
                        said.text,
                        message,
                        position,
                        number,
                        order,
                        speaker,
                        said.kind == "item",
                        is_bold(said.text),
                        position == exchange.final,
                        said.block,
                        said.heading,
                        said.kind == "table",
                        said.command,
                    )
                    order += 1

    @cached_property
    def by_message(self) -> dict[int, tuple[Statement, ...]]:
        """The statements of each message, by its position."""
        found: dict[int, list[Statement]] = {}
        for statement in self.statements:
            found.setdefault(statement.position, []).append(statement)
        return {position: tuple(said) for position, said in found.items()}

    def terms(self, statement: Statement) -> frozenset[str]:
        """Return the searchable terms of a statement."""
        found = self._terms.get(statement)
        if found is None:
            found = self._terms[statement] = frozenset(terms(statement.text))
        return found

    def order_at(self, position: int) -> int:
        """Return the place among the statements of what is said at a message, whether or not it has statements."""
        said = self.by_message.get(position)
        if said:
            return said[-1].order
        return next((one.order for one in self.statements if one.position > position), len(self.statements))

    def following(self, statement: Statement) -> Iterator[Statement]:
        """Yield the statements after this one in the same message."""
        yield from (later for later in self.by_message.get(statement.position, ()) if later.order > statement.order)

    def answered(self, exchange: int) -> tuple[Statement, ...]:
        """Return what the last reply before this exchange's prompt said: what the prompt answers."""
        if exchange == 0 or (final := self.exchanges[exchange - 1].final) is None:
            return ()
        return self.by_message.get(final, ())

    @cached_property
    def _edits(self) -> tuple[int, ...]:
        """How many messages before each position, and before the end, changed a file."""
        changed = (any(_changes(call) for call in message.tool_calls) for message in self.messages)
        return tuple(accumulate(changed, initial=0))

    def edited(self, first: int, last: int) -> bool:
        """Return whether a tool call changed a file between two positions, inclusive."""
        return self._edits[last + 1] > self._edits[first]


def _own(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the messages, a prompt that only hands the model's last reply on made a notice.

    A host with two models (Aider's architect and editor) records as the user's what the first one told the second.
    """
    found: list[Message] = []
    said = ""
    for message in messages:
        if is_prompt(message) and _hands_on(message.text, said):
            message = replace(message, role="system", kind="notice")
        elif is_reply(message) and message.text.strip():
            said = message.text
        found.append(message)
    return tuple(found)


def _hands_on(text: str, said: str) -> bool:
    own, reply = text.strip(), said.strip()
    return min(len(own), len(reply)) >= _HANDED_ON and (
        own in reply or reply in own or own[-_HANDED_ON:] == reply[-_HANDED_ON:]
    )


def _changes(call: ToolCall) -> bool:
    return call.ok is not False and (bool(call.changes) or call.kind in ("edit", "write"))


def is_prompt(message: Message) -> bool:
    """Return whether a person said this message."""
    return message.role == "user" and message.kind == "prompt"


def is_reply(message: Message) -> bool:
    """Return whether the model said this message."""
    return message.role == "assistant" and message.kind == "reply"


def is_bold(text: str) -> bool:
    """Return whether a sentence opens with, or mostly is, bold text of at least three words."""
    match = _BOLD.search(text)
    if match is None:
        return False
    words = len(_WORD.findall(match[0])) + len(re.findall(r"[\u3400-\u9fff]", match[0])) // 2
    return words >= 3 and (match.start() <= 3 or len(match[0]) * 2 > len(text))
