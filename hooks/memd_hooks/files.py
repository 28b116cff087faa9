"""Files of hosts: read, changed whole or not at all, and never under the hands of somebody else who writes them.

Hosts rewrite their settings files themselves at any time, so a change is a function from the bytes that are there to
those that should be; it is done again when the file changed while it was at work.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from memd.errors import SettingsError
from memd_hooks.jsonc import DocumentError

Edit: TypeAlias = Callable[["bytes | None"], "bytes | None"]
"""From a file's bytes to those it should have; None is no file."""

SIZE_LIMIT: Final = 8 << 20
_TRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a file: its bytes before and after (None: no file), the folders made for it (outermost first)."""

    before: bytes | None
    after: bytes | None
    folders: tuple[Path, ...] = ()


def read(path: Path) -> bytes | None:
    """The bytes of a settings file, None where there is none. Raises SettingsError if it cannot be read."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):
            raise SettingsError(path, "it is not a regular file")  # a pipe would be waited for
        if status.st_size > SIZE_LIMIT:
            raise SettingsError(path, f"it is larger than {SIZE_LIMIT >> 20} MiB, which no settings file is")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise SettingsError(path, f"it cannot be read ({error.strerror})") from error


def change(path: Path, edit: Edit, *, mode: int = 0o600) -> Change:
    """Bring the file to what `edit` makes of it; a file that is right already is not touched.

    Symbolic links are followed; mode, owner and extended attributes stay; a new file
    gets `mode`, by default its owner's alone.
    Raises SettingsError, with the file as it was, if `edit` refuses the document (DocumentError), the file cannot be
    written, or somebody else keeps changing it.
    """
    try:
        target = Path(os.path.realpath(path))
        for _ in range(_TRIES):
            before = read(target)
            after = edit(before)
            if after == before:
                return Change(before, after)
            if after is None:
                if read(target) == before:
                    target.unlink()
                    return Change(before, None)
                continue
            folders = _make_folders(target.parent)
            try:
                if _replace(target, before, after, mode):
                    return Change(before, after, folders)
            except BaseException:
                remove_empty(folders)
                raise
    except DocumentError as error:
        raise SettingsError(path, error.problem) from error
    except OSError as error:
        raise SettingsError(path, f"it cannot be written ({error.strerror})") from error
    raise SettingsError(path, "another program keeps changing it")


def write_private(path: Path, data: bytes) -> None:
    """Put a file of memd's own in place whole: mode 0600, in a folder of mode 0700. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = _draft(path, data)
    try:
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def keep_backup(path: Path, data: bytes, folder: Path) -> Path:
    """Keep the bytes that `path` had before memd's first change in `folder` (0600); an older backup is left as it is.

    Not beside the file: hosts read whole folders, people share them, and settings hold keys. Raises OSError.
    """
    backup = folder / f"{path.name}.{hashlib.sha256(os.fsencode(path)).hexdigest()[:12]}"
    if not backup.exists():
        write_private(backup, data)
    return backup


def remove_empty(folders: tuple[Path, ...]) -> None:
    """Remove those of the folders that hold nothing, innermost first."""
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _make_folders(folder: Path) -> tuple[Path, ...]:
    missing = tuple(path for path in (*reversed(folder.parents), folder) if not path.exists())
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return missing


def _replace(target: Path, before: bytes | None, after: bytes, mode: int) -> bool:
    """Rename a complete new file over the target; False, and nothing done, if the target is no longer `before`."""
    if before is not None and not os.access(target, os.W_OK):
        # Renaming would get around a write protection that somebody has put there on purpose.
        raise PermissionError(errno.EACCES, "it is write-protected", str(target))
    draft = _draft(target, after)
    try:
        if before is None:
            draft.chmod(mode)
        else:
            # Mode, extended attributes and flags. The owner differs only where root edits another user's file.
            shutil.copystat(target, draft)
            os.utime(draft)
            owner, mine = target.stat(), draft.stat()
            if (owner.st_uid, owner.st_gid) != (mine.st_uid, mine.st_gid):
                os.chown(draft, owner.st_uid, owner.st_gid)
        if read(target) != before:
            return False
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    _sync(target.parent)
    return True


def _draft(path: Path, data: bytes) -> Path:
    """A complete file with that content beside `path`, on the disk for certain."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".memd")
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    return draft


def _sync(folder: Path) -> None:
    """Have the rename itself on the disk, where the file system can be asked for that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
