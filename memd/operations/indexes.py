"""Indexes and space: the full-text indexes built anew, sessions distilled anew, and unused space given back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from anyio import to_thread

from memd.errors import BadParameter
from memd.operations.answers import CompactAnswer, DistillAnswer, IndexAnswer
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.recall import tiers
from memd.store import fact_vectors, maintenance, meta, sessions, vector_shapes, vectors
from memd.store.facts import Connection

_PAGES = 500


@dataclass(frozen=True, slots=True)
class RebuildParams:
    """Which index, and how much of it now."""

    index: str | None = field(default=None, metadata={"help": "messages, calls or facts; none: all of them"})
    steps: int | None = field(
        default=None, metadata={"help": "at most so many steps now, the rest in the background; none: all of it"}
    )


@operation("index.status", reads=True)
async def index_status(memory: Memory, params: NoParams) -> IndexAnswer:
    """Tell how many messages, calls and facts are indexed, which index is not whole, and how many have vectors."""
    return await memory.readers.run(_told)


@operation("index.rebuild", writes=True)
async def rebuild(memory: Memory, params: RebuildParams) -> IndexAnswer:
    """Build the full-text indexes anew, in steps that let everything else go on; what was begun is gone on with.

    Vectors that cannot be compared with the others of their model go and are worked out anew, in the background.
    Raises BadParameter for an index that there is not.
    """
    known = {table.removesuffix("_fts"): table for table in maintenance.TABLES}
    if params.index is not None and params.index not in known:
        raise BadParameter("index.rebuild", f"there is no index {params.index!r} (there are: {', '.join(known)})")
    chosen = tuple(known.values()) if params.index is None else (known[params.index],)

    def begin(conn: Connection) -> None:
        waiting = maintenance.stale(conn)
        for table in chosen:
            if table not in waiting:
                maintenance.rebuild(conn, table)
        vector_shapes.let_go(conn, tiers.KNOWN)

    await memory.writer.run(begin)
    done = 0
    while params.steps is None or done < params.steps:
        if not await memory.writer.run(maintenance.rebuild_some, background=True):
            break
        done += 1
    return await memory.readers.run(_told)


@operation("sessions.distill", writes=True)
async def distill_again(memory: Memory, params: NoParams) -> DistillAnswer:
    """Distill every session anew, in the background; what a person ruled stays."""
    await memory.writer.run(sessions.distil_again)
    memory.distiller.wake()
    counts = await memory.readers.run(meta.counts)
    return DistillAnswer(counts.undistilled)


@operation("database.compact", writes=True)
async def compact(memory: Memory, params: NoParams) -> CompactAnswer:
    """Give unused pages of the database back to the disk, in steps that let everything else go on."""
    before = await to_thread.run_sync(_size, memory.paths.database)
    while await memory.writer.outside_transaction(lambda conn: maintenance.give_back_pages(conn, _PAGES)):
        continue
    await memory.writer.fold()
    after = await to_thread.run_sync(_size, memory.paths.database)
    return CompactAnswer(before, after, max(before - after, 0))


def _told(conn: Connection) -> IndexAnswer:
    indexed = maintenance.indexed(conn)
    return IndexAnswer(
        indexed={table.removesuffix("_fts"): count for table, count in indexed.items()},
        waiting=tuple(table.removesuffix("_fts") for table in maintenance.stale(conn)),
        vectors=vectors.counts(conn),
        fact_vectors=fact_vectors.counts(conn),
    )


def _size(path: Path) -> int:
    return path.stat().st_size
