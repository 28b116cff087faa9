"""Recarrying: what was deleted for good stays deleted in a database that was restored from a backup of before.

Also one that the daemon was killed at is brought to its end. It happens before anything is answered or read.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from anyio import to_thread

from memd.distill import stating
from memd.distill.unlearning import Origin
from memd.errors import NotFound
from memd.operations import announcing, deleting, notes, project_deleting, words
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.scrub import scrub
from memd.store import deleting as stored
from memd.store import erasure_log, erasures
from memd.store.erasure_log import Erasure
from memd.store.facts import Connection

logger = logging.getLogger(__name__)

_ROWS: Final = 5_000
"""Identities of rows of one transaction at most."""
_REASON: Final = "was purged before the database was restored"


async def recarry(memory: Memory) -> int:
    """Carry out the deletions that the database lacks; return how many those were.

    Where there is no log yet, or not any more, what the database knows of deletions makes one. Raises StoreError.
    """
    log = erasure_log.path_of(memory.paths.database)
    if not await to_thread.run_sync(log.exists):
        await _begin(memory)
        return 0
    told, unread = await to_thread.run_sync(erasure_log.read, log)
    if unread:
        logger.warning("event=erasures_not_understood path=%s lines=%d", log, unread)
    lacking = await memory.readers.run(lambda conn: erasures.lacking(conn, told))
    for erasure in lacking:
        await _carry_out(memory, erasure)
    if lacking:
        await notes.without_erased(memory)
        await scrub(memory)
        logger.info("event=deletions_carried_out count=%d", len(lacking))
    return len(lacking)


async def go_on(memory: Memory) -> None:
    """Bring deletions to their end that failed since the start, for want of room say.

    Raises StoreError where that still cannot be; those that are left are gone on with the next time.
    """
    if not memory.left_off:
        return
    while memory.left_off:
        erasure = memory.left_off[0]
        await _carry_out(memory, erasure)
        memory.left_off.remove(erasure)
        logger.info("event=deletion_brought_to_its_end")
    await words.go_on(memory)
    await notes.without_erased(memory)
    await scrub(memory)


async def lacks_any(memory: Memory) -> bool:
    """Return whether the database lacks a deletion, as one does that was restored. Raises StoreError."""
    told, _ = await to_thread.run_sync(erasure_log.read, erasure_log.path_of(memory.paths.database))
    return bool(await memory.readers.run(lambda conn: erasures.lacking(conn, told)))


async def _begin(memory: Memory) -> None:
    log, now = erasure_log.path_of(memory.paths.database), memory.clock.now_ms()
    known = await memory.readers.run(lambda conn: erasures.all_of(conn, now))
    if known:
        await to_thread.run_sync(erasure_log.append, log, known)
        for one in known:
            await announcing.done(memory, one)


async def _carry_out(memory: Memory, erasure: Erasure) -> None:
    await write_in_pieces(memory.writer, erasure.rows, erasures.bar_rows, _ROWS)
    await memory.writer.run(partial(erasures.bar, erasure=erasure))
    found = await memory.readers.run(partial(erasures.found, erasure=erasure))
    if found.messages or found.sessions:
        await deleting.let_go(memory, await memory.readers.run(partial(_origin, found=found)), erasure.at)
    await write_in_pieces(memory.writer, found.facts, partial(_forget, erasure=erasure))
    if found.project is not None:
        await project_deleting.let_go(memory, found.project, erasure.at)
    await announcing.done(memory, erasure)


def _origin(conn: Connection, found: erasures.Found) -> Origin:
    sessions = frozenset(found.sessions)
    return Origin(frozenset(found.messages).union(stored.messages_of(conn, sessions)), sessions)


def _forget(conn: Connection, ids: Sequence[int], erasure: Erasure) -> None:
    for fact in ids:
        with suppress(NotFound):  # it went with another
            if erasure.words_stay:
                stating.purge(conn, fact, erasure.at, _REASON)
            else:
                stating.forget(conn, fact, erasure.at)
