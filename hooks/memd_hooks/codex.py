"""Registration of the hook in Codex: `hooks.json` in its home folder.

The shape is Claude Code's. Codex runs a hook only once the person has trusted it, and remembers that by the file, the
event, the place in it and a hash of all that stands there: so our entries come last, never change without need, and the
doctor reads in `config.toml` whether the trust was given. `codex exec` says nothing of hooks that are not trusted.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memd.errors import SettingsError
from memd_hooks import files
from memd_hooks.hook_entries import HookEntries
from memd_hooks.hook_groups import Wanted, own_handlers
from memd_hooks.host import Host, Obstacle
from memd_hooks.jsonc import DocumentError
from memd_hooks.mcp_toml import McpTable
from memd_hooks.registration import Registration

if TYPE_CHECKING:
    from memd_hooks.hook_groups import Own
    from memd_hooks.place import Place

NAME: Final = "codex"
EVENTS: Final = ("SessionStart", "UserPromptSubmit", "PreCompact", "PostCompact", "Stop", "SubagentStop", "SessionEnd")
TIMEOUT_S: Final = 3
"""Seconds, as Codex counts, and the most that it gives to SessionEnd."""

_HOW_TO_TRUST: Final = "start codex, enter /hooks and trust memd's"


def hooks_file(place: Place) -> Path:
    """The hooks of the person's own that Codex reads: in $CODEX_HOME, or else in ~/.codex."""
    return place.folder("CODEX_HOME", ".codex") / "hooks.json"


def untrusted(place: Place) -> tuple[str, ...]:
    """The events whose hook Codex does not run, because the person has not trusted it yet or switched it off.

    Empty if nothing is registered. Raises SettingsError if a file of Codex cannot be read.
    """
    hooks, config = hooks_file(place), hooks_file(place).with_name("config.toml")
    try:
        own = own_handlers(files.read(hooks), NAME)
        states = _states(tomllib.loads((files.read(config) or b"").decode()))
    except DocumentError as error:
        raise SettingsError(hooks, error.problem) from error
    except ValueError as error:
        raise SettingsError(config, f"it is not valid TOML ({error})") from error
    trusted = {_key(key) for key, state in states.items() if _is_trusted(state)}
    return tuple(dict.fromkeys(each.event for each in own if (_real(hooks), *_position(each)) not in trusted))


def _registrations(place: Place) -> tuple[Registration, ...]:
    wanted = Wanted(NAME, place.command(NAME), EVENTS, TIMEOUT_S)
    return (Registration(NAME, hooks_file(place), HookEntries(wanted)),)


def _mcp(place: Place) -> tuple[Registration, ...]:
    config = hooks_file(place).with_name("config.toml")
    return (Registration(NAME, config, McpTable(place.mcp_command())),)


def _obstacles(place: Place) -> tuple[Obstacle, ...]:
    try:
        waiting = untrusted(place)
        config = tomllib.loads((files.read(hooks_file(place).with_name("config.toml")) or b"").decode())
    except SettingsError as error:
        return (Obstacle(f"{error.path}: {error.problem}", "mend it"),)
    features = config.get("features")
    if isinstance(features, dict) and features.get("hooks", features.get("codex_hooks")) is False:
        return (Obstacle("its config.toml switches all hooks off ([features] hooks = false)", "take that out of it"),)
    if waiting:
        return (
            Obstacle(f"it does not run memd's hooks yet, as they are not trusted: {', '.join(waiting)}", _HOW_TO_TRUST),
        )
    return ()


def _states(config: dict[str, object]) -> dict[str, object]:
    """What Codex remembers of each hook: `[hooks.state."<file>:<event>:<group>:<handler>"]`."""
    hooks = config.get("hooks")
    state = hooks.get("state") if isinstance(hooks, dict) else None
    return state if isinstance(state, dict) else {}


def _is_trusted(state: object) -> bool:
    return isinstance(state, dict) and bool(state.get("trusted_hash")) and state.get("enabled") is not False


def _key(key: str) -> tuple[str, str, str, str]:
    path, event, group, handler = (["", "", "", *key.rsplit(":", 3)])[-4:]
    return _real(Path(path)), event, group, handler


def _position(own: Own) -> tuple[str, str, str]:
    _, event, group, _, handler = own.place
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(event)).lower(), str(group), str(handler)


def _real(path: Path) -> str:
    return os.path.realpath(path)


HOST: Final = Host(
    name=NAME,
    title="Codex",
    programs=("codex",),
    traces=lambda place: (hooks_file(place).parent,),
    registrations=_registrations,
    mcp=_mcp,
    hint=f"Codex asks for your trust first: {_HOW_TO_TRUST}.",
    obstacles=_obstacles,
)
"""Codex, as the table of hosts has it."""
