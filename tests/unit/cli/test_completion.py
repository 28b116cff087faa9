"""What a shell offers as one types: everything the parsers take, and values that memd is asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable

import pytest

from memd.doors.cli.completable import ASKED, Completable, completables
from memd.doors.cli.completion import bash, fish, zsh
from memd.doors.cli.operate import GROUPS, actions_of
from memd.doors.cli.parser import COMMANDS
from memd.model import FACT_KINDS
from memd.operations.catalog import OPERATIONS
from memd_adapters import ADAPTERS
from tests.unit.cli.conftest import CommandLine, StubDaemon

SCRIPTS: dict[str, Callable[[tuple[Completable, ...]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
MEMD = """
memd() {
  [[ "$1" == --data-dir ]] && { printf '%s\\n' "$2"; return; }
  printf '%s\\t%s\\n' harbor /home/ada/srv/harbor 'light house' /x "asked-$2" y
}
"""
"""A `memd` that tells some values, or its folder if it is given one."""


@pytest.fixture(scope="module")
def commands() -> tuple[Completable, ...]:
    return completables()


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_command_and_option_is_offered(shell: str, memd: CommandLine) -> None:
    script = memd("completion", shell).out

    for command in COMMANDS:
        assert command.name in script
    for word in ("purge", "follow", "json", "data-dir"):
        assert word in script


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_shell_takes_the_script(shell: str, commands: tuple[Completable, ...]) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")

    done = subprocess.run([program, "-n"], input=SCRIPTS[shell](commands), capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_every_parameter_of_every_operation_is_offered(commands: tuple[Completable, ...]) -> None:
    told = {command.name: command for command in commands}
    for group in GROUPS:
        actions = {action.name: action for action in told[group].actions}
        offered = actions_of(group)
        assert set(actions) == set(offered)
        for name, action in offered.items():
            options = {option.name for option in actions[name].options}
            missing = {
                parameter
                for parameter in action.parameters
                if f"--{parameter.replace('_', '-')}" not in options and parameter not in action.required
            }
            # What an action is about is a word and no option; whether it is done is `--apply`.
            assert missing <= {"text", "body", "content", "apply", "dry_run"}, (name, missing)


def test_what_can_be_told_without_asking_stands_in_the_script(commands: tuple[Completable, ...]) -> None:
    told = {command.name: command for command in commands}
    search = {option.name: option.value for option in told["search"].options}
    facts = {option.name: option.value for option in told["facts"].options}

    assert search["--host"] is not None
    assert search["--kind"] is not None
    assert facts["--kind"] is not None
    assert set(search["--host"].words) >= set(ADAPTERS)
    assert search["--kind"].words == ("facts", "messages")
    assert facts["--kind"].words == FACT_KINDS
    assert {word for value in told["call"].values for word in value.words} == set(OPERATIONS)
    for name in ("project", "session", "since"):
        value = search[f"--{name}"]
        assert value is not None
        assert value.kind in ASKED


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("memd rest", ["restart"]),
        ("memd uninstall --p", ["--purge"]),
        ("memd --data-dir /x install --pl", ["--plan"]),
        ("memd completion f", ["fish"]),
        ("memd memory rat", ["rate"]),
        ("memd memory save --visib", ["--visibility"]),
        ("memd memory save x --visibility sh", ["shareable"]),
        ("memd search x --scope err", ["errors"]),
        ("memd search x --scope = err", ["errors"]),
        ("memd search x --project ha", ["harbor"]),
        ("memd search x --project l", ["light\\ house"]),
        ("memd search x --since asked", ["asked-dates"]),
        ("memd --data-dir /x search x --project ''", ["/x"]),
        ("memd show asked", ["asked-sessions"]),
        ("memd session show asked", ["asked-sessions"]),
        ("memd facts --kind decis", ["decision"]),
        ("memd admin jobs_pause --job asked", ["asked-jobs"]),
        ("memd memory verify asked", ["asked-facts"]),
        ("memd graph callers --dep", ["--depth"]),
        ("memd call traces", ["traces.list"]),
        ("memd search x --limit ''", []),
    ],
    ids=str,
)
def test_bash_completes_what_was_begun(words: str, offered: list[str], commands: tuple[Completable, ...]) -> None:
    ask = (
        f"{bash(commands)}\n{MEMD}\nCOMP_WORDS=({words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_memd\n"
        '((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"\n'
    )

    done = subprocess.run(["bash", "--norc"], input=ask, capture_output=True, text=True, check=False)

    assert (done.stdout.splitlines(), done.stderr) == (offered, "")


def test_values_are_told_with_what_they_mean(memd: CommandLine, daemon: StubDaemon) -> None:
    daemon.answers |= {
        "projects.list": [
            {"name": "harbor", "root": "/home/ada/srv/harbor"},
            {"name": "shop", "root": "/home/ada/work/shop"},
            {"name": "shop", "root": "/home/ada/old/shop"},
        ],
        "sessions.list": [{"id": "0192a0b0c0d023456789ab", "title": "Where the\ttides live", "native_id": "n"}],
        "jobs.list": [{"name": "backup", "paused": True}],
    }

    assert memd("complete", "projects").out.splitlines() == [
        "harbor\t/home/ada/srv/harbor",
        "/home/ada/work/shop\tshop",
        "/home/ada/old/shop\tshop",
    ]
    assert memd("complete", "sessions").out == "23456789ab\tWhere the tides live\n"
    assert memd("complete", "jobs").out == "backup\tpaused\n"
    days = memd("complete", "dates").out.splitlines()
    assert days[:2] == ["today", "yesterday"]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d\t\d days ago, \w+", day) for day in days[2:])


@pytest.mark.parametrize("words", [("projects",), ("facts",), ("nonsense",), (), ("projects", "x")], ids=str)
def test_where_nothing_can_be_told_nothing_is_said(words: tuple[str, ...], memd: CommandLine) -> None:
    told = memd("complete", *words)

    assert (told.status, told.out, told.err) == (0, "", "")
