"""Footprint: memory that work has left behind goes back to the system when the work is over.

SQLite keeps what it has read, and the C library keeps what was freed, in an arena for each thread that ever asked. Both
are right while transcripts are read, and wrong for a program that waits for the rest of the day.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Sequence
from typing import Final

import anyio
from anyio import to_thread

from memd.errors import StoreError
from memd.store import maintenance
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers

_LOOK_S: Final = 5.0
_M_ARENA_MAX: Final = -8  # malloc.h of glibc


def use_one_arena() -> None:
    """Let all threads take memory from one place; to be called before there are threads. Only glibc has others."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(_M_ARENA_MAX, 1)


async def give_back(pools: Sequence[Workers], writer: Writer, readers: Readers) -> None:
    """Give memory back each time the last worker of all pools has gone; runs until cancelled."""
    given_back = 0
    while True:
        await anyio.sleep(_LOOK_S)
        found = [pool.status() for pool in pools]
        started = sum(status.started for status in found)
        if any(status.processes for status in found) or started == given_back:
            continue
        given_back = started
        # A disk in trouble is told elsewhere; it is no reason to keep the memory, still less to stop.
        with contextlib.suppress(StoreError):
            await writer.fold()
            await writer.outside_transaction(maintenance.shrink_memory)
            await readers.rest()
        await to_thread.run_sync(_trim)


def _trim() -> None:
    gc.collect()
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)
