"""Follow: tells the indexer what sessions do: where one begins or goes on its tree is looked through, what one changed
is looked at. Work trees themselves are not watched. When there is nothing else to do, trees that were worked in lately
and never looked through are, one after the other: memd may have been installed after the session.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.clock import Clock
from memd.codegraph.indexer import Indexer
from memd.errors import DamagedDatabase, StoreError
from memd.store import code_follow
from memd.store.readers import Readers

logger = logging.getLogger(__name__)

_EVERY_S: Final = 5.0
_RECENT_MS: Final = 60 * 60 * 1000
"""What was changed longer ago is history that is being read in; the tree may be anything by now."""
_GOING_ON_MS: Final = 10 * 60 * 1000
_LATELY_MS: Final = 14 * 24 * 60 * 60 * 1000
"""What was worked in before is looked through when a session begins there again."""
_MOST_UNREAD: Final = 50  # projects that are thought of at a time; those whose folder is gone are among them


async def follow(
    indexer: Indexer, readers: Readers, clock: Clock, *, busy: Callable[[], bool], every_s: float = _EVERY_S
) -> None:
    """Tell the indexer of everything new, until cancelled; while `busy`, of nothing that only was not read yet."""
    mark = await readers.run(code_follow.newest)
    while True:
        await anyio.sleep(every_s)
        try:
            mark = await _tell(indexer, readers, clock.now_ms(), mark)
            if indexer.idle and not busy():
                await _catch_up(indexer, readers, clock.now_ms())
        except DamagedDatabase:
            # The daemon puts that right by starting over.
            raise
        except StoreError as error:
            logger.warning("event=code_follow_failed error=%s", error)


async def _tell(indexer: Indexer, readers: Readers, now_ms: int, mark: int) -> int:
    newest = await readers.run(code_follow.newest)
    for project, root in await readers.run(lambda conn: code_follow.worked_in(conn, now_ms - _GOING_ON_MS)):
        indexer.visit(project, Path(root))
    if newest > mark:
        since = now_ms - _RECENT_MS
        for one in await readers.run(lambda conn: code_follow.changed(conn, mark, newest, since)):
            paths = [_absolute(path, one.cwd or one.root) for path in one.paths]
            indexer.changed(one.project, Path(one.root), paths, one.session)
    return newest


async def _catch_up(indexer: Indexer, readers: Readers, now_ms: int) -> None:
    for project, root in await readers.run(lambda conn: code_follow.unread(conn, now_ms - _LATELY_MS, _MOST_UNREAD)):
        if await to_thread.run_sync(os.path.isdir, root) and indexer.visit(project, Path(root)):
            return


def _absolute(path: str, folder: str) -> str:
    return path if path.startswith("/") else os.path.normpath(f"{folder}/{path}")
