"""Preview: what memd would remember from a transcript, without daemon or store.

The same path as in the daemon: the host's adapter reads, every text is scrubbed before anything looks at it,
distillation is pure.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from memd.adapter import Adapter, ReadLimits, Source
from memd.clock import iso
from memd.distill.distill import distill
from memd.errors import TranscriptError, UsageError
from memd.fold import fold, read_all
from memd.model import Candidate, Distilled, Message, Session, ToolCall, Transcript
from memd.registry import adapters, recognise
from memd.text.redaction import scrub

_HEAD_BYTES: Final = 64 << 10


def preview(path: Path, host: str | None = None, session: int | None = None) -> list[dict[str, object]]:
    """Return one document for each session of a transcript file, or for the one at place `session`, counted from 0.

    A document has `session`, `facts` (title, text, type, quotes, parts, confidence, scope), `summary` and `events`; no
    secret is in it.
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
    """Return the sessions of a transcript file with every text scrubbed; raises as `preview` does."""
    try:
        adapter, source = _source(path, host)
        events, _ = read_all(adapter, source, ReadLimits())
    except IsADirectoryError as error:
        raise TranscriptError(path, "is a folder; name the transcript file itself") from error
    except FileNotFoundError as error:
        raise TranscriptError(path, "does not exist") from error
    except OSError as error:
        raise TranscriptError(path, f"cannot be read ({error.strerror or error})") from error
    transcripts = fold(adapter.name, events)
    if not transcripts:
        raise TranscriptError(path, "holds no session")
    return tuple(_scrubbed(transcript) for transcript in transcripts)


def _source(path: Path, host: str | None) -> tuple[Adapter, Source]:
    if path.is_dir():
        raise IsADirectoryError(path)
    if path.exists() and not path.is_file():
        raise TranscriptError(path, "is not a regular file")  # a pipe would be waited for
    if host is None:
        found = recognise(path)
        if found is None:
            raise TranscriptError(path, "is no transcript of a host that memd knows")
        return found
    adapter = adapters().get(host)
    if adapter is None:
        raise UsageError(f"There is no host called {host!r}; memd knows {', '.join(sorted(adapters()))}.")
    with path.open("rb") as file:
        head = file.read(_HEAD_BYTES)
    return adapter, adapter.recognise(path, head) or Source(host, path, session=path.stem)


def _scrubbed(transcript: Transcript) -> Transcript:
    session = replace(transcript.session, title=_clean(transcript.session.title or "") or None)
    return Transcript(session, tuple(_scrubbed_message(message) for message in transcript.messages))


def _scrubbed_message(message: Message) -> Message:
    calls = tuple(_scrubbed_call(call) for call in message.tool_calls)
    return replace(message, text=_clean(message.text), thinking="", tool_calls=calls)


def _scrubbed_call(call: ToolCall) -> ToolCall:
    return replace(call, input=_clean(call.input), output=_clean(call.output))


def _clean(text: str) -> str:
    return scrub(text).text


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
        "facts": [_fact(candidate) for candidate in distilled.candidates],
        "summary": {
            "title": distilled.summary.title,
            "text": distilled.summary.text,
            "open_ends": list(distilled.summary.open_ends),
        },
        "events": asdict(distilled.events),
    }


def _fact(candidate: Candidate) -> dict[str, object]:
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
    }


def _quotes(candidate: Candidate) -> Iterator[str]:
    yield from (evidence.quote for evidence in candidate.evidence)


def _time(at: int | None) -> str | None:
    return None if at is None else iso(at)


def _counted(sessions: int) -> str:
    return "one session" if sessions == 1 else f"{sessions} sessions"
