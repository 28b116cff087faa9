"""Aider's log of what its model was sent (`--llm-history-file`), where it is all there is of a session.

    TO LLM 2026-08-11T16:05:42          a request, in local time: all messages of it
    -------                             begins a message of the request
    USER change the greeting            each line of a message has its role before it
    LLM RESPONSE 2026-08-11T16:05:49    what came back
    ASSISTANT Done.

Form: aider 0.86, `log_llm_history` of aider/io.py, `format_messages` of aider/utils.py. A request repeats what was said
before, with examples and files; its last message of the user is what is new. A session goes on as long as requests
repeat the answer before. Nothing here tells whether an edit was applied.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import asdict, dataclass, field, replace
from typing import Final, Self

import orjson

from memd.adapter import Batch, Cursor, Event, MessageKind, MessagePart, Role, SessionUpdate, Source
from memd_adapters.aider_times import local_ms
from memd_adapters.aider_turns import TROUBLE
from memd_adapters.jsonl import Lines
from memd_adapters.shaping import clean

_HEAD: Final = re.compile(r"(TO LLM|LLM RESPONSE) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\Z")
_FIRST: Final = re.compile(rb"\s*TO LLM \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\r?\n")
_LINE: Final = re.compile(r"(SYSTEM|USER|ASSISTANT|TOOL|FUNCTION) ?(.*)\Z", re.DOTALL)
_MOST_CHARS: Final = 64 << 10
_HOSTS: Final = re.compile(
    r"(?:I have \*added these files to the chat\*|Here are summaries of some files|I added these files|"
    r"I committed the changes|I switched to a new code base)"
)
"""What aider says in the user's place."""
_STATE: Final = '{"log":'
_PLACES: Final = 10


def is_log(head: bytes) -> bool:
    """Whether a file begins as such a log does."""
    return _FIRST.match(head) is not None


def is_log_read(lines: Lines, cursor: Cursor | None) -> bool:
    """Whether lines were read out of such a log."""
    if lines.offsets[:1] == [0]:
        return is_log(lines.lines[0] + b"\n")
    return cursor is not None and not lines.restarted and cursor.state.startswith(_STATE)


@dataclass(slots=True)
class _Log:
    """What is carried: the session, the message at hand, and what the request has had so far."""

    session: str = ""
    began: str = ""
    exchange: int = -1
    at: str = ""
    is_answer: bool = False
    role: str = ""
    text: list[str] = field(default_factory=list)
    chars: int = 0
    system: list[str] = field(default_factory=list)
    """Lines of the request's instructions, which aider also writes behind the user's words."""
    prompt: str = ""
    told: str = ""
    """The prompt that was told last; a request that asks again has nothing new."""
    answer: str = ""
    """Digest of the last answer."""
    repeats: bool = False
    """Whether the request at hand has the last answer in it."""

    def dump(self) -> str:
        return orjson.dumps({"log": asdict(self)}).decode()

    @classmethod
    def load(cls, text: str) -> Self:
        try:
            return cls(**orjson.loads(text)["log"]) if text else cls()
        except (orjson.JSONDecodeError, TypeError, KeyError):
            return cls()


def read_log(source: Source, cursor: Cursor | None, lines: Lines) -> Batch:
    """Return what the lines of a log tell; the answer at hand is told as far as it has come."""
    log = _Log() if cursor is None or lines.restarted else _Log.load(cursor.state)
    events: list[Event] = []
    for raw in lines.lines:
        _take(log, raw.decode("utf-8", "replace").rstrip("\r"), events)
    state = log.dump()
    if log.is_answer:
        _end_message(log, events)
    return Batch(
        tuple(events),
        replace(lines.cursor, state=state),
        more=lines.more,
        restarted=lines.restarted,
        skipped=+lines.skipped,
        lines=len(lines.lines),
    )


def _take(log: _Log, line: str, events: list[Event]) -> None:
    if found := _HEAD.fullmatch(line):
        _end_message(log, events)
        log.at, log.is_answer = found[2], found[1] != "TO LLM"
        if log.is_answer:
            _ask(log, events)
        else:
            log.system, log.prompt, log.repeats = [], "", not log.answer
    elif line == "-------" and not log.is_answer:
        _end_message(log, events)
    elif found := _LINE.match(line):
        if log.role and found[1] != log.role:
            _end_message(log, events)
        log.role = found[1]
        _add(log, found[2])
    elif log.role:
        _add(log, line)


def _add(log: _Log, line: str) -> None:
    if log.chars <= _MOST_CHARS:
        log.text.append(line)
        log.chars += len(line) + 1


def _end_message(log: _Log, events: list[Event]) -> None:
    lines, role = log.text, log.role
    log.text, log.role, log.chars = [], "", 0
    if role == "SYSTEM":
        log.system += [line for line in lines if line.strip()]
    while role == "USER" and lines and (not lines[-1].strip() or lines[-1] in log.system):
        lines.pop()
    text = "\n".join(lines).strip()
    if not text:
        return
    if log.is_answer:
        log.answer = _digest(text)
        _tell(log, events, 1, "assistant", "reply", text)
    elif role == "USER" and not _HOSTS.match(text):
        log.prompt = text
    elif role == "ASSISTANT":
        log.repeats |= _digest(text) == log.answer


def _ask(log: _Log, events: list[Event]) -> None:
    """Tell what the request at hand asked, once all of it is known."""
    if not log.session or not (log.repeats or log.prompt == log.told):
        log.session, log.began, log.exchange, log.told = _digest(log.at), log.at, -1, ""
        began = local_ms(log.at)
        events.append(SessionUpdate(log.session, started_at=began))
    log.exchange += 1
    if log.prompt and log.prompt != log.told:
        kind: MessageKind = "notice" if TROUBLE.match(log.prompt) else "prompt"
        _tell(log, events, 0, "system" if kind == "notice" else "user", kind, log.prompt)
    log.told = log.prompt


def _tell(log: _Log, events: list[Event], place: int, role: Role, kind: MessageKind, text: str) -> None:
    events.append(
        MessagePart(
            session=log.session,
            message=f"{log.exchange}.{place}",
            part=f"{log.session}:{log.exchange}.{place}",
            seq=log.exchange * _PLACES + place,
            role=role,
            kind=kind,
            at=local_ms(log.at),
            text=clean(text),
            replace=True,
        )
    )


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=12).hexdigest()
