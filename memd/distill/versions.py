"""Versions: what the model said of a thing at one version is over when a later exchange tells of a higher one."""

from __future__ import annotations

import re
from typing import Final, TypeAlias

from memd.distill import cues
from memd.distill.thread import Statement, Thread

_VERSION: Final = r"v?(?P<version>\d{1,4}\.\d{1,4}(?:\.\d{1,6})?)(?![\w.]*\d|%)"
# "the charter to v1.0.1", "schema is now 2.1.0", "charte passée à 1.2.0", 升级到
_RAISED: Final = re.compile(
    r"(?P<what>[^\W\d_][\w-]{3,})`?(?:\s+(?:is|was|now|bumped|updated|upgraded|raised|passée?|mise?|actualizad[oa]))*"
    rf"\s*(?:\s(?:to|at|now|auf|à|a|до|на|na)|→|->|升级到|更新到|を|에서)\s*{_VERSION}",
    re.IGNORECASE,
)
_ANY: Final = re.compile(rf"(?<![\w.]){_VERSION}", re.IGNORECASE)
_Number: TypeAlias = tuple[int, ...]


def outdated(thread: Thread) -> frozenset[Statement]:
    """Return what the model said of a thing at a version, where a later exchange tells of a higher one of it."""
    raised: dict[str, tuple[_Number, int]] = {}
    for one in thread.statements:
        if one.speaker == "assistant" and not (cues.QUESTION.search(one.text) or cues.PROPOSAL.search(one.text)):
            for match in _RAISED.finditer(one.text):
                raised[match["what"].casefold()] = (_number(match["version"]), one.exchange)
    if not raised:
        return frozenset()
    return frozenset(one for one in thread.statements if one.speaker == "assistant" and _is_lower(one, raised))


def _is_lower(one: Statement, raised: dict[str, tuple[_Number, int]]) -> bool:
    told = [_number(match["version"]) for match in _ANY.finditer(one.text)]
    if not told:
        return False
    low = one.text.casefold()
    return any(
        exchange > one.exchange and max(told) < version and what in low for what, (version, exchange) in raised.items()
    )


def _number(version: str) -> _Number:
    return tuple(map(int, version.split(".")))
