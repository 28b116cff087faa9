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

from memd_hooks import registration
from memd_hooks.hook_entries import HookEntries
from memd_hooks.hook_groups import Wanted

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
    return Plan("install", settings, registration.steps_to_install(_entries(settings, wanted)), wanted)


def plan_uninstall(settings: Path) -> Plan:
    """What taking out memd's entries would change; nothing is written. Raises SettingsError as plan_install does."""
    wanted = Wanted(HOST, "", (), TIMEOUT_S)
    return Plan("uninstall", settings, registration.steps_to_uninstall(_entries(settings, wanted)), wanted)


def apply(plan: Plan, state_dir: Path) -> Plan:
    """Carry out a plan on the settings file as it is now, and give back the plan as it was really carried out.

    See `registration.install` and `registration.uninstall` for what is noted, kept and raised.
    """
    carry_out = registration.install if plan.action == "install" else registration.uninstall
    return replace(plan, steps=carry_out(_entries(plan.settings, plan.wanted), state_dir))


def _entries(settings: Path, wanted: Wanted) -> registration.Registration:
    return registration.Registration(HOST, settings, HookEntries(wanted))
