"""Profiles in another memory's names: what they offer is memd's own, asked in their words."""

from __future__ import annotations

import pytest

from memd.config import McpConfig
from memd.doors.mcp import pump
from memd.doors.mcp.arguments import WrongArguments, understand
from memd.doors.mcp.cost import definitions
from memd.doors.mcp.peers import PEERS, offered
from memd.doors.mcp.placement import PROFILES, TITLES, Profile, Tool
from memd.doors.mcp.schema import hints
from memd.importers.registry import IMPORTERS
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe

ALL = tuple(map(describe, OPERATIONS.values()))


def tool(profile: Profile, name: str) -> Tool:
    (found,) = [one for one in offered(ALL, profile) if one.name == name]
    return found


def test_every_profile_is_known_to_the_pump_and_to_the_configuration() -> None:
    assert (*PROFILES, *PEERS) == pump.PROFILES
    for profile in pump.PROFILES:
        McpConfig(profile=profile)  # type: ignore[arg-type]  # a text of the pump's
    assert set(PEERS) <= set(IMPORTERS)


@pytest.mark.parametrize("profile", PEERS)
def test_every_line_names_an_operation_that_there_is_and_parameters_that_it_has(profile: Profile) -> None:
    for line in PEERS[profile].strip().splitlines():
        called, _, meaning = line.partition(": ")
        name, *words = meaning.split()
        known = set(describe(OPERATIONS[name]).parameters["properties"])  # type: ignore[call-overload]
        assert {word.partition(":=")[0].rpartition("=")[2] for word in words} <= known, called
        required = set(describe(OPERATIONS[name]).parameters["required"])  # type: ignore[call-overload]
        assert required <= {word.partition(":=")[0].rpartition("=")[2] for word in words}, called


@pytest.mark.parametrize("profile", PEERS)
def test_a_profile_has_the_names_of_one_memory_alone_and_none_of_memds(profile: Profile) -> None:
    own = {one.name for one in offered(ALL, profile)}

    assert not own & {one.name for other in PEERS if other != profile for one in offered(ALL, other)}
    assert not own & set(TITLES)


def test_arguments_are_given_in_the_other_memorys_words_and_meant_in_memds() -> None:
    call = understand(
        tool("thoth", "mem_save"), {"title": "Tides", "content": "They are kept in SQLite", "type": "decision"}, "/quay"
    )

    assert call.action.operation.name == "facts.remember"
    assert call.parameters == {
        "title": "Tides", "text": "They are kept in SQLite", "kind": "decision", "project": "/quay",
    }  # fmt: skip


def test_what_a_tool_always_means_need_not_be_given() -> None:
    call = understand(tool("rawthink", "record_decision"), {"title": "Tides", "decision": "SQLite"}, None)

    assert call.parameters == {"title": "Tides", "decided": "SQLite", "kind": "decision"}


@pytest.mark.parametrize(
    ("given", "applied"), [({}, False), ({"dry_run": True}, False), ({"dry_run": False}, True), ({"apply": True}, True)]
)
def test_a_dry_run_is_what_is_done_unless_it_is_told_otherwise(given: dict[str, object], applied: bool) -> None:
    call = understand(tool("memvault", "memory_purge"), {"kind": "note", **given}, None)

    assert call.parameters == {"kind": "note", "apply": applied}


def test_an_argument_that_is_missing_or_unknown_is_named_in_the_words_of_the_profile() -> None:
    with pytest.raises(WrongArguments, match="memory_get needs 'memory_id'"):
        understand(tool("memvault", "memory_get"), {}, None)
    with pytest.raises(WrongArguments, match="takes no 'fact'; it takes memory_id"):
        understand(tool("memvault", "memory_get"), {"fact": "0a1b"}, None)


def test_a_tool_that_does_one_thing_asks_for_no_action_and_says_what_it_needs() -> None:
    listed = {told["name"]: told for told in definitions(offered(ALL, "memvault"), "memvault")}
    schema = listed["memory_get"]["inputSchema"]

    assert isinstance(schema, dict)
    assert schema["required"] == ["memory_id"]
    assert "action" not in schema["properties"]


def test_what_a_tool_does_to_data_is_told_as_in_every_profile() -> None:
    assert hints(tool("memvault", "memory_search"))["readOnlyHint"]
    assert hints(tool("memvault", "memory_purge"))["destructiveHint"]
    assert not hints(tool("agent_knowledge", "knowledge_graph"))["readOnlyHint"]
