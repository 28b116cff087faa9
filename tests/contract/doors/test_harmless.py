"""What reads changes nothing that is the user's, what destroys changes nothing until it is told, whoever asks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memd.doors.cli import client
from memd.doors.mcp.arguments import deed_of
from memd.doors.mcp.placement import PROFILES, Action, tools
from memd.doors.mcp.schema import hints
from memd.model import FACT_KINDS
from memd.operations.catalog import OPERATIONS
from memd.operations.describe import describe
from tests.contract.doors.agent import Agent, agent_of
from tests.contract.doors.conftest import Home
from tests.contract.doors.test_every_operation import ask, params_of

COUNTERS = {
    "facts": ("uses", "last_used_at"),
    "fact_history": (),
    "search_gaps": (),
    "traces": (),
    "jobs": (),
    "meta": (),
    "injections": (),
}
"""What asking may count, by table: these columns, or with none the whole table."""
DERIVED = ("vectors", "fact_vectors", "code_", "sqlite_", "erased")
"""What comes and goes by itself."""


def everything(home: Home) -> dict[str, object]:
    """What is the user's: the rows, without counters, the notes, and the files of their repository."""
    told: dict[str, object] = {}
    with closing(sqlite3.connect(f"file:{home.paths.database}?mode=ro", uri=True)) as conn:
        names = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        for name in names:
            if name.startswith(DERIVED) or "_fts" in name or "_words" in name or COUNTERS.get(name) == ():
                continue
            conn.row_factory = sqlite3.Row
            rows = [dict(row) for row in conn.execute(f"SELECT * FROM {name}")]
            told[name] = [{key: row[key] for key in row if key not in COUNTERS.get(name, ())} for row in rows]
    for folder in (home.paths.notes_dir, home.project):
        told[str(folder)] = {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    return told


def actions() -> Iterator[tuple[str, Action, bool]]:
    """Every action with its tool, and whether the tool of the smallest profile that has it is said to read only."""
    offered = [describe(operation) for operation in OPERATIONS.values()]
    readers = {tool.name for tool in tools(offered, "recall") if hints(tool)["readOnlyHint"]}
    for tool in tools(offered, "full"):
        for action in tool.actions.values():
            yield tool.name, action, tool.name in readers


@pytest.fixture
def agent(lived_in: Home) -> Iterator[Callable[..., dict[str, Any]]]:
    with agent_of(lived_in, "--profile=full") as pumped:
        pumped.greet()
        yield lambda tool, action, params: _call(pumped, tool, action, params)


def _call(pumped: Agent, tool: str, action: Action, params: dict[str, object]) -> dict[str, Any]:
    everywhere = {"project": "all"} if "project" in action.parameters else {}
    told = pumped.call(tool, **{"action": action.name, **everywhere, **params})
    assert not told.get("isError"), (action.operation.name, told)
    return told


def test_what_reads_changes_nothing(agent: Callable[..., dict[str, Any]], lived_in: Home) -> None:
    reading = [(tool, action) for tool, action, _ in actions() if action.operation.reads]
    given = {action.operation.name: params_of(lived_in, action.operation.name) for _, action in reading}
    before = everything(lived_in)

    for tool, action in reading:
        agent(tool, action, given[action.operation.name])
        assert everything(lived_in) == before, action.operation.name


def test_what_destroys_changes_nothing_until_it_is_told(agent: Callable[..., dict[str, Any]], lived_in: Home) -> None:
    destroying = [(tool, action) for tool, action, _ in actions() if action.operation.destroys]
    given = {action.operation.name: params_of(lived_in, action.operation.name) for _, action in destroying}
    before = everything(lived_in)

    for tool, action in destroying:
        deed = deed_of(action)
        params = {name: value for name, value in given[action.operation.name].items() if not deed or name != deed[0]}
        agent(tool, action, params)
        assert everything(lived_in) == before, action.operation.name


def test_a_tool_that_is_said_to_read_only_has_nothing_else_to_offer() -> None:
    offered = [describe(operation) for operation in OPERATIONS.values()]
    for profile in PROFILES:
        for tool in tools(offered, profile):
            reads = all(action.operation.reads and not action.operation.writes for action in tool.actions.values())
            assert hints(tool)["readOnlyHint"] == reads, (profile, tool.name)


def test_who_one_is_is_the_same_through_every_door(lived_in: Home, agent: Callable[..., dict[str, Any]]) -> None:
    folder = lived_in.project
    asked = ask(lived_in, "whoami", {"cwd": str(folder)})
    typed = lived_in.memd("session", "whoami", "--cwd", str(folder), "--json", cwd=folder).json
    (action,) = [action for _, action, _ in actions() if action.operation.name == "whoami"]
    told = agent("session", action, {"cwd": str(folder)})["structuredContent"]["result"]

    assert typed == asked
    assert told == {name: value for name, value in asked.items() if value is not None}
    assert (asked["project"], asked["cwd"]) == (str(folder), str(folder))
    assert asked["user"]
    assert asked["data_dir"] == str(lived_in.paths.data_dir)


def test_a_kind_that_there_is_not_is_refused_with_those_there_are_through_every_door(
    lived_in: Home,
) -> None:
    with pytest.raises(client.Refused, match="bugfix") as asked:
        ask(lived_in, "facts.remember", {"text": "The quay is closed", "kind": "opinion"})
    typed = lived_in.memd("remember", "The quay is closed", "--kind", "opinion")
    with agent_of(lived_in, "--profile=full") as pumped:
        pumped.greet()
        told = pumped.call("remember", action="save", text="The quay is closed", kind="opinion")

    _, said = str(asked.value).split(": ", 1)
    assert all(kind in said for kind in FACT_KINDS)
    assert (typed.status, typed.err) == (2, f"memd: remember: {said}\n")
    assert told["isError"]
    assert told["content"][0]["text"] == f"remember save: {said}"


def test_a_tag_finds_just_what_has_it_through_every_door(lived_in: Home) -> None:
    for side, tag in (("north", "dredged"), ("south", "silted"), ("east", None)):
        tags = {} if tag is None else {"tags": [tag]}
        ask(lived_in, "facts.remember", {"text": f"The {side} basin is deep", "project": str(lived_in.project), **tags})
    asked = ask(lived_in, "search", {"query": "basin deep", "tag": "dredged"})
    typed = lived_in.memd("search", "basin", "deep", "--tag", "dredged", "--json")
    with agent_of(lived_in, "--profile=full") as pumped:
        pumped.greet()
        told = pumped.call("search", action="find", query="basin deep", tag="dredged", project="all")

    for answer in (asked, typed.json, told["structuredContent"]["result"]):
        assert [hit["text"] for hit in answer["hits"]] == ["The north basin is deep"]


def test_whatever_holds_some_words_is_deleted_by_a_person_alone_and_after_it_was_shown(lived_in: Home) -> None:
    ask(lived_in, "facts.remember", {"text": "The cellar key hangs behind Perkwith", "project": str(lived_in.project)})
    before = everything(lived_in)
    shown = lived_in.memd("forget", "Perkwith")
    assert (shown.status, everything(lived_in)) == (0, before)
    assert "Would remove for good: 1 fact." in shown.out

    done = lived_in.memd("forget", "Perkwith", "--apply", "--json")

    assert (done.json["applied"], len(done.json["forgotten"])) == (True, 1)
    assert "Perkwith" not in str(everything(lived_in)["facts"])
    offered = [action.operation.name for _, action, _ in actions()]
    assert "facts.forget" in offered
    assert "words.forget" not in offered


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="the system does not tell its ports in /proc")
def test_no_port_is_opened(lived_in: Home, agent: Callable[..., dict[str, Any]]) -> None:
    pid = int(ask(lived_in, "status", {})["pid"])
    ours = {pid, *(int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split())}
    sockets = {
        link.readlink().name
        for process in ours
        for link in Path(f"/proc/{process}/fd").iterdir()
        if link.is_symlink() and str(link.readlink()).startswith("socket:")
    }
    inodes = {f"socket:[{line.split()[9]}]" for name in ("tcp", "tcp6") for line in _lines(name)}

    assert sockets
    assert not sockets & inodes


def _lines(name: str) -> list[str]:
    path = Path(f"/proc/net/{name}")
    return path.read_text().splitlines()[1:] if path.exists() else []
