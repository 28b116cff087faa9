"""Snippet: the part of a message in which what was looked for stands, and the sentence that holds it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from memd.model import Message, ToolCall
from memd.text.clip import clip
from memd.text.sentences import sentences
from memd.text.tokens import terms

_CHARS: Final = 480
# Of a longer text only so much is cut into sentences; somebody waits for the answer.
_SEARCHED: Final = 40_000


@dataclass(frozen=True, slots=True)
class Passage:
    """What is shown of a message, the sentence of it that holds most of what was asked, and how many terms that is."""

    text: str
    sentence: str
    held: int


def snippet(message: Message, asked: frozenset[str], most: int = _CHARS) -> str:
    """Return the text of `passage`."""
    return passage(message, asked, most).text


def passage(message: Message, asked: frozenset[str], most: int = _CHARS) -> Passage:
    """Return the sentence of the message, or else of its tool calls, that holds most of the terms, with what follows.

    At most `most` characters; the beginning of the message when no sentence holds any.
    """
    best = Passage("", "", 0)
    for text in _texts(message):
        if len(text) <= most and not best.text:
            best = Passage(text, "", 0)
        found = _window(text[:_SEARCHED], asked, most)
        if found.held > best.held:
            best = found
    return Passage(clip(best.text or message.text, most, tail_share=0), clip(best.sentence, most), best.held)


def said_in_call(call: ToolCall) -> str:
    """Return what a call was given as a person would write it: the command, the path, the pattern, not their JSON."""
    try:
        given = orjson.loads(call.input)
    except ValueError:
        return call.input
    if not isinstance(given, dict):
        return call.input
    return " ".join(value for value in given.values() if isinstance(value, str)) or call.input


def _texts(message: Message) -> Iterator[str]:
    yield message.text
    for call in message.tool_calls:
        yield f"{call.name}: {said_in_call(call)}"
        yield call.output


def _window(text: str, asked: frozenset[str], most: int) -> Passage:
    """Return the text from the best sentence on, as far as whole sentences fit, and how many of the terms it holds."""
    parts = sentences(text)
    counts = [len(asked.intersection(terms(part.text))) for part in parts]
    held = max(counts, default=0)
    if held == 0:
        return Passage("", "", 0)
    first = last = counts.index(held)
    while last + 1 < len(parts) and parts[last + 1].end - parts[first].start <= most:
        last += 1
    return Passage(text[parts[first].start : parts[last].end], parts[first].text, held)
