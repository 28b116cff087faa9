"""Deleting: one message, or a session with its agents, for good; shows first what would go.

In many short transactions, so that no other write waits. It is written down before it begins (`announcing`): if the
daemon ends in between, the next one goes on with it, and a database that is restored from a backup of before is cleared
of it again (`recarrying`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.distill import unlearning
from memd.distill.unlearning import Origin, concerned
from memd.model import Session
from memd.operations import notes, taking_over
from memd.operations.announcing import announced, of_messages
from memd.operations.deleting_answers import DeletedAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import NoParams, operation
from memd.operations.scrub import scrub
from memd.operations.telling import told_all
from memd.operations.upkeep import backup_now
from memd.store import deleting, handoffs, messages, sessions
from memd.store import facts as fact_store
from memd.store.facts import Connection

_APPLY: Final = "do it; without this it is only shown what would be done"
_COPIES: Final = "also from backups: take a new one, and remove all older ones and damaged databases set aside"
AT_ONCE: Final = 50
"""Messages of one transaction at most."""
_BEGINNING: Final = 200
_LOOKED_AT: Final = 5  # messages that may have no text
_DISTILL_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class MessageParams:
    """A message to be deleted."""

    message: str = field(metadata={"help": "id of the message, as `show` tells it, or how it begins"})
    copies: bool = field(default=False, metadata={"help": _COPIES})
    apply: bool = field(default=False, metadata={"help": _APPLY})


@dataclass(frozen=True, slots=True)
class SessionParams:
    """A session to be deleted."""

    session: str = field(metadata={"help": "id of the session, the host's id for it, or how either begins or ends"})
    copies: bool = field(default=False, metadata={"help": _COPIES})
    apply: bool = field(default=False, metadata={"help": _APPLY})


@dataclass(frozen=True, slots=True)
class Going:
    """What goes, as row ids. `sessions`: those that go whole, the one named first; none where a message goes alone."""

    session: Session
    sessions: tuple[int, ...]
    messages: tuple[int, ...]
    facts: tuple[int, ...]
    staying: tuple[int, ...]

    @property
    def origin(self) -> Origin:
        """What facts no longer rest on."""
        return Origin(frozenset(self.messages), frozenset(self.sessions))


@operation("messages.forget", writes=True, destroys=True)
async def forget_message(memory: Memory, params: MessageParams) -> DeletedAnswer:
    """Delete a message for good, with its tool calls and what was learnt from it; reading it again changes nothing.

    Raises NotFound, and BadParameter when several messages could be meant.
    """

    def look(conn: Connection) -> Going:
        message = deleting.find(conn, params.message)
        owner, _ = messages.by_ids(conn, (message,))[message]
        return going_of(conn, sessions.get(conn, owner), (), (message,))

    return await _forget(memory, await memory.readers.run(look), apply=params.apply, copies=params.copies)


@operation("sessions.forget", writes=True, destroys=True)
async def forget_session(memory: Memory, params: SessionParams) -> DeletedAnswer:
    """Delete a session for good, with its agents and what was learnt from it; reading it again changes nothing.

    What is said in it later is new. Raises NotFound, and BadParameter when several sessions could be meant.
    """

    def look(conn: Connection) -> Going:
        return whole_session(conn, sessions.find(conn, params.session))

    return await _forget(memory, await memory.readers.run(look), apply=params.apply, copies=params.copies)


def whole_session(conn: Connection, session: Session) -> Going:
    """Return what goes with a session and its agents."""
    family = deleting.with_agents(conn, session.id)
    return going_of(conn, session, family, deleting.messages_of(conn, family))


def going_of(conn: Connection, session: Session, family: tuple[int, ...], gone: tuple[int, ...]) -> Going:
    """Return what goes with these messages, and with these sessions where they go whole."""
    origin = Origin(frozenset(gone), frozenset(family))
    return Going(session, family, gone, *concerned(conn, origin))


async def _forget(memory: Memory, going: Going, *, apply: bool, copies: bool) -> DeletedAnswer:
    answer = await memory.readers.run(lambda conn: _told(conn, going))
    if apply:
        await delete(memory, going)
        answer = replace(answer, applied=True, begins="", title=None, clean=await scrub(memory))
    left, removed = await copies_left(memory, remove=apply and copies)
    return replace(answer, copies=left, copies_removed=removed)


def _told(conn: Connection, going: Going) -> DeletedAnswer:
    seen = deleting.looked_at(conn, going.messages)
    first = messages.by_ids(conn, going.messages[:_LOOKED_AT])
    begins = next((text for one in going.messages[:_LOOKED_AT] if (text := first[one][1].text)), "")
    family = going.sessions or (going.session.id,)
    return DeletedAnswer(
        applied=False,
        session=going.session.uid,
        title=going.session.title,
        messages=seen.messages,
        tool_calls=seen.calls,
        agents=max(len(going.sessions) - 1, 0),
        begins=" ".join(begins.split())[:_BEGINNING],
        forgotten=told_all(conn, fact_store.load(conn, going.facts)),
        kept=len(going.staying),
        shared_with=seen.shared_with,
        transcripts=deleting.sources_of(conn, family),
        copies=(),
    )


async def delete(memory: Memory, going: Going) -> None:
    """Let all of it go, once it is written down that it has to. Raises StoreError."""
    now = memory.clock.now_ms()
    erasure = await memory.readers.run(lambda conn: of_messages(conn, going.messages, going.sessions, now))
    async with announced(memory, erasure):
        await let_go(memory, going.origin, now)
    if not going.sessions:
        await memory.distiller.distill_now(going.session.id, _DISTILL_S)
    await notes.without_erased(memory)


async def let_go(memory: Memory, origin: Origin, now_ms: int) -> None:
    """Delete messages, and sessions with theirs: what was learnt goes first, as long as it is known from what."""
    facts = [fact for some in await memory.readers.run(lambda conn: concerned(conn, origin)) for fact in some]
    await write_in_pieces(memory.writer, facts, partial(unlearning.unlearn, origin=origin, now_ms=now_ms))
    await memory.writer.run(lambda conn: _handed_over(conn, origin, now_ms))
    await write_in_pieces(memory.writer, sorted(origin.messages), deleting.delete, AT_ONCE)
    if origin.sessions:
        await memory.writer.run(lambda conn: _empty(conn, sorted(origin.sessions), now_ms))


def _handed_over(conn: Connection, origin: Origin, now_ms: int) -> None:
    """Let what was handed over in the session's words go; an export of before does not bring it back."""
    for uid in handoffs.let_go(conn, origin.sessions, origin.messages):
        taking_over.bar_handoff(conn, uid, now_ms)


def _empty(conn: Connection, family: Sequence[int], now_ms: int) -> None:
    """Let sessions be empty, also of what was read and learnt of them while the rest went."""
    late = Origin(frozenset(deleting.messages_of(conn, family)), frozenset(family))
    unlearning.unlearn(conn, [fact for some in concerned(conn, late) for fact in some], late, now_ms)
    deleting.delete(conn, tuple(late.messages))
    for session in sessions.by_ids(conn, family).values():
        deleting.empty(conn, session.host, session.native_id, session.id, now_ms)


async def copies_left(memory: Memory, *, remove: bool) -> tuple[tuple[str, ...], int]:
    """Return the files of memd's that may hold what was deleted, and how many were removed.

    With `remove` a new backup takes the place of all of them.
    """
    left = await to_thread.run_sync(_copies, memory.paths.database, memory.paths.backups_dir)
    if not remove:
        return tuple(map(str, left)), 0
    taken = await backup_now.function(memory, NoParams())
    old = tuple(path for path in left if path != Path(taken.path))
    return (), await to_thread.run_sync(_remove, old)


def _copies(database: Path, backups_dir: Path) -> tuple[Path, ...]:
    """Return the files of memd's that may hold what was in the database before: backups, and damaged databases."""
    kept = backups_dir.glob("*.db") if backups_dir.is_dir() else ()
    return tuple(sorted((*kept, *database.parent.glob(f"{database.name}.damaged-*"))))


def _remove(paths: Sequence[Path]) -> int:
    for path in paths:
        path.unlink(missing_ok=True)
    return len(paths)
