"""Preview: what memd would remember from a transcript, without daemon or store.

The same path as in the daemon: the host's adapter reads, every text is scrubbed before anything looks at it,
distillation is pure.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

from memd.adapter import Adapter, MessagePart, ReadLimits, Source
from memd.capture.cleaning import Cleaner
from memd.clock import iso
from memd.distill.distill import distill
from memd.distill.outcome import Outcome, outcomes
from memd.errors import TranscriptError, UsageError
from memd.fold import fold, read_all
from memd.model import Candidate, Distilled, Session, Transcript
from memd.registry import adapters, beside, head_of, recognise, recognise_all
from memd.text.redaction import redact


def preview(path: Path, host: str | None = None, session: int | None = None) -> list[dict[str, object]]:
    """Return one document for each session of a transcript, or for the one at place `session`, counted from 0.

    A transcript is a file, or a folder in which all files that are ones come from one host. A document has `session`,
    `facts` (title, text, type, quotes, parts, confidence, scope, current, superseded_by), `summary` and `events`; no
    secret is in it. A fact that the session itself replaced is not current and names the title of what stands.
    Raises TranscriptError when the file cannot be read as a transcript, UsageError for an unknown host or place.
    """
    transcripts = read(path, host)
    if session is not None:
        if not 0 <= session < len(transcripts):
            raise UsageError(
                f"{path} holds {_counted(len(transcripts))}; there is no session {session} (counted from 0)."
            )
        transcripts = transcripts[session : session + 1]
    return [document(transcript.session, distill(transcript)) for transcript in transcripts]


def read(path: Path, host: str | None = None) -> tuple[Transcript, ...]:
    """Return the sessions of a transcript, file or folder, with every text scrubbed; raises as `preview` does."""
    try:
        adapter, sources = _in_folder(path, host) if path.is_dir() else _source(path, host)
        events = [event for source in sources for event in read_all(adapter, source, ReadLimits())[0]]
        if not any(isinstance(event, MessagePart) for event in events):
            others = (other for source in sources for other in beside(source))
            events += [event for other in others for event in read_all(adapter, other, ReadLimits())[0]]
    except FileNotFoundError as error:
        raise TranscriptError(path, "does not exist") from error
    except OSError as error:
        raise TranscriptError(path, f"cannot be read ({error.strerror or error})") from error
    transcripts = fold(adapter.name, map(Cleaner(events).event, events))
    if not transcripts:
        raise TranscriptError(path, "holds no session: nobody has said anything in it")
    return tuple(_shown(transcript) for transcript in transcripts)


def _in_folder(path: Path, host: str | None) -> tuple[Adapter, tuple[Source, ...]]:
    """Return what lies in a folder, as a task of Cline's does: one session in several files, or several sessions."""
    if host is not None and host not in adapters():
        raise _unknown(host)
    found = recognise_all(path, host)
    hosts = {adapter.name: adapter for adapter, _ in found}
    if not hosts:
        raise TranscriptError(path, "is a folder without a transcript of a host that memd knows")
    if len(hosts) > 1:
        raise TranscriptError(path, f"is a folder with transcripts of several hosts; name one of {', '.join(hosts)}")
    ((_, adapter),) = hosts.items()
    return adapter, tuple(source for _, source in found)


def _source(path: Path, host: str | None) -> tuple[Adapter, tuple[Source, ...]]:
    if path.exists() and not (path.is_file() and _lies_on_a_disk(path)):
        raise TranscriptError(path, "is not a regular file")  # a pipe, or the kernel's log, would be waited for
    if host is None:
        found = recognise(path)
        if found is None:
            raise TranscriptError(path, "is no transcript of a host that memd knows")
        return found[0], (found[1],)
    adapter = adapters().get(host)
    if adapter is None:
        raise _unknown(host)
    return adapter, (adapter.recognise(path, head_of(path)) or Source(host, path, session=path.stem),)


def _unknown(host: str) -> UsageError:
    return UsageError(f"There is no host called {host!r}; memd knows {', '.join(sorted(adapters()))}.")


def _lies_on_a_disk(path: Path) -> bool:
    """Whether a regular file is one: what the kernel makes up under /proc and /sys looks like it."""
    return not os.path.realpath(path).startswith(("/proc/", "/sys/"))


def _shown(transcript: Transcript) -> Transcript:
    """Return a session as it would be stored; what was thought is not distilled."""
    cwd = transcript.session.cwd
    session = replace(transcript.session, cwd=cwd and redact(cwd).text)
    return Transcript(session, tuple(replace(message, thinking="") for message in transcript.messages))


def document(session: Session, distilled: Distilled) -> dict[str, object]:
    """Return what was distilled from a session as the JSON object that `memd preview --json` prints."""
    return {
        "session": {
            "native_id": session.native_id,
            "host": session.host,
            "kind": session.kind,
            "parent": session.parent,
            "cwd": session.cwd,
            "branch": session.branch,
            "title": session.title,
            "started": _time(session.started_at),
            "last": _time(session.last_at),
            "messages": session.messages,
        },
        "facts": [_fact(one) for one in outcomes(session, distilled.candidates)],
        "summary": {
            "title": distilled.summary.title,
            "text": distilled.summary.text,
            "open_ends": list(distilled.summary.open_ends),
        },
        "events": asdict(distilled.events),
    }


def _fact(outcome: Outcome) -> dict[str, object]:
    candidate = outcome.candidate
    parts: dict[str, str] = {}
    for part in candidate.parts:
        parts[part.name] = f"{parts[part.name]}; {part.text}" if part.name in parts else part.text
    return {
        "title": candidate.title,
        "text": candidate.body,
        "type": candidate.kind,
        "quotes": list(_quotes(candidate)),
        "parts": parts,
        "confidence": candidate.confidence,
        "scope": "global" if candidate.everywhere else "project",
        "current": outcome.successor is None,
        "superseded_by": None if outcome.successor is None else outcome.successor.title,
    }


def _quotes(candidate: Candidate) -> Iterator[str]:
    yield from (evidence.quote for evidence in candidate.evidence)


def _time(at: int | None) -> str | None:
    return None if at is None else iso(at)


def _counted(sessions: int) -> str:
    return "one session" if sessions == 1 else f"{sessions} sessions"
