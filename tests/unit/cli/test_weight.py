"""What a command loads: what it takes to ask the daemon and to show its answer, and not what the daemon does."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from memd.doors.cli.operate import GROUPS, actions_of
from tests.measured import MEASURED
from tests.unit.cli.conftest import CommandLine, StubDaemon
from tests.unit.cli.samples import plain, status

LOADED: Final = """
import os, sys
before = set(sys.modules)
from memd.doors.cli.main import main
sys.stdout = open(os.devnull, "w")
for words in {}:
    try:
        status = main(words)
    except SystemExit as end:
        status = end.code
    if status:
        sys.exit(f"{{words}}: {{status}}")
loaded = set(sys.modules) - before
heavy = {{"asyncio", "anyio", "numpy", "watchdog", "memd.daemon", "memd.operations.catalog", "memd.store",
    "memd.recall", "memd.text.redaction"}} & loaded
sys.exit(", ".join(sorted(heavy)) or (f"{{len(loaded)}} modules" if len(loaded) > {} else 0))
"""
"""Runs commands and complains of what is heavy, or of too many modules: these, and not time, are what can be counted
anywhere. All operations with what they do are 800."""


def imported(code: str, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run code that looks at what was imported: also coverage imports something."""
    plain_env = {name: value for name, value in env.items() if name not in MEASURED}
    return subprocess.run(
        [sys.executable, "-I", "-c", code], env=plain_env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("word", ["version", "--version", "--help"])
def test_version_and_help_load_neither_store_nor_daemon(word: str, env: dict[str, str]) -> None:
    code = (
        "import sys; from memd.doors.cli.main import main\n"
        f"status = main(['{word}'])\n"
        "heavy = {'sqlite3', 'asyncio', 'anyio', 'msgspec', 'orjson', 'memd.store', 'memd.operations'}\n"
        "sys.exit(status or ', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )

    done = imported(code, env)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_status_loads_no_store(memd: CommandLine, daemon: StubDaemon, env: dict[str, str]) -> None:
    daemon.answers["status"] = plain(status())
    code = (
        "import sys; from memd.doors.cli.main import main\n"
        "status = main(['status'])\n"
        "heavy = {'sqlite3', 'asyncio', 'anyio', 'watchdog', 'memd.store', 'memd_adapters', 'subprocess'}\n"
        "sys.exit(status or ', '.join(sorted(heavy & set(sys.modules))) or 0)"
    )

    done = imported(code, env)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_a_group_tells_its_actions_without_loading_what_they_do(group: str, env: dict[str, str]) -> None:
    first = next(iter(actions_of(group)))
    done = imported(LOADED.format([[group, "--help"], [group, first, "--help"]], 170), env)

    assert (done.returncode, done.stderr) == (0, "")


def test_an_action_loads_no_more_than_it_takes_to_ask_the_daemon_and_to_show_its_answer(
    memd: CommandLine, daemon: StubDaemon, env: dict[str, str]
) -> None:
    daemon.answers["sessions.list"] = []
    done = imported(LOADED.format([["session", "list"]], 150), env)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [["completion", "bash"], ["man"]])
def test_what_tells_of_all_commands_loads_none_of_what_they_do(words: list[str], env: dict[str, str]) -> None:
    done = imported(LOADED.format([words], 400), env)

    assert (done.returncode, done.stderr) == (0, "")
