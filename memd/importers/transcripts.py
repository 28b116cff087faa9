"""Transcripts that lie anywhere: recognised and looked at, in a worker process, before they are read in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.adapter import ReadLimits, Source
from memd.errors import ImportRefused, UsageError
from memd.fold import fold, read_all
from memd.registry import adapters, recognise

TASK: Final = "memd.importers.transcripts:look"

_HEAD_BYTES: Final = 64 << 10


@dataclass(frozen=True, slots=True)
class LookRequest:
    """Which file, and the host that wrote it; None: whoever it was."""

    path: Path
    host: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """What a file is: its source, and the sessions in it with the messages each has."""

    source: Source
    sessions: tuple[tuple[str, int], ...]


def look(request: LookRequest) -> Look:
    """Recognise a transcript. Raises ImportRefused where it is none, UsageError, TranscriptError."""
    source = _source(request.path, request.host)
    events, _ = read_all(adapters()[source.host], source, ReadLimits())
    transcripts = fold(source.host, events)
    return Look(source, tuple((one.session.native_id, one.session.messages) for one in transcripts))


def _source(path: Path, host: str | None) -> Source:
    if not path.is_file():
        raise ImportRefused(path, "is neither a transcript nor a memory that memd knows")
    if host is None:
        found = recognise(path)
        if found is None:
            raise ImportRefused(path, "is neither a transcript nor a memory that memd knows")
        return found[1]
    if host not in adapters():
        raise UsageError(f"There is no host called {host!r}; memd knows {', '.join(sorted(adapters()))}.")
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    return adapters()[host].recognise(path, head) or Source(host, path, session=path.stem)
