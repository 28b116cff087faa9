"""Arguments: from what an agent gave a tool to the parameters of an operation, or to a sentence on what to change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from memd.doors.mcp.placement import Action, Tool
from memd.doors.mcp.schema import APPLY, PAGING, takes

EVERYWHERE: Final = "all"
PAGE: Final = 20
_FEW: Final = {"search": 8}
"""Answers whose items are long and of which the first ones matter: so many unless more are asked for."""
MAX_CHARS: Final = 8_000
_MOST_CHARS: Final = 60_000
_MOST: Final = 500
_LIGHT: Final = frozenset({"sessions.list"})
"""What tells so little of each thing that all of them are asked for, so that it is known how many there are."""
_UNCOUNTED: Final = frozenset({"facts.list"})
"""What gives a page and does not say whether there is more: one more than is shown tells."""
_SENTENCE: Final = 300
_LONG: Final = re.compile(r"(['\"].{100})(.+)(['\"])", re.DOTALL)
_NAMES: Final = 12
_WORD: Final = 60
# Parameters by which an operation itself tells a preview from the deed, and the value that stands for the deed.
_DEED: Final = {"apply": True, "dry_run": False, "preview": False, "yes": True}


def brief(sentence: str) -> str:
    """Return an error's sentence in at most 300 characters, what it quotes at length cut before its own words."""
    if len(sentence) > _SENTENCE:
        sentence = _LONG.sub(r"\1…\3", sentence)
    return sentence if len(sentence) <= _SENTENCE else sentence[: _SENTENCE - 1] + "…"


class WrongArguments(Exception):
    """What an agent gave cannot be meant; the message says what to change, in at most 300 characters."""

    def __init__(self, sentence: str) -> None:
        super().__init__(brief(sentence))


@dataclass(frozen=True, slots=True)
class Call:
    """An operation with its parameters, and how much of its answer is wanted."""

    action: Action
    parameters: dict[str, object]
    offset: int
    limit: int
    max_chars: int
    paged: bool
    """The operation itself leaves out what comes before `offset`."""
    most: int | None
    """How many the operation gives at most; None: all. Where it gave fewer, what is left can be counted."""
    told: bool
    """The project was named by the agent, and not taken from where it works."""
    preview: bool = False
    """Only say what would be lost: the operation cannot do that by itself."""

    @property
    def project(self) -> str | None:
        """The project as it is handed to the operation."""
        project = self.parameters.get("project")
        return project if isinstance(project, str) else None


def understand(tool: Tool, given: Mapping[str, object], place: str | None) -> Call:
    """Return the call that is meant; `place` is the folder in which the agent works.

    Raises WrongArguments.
    """
    arguments = {name: value for name, value in given.items() if value is not None}
    action = _action(tool, arguments.pop("action", tool.usual))
    allowed = takes(action)
    unknown = sorted(arguments.keys() - set(allowed))
    if unknown:
        raise WrongArguments(f"{called(tool, action)} takes no {unknown[0]!r}; it takes {_listed(allowed)}.")
    _check_words(action, arguments)
    here = {"project"} if place is not None else set()
    missing = [name for name in action.required if name not in arguments.keys() | here]
    if missing:
        raise WrongArguments(f"{called(tool, action)} needs {missing[0]!r}: {_help(action, missing[0])}.")
    limited = "limit" in arguments
    offset = _number(arguments, "offset", 0, 0, 1_000_000)
    limit = _number(arguments, "limit", _FEW.get(action.operation.name, PAGE), 1, _MOST)
    max_chars = _number(arguments, "max_chars", MAX_CHARS, 200, _MOST_CHARS)
    confirmed = _confirmed(action, arguments)
    parameters = {name: value for name, value in arguments.items() if name not in PAGING}
    told = "project" in parameters
    if parameters.get("project") == EVERYWHERE:
        if "project" in action.required:
            raise WrongArguments(f"{called(tool, action)} is about one project; name it, or leave project out.")
        del parameters["project"]
    elif not told and "project" in action.parameters and place is not None:
        parameters["project"] = place
    paged = "offset" in action.own and action.operation.name not in _LIGHT
    if paged:
        parameters["offset"] = offset
    if not action.operation.reads:
        # What is written may have a limit of its own.
        parameters |= {name: given[name] for name in PAGING if name in given and name in action.parameters}
    elif "limit" in action.own and (limited or not paged):
        # One more than is shown tells whether there is more.
        more = _MOST if action.operation.name in _LIGHT else min(offset + limit + 1, _MOST)
        parameters["limit"] = limit + (action.operation.name in _UNCOUNTED) if paged else more
    if paged and "chars" in action.own:  # what it pages through is one text
        asked = parameters.get("chars", max_chars)
        parameters["chars"] = min(asked, max_chars) if isinstance(asked, int) else asked
    most = parameters.get("limit")
    preview = False
    if action.operation.destroys:
        deed = deed_of(action)
        if deed is not None:
            parameters[deed[0]] = deed[1] if confirmed else not deed[1]
        else:
            preview = not confirmed
    parameters = action.meant(parameters)
    return Call(
        action, parameters, offset, limit, max_chars, paged, most if isinstance(most, int) else None, told, preview
    )


def _check_words(action: Action, arguments: dict[str, object]) -> None:
    """Bring what is called otherwise in a profile into the words that follow; raises WrongArguments."""
    if action.terms is None:
        return
    for word, value in tuple(arguments.items()):
        known = action.terms.values(word)
        if known and isinstance(value, str) and value not in known:
            raise WrongArguments(f"{word} must be one of {', '.join(known)}, not {value!r}.")
        if action.terms.names.get(word) == "limit" and action.operation.reads:
            arguments["limit"] = arguments.pop(word)


def deed_of(action: Action) -> tuple[str, bool] | None:
    """Return the parameter by which an operation tells a preview from the deed, and the value for the deed."""
    return next(((name, deed) for name, deed in _DEED.items() if name in action.parameters), None)


def called(tool: Tool, action: Action) -> str:
    """Return what an agent calls an action: the tool's name, and the action's where that is another."""
    return tool.name if action.name == tool.name else f"{tool.name} {action.name}"


def _confirmed(action: Action, arguments: dict[str, object]) -> bool:
    """Take out of the arguments whether what destroys is to be done; raises WrongArguments."""
    if not action.operation.destroys:
        return False
    name, deed = deed_of(action) or (APPLY, True)
    confirmed = False
    for word, value in dict.fromkeys(((name, deed), (APPLY, True))):
        said = arguments.pop(word, not value)
        if not isinstance(said, bool):
            raise WrongArguments(f"{word} must be true or false, not {said!r}.")
        confirmed = confirmed or said == value
    return confirmed


def _action(tool: Tool, name: object) -> Action:
    word = name.strip().lower() if isinstance(name, str) else ""
    found = (tool.actions.get(word) or _by_last_word(tool, word)) if word else None
    if found is None:
        near = get_close_matches(word[:_WORD], tool.actions, n=1)
        said = "action is missing" if name is None else f"there is no action {name!r}"
        meant = f" (did you mean {near[0]!r}?)" if near else ""
        raise WrongArguments(f"{tool.name}: {said}{meant}; it is one of {', '.join(tool.actions)}.")
    return found


def _by_last_word(tool: Tool, name: str) -> Action | None:
    """Return the one action that is called so behind its first word, as on the command line: `callers`."""
    meant = [action for called, action in tool.actions.items() if called.partition("_")[2] == name]
    return meant[0] if len(meant) == 1 else None


def _number(arguments: Mapping[str, object], name: str, usual: int, least: int, most: int) -> int:
    value = arguments.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise WrongArguments(f"{name} must be a whole number from {least} to {most}, not {value!r}.")
    return value


def _help(action: Action, name: str) -> str:
    told = action.parameters[name]
    return str(told.get("description") or told.get("type") or "a value")


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:_NAMES]) + (" …" if len(names) > _NAMES else "")
