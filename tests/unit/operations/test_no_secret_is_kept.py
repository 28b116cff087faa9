"""No secret that is handed to memd is kept, whichever parameter of whichever operation it stands in."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest

from memd.errors import MemdError
from memd.operations.catalog import OPERATIONS
from memd.operations.registry import Operation
from tests.unit.operations.conftest import FIRST, Harbor

_CHANCE = random.Random(20261130)
CHANGING = [one for one in OPERATIONS.values() if one.writes or one.destroys]


def _token() -> str:
    """A token of a code forge, made up here so that no scanner finds one in this file."""
    return "gh" + "p_" + "".join(_CHANCE.choices(string.ascii_lowercase + string.digits, k=36))


def _plain(kind: Any) -> Any:
    """A type without its None."""
    if get_origin(kind) in (Union, UnionType):
        return next(one for one in get_args(kind) if one is not type(None))
    return kind


def _usual(name: str, kind: Any, known: Mapping[str, object]) -> object:
    """Something that a parameter may be, so that the operation gets as far as writing."""
    kind = _plain(kind)
    if name in known:
        return known[name]
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    if get_origin(kind) is tuple:
        return (_usual(name, get_args(kind)[0], known),)
    if is_dataclass(kind):
        return _given(kind, known)
    return {str: f"The {name} of the lighthouse", int: 100, float: 0.5, bool: True}.get(kind, {})


def _given(params: Any, known: Mapping[str, object]) -> dict[str, object]:
    hints = get_type_hints(params)
    needed = (
        one.name
        for one in fields(params)
        if (one.default is MISSING and one.default_factory is MISSING)
        or one.name in {"apply", "dry_run", "create", "project"}
    )
    return {name: _usual(name, hints[name], known) for name in needed}


def _places(params: Any) -> Iterator[tuple[str, ...]]:
    """Yield the way to each text that an operation takes: a parameter's name, then a field's of what it lists."""
    for name, hint in get_type_hints(params).items():
        kind = _plain(hint)
        inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
        if is_dataclass(inner):
            yield from ((name, *rest) for rest in _places(inner))
        elif inner is str or (get_origin(inner) not in (Literal, tuple) and inner not in (int, float, bool)):
            yield (name,)


def _with(params: Any, place: tuple[str, ...], text: str, known: Mapping[str, object]) -> dict[str, object]:
    given = _given(params, known)
    name, kind = place[0], _plain(get_type_hints(params)[place[0]])
    inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
    value: object = _with(inner, place[1:], text, known) if len(place) > 1 else text
    if inner is not str and not is_dataclass(inner):
        value = {"note": text, text: "note"}
    given[name] = (value,) if get_origin(kind) is tuple else value
    return given


async def _known(harbor: Harbor) -> dict[str, object]:
    """What there is in the harbour, by the names that parameters have for it; made so that every operation finds it."""

    async def do(called: str, /, **params: object) -> Any:
        return await OPERATIONS[called].call(harbor.memory, params)

    one = await do("facts.remember", text="Lamps are lit at dusk", project="harbor", kind="decision")
    two = await do("facts.remember", text="The crane is checked on Mondays", project="harbor", kind="decision")
    await do("entities.add", name="crane", project="harbor")
    await do("entities.add", name="quay", project="harbor")
    await do("relations.link", source="crane", relation="depends_on", target="quay", project="harbor")
    await do("blocks.set", label="watch", value="mind the ebb", project="harbor")
    return {
        "fact": one.fact.id, "keep": one.fact.id, "other": two.fact.id, "project": "harbor", "session": FIRST,
        "source": "crane", "target": "quay", "relation": "depends_on", "entity": "crane", "kind": "decision",
        "label": "watch", "old": "mind", "path": str(harbor.root), "apply": True, "dry_run": False, "create": True,
    }  # fmt: skip


@pytest.mark.parametrize("operation", CHANGING, ids=lambda one: one.name)
async def test_a_secret_in_any_text_of_an_operation_is_not_kept(harbor: Harbor, operation: Operation[Any, Any]) -> None:
    secrets = {place: _token() for place in _places(operation.params)}
    for place, secret in secrets.items():
        known = await _known(harbor)
        given = _with(operation.params, place, f"Ships call with {secret} at night", known)
        if operation.name == "facts.learn":
            given["text"] = f"## Key Learnings:\n\n1. {given['text']}\n"
        with suppress(MemdError):  # refused, and then nothing may be kept either
            await operation.call(harbor.memory, given)

    kept = b"".join(one.read_bytes() for one in harbor.home.rglob("*") if one.is_file()).lower()
    assert [place for place, secret in secrets.items() if secret.encode() in kept] == []
    # In an index of words it may stand without its beginning.
    assert [place for place, secret in secrets.items() if secret[8:].encode() in kept] == []


async def test_the_texts_that_are_tried_do_reach_the_disk(harbor: Harbor) -> None:
    known = await _known(harbor)
    await OPERATIONS["facts.note"].call(
        harbor.memory, _with(OPERATIONS["facts.note"].params, ("text",), "Oysters", known)
    )

    assert b"oyster" in b"".join(one.read_bytes() for one in harbor.home.rglob("*") if one.is_file()).lower()
