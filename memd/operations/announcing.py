"""Announcing: a deletion for good is written down, as digests, before it begins.

So it outlasts the database: `recarrying` does it again in one that was restored from before, and goes on with one that
the daemon was killed at.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

from anyio import to_thread

from memd.distill import stating
from memd.errors import NotFound
from memd.operations.memory import Memory
from memd.store import deleting, erasure_log, erasures, facts
from memd.store.erasure_log import Erasure
from memd.store.facts import Connection
from memd.store.uid import uuid7


@asynccontextmanager
async def announced(memory: Memory, erasure: Erasure) -> AsyncIterator[None]:
    """Write a deletion down, let it be done, and note that it is over; one that is cut short stays announced.

    One that fails is gone on with soon (`recarrying.go_on`), not first after a restart, when nobody thinks of it any
    more. Raises StoreError where it cannot be written down; nothing is deleted then.
    """
    await announce(memory, erasure)
    try:
        yield
        await done(memory, erasure)
    except Exception:
        memory.left_off.append(erasure)
        raise


async def announce(memory: Memory, erasure: Erasure) -> None:
    """Write a deletion down. Raises StoreError; it must not begin then."""
    await to_thread.run_sync(erasure_log.append, erasure_log.path_of(memory.paths.database), (erasure,))


async def done(memory: Memory, erasure: Erasure) -> None:
    """Note that a deletion that was announced is over."""
    await memory.writer.run(partial(erasures.note_done, erasure=erasure))


def of_messages(conn: Connection, messages: Sequence[int], sessions: Sequence[int], now_ms: int) -> Erasure:
    """Return what is to be written down of the deletion of messages, and of sessions that go whole with theirs."""
    rows = (*deleting.identities(conn, messages), *deleting.title_identities(conn, sessions))
    return Erasure(uuid7(now_ms), now_ms, rows=rows, sessions=erasures.session_identities(conn, sessions))


def of_facts(
    conn: Connection, ids: Sequence[int], now_ms: int, *, words_stay: bool = False, project: int | None = None
) -> Erasure:
    """Return what is to be written down of the deletion of facts, and of a project by row id; what is gone has gone."""
    texts = set()
    for fact in facts.load(conn, ids):
        scope = erasures.project_identity(conn, None if fact.project is None else fact.project.id)
        with suppress(NotFound):
            texts |= {(text, scope) for text in stating.texts_of(conn, fact.id)}
    whole = None if project is None else erasures.project_identity(conn, project)
    uids = erasures.fact_uids(conn, ids)
    return Erasure(uuid7(now_ms), now_ms, facts=uids, texts=tuple(sorted(texts)), project=whole, words_stay=words_stay)
