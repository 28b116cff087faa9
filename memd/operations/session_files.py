"""Session files: what a session came to, as Markdown files in a folder that somebody named.

A file that begins with memd's mark is memd's to write anew, and to remove once what it tells of was deleted; who wants
to keep it takes the mark off. Any other file of these names is a person's and is never touched.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.errors import NotFound, StoreFull, StoreReadOnly
from memd.model import Fact, Session, Transcript
from memd.operations import pages
from memd.operations.memory import Memory
from memd.operations.shapes import time_of
from memd.store import claims, facts, files_written, sessions, summaries
from memd.store.facts import Connection
from memd.store.files_written import ClosedFolder

logger = logging.getLogger(__name__)

MOST_CHARS: Final = 8_000
"""Characters of a handoff at most."""
_MARK: Final = "<!-- memd: what a session came to -->\n"
_SESSION, _FACTS, _HANDOFF = "session.md", "facts.md", "handoff.md"
NAMES: Final = (_SESSION, _FACTS, _HANDOFF)
_WHO: Final = {"user": "You", "assistant": "Agent"}


def texts(transcript: Transcript, learnt: Sequence[Fact], handoff: str) -> dict[str, str]:
    """Return what the files hold, by their names."""
    return {_SESSION: _said(transcript), _FACTS: _learnt(learnt), _HANDOFF: f"{handoff}\n"}


def came_to(conn: Connection, session: Session) -> tuple[Transcript, tuple[Fact, ...]]:
    """Return a session as it was said, and what stands of what it taught."""
    ids = dict.fromkeys(claim.fact for claim in claims.of_session(conn, session.id) if claim.fact is not None)
    learnt = tuple(fact for fact in facts.load(conn, ids) if fact.status == "current")
    return sessions.transcript(conn, session.id, include_abandoned=False), learnt


def left_open(conn: Connection, session: Session) -> str:
    """Return what a session leaves open, in the words of its summary; "" where there is none."""
    summary = summaries.get(conn, session.id)
    if summary is None:
        return ""
    left = "\n".join(f"- {end}" for end in summary.open_ends)
    parts = (summary.title and f"Worked on: {summary.title}", left and f"Left open:\n{left}", summary.text)
    return "\n\n".join(filter(None, parts))[:MOST_CHARS].rstrip()


def theirs(folder: Path) -> Path | None:
    """Return a file of a person's that stands in the way, None where there is none. Raises OSError."""
    return next((folder / name for name in NAMES if not _is_memds(folder / name, missing=True)), None)


def write(folder: Path, told: Mapping[str, str]) -> tuple[Path, ...]:
    """Write files by their names; return their paths. Raises OSError."""
    for name, text in told.items():
        pages.write(folder / name, f"{_MARK}{text}")
    return tuple(folder / name for name in told)


async def without_erased(memory: Memory) -> None:
    """Let all files that memd wrote tell what is known of their sessions now, and those of deleted ones go."""
    for one in await memory.readers.run(files_written.folders):
        told = await memory.readers.run(partial(_as_known, one=one))
        try:
            left = await to_thread.run_sync(_bring_up_to_date, one.folder, told)
        except OSError as error:
            logger.warning("event=session_files_not_written error=%s", error.strerror)
            continue
        if not left:
            with suppress(StoreFull, StoreReadOnly):
                await memory.writer.run(partial(files_written.drop_folder, one=one))


def _as_known(conn: Connection, one: ClosedFolder) -> dict[str, str | None]:
    """Return what the files of a folder have to hold, None for what has to go; without what is somebody's own words."""
    try:
        session = sessions.find(conn, one.session)
    except NotFound:
        session = None
    if session is None or not session.messages:
        told: dict[str, str | None] = dict.fromkeys(NAMES)
    else:
        handoff = left_open(conn, session)
        told = {**texts(*came_to(conn, session), handoff)}
        told[_HANDOFF] = told[_HANDOFF] if handoff else None
    if one.by_hand:
        del told[_HANDOFF]
    return told


def _bring_up_to_date(folder: Path, told: Mapping[str, str | None]) -> bool:
    """Write or remove the files that are there and memd's; return whether any is left. Raises OSError."""
    left = False
    for name, text in told.items():
        path = folder / name
        if not _is_memds(path, missing=False):
            continue
        if text is None:
            path.unlink(missing_ok=True)
            continue
        left = True
        if pages.read(path) != f"{_MARK}{text}":
            pages.write(path, f"{_MARK}{text}")
    return left


def _is_memds(path: Path, *, missing: bool) -> bool:
    """Return whether a file bears memd's mark, or is empty; `missing`: what to say of one that is not there."""
    page = pages.read(path)
    return missing if page is None else not page or page.startswith(_MARK)


def _said(transcript: Transcript) -> str:
    session = transcript.session
    lines = [f"# {session.title or 'A session'}", "", f"{session.host} {session.native_id}"]
    for message in transcript.messages:
        if message.text and message.role in _WHO:
            lines += ["", f"## {_WHO[message.role]} {time_of(message.at) or ''}".rstrip(), "", message.text]
        lines += [f"- {call.name}{'' if call.ok is not False else ' (failed)'}" for call in message.tool_calls]
    return "\n".join(lines) + "\n"


def _learnt(learnt: Sequence[Fact]) -> str:
    return "\n".join(("# What the session taught", *(_fact(learnt) if learnt else ("", "Nothing that lasts.")))) + "\n"


def _fact(learnt: Sequence[Fact]) -> Iterator[str]:
    for fact in learnt:
        yield from ("", f"## {fact.kind}: {fact.title}", "", fact.body)
        yield from (f"- {part.name}: {part.text}" for part in fact.parts if part.text not in fact.body)
        yield from (f"> {proof.quote}" for proof in fact.evidence[:1] if proof.quote not in fact.body)
