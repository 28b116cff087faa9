"""JSON as no host writes it: values of other kinds in the places where an adapter looks."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Final, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Place: TypeAlias = "tuple[str | int, ...]"

_ODD: Final[tuple[Json, ...]] = (
    None, True, 0, -1, 1.5, 1e300, 2**63, -(2**70), float("nan"), "", "x", "\ud800", "\0", "2026-13-45T99:99:99Z",
    [], [[]], [None], [1, "a", {}], {}, {"type": None}, {"type": []}, {"text": 5}, {"role": ["user"]}, {"": {}},
)  # fmt: skip
_MOST_ITEMS: Final = 100
_LONGEST_COPY: Final = 20_000


def misshapen(value: Json, chance: random.Random) -> Json:
    """Return a copy of a value in which some places hold something else, nothing, or what stands elsewhere in it."""
    value = copy.deepcopy(value)
    for _ in range(chance.choice((1, 1, 2, 4))):
        places = [place for place in _places(value) if place]
        if not places:
            return copy.deepcopy(chance.choice(_ODD))
        _spoil(value, chance.choice(places), chance.choice(places), chance)
    return value


def _spoil(value: Json, place: Place, other: Place, chance: random.Random) -> None:
    holder, name = _at(value, place[:-1]), place[-1]
    assert isinstance(holder, dict | list)
    there = holder[name]  # type: ignore[index]
    match chance.randrange(8):
        case 0:
            del holder[name]  # type: ignore[arg-type]
            return
        case 1 if isinstance(there, str) and there[:1] in ("{", "["):  # JSON in JSON
            try:
                new: Json = json.dumps(misshapen(json.loads(there), chance))
            except ValueError:
                new = "{"
        case 2 if len(repr(_at(value, other))) < _LONGEST_COPY:
            new = copy.deepcopy(_at(value, other))
        case _:
            new = copy.deepcopy(chance.choice(_ODD))
    holder[name] = new  # type: ignore[index]


def _places(value: Json, place: Place = ()) -> Iterator[Place]:
    yield place
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _places(member, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value[:_MOST_ITEMS]):
            yield from _places(item, (*place, index))


def _at(value: Json, place: Place) -> Json:
    for name in place:
        assert isinstance(value, dict | list)
        value = value[name]  # type: ignore[index]
    return value


def misshapen_file(content: bytes, chance: random.Random) -> bytes:
    """Return a file of JSON, or of lines of JSON, with some of it misshapen; another file comes back as it is."""
    try:
        return json.dumps(misshapen(json.loads(content), chance)).encode()
    except ValueError:
        lines = content.split(b"\n")
    for _ in range(chance.choice((1, 2, 5))):
        number = chance.randrange(len(lines))
        try:
            lines[number] = json.dumps(misshapen(json.loads(lines[number]), chance)).encode()
        except ValueError:
            continue
    return b"\n".join(lines)
