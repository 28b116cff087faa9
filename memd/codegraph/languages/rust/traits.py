"""Traits: what `impl` blocks of a project bring to types of the library, and by which trait a method is called."""

from __future__ import annotations

from string import ascii_uppercase
from typing import TYPE_CHECKING

from memd.codegraph.facts import Expr, Flag, Name
from memd.codegraph.places import Place
from memd.codegraph.values import NOTHING, Cls, Ext, Func, Values, every, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver


def brought_to(resolver: Resolver, kind: str, name: str) -> Values:
    """Return the methods of a name that `impl` blocks of the project hold for a type of the library."""
    found: list[Values] = []
    for path, at in resolver.project.defining(kind):
        facts = resolver.project.facts(path)
        if facts is None or facts.language != "rust" or not facts.symbols[at].flags & Flag.PART:
            continue
        part = facts.symbols[at]
        place = Place(path, at, part.start)
        meant = resolver.evaluate(part.bases[0], place)
        if not any(isinstance(one, Ext) and one.name.rpartition(".")[2] == kind for one in meant):
            continue
        names = resolver.names(path)
        held = names.all(at, name) if names is not None else ()
        own = union(*(resolver.binding(path, one) for one in held))
        found.append(own or union(*(_of_trait(resolver, base, place, name) for base in part.bases[1:])))
    return union(*found)


def for_any(resolver: Resolver, name: str) -> Values:
    """Return the methods of a name that traits bring to whatever there is (`impl<T: Iterator> Extended for T`)."""
    traits = resolver.answers.once(("for any",), lambda: _traits_for_any(resolver))
    return union(
        *(resolver.member(one, name) for one in traits if isinstance(one, Cls) and _declares(resolver, one, name))
    )


def _declares(resolver: Resolver, trait: Cls, name: str) -> bool:
    names = resolver.names(trait.path)
    return names is not None and bool(names.all(trait.index, name))


def _traits_for_any(resolver: Resolver) -> Values:
    found: list[Values] = []
    for letter in ascii_uppercase:  # what type parameters are called
        for path, at in resolver.project.defining(letter):
            facts = resolver.project.facts(path)
            part = facts.symbols[at] if facts is not None and facts.language == "rust" else None
            if part is None or not part.flags & Flag.PART or part.bases[0] != Name(letter):
                continue
            place = Place(path, at, part.start)
            found.append(every(*(resolver.evaluate(base, place) for base in part.bases[1:])))
    return every(*found)


def declared_by(resolver: Resolver, function: Func) -> Values:
    """Return the method of the project's trait whose `impl` holds a function, nothing where no trait's does."""
    facts = resolver.project.facts(function.path)
    symbol = resolver.symbol(function)
    part = facts.symbols[symbol.parent] if facts is not None and symbol.parent >= 0 else None
    if part is None or not part.flags & Flag.PART:
        return NOTHING
    place = Place(function.path, symbol.parent, part.start)
    return union(*(_of_trait(resolver, base, place, symbol.name) for base in part.bases[1:]))


def _of_trait(resolver: Resolver, trait: Expr, place: Place, name: str) -> Values:
    """Return what a trait has under a name, where it is one of the project's."""
    return union(*(resolver.member(one, name) for one in resolver.evaluate(trait, place) if isinstance(one, Cls)))
