"""Indexes and space: the full-text indexes built anew, sessions distilled anew, and unused space given back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from anyio import to_thread

from memd.config import Config
from memd.errors import BadParameter
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.upkeep_answers import CompactAnswer, DistillAnswer, IndexAnswer
from memd.recall import embedding, tiers
from memd.store import fact_vectors, maintenance, meta, sessions, vector_shapes, vectors
from memd.store.facts import Connection

_PAGES = 500


@dataclass(frozen=True, slots=True)
class RebuildParams:
    """Which index, and how much of it now."""

    index: str | None = field(
        default=None, metadata={"help": "messages, calls, facts or vectors; none: all but vectors"}
    )
    steps: int | None = field(
        default=None, metadata={"help": "at most so many steps now, the rest in the background; none: all of it"}
    )
    dry_run: bool = field(default=False, metadata={"help": "only tell what would be built anew"})


@operation("index.status", reads=True)
async def index_status(memory: Memory, params: NoParams) -> IndexAnswer:
    """Tell how many messages, calls and facts are indexed, which index is not whole, and how many have vectors."""
    return await memory.readers.run(lambda conn: _told(conn, memory.config))


@operation("index.rebuild", writes=True)
async def rebuild(memory: Memory, params: RebuildParams) -> IndexAnswer:
    """Build the full-text indexes anew, in steps that let everything else go on; what was begun is gone on with.

    Vectors that cannot be compared with the others of their model go and are worked out anew, in the background; with
    `vectors` all of them are, each in its turn, while search goes on. Raises BadParameter for no such index.
    """
    if params.index == "vectors":
        return await _embed_anew(memory, dry_run=params.dry_run)
    known = {table.removesuffix("_fts"): table for table in maintenance.TABLES}
    if params.index is not None and params.index not in known:
        there = ", ".join((*known, "vectors"))
        raise BadParameter("index.rebuild", f"there is no index {params.index!r} (there are: {there})")
    if params.dry_run:
        return await memory.readers.run(lambda conn: _told(conn, memory.config))
    chosen = tuple(known.values()) if params.index is None else (known[params.index],)

    def begin(conn: Connection, table: str) -> None:
        if table not in maintenance.stale(conn):
            maintenance.rebuild(conn, table)

    for table in chosen:
        await memory.writer.run(partial(begin, table=table))
    await memory.writer.run(partial(vector_shapes.let_go, expected=tiers.KNOWN))
    done = 0
    while params.steps is None or done < params.steps:
        if not await memory.writer.run(maintenance.rebuild_some, background=True):
            break
        done += 1
    return await memory.readers.run(lambda conn: _told(conn, memory.config))


async def _embed_anew(memory: Memory, *, dry_run: bool) -> IndexAnswer:
    def begin(conn: Connection) -> IndexAnswer:
        used = {*vectors.counts(conn), *fact_vectors.counts(conn)}
        used = {model for model in used if _is_used(model, memory.config)}
        counted = sum(counts.get(model, 0) for counts in _counts(conn) for model in used)
        if not dry_run:
            for model in used:
                vectors.begin_again(conn, model)
                fact_vectors.begin_again(conn, model)
        return replace(_told(conn, memory.config), anew=counted)

    return await (memory.readers.run(begin) if dry_run else memory.writer.run(begin))


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


def _counts(conn: Connection) -> tuple[dict[str, int], dict[str, int]]:
    return vectors.counts(conn), fact_vectors.counts(conn)


def _is_used(model: str, config: Config) -> bool:
    """Return whether vectors of a model are compared with questions, as memd is configured."""
    if model == embedding.MODEL:
        return True
    if config.search.tier and model == tiers.TIERS[config.search.tier].model:
        return True
    asked = f"{config.embed.api}/{config.embed.name}"
    return bool(config.embed.api) and model.startswith((f"{asked}:", f"{asked}+"))


def _told(conn: Connection, config: Config) -> IndexAnswer:
    indexed = maintenance.indexed(conn)
    counted = _counts(conn)
    known = {model for counts in counted for model in counts}
    return IndexAnswer(
        indexed={table.removesuffix("_fts"): count for table, count in indexed.items()},
        waiting=tuple(table.removesuffix("_fts") for table in maintenance.stale(conn)),
        vectors=counted[0],
        fact_vectors=counted[1],
        stale=sum(count for counts in counted for model, count in counts.items() if not _is_used(model, config)),
        done={model: round(vectors.share_done(conn, model), 4) for model in sorted(known) if _is_used(model, config)},
    )


def _size(path: Path) -> int:
    return path.stat().st_size
