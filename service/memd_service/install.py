"""Install: everything that makes memd run, put on the machine in an order in which each step can rely on the last."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from memd.errors import MemdError
from memd_hooks.guidance import Kind
from memd_service.choose import choose
from memd_service.environment import Environment
from memd_service.guidance_part import guidance_part
from memd_service.hosts import host_parts, hosts_here
from memd_service.mcp_part import McpPart
from memd_service.parts import CommandPart, FoldersPart, Part, ServicePart, ShimPart, Step


@dataclass(frozen=True, slots=True)
class Plan:
    """What an install would do, part by part."""

    parts: tuple[Part, ...]
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Failure:
    """One part that could not be brought into the wanted state, and why."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """How an install went. With a failure, `done` holds, `undone` was not tried, and doing it again goes on."""

    done: tuple[str, ...]
    failed: Failure | None
    undone: tuple[str, ...]


def plan_install(environment: Environment, hosts: Collection[str] = (), guidance: tuple[Kind, ...] = ()) -> Plan:
    """Look at everything and change nothing. `hosts` are those to register in; none: all that are here.

    `guidance` is what hosts' models shall be told of memd in the person's own files, beside what was asked for earlier.

    Raises a MemdError where an install cannot succeed: Windows, a socket path that is too long, a settings
    file of a host that cannot be read.
    """
    told = guidance_part(environment, hosts_here(environment, hosts), guidance)
    parts: tuple[Part, ...] = (
        FoldersPart(environment),
        ShimPart(environment),
        McpPart(environment),
        CommandPart(environment),
        ServicePart(environment, choose(environment)),
        # Last, so that no host is ever told of a hook client or a daemon that is not there.
        *host_parts(environment, hosts),
        *((told,) if told.is_wanted else ()),
    )
    return Plan(parts, tuple(part.step() for part in parts))


def apply(plan: Plan) -> Report:
    """Do it. Stops at the first part that fails; what was done before stays and is right as it is."""
    done: list[str] = []
    for index, part in enumerate(plan.parts):
        try:
            done.append(part.install())
        except (MemdError, OSError) as error:
            undone = tuple(later.name for later in plan.parts[index + 1 :])
            return Report(tuple(done), Failure(part.name, str(error)), undone)
    return Report(tuple(done), None, ())
