"""Cost: what having memd's tools costs each session of an agent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from memd.doors.mcp.guide import instructions
from memd.doors.mcp.peers import PEERS, offered
from memd.doors.mcp.placement import PROFILES, Profile, Tool
from memd.doors.mcp.schema import DETAILS, definition, listing, tokens
from memd.operations.description import OperationAnswer

MOST: Final[Mapping[Profile, int]] = MappingProxyType(
    {"recall": 900, "record": 1_800, "full": 4_200, **dict.fromkeys(PEERS, 2_600)}
)
"""Tokens that a profile may cost."""
MOST_LISTED: Final[Mapping[Profile, int]] = MappingProxyType(
    {"recall": 2_048, "record": 8_192, "full": 16_384, **dict.fromkeys(PEERS, 10_240)}
)
"""Bytes that the list of its tools may have."""


@dataclass(frozen=True, slots=True)
class Cost:
    """A profile's cost in tokens, tools and instructions together, at four characters a token."""

    profile: Profile
    tools: tuple[str, ...]
    actions: int
    tokens: int
    most: int


def definitions(listed: Sequence[Tool], profile: Profile) -> list[dict[str, object]]:
    """Return a profile's tools as they are listed: as much said of them as the profile may cost."""
    told: list[dict[str, object]] = []
    for detail in DETAILS[profile not in {"recall", "record"}]:
        told = [definition(tool, detail) for tool in listed]
        cheap = tokens(told, instructions(tuple(listed))) <= MOST[profile]
        if cheap and len(listing(told)) <= MOST_LISTED[profile]:
            break
    return told


def costs(operations: Iterable[OperationAnswer]) -> tuple[Cost, ...]:
    """Return what each profile costs."""
    listed = tuple(operations)
    return tuple(_cost(listed, profile) for profile in (*PROFILES, *PEERS))


def _cost(operations: tuple[OperationAnswer, ...], profile: Profile) -> Cost:
    found = offered(operations, profile)
    spent = tokens(definitions(found, profile), instructions(found))
    actions = sum(len(tool.actions) for tool in found)
    return Cost(profile, tuple(tool.name for tool in found), actions, spent, MOST[profile])
