"""The code graph follows what a session does, with no command of anybody's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.integration.daemon.daemon_under_test import Home, running, wait_until
from tests.integration.daemon.talk import Talk

SESSION = "0a11ce00-0000-4000-8000-0000000000c0"


def _write(project: Path, called: str) -> None:
    (project / "tides.py").write_text("def low(): ...\n\ndef high(): ...\n")
    (project / "office.py").write_text(f"from tides import low, high\n\ndef run():\n    {called}()\n")


def _callees(home: Home, project: Path) -> set[str]:
    if not home.call("code.status", project=str(project))["languages"]:
        return set()
    found: dict[str, Any] = home.call("code.callees", project=str(project), symbol="office.py::run")
    return {step["target"] for step in found["steps"]}


def test_a_session_makes_the_graph_and_its_edits_change_it(home: Home, project: Path) -> None:
    _write(project, "low")
    before = {path: path.read_bytes() for path in project.iterdir() if path.is_file()}
    with running(home):
        home.hook("SessionStart", SESSION, project, source="startup")
        talk = Talk(home.transcript(SESSION), project, at=_now())
        talk.user("Please use the high tide instead.")
        wait_until(lambda: home.call("status")["projects"] == 1, "the project")
        wait_until(lambda: _callees(home, project) == {"code:tides.py::low"}, "the graph")
        assert {path: path.read_bytes() for path in project.iterdir() if path.is_file()} == before
        _write(project, "high")
        edit: dict[str, object] = {
            "file_path": str(project / "office.py"),
            "old_string": "low()",
            "new_string": "high()",
        }
        talk.tool("Edit", edit, "The file has been updated.")
        wait_until(lambda: _callees(home, project) == {"code:tides.py::high"}, "the change")
        told = home.call("code.why", project=str(project), symbol="office.py")
        assert [one["edited_symbol"] for one in told["sessions"]] == [False]


def test_a_session_that_is_over_at_once_makes_the_graph_as_well(home: Home, project: Path) -> None:
    _write(project, "low")
    with running(home):
        home.hook("SessionStart", SESSION, project, source="startup")
        Talk(home.transcript(SESSION), project, at=_now()).user("Which tide is it?")
        home.hook("SessionEnd", SESSION, project, reason="other")
        wait_until(lambda: home.query("SELECT state FROM sessions") == [("ended",)], "the end")
        wait_until(lambda: _callees(home, project) == {"code:tides.py::low"}, "the graph")


def test_a_session_that_only_began_makes_the_graph(home: Home, project: Path) -> None:
    _write(project, "low")
    with running(home):
        home.hook("SessionStart", SESSION, project, source="startup")
        wait_until(lambda: home.call("status")["projects"] == 1, "the project")
        wait_until(lambda: _callees(home, project) == {"code:tides.py::low"}, "the graph")


def _now() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M")
