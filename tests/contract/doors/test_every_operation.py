"""Every operation is called through the socket, and what a command prints as JSON is the same answer."""

from __future__ import annotations

import itertools
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from memd.doors.cli import client
from memd.operations.catalog import OPERATIONS
from tests.contract.doors.conftest import AGENT, DECIDED, Home

PARAMS: dict[str, dict[str, object]] = {
    "operations.list": {},
    "whoami": {"cwd": "/"},
    "status": {},
    "health": {},
    "search": {"query": "sqlite"},
    "search.gaps": {},
    "sessions.list": {},
    "sessions.show": {"session": DECIDED},
    "sessions.close": {"project": "harbor", "session": DECIDED},
    "sessions.forget": {"session": DECIDED},
    "messages.forget": {"message": "$MESSAGE"},
    "words.forget": {"text": "whale oil"},
    "facts.list": {},
    "facts.show": {"fact": "$LISTED"},
    "facts.versions": {"fact": "$LISTED"},
    "facts.diff": {"fact": "$LISTED"},
    "facts.timeline": {"fact": "$LISTED"},
    "facts.page": {"fact": "$LISTED"},
    "facts.parts": {"part": "rejected"},
    "facts.export": {},
    "facts.remember": {"text": "The harbour office opens at nine on weekdays"},
    "facts.batch": {"entities": [{"name": "Harbour office"}]},
    "facts.note": {"text": "Ask the pilot for the key of the lamp store"},
    "notes.write": {"fact": "$NEW"},
    "notes.read": {},
    "facts.learn": {"text": "## Key Learnings:\n- Salt water eats zinc first\n"},
    "messages.add": {"text": "From now on always run `make tide` before you commit."},
    "facts.topic": {"title": "Tide table storage"},
    "sessions.summarise": {"session": DECIDED, "text": "SQLite was chosen for the tide table."},
    "prompts.save": {"text": "Where do the tides live?"},
    "prompts.list": {},
    "facts.edit": {"fact": "$NEW", "text": "The lamp of pier 12 is lit at dusk, by the keeper"},
    "facts.revise": {"fact": "$NEW", "text": "The lamp of pier 12 is lit by a timer"},
    "facts.invalidate": {"fact": "$NEW"},
    "facts.retract": {"fact": "$NEW"},
    "facts.restore": {"fact": "$NEW"},
    "facts.verify": {"fact": "$NEW"},
    "facts.rate": {"fact": "$NEW", "rating": "helpful"},
    "facts.evergreen": {"fact": "$NEW"},
    "facts.use": {"fact": "$NEW"},
    "facts.forget": {"fact": "$NEW", "apply": True},
    "facts.purge": {"kind": "event"},
    "facts.clear": {"confirm": "everywhere"},
    "facts.consolidate": {},
    "facts.contradictions": {},
    "facts.resolve": {"keep": "$NEW", "other": "$NEW"},
    "facts.stale": {},
    "facts.unused": {},
    "facts.promote": {},
    "facts.rejudge": {"steps": 1},
    "entities.add": {"name": "Pier 12"},
    "entities.search": {"query": "pier"},
    "entities.open": {"names": ["Pier 12", "Pier 99"]},
    "entities.alias": {"entity": "Lamp store", "alias": "Lamp shed"},
    "relations.link": {"source": "Lamp store", "relation": "part_of", "target": "Harbour", "create": True},
    "relations.link_many": {"links": [{"source": "Lamp", "relation": "uses", "target": "Oil"}]},
    "relations.unlink": {"origin": "nobody"},
    "relations.invalidate": {"source": "Buoy", "relation": "uses", "target": "Cork"},
    "relations.list": {},
    "relations.traverse": {"start": "Buoy"},
    "relations.vocabulary": {},
    "relations.summary": {},
    "relations.prune": {},
    "relations.hubs": {},
    "relations.bridges": {},
    "relations.groups": {},
    "relations.gaps": {},
    "wakeup": {"project": "harbor"},
    "brief": {"project": "harbor"},
    "handoff": {"project": "harbor"},
    "handoff.leave": {"project": "harbor", "text": "The tide table still lacks the spring tides."},
    "code.index": {"project": "harbor"},
    "code.status": {"project": "harbor"},
    "code.find": {"symbol": "tide", "project": "harbor"},
    "code.callers": {"symbol": "tide", "project": "harbor"},
    "code.callees": {"symbol": "moor", "project": "harbor"},
    "code.impact": {"symbol": "tide", "project": "harbor"},
    "code.path": {"source": "moor", "target": "tide", "project": "harbor"},
    "code.why": {"symbol": "tide", "project": "harbor"},
    "code.traverse": {"symbol": "moor", "project": "harbor"},
    "code.hubs": {"project": "harbor"},
    "code.bridges": {"project": "harbor"},
    "code.subsystems": {"project": "harbor"},
    "code.gaps": {"project": "harbor"},
    "code.reasons": {"project": "harbor"},
    "code.check": {"project": "harbor"},
    "blocks.list": {"project": "harbor"},
    "blocks.get": {"label": "harbour"},
    "blocks.set": {"label": "harbour", "value": "The harbour master decides"},
    "blocks.append": {"label": "harbour", "text": "Ask before you moor"},
    "blocks.replace": {"label": "harbour", "old": "decides", "new": "has the last word"},
    "blocks.delete": {"label": "harbour"},
    "injections.list": {},
    "config.show": {},
    "jobs.list": {},
    "jobs.run": {"job": "index upkeep"},
    "jobs.pause": {"job": "backup"},
    "jobs.resume": {},
    "jobs.retry": {},
    "jobs.purge": {},
    "traces.list": {},
    "resources.list": {"project": "harbor"},
    "import": {"path": "$TRANSCRIPT"},
    "projects.list": {},
    "projects.rename": {"project": "harbor", "name": "harbor"},
    "projects.merge": {"source": "$OTHER", "into": "harbor"},
    "projects.split": {"folder": "$BELOW"},
    "projects.delete": {"project": "$OTHER"},
    "index.status": {},
    "index.rebuild": {"index": "facts"},
    "sessions.distill": {},
    "database.compact": {},
    "backup.now": {},
}
LAST_ONE = "stop"
_PIERS = itertools.count(12)


def ask(home: Home, op: str, params: dict[str, object]) -> Any:
    return json.loads(client.call(home.paths.socket, op, params))


def _fact(home: Home, value: object) -> object:
    """What a parameter that stands for a fact means: one that is there, or one made for the purpose."""
    if value == "$BELOW":
        return str(home.project / "below")
    if value == "$OTHER":
        folder, name = _lighthouse(home)
        ask(home, "import", {"path": str(folder), "dry_run": False})
        return name
    if value == "$TRANSCRIPT":
        return str(next((home.folder / ".claude" / "projects").rglob(f"{DECIDED}.jsonl")))
    if value == "$MESSAGE":
        return ask(home, "sessions.show", {"session": DECIDED})["messages"][0]["id"]
    if value == "$LISTED":
        return ask(home, "facts.list", {})[0]["id"]
    if value == "$NEW":
        pier = next(_PIERS)
        return ask(home, "facts.remember", {"text": f"The lamp of pier {pier} is lit at dusk"})["fact"]["id"]
    return value


def _lighthouse(home: Home) -> tuple[Path, str]:
    """A folder of knowledge with a project that memd has never seen, and the project's name."""
    folder = home.folder / "knowledge"
    (folder / "projects").mkdir(parents=True, exist_ok=True)
    (folder / "notes").mkdir(exist_ok=True)
    name = f"lighthouse-{len(list((folder / 'projects').iterdir()))}"
    (folder / "projects" / f"{name}.md").write_text(f"The lamp of {name} turns left.\n")
    return folder, name


def test_every_operation_is_tried_here() -> None:
    assert set(PARAMS) | {LAST_ONE} == set(OPERATIONS)


def params_of(home: Home, op: str) -> dict[str, object]:
    """Parameters with which an operation answers in this home, which is made ready for it."""
    if op in ("entities.alias", "relations.invalidate", "relations.traverse"):
        ask(home, "relations.link", {"source": "Buoy", "relation": "uses", "target": "Cork", "create": True})
        ask(home, "entities.add", {"name": "Lamp store"})
    if op.startswith("blocks."):
        ask(home, "blocks.set", PARAMS["blocks.set"])
    if op.startswith("code."):
        (home.project / "quay.py").write_text("def tide(): ...\n\n\ndef moor():\n    tide()\n")
        ask(home, "code.index", PARAMS["code.index"])
    return {name: _fact(home, value) for name, value in PARAMS[op].items()}


@pytest.mark.parametrize("op", PARAMS)
def test_an_operation_answers_through_the_socket(op: str, lived_in: Home) -> None:
    assert ask(lived_in, op, params_of(lived_in, op)) is not None


@pytest.mark.parametrize(
    ("words", "op", "params"),
    [
        (("sessions",), "sessions.list", {}),
        (("show", DECIDED), "sessions.show", {"session": DECIDED}),
        (("facts",), "facts.list", {}),
        (("search", "sqlite", "tide"), "search", {"query": "sqlite tide"}),
        (("wakeup", "--project", "harbor"), "wakeup", {"project": "harbor"}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_a_command_prints_the_answer_of_its_operation(
    words: tuple[str, ...], op: str, params: dict[str, object], lived_in: Home
) -> None:
    assert lived_in.memd(*words, "--json").json == ask(lived_in, op, params)


@pytest.mark.parametrize("folder", ["/", "/tmp", "home"])
def test_a_folder_that_is_nobodys_project_is_not_indexed(folder: str, lived_in: Home) -> None:
    folder = lived_in.env["HOME"] if folder == "home" else folder
    before = ask(lived_in, "status", {})["projects"]

    with pytest.raises(client.Refused, match="belongs to no project"):
        ask(lived_in, "code.index", {"project": folder})

    assert ask(lived_in, "status", {})["projects"] == before


def test_several_requests_go_over_one_connection(lived_in: Home) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.connect(str(lived_in.paths.socket))
        with door.makefile("rwb") as lines:
            for _ in range(3):
                lines.write(b'{"op": "jobs.list"}\n')
                lines.flush()
                assert json.loads(lines.readline())["ok"]


@pytest.mark.parametrize(
    ("op", "params", "code", "status"),
    [
        ("fly", {}, "unknown_operation", 2),
        ("search", {}, "bad_parameter", 2),
        ("search", {"query": 3}, "bad_parameter", 2),
        ("sessions.list", {"nonsense": 1}, "bad_parameter", 2),
        ("sessions.show", {"session": "zz"}, "not_found", 3),
    ],
    ids=str,
)
def test_a_wrong_request_is_refused_with_its_code(
    op: str, params: dict[str, object], code: str, status: int, lived_in: Home
) -> None:
    with pytest.raises(client.Refused) as refused:
        client.call(lived_in.paths.socket, op, params)

    assert (refused.value.answer_code, refused.value.answer_status) == (code, status)


def test_the_session_is_there_whole_with_its_agent(lived_in: Home) -> None:
    sessions = {session["native_id"]: session for session in lived_in.memd("sessions", "--json").json}
    (agent,) = [session for native, session in sessions.items() if AGENT in native]
    shown = lived_in.memd("show", sessions[DECIDED]["id"][-10:], "--json").json

    assert (sessions[DECIDED]["messages"], sessions[DECIDED]["project"]) == (3, str(lived_in.project))
    assert sessions[DECIDED]["ended"]
    assert agent["parent"] == DECIDED
    assert [message["kind"] for message in shown["messages"]] == ["prompt", "reply", "prompt"]
    assert [one["native_id"] for one in shown["subagents"]] == [agent["native_id"]]


def test_the_next_session_is_told_what_was_decided(lived_in: Home) -> None:
    told = lived_in.memd("wakeup", cwd=lived_in.project)

    assert told.status == 0
    assert "SQLite instead of Postgres" in told.out.replace("\n", " ")


def test_the_decision_is_found_with_its_evidence(lived_in: Home) -> None:
    (hit, *_) = lived_in.memd("search", "sqlite instead of postgres", "--json").json["hits"]
    shown = lived_in.memd("facts", hit["id"][-10:]).out

    assert hit["kind"] == "decision"
    assert "harbour office has no server" in shown.replace("\n", " ").replace("  ", " ")


def test_the_doctor_finds_nothing_wrong_with_a_fresh_installation(lived_in: Home) -> None:
    told = lived_in.memd("doctor")

    assert told.status == 0, told.out
    assert "All is well." in told.out


def test_a_transcript_is_previewed_without_daemon_and_store(lived_in: Home) -> None:
    (transcript,) = (lived_in.folder / ".claude" / "projects" / "-harbor").glob("*.jsonl")
    env = {**lived_in.env, "MEMD_DATA_DIR": str(lived_in.folder / "nowhere")}
    alone = Home(lived_in.folder, env)

    document = alone.memd("preview", str(transcript), "--json").json
    shown = alone.memd("preview", str(transcript), "--session", "0")

    assert set(document) >= {"session", "facts", "summary", "events"}
    assert any("SQLite" in fact["text"] and fact["quotes"] for fact in document["facts"])
    assert set(document["events"]) == {"files_changed", "commands", "commits", "errors", "packages", "urls"}
    assert "SQLite" in shown.out
    assert alone.memd("preview", str(transcript), "--session", "1").status == 2
    assert not (lived_in.folder / "nowhere").exists()
