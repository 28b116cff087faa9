"""Closing: what an agent or a person does when the work of a session is over and the next one should go on from it.

The session is read and distilled as it stands, a handoff is left for the next one, and where a folder is named it gets
what the session came to as files.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.errors import BadParameter, NotFound
from memd.model import Project, Session
from memd.operations import pages, session_files
from memd.operations.answers import FactAnswer
from memd.operations.injection_answers import HandoffAnswer
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.session_files import MOST_CHARS
from memd.operations.shapes import time_of
from memd.operations.telling import told_all
from memd.operations.whoami import placed
from memd.store import files_written, handoffs, sessions
from memd.store.facts import Connection
from memd.store.files_written import ClosedFolder
from memd.text.redaction import scrub

_READ_S: Final = 10.0
_DISTILL_S: Final = 60.0
_PAGE: Final = "MEMORY.md"


@dataclass(frozen=True, slots=True)
class CloseParams:
    """Which session, and where what it came to is written."""

    project: str = field(metadata={"help": "a folder in the project, its name or its id"})
    session: str | None = field(default=None, metadata={"help": "id of the session; none: the project's latest"})
    text: str = field(default="", metadata={"help": "what the next one has to know; none: what is left open"})
    author: str | None = field(default=None, metadata={"help": "who leaves it"})
    folder: str | None = field(
        default=None,
        metadata={"help": "absolute folder for session.md, facts.md, handoff.md, and MEMORY.md, which is kept current"},
    )


@dataclass(frozen=True, slots=True)
class ClosedAnswer:
    """A session that was closed: what it taught, what was left for the next one, and the files that were written."""

    session: str
    title: str | None
    handoff: HandoffAnswer
    facts: tuple[FactAnswer, ...]
    files: tuple[str, ...] = ()


@operation("sessions.close", writes=True)
async def close(memory: Memory, params: CloseParams) -> ClosedAnswer:
    """Read and distill a session as it stands, and leave a handoff for the next one.

    With a folder also write what was said, learnt and left there; of MEMORY.md in it memd writes one section, keeps it
    current from then on, and leaves the rest as it is. What is deleted later goes from these files too. Raises NotFound
    for an unknown project, or a session that is not of it, BadParameter for a folder that is none or has files of these
    names that memd did not write, or a handoff that says nothing or too much.
    """
    folder = None if params.folder is None else Path(params.folder)
    if folder is not None and (not folder.is_absolute() or not await to_thread.run_sync(folder.is_dir)):
        raise BadParameter("sessions.close", f"folder must be one that is there, not {params.folder!r}")
    if folder is not None and (await to_thread.run_sync(scrub, str(folder))).text != str(folder):
        raise BadParameter("sessions.close", "folder must be one whose name holds nothing secret")  # its path is kept
    project = await placed(memory, params.project)
    if project is None:
        raise NotFound("project", params.project)
    session = await memory.readers.run(lambda conn: _session(conn, project, params.session))
    if folder is not None:
        await to_thread.run_sync(_may_write, folder)
    await memory.capture.settle(session=(session.host, session.native_id), deadline_s=_READ_S)
    await memory.distiller.distill_now(session.id, _DISTILL_S)
    text = (await to_thread.run_sync(scrub, params.text)).text.strip()
    author = None if params.author is None else scrub(params.author).text
    left = await memory.writer.run(lambda conn: _leave(conn, project, session, text, author, memory.clock.now_ms()))
    transcript, learnt = await memory.readers.run(lambda conn: session_files.came_to(conn, session))
    files: tuple[Path, ...] = ()
    if folder is not None:
        told = await memory.readers.run(lambda conn: pages.told(conn, project.id))
        closed = ClosedFolder(folder, session.uid, by_hand=bool(text))
        # Noted first: what is written has to be found again when it is deleted.
        await memory.writer.run(lambda conn: _note(conn, project, closed))
        texts = session_files.texts(transcript, learnt, left.text)
        files = await to_thread.run_sync(_write, folder, texts, folder / _PAGE, told)
    answers = await memory.readers.run(lambda conn: told_all(conn, learnt))
    handoff = HandoffAnswer(left.uid, project.root, left.text, left.author, time_of(left.at))
    return ClosedAnswer(session.uid, transcript.session.title, handoff, answers, tuple(map(str, files)))


def _session(conn: Connection, project: Project, named: str | None) -> Session:
    if named is not None:
        session = sessions.find(conn, named)
        if session.project is None or session.project.id != project.id:
            raise NotFound("session", f"{named} of {project.name}")
        return session
    found = sessions.list_sessions(conn, sessions.SessionFilter(project_id=project.id, empty=False), 1)
    if not found:
        raise NotFound("session", f"of {project.name}")
    return found[0]


def _leave(
    conn: Connection, project: Project, session: Session, text: str, author: str | None, now_ms: int
) -> handoffs.Handoff:
    origin = None if text else session.uid
    text = text or session_files.left_open(conn, session)
    if not 0 < len(text) <= MOST_CHARS:
        raise BadParameter("sessions.close", f"the handoff must have 1 to {MOST_CHARS} characters, not {len(text)}")
    return handoffs.add(conn, project.id, text, author, now_ms, origin)


def _note(conn: Connection, project: Project, closed: ClosedFolder) -> None:
    files_written.keep_page(conn, project.uid, closed.folder / _PAGE)
    files_written.keep_folder(conn, closed)


def _may_write(folder: Path) -> None:
    """Raise BadParameter where a file stands in the way that is a person's, or one that cannot be read."""
    try:
        theirs = session_files.theirs(folder)
        pages.read(folder / _PAGE)
    except OSError as error:
        raise _unwritten(folder, error) from error
    if theirs is not None:
        raise BadParameter("sessions.close", f"{theirs} is not memd's; name another folder")


def _unwritten(folder: Path, error: OSError) -> BadParameter:
    return BadParameter("sessions.close", f"the files cannot be written to {folder} ({error.strerror or error})")


def _write(folder: Path, texts: dict[str, str], page: Path, told: str) -> tuple[Path, ...]:
    try:
        files = session_files.write(folder, texts)
        before = pages.read(page) or ""
        after = pages.with_section(before, told)
        if after != before:
            pages.write(page, after)
    except OSError as error:
        raise _unwritten(folder, error) from error
    return (*files, page)
