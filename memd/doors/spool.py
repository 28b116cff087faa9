"""The spool: what hooks left while no daemon answered, read once at the next start.

Each line names an event and the session it belongs to, never what was said. The file is renamed before it is read and
removed after its events were taken up, so that a crash in between reads it again: events are idempotent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import orjson

logger = logging.getLogger(__name__)

SPOOL_FILE: Final = "events.ndjson"
_DRAINING: Final = "events.draining"


def take(folder: Path) -> tuple[dict[str, object], ...]:
    """Return the spooled events, oldest first; `done` is to be called when they were taken up.

    A line that is torn or no object is passed over and logged; a spool that cannot be read gives nothing.
    """
    draining = folder / _DRAINING
    events: list[dict[str, object]] = []
    try:
        if draining.exists():
            events += _events(draining.read_bytes())
        fresh = folder / SPOOL_FILE
        if fresh.exists():
            events += _events(fresh.read_bytes())
            if draining.exists():
                # Both must still be there should we die before `done`; a second copy of an event does no harm.
                with draining.open("ab") as file:
                    file.write(b"\n" + fresh.read_bytes())
                fresh.unlink()
            else:
                fresh.rename(draining)
    except OSError as error:
        logger.warning("event=spool_unreadable folder=%s error=%s", folder, error)
    return tuple(events)


def done(folder: Path) -> None:
    """Forget the events that `take` returned."""
    (folder / _DRAINING).unlink(missing_ok=True)


def _events(raw: bytes) -> Iterator[dict[str, object]]:
    for line in raw.split(b"\n"):
        if not line.strip():
            continue
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            event = None
        if isinstance(event, dict):
            yield event
        else:
            logger.warning("event=spool_line_skipped bytes=%d", len(line))
