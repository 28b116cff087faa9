"""The log is as loud as was asked for and no larger, and nothing of it is on anybody's standard output."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memd_service.environment import Environment
from memd_service.mcp_part import render_pump
from tests.contract.doors.agent import agent
from tests.integration.daemon.daemon_under_test import Home, answers, running, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_LINE = re.compile(r"^\S+Z (?P<level>[A-Z]+) (?P<logger>\S+) ", re.MULTILINE)


def at(home: Home, level: str) -> Home:
    return Home(home.folder, {**home.settings, "MEMD_LOG_LEVEL": level})


def levels(home: Home) -> set[str]:
    return {found["level"] for found in _LINE.finditer(home.paths.log_file.read_text())}


@pytest.mark.parametrize("level", ["info", "warning"])
def test_nothing_below_the_level_is_logged_and_what_is_above_is(home: Home, level: str) -> None:
    loud = at(home, level)
    loud.paths.config_file.parent.mkdir(parents=True, exist_ok=True)
    loud.paths.config_file.write_text("[inject]\ntokns = 1\n")  # is warned about at every start

    with running(loud):
        loud.call("status")

    allowed = set(LEVELS[LEVELS.index(level.upper()) :])
    assert levels(loud) <= allowed
    assert {"WARNING", level.upper()} <= levels(loud)


def test_a_log_is_rotated_and_as_many_files_are_kept_as_was_asked_for(home: Home) -> None:
    loud = Home(home.folder, {"MEMD_LOG_LEVEL": "debug", "MEMD_LOG_MEGABYTES": "1", "MEMD_LOG_FILES": "1"})
    log = loud.paths.log_file
    for number in range(2):
        log.parent.mkdir(parents=True, exist_ok=True)
        log.touch(mode=0o600)
        with log.open("a") as file:
            file.write(f"filled {number} {'.' * (1 << 20)}\n")
        with running(loud):
            loud.call("status")

    kept = sorted(path.name for path in log.parent.glob(f"{log.name}*"))

    assert kept == [log.name, f"{log.name}.1"]
    assert "filled 1" in (log.parent / kept[1]).read_text()
    assert log.stat().st_size <= 1 << 20
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in log.parent.glob(f"{log.name}*"))


def test_at_debug_standard_output_carries_the_protocol_and_nothing_else(home: Home, project: Path) -> None:
    loud = at(home, "debug")
    Talk(loud.transcript(FIRST), project).user("Let's use SQLite instead of Postgres, it needs no server.")
    up = subprocess.Popen(
        [sys.executable, "-m", "memd", "up"], env=loud.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        wait_until(lambda: answers(loud), "the daemon's first answer")
        for event in ("SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"):
            fields = {"hook_event_name": event, "session_id": FIRST, "cwd": str(project), "prompt": "Which database?"}
            out, err = loud.start_hook(fields, patient=True).communicate(timeout=90)
            assert err == b""
            assert not out or json.loads(out)
        told = _speak_mcp(loud)
    finally:
        up.terminate()
        out, err = up.communicate(timeout=90)

    assert (out, err) == (b"", b"")
    assert told
    assert "DEBUG" in levels(loud)


def _speak_mcp(home: Home) -> list[dict[str, Any]]:
    """Everything an agent's client reads; each line has to be JSON-RPC."""
    pump = home.folder / "memd-mcp"
    pump.write_bytes(render_pump(Environment.detect(home.paths, version="0", env=home.env)))
    with agent([sys.executable, "-I", "-S", str(pump), "--profile=full"], home.env, home.folder) as pumped:
        pumped.greet()
        said = [
            pumped.ask("tools/list"),
            pumped.ask("tools/call", name="search", arguments={"query": "database", "project": "all"}),
            pumped.ask("tools/call", name="nothing", arguments={}),
        ]
        process = pumped.process
    assert process.stdout is not None
    assert all(one["jsonrpc"] == "2.0" for one in said)
    return said
