"""`memd completion`: completion scripts, made from the parser, so that they know every command and option."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memd.doors.cli.invocation import Invocation
from memd.doors.cli.parser import COMMANDS, Parser


@dataclass(frozen=True, slots=True)
class Word:
    """An option with its help and whether a value follows it."""

    name: str
    help: str
    takes_value: bool


@dataclass(frozen=True, slots=True)
class Completable:
    """A command, what may follow it, and whether that may be a file."""

    name: str
    summary: str
    options: tuple[Word, ...]
    choices: tuple[str, ...]
    files: bool


def run(invocation: Invocation) -> int:
    """Print the script for a shell."""
    scripts = {"bash": bash, "zsh": zsh, "fish": fish}
    invocation.terminal.say(scripts[invocation.given.shell](completables()))
    return 0


def completables() -> tuple[Completable, ...]:
    """Return every command with what its own parser accepts."""
    from memd.doors.cli import operate  # the whole registry, which nothing else here needs

    found = (_completable(command.name, command.summary, command.arguments) for command in COMMANDS)
    return tuple(
        replace(one, choices=tuple(operate.actions_of(one.name))) if one.name in operate.GROUPS else one
        for one in found
    )


def bash(commands: Sequence[Completable]) -> str:
    """Return the script for bash: `source <(memd completion bash)`."""
    cases = []
    for command in commands:
        words = " ".join((*(option.name for option in command.options), *command.choices))
        files = ' COMPREPLY+=($(compgen -f -- "$word"))' if command.files else ""
        cases.append(f'    {command.name}) COMPREPLY=($(compgen -W "{words}" -- "$word"));{files} ;;')
    names = " ".join(command.name for command in commands)
    return "\n".join(
        (
            "_memd() {",
            '  local word="${COMP_WORDS[COMP_CWORD]}" command="" index',
            "  for ((index = 1; index < COMP_CWORD; index++)); do",
            '    case "${COMP_WORDS[index]}" in',
            "      --data-dir) ((index++)) ;;",
            "      -*) ;;",
            '      *) command="${COMP_WORDS[index]}"; break ;;',
            "    esac",
            "  done",
            '  case "$command" in',
            f'    "") COMPREPLY=($(compgen -W "{names} --data-dir --help --version" -- "$word")) ;;',
            *cases,
            "  esac",
            "}",
            "complete -o default -F _memd memd",
        )
    )


def zsh(commands: Sequence[Completable]) -> str:
    """Return the script for zsh: `memd completion zsh > a file _memd in a folder of $fpath`."""
    described = [f"    {_quoted(f'{command.name}:{command.summary}')}" for command in commands]
    cases = []
    for command in commands:
        specs = [_zsh_option(option) for option in command.options]
        if command.choices:
            specs.append(_quoted(f"1:what:({' '.join(command.choices)})"))
        elif command.files:
            specs.append(_quoted("1:file:_files"))
        cases.append(f"        {command.name}) _arguments {' '.join(specs)} ;;")
    return "\n".join(
        (
            "#compdef memd",
            "_memd() {",
            "  local -a commands",
            "  commands=(",
            *described,
            "  )",
            '  _arguments -C "--data-dir[use the memd that keeps its data there]:folder:_files -/" \\',
            '    "--help[show help]" "--version[print the version]" "1:command:->command" "*::word:->words"',
            '  case "$state" in',
            "    command) _describe command commands ;;",
            "    words)",
            '      case "$words[1]" in',
            *cases,
            "      esac ;;",
            "  esac",
            "}",
            "compdef _memd memd 2>/dev/null || true",
        )
    )


def fish(commands: Sequence[Completable]) -> str:
    """Return the script for fish: `memd completion fish | source`."""
    lines = [
        "complete -c memd -n __fish_use_subcommand -l data-dir -r -d 'use the memd that keeps its data there'",
        "complete -c memd -n __fish_use_subcommand -l version -d 'print the version'",
    ]
    for command in commands:
        lines.append(f"complete -c memd -n __fish_use_subcommand -f -a {command.name} -d {_quoted(command.summary)}")
        seen = f"'__fish_seen_subcommand_from {command.name}'"
        if command.choices:
            lines.append(f"complete -c memd -n {seen} -f -a {_quoted(' '.join(command.choices))}")
        elif not command.files:
            lines.append(f"complete -c memd -n {seen} -f")
        for option in command.options:
            flag = f"-l {option.name[2:]}" if option.name.startswith("--") else f"-s {option.name[1:]}"
            value = " -r" if option.takes_value else ""
            lines.append(f"complete -c memd -n {seen} {flag}{value} -d {_quoted(option.help)}")
    return "\n".join(lines)


def _completable(name: str, summary: str, arguments: object) -> Completable:
    parser = Parser(prog=f"memd {name}")
    assert callable(arguments)
    arguments(parser)
    options: list[Word] = []
    choices: tuple[str, ...] = ()
    files = False
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask what it accepts
        if action.option_strings:
            options += [Word(word, action.help or "", action.nargs != 0) for word in action.option_strings]
        elif action.choices:
            choices = tuple(action.choices)
        elif action.metavar == "FILE":
            files = True
    return Completable(name, summary, tuple(options), choices, files)


def _zsh_option(option: Word) -> str:
    value = ":value:" if option.takes_value else ""
    return _quoted(f"{option.name}[{option.help.replace('[', '(').replace(']', ')').replace(':', ' -')}]{value}")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
