"""Scrub: after something was deleted for good, no byte of it is left in the database file, its indexes and its log."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.errors import StoreFull
from memd.operations.memory import Memory
from memd.store import maintenance, scrubbing

_PAGES: Final = 500
_COPIES: Final = 2
_CUTS: Final = 50
_PAUSE_S: Final = 0.1


async def scrub(memory: Memory) -> bool:
    """Scrub the database in steps; return False where a reader kept the log from being cut, which is tried again later.

    Raises StoreError, and StoreFull before a file is written anew for which there is no room.
    """
    writer, merging = memory.writer, scrubbing.Merging()
    while merging.waiting:
        merging = await writer.run(partial(scrubbing.merge_some, at=merging), background=True)
    if not await memory.readers.run(scrubbing.is_zeroed):
        await to_thread.run_sync(_check_room, memory.paths.database)
        await writer.outside_transaction(scrubbing.write_anew)
        await writer.run(scrubbing.note_zeroed)
    while await writer.outside_transaction(lambda conn: maintenance.give_back_pages(conn, _PAGES)):
        continue
    for _ in range(_CUTS):
        if await writer.outside_transaction(scrubbing.cut_log):
            await writer.run(scrubbing.note_done)
            return True
        await anyio.sleep(_PAUSE_S)
    return False


async def go_on(memory: Memory) -> None:
    """Scrub if something was deleted since it was done last."""
    if await memory.readers.run(scrubbing.is_due):
        await scrub(memory)


def _check_room(database: Path) -> None:
    """See that the file can be written anew: SQLite makes a copy, and then writes as much into the log (VACUUM)."""
    if shutil.disk_usage(database.parent).free < _COPIES * database.stat().st_size:
        raise StoreFull(database)
