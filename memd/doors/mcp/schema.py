"""Schema: a tool as a client lists it, in as few tokens as say what has to be said."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memd.doors.mcp.placement import Action, Tool

MARK: Final = "*"
PAGING: Final = ("offset", "limit", "max_chars")
"""What every action takes besides its own parameters."""
APPLY: Final = "apply"
"""Of what destroys: without it, the action only tells what would be lost."""

OUTPUT: Final[Mapping[str, object]] = {"type": "object", "required": ["result"]}
"""Of every tool: the answer, and besides it `project`, what it is about, and `next`, where it goes on if it was cut."""

COMMON: Final = frozenset(
    "query kind kinds mode host since session tail tools fact text title because rejected tags topic scope reason"
    " rating facts relations".split()
)
"""What the smaller profiles list besides what is required; the rest is taken, too."""

_TEXT: Final[Mapping[str, object]] = {"type": "string"}
_TEXTS: Final[Mapping[str, object]] = {"type": "array", "items": _TEXT}
_DANGLING: Final = frozenset(
    "a an and are be by for has in is it most no of or order that the their there to what where which who with"
    " would".split()
)


@dataclass(frozen=True, slots=True)
class Detail:
    """How much is said of a tool: characters of an action's summary and of a parameter's help (0: nothing)."""

    summary_chars: int
    help_chars: int
    every: bool
    """Whether every parameter is listed, and not only what is required or `COMMON`."""
    types: bool = True
    """Whether it is said of a text that it is one, and of a list of texts that it is one of texts."""


DETAILS: Final[Mapping[bool, tuple[Detail, ...]]] = {
    False: (
        *(Detail(58, chars, False) for chars in (48, 32)),
        Detail(44, 20, False),
        *(Detail(chars, 0, False, types=False) for chars in (58, 44, 36)),
    ),
    True: (
        *(Detail(chars, 0, True) for chars in (58, 48)),
        *(Detail(chars, 0, True, types=False) for chars in (58, 48, 38, 30, 22, 0)),
    ),
}
"""From the richest to the barest, for the full profile (True) and the others; the first that fits is told."""


def definition(tool: Tool, detail: Detail) -> dict[str, object]:
    """Return a tool as `tools/list` has it, in the protocol's own spelling."""
    return {
        "name": tool.name,
        "description": description(tool, detail),
        "inputSchema": input_schema(tool, detail),
        "outputSchema": OUTPUT,
        "annotations": hints(tool),
    }


def description(tool: Tool, detail: Detail) -> str:
    """Return what a tool is for, with a line for each action: its own parameters, those that are needed marked."""
    if _is_alone(tool):
        return tool.title
    lines = [tool.title, f"Actions ({MARK} = required):"]
    for action in tool.actions.values():
        own = [f"{name}{MARK if name in action.required else ''}" for name in _listed(action, detail)]
        usual = " (default)" if action.name == tool.usual else ""
        told = _short(action.operation.summary, detail.summary_chars)
        lines.append(f"{action.name}({','.join(own)}){usual}{': ' if told else ''}{told}")
    return "\n".join(lines)


def input_schema(tool: Tool, detail: Detail) -> dict[str, object]:
    """Return the arguments of all actions of a tool together."""
    alone = _is_alone(tool)
    properties: dict[str, object] = {} if alone else {"action": {"type": "string", "enum": list(tool.actions)}}
    for action in tool.actions.values():
        for name in _listed(action, detail):
            if name not in properties:
                properties[name] = _property(action.parameters[name], detail)
    if any("project" in action.parameters for action in tool.actions.values()):
        properties["project"] = _SHARED["project"]
    properties |= {name: _SHARED[name] for name in PAGING}
    if any(action.operation.destroys for action in tool.actions.values()):
        properties[APPLY] = _SHARED[APPLY]
    schema: dict[str, object] = {"type": "object", "properties": properties}
    if alone:
        schema["required"] = list(next(iter(tool.actions.values())).required)
    elif tool.usual is None:
        schema["required"] = ["action"]
    return schema


def _is_alone(tool: Tool) -> bool:
    """Whether a tool does one thing, which is called as the tool is."""
    return list(tool.actions) == [tool.name]


def hints(tool: Tool) -> dict[str, bool]:
    """Return the hints by which clients decide what they ask their user about."""
    operations = [action.operation for action in tool.actions.values()]
    reads = all(operation.reads and not operation.destroys for operation in operations)
    destroys = any(operation.destroys for operation in operations)
    return {"readOnlyHint": reads, "destructiveHint": destroys, "idempotentHint": reads, "openWorldHint": False}


def tokens(definitions: Sequence[Mapping[str, object]], instructions: str) -> int:
    """Return what a profile costs each session: its list of tools and its instructions, four characters a token."""
    return -(-(len(listing(definitions)) + len(instructions)) // 4)


def listing(definitions: Sequence[Mapping[str, object]]) -> str:
    """Return a list of tools as it goes over the wire."""
    return json.dumps({"tools": definitions}, separators=(",", ":"), ensure_ascii=False)


def takes(action: Action) -> tuple[str, ...]:
    """Return every argument that an action takes."""
    more = (APPLY,) if action.operation.destroys else ()
    return tuple(dict.fromkeys((*action.parameters, *PAGING, *more)))


_SHARED: Final[Mapping[str, object]] = {
    "project": {"type": "string", "description": 'folder, name or id; "all"; default: where you work'},
    "offset": {"type": "integer"},
    "limit": {"type": "integer"},
    "max_chars": {"type": "integer"},
    APPLY: {"type": "boolean", "description": "without: preview"},
}


def _listed(action: Action, detail: Detail) -> Iterable[str]:
    own = (name for name in action.parameters if name not in _SHARED)
    return (name for name in own if detail.every or name in COMMON or name in action.required)


def _short(summary: str, most: int) -> str:
    head = summary.split(";")[0].split(":")[0].rstrip(".")
    if len(head) > most:
        head = head.split(",")[0]
    words = head[: most + 1].split(" ")[:-1] if len(head) > most else [head]
    while len(words) > 1 and words[-1] in _DANGLING:
        words.pop()
    return " ".join(words)


def _property(told: Mapping[str, object], detail: Detail) -> dict[str, object]:
    prop = _lean(told)
    if not detail.types:
        prop = {} if prop == _TEXT else {"type": "array"} if prop == _TEXTS else prop
    # Of words that are listed the list tells enough.
    text, most = "" if "enum" in prop else str(told.get("description", "")), detail.help_chars
    if most and text:
        prop["description"] = text if len(text) <= most else _short(text.split(",")[0], most)
    return prop


def _lean(told: Mapping[str, object]) -> dict[str, object]:
    """Return a property without defaults, and without saying that it may be null, which leaving it out says."""
    choices = told.get("anyOf")
    if isinstance(choices, list):
        real = [choice for choice in choices if isinstance(choice, dict) and choice.get("type") != "null"]
        if len(real) == 1:
            return _lean(real[0])
        return {"anyOf": [_lean(choice) for choice in real]}
    kept: dict[str, object] = {}
    # What an object in a list is made of, its parameter's help or another action says.
    for name in ("type", "enum", "const", "items"):
        value = told.get(name)
        if value is not None:
            kept[name] = _lean(value) if name == "items" and isinstance(value, dict) else value
    enum = kept.get("enum")
    if isinstance(enum, list):
        kept["enum"] = [choice for choice in enum if choice is not None]
        kept.setdefault("type", "string")
    return kept
