"""Recovery: from a damaged database to a good one, saying what was found and done.

The damaged file is moved aside, never deleted; the newest good backup takes its place, or the copy that a migration
began with where that is newer. Its cursors are as old as its rows, so what hosts wrote since is read again by itself.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from memd.clock import iso
from memd.errors import StoreError
from memd.store.backup import Backup, check, copies, restoring

_SIDE_FILES = ("-wal", "-shm")


@dataclass(frozen=True, slots=True)
class Recovery:
    """What recovery found and did. `restored` is None when there was no good backup and memd begins anew."""

    finding: str
    moved_to: Path
    restored: Backup | None
    at: int

    @property
    def sentence(self) -> str:
        """The whole story in one or two sentences for a person."""
        if self.restored is None:
            rest = "There was no good backup: memd began anew and reads all transcripts again."
        else:
            taken = iso(self.restored.at)
            rest = f"The backup of {taken} took its place; transcripts written since are read again."
        rest += " What was deleted for good stays deleted."
        return f"On {iso(self.at)} the database was damaged ({self.finding}) and moved to {self.moved_to}. {rest}"


def recover_if_damaged(database: Path, backups_dir: Path, now_ms: int) -> Recovery | None:
    """Check the database and, when it is damaged, put the newest good backup in its place.

    Returns None when the file is good or missing, and when it is empty without a backup: it was only just begun. Must
    run while nothing has the database open. Raises OSError when the damaged file cannot be moved, StoreError when the
    file cannot be looked at: it is not touched then.
    """
    if not database.exists():
        return None
    finding = check(database)
    if database.stat().st_size == 0 and copies(backups_dir):
        finding = "it was empty"
    if finding is None:
        return None
    return recover(database, backups_dir, now_ms, finding)


def recover(database: Path, backups_dir: Path, now_ms: int, finding: str) -> Recovery:
    """Move a database that is known to be damaged aside and restore the newest good backup.

    What takes its place is whole on the disk before anything is moved, so that whoever is killed at it, or finds no
    room, finds the damaged one again. Raises OSError when there is no room or the file cannot be moved.
    """
    aside = database.with_name(f"{database.name}.damaged-{now_ms}")
    restored = next((backup for backup in copies(backups_dir) if _is_good(backup)), None)
    partial = restoring(database)
    if restored is not None:
        shutil.copy2(restored.path, partial)
        partial.chmod(0o600)
    for suffix in _SIDE_FILES:
        side = database.with_name(database.name + suffix)
        if side.exists():
            side.rename(aside.with_name(aside.name + suffix))
    if restored is None:
        database.rename(aside)
    else:
        try:
            aside.hardlink_to(database)
        except OSError:  # the file system has no hard links
            database.rename(aside)
        partial.replace(database)
    return Recovery(finding, aside, restored, now_ms)


def _is_good(backup: Backup) -> bool:
    try:
        return check(backup.path, full=True) is None
    except StoreError:
        return False
