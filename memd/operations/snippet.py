"""Snippet: the part of a message in which what was looked for stands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memd.model import Message
from memd.text.clip import clip
from memd.text.sentences import sentences
from memd.text.tokens import terms

_CHARS: Final = 480
# Of a longer text only so much is cut into sentences; somebody waits for the answer.
_SEARCHED: Final = 40_000


def snippet(message: Message, asked: frozenset[str]) -> str:
    """Return the sentence of the message, or else of its tool calls, that holds most of the terms, with what follows.

    At most 480 characters; the beginning of the message when no sentence holds any.
    """
    best, most = "", 0
    for text in _texts(message):
        if len(text) <= _CHARS and not best:
            best = text
        found, count = _window(text[:_SEARCHED], asked)
        if count > most:
            best, most = found, count
    return clip(best or message.text, _CHARS, tail_share=0)


def _texts(message: Message) -> Iterator[str]:
    yield message.text
    for call in message.tool_calls:
        yield f"{call.name} {call.input}"
        yield call.output


def _window(text: str, asked: frozenset[str]) -> tuple[str, int]:
    """Return the text from the best sentence on, as far as whole sentences fit, and how many of the terms it holds."""
    parts = sentences(text)
    counts = [len(asked.intersection(terms(part.text))) for part in parts]
    most = max(counts, default=0)
    if most == 0:
        return "", 0
    first = last = counts.index(most)
    while last + 1 < len(parts) and parts[last + 1].end - parts[first].start <= _CHARS:
        last += 1
    return text[parts[first].start : parts[last].end], most
