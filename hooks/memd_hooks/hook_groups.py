"""Hook groups: our entries in the settings shape that Claude Code introduced and other hosts took over.

`{"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ..., "timeout": ...}]}]}}`: each event has
groups, each group has handlers. Ours is a group of its own at the end of each event. A handler is ours if it runs a
file called `memd-hook` for this host, wherever it stands and whatever else the person has set on it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memd_hooks.settings_json import Before, append_item, replace_text, values_of
from memd_hooks.settings_prune import remove_items
from memd_hooks.shim import HOOK_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memd_hooks.jsonc import JsonValue
    from memd_hooks.settings_json import Place


@dataclass(frozen=True, slots=True)
class Wanted:
    """The entries that are to be there."""

    host: str
    command: str
    events: tuple[str, ...]
    timeout: int
    """In the host's own unit."""

    @property
    def group(self) -> JsonValue:
        """One event's group."""
        return {"hooks": [{"type": "command", "command": self.command, "timeout": self.timeout}]}


@dataclass(frozen=True, slots=True)
class Own:
    """A handler of ours: where it stands, for which event, and what it runs."""

    place: Place
    event: str
    command: str


@dataclass(frozen=True, slots=True)
class Registered:
    """A settings document with the wanted entries; `steps` says in words what had to be done for it."""

    data: bytes | None
    before: Before
    steps: tuple[str, ...]


def own_handlers(data: bytes | None, host: str) -> tuple[Own, ...]:
    """Our handlers in a settings document, in its order. Raises DocumentError if it is not valid."""
    document = values_of(data or b"")
    hooks = document.get("hooks") if isinstance(document, dict) else None
    return tuple(
        Own(("hooks", event, at, "hooks", number), event, command)
        for event, groups in (hooks.items() if isinstance(hooks, dict) else ())
        for at, group in enumerate(groups if isinstance(groups, list) else ())
        for number, command in _commands(group)
        if _is_own(command, host)
    )


def register(data: bytes | None, before: Before, wanted: Wanted) -> Registered:
    """The document with one handler of ours for each wanted event and no other.

    Only what is wrong is changed: another command in its place, doubles and events of other versions removed, missing
    ones appended. Raises DocumentError if the document is not valid or not of the shape.
    """
    steps: list[str] = []
    kept: set[str] = set()
    drop: set[Place] = set()
    for own in own_handlers(data, wanted.host):
        if own.event in kept or own.event not in wanted.events:
            drop.add(own.place)
            steps.append(f"remove {'a second' if own.event in kept else 'the'} hook for {own.event}")
            continue
        kept.add(own.event)
        if own.command != wanted.command and data is not None:
            data = replace_text(data, (*own.place, "command"), wanted.command)
            steps.append(f"update the hook for {own.event}")
    if data is not None and drop:
        data = _without(data, drop, before)
    for event in wanted.events:
        if event not in kept:
            edited = append_item(data, ("hooks", event), wanted.group, before)
            data, before = edited.data, edited.before
            steps.append(f"add a hook for {event}")
    return Registered(data, before, tuple(steps))


def unregister(data: bytes, before: Before, host: str) -> bytes | None:
    """The document without our handlers and what they leave empty; None where no file is to be left.

    Raises DocumentError if the document is not valid.
    """
    drop = {own.place for own in own_handlers(data, host)}
    return _without(data, drop, before) if drop else data


def _without(data: bytes, drop: set[Place], before: Before) -> bytes | None:
    def owned(place: Place, value: JsonValue) -> bool:
        if len(place) == 3 and place[0] == "hooks":
            # A group goes as a whole, with its matcher, if all its handlers go.
            numbers = [number for number, _ in enumerate(_handlers(value))]
            return bool(numbers) and all((*place, "hooks", number) in drop for number in numbers)
        return place in drop

    return remove_items(data, owned, before)


def _handlers(group: JsonValue) -> list[JsonValue]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _commands(group: JsonValue) -> Iterator[tuple[int, str]]:
    for number, handler in enumerate(_handlers(group)):
        command = handler.get("command") if isinstance(handler, dict) else None
        if isinstance(command, str):
            yield number, command


def _is_own(command: str, host: str) -> bool:
    # The path is absolute and may be quoted, with spaces in it: what counts is its last part and the word after it.
    return re.search(rf"""/{HOOK_NAME}['"]?\s+{re.escape(host)}(?=$|[\s;&|)])""", command) is not None
