"""OpenCode's rows: sessions, messages and their parts as both of its stores keep them, and what they mean.

A message is told part by part, so that a part that arrives, grows or is finished is told by itself. A part's key is its
id. A message that a fork copied has new ids, but the time, role and words of its original: it is told under the
original's keys, so that it is one message in two sessions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memd.adapter import Event, MessageKind, MessagePart, Role, SessionUpdate, ToolResult, ToolUse
from memd.text.noise import strip_noise
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.opencode_tools import kind_of, outcome
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail, head_of, input_text, text_of

NO_MESSAGE: Final = "part without a message"
NO_ROLE: Final = "message without a known role"
DAMAGED: Final = "row that is no JSON object"

BY_HOST: Final = ":host"
ERROR: Final = ":error"
KIN: Final = ("", BY_HOST, ERROR)
"""What is appended to a message's id for what the host said within it, which is told as a message of its own."""

_SILENT: Final = frozenset(("step-start", "step-finish", "snapshot", "patch", "agent", "retry"))
_NEW_TITLE: Final = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z")
_PROGRESS: Final = re.compile(r"[\u2801-\u28ff] [^\n]{1,200}…\s*")
"""What Kilo 7 shows in the place of an answer while it works, and deletes afterwards: a spinner and a word on it."""
_FILE_ECHOES: Final = ("Called the ", "<path>", "<file>", "<type>", "Reading MCP resource:")
"""How the text begins that the host adds to a prompt for a file the user named."""
_NOTICE_CHARS: Final = 2000
_CALL_ID_CHARS: Final = 12
"""A shorter call id is a gateway's counter and does not tell calls of a session apart."""

_LAST_MS: Final = (1 << 41) - 1
_TIE_BITS: Final = 4
_ORDINAL_BITS: Final = 18


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as its store has it. Times are UTC epoch milliseconds."""

    id: str
    parent: str | None
    directory: str | None
    project: str | None
    title: str | None
    version: str | None
    agent: str | None
    model: str | None
    created: int
    updated: int
    reverting: bool = False
    """A revert is pending: the next prompt deletes messages."""


@dataclass(frozen=True, slots=True)
class MessageRow:
    """A message; `order` counts those of its session that were made in the same millisecond before it."""

    id: str
    session: str
    created: int
    data: Row
    order: int = 0

    @property
    def role(self) -> Json:
        """Who speaks, `user` or `assistant`."""
        return self.data.get("role")


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part of a message; `order` is its place there."""

    id: str
    data: Row
    order: int


@dataclass(frozen=True, slots=True)
class Original:
    """The message that a fork's message is a copy of; `parts` are the ids of its parts by their place."""

    session: str
    message: str
    parts: Sequence[str]


def place(message: MessageRow, order: int) -> int:
    """Return where a part stands in its session: by the message's time, and then by its place in the message."""
    at = min(max(message.created, 0), _LAST_MS)
    tie = min(message.order, (1 << _TIE_BITS) - 1)
    return ((at << _TIE_BITS | tie) << _ORDINAL_BITS) | min(order, (1 << _ORDINAL_BITS) - 1)


def session_update(row: SessionRow, forked_from: str | None, last: Row) -> SessionUpdate:
    """Return what a session's row tells; `last` is its newest message, of use where the row names no model."""
    title = row.title
    return SessionUpdate(
        row.id,
        kind="subagent" if row.parent else "fork" if forked_from else "main",
        parent=row.parent,
        forked_from=forked_from,
        cwd=row.directory,
        model=row.model or model_of(last),
        agent=row.agent or text_of(last, "agent") or text_of(last, "mode"),
        title=None if title is None or _NEW_TITLE.fullmatch(title) else title,
        version=row.version,
        started_at=moment_ms(row.created),
    )


def model_of(data: Row) -> str | None:
    """Return the model that a message names: an assistant's own, or the one a prompt asks for."""
    asked = data.get("model")
    return text_of(data, "modelID") or (text_of(asked, "modelID") if isinstance(asked, dict) else None)


def error_notice(message: MessageRow, original: Original | None) -> MessagePart | None:
    """Return what went wrong with a reply, as a message of the host after it; None when nothing did."""
    error = message.data.get("error")
    if not isinstance(error, dict):
        return None
    details = error.get("data")
    said = text_of(details, "message") if isinstance(details, dict) else None
    key = (original.message if original else message.id) + ERROR
    return MessagePart(
        session=message.session,
        message=key,
        part=key,
        seq=place(message, (1 << _ORDINAL_BITS) - 1),
        role="system",
        kind="notice",
        at=_at(message),
        text=head_of(clean(": ".join(filter(None, (text_of(error, "name"), said))) or "error"), _NOTICE_CHARS),
        copied_from=original.session if original else None,
        replace=True,
    )


def part_events(
    message: MessageRow, part: PartRow, original: Original | None, skipped: Counter[str]
) -> Iterator[Event]:
    """Yield what one part of a message tells; nothing for what holds nothing to keep."""
    role = message.role
    if role not in ("user", "assistant"):
        skipped[NO_ROLE] += 1
        return
    telling = _Telling(message, part, original)
    kind = part.data.get("type")
    match kind:
        case "text" if role == "user":
            yield from telling.user_text()
        case "text":
            text = text_of(part.data, "text") or ""
            if _PROGRESS.fullmatch(text):
                return
            summary = message.data.get("summary") is True
            yield telling.part("system" if summary else "assistant", "summary" if summary else "reply", text)
        case "reasoning":
            yield telling.part("assistant", "reply", "", thinking=text_of(part.data, "text") or "")
        case "tool":
            yield from telling.tool()
        case "file" if role == "user":
            yield from telling.file()
        case "subtask":
            said = " ".join(filter(None, (text_of(part.data, "command"), text_of(part.data, "prompt"))))
            yield telling.part("user", "command", f"/{said}")
        case "file" | "compaction":
            pass
        case str() if kind in _SILENT:
            pass
        case _:
            skipped[f"unknown part: {kind}" if isinstance(kind, str) else "part without a type"] += 1


class _Telling:
    """One part, with the keys it is told under."""

    __slots__ = ("_data", "_message", "_original", "_part", "_row")

    def __init__(self, message: MessageRow, part: PartRow, original: Original | None) -> None:
        copied = original is not None and part.order < len(original.parts)
        self._original = original if copied else None
        self._part = original.parts[part.order] if original is not None and copied else part.id
        self._message = message
        self._row = part
        self._data = part.data

    def part(
        self,
        role: Role,
        kind: MessageKind,
        text: str,
        *,
        thinking: str = "",
        calls: tuple[ToolUse, ...] = (),
        apart: str = "",
    ) -> MessagePart:
        """Return the part as memd has it; `apart` makes it a message of its own."""
        key = self._original.message if self._original else self._message.id
        return MessagePart(
            session=self._message.session,
            message=f"{key}{apart}",
            part=self._part,
            seq=place(self._message, self._row.order),
            role=role,
            kind=kind,
            at=_at(self._message),
            text=clean(text),
            thinking=clean(thinking),
            tool_calls=calls,
            model=text_of(self._message.data, "modelID"),
            copied_from=self._original.session if self._original else None,
            replace=True,
        )

    def user_text(self) -> Iterator[Event]:
        """What the user typed, or what the host added to it, which is a notice of its own."""
        text = text_of(self._data, "text") or ""
        if self._data.get("ignored") is True:
            return
        if self._data.get("synthetic") is True:
            if not text.startswith(_FILE_ECHOES) and (said := strip_noise(text).strip()):
                yield self.part("system", "notice", head_of(said, _NOTICE_CHARS), apart=BY_HOST)
            return
        yield self.part("user", "prompt", own_words(text))

    def file(self) -> Iterator[Event]:
        """A file or an image that came with the prompt and is not named in its text."""
        if "source" in self._data or self._data.get("synthetic") is True:
            return
        mime = text_of(self._data, "mime") or ""
        name = text_of(self._data, "filename")
        yield self.part("user", "prompt", "[image]" if mime.startswith("image/") else f"[file: {name or mime}]")

    def tool(self) -> Iterator[Event]:
        """A call once its input is whole, and its result once it is final."""
        state = self._data.get("state")
        name, call_id = text_of(self._data, "tool") or "unknown", text_of(self._data, "callID") or ""
        if not isinstance(state, dict) or state.get("status") == "pending":
            return
        if len(call_id) < _CALL_ID_CHARS:
            call_id = f"{call_id}:{self._part}"
        given = state.get("input")
        use = ToolUse(clean(call_id), clean(name), kind_of(name), input_text({} if given is None else given))
        yield self.part("assistant", "reply", "", calls=(use,))
        done = outcome(name, state)
        if done is None:
            return
        times = state.get("time")
        ended = times.get("end") if isinstance(times, dict) else None
        output = clean(done.output)
        yield ToolResult(
            session=self._message.session,
            call_id=use.call_id,
            part=f"{self._part}:result",
            seq=place(self._message, self._row.order),
            ok=done.ok,
            output=head_and_tail(output, OUTPUT_CHARS),
            at=moment_ms(ended) or _at(self._message),
            exit_code=done.exit_code,
            changes=done.changes,
            child=done.child,
            output_chars=len(output),
        )


def own_words(text: str) -> str:
    """Return what a user typed without what the host put around it: `opencode run` keeps the shell's quotes."""
    text = strip_noise(text).strip() if "<" in text or "\x1b" in text else text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"' and '"' not in text[1:-1]:
        return text[1:-1]
    return text


def moment_ms(value: Json) -> int | None:
    """Return a time in UTC epoch milliseconds, None when it is none."""
    return int(value) if type(value) in (int, float) and 0 < value <= _LAST_MS else None  # type: ignore[operator, arg-type]


def _at(message: MessageRow) -> int | None:
    return moment_ms(message.created)
