"""What a shell offers as one types: everything the parsers take, and values that memd is asked for."""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memd.doors.cli.commands import COMMANDS
from memd.doors.cli.completable import ASKED, Completable, completables
from memd.doors.cli.completion import bash, fish, zsh
from memd.doors.cli.operate import GROUPS, actions_of
from memd.model import FACT_KINDS
from memd.operations.catalog import OPERATIONS
from memd_adapters import ADAPTERS
from tests.unit.cli.conftest import CommandLine, StubDaemon

SCRIPTS: dict[str, Callable[[tuple[Completable, ...]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
MEMD = r"""
memd() {
  [[ "$1" == --data-dir ]] && { printf '%s\n' "$2"; return; }
  printf '%s\t%s\n' harbor /home/ada/srv/harbor 'light house' /x "asked-$2" y
}
"""
"""A `memd` that tells some values, or its folder if it is given one."""
MEMD_IN_FISH = r"""
function memd
  if test "$argv[1]" = --data-dir
    printf '%s\n' $argv[2]
  else
    printf '%s\t%s\n' harbor /home/ada/srv/harbor 'light house' /x "asked-$argv[2]" y
  end
end
"""
IN_ANY_SHELL: list[tuple[str, list[str]]] = [
    ("memd rest", ["restart"]),
    ("memd --data-dir /x rest", ["restart"]),
    ("memd uninstall --p", ["--purge"]),
    ("memd --data-dir /x install --pl", ["--plan"]),
    ("memd completion f", ["fish"]),
    ("memd memory rat", ["rate"]),
    ("memd --data-dir /x memory rat", ["rate"]),
    ("memd memory save --visib", ["--visibility"]),
    ("memd memory save x --visibility sh", ["shareable"]),
    ("memd search x --scope err", ["errors"]),
    ("memd search x --project ha", ["harbor"]),
    ("memd search x --project l", ["light house"]),
    ("memd search x --since asked", ["asked-dates"]),
    ("memd --data-dir /x search x --project ", ["/x"]),
    ("memd show asked", ["asked-sessions"]),
    ("memd session show asked", ["asked-sessions"]),
    ("memd facts --kind decis", ["decision"]),
    ("memd admin jobs_pause --job asked", ["asked-jobs"]),
    ("memd memory verify asked", ["asked-facts"]),
    ("memd graph callers --dep", ["--depth"]),
    ("memd call traces", ["traces.list"]),
    ("memd search x --limit ", []),
    ("memd search install --pl", []),
]
"""What is typed, and what is offered for it."""
ZSHRC = r"""
PS1=
autoload -Uz compinit && compinit -u -D
LISTMAX=0
compadd() {
  if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
  local -a found
  builtin compadd -A found "$@"
  (( $#found )) && print -rl -- $found >> $PWD/$n
}
zle-line-init() {
  (( n++ < $#asked )) || exit 0
  BUFFER=$asked[n] CURSOR=$#asked[n]
  zle list-choices
  BUFFER=
  zle accept-line
}
zle -N zle-line-init
n=0
"""
"""A shell that begins each of some lines, writes down what would be offered for it, and goes."""


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
            assert missing <= {"text", "body", "content", "query", "apply", "dry_run"}, (name, missing)


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
    ("words", "offered"), [*IN_ANY_SHELL, ("memd search x --scope = err", ["errors"])], ids=lambda value: str(value)
)
def test_bash_completes_what_was_begun(words: str, offered: list[str], commands: tuple[Completable, ...]) -> None:
    begun = f"{words}''" if words.endswith(" ") else words
    ask = (
        f"{bash(commands)}\n{MEMD}\nCOMP_WORDS=({begun})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_memd\n"
        '((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"\n'
    )

    done = subprocess.run(["bash", "--norc"], input=ask, capture_output=True, text=True, check=False)

    assert ([told.replace("\\ ", " ") for told in done.stdout.splitlines()], done.stderr) == (offered, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
def test_fish_completes_what_was_begun(commands: tuple[Completable, ...], tmp_path: Path) -> None:
    asked = "\n".join(f"complete -C '{words}'; echo ---" for words, _ in IN_ANY_SHELL)

    done = subprocess.run(
        ["fish", "--no-config"],
        input=f"{fish(commands)}\n{MEMD_IN_FISH}\n{asked}\n",
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    told = [part.split("\n")[:-1] for part in done.stdout.split("---\n")[:-1]]
    offered = [[line.partition("\t")[0] for line in lines] for lines in told]
    assert (dict(zip((words for words, _ in IN_ANY_SHELL), offered, strict=True)), done.stderr) == (
        dict(IN_ANY_SHELL),
        "",
    )


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
def test_zsh_completes_what_was_begun(commands: tuple[Completable, ...], tmp_path: Path) -> None:
    asked = "\n".join(f"'{words}'" for words, _ in IN_ANY_SHELL)
    (tmp_path / ".zshrc").write_text(f"{ZSHRC}\n{MEMD}\n{zsh(commands)}\nasked=({asked})\n")
    inside, terminal = pty.openpty()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ZDOTDIR": str(tmp_path), "TERM": "dumb"}

    with subprocess.Popen(
        ["zsh", "-d", "-i"], stdin=terminal, stdout=terminal, stderr=terminal, env=env, cwd=tmp_path,
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(terminal)
        with suppress(OSError):  # as Linux tells that nobody writes any more
            while os.read(inside, 65536):
                pass
        os.close(inside)

    offered = {
        words: file.read_text().replace("\\ ", " ").splitlines() if (file := tmp_path / str(number)).exists() else []
        for number, (words, _) in enumerate(IN_ANY_SHELL, 1)
    }
    assert (offered, process.returncode) == (dict(IN_ANY_SHELL), 0)


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
