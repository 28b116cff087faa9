"""Functions: their parameters, what they give, and what a place in them knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple, TypeAlias

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, first, one_line, text
from memd.codegraph.facts import RETURN, Contextual, Element, Expr, Flag, Instance, Item, Literal, Name
from memd.codegraph.languages.typescript.expected import Wanted, wanted_by
from memd.codegraph.languages.typescript.forms import key_of, type_params
from memd.codegraph.languages.typescript.frames import Frame, at, declare
from memd.codegraph.languages.typescript.jsdoc import Doc, doc_before
from memd.codegraph.languages.typescript.literals import uncertain
from memd.codegraph.languages.typescript.types import bounds, type_expr

Bind: TypeAlias = Callable[[str, Expr | None], None]


class Parameter(NamedTuple):
    """A parameter as it is written."""

    pattern: Node
    type: Node | None
    default: Node | None
    node: Node
    field: bool
    """Whether it declares a field of the class too (`constructor(private x: X)`)."""


def parameters(node: Node) -> Iterator[Parameter]:
    """Yield the parameters of a function; `this` is none."""
    single = node.child_by_field_name("parameter")
    if single is not None:
        yield Parameter(single, None, None, single, False)
        return
    found = node.child_by_field_name("parameters")
    for child in found.named_children if found is not None else ():
        kind = child.type
        if kind in ("required_parameter", "optional_parameter"):
            pattern = child.child_by_field_name("pattern")
            if pattern is None or pattern.type == "this":
                continue
            field = any(part.type in _FIELD_WORDS for part in child.children[:4])
            yield Parameter(
                pattern, child.child_by_field_name("type"), child.child_by_field_name("value"), child, field
            )
        elif kind == "assignment_pattern":
            left = child.child_by_field_name("left")
            if left is not None:
                yield Parameter(left, None, child.child_by_field_name("right"), child, False)
        elif kind in ("identifier", "object_pattern", "array_pattern", "rest_pattern"):
            yield Parameter(child, None, None, child, False)


_FIELD_WORDS: Final = frozenset(("accessibility_modifier", "readonly", "override_modifier"))


def describe(builder: Builder, index: int, node: Node, declared: Expr | None = None) -> None:
    """Add to the symbol of a function what its head says. `declared` is the type of what it was assigned to."""
    returns_node = node.child_by_field_name("return_type")
    doc = doc_before(builder, node)
    returns = type_expr(builder, returns_node)
    if returns_node is None:
        if doc is not None and doc.returns is not None:
            returns = doc.returns
            builder.unflag(index, Flag.ASYNC)
        elif declared is not None:
            returns = declared
            builder.unflag(index, Flag.ASYNC)
    head = node.child_by_field_name("parameters") or node.child_by_field_name("parameter")
    symbol = builder.symbols[index]
    words = f"{symbol.name}{text(head) if head is not None else '()'}"
    builder.change(
        index,
        returns=returns,
        params=tuple(_name(one) for one in parameters(node)),
        type_params=type_params(node) or (tuple(doc.templates) if doc is not None else ()),
        bounds=bounds(builder, node),
        signature=one_line(words + (text(returns_node) if returns_node is not None else ""), LONGEST_SIGNATURE),
        doc=doc.words if doc is not None else "",
    )


def _name(parameter: Parameter) -> str:
    pattern = parameter.pattern
    if pattern.type == "identifier":
        return text(pattern)
    inner = first(pattern) if pattern.type == "rest_pattern" else None
    if inner is not None and inner.type == "identifier":
        return f"...{text(inner)}"
    return _hidden(pattern)


def _hidden(pattern: Node) -> str:
    """Return the name of what a parameter is given that is taken apart at once."""
    return f"<{pattern.start_byte}>"


def enter(builder: Builder, node: Node, index: int | None, this: Expr | None = None) -> None:
    """Go into a function: what is declared from here on is its own. `index` is None where it has no name."""
    state = at(builder, node)
    wanted = wanted_by(builder, node) if any(one.type is None for one in parameters(node)) else None
    arrow = node.type == "arrow_function"
    if index is not None:
        builder.enter(index)
    declared_this = _this_of(builder, node)
    frame = Frame(
        node.start_byte,
        node.end_byte,
        builder.scope,
        function=True,
        root=index is not None,
        this=declared_this or this,
        own_this=not arrow or this is not None,
        result=index,
    )
    state.frames.append(frame)
    _bind_parameters(builder, node, index, wanted)
    body = node.child_by_field_name("body")
    if body is not None and body.type != "statement_block" and index is not None:
        value = builder.expr(body)
        if value is not None:
            builder.bind(RETURN, value, since=body.start_byte + 1, until=body.start_byte + 1, owner=index)


def _this_of(builder: Builder, node: Node) -> Expr | None:
    """Return what a parameter `this: T` says."""
    found = node.child_by_field_name("parameters")
    head = first(found) if found is not None else None
    pattern = head.child_by_field_name("pattern") if head is not None else None
    if head is None or pattern is None or pattern.type != "this":
        return None
    declared = type_expr(builder, head.child_by_field_name("type"))
    return Instance(declared) if declared is not None else None


def _bind_parameters(builder: Builder, node: Node, index: int | None, wanted: Wanted | None) -> None:
    doc = doc_before(builder, node)
    for place, (pattern, type_node, default, whole, field) in enumerate(parameters(node)):
        since = whole.start_byte
        declared = type_expr(builder, type_node)
        value = uncertain(builder.expr(default)) if default is not None else None
        rest = pattern.type == "rest_pattern"
        inner = (first(pattern) or pattern) if rest else pattern
        if type_node is None:
            if doc is not None:
                known = text(inner) if inner.type == "identifier" else (doc.order[place : place + 1] or [""])[0]
                declared = doc.params.get(known)
            if declared is None and wanted is not None and not rest:
                value = Contextual(wanted.callee, wanted.argument, place)
        if inner.type == "identifier":
            declare(builder, text(inner), value, declared, since)
            for name, told in doc.params.items() if doc is not None else ():
                if name.startswith(f"{text(inner)}."):
                    declare(builder, name, None, told, since)
            if field and index is not None:
                owner = builder.symbols[index].parent
                builder.bind(text(inner), value, declared, since=since, owner=owner, scope=index)
        else:
            hidden = _hidden(pattern)
            declare(builder, hidden, value, declared, since)
            named = doc.order[place] if doc is not None and place < len(doc.order) else None
            _take_parameter(builder, inner, hidden, doc if named else None, named or "", since)


def _take_parameter(builder: Builder, pattern: Node, hidden: str, doc: Doc | None, named: str, since: int) -> None:
    """Bind what a pattern takes of a parameter, by what a comment says of it (`@param {T} options.x`)."""

    def bind(name: str, value: Expr | None) -> None:
        key = value.key if isinstance(value, Item) else name
        told = doc.params.get(f"{named}.{key}") if doc is not None else None
        declare(builder, name, value, told, since)

    take_apart(builder, pattern, Name(hidden), bind)


def destructure(builder: Builder, pattern: Node, base: Expr | None, since: int, *, hoisted: bool = False) -> None:
    """Bind the names that a pattern takes from a value."""

    def bind(name: str, value: Expr | None) -> None:
        declare(builder, name, value, None, since, hoisted=hoisted)

    take_apart(builder, pattern, base, bind)


def take_apart(builder: Builder, pattern: Node, base: Expr | None, bind: Bind) -> None:
    """Call `bind` with each name of a pattern and what it takes of a value."""
    kind = pattern.type
    if kind == "object_pattern":
        for child in pattern.named_children:
            _take_member(builder, child, base, bind)
    elif kind == "array_pattern":
        place = 0
        for child in pattern.children:
            if child.type == ",":
                place += 1
            elif child.type == "rest_pattern":
                _take(builder, first(child), base, bind)
            elif child.is_named:
                _take(builder, child, Item(base, place) if base is not None else None, bind)


def _take_member(builder: Builder, child: Node, base: Expr | None, bind: Bind) -> None:
    kind = child.type
    if kind == "shorthand_property_identifier_pattern":
        bind(text(child), _part(base, text(child)))
    elif kind == "object_assignment_pattern":
        name = child.child_by_field_name("left")
        if name is not None:
            bind(text(name), _part(base, text(name)) or builder.expr(child.child_by_field_name("right")))
    elif kind == "pair_pattern":
        key = key_of(child.child_by_field_name("key"))
        value = child.child_by_field_name("value")
        _take(builder, value, _part(base, key) if key is not None else None, bind)
    elif kind == "rest_pattern":
        _take(builder, first(child), base, bind)


def _take(builder: Builder, target: Node | None, value: Expr | None, bind: Bind) -> None:
    if target is None:
        return
    if target.type == "assignment_pattern":
        default = builder.expr(target.child_by_field_name("right"))
        _take(builder, target.child_by_field_name("left"), value or default, bind)
    elif target.type == "identifier":
        bind(text(target), value)
    else:
        take_apart(builder, target, value, bind)


def _part(base: Expr | None, key: str) -> Expr | None:
    return Item(base, key) if base is not None else None


def loop(builder: Builder, node: Node) -> None:
    """`for (const x of y)`, `for (const k in y)`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if left is None or right is None:
        return
    word = node.child_by_field_name("operator")
    value: Expr | None = None
    if word is not None and word.type == "in":
        value = Literal("string")
    else:
        iterated = builder.expr(right)
        value = Element(iterated) if iterated is not None else None
    body = node.child_by_field_name("body")
    since = (body.start_byte if body is not None else node.end_byte) - 1
    if left.type == "identifier":
        declare(builder, text(left), value, None, since)
    else:
        destructure(builder, left, value, since)
