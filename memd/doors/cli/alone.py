"""Alone: questions answered from the database as it lies there, read-only, where no daemon runs or can be started.

So what was learnt can be read after `memd uninstall`, or on a machine whose service manager is out of order.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from memd.doors.cli.invocation import Invocation

_OF_THE_DAEMON: Final = frozenset({"status", "health", "jobs.list", "index.status", "operations.list", "search.gaps"})
"""What tells how the daemon fares, or notes something on the way."""


def ask(invocation: Invocation, op: str, params: Mapping[str, object]) -> bytes | None:
    """Return the JSON of the result; None where that needs a daemon, or there is no database.

    Raises what the operation raises, and StoreError for a database that this version cannot read.
    """
    places = invocation.places()
    if op in _OF_THE_DAEMON or not places.paths.database.exists():
        return None
    from memd.operations.catalog import OPERATIONS

    operation = OPERATIONS.get(op)
    if operation is None or not operation.reads or operation.writes:
        return None
    import anyio

    from memd import config
    from memd.daemon import answer_alone

    settings = config.load(places.paths.config_file, places.env)
    return anyio.run(partial(answer_alone, places.paths, settings, op, params))
