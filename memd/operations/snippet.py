"""Snippet: the part of a message in which what was looked for stands, and the sentence that holds it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from memd.model import Message
from memd.text.clip import clip
from memd.text.folding import bare
from memd.text.sentences import sentences
from memd.text.tokens import how_many

_CHARS: Final = 480
_SHELL: Final = re.compile(
    r"(?:\S*/)?(?:ba|z|da|fi|k)?sh -l?c|cmd(?:\.exe)? /c|(?:pwsh|powershell) -Command", re.IGNORECASE
)
# Of a longer text only so much is cut into sentences; somebody waits for the answer.
_SEARCHED: Final = 40_000


@dataclass(frozen=True, slots=True)
class Passage:
    """What is shown of a message, the sentence of it that holds most of what was asked, and how many terms that is.

    `tool` names the tool where it is of a call; `printed` tells what a tool put out from what it was given.
    """

    text: str
    sentence: str
    held: int
    tool: str | None = None
    printed: bool = False
    chars: int = 0
    """How long the whole is that it was taken from."""


def passage(message: Message, asked: frozenset[str], most: int = _CHARS, *, calls: bool = True) -> Passage:
    """Return the sentence of the message, or else of its tool calls, that holds most of the terms, with what follows.

    At most `most` characters; the beginning of the message when no sentence holds any. Without `calls` only what was
    said is looked at.
    """
    best, of = Passage("", "", 0), _Said(message.text)
    for said in _said(message) if calls else (of,):
        if len(said.text) <= most and not best.text:
            best, of = Passage(said.text, "", 0), said
        found = _window(said.text[:_SEARCHED], asked, most)
        if found.held > best.held:
            best, of = found, said
    text = clip(best.text or of.text, most, tail_share=0)
    return Passage(text, clip(best.sentence, most), best.held, of.tool, of.printed, len(of.text))


def around(text: str, found: str, most: int = _CHARS, *, tool: str | None = None, printed: bool = False) -> Passage:
    """Return the lines of a text in which a run of letters stands first (in any case), at most `most` characters."""
    start = max(text.lower().find(found.lower()), 0)
    begin = text.rfind("\n", 0, start) + 1
    if start + len(found) - begin > most:
        begin = max(start - (most - min(len(found), most)) // 2, 0)
    line = text[begin : begin + most].partition("\n")[0] if "\n" not in found else found
    return Passage(clip(text[begin:], most, tail_share=0), clip(line, most), 1, tool, printed, len(text))


def said_in_call(given: str) -> str:
    """Return a call's JSON as a person would write it: the command, the path, the pattern."""
    try:
        members = orjson.loads(given)
    except ValueError:
        return given
    if not isinstance(members, dict):
        return given
    return " ".join(filter(None, map(_typed, members.values()))) or given


def _typed(value: object) -> str:
    """Return what a person would have typed for a text or a command's list of words, "" for anything else."""
    if isinstance(value, list) and value and all(isinstance(word, str) for word in value):
        # What a shell is given to run is a command of its own: ["bash", "-lc", "make tide"].
        return value[-1] if len(value) == 3 and _SHELL.fullmatch(" ".join(value[:2])) else " ".join(value)
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class _Said:
    """A text of a message: its own, or what one of its calls was given or put out."""

    text: str
    tool: str | None = None
    printed: bool = False


def _said(message: Message) -> Iterator[_Said]:
    yield _Said(message.text)
    for call in message.tool_calls:
        yield _Said(f"{call.name}: {said_in_call(call.input)}", call.name)
        yield _Said(call.output, call.name, printed=True)


def _window(text: str, asked: frozenset[str], most: int) -> Passage:
    """Return the text from the best sentence on, as far as whole sentences fit, and how many of the terms it holds."""
    if not _may_hold(text, asked):
        return Passage("", "", 0)
    parts = sentences(text)
    one = len(parts) == 1
    counts = [how_many(asked, part.text) if one or _may_hold(part.text, asked) else 0 for part in parts]
    held = max(counts, default=0)
    if held == 0:
        return Passage("", "", 0)
    first = last = counts.index(held)
    while last + 1 < len(parts) and parts[last + 1].end - parts[first].start <= most:
        last += 1
    return Passage(text[parts[first].start : parts[last].end], parts[first].text, held)


def _may_hold(text: str, asked: frozenset[str]) -> bool:
    """Tell whether a text may hold any of the terms, which takes a tenth of the time of telling which it holds."""
    small = bare(text)
    return any(term in small for term in asked)
