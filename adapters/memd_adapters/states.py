"""States: what a reader carries from one read to the next, as the JSON that lies inside its cursor."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

import orjson

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def dumped(state: DataclassInstance) -> str:
    """Return a state as JSON without its fields that are at their defaults, so that it is small."""
    fresh = type(state)()
    changed = {f.name: value for f in fields(state) if (value := getattr(state, f.name)) != getattr(fresh, f.name)}
    return orjson.dumps(changed).decode()


def remember(table: dict[str, T], key: str, value: T, most: int) -> None:
    """Keep something under a key; what was kept first goes when there are more than `most`."""
    table[key] = value
    if len(table) > most:
        del table[next(iter(table))]
