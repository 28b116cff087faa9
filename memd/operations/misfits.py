"""Misfits: what is wrong with a parameter, in words that say what to change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

_PATH: Final = re.compile(r" - at `\$\.?([^`]*)`$")
_EXPECTED: Final = re.compile(r"Expected `([^`]+)`, got `([^`]+)`")
_MISSING: Final = re.compile(r"Object missing required field `([^`]+)`")
_WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_SHOWN: Final = 40


def sentence_of(message: str, params: type[Any], given: Mapping[str, object]) -> str:
    """Return what a complaint of msgspec's means: the parameter, what it may be, and what it was.

    A complaint of another kind is returned as it is.
    """
    place = _PATH.search(message)
    path = place.group(1) if place else ""
    missing = _MISSING.search(message)
    if missing:
        return f"{f'{path}.' if path else ''}{missing.group(1)} is missing"
    expected = _EXPECTED.search(message)
    words = _listed(params, path) if "Invalid enum value" in message else ()
    if not path or not (expected or words):
        return message
    if expected:
        words = tuple(_WORDS.get(kind, kind) for kind in expected.group(1).split(" | ") if kind != "null")
    return f"{path} must be {_either(words)}, not {_shown(given, path)}"


def _either(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)


def _shown(given: Mapping[str, object], path: str) -> str:
    value: Any = given
    try:
        for step in re.findall(r"[^.\[\]]+", path):
            value = value[int(step)] if isinstance(value, (list, tuple)) else value[step]
    except (KeyError, IndexError, ValueError, TypeError):
        return "that"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _listed(params: type[Any], path: str) -> tuple[str, ...]:
    """Return the words that a place in the parameters may hold."""
    hint: Any = params
    for step in re.findall(r"[^.\[\]]+", path):
        hint = next(iter(_inner(hint, step)), None)
    return tuple(map(str, literals(hint)))


def _inner(hint: Any, step: str) -> list[Any]:
    if is_dataclass(hint) and isinstance(hint, type):
        hints = get_type_hints(hint)
        return [hints[field.name] for field in fields(hint) if field.name == step]
    if step == "..." or step.isdecimal():
        return [inner for inner in _several(hint) if inner is not Ellipsis]
    return [found for inner in get_args(hint) for found in _inner(inner, step)]


def _several(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) in (list, tuple):
        return get_args(hint)
    return tuple(found for inner in get_args(hint) for found in _several(inner))


def literals(hint: Any) -> tuple[object, ...]:
    """Return the words that a type lists as what a value may be, however deep in it."""
    if get_origin(hint) is Literal:
        return get_args(hint)
    return tuple(word for inner in get_args(hint) for word in literals(inner))
