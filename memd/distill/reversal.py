"""Reversals: what a sentence takes back or forbids, told by its terms."""

from __future__ import annotations

import re
from typing import Final

from memd.text.tokens import terms

_OBJECT: Final = re.compile(
    r"\b(?:revert(?:ed)?|undo(?:ne)?|roll(?:ed)? back|back out|take out|rip out|remove|drop|kill|get rid of"
    r"|throw (?:out|away)|scrap|forget(?: about)?|no longer|quit[ao]\w*"
    r"|don'?t (?:want|use|need)|no more|instead of|without)\s+(?:the |that |this |those |your |all |use "
    r"|using )*(?P<what>[^,.;:!?]{2,60})"
    r"|(?:撤回|撤销|回退|还原|不再(?:用|使用)?|去掉|删掉|放弃|取消|不用|不要)\s*(?P<zh>[^，。；！？]{1,30})"
    r"|(?P<first>[^,.;:!?]{2,40}) (?:is|was|are) (?:gone|out|removed|reverted|wrong|replaced)\b",
    re.IGNORECASE,
)
_UNDOES: Final = re.compile(
    r"\b(?:revert|undo|roll(?:ed)? back|back out|remove|drop|kill|get rid of|scrap|forget|no more|quit[ao]\w*"
    r"|zurück|annule)\b|撤回|撤销|回退|还原|不再|去掉|删掉|放弃|取消",
    re.IGNORECASE,
)
_EMPTY: Final = frozenset(
    (
        "then",
        "stuff",
        "change",
        "changes",
        "thing",
        "code",
        "back",
        "again",
        "version",
        "part",
        "branch",
        "test",
        "tests",
        "改动",
        "代码",
    )
)


def undone(text: str) -> tuple[frozenset[str], ...]:
    """Return the terms of each thing that a sentence takes back or forbids ("drop the Redis cache": redis, cache)."""
    return tuple(
        found
        for match in _OBJECT.finditer(text)
        if (found := frozenset(term for term in terms(_named(match)) if len(term) > 1) - _EMPTY)
    )


def _named(match: re.Match[str]) -> str:
    return match["what"] or match["first"] or match["zh"].replace("的", " ")


def takes_back(text: str) -> bool:
    """Return whether a sentence undoes what was there ("revert", "drop", 撤回), rather than preferring another way."""
    return _UNDOES.search(text) is not None


def names(object_: frozenset[str], own: frozenset[str] | set[str]) -> bool:
    """Return whether a statement with these terms speaks of that thing: it has more than half of the thing's terms."""
    return len(object_ & own) * 2 > len(object_)
