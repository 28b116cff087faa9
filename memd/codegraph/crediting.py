"""Crediting: what no session made is kept with the commit that did, which a worker finds out (see `commits.py`)."""

from __future__ import annotations

import logging
from functools import partial
from itertools import islice
from typing import Final

from memd.codegraph.tasks import COMMITS_TASK, Committed
from memd.errors import WorkerFailed
from memd.store import code_changes, code_files
from memd.store.readers import Readers
from memd.store.writer import Writer
from memd.workers.pool import Workers
from memd.workers.turns import Priority

logger = logging.getLogger(__name__)

_COMMITS_S: Final = 90.0
_AT_ONCE: Final = 20
"""Files whose commits make one transaction: it stays short."""


async def credit(
    workers: Workers, readers: Readers, writer: Writer, asked: Committed, priority: Priority
) -> dict[str, str]:
    """Keep which commits made what no session did, and return them by path; of those gone the one they went in."""
    if not asked.gone and not await readers.run(lambda conn: code_files.uncredited(conn, asked.project, most=1)):
        return {}
    try:
        found: dict[str, str] = await workers.run(COMMITS_TASK, asked, deadline_s=_COMMITS_S, priority=priority)
    except WorkerFailed as error:
        # It is not known then, as where there is no git.
        logger.warning("event=code_commits_unknown project=%d error=%s", asked.project, error)
        return {}
    commits = iter(found.items())
    while some := dict(islice(commits, _AT_ONCE)):
        await writer.run(partial(code_changes.credit, project=asked.project, commits=some), background=True)
    return found
