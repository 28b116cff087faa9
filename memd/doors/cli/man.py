"""`memd man`: the manual page, from the same source as the help."""

from __future__ import annotations

from collections.abc import Iterator

from memd import __version__
from memd.doors.cli.completable import Completable, completables
from memd.doors.cli.guide import EXAMPLES, grouped
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.parser import STATUSES


def run(invocation: Invocation) -> int:
    """Print the page in roff, as man(7) has it."""
    invocation.terminal.say_all(page())
    return 0


def page() -> Iterator[str]:
    """Give the page line by line."""
    commands = {command.name: command for command in completables()}
    yield f'.TH MEMD 1 "" "memd {__version__}" "User Commands"'
    yield from (".SH NAME", "memd \\- a memory for coding agents that nobody has to think of")
    yield from (".SH SYNOPSIS", ".B memd", "[\\fB\\-\\-data\\-dir\\fR \\fIDIR\\fR] \\fICOMMAND\\fR [\\fIWORDS\\fR]")
    yield ".SH DESCRIPTION"
    yield _text(
        "memd reads the transcripts that coding agents write, turns sessions that have ended into facts, and gives the"
        " right ones to the next session. It works by itself; no command is needed from day to day."
    )
    for group, names in grouped(tuple(commands)).items():
        yield f'.SH "COMMANDS: {group.upper()}"'
        for name in names:
            yield from _command(commands[name])
    yield '.SH "EXIT STATUS"'
    for status, meaning in STATUSES.items():
        yield from (".TP", f".B {status}", _text(meaning))
    yield from (".SH ENVIRONMENT", ".TP", ".B MEMD_DATA_DIR", _text("the folder that --data-dir names"))
    yield from (".TP", ".B NO_COLOR", _text("no colour, also on a terminal"))
    yield from (".TP", ".B PAGER", _text("shows what is longer than the screen (less); empty: nothing does"))


def _command(command: Completable) -> Iterator[str]:
    yield from (".TP", f".B memd {_text(command.name)}", f"{_text(command.summary[0].upper() + command.summary[1:])}.")
    for option in command.options:
        if option.name not in {"-h", "--help"}:
            yield from (".RS", ".TP", f".B {_text(option.name)}", _text(option.help or ""), ".RE")
    for action in command.actions:
        yield from (".RS", ".TP", f".B memd {_text(command.name)} {_text(action.name)}", _text(action.summary))
        options = ", ".join(option.name for option in action.options if option.name not in {"-h", "--help"})
        yield from (".br", _text(f"Options: {options}."), ".RE")
    for example in EXAMPLES.get(command.name, ()):
        yield from (".RS", ".nf", f"$ {_text(example)}", ".fi", ".RE")


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
