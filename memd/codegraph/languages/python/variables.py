"""Variables: what gives names a meaning in Python besides definitions and imports."""

from __future__ import annotations

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Element, Enter, Expr, Flag, Item, Literal, Name, OneOf
from memd.codegraph.languages.python.annotations import annotation
from memd.codegraph.languages.python.nodes import dotted, field


def assign(builder: Builder, node: Node) -> None:
    """`x = y`, `x: T = y`, `x, y = z`, `self.x = y`."""
    left = field(node, "left")
    right = node.child_by_field_name("right")
    while right is not None and right.type == "assignment":
        right = right.child_by_field_name("right")
    type_node = node.child_by_field_name("type")
    bind_target(
        builder,
        left,
        builder.expr(right) if right is not None else None,
        annotation(builder, type_node) if type_node is not None else None,
        node.end_byte,
    )


def walrus(builder: Builder, node: Node) -> None:
    """`(x := y)`."""
    builder.bind(text(field(node, "name")), builder.expr(field(node, "value")), since=node.end_byte)


def for_(builder: Builder, node: Node) -> None:
    """`for x in y:`."""
    _bind_elements(builder, node, field(node, "body").start_byte - 1, None, scoped=False)


def comprehension(builder: Builder, node: Node) -> None:
    """The `for x in y` of a comprehension: `x` is seen in all of it."""
    around = node.parent
    if around is None:
        return
    place = sum(
        1 for child in around.named_children if child.type == "for_in_clause" and child.end_byte < node.end_byte
    )
    _bind_elements(builder, node, around.start_byte + place, around.end_byte, scoped=True)


def with_(builder: Builder, node: Node) -> None:
    """`with x as y`."""
    pattern = node.child_by_field_name("value")
    if pattern is not None and pattern.type == "as_pattern":
        manager = builder.expr(pattern.named_children[0])
        bind_target(
            builder,
            pattern.named_children[-1],
            Enter(manager) if manager is not None else None,
            None,
            node.end_byte,
        )


def except_(builder: Builder, node: Node) -> None:
    """`except E as x:`."""
    pattern = node.child_by_field_name("value")
    if pattern is None or pattern.type != "as_pattern":
        return
    kinds = annotation(builder, pattern.named_children[0])
    if isinstance(kinds, Literal):
        kinds = OneOf(tuple(arg for arg in kinds.args if arg is not None))
    bind_target(builder, pattern.named_children[-1], None, kinds, pattern.end_byte, node.end_byte, scoped=True)


def alias(builder: Builder, node: Node) -> None:
    """`type X = Y`: a name for a type."""
    left, right = node.named_children[:2]
    builder.bind(text(left).partition("[")[0], annotation(builder, right), since=node.end_byte)


def bind_target(
    builder: Builder,
    target: Node,
    value: Expr | None,
    declared: Expr | None,
    since: int,
    until: int | None = None,
    scoped: bool = False,
) -> None:
    """Bind what stands left of a value: a name, a field of `self`, or the parts of a tuple."""
    kind = target.type
    if kind == "identifier":
        builder.bind(text(target), value, declared, since=since, until=until, scoped=scoped)
    elif kind == "attribute":
        _bind_attribute(builder, target, value, declared, since, until)
    elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "as_pattern_target"):
        if kind == "as_pattern_target":
            bind_target(builder, target.named_children[0], value, declared, since, until, scoped)
            return
        for place, child in enumerate(target.named_children):
            if child.type == "list_splat_pattern":
                bind_target(builder, child.named_children[0], None, None, since, until, scoped)
            else:
                part = Item(value, place) if value is not None else None
                bind_target(builder, child, part, None, since, until, scoped)


def _bind_attribute(
    builder: Builder, target: Node, value: Expr | None, declared: Expr | None, since: int, until: int | None
) -> None:
    base = builder.expr(field(target, "object"))
    name = text(field(target, "attribute"))
    owner = _owner_of(builder, base)
    if owner is not None:
        builder.bind(name, value, declared, since=since, until=until, owner=owner)
    path = dotted(base)
    if path is not None:
        builder.bind(f"{path}.{name}", value, declared, since=since, until=until)


def _owner_of(builder: Builder, base: Expr | None) -> int | None:
    """Return the class whose field `base.x` is, where `base` is the first parameter of a method around here."""
    if not isinstance(base, Name):
        return None
    scope = builder.scope
    while scope >= 0:
        symbol = builder.symbols[scope]
        if base.id in symbol.params:
            if symbol.kind == "method" and symbol.params[0] == base.id and not builder.flags(scope) & Flag.STATIC:
                return symbol.parent
            return None
        scope = symbol.parent
    return None


def _bind_elements(builder: Builder, node: Node, since: int, until: int | None, *, scoped: bool) -> None:
    iterated = builder.expr(field(node, "right"))
    value: Expr | None = Element(iterated) if iterated is not None else None
    bind_target(builder, field(node, "left"), value, None, since, until, scoped)
