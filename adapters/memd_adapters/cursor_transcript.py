"""Cursor's agent transcripts: files of rows.

    projects/<slug>/agent-transcripts/<id>.jsonl              the CLI's
    projects/<slug>/agent-transcripts/<id>/<id>.jsonl         the editor's
    projects/<slug>/agent-transcripts/<id>/subagents/<child>.jsonl

A row is `{"role", "message": {"content"}}` with texts and tool calls, or the end of a turn. It has no id, no time and
no result; a prompt's time stands in its text, to the minute. The slug is made from the folder in a way that cannot be
undone: the folder is told by a file beside.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import orjson

from memd.adapter import Batch, Cursor, Event, ReadLimits, SessionKind, SessionUpdate, Source
from memd.errors import TranscriptError
from memd_adapters.cursor_pieces import Piece, Telling, Turns, dumped
from memd_adapters.cursor_text import shown, told_at, unwrapped
from memd_adapters.cursor_tools import PLANNED, Result, call_of, object_in, planned
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_rows import Json, Row, parse_line, parse_whole
from memd_adapters.shaping import head_of, text_of

NO_CONTENT: Final = "row without content"
FOLDER: Final = "agent-transcripts"

_SMALL_FILE_BYTES: Final = 1 << 20
_WORKER_PATH: Final = re.compile(rb"workspacePath=([^\r\n]{1,4096}?)(?=[ \t]+\w+=|[ \t]*[\r\n]|[ \t]*\Z)")
_MARKER: Final = re.compile(
    r"^(user:|assistant:|A:|\[Thinking\]|\[Tool call\] ?(.*)|\[Tool result\].*)[ \t]*$", re.MULTILINE
)
_PAIR: Final = re.compile(r"^ {1,4}([A-Za-z_]\w*)=(.*)$", re.MULTILINE)


def read_transcript(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read on in a transcript of rows; see `memd.adapter.Adapter.read`."""
    lines = read_lines(source.path, cursor, limits)
    if lines.unchanged:
        return Batch((), lines.cursor)
    session = source.session or source.path.stem
    carried = {} if cursor is None or lines.restarted else object_in(cursor.state) or {}
    skipped: Counter[str] = lines.skipped
    cwd = text_of(carried, "cwd") or workspace_of(source.path)
    turns, rows = Turns.load(carried.get("turns")), carried.get("rows")
    seen = rows if type(rows) is int else 0
    telling = Telling(session, turns)
    events: list[Event] = []
    for line in lines.lines:
        for row in parse_line(line, skipped):
            seen += _is_row(row)
            for piece in _pieces(row, cwd, skipped):
                events += telling.tell(piece)
    if not seen and lines.cursor.offset and not lines.more:
        raise TranscriptError(source.path, "is no transcript of Cursor: none of its lines is a row of it")
    state = dumped({"turns": turns.dump(), "cwd": cwd, "rows": seen})
    if lines.torn and (last := parse_whole(lines.torn)) is not None:
        ahead = Telling(session, Turns.load(turns.dump()))
        events += [event for piece in _pieces(last, cwd, skipped) for event in ahead.tell(piece)]
    return Batch(
        events=tuple(with_session(source, session, cwd, events)),
        cursor=replace(lines.cursor, state=state),
        more=lines.more,
        restarted=lines.restarted,
        skipped=+skipped,
        lines=len(lines.lines),
    )


def with_session(source: Source, session: str, cwd: str | None, events: list[Event]) -> Iterator[Event]:
    """Yield events with what is known of their session before them."""
    if events:
        kind: SessionKind = "subagent" if source.parent else "main"
        yield SessionUpdate(session, kind=kind, parent=source.parent, cwd=cwd)
        yield from events


def workspace_of(path: Path) -> str | None:
    """Return the folder that a transcript's sessions run in, as a file beside the transcripts tells it."""
    folder = next((parent.parent for parent in path.parents if parent.name == FOLDER), None)
    if folder is None:
        return None
    trusted = object_in(_small(folder / ".workspace-trusted").decode("utf-8", "replace"))
    if trusted is not None and (told := text_of(trusted, "workspacePath")):
        return told
    found = _WORKER_PATH.search(_small(folder / "worker.log"))
    return found[1].decode("utf-8", "replace").strip() if found else None


def _small(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_SMALL_FILE_BYTES)
    except OSError:
        return b""


def _is_row(row: Row) -> bool:
    return ("role" in row and "message" in row) or row.get("type") in ("turn_ended", "error")


_OTHERS: Final = frozenset({"type", "id", "uuid", "parentUuid", "sessionId", "content", "parts"})
"""What rows of other hosts bear that name the speaker, too."""


def is_transcript_row(row: Row) -> bool:
    """Tell whether a row is one of Cursor's: who speaks and what, without kind and id, or the end of a turn."""
    if row.get("role") in ("user", "assistant"):
        message = row.get("message")
        return not row.keys() & _OTHERS and isinstance(message, dict) and "content" in message and "role" not in message
    return row.get("type") == "turn_ended" and "status" in row


def _pieces(row: Row, cwd: str | None, skipped: Counter[str]) -> Iterator[Piece]:
    """Return what a row says."""
    role, message = row.get("role"), row.get("message")
    if role not in ("user", "assistant"):
        if row.get("type") in ("turn_ended", "error"):
            yield from _ended(row)
        else:
            kind = row.get("type") or role
            skipped[f"unknown row kind: {kind}" if isinstance(kind, str) else "row without a kind"] += 1
        return
    content = message.get("content") if isinstance(message, dict) else message
    blocks: list[Json] = [{"type": "text", "text": content}] if isinstance(content, str) else []
    if isinstance(content, list):
        blocks = content
    elif not blocks:
        skipped[NO_CONTENT] += 1
    if role == "user":
        yield from _prompt(blocks, skipped)
        return
    for block in blocks:
        yield from _replied(block, cwd, skipped)


def _prompt(blocks: list[Json], skipped: Counter[str]) -> Iterator[Piece]:
    """Return what was typed; Cursor's own words may stand in blocks of their own beside it."""
    texts: list[str] = []
    at: int | None = None
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "text":
            text = text_of(block, "text") or ""
            speaker, said = unwrapped(text)
            at = at or told_at(text)
            if speaker == "prompt":
                texts.append(said)
            elif speaker == "notice":
                yield Piece("notice", said)
        elif isinstance(block, dict) and block.get("type") == "image":
            texts.append("[image]")
        else:
            _unknown(block, skipped)
    if texts:
        yield Piece("prompt", "\n\n".join(texts), at)


def _replied(block: Json, cwd: str | None, skipped: Counter[str]) -> Iterator[Piece]:
    if not isinstance(block, dict):
        _unknown(block, skipped)
        return
    match block.get("type"):
        case "text":
            if said := shown(text_of(block, "text") or ""):
                yield Piece("text", said)
        case "tool_use":
            call = call_of(text_of(block, "name") or "unknown", block.get("input"))
            changes = planned(call, cwd)
            yield Piece("call", call=call, result=Result(None, "", changes=changes, rank=PLANNED) if changes else None)
        case "turn_ended" | "error":
            yield from _ended(block)
        case _:
            _unknown(block, skipped)


def _ended(row: Row) -> Iterator[Piece]:
    """Return why a turn ended when it did not end well."""
    error = row.get("error")
    if isinstance(error, dict):
        error = text_of(error, "message") or orjson.dumps(error).decode()
    if isinstance(error, str) and error.strip():
        yield Piece("notice", head_of(error.strip(), 2000))
    elif row.get("status") == "aborted":
        yield Piece("notice", "The turn was aborted.")


def _unknown(block: Json, skipped: Counter[str]) -> None:
    kind = block.get("type") if isinstance(block, dict) else None
    skipped[f"unknown block: {kind}" if isinstance(kind, str) else "block without a type"] += 1
