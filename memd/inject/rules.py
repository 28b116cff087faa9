"""Rules files: what holds everywhere, kept up to date in the files of hosts that read one for all projects.

Only files that an install has made and noted are written, and only while they carry memd's mark: one that was removed
or replaced stays as it is.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import anyio
from anyio import to_thread

from memd.distill.distiller import Distiller
from memd.errors import DamagedDatabase, MemdError, SettingsError
from memd.inject.service import Injector
from memd_hooks import files, manifest, rules

logger = logging.getLogger(__name__)


# How long a fact that a person retracted may stand there.
_REFRESH_S: Final = 60.0


async def keep(injector: Injector, distiller: Distiller, manifest_file: Path) -> None:
    """Refresh the files whenever a session was distilled, and every minute; returns only by cancellation.

    Raises DamagedDatabase; other trouble is logged, and the next round tries again.
    """
    while True:
        # Taken before the files are written, so that what is learnt meanwhile is not missed.
        learnt = distiller.learnt
        try:
            await refresh(injector, manifest_file)
        except DamagedDatabase:
            raise
        except MemdError as error:
            logger.warning("event=rules_not_refreshed error=%s", error)
        with anyio.move_on_after(_REFRESH_S):
            await learnt.wait()


async def refresh(injector: Injector, manifest_file: Path) -> tuple[Path, ...]:
    """Bring every noted rules file to the facts that hold everywhere; return those that had to be changed."""
    noted = await to_thread.run_sync(_noted, manifest_file)
    if not noted:
        return ()
    bundle = await injector.wakeup(None)
    return await to_thread.run_sync(write, noted, bundle.text)


def write(noted: tuple[manifest.FileRecord, ...], facts: str) -> tuple[Path, ...]:
    """Put the framed facts into the files; return those that had to be changed. One that cannot be is logged."""
    changed: list[Path] = []
    for record in noted:
        wanted = rules.content(record.host, facts)

        def edit(data: bytes | None, wanted: bytes = wanted) -> bytes | None:
            return wanted if data is not None and rules.MARK in data else data

        try:
            change = files.change(record.path, edit)
        except SettingsError as error:
            logger.warning("event=rules_not_written host=%s error=%s", record.host, error)
            continue
        if change.after != change.before:
            changed.append(record.path)
            logger.info("event=rules_written host=%s", record.host)
    return tuple(changed)


def told(manifest_file: Path, host: str) -> str:
    """Return what the noted rules file of a host says, "" where it has none or somebody else's stands there."""
    try:
        said = [files.read(record.path) or b"" for record in _noted(manifest_file) if record.host == host]
    except SettingsError as error:
        logger.warning("event=rules_not_read host=%s error=%s", host, error)
        return ""
    return "\n".join(data.decode("utf-8", "replace") for data in said if rules.MARK in data)


def _noted(manifest_file: Path) -> tuple[manifest.FileRecord, ...]:
    return tuple(record for record in manifest.load(manifest_file).files if record.refreshed)
