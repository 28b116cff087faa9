"""Foreign text: what somebody put into a message without saying it: pasted documents, quotations, patches.

What a page or a file says must never be taken for what the person who pasted it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, TypeAlias

Span: TypeAlias = tuple[int, int]

_OPENING: Final = re.compile(r"<(?P<name>[A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,400})?(?<!/)>")
# In these people put what they say themselves.
_OWN_TAGS: Final = frozenset(
    "task user_query user_message user_input feedback answer prompt request instructions requirements goal".split()
)
# Short quotations are names of things; a quotation of this length says something.
_QUOTATION: Final = re.compile(
    r"(?<!\w)\"[^\"\n]{40,4000}\"(?!\w)|[“„«][^“”„«»\n]{40,4000}[”»]|[「『][^「」『』\n]{20,4000}[」』]"
)
_PATCH: Final = re.compile(
    r"^(?:diff --git |@@ -\d|\+\+\+ \S)[^\n]*(?:\n(?:[-+ @\\]|diff |index |new file|deleted file)[^\n]*)*", re.MULTILINE
)


def foreign_spans(text: str) -> tuple[Span, ...]:
    """Return where `text` holds what its writer did not say themselves."""
    return tuple(
        chain(_blocks(text), (match.span() for regex in (_QUOTATION, _PATCH) for match in regex.finditer(text)))
    )


def is_foreign(start: int, end: int, spans: tuple[Span, ...]) -> bool:
    """Return whether what stands at `start:end` begins in a span, is cut by one, or is one for the most part."""
    touched = [(first, last) for first, last in spans if first < end and start < last]
    return any(first <= start or last > end for first, last in touched) or (
        2 * sum(last - first for first, last in touched) > end - start
    )


def _blocks(text: str) -> Iterator[Span]:
    """Yield the blocks between a tag and its closing tag, the outermost ones."""
    done = 0
    closings: dict[str, int] = {}
    for tag in _OPENING.finditer(text) if "</" in text else ():
        name = tag["name"]
        if tag.start() < done or name.lower() in _OWN_TAGS:
            continue
        if closings.get(name, 0) != -1 and closings.get(name, 0) < tag.end():
            closings[name] = text.find(f"</{name}>", tag.end())
        if closings.get(name, -1) >= 0:
            done = closings[name] + len(name) + 3
            yield tag.start(), done
