"""How the hook stands in Claude Code: registered or not, run twice, or switched off by somebody's setting."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memd.errors import SettingsError
from memd_hooks import files
from memd_hooks.claude_code import HOST, Version, events_for
from memd_hooks.hook_groups import own_handlers
from memd_hooks.jsonc import DocumentError
from memd_hooks.settings_json import values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memd_hooks.jsonc import JsonValue

PLUGIN_NAME: Final = "memd"
_NPM_PACKAGE: Final = "@anthropic-ai/claude-code"


@dataclass(frozen=True, slots=True)
class Status:
    """What a doctor needs to know; `unreadable` says why a file could not be read, and then nothing else is certain."""

    settings: Path
    registered: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    doubles: tuple[str, ...] = ()
    """Events for which the hook would run more than once: entries in several files, or twice in one."""
    stale: tuple[str, ...] = ()
    """Events whose entry runs another command than the one expected."""
    plugin: bool = False
    """The plugin is switched on as well; it stands down for these entries."""
    disabled_by: Path | None = None
    """The file whose disableAllHooks switches all hooks off."""
    managed_only_by: Path | None = None
    """The file whose allowManagedHooksOnly switches the person's own hooks off."""
    unreadable: str | None = None

    @property
    def works(self) -> bool:
        """Whether Claude Code runs the hook, once, for every event that memd wants of it."""
        switched_off = self.disabled_by or self.managed_only_by or self.unreadable
        by_plugin = self.plugin and not self.registered
        return not (switched_off or self.doubles or self.stale) and (by_plugin or not self.missing)


def status(settings: Path, command: str, *, version: Version | None = None, others: Sequence[Path] = ()) -> Status:
    """Look at the user settings and at `others` (managed settings, a project's): all of them apply together."""
    try:
        documents = {path: files.read(path) or b"" for path in (settings, *others)}
        values = {path: values_of(data) for path, data in documents.items()}
        own = [handler for data in documents.values() for handler in own_handlers(data, HOST)]
        mine = own_handlers(documents[settings], HOST)
    except DocumentError as error:
        return Status(settings, unreadable=error.problem)
    except SettingsError as error:
        return Status(settings, unreadable=error.problem)
    wanted = events_for(version)
    registered = dict.fromkeys(handler.event for handler in mine)
    every = [handler.event for handler in own]
    return Status(
        settings=settings,
        registered=tuple(registered),
        missing=tuple(event for event in wanted if event not in registered),
        doubles=tuple(event for event in dict.fromkeys(every) if every.count(event) > 1),
        stale=tuple(dict.fromkeys(handler.event for handler in mine if handler.command != command)),
        plugin=any(_has_plugin(document) for document in values.values()),
        disabled_by=_first_with(values, "disableAllHooks"),
        managed_only_by=_first_with(values, "allowManagedHooksOnly"),
    )


def managed_settings(platform: str) -> tuple[Path, ...]:
    """Where an organisation puts settings that nobody can override; `platform` as in sys.platform."""
    folder = "/Library/Application Support/ClaudeCode" if platform == "darwin" else "/etc/claude-code"
    return (Path(folder) / "managed-settings.json",)


def installed_version(executable: Path | None) -> Version | None:
    """The version of the Claude Code behind `executable` (as found on PATH), read from its files; None if unknown.

    The native installer keeps each version under its number, npm beside a package.json; nothing is run.
    """
    if executable is None:
        return None
    target = Path(executable).resolve()
    if version := _version(target.name):
        return version
    for folder in list(target.parents)[:3]:
        try:
            package: object = json.loads((folder / "package.json").read_bytes())
        except (OSError, ValueError):
            continue
        match package:
            case {"name": str(name), "version": str(text)} if name.startswith(_NPM_PACKAGE):
                return _version(text)
            case _:
                continue
    return None


def _version(text: str) -> Version | None:
    found = re.match(r"(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?![\d.])", text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def _first_with(values: dict[Path, JsonValue], switch: str) -> Path | None:
    return next((path for path, value in values.items() if isinstance(value, dict) and value.get(switch) is True), None)


def _has_plugin(document: JsonValue) -> bool:
    enabled = document.get("enabledPlugins") if isinstance(document, dict) else None
    return isinstance(enabled, dict) and any(
        name.startswith(f"{PLUGIN_NAME}@") and is_on is True for name, is_on in enabled.items()
    )
