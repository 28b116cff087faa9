"""Homes: what is distilled names people's home folders `~`, as it may be read by others and on other machines.

Quotes stay as they were said, so that they are found where they stand; of events, paths and command lines stay as the
host recorded them, so that they lead to what they name.
"""

from __future__ import annotations

from dataclasses import replace

from memd.model import Candidate, Events, Summary
from memd.text.home import shorten_home


def of_candidate(candidate: Candidate) -> Candidate:
    """Return a candidate whose words name no home folder."""
    return replace(
        candidate,
        title=shorten_home(candidate.title),
        body=shorten_home(candidate.body),
        parts=tuple(replace(part, text=shorten_home(part.text)) for part in candidate.parts),
        tags=tuple(map(shorten_home, candidate.tags)),
        slot=candidate.slot and shorten_home(candidate.slot),
    )


def of_summary(summary: Summary) -> Summary:
    """Return a summary that names no home folder."""
    return Summary(shorten_home(summary.title), shorten_home(summary.text), tuple(map(shorten_home, summary.open_ends)))


def of_events(events: Events) -> Events:
    """Return events whose errors name no home folder."""
    errors = (
        replace(error, text=shorten_home(error.text), fix=error.fix and shorten_home(error.fix))
        for error in events.errors
    )
    return replace(events, errors=tuple(errors))
