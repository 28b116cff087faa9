from __future__ import annotations

import shutil
import subprocess

import pytest

from memd.doors.cli.completion import bash, completables, fish, zsh
from memd.doors.cli.parser import COMMANDS
from tests.unit.cli.conftest import CommandLine

SCRIPTS = {"bash": bash, "zsh": zsh, "fish": fish}


@pytest.mark.parametrize("shell", SCRIPTS)
def test_every_command_and_option_is_offered(shell: str, memd: CommandLine) -> None:
    script = memd("completion", shell).out

    for command in COMMANDS:
        assert command.name in script
    for word in ("purge", "follow", "json", "data-dir"):
        assert word in script


@pytest.mark.parametrize("shell", SCRIPTS)
def test_the_shell_takes_the_script(shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")

    done = subprocess.run(
        [program, "-n"], input=SCRIPTS[shell](completables()), capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("memd rest", "restart"),
        ("memd uninstall --p", "--purge"),
        ("memd --data-dir /x install --pl", "--plan"),
        ("memd completion f", "fish"),
    ],
    ids=str,
)
def test_bash_completes_what_was_begun(words: str, offered: str) -> None:
    split = words.split()
    ask = (
        f"{bash(completables())}\nCOMP_WORDS=({words})\nCOMP_CWORD={len(split) - 1}\n_memd\n"
        'printf "%s\\n" "${COMPREPLY[@]}"\n'
    )

    done = subprocess.run(["bash", "--norc"], input=ask, capture_output=True, text=True, check=True)

    assert done.stdout.split() == [offered]
