"""Completable: what may follow each command, read from the parsers themselves, so that nothing is missing."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from memd.doors.cli.commands import COMMANDS
from memd.doors.cli.parser import Parser

ASKED: Final = ("projects", "sessions", "facts", "jobs", "dates")
"""What `memd complete` is asked for as one types; all else stands in the script."""
FILES: Final = "files"
FOLDERS: Final = "folders"
WORD: Final = "word"

_BY_NAME: Final[Mapping[str, str]] = MappingProxyType(
    {
        **dict.fromkeys(("project", "into"), "projects"),
        **dict.fromkeys(("session",), "sessions"),
        **dict.fromkeys(("fact", "keep", "other", "successor"), "facts"),
        **dict.fromkeys(("since", "until", "as_of", "at", "before"), "dates"),
        **dict.fromkeys(("path", "file", "symbols", "unresolved"), FILES),
        **dict.fromkeys(("out", "data_dir"), FOLDERS),
        "job": "jobs",
        "host": "hosts",
        "kind": "kinds",
        "category": "kinds",
        "system": "systems",
        "operation": "operations",
        "op": "operations",
    }
)
_OF_THINGS: Final = frozenset({"relations", "graph"})
"""Where `kind` is one of things and not of facts."""


@dataclass(frozen=True, slots=True)
class Value:
    """What may stand somewhere: one of these words, or what `kind` names (`ASKED`, files, folders, any word)."""

    kind: str
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Word:
    """An option with its help, and the value that follows it, if one does."""

    name: str
    help: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class Completable:
    """A command or an action of one, and what may follow it."""

    name: str
    summary: str
    options: tuple[Word, ...]
    values: tuple[Value, ...] = ()
    """What its words may be, where it takes any; none of them is sought for its place."""
    actions: tuple[Completable, ...] = ()


def completables() -> tuple[Completable, ...]:
    """Return every command with what its own parser accepts."""
    return tuple(_commands())


def _commands() -> Iterator[Completable]:
    from memd.doors.cli import operate  # the whole registry, which nothing else here needs

    known = _known()
    for command in COMMANDS:
        parser = Parser(prog=f"memd {command.name}")
        command.arguments(parser)
        actions = operate.actions_of(command.name) if command.name in operate.GROUPS else {}
        if command.name == "remember":
            parser = operate.parser_of(operate.actions_of("memory")["save"], command.name)
        made = tuple(
            _read(
                name,
                action.operation.summary,
                operate.parser_of(action, f"{command.name} {name}"),
                known if command.name not in _OF_THINGS else {**known, "kinds": ()},
                frozenset(name for name, told in action.parameters.items() if operate.takes_text(told)),
            )
            for name, action in actions.items()
        )
        read = _read(command.name, command.summary, parser, known)
        yield replace(read, values=(), actions=made) if made else read


def _known() -> Mapping[str, tuple[str, ...]]:
    """Return the words that can be told without asking, by kind."""
    from memd.importers.names import SYSTEMS
    from memd.model import FACT_KINDS
    from memd.operations.described import described
    from memd.registry import adapters

    return {
        "hosts": tuple(adapters()),
        "kinds": FACT_KINDS,
        "systems": SYSTEMS,
        "operations": tuple(operation.name for operation in described()),
    }


def _read(
    name: str,
    summary: str,
    parser: argparse.ArgumentParser,
    known: Mapping[str, tuple[str, ...]],
    texts: frozenset[str] | None = None,
) -> Completable:
    """Return what a parser accepts; `texts` are the names of what is a text (None: everything is)."""
    options: list[Word] = []
    values: dict[Value, None] = {}
    actions: tuple[Completable, ...] = ()
    for action in parser._actions:  # noqa: SLF001 - argparse has no other way to ask what it accepts
        found = _value(action, known, texts)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - likewise
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}  # noqa: SLF001 - likewise
            actions = tuple(_read(one, helps.get(one, ""), made, known) for one, made in action.choices.items())
        elif action.option_strings and action.help != argparse.SUPPRESS:
            options += [Word(word, action.help or "", found) for word in action.option_strings]
        elif found is not None and not action.option_strings:
            values[found] = None
    return Completable(name, summary, tuple(options), tuple(values), actions)


def _value(action: argparse.Action, known: Mapping[str, tuple[str, ...]], texts: frozenset[str] | None) -> Value | None:
    if action.nargs == 0:
        return None
    if action.choices:
        return Value("", tuple(map(str, action.choices)))
    kind = _BY_NAME.get(action.dest, WORD)
    if texts is not None and action.dest not in texts:
        return Value(WORD)
    return Value("", known[kind]) if kind in known else Value(kind)
