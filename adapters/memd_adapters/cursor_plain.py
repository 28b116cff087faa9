"""Cursor's older transcripts: plain text, `projects/<slug>/agent-transcripts/<id>.txt`, up to early 2026.

    user:
    <user_query>...</user_query>

    assistant:                      or `A:`
    [Thinking]
      indented
    What was said.
    [Tool call] Name
      key=value                     or JSON
    [Tool result]
      indented

A marker stands at the start of a line; what is indented is none. No living version writes these files, so what stands
last in one is taken as finished.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from memd.adapter import Batch, Cursor, ReadLimits, Source
from memd.errors import TranscriptError
from memd_adapters.cursor_pieces import Piece, Telling, Turns
from memd_adapters.cursor_text import shown, told_at, unwrapped
from memd_adapters.cursor_tools import call_of, object_in, planned, text_result
from memd_adapters.cursor_transcript import with_session, workspace_of
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_rows import Json

_WHOLE: Final = ReadLimits(batch_bytes=64 << 20, line_bytes=64 << 20)
_MARKER: Final = re.compile(
    r"^(user:|assistant:|A:|\[Thinking\]|\[Tool call\] ?(.*)|\[Tool result\].*)[ \t\r]*$", re.MULTILINE
)
_PAIR: Final = re.compile(r"^ {1,4}([A-Za-z_]\w*)=(.*)$", re.MULTILINE)


def read_text(source: Source, cursor: Cursor | None) -> Batch:
    """Read a transcript as a whole whenever it changed; see `memd.adapter.Adapter.read`."""
    found = read_lines(source.path, replace(cursor, offset=0, head="", tail="") if cursor else None, _WHOLE)
    if found.unchanged and cursor is not None:
        return Batch((), cursor)
    session = source.session or source.path.stem
    text = b"\n".join((*found.lines, found.torn)).decode("utf-8", "replace")
    cwd = workspace_of(source.path)
    telling = Telling(session, Turns())
    events = [event for piece in _Script(text, cwd).pieces() for event in telling.tell(piece)]
    events += telling.finish()
    if text.strip() and not events and not text.startswith("user:"):
        raise TranscriptError(source.path, "is no transcript of Cursor: nobody speaks in it")
    return Batch(
        events=tuple(with_session(source, session, cwd, events)),
        cursor=replace(found.cursor, state="{}"),
        skipped=+found.skipped,
        lines=len(found.lines),
    )


class _Script:
    """The text, marker by marker."""

    def __init__(self, text: str, cwd: str | None) -> None:
        self._text = text
        self._cwd = cwd
        self._call: Piece | None = None
        """A call that waits for its result."""
        self._user = False

    def pieces(self) -> Iterator[Piece]:
        """Yield what is said, thought and done."""
        marks = list(_MARKER.finditer(self._text))
        for mark, after in zip_longest(marks, marks[1:]):
            body = self._text[mark.end() : after.start() if after else len(self._text)].strip("\n")
            if mark[1].startswith("[Tool result]"):
                body = self._result(body)
            yield from self._called()
            match mark[1]:
                case "user:" | "assistant:" | "A:":
                    self._user = mark[1] == "user:"
                case "[Thinking]":
                    thought, body = _indented(body)
                    yield Piece("thinking", "\n".join(line.removeprefix("  ") for line in thought))
                case str() as head if head.startswith("[Tool call]"):
                    given, body = _indented(body)
                    self._call = Piece("call", call=call_of((mark[2] or "unknown").strip(), _given("\n".join(given))))
                case _:
                    pass
            if body.strip():
                yield from self._called()
                yield from self._said(body)
        yield from self._called()

    def _said(self, body: str) -> Iterator[Piece]:
        if self._user:
            speaker, said = unwrapped(body)
            if speaker != "nothing":
                yield Piece(speaker, said, told_at(body))
        elif said := shown(body):
            yield Piece("text", said)

    def _called(self) -> Iterator[Piece]:
        if self._call is not None:
            yield self._call
            self._call = None

    def _result(self, body: str) -> str:
        """Give a result to the call before it; return what follows."""
        lines, rest = _indented(body)
        if self._call is not None and self._call.call is not None:
            call = self._call.call
            output = "\n".join(line.removeprefix("  ") for line in lines)
            result = text_result(output, failed=False, kind=call.kind)
            self._call = replace(self._call, result=replace(result, changes=planned(call, self._cwd)))
        return rest


def _indented(body: str) -> tuple[list[str], str]:
    """Take the indented lines that a body begins with from what follows them."""
    lines = body.split("\n")
    count = 0
    while count < len(lines) and (lines[count].startswith("  ") or not lines[count].strip()):
        count += 1
    return lines[:count], "\n".join(lines[count:])


def _given(text: str) -> Json:
    """Return a call's input: JSON, or `key=value` on indented lines."""
    return object_in(text.strip()) or dict(_PAIR.findall(text))
