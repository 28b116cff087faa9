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
from memd.importers.agent_knowledge import CATEGORIES
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
    named = {line.partition(": ")[2].split()[0] for line in PEERS[profile].strip().splitlines()}
    assert named <= set(OPERATIONS)
    for one in offered(ALL, profile):
        for action in one.actions.values():
            assert action.terms is not None
            meant = {*action.terms.names.values(), *action.terms.fixed}
            assert meant <= set(action.own), (one.name, action.name)
            assert set(action.operation.parameters["required"]) <= meant, (one.name, action.name)  # type: ignore[call-overload]
            assert set(action.terms.meanings) <= set(action.terms.names), (one.name, action.name)


@pytest.mark.parametrize("profile", PEERS)
def test_what_a_word_means_is_among_what_the_operation_takes(profile: Profile) -> None:
    for one in offered(ALL, profile):
        for action in one.actions.values():
            assert action.terms is not None
            for word, meanings in action.terms.meanings.items():
                name = action.terms.names[word]
                operation = OPERATIONS[action.operation.name]
                required = action.operation.parameters["required"]
                least: dict[str, object] = dict.fromkeys(required, "x")  # type: ignore[call-overload]
                items = action.own[name].get("items")
                if isinstance(items, dict):
                    assert set(meanings.values()) <= set(items["properties"]), (one.name, word)
                    continue
                for meaning in meanings.values():
                    operation.parse({**least, name: meaning})


@pytest.mark.parametrize("profile", PEERS)
def test_a_profile_has_the_names_of_one_memory_alone_and_none_of_memds(profile: Profile) -> None:
    own = {one.name for one in offered(ALL, profile)}

    assert not own & {one.name for other in PEERS if other != profile for one in offered(ALL, other)}
    assert not own & set(TITLES)


def test_a_category_is_the_kind_that_an_import_makes_of_it() -> None:
    for action in tool("agent_knowledge", "knowledge").actions.values():
        assert action.terms is not None
        assert action.terms.meanings.get("category") in (None, dict(CATEGORIES))


def test_arguments_are_given_in_the_other_memorys_words_and_meant_in_memds() -> None:
    call = understand(
        tool("thoth", "mem_save"), {"title": "Tides", "content": "They are kept in SQLite", "type": "decision"}, "/quay"
    )

    assert call.action.operation.name == "facts.remember"
    assert call.parameters == {
        "title": "Tides", "text": "They are kept in SQLite", "kind": "decision", "project": "/quay",
    }  # fmt: skip


def test_what_a_tool_always_means_need_not_be_given() -> None:
    call = understand(tool("rawthink", "record_decision"), {"name": "Tides", "decided": "SQLite"}, None)

    assert call.parameters == {"title": "Tides", "decided": "SQLite", "kind": "decision"}


@pytest.mark.parametrize(
    ("profile", "name", "given", "meant"),
    [
        (
            "agent_knowledge",
            "knowledge_graph",
            {"action": "list", "entry": "Quay", "direction": "outbound", "limit": 5},
            {"node": "Quay", "direction": "out", "limit": 5, "offset": 0},
        ),
        (
            "agent_knowledge",
            "knowledge_graph",
            {"action": "bulk_link", "edges": [{"source": "Quay", "target": "Pier", "rel_type": "part_of"}]},
            {"links": [{"source": "Quay", "target": "Pier", "relation": "part_of"}]},
        ),
        ("agent_knowledge", "knowledge", {"action": "list", "category": "decisions"}, {"kind": "decision"}),
        ("agent_knowledge", "knowledge_search", {"query": "quay", "max_results": 12}, {"query": "quay", "limit": 13}),
        (
            "agent_knowledge",
            "knowledge_admin",
            {"action": "promote", "promote_mode": "apply", "min_score": 0.7},
            {"apply": True, "score": 0.7},
        ),
        ("thoth", "mem_recall", {"query": "quay", "mode": "compact"}, {"query": "quay", "compact": True, "limit": 9}),
        ("memvault", "memory_search", {"query": "quay", "limit": 20}, {"query": "quay", "limit": 21}),
        (
            "memvault",
            "core_memory_append",
            {"label": "human", "value": "Ada", "value_limit": 900},
            {"label": "human", "value": "Ada", "limit": 900},
        ),
        (
            "rawthink",
            "create_relations",
            {"relations": [{"from": "Quay", "to": "Pier", "relationType": "part_of"}]},
            {"links": [{"source": "Quay", "target": "Pier", "relation": "part_of"}]},
        ),
        ("rawthink", "search_thoughts", {"query": "q", "mode": "overview"}, {"query": "q", "by_session": True}),
    ],
    ids=str,
)
def test_values_and_what_is_in_a_list_are_understood_in_its_words_as_well(
    profile: Profile, name: str, given: dict[str, object], meant: dict[str, object]
) -> None:
    call = understand(tool(profile, name), given, None)

    assert {name: call.parameters.get(name) for name in meant} == meant
    OPERATIONS[call.action.operation.name].parse(call.parameters)


def test_a_value_that_there_is_not_is_refused_with_those_of_the_profile() -> None:
    with pytest.raises(WrongArguments, match="direction must be one of outbound, inbound, both, not 'out'"):
        understand(tool("agent_knowledge", "knowledge_graph"), {"action": "list", "direction": "out"}, None)
    (schema,) = [
        told["inputSchema"]
        for told in definitions(offered(ALL, "agent_knowledge"), "agent_knowledge")
        if told["name"] == "knowledge_graph"
    ]
    assert isinstance(schema, dict)
    assert list(schema["properties"]["direction"]["enum"]) == ["outbound", "inbound", "both"]


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
