"""Hosts: the coding agents that are told of memd's hook client."""

from __future__ import annotations

from memd_service.check import Check
from memd_service.environment import Environment
from memd_service.parts import Part


def host_parts(environment: Environment) -> tuple[Part, ...]:
    """Give the registrations, one for each host that is on this machine."""
    return ()


def host_checks(environment: Environment) -> tuple[Check, ...]:
    """Look at the registrations."""
    return ()
