"""The parser: the commands there are and what each takes, in one table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from memd import __version__
from memd.errors import UsageError

_EPILOG: Final = """\
exit status:
  0    all is well
  1    nothing was found, or something is wrong
  2    the words do not make sense, or a file is no transcript
  3    there is no session or fact of that name
  4    the daemon does not answer, or one runs already
  5    the database cannot be used as it is
  6    the configuration or a folder cannot be used
  7    a host's settings file cannot be read for certain
  8    the service could not be started, stopped, installed or removed
  130  interrupted

memd works by itself: no command is needed from day to day.
"""


@dataclass(frozen=True, slots=True)
class Command:
    """One command: its code is `run(invocation)` in a module of this package."""

    name: str
    summary: str
    module: str
    arguments: Callable[[argparse.ArgumentParser], None] = lambda _: None


class Parser(argparse.ArgumentParser):
    """An argument parser that raises UsageError instead of ending the process."""

    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]  # typing.override is 3.12
        """Say what is wrong with the words."""
        _, _, unknown = message.partition("argument COMMAND: invalid choice: ")
        if unknown:
            raise UsageError(f"There is no command {unknown.split(' (')[0]}; `memd --help` lists what there is.")
        if message.endswith("required: COMMAND"):
            message = "a command is missing"
        raise UsageError(f"{message[0].upper()}{message[1:]}; see `{self.prog} --help`.")


def build() -> Parser:
    """Return the parser of the whole command line."""
    shared = Parser(add_help=False)
    shared.add_argument(
        "--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="use the memd that keeps its data in DIR"
    )
    parser = Parser(
        prog="memd",
        description="A memory for coding agents that nobody has to think of.",
        epilog=_EPILOG,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    parser.add_argument("--data-dir", metavar="DIR", help="use the memd that keeps its data in DIR")
    parser.add_argument("--version", action="version", version=f"memd {__version__}", help="print the version")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for command in COMMANDS:
        child = commands.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            parents=[shared],
            formatter_class=_Help,
            allow_abbrev=False,
        )
        child.set_defaults(module=f"memd.doors.cli.{command.module}")
        command.arguments(child)
    return parser


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help that fits 80 columns whatever the window."""

    def __init__(self, prog: str, *rest: object, **more: object) -> None:
        super().__init__(prog, max_help_position=22, width=80)


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def _count(text: str) -> int:
    value = int(text) if text.isascii() and text.isdigit() else 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return min(value, sys.maxsize)


def _place(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


def _filters(parser: argparse.ArgumentParser, *, limit: int) -> None:
    parser.add_argument("--project", metavar="PATH", help="only of this project (a folder in it, or its name)")
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=_count, default=limit, metavar="N", help=f"at most N ({limit})")
    _json(parser)


def _hosts(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--host", metavar="HOSTS", default="", help=f"{what}, separated by commas")


def _install(parser: argparse.ArgumentParser) -> None:
    _hosts(parser, "only these hosts (codex,cursor)")
    parser.add_argument("--plan", action="store_true", help="show what would change and change nothing")
    parser.add_argument("--yes", action="store_true", help="ask nothing")


def _uninstall(parser: argparse.ArgumentParser) -> None:
    _hosts(parser, "take memd out of these hosts only")
    parser.add_argument("--purge", action="store_true", help="remove the memory as well")
    parser.add_argument("--yes", action="store_true", help="ask nothing")


def _up(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--service", action="store_true", help="report to systemd or launchd, which started it")


def _search(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="WORD", help="what to look for")
    parser.add_argument("--kind", choices=("facts", "messages"), help="only facts, or only messages")
    _filters(parser, limit=10)


def _sessions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="those of subagents and those without a message as well")
    parser.add_argument("--project", metavar="PATH", help="only of this project (a folder in it, or its name)")
    parser.add_argument("--host", metavar="HOST", help="only of this host (claude_code, codex ...)")
    parser.add_argument("-n", "--limit", type=_count, metavar="N", help="at most N (20; with --json all)")
    _json(parser)


def _show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="ID", help="its id, the host's id for it, or how either begins or ends")
    parser.add_argument("--history", action="store_true", help="also what it shares with the session it came from")
    parser.add_argument("--full", action="store_true", help="whole tool inputs and outputs")
    _json(parser)


def _facts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("fact", nargs="?", metavar="ID", help="one fact, with its history and evidence")
    parser.add_argument("--project", metavar="PATH", help="only of this project (a folder in it, or its name)")
    parser.add_argument("--kind", metavar="KIND", help="only of this kind (decision, preference, bugfix ...)")
    parser.add_argument("--all", action="store_true", help="superseded and retracted ones as well")
    parser.add_argument("-n", "--limit", type=_count, metavar="N", help="at most N (20; with --json all)")
    _json(parser)


def _wakeup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", metavar="PATH", help="a folder of the project (this one)")
    _json(parser)


def _preview(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a transcript, wherever it lies")
    parser.add_argument("--host", metavar="HOST", help="the host that wrote it, where the file does not tell")
    parser.add_argument("--session", type=_place, metavar="N", help="only the session at place N, counted from 0")
    _json(parser)


def _logs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--lines", type=_count, default=50, metavar="N", help="the last N lines (50)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on as lines are written")


def _config(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "init", "path"),
        default="show",
        help="show the settings in force, write a documented file, or tell where it lies",
    )
    _json(parser)


def _graph(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(title="actions", metavar="ACTION", dest="action", required=True)
    index = actions.add_parser("index", help="read a tree and tell what is in it", formatter_class=_Help)
    index.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    _json(index)
    export = actions.add_parser("export", help="print the edges of a tree", formatter_class=_Help)
    export.add_argument("path", nargs="?", default=".", metavar="PATH", help="the folder to read (.)")
    export.add_argument("--jsonl", action="store_true", help="one JSON object a line, for programs")
    export.add_argument("--symbols", metavar="FILE", help="write the symbols to FILE, one JSON object a line")
    export.add_argument("--unresolved", metavar="FILE", help="write what has no grounds to FILE, likewise")


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell to print a script for")


COMMANDS: Final[Sequence[Command]] = (
    Command("install", "set memd up for you and start it; again: bring it up to date", "install", _install),
    Command("uninstall", "take memd off this machine; the memory is kept", "uninstall", _uninstall),
    Command("status", "show what memd has read and how it fares", "status", _json),
    Command("doctor", "check everything and tell how to mend what is wrong", "doctor", _json),
    Command("search", "find facts and messages", "search", _search),
    Command("sessions", "list sessions, newest first", "sessions", _sessions),
    Command("show", "print a session", "show", _show),
    Command("facts", "list what memd has learnt, or show one fact", "facts", _facts),
    Command("wakeup", "print what a session that starts here would be given", "wakeup", _wakeup),
    Command("preview", "show what would be remembered of a transcript; stores nothing", "preview", _preview),
    Command("graph", "show what calls, imports and inherits what in a tree of code", "graph", _graph),
    Command("up", "run the daemon in the foreground", "up", _up),
    Command("down", "stop the daemon", "down"),
    Command("restart", "start the daemon anew", "restart"),
    Command("logs", "print the daemon's log", "logs", _logs),
    Command("config", "show or set up the configuration", "config", _config),
    Command("completion", "print a completion script for your shell", "completion", _completion),
    Command("version", "print the version", "version", _json),
)
