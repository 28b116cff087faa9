"""Action parameters: what somebody typed behind an action, as the parameters of its operation."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from memd.doors.cli import reach
from memd.doors.cli.call import value_of
from memd.doors.cli.invocation import Invocation
from memd.doors.cli.places import means_project, project_word
from memd.doors.cli.stdin import messages, whole_text
from memd.doors.mcp.arguments import EVERYWHERE
from memd.doors.mcp.placement import Action

TEXTS: Final = frozenset({"text", "body", "content"})
"""Parameters that are a text of any length; `-` stands for standard input."""
OF_HERE: Final = frozenset({"facts.remember", "facts.learn", "messages.add"})
"""What is kept for the project of the folder that memd is called in, unless a project or a session is named."""
_PLACES: Final = frozenset({"folder", "path"})
"""The daemon works in another folder than the person, who may name a place as seen from here."""


def parameters(action: Action, given: argparse.Namespace) -> dict[str, object]:
    """Return what an operation is given; raises UsageError for a word that is no such value."""
    params: dict[str, object] = {}
    for parameter, told in action.parameters.items():
        value = getattr(given, parameter, None)
        if value is None and is_here(action, parameter):
            value = given.here or str(Path.cwd())
        if value is None and parameter == "cwd":
            value = str(Path.cwd())
        if value is None or value == []:
            continue
        if means_project(action.operation.name, parameter):
            value = project_word(cast("str", value))
            if value == EVERYWHERE and action.operation.reads and parameter not in action.required:
                continue
        elif parameter in _PLACES:
            value = str(Path(cast("str", value)).expanduser().absolute())
        elif value == ["-"] and parameter in TEXTS:
            value = whole_text()
        elif isinstance(value, list):
            value = _from_list(told, value)
        elif isinstance(value, str):
            value = value_of(told, value)
        params[parameter] = value
    return params


def place(invocation: Invocation, op: str, params: dict[str, object]) -> Path | None:
    """Set which project something is kept for; return the folder memd is called in where that can be of none.

    `--project all` means everywhere.
    """
    if params.get("project") == EVERYWHERE:
        del params["project"]
        if op == "facts.remember":
            params["scope"] = "everywhere"
        return None
    if "project" in params or "session" in params or params.get("scope") == "everywhere":
        return None
    here = Path.cwd()
    answer = msgspec.json.decode(reach.ask(invocation, "whoami", {"cwd": str(here)}))
    project = answer["project"] or answer["site"]
    if project is None:
        return here
    params["project"] = project
    return None


def several(op: str, params: dict[str, object]) -> tuple[str, dict[str, object]]:
    """Return what standard input means: a list of messages is kept message by message, word for word, or not at all."""
    said = messages(str(params["text"])) if op in {"facts.remember", "messages.add"} else ()
    if op == "messages.add":
        rest = {name: value for name, value in params.items() if name != "text"}
        return op, {**rest, "messages": [{"role": one.role, "content": one.text} for one in said]}
    if len(said) < 2:
        return op, {**params, "text": said[0].text} if said else params
    items = [{**params, "text": one.text, "author": params.get("author", one.role), "again": True} for one in said]
    return "facts.batch", {"facts": items}


def is_here(action: Action, name: str) -> bool:
    """Whether a parameter is the project that is read of, which is that of this folder unless it is told."""
    return name == "project" and name in action.required and action.operation.reads


def kinds(told: Mapping[str, Any]) -> set[str]:
    """Return the JSON types that a parameter may have."""
    found = {told.get("type"), *(choice.get("type") for choice in told.get("anyOf", ()))}
    if "enum" in told:
        found.add("string")
    return {kind for kind in found if kind}


def _from_list(told: Mapping[str, Any], words: list[str]) -> object:
    if "array" in kinds(told):
        if len(words) == 1 and words[0].startswith("["):
            return value_of(told, words[0])
        return [value_of(told.get("items", {}), word) for word in words]
    return " ".join(words)
