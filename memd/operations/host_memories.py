"""Host memories: what agents have noted for themselves is taken over by itself, and again where it has changed."""

from __future__ import annotations

import logging

from anyio import to_thread

from memd.errors import MemdError
from memd.importers import host_memory
from memd.operations.importing import ImportParams, import_all
from memd.operations.memory import Memory

logger = logging.getLogger(__name__)


async def absorb(memory: Memory) -> None:
    """Take over the notes below every folder of transcripts that has some; trouble with one is logged."""
    for folder in memory.capture.folders():
        if not await to_thread.run_sync(host_memory.recognise, folder):
            continue
        params = ImportParams(path=str(folder), system=host_memory.NAME, dry_run=False)
        try:
            answer = await import_all.function(memory, params)
        except MemdError as error:
            logger.warning("event=host_memory_not_read path=%s error=%s", folder, error)
            continue
        if answer.added:
            logger.info("event=host_memory_read path=%s added=%d", folder, answer.added)
