"""Cleaning: what a host wrote, as it may be stored: without private spans and secrets, clipped where it is too long.

Whatever comes from a host is looked at: texts, titles, tool inputs and outputs, names, paths, and the ids it gave its
rows. Folders stay as they are; projects are found by them, and they are redacted after that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from hashlib import blake2b
from typing import Final, assert_never

import orjson

from memd.adapter import ChainLink, Event, MessagePart, SessionUpdate, ToolResult, ToolUse, Withdrawn
from memd.text.noise import strip_noise
from memd.text.private import strip_private_on
from memd.text.redaction import redact, scrub, scrub_value
from memd.text.session_ids import session_id

LARGE_CHARS: Final = 100_000
MOST_CHARS: Final = 1_000_000
LARGE: Final = "large message"
CLIPPED: Final = "oversize message clipped"

_PLAIN_ID: Final = re.compile(
    r"(?:[0-9a-f-]{1,40}|(?:msg|toolu|call|req|resp|fc|rs|prt|ses|evt|item|chatcmpl)[_-][A-Za-z0-9-]{1,48})(?::[0-9]{1,9})?"
)
"""What hosts name their rows by, nearly always; nothing in it can be a secret."""


class Cleaner:
    """Redacts the events of one batch, and keeps what later ones need of earlier ones."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.counts: Counter[str] = Counter()
        self.inputs: dict[tuple[str, str], str] = {}
        """Inputs of the calls so far, by session and call, as they are stored."""
        self._names = _clean_ids(events)
        self._open: dict[tuple[str, str], int] = {}
        """How many private spans are open in messages whose next row may close them."""

    def event(self, event: Event) -> Event:
        """Return an event as it may be stored; the same object where there is nothing to clean."""
        event = _of_session(event)
        match event:
            case MessagePart():
                return self._part(event)
            case ToolResult():
                return self._result(event)
            case SessionUpdate():
                return self._update(event)
            case ChainLink():
                return event
            case Withdrawn():
                messages = tuple(map(self._name, event.messages))
                return event if messages == event.messages else replace(event, messages=messages)
            case _:
                assert_never(event)

    def _part(self, event: MessagePart) -> MessagePart:
        text = self._text(self._shown(event))
        thinking = self._text(event.thinking)
        calls = event.tool_calls
        if calls:
            calls = tuple(self._call(event.session, call) for call in calls)
        model = event.model and self._text(event.model)
        message = self._name(event.message)
        fields = (text, thinking, model, message)
        if fields == (event.text, event.thinking, event.model, event.message) and calls == event.tool_calls:
            return event
        return replace(event, message=message, text=text, thinking=thinking, model=model, tool_calls=calls)

    def _shown(self, event: MessagePart) -> str:
        """Return a row's text without private spans, which may have begun in an earlier row of the message."""
        key = event.session, event.message
        shown, depth = strip_private_on(event.text, self._open.get(key, 0))
        if depth:
            self._open[key] = depth
        elif self._open:
            self._open.pop(key, None)
        return shown

    def _result(self, event: ToolResult) -> ToolResult:
        output = self._text(event.output)
        changes = tuple(replace(change, path=self._text(change.path)) for change in event.changes)
        call_id = self._name(event.call_id)
        if output is event.output and changes == event.changes and call_id == event.call_id:
            return event
        return replace(event, call_id=call_id, output=output, changes=changes)

    def _update(self, event: SessionUpdate) -> SessionUpdate:
        clean = replace(
            event,
            parent=event.parent and session_id(event.parent),
            forked_from=event.forked_from and session_id(event.forked_from),
            title=event.title and self._title(event.title),
            branch=event.branch and self._text(event.branch),
            model=event.model and self._text(event.model),
            agent=event.agent and self._text(event.agent),
            version=event.version and self._text(event.version),
            end_reason=event.end_reason and self._text(event.end_reason),
        )
        return event if clean == event else clean

    def _title(self, title: str) -> str | None:
        """Return a title without what hosts put into texts and make titles of; None where nothing else is in it."""
        if "<" in title or "\x1b" in title:
            title = strip_noise(title).strip()
        return self._text(title) or None

    def _call(self, session: str, call: ToolUse) -> ToolUse:
        clean = self._input(call.input)
        name, call_id = self._text(call.name), self._name(call.call_id)
        self.inputs[session, call_id] = clean
        if clean is call.input and name is call.name and call_id == call.call_id:
            return call
        return replace(call, call_id=call_id, name=name, input=clean)

    def _input(self, text: str) -> str:
        """Redact the values of JSON text, so that it stays JSON."""
        try:
            value = orjson.loads(text)
        except ValueError:
            return self._text(text)
        clean = scrub_value(value)
        kept = text if clean == value else orjson.dumps(clean).decode()
        return kept if len(kept) <= MOST_CHARS else self._clip(kept)

    def _name(self, name: str) -> str:
        return self._names.get(name, name)

    def _text(self, text: str) -> str:
        if not text:
            return text
        clean = scrub(text).text
        if len(clean) > MOST_CHARS:
            return self._clip(clean)
        if len(clean) > LARGE_CHARS:
            self.counts[LARGE] += 1
        return text if clean == text else clean

    def _clip(self, text: str) -> str:
        self.counts[CLIPPED] += 1
        return f"{text[:MOST_CHARS]}\n[clipped: {len(text)} characters in all]"


def _of_session(event: Event) -> Event:
    """Return an event with the sessions that it names called as they may be stored; nearly always the event itself."""
    if (session := session_id(event.session)) != event.session:
        event = replace(event, session=session)
    if isinstance(event, MessagePart):
        if event.copied_from and (stored := session_id(event.copied_from)) != event.copied_from:
            event = replace(event, copied_from=stored)
    elif isinstance(event, ToolResult) and event.child and (stored := session_id(event.child)) != event.child:
        event = replace(event, child=stored)
    return event


def clean_state(state: str, events: Iterable[Event] = ()) -> str:
    """Redact what the adapter carries from read to read; it is JSON and stays so.

    Sessions of the events it was read with are called in it as they are stored: the next read goes on with them.
    """
    for told in dict.fromkeys(event.session for event in events):
        if (stored := session_id(told)) != told:
            for written in {json.dumps(told), orjson.dumps(told).decode()}:
                state = state.replace(written[1:-1], stored)
    if not state or scrub(state).text == state:
        return state
    return orjson.dumps(scrub_value(orjson.loads(state))).decode()


def _clean_ids(events: Iterable[Event]) -> dict[str, str]:
    """Return what stands for the ids among those of events that hold a secret; it is the same wherever one is seen."""
    names: set[str] = set()
    for event in events:
        if isinstance(event, MessagePart):
            names.add(event.message)
            names.update(use.call_id for use in event.tool_calls)
        elif isinstance(event, ToolResult):
            names.add(event.call_id)
        elif isinstance(event, Withdrawn):
            names.update(event.messages)
    clean = {name: redact(name).text for name in names if not _PLAIN_ID.fullmatch(name)}
    return {
        name: f"{text}:{blake2b(name.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
        for name, text in clean.items()
        if text != name
    }
