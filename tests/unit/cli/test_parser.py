from __future__ import annotations

import importlib
import pkgutil

import pytest

import memd.doors.cli
from memd.doors.cli.columns import width
from memd.doors.cli.commands import COMMANDS
from memd.doors.cli.parser import build
from memd.errors import UsageError
from tests.unit.cli.conftest import CommandLine

PROMISED = (
    "install uninstall up down restart status doctor search sessions show facts wakeup preview logs config version"
    " completion import export start man mcp call remember memory session relations analyze admin graph injections"
    " forget"
).split()
NO_COMMANDS = {
    "action_parameters", "alone", "arguments", "client", "columns", "commands", "completable", "complete", "examples",
    "first_reading", "graph_arguments", "graph_view", "guide", "host_names", "invocation", "main", "outcome", "parser",
    "places", "plain", "plan", "reach", "service", "stdin", "terminal", "wording",
}  # fmt: skip


def test_every_promised_command_is_there() -> None:
    assert {command.name for command in COMMANDS} == set(PROMISED)


def test_every_command_has_a_module_and_every_module_a_command() -> None:
    modules = {info.name for info in pkgutil.iter_modules(memd.doors.cli.__path__)}

    assert modules - NO_COMMANDS == {command.module for command in COMMANDS}


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_a_command_runs_by_the_name_of_its_module(command: object) -> None:
    module = importlib.import_module(f"memd.doors.cli.{command.module}")  # type: ignore[attr-defined]

    assert callable(module.run)


@pytest.mark.parametrize("name", PROMISED)
def test_the_help_of_a_command_fits_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        build().parse_args([name, "--help"])

    assert left.value.code == 0
    assert max(width(line) for line in capsys.readouterr().out.splitlines()) <= 80


def test_the_help_tells_every_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        build().parse_args(["--help"])
    told = capsys.readouterr().out

    assert max(width(line) for line in told.splitlines()) <= 80
    for status in (*_statuses(), 130):
        assert f"\n  {status:<4}" in told, f"exit status {status} is not explained"


def test_the_data_folder_may_be_named_before_and_after_the_command() -> None:
    assert build().parse_args(["--data-dir", "/a", "status"]).data_dir == "/a"
    assert build().parse_args(["status", "--data-dir", "/b"]).data_dir == "/b"
    assert build().parse_args(["status"]).data_dir is None


def test_words_need_no_quotes_in_a_search() -> None:
    assert build().parse_args(["search", "retry", "backoff", "--limit", "3"]).query == ["retry", "backoff"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "A command is missing"),
        (["fly"], "There is no command 'fly'"),
        (["search"], "required: WORD"),
        (["sessions", "--limit", "0"], "'0' is not a number from 1 on"),
        (["completion", "tcsh"], "invalid choice: 'tcsh'"),
        (["status", "--nonsense"], "Unrecognized arguments: --nonsense"),
        (["preview", "f", "--session", "-1"], "'-1' is not a number from 0 on"),
    ],
    ids=str,
)
def test_wrong_words_get_one_sentence_and_status_2(words: list[str], sentence: str, memd: CommandLine) -> None:
    told = memd(*words)

    assert (told.status, told.out) == (2, "")
    assert sentence in told.err
    assert told.err.startswith("memd: ")
    assert told.err.count("\n") == 1


def _statuses() -> set[int]:
    import memd.errors
    import memd_service.errors

    found = {0, UsageError.exit_status}
    for module in (memd.errors, memd_service.errors):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, memd.errors.MemdError):
                found.add(value.exit_status)
    return found
