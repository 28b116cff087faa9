"""Structured: a reply that is one JSON object, as some hosts have their models answer: what its strings say.

A review as `{"findings": [{"title": ..., "body": ...}]}` tells as much as one in Markdown. Which key holds prose is
told by the string itself: it has several words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import orjson

from memd.text.sentences import sentences

_PAIR: Final = re.compile(r'"(?P<key>[\w -]{1,40})"\s*:\s*"(?P<value>(?:[^"\\]|\\.){12,8000})"')
_ENDS_LINE: Final = re.compile(r"(?:\\[nrt])+")
_LONGEST: Final = 200_000  # characters
_LEAST_BLANKS: Final = 3


def is_structured(text: str) -> bool:
    """Return whether a text is one JSON object and nothing else."""
    said = text.strip()
    if not (said.startswith("{") and said.endswith("}") and len(said) <= _LONGEST):
        return False
    try:
        return isinstance(orjson.loads(said), dict)
    except orjson.JSONDecodeError:
        return False


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences in a JSON object's strings, exact parts of the text, each with its object's number.

    A key that comes again begins another object.
    """
    number, seen = 0, set[str]()
    for pair in _PAIR.finditer(text):
        if pair["value"].count(" ") < _LEAST_BLANKS:
            continue
        if pair["key"] in seen:
            number, seen = number + 1, set()
        seen.add(pair["key"])
        for line in _ENDS_LINE.split(pair["value"]):
            yield from ((number, one.text) for one in sentences(line))
