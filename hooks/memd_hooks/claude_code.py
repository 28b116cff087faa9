"""Registration of the hook in Claude Code's user settings.

The entries are shell commands, which Claude Code has understood since hooks began (exec form is newer), in a matcher
group of their own at the end of each event. An event name that a Claude Code does not know costs dearly: it then
ignores the whole settings file, permission rules included (tried: every version up to 2.1.100; 2.1.110 no longer does).
So only events that the installed version knows are registered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from memd.errors import SettingsError
from memd_hooks import files, manifest
from memd_hooks.hook_groups import Wanted, own_handlers, register, unregister
from memd_hooks.jsonc import DocumentError
from memd_hooks.settings_json import Before

if TYPE_CHECKING:
    from collections.abc import Mapping

HOST: Final = "claude_code"
Version: TypeAlias = tuple[int, int, int]

EVENTS: Final[Mapping[str, Version]] = MappingProxyType(
    {
        "SessionStart": (1, 0, 62),
        "UserPromptSubmit": (1, 0, 53),
        "PreCompact": (1, 0, 53),
        "PostCompact": (2, 1, 76),
        "Stop": (1, 0, 53),
        "SubagentStop": (1, 0, 53),
        "SessionEnd": (1, 0, 85),
    }
)
"""The events that are registered, and the oldest version that was seen to know each."""

TIMEOUT_S: Final = 5
"""Seconds, as Claude Code counts. The client needs a quarter of one; the rest is for a machine that hardly runs."""

_ASSUMED: Final[Version] = (2, 1, 0)


@dataclass(frozen=True, slots=True)
class Plan:
    """What registering or unregistering would do to one settings file, or has done."""

    action: Literal["install", "uninstall"]
    settings: Path
    steps: tuple[str, ...]
    """In words, one for each change; none when everything is as it should be."""
    wanted: Wanted

    @property
    def changes(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.steps)


def settings_file(home: Path, env: Mapping[str, str]) -> Path:
    """The user settings that Claude Code reads: in $CLAUDE_CONFIG_DIR, or else in ~/.claude."""
    folder = env.get("CLAUDE_CONFIG_DIR")
    return (Path(folder) if folder else home / ".claude") / "settings.json"


def events_for(version: Version | None) -> tuple[str, ...]:
    """The events to register for a Claude Code of that version; None (unknown) stands for an early 2.1."""
    return tuple(event for event, since in EVENTS.items() if since <= (version or _ASSUMED))


def plan_install(settings: Path, command: str, *, version: Version | None = None) -> Plan:
    """What registering `command` (from shim.hook_command) would change; nothing is written.

    Raises SettingsError if the file cannot be read for certain.
    """
    wanted = Wanted(HOST, command, events_for(version), TIMEOUT_S)
    try:
        steps = register(files.read(settings), Before(), wanted).steps
    except DocumentError as error:
        raise SettingsError(settings, error.problem) from error
    return Plan("install", settings, steps, wanted)


def plan_uninstall(settings: Path) -> Plan:
    """What taking out memd's entries would change; nothing is written. Raises SettingsError as plan_install does."""
    try:
        steps = _removals(files.read(settings))
    except DocumentError as error:
        raise SettingsError(settings, error.problem) from error
    return Plan("uninstall", settings, steps, Wanted(HOST, "", (), TIMEOUT_S))


def apply(plan: Plan, state_dir: Path) -> Plan:
    """Carry out a plan on the settings file as it is now, and give back the plan as it was really carried out.

    Notes what was written in `<state_dir>/installed.json` and keeps the file's bytes before memd's first change in
    `<state_dir>/before/`; uninstalling removes both. Raises SettingsError, with the settings file as it was, if it
    cannot be read for certain or written, or if the state folder cannot be.
    """
    try:
        return _install(plan, state_dir) if plan.action == "install" else _uninstall(plan, state_dir)
    except OSError as error:
        raise SettingsError(plan.settings, f"{error.filename} cannot be written ({error.strerror})") from error


def _install(plan: Plan, state_dir: Path) -> Plan:
    note = state_dir / manifest.MANIFEST_NAME
    old = manifest.load(note)
    known = old.of(plan.settings)
    record = known
    steps: tuple[str, ...] = ()

    def edit(data: bytes | None) -> bytes | None:
        nonlocal record, steps
        done = register(data, known.before if known else Before(), plan.wanted)
        steps = done.steps
        if done.data != data and done.data is not None:
            record = manifest.FileRecord(
                path=plan.settings,
                host=HOST,
                sha256=manifest.digest(done.data),
                before=done.before,
                folders=known.folders if known else (),
                backup=_backup(plan.settings, data, known, state_dir),
            )
            # Before the file itself, so that a crash in between loses no memory of what was there.
            manifest.save(note, old.having(record))
        return done.data

    try:
        change = files.change(plan.settings, edit)
    except BaseException:
        if record != known:
            manifest.save(note, old)
        raise
    if record and change.folders:
        manifest.save(note, old.having(replace(record, folders=change.folders)))
    return replace(plan, steps=steps)


def _uninstall(plan: Plan, state_dir: Path) -> Plan:
    note = state_dir / manifest.MANIFEST_NAME
    old = manifest.load(note)
    known = old.of(plan.settings)
    steps: tuple[str, ...] = ()

    def edit(data: bytes | None) -> bytes | None:
        nonlocal steps
        steps = _removals(data)
        return data if data is None else unregister(data, known.before if known else Before(), HOST)

    files.change(plan.settings, edit)
    if known:
        files.remove_empty(known.folders)
        if known.backup:
            known.backup.unlink(missing_ok=True)
            files.remove_empty((known.backup.parent,))
        manifest.save(note, old.without(plan.settings))
    return replace(plan, steps=steps)


def _removals(data: bytes | None) -> tuple[str, ...]:
    return tuple(f"remove the hook for {own.event}" for own in own_handlers(data, HOST))


def _backup(settings: Path, data: bytes | None, known: manifest.FileRecord | None, state_dir: Path) -> Path | None:
    """Where the bytes of before memd's first change are; kept now, if this is the first."""
    if data is None or own_handlers(data, HOST):
        return known.backup if known else None
    return files.keep_backup(settings, data, state_dir / "before")
