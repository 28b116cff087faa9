"""The real agents call memd's tools: what `memd install` registered is offered to their model, and answers it."""

from __future__ import annotations

import pytest

from tests.hosts import stories
from tests.hosts.claude_code_client import Desk
from tests.hosts.memd_under_test import Memd, decide
from tests.hosts.script import Call, rule, script
from tests.hosts.scripted_model import ScriptedModel
from tests.hosts.seat import Seat

pytestmark = [pytest.mark.hosts, pytest.mark.timeout(300)]

NONE = ("aider", "continue")
QUESTION = "Ask your memory where the tides are kept."
ANSWERED = "The memory was asked."


QUERY = {"query": "importer", "project": "all"}
DEFERRED = {
    "claude_code": Call("mcp__memd__search", {"query": "sqlite tide table"}),
    "codex": Call("mcp__memd::search", QUERY),
    "qwen": Call("tool_call", {"name": "mcp__memd__search", "arguments": QUERY}),
}
"""How a model calls the tool in hosts that keep MCP tools out of the list until it asks for them."""


def search_tool(seat: Seat, phrase: str) -> str | None:
    """The name under which a host offers memd's search to its model; None where it offers none of memd's."""
    offered = {name for one in seat.model.asked(phrase) for name in one.conversation.offered_tools}
    return next((name for name in sorted(offered) if "memd" in name and "search" in name), None)


def test_claude_code_asks_memd(desk: Desk, memd: Memd, model: ScriptedModel) -> None:
    decide(desk, memd)
    memd.wait_for_fact("SQLite")
    model.script = script(rule(QUESTION, DEFERRED["claude_code"], ANSWERED), *model.script.rules)

    told = desk.ask(QUESTION, "--allowedTools", "mcp__memd")

    assert told.exit_code == 0, told.stderr
    # Its tool search keeps MCP tools out of the first request; a call by name is answered all the same.
    last = model.asked(QUESTION)[-1].conversation.text
    assert "harbour office has no server" in last
    assert ANSWERED in told.stdout


def test_another_agent_asks_memd(seat: Seat, memd: Memd) -> None:
    if seat.client.host in NONE:
        pytest.skip(f"{seat.client.title} knows no MCP servers but those of its own configuration")
    # A host that does not wait for its servers has them by its second session.
    for _ in range(2):
        seat.ask(stories.NEXT_STEP)
    tool = search_tool(seat, stories.NEXT_STEP)
    call = Call(tool, QUERY) if tool else DEFERRED[seat.client.host]
    seat.model.script = script(rule(QUESTION, call, ANSWERED), *seat.model.script.rules)

    told = seat.ask(QUESTION)

    assert ANSWERED in told.stdout
    heard = "".join(seat.model.asked(QUESTION)[-1].conversation.text.split())
    assert '"project":"all"' in heard.replace("\\", "") or "project:all" in heard
