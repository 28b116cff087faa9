"""Variables: the names that Go's code gives to values."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Element, Expr, Item
from memd.codegraph.languages.go.names import KEY


def const(builder: Builder, node: Node) -> None:
    """`const a T = x`; one that says nothing is as the one before it."""
    spec: Node | None = node
    while spec is not None and not (spec.child_by_field_name("type") or spec.child_by_field_name("value")):
        spec = spec.prev_named_sibling
        while spec is not None and spec.type == "comment":
            spec = spec.prev_named_sibling
    kind = builder.expr(spec.child_by_field_name("type")) if spec is not None else None
    values = _listed(spec.child_by_field_name("value")) if spec is not None and kind is None else []
    _bind_variables(builder, node, kind, values)


def var(builder: Builder, node: Node) -> None:
    """`var a, b T = x, y`."""
    _bind_variables(
        builder,
        node,
        builder.expr(node.child_by_field_name("type")),
        _listed(node.child_by_field_name("value")),
    )


def _bind_variables(builder: Builder, node: Node, kind: Expr | None, values: Sequence[Node]) -> None:
    names = [one for one in node.children_by_field_name("name") if one.type != ","]
    local = builder.scope >= 0
    for place, named in enumerate(names):
        name = text(named)
        own = len(values) == len(names) and not local and values[place].type == "func_literal"
        if name == "_" or own:
            continue
        value = _part_of(builder, values, place, len(names)) if kind is None else None
        builder.bind(name, value, kind, since=node.end_byte, until=None if local else builder.block_end, scoped=local)


def short(builder: Builder, node: Node) -> None:
    """`a, b := x, y`."""
    _declare(
        builder, _listed(node.child_by_field_name("left")), _listed(node.child_by_field_name("right")), node.end_byte
    )


def receive(builder: Builder, node: Node) -> None:
    """`case v, ok := <-ch`."""
    right = node.child_by_field_name("right")
    if any(child.type == ":=" for child in node.children) and right is not None:
        _declare(builder, _listed(node.child_by_field_name("left")), [right], node.end_byte)


def _listed(node: Node | None) -> list[Node]:
    if node is None:
        return []
    if node.type != "expression_list":
        return [node]
    return [child for child in node.named_children if child.type != "comment"]


def _declare(builder: Builder, left: Sequence[Node], right: Sequence[Node], since: int) -> None:
    for place, target in enumerate(left):
        if target.type == "identifier" and target.text != b"_":
            builder.bind(text(target), _part_of(builder, right, place, len(left)), since=since, scoped=True)


def _part_of(builder: Builder, values: Sequence[Node], place: int, count: int) -> Expr | None:
    """Return what the variable at a place is given: a value of its own, or its part of the only one."""
    if len(values) == count:
        return builder.expr(values[place])
    if len(values) != 1:
        return None
    found = builder.expr(values[0])
    if found is None:
        return None
    only = values[0]
    while only.type == "parenthesized_expression" and only.named_child_count == 1:
        only = only.named_children[0]
    if only.type in ("call_expression", "type_conversion_expression"):
        return Item(found, place)
    return found if place == 0 else None  # v, ok := m[k], x.(T), <-ch


def range_(builder: Builder, node: Node) -> None:
    """`for k, v := range x`."""
    if not any(child.type == ":=" for child in node.children):
        return
    iterated = builder.expr(node.child_by_field_name("right"))
    for place, target in enumerate(_listed(node.child_by_field_name("left"))):
        if target.type == "identifier" and target.text != b"_":
            value: Expr | None = None
            if iterated is not None:
                value = Item(iterated, KEY) if place == 0 else Element(iterated)
            builder.bind(text(target), value, since=node.end_byte, scoped=True)


def type_switch(builder: Builder, node: Node) -> None:
    """`switch t := x.(type)`: t is of the type of each case, in one of several types what x is."""
    named = node.child_by_field_name("alias")
    if named is None:
        return
    name = text(named)
    value = builder.expr(node.child_by_field_name("value"))
    for case in node.named_children:
        if case.type not in ("type_case", "default_case"):
            continue
        kinds = [one for one in case.children_by_field_name("type") if one.type != ","]
        kind = builder.expr(kinds[0]) if len(kinds) == 1 else None
        given = value if len(kinds) != 1 else None
        builder.bind(name, given, kind, since=case.start_byte, until=case.end_byte, scoped=True)
