"""The plugin for OpenCode, run by a real JavaScript engine against a real socket."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memd_hooks.events import parse_event
from memd_hooks.opencode import render_plugin
from memd_hooks.replies import opencode_reply
from tests.contract.hooks.stub_daemon import Heard, StubDaemon, answering

NODE = shutil.which("node") or shutil.which("bun")
RUN = Path(__file__).with_name("plugin_run.mjs")
SESSION = "ses_7f00000000001abcDEFghijKLM"
MODEL = {"providerID": "harbor", "modelID": "m"}

pytestmark = pytest.mark.skipif(NODE is None, reason="no JavaScript engine is on this machine")

SYSTEM = "experimental.chat.system.transform"


@dataclass(frozen=True, slots=True)
class Plugin:
    """The plugin as it is installed, with a deadline that a busy machine cannot miss."""

    file: Path
    socket: Path
    spool: Path

    def run(self, *calls: list[object], env: dict[str, str] | None = None) -> Any:
        """Call hooks in order, each as [name, input, output]; gives back what the outputs became."""
        assert NODE is not None
        done = subprocess.run(
            [NODE, RUN, self.file, "/home/ada/loom"],
            input=json.dumps(calls),
            capture_output=True,
            text=True,
            env={"PATH": os.environ["PATH"], **(env or {})},
            timeout=150,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    def spooled(self) -> list[Any]:
        """The lines that were left for the daemon's next start."""
        try:
            return [json.loads(line) for line in (self.spool / "events.ndjson").read_text().splitlines()]
        except FileNotFoundError:
            return []


@pytest.fixture
def make_plugin(room: Path) -> Callable[[int], Plugin]:
    def make(deadline_ms: int) -> Plugin:
        file, path, spool = room / "memd.mjs", room / "s", room / "state" / "spool"
        source = render_plugin("opencode", path, spool)
        shipped = b"const DEADLINE_MS = 250\n"
        assert shipped in source
        file.write_bytes(source.replace(shipped, b"const DEADLINE_MS = %d\n" % deadline_ms))
        return Plugin(file, path, spool)

    return make


@pytest.fixture
def plugin(make_plugin: Callable[[int], Plugin]) -> Plugin:
    return make_plugin(20_000)


def created(session: str = SESSION, **info: object) -> list[object]:
    return ["event", {"event": {"type": "session.created", "properties": {"info": {"id": session, **info}}}}]


def happened(what: str, session: str = SESSION) -> list[object]:
    return ["event", {"event": {"type": what, "properties": {"sessionID": session, "info": {"id": session}}}}]


def message(text: str = "why is the loom slow?", session: str = SESSION) -> list[object]:
    parts = [{"type": "text", "text": text}, {"type": "text", "text": "a file", "synthetic": True}, {"type": "file"}]
    return ["chat.message", {"sessionID": session}, {"message": {}, "parts": parts}]


def request(*system: str, session: str | None = SESSION) -> list[object]:
    return [SYSTEM, {"sessionID": session, "model": MODEL}, {"system": list(system)}]


def by_event(answers: dict[str, str]) -> Callable[[socket.socket, Heard], None]:
    """Answer as the daemon does, each event in its own words."""

    def behave(connection: socket.socket, heard: Heard) -> None:
        event = parse_event("opencode", heard.raw, named=str(heard.head["event"]))
        assert event is not None
        connection.sendall(opencode_reply(event.event, answers.get(event.event, "")))

    return behave


def told(daemon: StubDaemon) -> list[str]:
    return [json.loads(heard.raw)["hook_event_name"] for heard in daemon.heard]


def test_there_is_one_plugin_in_the_module(plugin: Plugin) -> None:
    """OpenCode takes every function that a module exports for a plugin."""
    found = plugin.run()
    assert found["plugins"] == 1
    assert {"event", "chat.message", SYSTEM, "experimental.session.compacting", "dispose"} == set(found["hooks"])


def test_the_context_is_folded_into_the_first_block_and_stays_the_same(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, by_event({"SessionStart": "We chose wool.", "UserPromptSubmit": "Use size 4."})):
        found = plugin.run(
            created(), message(), request("You are.", "Second."), message("and now?"), request("You are.", "Second.")
        )
    blocks = [output["system"] for output in found["outputs"] if output and "system" in output]
    assert blocks == [["You are.\n\nWe chose wool.\n\nUse size 4.", "Second."]] * 2


def test_the_daemon_is_asked_once_for_a_session_and_its_first_prompt(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, by_event({})) as daemon:
        found = plugin.run(
            created(directory="/home/ada/loom/sub"), message(), request("You are."), message(), request("x")
        )
    assert told(daemon) == ["SessionStart", "UserPromptSubmit"]
    assert [output["system"] for output in found["outputs"] if output and "system" in output] == [["You are."], ["x"]]
    start, prompt = (parse_event("opencode", heard.raw) for heard in daemon.heard)
    assert start is not None
    assert prompt is not None
    assert (start.host_is, start.session_id, start.source, start.cwd) == (
        "opencode", SESSION, "startup", Path("/home/ada/loom/sub"),
    )  # fmt: skip
    assert prompt.prompt == "why is the loom slow?"
    assert daemon.heard[0].head == {
        "op": "hook", "host": "opencode", "event": "SessionStart", "env": "", "bytes": len(daemon.heard[0].raw),
    }  # fmt: skip


def test_a_session_that_was_not_created_here_is_resumed(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, by_event({"SessionStart": "We chose wool."})) as daemon:
        found = plugin.run(request())
    event = parse_event("opencode", daemon.heard[0].raw)
    assert event is not None
    assert (event.source, event.cwd) == ("resume", Path("/home/ada/loom"))
    assert found["outputs"][0]["system"] == ["We chose wool."]


def test_a_subagent_and_a_request_without_a_session_are_told_nothing(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, answering(b'{"context":"We chose wool."}\n')) as daemon:
        found = plugin.run(
            created(parentID="ses_0"),
            message(),
            request("You are."),
            happened("session.idle"),
            request("x", session=None),
        )
    assert daemon.heard == []
    assert [output["system"] for output in found["outputs"] if output and "system" in output] == [["You are."], ["x"]]


def test_the_daemon_hears_of_the_turns_the_compactions_and_the_end(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, by_event({"SessionStart": "We chose wool."})) as daemon:
        found = plugin.run(
            created(),
            request("You are."),
            happened("session.idle"),
            ["experimental.session.compacting", {"sessionID": SESSION}, {"context": []}],
            happened("session.compacted"),
            happened("session.deleted"),
            ["dispose"],
        )
        for _ in range(5):
            daemon.wait_for_one()
    assert sorted(told(daemon)) == ["PostCompact", "PreCompact", "SessionEnd", "SessionStart", "Stop"]
    (context,) = found["outputs"][3]["context"]
    assert "memd" in context


def test_what_the_daemon_says_before_a_compaction_goes_into_the_prompt_of_the_summary(plugin: Plugin) -> None:
    compacting: list[object] = ["experimental.session.compacting", {"sessionID": SESSION}, {"context": []}]
    with StubDaemon(plugin.socket, by_event({"PreCompact": "Keep what was settled."})):
        found = plugin.run(created(), request("You are."), compacting)
    assert found["outputs"][-1]["context"] == ["Keep what was settled."]


def test_a_session_that_was_begun_ends_with_opencode(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, by_event({})) as daemon:
        plugin.run(created(), created("ses_unused"), message(), ["dispose"])
        for _ in range(3):
            daemon.wait_for_one()
    events = [parse_event("opencode", heard.raw) for heard in daemon.heard]
    assert [(event.session_id, event.reason) for event in events if event and event.event == "SessionEnd"] == [
        (SESSION, "exit")
    ]


def test_without_a_daemon_nothing_is_added_and_the_spool_says_which_session_moved(plugin: Plugin) -> None:
    found = plugin.run(created(), message("my key is wool"), request("You are."), happened("session.idle"))
    assert [output["system"] for output in found["outputs"] if output and "system" in output] == [["You are."]]
    assert [(line["host"], line["event"], line["session_id"]) for line in plugin.spooled()] == [
        ("opencode", "SessionStart", SESSION),
        ("opencode", "Stop", SESSION),
    ]
    assert "wool" not in (plugin.spool / "events.ndjson").read_text()
    assert (plugin.spool / "events.ndjson").stat().st_mode & 0o777 == 0o600
    assert plugin.spool.stat().st_mode & 0o777 == 0o700


def test_a_daemon_that_says_nothing_is_not_waited_for(make_plugin: Callable[[int], Plugin]) -> None:
    plugin = make_plugin(250)

    def silent(_connection: socket.socket, _heard: Heard) -> None:
        time.sleep(2.0)

    with StubDaemon(plugin.socket, silent):
        found = plugin.run(created(), message(), request("You are."))
    assert found["outputs"][2]["system"] == ["You are."]


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\n",
        b"no json\n",
        b"[]\n",
        b'{"context":5}\n',
        b'{"ok":false,"error":{}}\n',
        b'{"context":"cut',
        b"null\n",
    ],
)
def test_an_answer_that_is_none_adds_nothing(plugin: Plugin, answer: bytes) -> None:
    with StubDaemon(plugin.socket, answering(answer)):
        found = plugin.run(request("You are."))
    assert found["outputs"][0]["system"] == ["You are."]


def test_a_model_that_memd_calls_is_not_observed(plugin: Plugin) -> None:
    with StubDaemon(plugin.socket, answering(b'{"context":"We chose wool."}\n')) as daemon:
        found = plugin.run(created(), message(), request("You are."), env={"MEMD_INTERNAL": ""})
    assert (found["hooks"], daemon.heard) == ([], [])


@pytest.mark.parametrize("name", ["event", "chat.message", SYSTEM, "experimental.session.compacting"])
@pytest.mark.parametrize("given", [{}, {"sessionID": 5}, {"event": None}, {"sessionID": SESSION}, None])
def test_odd_inputs_never_throw(plugin: Plugin, name: str, given: object) -> None:
    plugin.run([name, given, {}], [name, given, None])
