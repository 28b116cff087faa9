"""Edges: what the references of a file resolve to, with their grounds, and what they do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

import msgspec

from memd.codegraph.facts import (
    PATH,
    Attr,
    Await,
    Call,
    CallSite,
    Construct,
    Deref,
    Element,
    Enter,
    Expr,
    FileFacts,
    Flag,
    Import,
    Index,
    Instance,
    Item,
    Name,
    OneOf,
    Own,
    Super,
    Symbol,
    This,
    Within,
)
from memd.codegraph.facts import (
    Literal as LiteralExpr,
)
from memd.codegraph.places import Place
from memd.codegraph.resolver import Resolver
from memd.codegraph.values import Cls, Ext, ExtObj, Func, Obj, Space, Value, Values

EdgeKind: TypeAlias = Literal["calls", "imports", "inherits"]

# How far an inference may be trusted: each step from a name to what it stands for may be wrong, and so may each of
# several alternatives. The figures order edges; they are no measured probabilities.
_STEP: Final = 0.95
_ALTERNATIVES: Final = 0.8


class Edge(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One relation between nodes, the line that shows it, and how sure it is (0-1)."""

    kind: EdgeKind
    src: str
    dst: str
    line: int
    confidence: float


class Unresolved(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reference that has no grounds: what it says, and why nothing follows from it."""

    src: str
    name: str
    line: int
    reason: str


class Resolution(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What became of the references of a file. `outside` counts those that lead out of the project."""

    path: str
    edges: tuple[Edge, ...]
    unresolved: tuple[Unresolved, ...]
    outside: int


def resolve(resolver: Resolver, facts: FileFacts) -> Resolution:
    """Return the edges that start in a file."""
    edges: dict[tuple[str, str, str], Edge] = {}
    unresolved: list[Unresolved] = []
    outside = 0
    for edge in (*_imports(resolver, facts), *_inherits(resolver, facts)):
        edges.setdefault((edge.kind, edge.src, edge.dst), edge)
    for site in facts.calls:
        found = _calls(resolver, facts, site)
        if isinstance(found, Unresolved):
            unresolved.append(found)
            continue
        outside += not found
        for edge in found:
            key = (edge.kind, edge.src, edge.dst)
            before = edges.get(key)
            if before is None or before.confidence < edge.confidence:
                edges[key] = edge
    return Resolution(facts.path, tuple(edges.values()), tuple(unresolved), outside)


def _imports(resolver: Resolver, facts: FileFacts) -> Iterator[Edge]:
    for site in facts.imports:
        for target in resolver.rules.import_targets(resolver, facts, site):
            if target != facts.path:
                yield Edge("imports", facts.path, target, site.line, 1.0)


def _inherits(resolver: Resolver, facts: FileFacts) -> Iterator[Edge]:
    for index, symbol in enumerate(facts.symbols):
        if symbol.flags & Flag.PART:
            yield from _brought(resolver, facts, symbol)
            continue
        if not symbol.bases or symbol.kind == "alias" or facts.named(index) != index:
            continue
        for value in resolver.ancestry.named(Cls(facts.path, index)):
            if isinstance(value, Cls) and (value.path, value.index) != (facts.path, index):
                target = _node(resolver, value)
                if target is not None:
                    yield Edge("inherits", facts.node(index), target, symbol.line, 1.0)


def _brought(resolver: Resolver, facts: FileFacts, part: Symbol) -> Iterator[Edge]:
    """Yield the edges from a type to what a part of it, defined anywhere, brings behind it."""
    place = Place(facts.path, part.parent, part.start)
    if _is_for_any(resolver, facts, part):
        return
    sources = [one for one in resolver.evaluate(part.bases[0], place) if isinstance(one, Cls)]
    for base in part.bases[1:]:
        for value in resolver.evaluate(base, place):
            target = _node(resolver, value) if isinstance(value, Cls) else None
            for source in sources if target is not None else ():
                src = _node(resolver, source)
                if src is not None and target is not None:
                    yield Edge("inherits", src, target, part.line, 1.0)


def _is_for_any(resolver: Resolver, facts: FileFacts, part: Symbol) -> bool:
    """Tell whether a part belongs to a type parameter of its own: to whatever there is, so to no type of a name."""
    names, whose = resolver.names(facts.path), part.bases[0]
    if names is None or not isinstance(whose, Name):
        return False
    bounded = (one for one in names.all(part.parent, whose.id) if one.scoped and one.since == part.start)
    return whose.id in part.type_params or any(bounded)


def _calls(resolver: Resolver, facts: FileFacts, site: CallSite) -> list[Edge] | Unresolved:
    """Return the edges of one call, none where it leads outside, or why it leads nowhere."""
    place = Place(facts.path, site.scope, site.at)
    values = resolver.evaluate(site.callee, place)
    if site.args and values:
        values = resolver.rules.chosen(resolver, values, site.callee, site.args, place)
    if site.constructs:
        if values and not any(isinstance(value, Cls) for value in values):
            return []  # a member that is given its first value, a type of a library
        values = tuple(value for value in values if isinstance(value, Cls))
    elif not resolver.rules.types_are_called:
        values = tuple(value for value in values if not isinstance(value, Cls)) or (Ext("conversion"),)
    targets = dict.fromkeys(node for node in (_callable(resolver, value) for value in values) if node is not None)
    src = facts.node(site.scope)
    if targets:
        confidence = _STEP ** _steps(site.callee) * (_ALTERNATIVES if len(targets) > 1 else 1.0)
        targets.update(dict.fromkeys(_declarations(resolver, values)))
        return [Edge("calls", src, node, site.line, round(confidence, 3)) for node in targets]
    if any(isinstance(value, Ext | ExtObj | Func | Cls) or _holds_function(resolver, value) for value in values):
        return []
    return Unresolved(src, _words(site.callee), site.line, _reason(resolver, facts, site))


def _declarations(resolver: Resolver, values: Values) -> Iterator[str]:
    """Yield the nodes by whose declaration the functions among some values are called, too, if all of them are."""
    found = [resolver.rules.declarations(resolver, value) for value in values if isinstance(value, Func)]
    if all(found):
        for one in (one for several in found for one in several if isinstance(one, Func)):
            node = _node(resolver, one)
            if node is not None:
                yield node


def _holds_function(resolver: Resolver, value: Value) -> bool:
    """Tell whether a value is of a type that is defined as a function: which one it holds, nobody can say."""
    return isinstance(value, Obj) and bool(resolver.ancestry.underlying(value))


def _callable(resolver: Resolver, value: Value) -> str | None:
    match value:
        case Cls() if not resolver.rules.interfaces_are_called and resolver.is_type_only(value):
            return None
        case Func() | Cls():
            return _node(resolver, value)
        case Obj():
            for method in resolver.rules.call_methods:
                for found in resolver.member(value, method):
                    if isinstance(found, Func):
                        return _node(resolver, found)
            return None
        case _:
            return None


def _node(resolver: Resolver, value: Func | Cls | Space) -> str | None:
    """Return the node of what is defined in the project, None where it is none (a member of an anonymous class)."""
    if isinstance(value, Func):
        value = resolver.rules.definition(resolver, value)
    facts = resolver.project.facts(value.path)
    assert facts is not None
    return facts.node(value.index) if facts.named(value.index) == value.index else None


def _reason(resolver: Resolver, facts: FileFacts, site: CallSite) -> str:
    callee = site.callee
    if isinstance(callee, Attr):
        if resolver.evaluate(callee.base, Place(facts.path, site.scope, site.at)):
            return "no such member"
        return "receiver of unknown type"
    if isinstance(callee, Name):
        return "name of unknown type"
    return "callee of unknown type"


def _steps(expr: Expr | None) -> int:
    """Return how many inferences lie between the text of a callee and its meaning."""
    match expr:
        case Attr():
            return _steps(expr.base) + (0 if isinstance(expr.base, This | Super | Own) else 1)
        case Call():
            return _steps(expr.callee) + 1
        case Await() | Deref() | Element() | Enter() | Index() | Item() | Within():
            return _steps(expr.base) + 1
        case OneOf():
            return max(map(_steps, expr.options)) + 1
        case _:
            return 0


def _words(expr: Expr | None) -> str:
    """Return an expression as a person would write it, shortened."""
    match expr:
        case Name():
            return expr.id.removesuffix(PATH)
        case Attr():
            return f"{_words(expr.base)}.{expr.name}"
        case Call():
            return f"{_words(expr.callee)}()"
        case Index() | Item() | Element():
            return f"{_words(expr.base)}[]"
        case Enter() | Await() | Deref() | Within():
            return _words(expr.base)
        case OneOf():
            return _words(expr.options[0])
        case Construct() | Instance():
            return _words(expr.type)
        case Import():
            return expr.name or expr.module
        case _:
            return _PLAIN_WORDS.get(type(expr), "?")


_PLAIN_WORDS: Final[dict[type, str]] = {Super: "super()", This: "this", LiteralExpr: "literal"}
