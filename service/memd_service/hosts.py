"""Hosts: the coding agents that are told of memd's hook client."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass, replace
from pathlib import Path

from memd.errors import SettingsError
from memd_hooks import claude_code, claude_code_status, manifest, registration, shim
from memd_hooks.claude_code_mcp import NAME as CLAUDE_CODE_MCP
from memd_hooks.claude_code_mcp import registration_of
from memd_hooks.hosts import HOSTS
from memd_hooks.registration import Registration
from memd_service.check import Check
from memd_service.environment import Environment
from memd_service.guidance_part import guidance_part
from memd_service.host_part import HostPart, place_of
from memd_service.parts import Part, Step


def host_names() -> tuple[str, ...]:
    """Give the names by which hosts can be chosen."""
    return (claude_code.HOST, *HOSTS)


def host_parts(environment: Environment, chosen: Collection[str] = ()) -> tuple[Part, ...]:
    """Give the registrations to install: those of the `chosen` hosts, or of those that are here.

    Claude Code is registered also where it is not here yet: whoever installs it later need not think of memd again.
    """
    place = place_of(environment)
    parts = [
        HostPart(environment, host, asked=name in chosen)
        for name, host in HOSTS.items()
        if (name in chosen if chosen else host.is_here(place))
    ]
    first = (ClaudeCodePart(environment),) if not chosen or claude_code.HOST in chosen else ()
    return (*first, *parts)


def hosts_here(environment: Environment, chosen: Collection[str] = ()) -> tuple[str, ...]:
    """Give the names of the `chosen` hosts, or of those that are here."""
    if chosen:
        return tuple(chosen)
    place = place_of(environment)
    claude = claude_code.settings_file(environment.home, environment.variables).parent
    first = (claude_code.HOST,) if claude.is_dir() or _program(environment) else ()
    return (*first, *(name for name, host in HOSTS.items() if host.is_here(place)))


def registered_parts(environment: Environment, chosen: Collection[str] = ()) -> tuple[Part, ...]:
    """Give what uninstall has to take back: in the `chosen` hosts, or in all, whether they are still here or not."""
    first = (ClaudeCodePart(environment),) if not chosen or claude_code.HOST in chosen else ()
    others = (HostPart(environment, host) for name, host in HOSTS.items() if not chosen or name in chosen)
    return (guidance_part(environment, chosen or host_names()), *first, *others)


def host_checks(environment: Environment) -> tuple[Check, ...]:
    """Look whether each host that is here runs the hook client, and runs it once."""
    others = (HostPart(environment, host).check() for host in HOSTS.values())
    return (_claude_code_check(environment), *_claude_code_mcp_check(environment), *filter(None, others))


@dataclass(frozen=True, slots=True)
class ClaudeCodePart:
    """The hooks in Claude Code's user settings."""

    environment: Environment

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "Claude Code"

    @property
    def _settings(self) -> Path:
        return claude_code.settings_file(self.environment.home, self.environment.variables)

    @property
    def _mcp(self) -> Registration:
        """Give the registration as an MCP server, in the file that Claude Code keeps its state in."""
        return registration_of(place_of(self.environment))

    def step(self) -> Step:
        """Say what has to be written; raise SettingsError when the settings cannot be read for certain."""
        plan = self._plan()
        steps = [f"{step} ({plan.settings})" for step in plan.steps]
        left = []
        try:
            steps += [f"{step} ({self._mcp.path})" for step in registration.steps_to_install(self._mcp)]
        except SettingsError as error:
            left.append(f"leave out {self._mcp.path} ({error.problem})")
        what = "; ".join((*steps, *left)) or f"hooks and MCP server are registered ({plan.settings})"
        return Step(self.name, what, bool(steps))

    def install(self) -> str:
        """Register the hooks and the MCP server; a state file that cannot be edited goes without the server."""
        state = self.environment.paths.state_dir
        plan = claude_code.apply(self._plan(), state)
        hooks = f"Claude Code runs memd's hooks ({plan.settings})"
        mcp = self._mcp
        try:
            registration.install(mcp, state)
        except SettingsError as error:
            return f"{hooks} but goes without its MCP server ({mcp.path} is left out: {error.problem})"
        return f"{hooks} and has its MCP server ({mcp.path})"

    def remove(self) -> tuple[str, ...]:
        """Take hooks and MCP server out of the settings, wherever they were written to."""
        here = self.environment
        noted = manifest.load(here.paths.manifest_file).files
        written = [record.path for record in noted if record.host == claude_code.HOST]
        removed = []
        for settings in dict.fromkeys((self._settings, *written)):
            plan = claude_code.apply(claude_code.plan_uninstall(settings), here.paths.state_dir)
            if plan.changes:
                removed.append(f"memd's hooks in {settings}")
        here_now = registration_of(place_of(here))
        elsewhere = [record.path for record in noted if record.host == CLAUDE_CODE_MCP]
        removed += [
            f"memd's MCP server in {path}"
            for path in dict.fromkeys((here_now.path, *elsewhere))
            if registration.uninstall(replace(here_now, path=path), here.paths.state_dir)
        ]
        return tuple(removed)

    def _plan(self) -> claude_code.Plan:
        here = self.environment
        return claude_code.plan_install(self._settings, _command(here), version=_version(here))


def _command(environment: Environment) -> str:
    return shim.hook_command(environment.python, environment.paths.hook_shim, claude_code.HOST)


def _version(environment: Environment) -> claude_code.Version | None:
    """Look up the version of this user's Claude Code; None where there is none or it cannot be told."""
    return claude_code_status.installed_version(_program(environment))


def _program(environment: Environment) -> Path | None:
    usual = (environment.home / ".local" / "bin", environment.home / ".claude" / "local")
    search = os.pathsep.join((environment.variables.get("PATH", ""), *map(str, usual)))
    program = shutil.which("claude", path=search)
    return Path(program) if program else None


def _claude_code_check(environment: Environment) -> Check:
    settings = claude_code.settings_file(environment.home, environment.variables)
    found = claude_code_status.status(
        settings,
        _command(environment),
        version=_version(environment),
        others=claude_code_status.managed_settings(environment.platform),
    )
    again = "run `memd install` again"
    name = "Claude Code"
    if found.unreadable is not None:
        return Check(name, False, f"{settings}: {found.unreadable}", f"mend it, then {again}")
    if found.disabled_by is not None:
        return Check(name, False, f"{found.disabled_by} switches all hooks off", "take disableAllHooks out of it")
    if found.managed_only_by is not None:
        detail = f"{found.managed_only_by} allows the hooks of your organisation only"
        return Check(name, False, detail, "ask who manages this machine to allow memd's hooks")
    for events, problem in (
        (found.missing, "not registered for"),
        (found.doubles, "registered more than once for"),
        (found.stale, "registered with an older command for"),
    ):
        if events:
            return Check(name, False, f"{settings}: {problem} {', '.join(events)}", again)
    return Check(name, True, f"hooks are registered once ({settings})")


def _claude_code_mcp_check(environment: Environment) -> tuple[Check, ...]:
    wanted = registration_of(place_of(environment))
    noted = {record.host for record in manifest.load(environment.paths.manifest_file).files}
    if noted.isdisjoint((claude_code.HOST, CLAUDE_CODE_MCP)):
        return ()  # nothing of memd's was registered, which the check of the hooks tells
    name, again = "Claude Code MCP", "run `memd install` again"
    try:
        missing = registration.steps_to_install(wanted)
    except SettingsError as error:
        return (Check(name, False, f"{wanted.path}: {error.problem}", f"mend it, then {again}"),)
    if missing:
        return (Check(name, False, f"{wanted.path} has no MCP server of memd's as it should be", again),)
    return (Check(name, True, f"memd is among its MCP servers ({wanted.path})"),)
