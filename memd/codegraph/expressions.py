"""Expressions: what each kind of expression stands for, in one table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from memd.codegraph.facts import (
    ITSELF,
    WHOLE,
    Attr,
    Await,
    Call,
    Construct,
    Contextual,
    Deref,
    Element,
    Enter,
    Expr,
    Import,
    Index,
    Instance,
    Item,
    Literal,
    Name,
    OneOf,
    Own,
    Super,
    This,
    Within,
)
from memd.codegraph.inheritance import substituted
from memd.codegraph.places import Place
from memd.codegraph.values import NOTHING, Bases, Cls, Ext, ExtObj, Func, Module, Obj, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver


def _name(resolver: Resolver, expr: Name, place: Place) -> Values:
    return resolver.lookup(expr.id, place)


def _attr(resolver: Resolver, expr: Attr, place: Place) -> Values:
    narrowed = _narrowed(resolver, expr, place)
    if narrowed:
        return narrowed
    bases = resolver.values_of(resolver.evaluate(expr.base, place))
    return union(*(resolver.member(base, expr.name) for base in bases))


def _narrowed(resolver: Resolver, expr: Attr, place: Place) -> Values:
    """Return what was said of a whole chain (`self.x`) in the scope itself, nothing where nothing was."""
    names = resolver.names(place.path)
    if names is None or not names.narrows(expr.name):
        return NOTHING
    path = _dotted(expr)
    if path is None:
        return NOTHING
    return union(*(resolver.binding(place.path, one) for one in names.reaching(place.scope, path, place.at)))


def _dotted(expr: Expr) -> str | None:
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Attr):
        base = _dotted(expr.base)
        return f"{base}.{expr.name}" if base is not None else None
    return None


def _call(resolver: Resolver, expr: Call, place: Place) -> Values:
    callees = resolver.evaluate(expr.callee, place)
    if expr.args and callees:
        callees = resolver.rules.chosen(resolver, callees, expr.callee, expr.args, place)
    return union(*(resolver.calls.called(one, expr, place) for one in callees))


def _own(resolver: Resolver, expr: Own, place: Place) -> Values:
    return resolver.own(place.path, expr.symbol)


def _this(_resolver: Resolver, expr: This, place: Place) -> Values:
    return (Cls(place.path, expr.symbol, own=True) if expr.cls else Obj(place.path, expr.symbol, own=True),)


def _super(_resolver: Resolver, expr: Super, place: Place) -> Values:
    return (Bases(place.path, expr.symbol, expr.cls),)


def _import(resolver: Resolver, expr: Import, place: Place) -> Values:
    keys = resolver.rules.find_module(place.path, expr.module)
    if not keys:
        if expr.name is None:
            return resolver.rules.no_module(resolver, place.path, expr.module)
        return (Ext(f"{expr.module}.{expr.name}"),)
    if expr.name is None:
        return tuple(Module(key) for key in keys)
    return union(*(resolver.module_member(key, expr.name) for key in keys))


def _one_of(resolver: Resolver, expr: OneOf, place: Place) -> Values:
    found = union(*(resolver.evaluate(one, place) for one in expr.options))
    return tuple(map(resolver.rules.uncertain, found)) if expr.uncertain else found


def _literal(resolver: Resolver, expr: Literal, place: Place) -> Values:
    if expr.type == "None":
        return NOTHING
    return (ExtObj(expr.type, tuple(resolver.evaluate(one, place) for one in expr.args)),)


def _instance(resolver: Resolver, expr: Instance, place: Place) -> Values:
    return resolver.instance_of(expr.type, place)


def _construct(resolver: Resolver, expr: Construct, place: Place) -> Values:
    types = resolver.evaluate(expr.type, place)
    made = union(*(resolver.rules.constructed(resolver, one) for one in resolver.values_of(types)))
    return made or resolver.instance_of(expr.type, place)


def _index(resolver: Resolver, expr: Index, place: Place) -> Values:
    return union(*(_indexed(resolver, base, expr, place) for base in resolver.evaluate(expr.base, place)))


def _indexed(resolver: Resolver, base: Value, expr: Index, place: Place) -> Values:
    match base:
        case Cls():
            return (Cls(base.path, base.index, _arguments(resolver, expr, place), base.own),)
        case Ext():
            return (Ext(base.name, _arguments(resolver, expr, place)),)
        case Func():
            given = dict(zip(resolver.symbol(base).type_params, _arguments(resolver, expr, place), strict=False))
            return (Func(base.path, base.index, base.this, tuple(sorted({**dict(base.env), **given}.items()))),)
        case _:
            return resolver.uses.item(base, None)


def _arguments(resolver: Resolver, expr: Index, place: Place) -> tuple[Values, ...]:
    return tuple(resolver.instance_of(one, place) if one is not None else NOTHING for one in expr.args)


def _item(resolver: Resolver, expr: Item, place: Place) -> Values:
    return union(*(resolver.uses.item(base, expr.key) for base in resolver.evaluate(expr.base, place)))


def _element(resolver: Resolver, expr: Element, place: Place) -> Values:
    return union(*(resolver.uses.element(base) for base in resolver.evaluate(expr.base, place)))


def _enter(resolver: Resolver, expr: Enter, place: Place) -> Values:
    return union(*(resolver.uses.entered(base) for base in resolver.evaluate(expr.base, place)))


def _await(resolver: Resolver, expr: Await, place: Place) -> Values:
    return union(*(resolver.uses.awaited(base) for base in resolver.evaluate(expr.base, place)))


def _deref(resolver: Resolver, expr: Deref, place: Place) -> Values:
    return union(*(resolver.uses.pointed(base) for base in resolver.evaluate(expr.base, place)))


def _within(resolver: Resolver, expr: Within, place: Place) -> Values:
    return resolver.evaluate(expr.base, Place(place.path, place.scope, expr.at))


def _contextual(resolver: Resolver, expr: Contextual, place: Place) -> Values:
    """Return what a function literal is called with: as the parameter that takes it declares."""
    found: list[Values] = []
    for callee in resolver.evaluate(expr.callee, place):
        if expr.arg == ITSELF:
            found.append(_taken(resolver, callee, expr.param))
        elif isinstance(callee, Func) and expr.param == WHOLE:
            found.append(substituted(resolver.calls.parameter(callee, expr.arg), dict(callee.env)))
        elif isinstance(callee, Func):
            env = {**dict(callee.env), **resolver.calls.from_arguments(callee, expr.args, place)}
            found.extend(
                substituted(_taken(resolver, one, expr.param), env)
                for one in resolver.calls.parameter(callee, expr.arg)
            )
        else:
            found.append(resolver.rules.contextual_outside(resolver, callee, expr))
    return union(*found)


def _taken(resolver: Resolver, function: Value, position: int) -> Values:
    """Return what the parameter at a position of a function takes whose type a value is of."""
    known = resolver.rules.function_type(resolver, function)
    return known[0][position] if known is not None and position < len(known[0]) else NOTHING


# Each entry takes the kind of expression that it stands under.
EVALUATE: Final[dict[type, Callable[[Resolver, Any, Place], Values]]] = {
    Name: _name,
    Attr: _attr,
    Call: _call,
    Own: _own,
    This: _this,
    Super: _super,
    Import: _import,
    OneOf: _one_of,
    Literal: _literal,
    Construct: _construct,
    Instance: _instance,
    Index: _index,
    Item: _item,
    Element: _element,
    Enter: _enter,
    Await: _await,
    Deref: _deref,
    Within: _within,
    Contextual: _contextual,
}
