"""Hook groups: our entries in the settings shape that Claude Code introduced and other hosts took over.

`{"hooks": {EVENT: [{"matcher": ..., "hooks": [{"type": "command", "command": ..., "timeout": ...}]}]}}`: each event has
groups, each group has handlers. Ours is a group of its own at the end of each event. In the flat shape of Cursor an
event has its handlers at once: `{"hooks": {EVENT: [{"command": ..., "timeout": ...}]}}`. A handler is ours if it runs
a file called `memd-hook` for this host, wherever it stands and whatever else the person has set on it.
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
    name: str = ""
    """What the host is to call the handler, where it has names for them."""
    flat: bool = False
    """Whether handlers stand in their event without a group."""
    comments: bool = False
    """Whether the host reads JSON with comments."""

    @property
    def item(self) -> JsonValue:
        """What is appended to an event's list."""
        if self.flat:
            return {"command": self.command, "timeout": self.timeout}
        named: dict[str, JsonValue] = {"name": self.name} if self.name else {}
        return {"hooks": [{**named, "type": "command", "command": self.command, "timeout": self.timeout}]}


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


def own_handlers(data: bytes | None, host: str, *, flat: bool = False, comments: bool = False) -> tuple[Own, ...]:
    """Our handlers in a settings document, in its order. Raises DocumentError if it is not valid."""
    document = values_of(data or b"", comments=comments)
    hooks = document.get("hooks") if isinstance(document, dict) else None
    return tuple(
        Own(place, event, command)
        for event, items in (hooks.items() if isinstance(hooks, dict) else ())
        for place, command in (_flat(event, items) if flat else _grouped(event, items))
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
    for own in _own(data, wanted):
        if own.event in kept or own.event not in wanted.events:
            drop.add(own.place)
            steps.append(f"remove {'a second' if own.event in kept else 'the'} hook for {own.event}")
            continue
        kept.add(own.event)
        if own.command != wanted.command and data is not None:
            data = replace_text(data, (*own.place, "command"), wanted.command, comments=wanted.comments)
            steps.append(f"update the hook for {own.event}")
    if data is not None and drop:
        data = _without(data, drop, before, comments=wanted.comments)
    for event in wanted.events:
        if event not in kept:
            edited = append_item(data, ("hooks", event), wanted.item, before, comments=wanted.comments)
            data, before = edited.data, edited.before
            steps.append(f"add a hook for {event}")
    return Registered(data, before, tuple(steps))


def unregister(data: bytes, before: Before, wanted: Wanted) -> Registered:
    """The document without our handlers and what they leave empty; no document where no file is to be left.

    Raises DocumentError if the document is not valid.
    """
    own = _own(data, wanted)
    after = _without(data, {each.place for each in own}, before, comments=wanted.comments) if own else data
    return Registered(after, before, tuple(f"remove the hook for {each.event}" for each in own))


def _own(data: bytes | None, wanted: Wanted) -> tuple[Own, ...]:
    return own_handlers(data, wanted.host, flat=wanted.flat, comments=wanted.comments)


def _without(data: bytes, drop: set[Place], before: Before, *, comments: bool) -> bytes | None:
    def owned(place: Place, value: JsonValue) -> bool:
        if place in drop:
            return True
        if len(place) == 3 and place[0] == "hooks" and isinstance(place[2], int):
            # A group goes as a whole, with its matcher, if all its handlers go.
            numbers = [number for number, _ in enumerate(_handlers(value))]
            return bool(numbers) and all((*place, "hooks", number) in drop for number in numbers)
        return False

    return remove_items(data, owned, before, comments=comments)


def _handlers(group: JsonValue) -> list[JsonValue]:
    handlers = group.get("hooks") if isinstance(group, dict) else None
    return handlers if isinstance(handlers, list) else []


def _grouped(event: str, groups: JsonValue) -> Iterator[tuple[Place, str]]:
    for at, group in enumerate(groups if isinstance(groups, list) else ()):
        for number, handler in enumerate(_handlers(group)):
            command = handler.get("command") if isinstance(handler, dict) else None
            if isinstance(command, str):
                yield ("hooks", event, at, "hooks", number), command


def _flat(event: str, handlers: JsonValue) -> Iterator[tuple[Place, str]]:
    for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
        command = handler.get("command") if isinstance(handler, dict) else None
        if isinstance(command, str):
            yield ("hooks", event, number), command


def _is_own(command: str, host: str) -> bool:
    # The path is absolute and may be quoted, with spaces in it: what counts is its last part and the word after it.
    return re.search(rf"""/{HOOK_NAME}['"]?\s+{re.escape(host)}(?=$|[\s;&|)])""", command) is not None
