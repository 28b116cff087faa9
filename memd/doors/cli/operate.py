"""`memd memory|session|relations|analyze|admin`: operations as subcommands, made from the registry.

What an operation takes becomes what its subcommand takes: required texts as words, the rest as options. So whatever
memd can do can be done here as soon as it exists, with the same parameters, results and errors as through every door.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

import msgspec

from memd.doors.cli import examples, reach
from memd.doors.cli.action_parameters import OF_HERE, TEXTS, is_here, kinds, parameters, place, several
from memd.doors.cli.arguments import Help
from memd.doors.cli.columns import PAGE, one_line, table, wrap
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.parser import Parser
from memd.doors.cli.plain import lines_of
from memd.doors.mcp.arguments import deed_of
from memd.doors.mcp.placement import Action, tools
from memd.errors import MemdError, UsageError
from memd.operations.described import described

GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "memory": ("search", "remember"),
    "session": ("session",),
    "relations": ("graph",),
    "analyze": ("analyze",),
    "admin": ("admin",),
}
"""The groups, and the tools whose actions each has."""

_ALSO: Final[Mapping[str, tuple[str, ...]]] = {"memory": ("blocks.",)}
"""What a person looks for in a group as well, by how the names of the operations begin."""
_SHORT: Final[Mapping[str, tuple[str, ...]]] = {"remember": ("save",)}
_PROJECT: Final = "a folder in the project, its name or its id"
_FEW: Final = 4
"""So many words are told in place of a name for them."""
_UNCHANGED: Final = "Nothing was changed; say --apply to do it."

_SURELY: Final = 0.8
"""How alike a word is to the name of an action that deletes for good, at least, for that to be what was meant."""
_OTHER_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("correct", "replace", "supersede"), ("revise", "edit")),
    **dict.fromkeys(("fix", "update", "change", "reword"), ("edit", "revise")),
    **dict.fromkeys(("add", "new", "store", "remember"), ("save",)),
    **dict.fromkeys(("remove", "delete", "rm", "del"), ("forget", "retract")),
    **dict.fromkeys(("done", "close", "expire"), ("invalidate",)),
    **dict.fromkeys(("search", "query"), ("find",)),
    **dict.fromkeys(("list", "ls"), ("facts", "relations", "list")),
    **dict.fromkeys(("show", "get"), ("fact", "show", "entities_open")),
    **dict.fromkeys(("history", "log"), ("versions",)),
}
"""What people call actions, and the actions they may mean."""

_KEEPS: Final = frozenset({"facts.remember", "facts.note"})
"""What keeps a fact, whose id a script may want."""


def run(invocation: Invocation) -> int:
    """List a group's actions, or run one: its answer for people, or with `--json` as it is."""
    given = invocation.given
    short = _SHORT.get(given.command)
    group = "memory" if short else given.command
    actions = actions_of(group)
    words = list(given.words)
    name = next((one for one in short if one in actions), None) if short else (words.pop(0) if words else None)
    if name is None or name in {"-h", "--help"}:
        return _list(invocation, group, actions)
    if name not in actions:
        raise UsageError(f"memd {group} has no action {name!r}{_meant(group, name, actions)}")
    return _run(invocation, actions[name], given.command if short else f"{group} {name}", words)


def _meant(group: str, name: str, actions: Mapping[str, Action]) -> str:
    meant = [one for one in _OTHER_WORDS.get(name, ()) if one in actions]
    everywhere = {f"{other} {one}": one for other in (group, *GROUPS) for one in actions_of(other)}
    same = [called for called, one in everywhere.items() if name == one or name == one.partition("_")[2]]
    if same and not meant:
        return f"; did you mean `memd {same[0]}`?"
    near = meant or [one for one in get_close_matches(name, actions, 3) if not _destroys(one)][:1]
    near = near or get_close_matches(name, actions, 1, cutoff=_SURELY)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else f"; `memd {group}` lists what there is."


def _destroys(action: str) -> bool:
    return any(word in ("forget", "delete") for word in action.split("_"))


def actions_of(group: str) -> dict[str, Action]:
    """Return the actions of a group by name."""
    offered = tools(described(), "full")
    return {
        name: action
        for tool in offered
        for name, action in tool.actions.items()
        if tool.name in GROUPS[group] or action.operation.name.startswith(_ALSO.get(group, ()))
    }


def parser_of(action: Action, name: str) -> Parser:
    """Return the parser of an action's words."""
    operation = action.operation
    parser = Parser(
        prog=f"memd {name}",
        description="\n".join(wrap(operation.summary, PAGE)),
        epilog=f"example:\n  {example(action, name)}\n\nThe operation is {operation.name}.",
        formatter_class=Help,
        allow_abbrev=False,
    )
    parser.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    deed = deed_of(action) if operation.destroys else None
    for parameter, told in action.parameters.items():
        if deed is not None and parameter == deed[0]:
            continue
        if parameter == "project" and operation.name in OF_HERE:
            told = {**told, "description": f"{_PROJECT}; none: of the session, else of this folder; all: everywhere"}
        required = parameter in action.required
        if is_here(action, parameter):
            told = {**told, "description": f"{_PROJECT}; none: of this folder"}
            parser.add_argument("here", nargs="?", metavar="PROJECT", help="the same")
            required = False
        word = _is_word(action, parameter, told) and not is_here(action, parameter)
        _add(parser, parameter, told, required=required, word=word)
    if operation.destroys:
        parser.add_argument("--apply", action="store_true", help="do it; without, only say what would be lost")
    if operation.name in _KEEPS:
        parser.add_argument("--quiet", action="store_true", help="print the id alone, for scripts")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    return parser


def takes_text(told: Mapping[str, Any]) -> bool:
    """Return whether a parameter is a text, or several."""
    types = kinds(told)
    return "string" in types or ("array" in types and "string" in kinds(told.get("items", {})))


def example(action: Action, name: str) -> str:
    """Return a call of an action as it is typed."""
    main = frozenset(parameter for parameter in action.parameters if _is_main(action, parameter))
    texts: list[str] = []
    options: list[str] = []
    for parameter, value in examples.given(action, main).items():
        told = action.parameters[parameter]
        if _is_word(action, parameter, told):
            texts.append(value)
        else:
            options += [f"--{parameter.replace('_', '-')}", *([value] if value else [])]
    typed = examples.spelt(["memd", *name.split(), *texts, *options])
    return f"{typed} < summary.md" if texts == ["-"] else typed


def words_of(action: Action, params: Mapping[str, object]) -> list[str]:
    """Return the words by which an action is called with these parameters."""
    texts: list[str] = []
    options: list[str] = []
    for name, value in params.items():
        told = action.parameters[name]
        if _is_word(action, name, told):
            texts += map(str, value) if isinstance(value, (list, tuple)) else [str(value)]
        elif isinstance(value, bool):
            options.append(f"--{'' if value else 'no-'}{name.replace('_', '-')}")
        else:
            spelt = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            options.append(f"--{name.replace('_', '-')}={spelt}")
    return [*options, *texts]


def _run(invocation: Invocation, action: Action, name: str, words: Sequence[str]) -> int:
    # Intermixed: words that need not be given may stand behind an option.
    given = parser_of(action, name).parse_intermixed_args(list(words))
    if hasattr(given, "data_dir"):
        invocation.given.data_dir = given.data_dir
    params = parameters(action, given)
    if action.operation.destroys:
        deed = deed_of(action)
        if deed is not None:
            params[deed[0]] = deed[1] if given.apply else not deed[1]
        elif not given.apply:
            _preview(invocation, action, as_json=given.json)
            return 0
    from memd.doors.cli import outcome  # the answers there are, which no help needs

    op = action.operation.name
    nowhere = place(invocation, op, params) if op in OF_HERE else None
    if getattr(given, "text", None) == ["-"]:
        op, params = several(op, params)
    raw = reach.ask(invocation, op, params, deadline_s=600)
    terminal = invocation.terminal
    if nowhere is not None and not getattr(given, "quiet", False):
        terminal.error(f"{nowhere} is in no project, so this holds everywhere (--project names one).")
    if given.json:
        terminal.say(reach.pretty(raw))
    elif getattr(given, "quiet", False):
        terminal.say_all(outcome.ids(raw))
    elif (done := outcome.told(op, raw, invocation.places().paths.socket)) is not None:
        terminal.tell(*done)
    else:
        terminal.show(lines_of(msgspec.json.decode(raw), terminal.columns, terminal.row_columns))
    if action.operation.destroys and not given.apply and not given.json:
        terminal.say("", _UNCHANGED)
    return 0


def _preview(invocation: Invocation, action: Action, *, as_json: bool) -> None:
    """Say what an operation would do that cannot itself tell what would be lost."""
    would = f"This would: {action.operation.summary}"
    if as_json:
        invocation.terminal.say(reach.json_text({"preview": would}))
    else:
        invocation.terminal.tell(would)
        invocation.terminal.say("", _UNCHANGED)


def _add(parser: argparse.ArgumentParser, name: str, told: Mapping[str, Any], *, required: bool, word: bool) -> None:
    text = str(told.get("description") or "").replace("%", "%%")
    types = kinds(told)
    if word:
        many = name in TEXTS or name == "query" or "array" in types
        if required:
            among = _choices(told)
            spelt = f"{{{','.join(among)}}}" if among and len(among) <= _FEW else name.upper()
            parser.add_argument(name, nargs="+" if many else None, metavar=spelt, help=text, choices=among)
        else:
            parser.add_argument(name, nargs="*", default=[], metavar=name.upper(), help=text)
        return
    option = f"--{name.replace('_', '-')}"
    if "boolean" in types:
        parser.add_argument(option, dest=name, action=argparse.BooleanOptionalAction, help=text)
    elif "array" in types:
        parser.add_argument(
            option, dest=name, action="append", required=required, metavar="VALUE", help=f"{text} (may be repeated)"
        )
    else:
        parser.add_argument(option, dest=name, required=required, metavar="VALUE", help=text, choices=_choices(told))


def _is_word(action: Action, name: str, told: Mapping[str, Any]) -> bool:
    """Whether a parameter is given by its place and not behind an option: texts that are needed or meant, and names."""
    types = kinds(told)
    if types == {"array"}:
        return name in action.required and kinds(told.get("items", {})) == {"string"}
    return (name in action.required or _is_main(action, name)) and types <= {"string", "null"}


def _is_main(action: Action, name: str) -> bool:
    """Whether a text that need not be given is nevertheless what the action is about."""
    if action.operation.reads:
        return name == "query"
    return name in TEXTS and not set(action.required) & TEXTS and action.operation.writes


def _choices(told: Mapping[str, Any]) -> tuple[str, ...] | None:
    enum = told.get("enum") or next((choice["enum"] for choice in told.get("anyOf", ()) if "enum" in choice), None)
    return tuple(str(choice) for choice in enum if choice is not None) if enum else None


def _list(invocation: Invocation, group: str, actions: Mapping[str, Action]) -> int:
    terminal = invocation.terminal
    if not actions:
        raise MemdError(f"memd {group} has nothing to offer in this version.")
    terminal.show(_listing(group, actions, terminal.row_columns))
    return 0


def _listing(group: str, actions: Mapping[str, Action], columns: int) -> Iterator[str]:
    rows = [(f"memd {group} {name}", one_line(action.operation.summary)) for name, action in actions.items()]
    yield from table(rows, stretch=1, columns=columns)
    yield ""
    yield f"`memd {group} ACTION --help` tells what an action takes."
