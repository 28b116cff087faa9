"""Reasons: comments that say why, by their tag (WHY, NOTE, DECISION, HACK, TODO, ...)."""

from __future__ import annotations

import re
from typing import Final

TAGS: Final = ("WHY", "NOTE", "DECISION", "HACK", "TODO", "FIXME", "XXX", "PERF", "SAFETY", "WORKAROUND")
LONGEST: Final = 500

# The tag stands first on a line of the comment, written large, perhaps with who owes it: `TODO(ana): ...`.
_TAGGED: Final = re.compile(
    r"^[\s#/*!;\-]*(?P<tag>" + "|".join(TAGS) + r")\b(?:\([^()\n]{0,80}\))?[ \t]*[:\-]?[ \t]*(?P<text>.*)$"
)
_FURNITURE: Final = re.compile(r"^[ \t]*(?:///?|//!|\*+/?|#+|;+|--)?[ \t]?|[ \t]*\*+/[ \t]*$")


def reasons(comment: str) -> list[tuple[int, str, str]]:
    """Return each tagged reason in a comment: the line it stands on, counted from 0, its tag and its text.

    What follows on further lines of the comment belongs to it, up to an empty line or another tag. A tag alone is none.
    """
    found: list[tuple[int, str, str]] = []
    taking = False
    for number, line in enumerate(comment.splitlines()):
        tagged = _TAGGED.match(line)
        words = _FURNITURE.sub("", tagged["text"] if tagged else line).strip()
        if tagged:
            found.append((number, tagged["tag"], words))
            taking = True
        elif taking and words:
            at, tag, before = found[-1]
            found[-1] = (at, tag, f"{before} {words}".strip()[:LONGEST])
        else:
            taking = False
    return [one for one in found if one[2]]
