"""The parse task: reads on in a source and makes what it gave fit to be stored.

Runs in a worker process. Nothing leaves it that was not redacted, but for folders: they say where, and projects are
found by them; `memd.capture.placing` redacts them before they are stored.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from memd.adapter import Batch, Cursor, Event, MessagePart, ReadLimits, Source, ToolResult
from memd.capture.cleaning import Cleaner, clean_state
from memd.registry import adapters
from memd.store.calls import call_text
from memd.store.ingest import Prepared
from memd.text.redaction import scrub
from memd.text.tokens import prepare

TASK: Final = "memd.capture.parse:parse"


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
    cleaner = Cleaner(batch.events)
    events: list[Event] = []
    bodies: list[str] = []
    for event in map(cleaner.event, batch.events):
        events.append(event)
        bodies.append(_body(event, cleaner))
    skipped: Counter[str] = cleaner.counts
    for reason, count in batch.skipped.items():
        skipped[scrub(reason).text] += count  # may name what the host wrote
    cursor = replace(batch.cursor, state=clean_state(batch.cursor.state, batch.events))
    return Prepared(replace(batch, events=tuple(events), cursor=cursor, skipped=dict(skipped)), tuple(bodies))


def _body(event: Event, cleaner: Cleaner) -> str:
    """Return the search terms of an event; "" where it has none or not all that they are made of."""
    if isinstance(event, MessagePart):
        return _search_terms(event.text)
    if isinstance(event, ToolResult):
        call_input = cleaner.inputs.get((event.session, event.call_id))
        return "" if call_input is None else prepare(call_text(call_input, event.output))
    return ""


def _search_terms(text: str) -> str:
    """Return the search terms of a text; the text itself where they are the same, which then travels once."""
    if not text:
        return ""
    body = prepare(text)
    return text if body == text else body
