"""Transcripts that lie anywhere: recognised and looked at, in a worker process, before they are read in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.adapter import MessagePart, ReadLimits, Source
from memd.errors import ImportRefused, UsageError
from memd.fold import fold, read_all
from memd.registry import adapters, beside, head_of, recognise, recognise_all

TASK: Final = "memd.importers.transcripts:look"


@dataclass(frozen=True, slots=True)
class LookRequest:
    """Which file, and the host that wrote it; None: whoever it was."""

    path: Path
    host: str | None


@dataclass(frozen=True, slots=True)
class Look:
    """What a file or folder is: its sources, all of one host, and the sessions in them with the messages each has."""

    sources: tuple[Source, ...]
    sessions: tuple[tuple[str, int], ...]


def look(request: LookRequest) -> Look:
    """Recognise a transcript. Raises ImportRefused where it is none, UsageError, TranscriptError."""
    sources = _in_folder(request) if request.path.is_dir() else (_source(request.path, request.host),)
    host = sources[0].host
    events = [event for source in sources for event in read_all(adapters()[host], source, ReadLimits())[0]]
    if not any(isinstance(event, MessagePart) for event in events):
        others = tuple(other for source in sources for other in beside(source))
        sources = (*(sources if events else ()), *others) or sources
        events += [event for other in others for event in read_all(adapters()[host], other, ReadLimits())[0]]
    transcripts = fold(host, events)
    return Look(sources, tuple((one.session.native_id, one.session.messages) for one in transcripts))


def _in_folder(request: LookRequest) -> tuple[Source, ...]:
    sources = tuple(source for _, source in recognise_all(request.path, request.host))
    hosts = dict.fromkeys(source.host for source in sources)
    if not hosts:
        raise ImportRefused(request.path, "is neither a transcript nor a memory that memd knows")
    if len(hosts) > 1:
        raise ImportRefused(request.path, f"holds transcripts of several hosts; name one of {', '.join(hosts)}")
    return sources


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
    return adapters()[host].recognise(path, head_of(path)) or Source(host, path, session=path.stem)
