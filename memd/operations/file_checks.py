"""File checks: whether the database is whole and has room, which can be told without a daemon as well."""

from __future__ import annotations

import shutil
from typing import Final

from memd.errors import StoreError
from memd.operations.status_answers import HealthCheck
from memd.paths import Paths
from memd.store import backup

_LEAST_FREE: Final = 200 << 20


def database_check(paths: Paths) -> HealthCheck:
    """Whether the database is whole; this reads all of it."""
    try:
        finding = backup.check(paths.database)
    except StoreError as error:
        return HealthCheck(
            "database", ok=False, detail=str(error), fix="mend owner and mode of the file and its folder"
        )
    if finding is None:
        return HealthCheck("database", ok=True, detail=str(paths.database))
    fix = "memd restart (it restores the newest good backup and reads the rest again)"
    return HealthCheck("database", ok=False, detail=f"{paths.database} is damaged: {finding}", fix=fix)


def disk_check(paths: Paths) -> HealthCheck:
    """Whether there is room for what comes."""
    free = shutil.disk_usage(paths.data_dir).free
    detail = f"{free >> 20} MB are free for {paths.data_dir}"
    if free >= _LEAST_FREE:
        return HealthCheck("disk", ok=True, detail=detail)
    return HealthCheck("disk", ok=False, detail=detail, fix=f"free some space, {_LEAST_FREE >> 20} MB at least")
