"""The parser: what the words of a call mean, and what is said of words that mean nothing."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, NoReturn

from memd import __version__
from memd.doors.cli.arguments import Help
from memd.doors.cli.commands import COMMANDS, MADE
from memd.doors.cli.guide import EXAMPLES, grouped
from memd.errors import UsageError

STATUSES: Final = MappingProxyType(
    {
        0: "all is well",
        1: "nothing was found, or something is wrong",
        2: "the words do not make sense, or a file is no transcript",
        3: "there is no session or fact of that name",
        4: "the daemon does not answer, or one runs already",
        5: "the database cannot be used as it is",
        6: "the configuration or a folder cannot be used",
        7: "a host's settings file cannot be read for certain",
        8: "the service could not be started, stopped, installed or removed",
        130: "interrupted",
    }
)
"""What the exit statuses mean."""


class Parser(argparse.ArgumentParser):
    """An argument parser that raises UsageError instead of ending the process."""

    @property
    def commands(self) -> Mapping[str, Parser]:
        """The commands or actions, each with its parser."""
        return next((one.choices for one in self._actions if isinstance(one, argparse._SubParsersAction)), {})  # noqa: SLF001

    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]  # typing.override is 3.12
        """Say what is wrong with the words."""
        _, _, unknown = message.partition("argument COMMAND: invalid choice: ")
        if unknown:
            word = unknown.split(" (")[0]
            near = get_close_matches(word.strip("'"), [command.name for command in COMMANDS], 2)
            meant = f"did you mean {' or '.join(near)}?" if near else "`memd --help` lists what there is."
            raise UsageError(f"There is no command {word}; {meant}")
        if message.endswith("required: COMMAND"):
            message = "a command is missing"
        _, _, word = message.partition("unrecognized arguments: ")
        option = word.split(" ")[0].partition("=")[0]
        place = next((one for one in self._actions if not one.option_strings and option == f"--{one.dest}"), None)
        if place is not None:
            usage = " ".join(self.format_usage().split()[1:])
            raise UsageError(f"{option} is no option here, but a word of its own: {usage}")
        near = get_close_matches(option, self._option_string_actions, 1) if option.startswith("--") else []
        meant = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"{message[0].upper()}{message[1:]}{meant}; see `{self.prog} --help`.".replace("?;", "?"))


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Return what the words of a call mean; raises UsageError.

    What follows a command that is made from the registry is for that command's own parser, options first or last.
    """
    made = {**MADE, "complete": "complete"}
    skipped = 2 if words[:1] == ["--data-dir"] or words[:1] == ("--data-dir",) else 0
    name = words[skipped] if len(words) > skipped else ""
    if name == "help":  # as git, cargo and go have it
        return parse([*words[skipped + 1 :], "--help"])
    if name not in made:
        parser = build()
        given, left = parser.parse_known_args(list(words))
        if left:  # told by the command that does not take them, whose help lists what it takes
            _innermost(parser, given).error(f"unrecognized arguments: {' '.join(left)}")
        return given
    data_dir = words[1] if skipped else None
    module = f"memd.doors.cli.{made[name]}"
    return argparse.Namespace(command=name, module=module, data_dir=data_dir, words=list(words[skipped + 1 :]))


def _innermost(parser: Parser, given: argparse.Namespace) -> Parser:
    """Return the parser of the command that was typed, or of its action."""
    for name in (given.command, getattr(given, "action", None)):
        parser = parser.commands.get(str(name), parser)
    return parser


def build() -> Parser:
    """Return the parser of the whole command line."""
    shared = Parser(add_help=False)
    shared.add_argument(
        "--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="use the memd that keeps its data in DIR"
    )
    parser = Parser(
        prog="memd",
        usage="memd [--data-dir DIR] COMMAND ...",
        description="A memory for coding agents that nobody has to think of.",
        epilog=_overview(),
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--data-dir", metavar="DIR", help="use the memd that keeps its data in DIR")
    parser.add_argument("--version", action="version", version=f"memd {__version__}", help="print the version")
    commands = parser.add_subparsers(
        title="commands", prog="memd", help=argparse.SUPPRESS, metavar="COMMAND", dest="command", required=True
    )
    for command in COMMANDS:
        child = commands.add_parser(
            command.name,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=_examples(command.name),
            parents=[shared],
            formatter_class=Help,
            allow_abbrev=False,
        )
        child.set_defaults(module=f"memd.doors.cli.{command.module}")
        command.arguments(child)
    return parser


def _overview() -> str:
    """Return the commands in their groups, and the exit statuses."""
    summaries = {command.name: command.summary for command in COMMANDS}
    lines = []
    for group, names in grouped(tuple(summaries)).items():
        lines += [f"{group}:", *(f"  {name:<11}{summaries[name]}" for name in names), ""]
    lines += ["exit status:", *(f"  {status:<4} {meaning}" for status, meaning in STATUSES.items()), ""]
    lines += ["memd works by itself: no command is needed from day to day.", "`memd help COMMAND` tells more."]
    return "\n".join(lines)


def _examples(name: str) -> str | None:
    found = EXAMPLES.get(name, ())
    return "\n".join(("examples:", *(f"  {example}" for example in found))) if found else None
