"""Pasted errors: which lines of what a person wrote were printed by a program, and tell what went wrong.

Between code marks any line may be one. Outside of them a line has to look like a program's: it opens with the name of
an error, a level, or a mark of failure, so that "error handling is poor here" is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memd.distill.errorlines import MAX_LINE, cleaned, error_in_prose, surely_telling_line
from memd.text.sentences import sentences

_MOST: Final = 5  # errors of one prompt: the first ones, and the last as what they come from
_LINES: Final = 2_000
_LEAST: Final = 16  # characters that tell something
_GENERIC: Final = frozenset(("error", "fatal", "exception", "failed", "failure"))
_HINT: Final = re.compile(
    r"error|exception|fatal|panic|denied|refused|timed? ?out|failure|failed|HTTP [45]\d\d|[❌✖✗]", re.IGNORECASE
)
# What stands before the message where a browser's console, a container's log or a chain of causes was copied.
_COPIED: Final = re.compile(
    r"^(?:(?:.{0,120}\s)?[\w.-]+-\d+\s+\|\s*|(?:\S+:\d+(?::\d+)?|\(index\):\d+)\s+(?=Uncaught)"
    r"|Uncaught (?:\(in promise\) )?|remote: "
    r"|(?:.{0,60}\b)?Caused by: |\d{4}-\d\d-\d\d[T ][\d:.,]+Z?\s+|(?:ERROR|FATAL|SEVERE|CRITICAL)\b[:\s]*"
    r"|\[[\w.$/-]{3,60}\]\s+|\([\w. -]{3,40}\)\s+)+"
)
_LEVEL: Final = re.compile(r"(?:^|[\s\[])(?:ERROR|FATAL|SEVERE|CRITICAL)(?=[\]\s:])")
_PRINTED: Final = re.compile(
    r"^(?:failed to [\w -]{2,40}: \S|gh: \S.*\(HTTP [45]\d\d\)|npm (?:ERR!|error) \S|error [A-Z]+\d+: \S|E: \S.{8,}"
    r"|(?:[\w./-]+sh: .*|[\w./-]+: )(?:command not found|No such file or directory|[Pp]ermission denied)"
    r"|[A-Z][A-Z0-9_-]{3,}\d{3,}: \S.{8,})"
)
_MARKED: Final = re.compile(r"^\s*[❌✖✗]\s*(?P<text>\S.{7,})")
_MESSAGE: Final = re.compile(r"^\W*(?:error_?)?message\"?\s*[:=]\s*[\"'](?P<text>[^\"\n]{12,})")
_BODY: Final = re.compile(r"\"error\"|\bstatus\b\W{0,6}[45]\d\d|\b[45]\d\d \w+")
_QUOTED: Final = re.compile(
    r"\berror(?: message)? (?:is|was|says|reads)\b:?\s*[`\"](?P<text>[^`\"\n]{12,300})[`\"]", re.IGNORECASE
)


def pasted_errors(text: str) -> Iterator[str]:
    """Yield the errors that a person pasted with a prompt, or quoted as one; of many the first ones and the last."""
    if "```" not in text and not _HINT.search(text):
        return
    found = list(dict.fromkeys(_found(text)))
    yield from found if len(found) <= _MOST else (*found[: _MOST - 1], found[-1])
    yield from (match["text"] for match in _QUOTED.finditer(text))


def _found(text: str) -> Iterator[str]:
    body = _BODY.search(text) is not None
    kinds: set[str] = set()
    for one in sentences(text):
        lines = (one.text,) if one.kind == "code" else one.text.split("\n")[:_LINES]
        for raw in lines:
            line = surely_telling_line(raw) if one.kind == "code" else _printed(raw, body)
            if line is None:
                continue
            name = line.split(":", 1)[0]
            kind = line if name.casefold() in _GENERIC else name
            if kind not in kinds:
                kinds.add(kind)
                yield line[:MAX_LINE]


def _printed(raw: str, body: bool) -> str | None:
    """Return what a line outside of code marks says, where a program printed it to tell what went wrong."""
    marked = _MARKED.match(raw)
    if marked is not None:
        return marked["text"]
    line = cleaned(raw)
    bare = _COPIED.sub("", line)
    if error_in_prose(line) or error_in_prose(bare) or _PRINTED.match(bare):
        return bare if len(bare) >= _LEAST else line
    if bare != line and _LEVEL.search(line) and len(bare) >= _LEAST:
        return bare
    message = _MESSAGE.match(raw) if body else None
    return message["text"] if message is not None else None
