"""Registration: what memd puts into one file of a host, and the one way in which that is done and undone.

What is to stand there is an `Entries`: a pure function from the file's bytes to those it should have, and back. This
module carries it out: the file is changed whole or not at all, the manifest is written first, and the bytes of before
are kept until uninstall.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from memd.errors import SettingsError
from memd_hooks import files, manifest
from memd_hooks.jsonc import DocumentError
from memd_hooks.settings_json import Before
from memd_hooks.shim import HOOK_NAME, MCP_NAME

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Outcome:
    """A file as it is to be (None: no file); `steps` says in words what had to be done for it, none if nothing."""

    data: bytes | None
    before: Before
    steps: tuple[str, ...]


class Entries(Protocol):
    """What is memd's in a file. Both raise DocumentError for a file that cannot be read for certain."""

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The file with what is wanted; only what is wrong is changed."""

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The file without anything of memd's; untouched where there is certainly nothing of it."""


@dataclass(frozen=True, slots=True)
class Several:
    """Different things of memd's in one file."""

    entries: tuple[Entries, ...]

    def put(self, data: bytes | None, before: Before) -> Outcome:
        """The file with all of them."""
        return self._through(self.entries, data, before, taking=False)

    def take(self, data: bytes | None, before: Before) -> Outcome:
        """The file without any of them, the last one first."""
        return self._through(tuple(reversed(self.entries)), data, before, taking=True)

    def _through(self, entries: tuple[Entries, ...], data: bytes | None, before: Before, *, taking: bool) -> Outcome:
        steps: tuple[str, ...] = ()
        for each in entries:
            done = each.take(data, before) if taking else each.put(data, before)
            data, before, steps = done.data, done.before, steps + done.steps
        return Outcome(data, before, steps)


@dataclass(frozen=True, slots=True)
class Registration:
    """One file of a host and what memd wants in it."""

    host: str
    path: Path
    entries: Entries
    mode: int = 0o600
    """Of a file that is made new."""
    refreshed: bool = False
    """The daemon keeps what stands in it up to date."""


def steps_to_install(registration: Registration) -> tuple[str, ...]:
    """What has to be changed, in words; nothing is written. Raises SettingsError if the file is not certain."""
    return _asked(registration.path, registration.entries.put)


def steps_to_uninstall(registration: Registration) -> tuple[str, ...]:
    """What has to be taken out, in words; nothing is written. Raises SettingsError if the file is not certain."""
    return _asked(registration.path, registration.entries.take)


def install(registration: Registration, state_dir: Path) -> tuple[str, ...]:
    """Put memd's entries into the file as it is now, and say what that took.

    Notes what was written in `<state_dir>/installed.json` and keeps the file's bytes before memd's first change in
    `<state_dir>/before/`. Raises SettingsError, with the file as it was, if it cannot be read for certain or written,
    or if the state folder cannot be.
    """
    try:
        return _install(registration, state_dir)
    except OSError as error:
        raise _not_written(registration.path, error) from error


def uninstall(registration: Registration, state_dir: Path) -> tuple[str, ...]:
    """Take memd's entries out of the file as it is now, forget the notes on it, and say what that took.

    Raises SettingsError, with the file as it was, if it cannot be read for certain or written.
    """
    try:
        return _uninstall(registration, state_dir)
    except OSError as error:
        raise _not_written(registration.path, error) from error


def _install(registration: Registration, state_dir: Path) -> tuple[str, ...]:
    path, entries = registration.path, registration.entries
    note = state_dir / manifest.MANIFEST_NAME
    old = manifest.load(note)
    known = old.of(path)
    record = known
    steps: tuple[str, ...] = ()

    def edit(data: bytes | None) -> bytes | None:
        nonlocal record, steps
        done = entries.put(data, known.before if known else Before())
        steps = done.steps
        if done.data != data and done.data is not None:
            record = manifest.FileRecord(
                path=path,
                host=registration.host,
                sha256=manifest.digest(done.data),
                before=done.before,
                folders=known.folders if known else (),
                backup=_backup(registration, data, known, state_dir),
                refreshed=registration.refreshed,
            )
            # Before the file itself, so that a crash in between loses no memory of what was there.
            manifest.save(note, old.having(record))
        return done.data

    try:
        change = files.change(path, edit, mode=registration.mode)
    except BaseException:
        if record != known:
            manifest.save(note, old)
        raise
    if record and change.folders:
        manifest.save(note, old.having(replace(record, folders=change.folders)))
    return steps


def _uninstall(registration: Registration, state_dir: Path) -> tuple[str, ...]:
    note = state_dir / manifest.MANIFEST_NAME
    old = manifest.load(note)
    known = old.of(registration.path)
    steps: tuple[str, ...] = ()

    def edit(data: bytes | None) -> bytes | None:
        nonlocal steps
        try:
            done = registration.entries.take(data, known.before if known else Before())
        except DocumentError:
            if known is None and data is not None and not any(name.encode() in data for name in (HOOK_NAME, MCP_NAME)):
                # Whatever is wrong with it, memd has never been in it.
                return data
            raise
        steps = done.steps
        return done.data

    files.change(registration.path, edit)
    if known:
        files.remove_empty(known.folders)
        if known.backup:
            known.backup.unlink(missing_ok=True)
            files.remove_empty((known.backup.parent,))
        manifest.save(note, old.without(registration.path))
    return steps


def _asked(path: Path, ask: Callable[[bytes | None, Before], Outcome]) -> tuple[str, ...]:
    try:
        return ask(files.read(path), Before()).steps
    except DocumentError as error:
        raise SettingsError(path, error.problem) from error


def _backup(
    registration: Registration, data: bytes | None, known: manifest.FileRecord | None, state_dir: Path
) -> Path | None:
    """Where the bytes of before memd's first change are; kept now, if this is the first."""
    if data is None or registration.entries.take(data, Before()).steps:
        return known.backup if known else None
    return files.keep_backup(registration.path, data, state_dir / "before")


def _not_written(path: Path, error: OSError) -> SettingsError:
    return SettingsError(path, f"{error.filename} cannot be written ({error.strerror})")
