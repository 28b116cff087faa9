"""`memd completion`: completion scripts for bash, zsh and fish, made from the parsers.

Commands, actions, options and whatever can be told without asking stand in the script; names of projects, ids and days
are asked for as one types, by `memd complete`, which says nothing where memd does not run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memd.doors.cli.completable import ASKED, FILES, FOLDERS, Completable, Value, Word, completables
from memd.doors.cli.invocation import Invocation

_BASH_HEAD: Final = """\
_memd_ask() {
  local line
  while IFS=$'\\t' read -r line _; do
    [[ $line == "$word"* ]] && COMPREPLY+=("$(printf %q "$line")")
  done < <(memd ${data[@]+"${data[@]}"} complete "$1" 2>/dev/null)
}
_memd() {
  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="" action="" data=() index
  COMPREPLY=()
  [[ $word == "=" ]] && word=""
  [[ $before == "=" ]] && before="${COMP_WORDS[COMP_CWORD-2]}"
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "${COMP_WORDS[index]}" in
      --data-dir) ((index++)); data=(--data-dir "${COMP_WORDS[index]}") ;;
      -*) ;;
      *) if [[ -z $command ]]; then command="${COMP_WORDS[index]}"; elif [[ -z $action ]]; then \
action="${COMP_WORDS[index]}"; fi ;;
    esac
  done"""
_ZSH_HEAD: Final = """\
#compdef memd
_memd_ask() {
  local -a found
  found=("${(@f)$(memd $memd_data complete $1 2>/dev/null)}")
  found=("${(@)found//:/\\\\:}")
  found=("${(@)found/$'\\t'/:}")
  [[ -n $found[1] ]] && _describe -t $1 $1 found
}
_memd() {
  local -a commands memd_data
  local -i at=${words[(I)--data-dir]}
  (( at )) && memd_data=(--data-dir "$words[at+1]")"""

_FISH_HEAD: Final = """\
function __memd_ask
  set -l words (commandline -opc)
  set -l data
  if set -l at (contains -i -- --data-dir $words)
    set data --data-dir $words[(math $at + 1)]
  end
  memd $data complete $argv[1] 2>/dev/null
end
function __memd_at -a command action
  set -l said
  set -l before
  for word in (commandline -opc)[2..]
    if test "$before" != --data-dir; and not string match -q -- '-*' $word
      set -a said $word
    end
    set before $word
  end
  test "$said[1]" = "$command"; or return 1
  switch "$action"
    case ''
    case -
      test (count $said) = 1
    case '*'
      test "$said[2]" = "$action"
  end
end"""


def run(invocation: Invocation) -> int:
    """Print the script for a shell."""
    scripts = {"bash": bash, "zsh": zsh, "fish": fish}
    invocation.terminal.say(scripts[invocation.given.shell](completables()))
    return 0


def bash(commands: Sequence[Completable]) -> str:
    """Return the script for bash."""
    values: dict[Value, list[str]] = {}
    for path, command in _paths(commands):
        for option in command.options:
            if option.value is not None:
                values.setdefault(option.value, []).append(f"{':'.join((*path, '*')[:2])}:{option.name}")
    names = " ".join(command.name for command in commands)
    asked = (f"    {'|'.join(where)}) {_bash_value(value)} return ;;" for value, where in values.items())
    words = (f"    {':'.join((*path, '*')[:2])}) {_bash_words(command)} ;;" for path, command in _paths(commands))
    return "\n".join(
        (
            _BASH_HEAD,
            '  case "$command:$action:$before" in',
            *asked,
            "    *:--data-dir) compopt -o dirnames 2>/dev/null; return ;;",
            "  esac",
            '  case "$command:$action" in',
            f'    ":") COMPREPLY=($(compgen -W "{names} --data-dir --help --version" -- "$word")) ;;',
            *words,
            "  esac",
            "}",
            "complete -o default -F _memd memd",
        )
    )


def zsh(commands: Sequence[Completable]) -> str:
    """Return the script for zsh."""
    cases = [line for command in commands for line in _zsh_command(command, " " * 8)]
    return "\n".join(
        (
            _ZSH_HEAD,
            "  commands=(",
            *(f"    {_quoted(f'{command.name}:{command.summary}')}" for command in commands),
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
    """Return the script for fish."""
    lines = [
        _FISH_HEAD,
        "complete -c memd -n __memd_at -l data-dir -r -d 'use the memd that keeps its data there'",
        "complete -c memd -n __memd_at -l version -d 'print the version'",
    ]
    for command in commands:
        lines.append(f"complete -c memd -n __memd_at -f -a {command.name} -d {_quoted(command.summary)}")
        seen = f"__memd_at {command.name}"
        lines += [
            f"complete -c memd -n {_quoted(f'{seen} -')} -f -a {action.name} -d {_quoted(action.summary)}"
            for action in command.actions
        ]
        for action in command.actions:
            lines += _fish_words(action, f"{seen} {action.name}")
        lines += _fish_words(command, seen) if not command.actions else []
    return "\n".join(lines)


def _paths(commands: Sequence[Completable]) -> Iterator[tuple[tuple[str, ...], Completable]]:
    """Give every command and every action with the words that lead to it, actions before their command."""
    for command in commands:
        for action in command.actions:
            yield (command.name, action.name), action
        yield (command.name,), command


def _bash_words(command: Completable) -> str:
    """Return what fills COMPREPLY with what may follow a command where no value of an option is begun."""
    words = [option.name for option in command.options] + [action.name for action in command.actions]
    words += [word for value in command.values for word in value.words]
    offered = f'COMPREPLY=($(compgen -W "{" ".join(words)}" -- "$word"));'
    return " ".join((offered, *(_bash_value(value) for value in command.values if not value.words)))


def _bash_value(value: Value) -> str:
    if value.words:
        return f'COMPREPLY=($(compgen -W "{" ".join(value.words)}" -- "$word"));'
    if value.kind in ASKED:
        return f"[[ $word == -* ]] || _memd_ask {value.kind};"
    files = {FILES: "-f", FOLDERS: "-d"}.get(value.kind)
    return f'COMPREPLY+=($(compgen {files} -- "$word"));' if files else ":;"


def _zsh_command(command: Completable, indent: str) -> Iterator[str]:
    if not command.actions:
        yield f"{indent}{command.name}) _arguments {' '.join(_zsh_specs(command))} ;;"
        return
    listed = " ".join(f"{action.name}\\:{_quoted(_zsh_text(action.summary))}" for action in command.actions)
    yield f"{indent}{command.name})"
    yield f"{indent}  _arguments -C {_quoted(f'1:action:(({_zsh_list(command)}))')} '*::word:->rest'" if listed else ""
    yield f'{indent}  [[ "$state" == rest ]] && case "$words[1]" in'
    for action in command.actions:
        yield from _zsh_command(action, indent + "    ")
    yield f"{indent}  esac ;;"


def _zsh_list(command: Completable) -> str:
    return " ".join(f'{action.name}\\:"{_zsh_text(action.summary)}"' for action in command.actions)


def _zsh_specs(command: Completable) -> Iterator[str]:
    for option in command.options:
        value = "" if option.value is None else f":value:{_zsh_value(option.value)}"
        yield _quoted(f"{option.name}[{_zsh_text(option.help)}]{value}")
    if len(command.values) == 1:
        yield _quoted(f"*:what:{_zsh_value(command.values[0])}")
    else:
        yield from (_quoted(f"{at}:what:{_zsh_value(value)}") for at, value in enumerate(command.values, 1))


def _zsh_value(value: Value) -> str:
    if value.words:
        return f"({' '.join(value.words)})"
    if value.kind in ASKED:
        return f"{{_memd_ask {value.kind}}}"
    return {FILES: "_files", FOLDERS: "_files -/"}.get(value.kind, " ")


def _zsh_text(text: str) -> str:
    """Return a help text without what means something within a specification."""
    return text.replace("[", "(").replace("]", ")").replace(":", " -").replace('"', "").replace("`", "")


def _fish_words(command: Completable, seen: str) -> Iterator[str]:
    where = f"complete -c memd -n {_quoted(seen)}"
    if all(value.kind not in (FILES, FOLDERS) for value in command.values):
        yield f"{where} -f"
    yield from (f"{where}{offered}" for value in command.values if (offered := _fish_value(value)))
    for option in command.options:
        yield f"{where} {_fish_option(option)}"


def _fish_option(option: Word) -> str:
    flag = f"-l {option.name[2:]}" if option.name.startswith("--") else f"-s {option.name[1:]}"
    value = ""
    if option.value is not None:
        value = " -r" if option.value.kind in (FILES, FOLDERS) else f" -x{_fish_value(option.value)}"
    return f"{flag}{value} -d {_quoted(option.help)}"


def _fish_value(value: Value) -> str:
    if value.words:
        return f" -a {_quoted(' '.join(value.words))}"
    return f" -a '(__memd_ask {value.kind})'" if value.kind in ASKED else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
