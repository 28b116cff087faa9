"""Main: from words to an exit status. The only place that prints errors."""

from __future__ import annotations

import os
import sys

# Not that of typing: `memd mcp` is started in every session of an agent, and leaves before anything else is imported.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from typing import Final

    from memd.doors.cli.terminal import Terminal

_INTERRUPTED: Final = 130
_PIPE_CLOSED: Final = 141
_NOT_FOR_THE_PUMP: Final = frozenset(("--cost", "--json", "--help", "-h", "--data-dir"))


def main(words: Sequence[str] | None = None) -> int:
    """Run `memd` with these words (None: those of the process) and return the exit status."""
    if words is None and sys.argv[1:2] == ["mcp"]:
        _become_pump(sys.argv[2:])
    from memd.doors.cli.terminal import Terminal
    from memd.errors import MemdError

    env = dict(os.environ)
    if sys.stdout is None:  # the caller has closed it (`>&-`)
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - to the end of the process
    terminal = Terminal.of_process(env)
    try:
        status = run(sys.argv[1:] if words is None else words, env, terminal)
        terminal.out.flush()
    except BrokenPipeError:
        # The reader has seen enough. The interpreter would flush once more at its end, and complain.
        _write_no_more()
        return _PIPE_CLOSED
    except OSError as error:
        _write_no_more()
        terminal.complain(f"The answer could not be written: {error.strerror or error}.")
        return MemdError.exit_status
    except KeyboardInterrupt:
        return _INTERRUPTED
    return status


def _become_pump(words: Sequence[str]) -> None:
    """Become the installed pump, for speed; return where it takes more than that to know which one is meant.

    An agent waits for `memd mcp` at the start of every session, and what the slow way imports takes longer than all the
    rest.
    """
    env, home = os.environ, os.environ.get("HOME", "")
    moved = "MEMD_DATA_DIR" in env or "MEMD_CONFIG_DIR" in env
    if moved or not home or not _NOT_FOR_THE_PUMP.isdisjoint(words):
        return
    if sys.platform == "darwin":
        data = f"{home}/Library/Application Support/memd"
        config = f"{data}/config/config.toml"
    else:
        data = f"{env.get('XDG_DATA_HOME') or home + '/.local/share'}/memd"
        config = f"{env.get('XDG_CONFIG_HOME') or home + '/.config'}/memd/config.toml"
    pump = f"{data}/bin/memd-mcp"
    if os.access(pump, os.R_OK) and not _names_a_folder(config):
        os.execv(sys.executable, [sys.executable, "-I", "-S", pump, *words])


def _names_a_folder(config: str) -> bool:
    try:
        with open(config, "rb") as file:  # noqa: PTH123 - pathlib would be the slowest import of it all
            return any(line.lstrip().startswith((b"data_dir", b'"data_dir')) for line in file)
    except OSError:
        return False


def _write_no_more() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _called(given: Namespace) -> str:
    """Return what was typed, as far as it says what is to be done: the command with its action, or the operation."""
    if given.command == "call":
        return str(given.operation)
    actions = given.words[:1] if given.module.endswith(".operate") and given.command != "remember" else []
    if given.command == "graph":
        actions = [given.action]
    return " ".join((given.command, *actions))


def _sentence(error: Exception, called: str) -> str:
    """Return an error's sentence, in which what was asked is called as it was typed."""
    op, about = getattr(error, "op", ""), getattr(error, "about", None)
    if about is None:
        return str(error)
    from memd.doors.protocol import in_words_of

    return in_words_of(str(error), about, op, called)


def _advice(error: Exception) -> str:
    """Return what a person may want to know besides the daemon's own words."""
    unknown = getattr(error, "missing", None) == "project"
    return " memd knows those in which a session took place: `memd session projects`." if unknown else ""


def run(words: Sequence[str], env: Mapping[str, str], terminal: Terminal) -> int:
    """Run the command that the words name; trouble becomes one sentence on standard error and an exit status."""
    from importlib import import_module

    from memd.errors import MemdError

    called = ""
    try:
        given = import_module("memd.doors.cli.parser").parse(words)
        # A command's code, and all it needs, is loaded only when that command is called.
        command = import_module(given.module)
        called = _called(given)
        invocation = import_module("memd.doors.cli.invocation").Invocation(given, env, terminal)
        execute: Callable[[object], int] = command.run
        return execute(invocation)
    except MemdError as error:
        terminal.error(f"{_sentence(error, called)}{_advice(error)}")
        # A refusal of the daemon carries the status of the error that was raised there.
        return int(getattr(error, "answer_status", error.exit_status))
    except BrokenPipeError:
        raise
    except OSError as error:
        about = f"{error.filename}: " if error.filename else ""
        terminal.error(f"{about}{error.strerror or error}.")
        return MemdError.exit_status
