"""The parse task: reads on in a source and makes what it gave fit to be stored.

Runs in a worker process. Nothing leaves it that was not redacted: texts, titles, tool inputs and outputs, and what the
adapter carries in its cursor. Folders stay as they are; they say where, and projects are found by them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final, assert_never

import orjson

from memd.adapter import (
    Batch,
    ChainLink,
    Cursor,
    Event,
    MessagePart,
    ReadLimits,
    SessionUpdate,
    Source,
    ToolResult,
    ToolUse,
    Withdrawn,
)
from memd.registry import adapters
from memd.store.calls import call_text
from memd.store.ingest import Prepared
from memd.text.redaction import scrub, scrub_value
from memd.text.tokens import prepare

TASK: Final = "memd.capture.parse:parse"

LARGE_CHARS: Final = 100_000
MOST_CHARS: Final = 1_000_000
LARGE: Final = "large message"
CLIPPED: Final = "oversize message clipped"


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """Which source to read on in, and from where."""

    source: Source
    cursor: Cursor | None
    limits: ReadLimits


def parse(request: ParseRequest) -> Prepared:
    """Read a source and return what it gave, redacted and with its search terms.

    Raises what the adapter's `read` raises: TranscriptError and OSError.
    """
    source = request.source
    return prepared(adapters()[source.host].read(source, request.cursor, request.limits))


def prepared(batch: Batch) -> Prepared:
    """Return a batch as it may be stored: each text redacted and at most `MOST_CHARS` long, search terms worked out."""
    cleaner = _Cleaner()
    events: list[Event] = []
    bodies: list[str] = []
    for event in batch.events:
        clean, body = cleaner.event(event)
        events.append(clean)
        bodies.append(body)
    skipped = cleaner.counts
    for reason, count in batch.skipped.items():
        skipped[scrub(reason).text] += count  # may name what the host wrote
    cursor = replace(batch.cursor, state=_clean_state(batch.cursor.state))
    return Prepared(replace(batch, events=tuple(events), cursor=cursor, skipped=dict(skipped)), tuple(bodies))


class _Cleaner:
    """Redacts the events of one batch, and keeps what later ones need of earlier ones."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.inputs: dict[tuple[str, str], str] = {}

    def event(self, event: Event) -> tuple[Event, str]:
        """Return an event redacted, and its search terms; "" where it has none or not all that they are made of."""
        match event:
            case MessagePart():
                part = self._part(event)
                return part, _search_terms(part.text)
            case ToolResult():
                result = self._result(event)
                call_input = self.inputs.get((event.session, event.call_id))
                return result, "" if call_input is None else prepare(call_text(call_input, result.output))
            case SessionUpdate():
                return self._update(event), ""
            case ChainLink() | Withdrawn():
                return event, ""
            case _:
                assert_never(event)

    def _part(self, event: MessagePart) -> MessagePart:
        text = self._text(event.text)
        thinking = self._text(event.thinking)
        calls = event.tool_calls
        if calls:
            calls = tuple(self._call(event.session, call) for call in calls)
        model = event.model and self._text(event.model)
        if (text, thinking, model) == (event.text, event.thinking, event.model) and calls == event.tool_calls:
            return event
        return replace(event, text=text, thinking=thinking, model=model, tool_calls=calls)

    def _result(self, event: ToolResult) -> ToolResult:
        output = self._text(event.output)
        changes = tuple(replace(change, path=self._text(change.path)) for change in event.changes)
        if output is event.output and changes == event.changes:
            return event
        return replace(event, output=output, changes=changes)

    def _update(self, event: SessionUpdate) -> SessionUpdate:
        title = None if event.title is None else self._text(event.title)
        branch = None if event.branch is None else self._text(event.branch)
        model = event.model and self._text(event.model)
        if (title, branch, model) == (event.title, event.branch, event.model):
            return event
        return replace(event, title=title, branch=branch, model=model)

    def _call(self, session: str, call: ToolUse) -> ToolUse:
        clean = self._input(call.input)
        self.inputs[session, call.call_id] = clean
        name = self._text(call.name)
        return call if clean is call.input and name is call.name else replace(call, name=name, input=clean)

    def _input(self, text: str) -> str:
        """Redact the values of JSON text, so that it stays JSON."""
        try:
            value = orjson.loads(text)
        except ValueError:
            return self._text(text)
        clean = scrub_value(value)
        kept = text if clean == value else orjson.dumps(clean).decode()
        return kept if len(kept) <= MOST_CHARS else self._clip(kept)

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


def _search_terms(text: str) -> str:
    """Return the search terms of a text; the text itself where they are the same, which then travels once."""
    if not text:
        return ""
    body = prepare(text)
    return text if body == text else body


def _clean_state(state: str) -> str:
    """Redact what the adapter carries from read to read; it is JSON and stays so."""
    if not state or scrub(state).text == state:
        return state
    return orjson.dumps(scrub_value(orjson.loads(state))).decode()
