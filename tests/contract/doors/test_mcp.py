"""Agents reach every operation through MCP: the SDK's own client, each era of the protocol, each profile."""

from __future__ import annotations

import io
import json
import time
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from anyio import to_thread
from mcp import Client, MCPError
from mcp_types import LATEST_PROTOCOL_VERSION

from memd.doors.cli import client as cli_client
from memd.doors.cli import operate
from memd.doors.cli.main import run
from memd.doors.cli.terminal import Terminal
from memd.doors.mcp.guide import INSTRUCTIONS_LIMIT, PROMPTS
from memd.doors.mcp.placement import HIDDEN, PROFILES, place, tools
from memd.doors.mcp.pump import ASKED_BY_ALL, VERSION
from memd.doors.mcp.shape import page, plain_hits
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from tests.contract.doors.agent import HELLO, agent_of, server
from tests.contract.doors.conftest import DECIDED, Home
from tests.contract.doors.test_every_operation import PARAMS, ask, params_of

OFFERED = [name for name in PARAMS if name not in HIDDEN]
# Two calls a moment apart tell the same of these.
MOVING = {"status", "health", "jobs.list", "traces.list", "whoami", "facts.show"}
# What takes along that which all the others are tried with is only shown here.
PREVIEWED = {"sessions.forget", "messages.forget", "projects.delete"}
STILL = [name for name in OFFERED if OPERATIONS[name].reads and not OPERATIONS[name].writes and name not in MOVING]


def arguments_of(op: str, params: dict[str, object]) -> tuple[str, dict[str, object]]:
    """The tool that an operation is called by, and its arguments."""
    described = describe(OPERATIONS[op])
    placed = place(described)
    assert placed is not None
    tool, action = placed
    everywhere = {"project": "all"} if "project" in properties_of(op) else {}
    sure = {"apply": True} if described.destroys and op not in PREVIEWED else {}
    return tool, {"action": action, **everywhere, **sure, **params}


def properties_of(op: str) -> dict[str, Any]:
    """What an operation can be given, by name."""
    properties = describe(OPERATIONS[op]).parameters["properties"]
    assert isinstance(properties, dict)
    return properties


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_sdks_client_finds_lists_and_reads(mode: str, lived_in: Home) -> None:
    async with Client(server(lived_in), mode=mode) as client:
        listed = await client.list_tools()
        found = await client.call_tool("search", {"query": "sqlite instead of postgres"})
        resources = await client.list_resources()
        session = next(str(one.uri) for one in resources.resources if "session" in str(one.uri))
        text = (await client.read_resource(session)).contents[0].text  # type: ignore[union-attr]
        prompts = await client.list_prompts()
        prompt = await client.get_prompt("recall", {"topic": "tides"})

    assert len(listed.tools) <= 6
    assert not found.is_error
    assert found.structured_content["project"] == str(lived_in.project)
    assert found.structured_content["result"]["hits"][0]["kind"] == "decision"
    assert "SQLite instead of Postgres" in found.content[0].text  # type: ignore[union-attr]
    assert "Postgres" in text
    assert {one.name for one in prompts.prompts} <= set(PROMPTS)
    assert "tides" in prompt.messages[0].content.text  # type: ignore[union-attr]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_version_of_the_handshake_is_answered_as_it_was_asked(version: str, lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        answer = pumped.ask(
            "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "a", "version": "1"}
        )

    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "memd"
    assert 0 < len(answer["result"]["instructions"]) <= INSTRUCTIONS_LIMIT


@pytest.mark.parametrize("version", ["2024-11-05", "2025-11-25", "2026-07-28"])
@pytest.mark.parametrize("profile", ["", *PROFILES])
def test_the_next_client_is_told_what_the_sdk_told_the_first(version: str, profile: str, lived_in: Home) -> None:
    asked = [method for method in ASKED_BY_ALL if method not in ("initialize", "server/discover")]
    modern = {
        VERSION: version,
        "io.modelcontextprotocol/clientInfo": HELLO["clientInfo"],
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def all_that_is_told() -> list[object]:
        with agent_of(lived_in, *([f"--profile={profile}"] if profile else [])) as pumped:
            if version == LATEST_PROTOCOL_VERSION:
                return [pumped.ask(method, _meta=modern) for method in ("server/discover", *asked)]
            greeted = pumped.ask("initialize", **{**HELLO, "protocolVersion": version})
            pumped.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
            return [greeted, *(pumped.ask(method) for method in asked)]

    known = lived_in.paths.greetings_dir / f"{profile}-{version}"
    known.unlink(missing_ok=True)
    first = all_that_is_told()
    kept = {line.split(" ", 1)[0] for line in known.read_text().splitlines()}

    assert kept == {"server/discover" if version == LATEST_PROTOCOL_VERSION else "initialize", *asked}
    assert all_that_is_told() == first


def test_a_session_that_is_over_at_once_starts_no_process_and_another_has_it_before_it_asks(home: Home) -> None:
    assert home.memd("install", "--yes").status == 0
    with agent_of(home) as pumped:
        pumped.greet()
        offered = pumped.ask("tools/list")
    assert home.memd("restart").status == 0
    with agent_of(home) as pumped:
        pumped.greet()

        assert pumped.ask("tools/list") == offered
        assert not home.paths.mcp_socket.exists()
    assert not home.paths.mcp_socket.exists()
    with agent_of(home) as pumped:
        pumped.greet()
        end = time.monotonic() + 120
        while not home.paths.mcp_socket.exists():  # nothing was asked
            assert time.monotonic() < end
            time.sleep(0.05)
        assert pumped.call("session", action="whoami")["structuredContent"]["result"]


def test_who_comes_from_another_memory_saves_finds_and_takes_back_under_its_names(lived_in: Home) -> None:
    with agent_of(lived_in, "--profile=thoth") as pumped:
        pumped.greet()
        named = {tool["name"] for tool in pumped.ask("tools/list")["result"]["tools"]}
        saved = pumped.call("mem_save", title="Gulls", content="The gulls on the quay are fed at noon", type="note")
        fact = saved["structuredContent"]["result"]["fact"]["id"]
        found = pumped.call("mem_recall", query="gulls fed at noon")["structuredContent"]
        shown = pumped.call("mem_get", id=fact)["structuredContent"]["result"]
        unknown = pumped.ask("tools/call", name="search", arguments={"query": "gulls"})
    with agent_of(lived_in, "--profile=memvault") as pumped:
        pumped.greet()
        pumped.call("memory_delete", memory_id=fact)
        missing = pumped.call("memory_get", memory_id="0123456789")

    assert named == {"mem_save", "mem_recall", "mem_context", "mem_get", "mem_project", "mem_session"}
    assert found["project"] == str(lived_in.project)
    assert fact in {hit.get("id") for hit in found["result"]["hits"]}
    assert shown["fact"]["title"] == "Gulls"
    assert "error" in unknown
    assert ask(lived_in, "facts.show", {"fact": fact})["fact"]["status"] == "retracted"
    assert missing["isError"]
    assert len(missing["content"][0]["text"]) <= 300


async def test_every_operation_answers_an_agent(lived_in: Home) -> None:
    async with Client(server(lived_in)) as client:
        for op in OFFERED:
            tool, arguments = arguments_of(op, await to_thread.run_sync(params_of, lived_in, op))
            told = await client.call_tool(tool, arguments)
            assert not told.is_error, (op, told.content)


async def test_an_agent_is_told_what_the_socket_tells(lived_in: Home) -> None:
    async with Client(server(lived_in)) as client:
        for op in STILL:
            params = await to_thread.run_sync(params_of, lived_in, op)
            tool, arguments = arguments_of(op, params)
            told = await client.call_tool(tool, {**arguments, "limit": 400, "max_chars": 60_000})
            # As many of the socket, however much other tests have put into the home by now.
            as_many: dict[str, object] = {"limit": 400} if "limit" in properties_of(op) else {}
            answer = await to_thread.run_sync(ask, lived_in, op, {**as_many, **params})
            if op == "search":
                answer = plain_hits(answer)
            expected = page(answer, offset=0, limit=400, max_chars=60_000).value
            assert told.structured_content["result"] == expected, op


def test_a_person_is_told_what_the_socket_tells(lived_in: Home) -> None:
    offered = {
        action.operation.name: (group, name, action)
        for group in operate.GROUPS
        for name, action in operate.actions_of(group).items()
    }
    for op in STILL:
        params = params_of(lived_in, op)
        group, name, action = offered[op]
        out = io.StringIO()
        words = [*operate.words_of(action, params), "--json"]
        status = run([group, name, *words], lived_in.env, Terminal(out, io.StringIO()))
        assert status == 0, (op, words)
        assert json.loads(out.getvalue()) == ask(lived_in, op, params), op


@pytest.mark.parametrize(
    ("op", "params"),
    [("sessions.show", {"session": "zz"}), ("facts.show", {"fact": "zz"}), ("search", {"query": "x", "project": "zz"})],
    ids=str,
)
async def test_an_error_says_the_same_through_every_door(op: str, params: dict[str, object], lived_in: Home) -> None:
    tool, arguments = arguments_of(op, params)
    with pytest.raises(cli_client.Refused) as refused:
        cli_client.call(lived_in.paths.socket, op, params)

    async with Client(server(lived_in)) as client:
        told = await client.call_tool(tool, arguments)

    assert told.is_error
    sentence = told.content[0].text  # type: ignore[union-attr]
    assert sentence.startswith(str(refused.value))
    assert len(sentence) <= 300
    words = [f"{name}={value}" for name, value in params.items()]
    assert str(refused.value) in lived_in.memd("call", op, *words).err


@pytest.mark.parametrize(
    ("op", "params"),
    [
        ("facts.timeline", {"fact": "$FACT", "before": 1_000}),
        ("relations.traverse", {"start": "$FACT", "depth": 100}),
        ("jobs.run", {"job": "nosuch"}),
        ("facts.remember", {"text": " ", "scope": "everywhere"}),
        ("search", {"query": "x", "limit": 0}),
    ],
    ids=str,
)
async def test_a_wrong_value_is_told_of_what_was_asked_as_each_door_calls_it(
    op: str, params: dict[str, object], lived_in: Home
) -> None:
    fact = ask(lived_in, "facts.list", {})[0]["id"]
    params = {name: fact if value == "$FACT" else value for name, value in params.items()}
    tool, arguments = arguments_of(op, params)
    with pytest.raises(cli_client.Refused) as refused:
        cli_client.call(lived_in.paths.socket, op, params)
    _, problem = str(refused.value).split(": ", 1)

    async with Client(server(lived_in)) as client:
        told = await client.call_tool(tool, arguments)
    words = [f"{name}={value}" for name, value in params.items()]

    if op != "search":  # a limit is the tool's own
        assert told.content[0].text == f"{tool} {arguments['action']}: {problem}"  # type: ignore[union-attr]
    assert lived_in.memd("call", op, *words).err == f"memd: {op}: {problem}\n"


@pytest.mark.parametrize(
    ("tool", "arguments", "hint"),
    [
        ("search", {}, "'query'"),
        ("search", {"action": "fly"}, "find"),
        ("search", {"query": "x", "nonsense": 1}, "'nonsense'"),
        ("search", {"query": "x", "limit": "many"}, "limit"),
        ("search", {"query": 7}, "query"),
        ("search", {"query": "x", "offset": -1}, "offset"),
        ("admin", {}, "status"),
    ],
    ids=str,
)
async def test_wrong_arguments_are_errors_that_say_what_to_change(
    tool: str, arguments: dict[str, Any], hint: str, lived_in: Home
) -> None:
    async with Client(server(lived_in), mode="legacy") as client:
        told = await client.call_tool(tool, arguments)

    sentence = told.content[0].text  # type: ignore[union-attr]
    assert told.is_error
    assert hint in sentence
    assert len(sentence) <= 300


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "needs the name of a tool"),
        ({"name": 5, "arguments": {}}, "needs the name of a tool"),
        ({"name": "search", "arguments": ["query"]}, "arguments must be an object"),
        ({"name": "search", "arguments": "query"}, "not a text"),
        ({"name": "search", "arguments": 7}, "not a number"),
        ({"name": "nobody" * 9_000, "arguments": {}}, "there are search, session"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_call_that_is_none_is_refused_with_what_one_needs(params: dict[str, Any], said: str, lived_in: Home) -> None:
    with agent_of(lived_in) as pumped:
        pumped.greet()
        error = pumped.ask("tools/call", **params)["error"]
        assert pumped.ask("ping")["result"] == {}

    assert said in error["message"]
    assert len(error["message"]) <= 300


def test_an_agent_is_told_what_to_do_in_words_that_it_can_call(lived_in: Home) -> None:
    project = str(params_of(lived_in, "projects.delete")["project"])
    with agent_of(lived_in, "--profile=full") as pumped:
        pumped.greet()
        told = pumped.call("graph", action="code_subsystems", project=project)

    assert told["isError"]
    assert told["content"][0]["text"].endswith("graph code_index reads it.")


async def test_a_tool_of_another_profile_does_not_exist(lived_in: Home) -> None:
    async with Client(server(lived_in, "recall")) as client:
        listed = await client.list_tools()
        with pytest.raises(MCPError, match="no tool 'admin'"):
            await client.call_tool("admin", {"action": "status"})

    assert {tool.name for tool in listed.tools} == {"search", "session"}
    assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed.tools)


async def test_every_tool_says_what_it_does_and_what_it_answers(lived_in: Home) -> None:
    async with Client(server(lived_in)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
        answers = [await client.call_tool("session", {}), await client.call_tool("search", {"query": "sqlite"})]

    for tool in listed.values():
        hints = tool.annotations
        assert hints is not None
        assert None not in (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint)
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
        assert tool.output_schema is not None
    for answer in answers:
        jsonschema.validate(answer.structured_content, listed["search"].output_schema)


def test_the_project_is_the_one_the_agent_works_in_and_can_be_named(lived_in: Home) -> None:
    inside = lived_in.project / "src"
    inside.mkdir(exist_ok=True)
    with agent_of(lived_in, cwd=inside) as pumped:
        pumped.greet()
        here, everywhere = pumped.call("session"), pumped.call("session", project="all")
        named = pumped.call("session", project="harbor")
    with agent_of(lived_in, cwd=lived_in.folder, CLAUDE_PROJECT_DIR=str(lived_in.project)) as pumped:
        pumped.greet()
        by_env = pumped.call("session")
    with agent_of(lived_in, cwd=lived_in.folder) as pumped:
        pumped.greet()
        nowhere = pumped.call("session")

    root = str(lived_in.project)
    assert [one["structuredContent"]["project"] for one in (here, named, by_env)] == [root] * 3
    assert everywhere["structuredContent"]["project"] == "all"
    assert nowhere["isError"]
    assert 'project: "all"' in nowhere["content"][0]["text"]


def test_long_answers_are_pages_that_lead_on(lived_in: Home) -> None:
    ask(lived_in, "facts.remember", {"text": "The lamps of the pier are lit at dusk"})
    with agent_of(lived_in) as pumped:
        pumped.greet()
        first = pumped.call("session", action="show", session=DECIDED, limit=1)["structuredContent"]
        rest = pumped.call("session", action="show", session=DECIDED, offset=1)["structuredContent"]
        sessions = pumped.call("session", project="all", limit=1)["structuredContent"]
        later = pumped.call("session", project="all", limit=1, offset=1)["structuredContent"]
        facts = pumped.call("search", action="facts", project="all", limit=1)["structuredContent"]
        listed = ask(lived_in, "sessions.list", {})
        small = pumped.call("session", action="show", session=DECIDED, max_chars=200)["structuredContent"]

    assert first["next"] == {"offset": 1, "left": 2}
    assert len(first["result"]["messages"]) == 1
    assert len(rest["result"]["messages"]) == 2
    assert "next" not in rest
    assert sessions["next"] == {"offset": 1, "left": len(listed) - 1}
    assert later["result"][0]["id"] == listed[1]["id"]
    assert (len(facts["result"]), facts["next"]["offset"]) == (1, 1)
    assert len(small["result"]["messages"]) == 1


def test_a_long_fact_is_read_page_by_page_without_gap_and_a_wakeup_is_told_whole(lived_in: Home) -> None:
    text = " ".join(f"Lamp {number} of the long pier is lit at dusk." for number in range(600))
    fact = ask(lived_in, "facts.remember", {"text": text})["fact"]["id"]
    for number in range(40):
        said = f"The keeper of berth {number} paints it in the colour of barrel {number * 7}, as its owner wants it"
        kind = ("convention", "decision", "bugfix")[number % 3]
        ask(lived_in, "facts.remember", {"text": said, "kind": kind, "project": "harbor"})
    pages: list[str] = []
    with agent_of(lived_in, "--profile=full") as pumped:
        pumped.greet()
        following: dict[str, Any] = {"offset": 0}
        while following:
            told = pumped.call("search", action="page", fact=fact, **following)["structuredContent"]
            pages.append(told["result"]["text"])
            following = told.get("next", {})
        few = pumped.call("search", action="page", fact=fact, max_chars=500)["structuredContent"]
        woken = pumped.call("session", action="wakeup")["structuredContent"]["result"]["text"]

    assert "".join(pages) == text
    assert (len(pages), len(few["result"]["text"]), few["next"]["offset"]) == (4, 500, 500)
    assert woken == ask(lived_in, "wakeup", {"project": str(lived_in.project)})["text"]
    assert len(woken) > 8_000 // 3  # more than a text beside others is given


def test_every_operation_is_offered_or_hidden_on_purpose() -> None:
    offered = {
        action.operation.name
        for tool in tools(map(describe, OPERATIONS.values()), "full")
        for action in tool.actions.values()
    }

    assert set(OPERATIONS) - offered == HIDDEN
