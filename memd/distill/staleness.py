"""Staleness: what a session changed or removed that an earlier fact may speak of. Pure.

Files come from the host's own record of changes, symbols from what edits took out: a name that was defined in what was
replaced and in nothing of what replaced it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast

import orjson

from memd.model import Message, ToolCall
from memd.text.home import shorten_home

Change: TypeAlias = Literal["changed", "removed", "renamed"]

_DEFINED: Final = re.compile(
    r"\b(?:def|class|function|func|fn|interface|struct|enum|trait|type|module|const|macro_rules!)\s+([A-Za-z_$][\w$]{2,60})"
)
_OLD: Final = ("old_string", "oldString", "old_str", "oldText", "search")
_NEW: Final = ("new_string", "newString", "new_str", "newText", "replace")
_LONGEST: Final = 200_000
_CHANGES: Final[Mapping[str, Change]] = {"update": "changed", "delete": "removed", "rename": "renamed"}


@dataclass(frozen=True, slots=True)
class Changed:
    """A file or symbol that a session changed last, and how. `at`: when, None where the host does not tell."""

    name: str
    change: Change
    at: int | None
    detail: str


def changes_of(messages: Sequence[Message]) -> tuple[Changed, ...]:
    """Return what a session changed, each thing once and as it was left; what it made anew is not among it."""
    files: dict[str, Changed] = {}
    counts: dict[str, int] = {}
    symbols: dict[str, Changed] = {}
    defined: set[str] = set()
    for message in messages:
        if message.abandoned:
            continue
        for call in message.tool_calls:
            if call.ok is False:
                continue
            for file in call.changes:
                if file.op == "create":
                    files.pop(file.path, None)
                    continue
                counts[file.path] = counts.get(file.path, 0) + 1
                detail = (
                    f"{counts[file.path]} edit{'' if counts[file.path] == 1 else 's'}"
                    if file.op == "update"
                    else f"{file.op}d"
                )
                files[file.path] = Changed(file.path, _CHANGES[file.op], message.at, detail)
            for old, new in _edits(call):
                after = set(_DEFINED.findall(new))
                defined |= after
                where = call.changes[0].path if call.changes else "an edit"
                for name in set(_DEFINED.findall(old)) - after:
                    symbols[name] = Changed(name, "removed", message.at, f"taken out of {where}")
    # Moved to another place it is still there.
    gone = (one for name, one in sorted(symbols.items()) if name not in defined)
    return (*files.values(), *gone)


def speaks_of(text: str, name: str) -> bool:
    """Return whether a text names a file, by its path or its last part, or a symbol, as a word of its own."""
    path = name.replace("\\", "/")
    wanted = [name, shorten_home(name)] if "/" not in path else [name, shorten_home(name), asked(name)]
    return any(re.search(rf"(?<![\w/.-]){re.escape(one)}(?![\w-]|\.\w)", text) for one in wanted if len(one) > 2) or (
        "/" in path and any(path.endswith(f"/{told}") for told in _paths(text.replace("\\", "/")))
    )


def asked(name: str) -> str:
    """Return the words by which texts that may name a thing are looked for."""
    return re.split(r"[\\/]", name)[-1]


def _paths(text: str) -> list[str]:
    return re.findall(r"(?:[\w.@-]+/)+[\w.@-]*\w", text)


def _edits(call: ToolCall) -> Iterator[tuple[str, str]]:
    """What each edit of a tool call took out and what it put in."""
    if call.kind != "edit" or len(call.input) > _LONGEST:
        return
    try:
        given = orjson.loads(call.input)
    except orjson.JSONDecodeError:
        given = call.input
    yield from _pairs(given)


def _pairs(given: object) -> Iterator[tuple[str, str]]:
    if isinstance(given, str):
        lines = given.splitlines()
        old = [line[1:] for line in lines if line.startswith("-") and not line.startswith("---")]
        new = [line[1:] for line in lines if line.startswith(("+", " ")) and not line.startswith("+++")]
        if old:
            yield "\n".join(old), "\n".join(new)
    elif isinstance(given, dict):
        members = cast("dict[str, object]", given)
        old_text = next((members[name] for name in _OLD if isinstance(members.get(name), str)), None)
        new_text = next((members[name] for name in _NEW if isinstance(members.get(name), str)), "")
        if old_text is not None:
            yield str(old_text), str(new_text)
        for name, value in members.items():
            if name not in _OLD and name not in _NEW:
                yield from _pairs(value)
    elif isinstance(given, list):
        for value in given:
            yield from _pairs(value)
