"""Mentions: which names a file uses, and what it lets others see. What concerns whom when a file changes.

A file has to be resolved again when a name that it mentions means something else now. What a name means shows in the
symbols of that name and in what is bound to it outside of functions; code inside of a function concerns nobody else.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

import msgspec

from memd.codegraph.facts import (
    EXPORTS,
    MODULE,
    PATH,
    RETURN,
    TYPE_KINDS,
    YIELD,
    Binding,
    Expr,
    FileFacts,
    Flag,
    Symbol,
)

_ENCODE: Final = msgspec.msgpack.Encoder().encode
_STAR: Final = "*"


def mentioned(facts: FileFacts) -> frozenset[str]:
    """Return the names that a file uses: in calls, types, bases and imports. A module counts by its last part."""
    found: set[str] = set()
    for call in facts.calls:
        found.update(_names(call.callee))
        for arg in call.args:
            found.update(_names(arg))
    for binding in facts.bindings:
        found.update(_names(binding.value))
        found.update(_names(binding.type))
    for symbol in facts.symbols:
        for expr in (*symbol.bases, *symbol.decorators, *symbol.bounds, symbol.returns):
            found.update(_names(expr))
        if symbol.parent >= 0 and facts.symbols[symbol.parent].bases:
            found.add(symbol.name)  # what it overrides says more of it
    for site in facts.imports:
        found.update(_last_parts(site.module))
        found.update(site.names)
    for star in facts.stars:
        found.update(_last_parts(star))
    return frozenset(found)


def surface(facts: FileFacts) -> dict[str, bytes]:
    """Return what a file lets others see: for each name a hash of everything that it means there.

    The name of the file itself stands for its existence, and `*` for what it hands on from others.
    """
    said: dict[str, list[bytes]] = {}
    for index, symbol in enumerate(facts.symbols):
        if _visible(facts, symbol.parent):
            told = _told(facts, index, symbol)
            # A part may bring a base to what does not name the part: whoever uses that names the base.
            brought = symbol.bases[1:] if symbol.flags & Flag.PART else ()
            for told_of in {symbol.name, *(one for base in brought for one in _names(base))}:
                said.setdefault(told_of, []).append(told)
    for binding in facts.bindings:
        inside = binding.name in (RETURN, YIELD) or _is_typed_parameter(facts, binding)
        if inside or _visible(facts, binding.owner):
            name = _name_of(facts, binding.owner) if inside else binding.name
            if name is not None:
                said.setdefault(name, []).append(_ENCODE((binding.owner < 0, binding.value, binding.type)))
    for stem in _last_parts(facts.path):
        said.setdefault(stem, []).append(b"")
    said[_STAR] = [star.encode() for star in facts.stars]
    return {name: hashlib.blake2b(b"\0".join(parts), digest_size=8).digest() for name, parts in said.items()}


def changed(before: FileFacts | None, after: FileFacts | None) -> frozenset[str]:
    """Return the names that mean something else in a file than before; None is a file that is not there."""
    old = surface(before) if before is not None else {}
    new = surface(after) if after is not None else {}
    names = {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}
    if _STAR in names:
        # What it hands on from others can be anything that either of them has.
        names.discard(_STAR)
        names.update(part for facts in (before, after) if facts is not None for part in _last_parts(facts.path))
    # Whoever sees a type through another one need not name it: its members are what is then asked for.
    for facts in (before, after):
        if facts is not None:
            names.update(_members_of(facts, names))
    return frozenset(names)


def _members_of(facts: FileFacts, names: set[str]) -> Iterator[str]:
    types = {index for index, one in enumerate(facts.symbols) if one.kind in TYPE_KINDS and one.name in names}
    for symbol in facts.symbols:
        if symbol.parent in types:
            yield symbol.name


def _told(facts: FileFacts, index: int, symbol: Symbol) -> bytes:
    return _ENCODE(
        (facts.qualname(index), symbol.kind, symbol.flags, symbol.bases, symbol.returns, symbol.params, symbol.takes,
         symbol.type_params, symbol.decorators, symbol.bounds)
    )  # fmt: skip


def _is_typed_parameter(facts: FileFacts, binding: Binding) -> bool:
    """Tell whether a binding is a parameter of which its function tells the type: that says who may be given to it."""
    if binding.type is None or binding.owner < 0:
        return False
    return any(name.endswith(binding.name) for name in facts.symbols[binding.owner].params)


def _visible(facts: FileFacts, owner: int) -> bool:
    """Tell whether what belongs to a scope can be seen from other files: it lies in no function."""
    if owner in (MODULE, EXPORTS):
        return True
    while owner >= 0:
        symbol = facts.symbols[owner]
        if symbol.kind in ("function", "method"):
            return False
        owner = symbol.parent
    return True


def _name_of(facts: FileFacts, owner: int) -> str | None:
    if owner < 0 or not _visible(facts, facts.symbols[owner].parent):
        return None
    return facts.symbols[owner].name


def _names(expr: Expr | None) -> Iterator[str]:
    """Yield every name in an expression."""
    waiting: list[object] = [expr]
    while waiting:
        one = waiting.pop()
        if not isinstance(one, msgspec.Struct):
            continue
        for field in one.__struct_fields__:
            value = getattr(one, field)
            if isinstance(value, str):
                if field in ("module", "type"):
                    yield from _last_parts(value)
                else:
                    yield value.lstrip(".").removesuffix(PATH)
                    if "/" in value:  # a method that is asked for with its number of arguments
                        yield value.partition("/")[0]
            elif isinstance(value, tuple):
                waiting.extend(value)
            elif isinstance(value, msgspec.Struct):
                waiting.append(value)


def _last_parts(module: str) -> Iterator[str]:
    """Yield the names that a module or file may go by: its last part, with and without what follows the first dot."""
    last = module.strip('"<>').rstrip("/").replace("::", "/").rpartition("/")[2]
    for one in {last, last.partition(".")[0], last.rpartition(".")[2], last.rpartition(".")[0].rpartition(".")[2]}:
        if one:
            yield one
    if last.partition(".")[0] in ("__init__", "mod", "index", "lib"):
        yield from _last_parts(module.rstrip("/").rpartition("/")[0])
