"""Upkeep: a backup now, and an orderly stop."""

from __future__ import annotations

import os
from functools import partial

from anyio import to_thread

from memd.clock import iso
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.operations.upkeep_answers import BackupAnswer, StopAnswer
from memd.store import backup


@operation("backup.now", writes=True)
async def backup_now(memory: Memory, params: NoParams) -> BackupAnswer:
    """Take a checked backup of the database now, and let go of those that rotation no longer keeps.

    Raises StoreError; a backup that failed leaves no file behind.
    """
    taken = await to_thread.run_sync(
        partial(
            backup.take,
            memory.paths.database,
            memory.paths.backups_dir,
            memory.clock.now_ms(),
            keep_recent=memory.config.store.backups_recent,
            keep_weekly=memory.config.store.backups_weekly,
        )
    )
    return BackupAnswer(str(taken.path), iso(taken.at))


@operation("stop", writes=True)
async def stop(memory: Memory, params: NoParams) -> StopAnswer:
    """Ask the daemon to finish what it has in hand and go down; answers at once."""
    memory.stop()
    return StopAnswer(os.getpid())
