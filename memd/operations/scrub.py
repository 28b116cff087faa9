"""Scrub: after something was deleted for good, no byte of it is left in the database file, its indexes and its log."""

from __future__ import annotations

from functools import partial
from typing import Final

import anyio

from memd.operations.memory import Memory
from memd.store import maintenance, scrubbing

_PAGES: Final = 500
_CUTS: Final = 50
_PAUSE_S: Final = 0.1


async def scrub(memory: Memory) -> bool:
    """Scrub the database in steps; return False where a reader kept the log from being cut, which is tried again later.

    Raises StoreError.
    """
    writer, merging = memory.writer, scrubbing.Merging()
    while merging.waiting:
        merging = await writer.run(partial(scrubbing.merge_some, at=merging), background=True)
    if not await memory.readers.run(scrubbing.is_zeroed):
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
