"""`memd man`: the manual page, from the same source as the help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from textwrap import wrap
from typing import Final

from memd import __version__
from memd.clock import SystemClock
from memd.doors.cli.completable import Completable, Word, completables
from memd.doors.cli.guide import EXAMPLES, grouped
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.parser import STATUSES

_COLUMNS: Final = 60
_HELP: Final = frozenset({"-h", "--help"})


def run(invocation: Invocation) -> int:
    """Print the page in roff, as man(7) has it."""
    invocation.terminal.say_all(page(made_on(invocation.env)))
    return 0


def made_on(env: Mapping[str, str]) -> str:
    """Return the day a page is made, or the one that whoever packages it says (SOURCE_DATE_EPOCH), as 2026-11-30."""
    said = env.get("SOURCE_DATE_EPOCH", "")
    seconds = int(said) if said.isdecimal() else SystemClock().now_ms() // 1000
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d}"


def page(day: str) -> Iterator[str]:
    """Give the page line by line; `day` is when it was made."""
    commands = {command.name: command for command in completables()}
    yield f'.TH MEMD 1 "{day}" "memd {__version__}" "User Commands"'
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
    for tag, meaning in _options(command.options):
        yield from (".RS", ".TP", tag, _text(meaning), ".RE")
    for action in command.actions:
        yield from (".RS", ".TP", f".B memd {_text(command.name)} {_text(action.name)}", _text(action.summary))
        options = ", ".join(option.name for option in action.options if option.name not in _HELP)
        yield from (".br", _text(f"Options: {options}."), ".RE")
    examples = EXAMPLES.get(command.name, ())
    if examples:
        yield from (".RS", ".PP", ".nf", *(f"$ {_escaped(example)}" for example in examples), ".fi", ".RE")


def _options(options: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Give the line for each option, all its names in it, with what it means."""
    told = [option for option in options if option.name not in _HELP]
    for (meaning, value), same in groupby(told, key=lambda option: (option.help, option.value)):
        names = [option.name for option in same]
        tag = ", ".join(f"\\fB{_escaped(name)}\\fR" for name in names)
        yield tag + (f" \\fI{_escaped(names[-1].lstrip('-').upper())}\\fR" if value is not None else ""), meaning


def _text(text: str) -> str:
    """Return a text in lines that are filled when the page is shown."""
    return "\n".join(map(_escaped, wrap(text, _COLUMNS, break_long_words=False, break_on_hyphens=False)))


def _escaped(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
