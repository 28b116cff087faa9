"""Tools: what an agent is offered, what it may say, and how much it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.doors.mcp.arguments import Call, WrongArguments, brief, understand
from memd.doors.mcp.cost import MOST_LISTED, costs, definitions
from memd.doors.mcp.guide import INSTRUCTIONS_LIMIT, instructions
from memd.doors.mcp.peers import PEERS, offered
from memd.doors.mcp.placement import PROFILES, Tool, tools
from memd.doors.mcp.schema import listing, takes
from memd.doors.mcp.shape import page, plain_hits, prune, text_of
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from memd.operations.description import OperationAnswer

ALL = tuple(map(describe, OPERATIONS.values()))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def fake(name: str, properties: dict[str, Any], required: list[str], *, destroys: bool = False) -> OperationAnswer:
    shape = {"type": "object", "properties": properties, "required": required}
    return OperationAnswer(name, "Do it.", not destroys, destroys, destroys, shape)


def tool_of(operation: OperationAnswer) -> Tool:
    (tool,) = tools([operation], "full")
    return tool


def test_the_tools_are_few_and_cost_what_was_promised() -> None:
    for cost in costs(ALL):
        assert len(cost.tools) <= 6 or cost.profile in PEERS
        assert cost.tokens <= cost.most, cost
    for profile in (*PROFILES, *PEERS):
        listed = listing(definitions(offered(ALL, profile), profile))
        assert len(listed.encode()) <= MOST_LISTED[profile], profile


def test_when_there_is_more_to_offer_less_is_said_of_each() -> None:
    many = [
        fake(f"graph.{name}_{number}", {"node": {"type": "string"}}, ["node"]) for number in range(60) for name in "a"
    ]

    (cost,) = [cost for cost in costs([*ALL, *many]) if cost.profile == "full"]

    assert cost.actions == sum(len(tool.actions) for tool in tools(ALL, "full")) + 60
    assert cost.tokens <= cost.most


@pytest.mark.parametrize("profile", PROFILES)
def test_the_instructions_are_short_and_speak_of_the_tools_that_are_there(profile: Any) -> None:
    offered = tools(ALL, profile)
    said = instructions(offered)

    assert len(said) <= INSTRUCTIONS_LIMIT
    for tool in offered:
        assert f"{tool.name}:" in said
    assert ("remember:" in said) == any(tool.name == "remember" for tool in offered)


def test_the_smaller_profiles_only_read_or_only_keep() -> None:
    recall = [action.operation for tool in tools(ALL, "recall") for action in tool.actions.values()]
    record = [action.operation for tool in tools(ALL, "record") for action in tool.actions.values()]

    assert all(operation.reads for operation in recall)
    assert not any(operation.destroys for operation in record)
    assert {operation.name for operation in recall} <= {operation.name for operation in record}


def test_every_parameter_of_an_action_is_in_its_tools_schema() -> None:
    offered = tools(ALL, "full")
    told: list[Any] = [*definitions(offered, "full")]
    for tool, listed in zip(offered, told, strict=True):
        properties = listed["inputSchema"]["properties"]
        for action in tool.actions.values():
            assert set(takes(action)) <= set(properties)
            assert f"\n{action.name}(" in listed["description"]


@given(st.dictionaries(st.sampled_from(["action", "query", "limit", "offset", "max_chars", "project", "zz"]), JSON))
def test_whatever_an_agent_says_is_a_call_or_a_short_sentence(arguments: dict[str, Any]) -> None:
    for tool in tools(ALL, "full"):
        call, sentence = None, ""
        try:
            call = understand(tool, arguments, "/srv/harbor")
        except WrongArguments as error:
            sentence = str(error)
        if call is None:
            assert 0 < len(sentence) <= 300
        else:
            assert set(call.parameters) <= set(call.action.parameters)


def test_what_destroys_only_previews_until_it_is_confirmed() -> None:
    by_itself = tool_of(
        fake("facts.purge", {"dry_run": {"type": "boolean"}, "all": {"type": "boolean"}}, [], destroys=True)
    )
    plainly = tool_of(fake("edges.drop", {"edge": {"type": "string"}}, ["edge"], destroys=True))

    def call(tool: Tool, **more: object) -> Call:
        (name,) = tool.actions
        return understand(tool, {"action": name, **more}, None)

    assert call(by_itself).parameters == {"dry_run": True}
    assert call(by_itself, apply=True).parameters == {"dry_run": False}
    assert not call(by_itself).preview
    assert call(plainly, edge="e").preview
    assert not call(plainly, edge="e", apply=True).preview


def test_an_action_is_understood_by_its_last_word_where_that_is_meant_alone() -> None:
    graph = next(tool for tool in tools(ALL, "full") if tool.name == "graph")
    meant = understand(graph, {"action": "callers", "symbol": "read_tide"}, "/srv/harbor")
    assert (meant.action.operation.name, meant.project) == ("code.callers", "/srv/harbor")
    again = understand(graph, {"action": " Code_Callers ", "symbol": "read_tide"}, "/srv/harbor")
    assert again.action == meant.action
    with pytest.raises(WrongArguments, match=r"'code_caller' \(did you mean 'code_callers'\?\); it is one of"):
        understand(graph, {"action": "code_caller", "symbol": "read_tide"}, None)
    for nothing in ("", "  ", None, 5, "z" * 1_000_000):
        with pytest.raises(WrongArguments, match="graph: "):
            understand(graph, {"action": nothing}, None)
    with pytest.raises(WrongArguments, match="is about one project"):
        understand(graph, {"action": "callers", "symbol": "read_tide", "project": "all"}, "/srv/harbor")
    with pytest.raises(WrongArguments, match="needs 'project'"):
        understand(graph, {"action": "callers", "symbol": "read_tide"}, None)
    with pytest.raises(WrongArguments, match="there is no action 'flights'"):
        understand(graph, {"action": "flights"}, "/srv/harbor")


def test_the_place_is_the_project_unless_another_is_named() -> None:
    (search,) = [tool for tool in tools(ALL, "recall") if tool.name == "search"]

    assert understand(search, {"query": "x"}, "/srv/harbor").project == "/srv/harbor"
    assert understand(search, {"query": "x", "project": "shop"}, "/srv/harbor").project == "shop"
    assert "project" not in understand(search, {"query": "x", "project": "all"}, "/srv/harbor").parameters


@given(JSON, st.integers(200, 3000))
def test_an_answer_is_cut_to_what_was_asked_for(value: Any, most: int) -> None:
    told = page([value] * 30, offset=0, limit=20, max_chars=most)

    assert len(told.value) <= 20
    if len(told.value) > 1:
        assert sum(len(json.dumps(one, ensure_ascii=False)) for one in told.value) <= most * 2
    assert told.next_offset is not None
    assert told.next_offset + (told.left or 0) == 30


def test_pages_follow_one_another_without_gap_or_overlap() -> None:
    value = {"query": "x", "hits": [{"text": f"{number} " + "word " * 50} for number in range(25)]}
    seen, offset = [], 0
    while True:
        told = page(value, offset=offset, limit=10, max_chars=1_000)
        seen += [hit["text"].split()[0] for hit in told.value["hits"]]
        if told.next_offset is None:
            break
        offset = told.next_offset

    assert seen == [str(number) for number in range(25)]


def test_a_text_that_is_all_there_is_takes_all_the_room_and_beside_a_list_a_third() -> None:
    text = "The lamp is lit at dusk. " * 400
    alone, beside, fitting = (
        page({"text": said, **more}, offset=0, limit=10, max_chars=6_000).value
        for said, more in ((text, {}), (text, {"hits": ["x"]}), (text[:5_000], {"hits": ["x"]}))
    )

    assert 5_900 < len(alone["text"]) <= 6_000
    assert "characters left out" in alone["text"]
    assert 1_900 < len(beside["text"]) <= 2_000
    assert fitting == {"text": text[:5_000], "hits": ["x"]}


def test_what_says_nothing_is_left_out_and_lines_are_plain() -> None:
    value: dict[str, Any] = {
        "a": None,
        "b": "",
        "c": [],
        "d": {"e": {}},
        "f": 0,
        "g": False,
        "h": 0.12345,
        "i": ["x", {"j": "k\nl"}],
    }

    assert prune(value) == {"f": 0, "g": False, "h": 0.123, "i": ["x", {"j": "k\nl"}]}
    assert text_of(prune(value)).split("\n") == ["f: 0", "g: false", "h: 0.123", "i:", "  - x", "  - j: k", "      l"]


def test_the_readme_tells_of_every_tool_and_what_a_profile_may_cost() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    table = readme.partition("<!-- mcp:start -->")[2].partition("<!-- mcp:end -->")[0]

    for cost in costs(ALL):
        assert f"| {cost.profile} |" in table
        assert f"{cost.most:,} |" in table
        for tool in cost.tools:
            assert f"`{tool}`" in table


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("There is no fact 'zz'.", "There is no fact 'zz'."),
        (f"There is no fact '{'z' * 400}'; name another.", f"There is no fact '{'z' * 100}…'; name another."),
        ("a" * 400, "a" * 299 + "…"),
    ],
    ids=["short", "long value", "long sentence"],
)  # fmt: skip
def test_an_error_is_short_and_what_it_quotes_is_cut_before_what_it_says(sentence: str, told: str) -> None:
    assert brief(sentence) == told


def test_that_nothing_was_found_is_said_before_the_few_that_come_nearest() -> None:
    hits = [{"text": f"The lamp of pier {pier}"} for pier in range(8)]

    missed = plain_hits({"query": "whale", "hits": hits, "found": False})
    met = plain_hits({"query": "lamp", "hits": hits, "found": True})

    assert text_of(missed).startswith("found: false")
    assert missed == {"query": "whale", "found": False, "hits": hits[:3]}
    assert met == {"query": "lamp", "found": True, "hits": hits}


def test_of_a_hit_is_told_what_it_says_and_not_how_it_was_found() -> None:
    said = "The tide gauge stands on pier 4. It was moved there."
    hit = {
        "text": said,
        "sentence": "The tide gauge stands on pier 4.",
        "score": 0.9,
        "lanes": ["words"],
        "host": "codex",
    }
    answer = {"query": "gauge", "lanes": ["words"], "hits": [hit, {**hit, "sentence": "From the minutes of May."}]}

    told = plain_hits(answer)

    assert told == {
        "query": "gauge",
        "lanes": ["words"],
        "hits": [{"text": said, "score": 0.9}, {"text": said, "sentence": "From the minutes of May.", "score": 0.9}],
    }
