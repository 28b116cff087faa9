"""Cost: what having memd's tools costs each session of an agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from memd.doors.mcp.guide import instructions
from memd.doors.mcp.placement import PROFILES, Profile, tools
from memd.doors.mcp.schema import definition, tokens
from memd.operations.description import OperationAnswer

MOST: Final[Mapping[Profile, int]] = MappingProxyType({"recall": 900, "record": 1_800, "full": 4_200})
"""Tokens that a profile may cost."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A profile's cost in tokens, tools and instructions together, at four characters a token."""

    profile: Profile
    tools: tuple[str, ...]
    actions: int
    tokens: int
    most: int


def costs(operations: Iterable[OperationAnswer]) -> tuple[Cost, ...]:
    """Return what each profile costs."""
    listed = tuple(operations)
    return tuple(_cost(listed, profile) for profile in PROFILES)


def _cost(operations: tuple[OperationAnswer, ...], profile: Profile) -> Cost:
    offered = tools(operations, profile)
    spent = tokens([definition(tool, full=profile == "full") for tool in offered], instructions(offered))
    actions = sum(len(tool.actions) for tool in offered)
    return Cost(profile, tuple(tool.name for tool in offered), actions, spent, MOST[profile])
