"""Definitions: the types and methods of a Java file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, one_line, text
from memd.codegraph.facts import VARIABLE, Expr, Flag, Instance, Kind, Literal, Own
from memd.codegraph.languages.java.expressions import MOST_ARGUMENTS, enclosing_type
from memd.codegraph.languages.java.names import NEW
from memd.codegraph.languages.java.types import array_of, type_expr

_KINDS: Final[dict[str, Kind]] = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "class",
    "annotation_type_declaration": "annotation",
}
_MODIFIERS: Final = {b"static": Flag.STATIC, b"abstract": Flag.ABSTRACT, b"public": Flag.EXPORTED}


def type_(builder: Builder, node: Node) -> None:
    """A class, interface, enum, record or annotation type."""
    name = text(field_of(node, "name"))
    bases = tuple(_bases(builder, node))
    index = builder.open(
        name,
        _KINDS[node.type],
        node,
        flags=_flags(node),
        bases=bases,
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    if node.type == "record_declaration":
        for name, declared, _ in parameters_of(builder, node):
            component = name.removeprefix(VARIABLE)
            builder.bind(component, None, declared, since=node.start_byte, owner=index)
            accessor = Literal("function", (Instance(declared) if declared is not None else None,))
            builder.bind(f"{component}/0", accessor, since=node.start_byte, owner=index)


def _bases(builder: Builder, node: Node) -> Iterator[Expr]:
    for child in node.named_children:
        if child.type == "superclass":
            listed = child.named_children
        elif child.type in ("super_interfaces", "extends_interfaces"):
            listed = [one for types in child.named_children for one in types.named_children]
        else:
            continue
        for one in listed:
            found = type_expr(builder, one)
            if found is not None:
                yield found


def anonymous(builder: Builder, node: Node) -> None:
    """`new T() { ... }`: a class without a name that inherits from T. The arguments before its body are not in it."""
    base = type_expr(builder, node.child_by_field_name("type"))
    body = node.named_children[-1]
    builder.open("", "class", body, bound=False, bases=(base,) if base is not None else ())


def constant_body(builder: Builder, node: Node) -> None:
    """`RED { ... }` in an enum: a class without a name that inherits from the enum."""
    around = enclosing_type(builder)
    body = node.child_by_field_name("body")
    if body is not None:
        builder.open("", "class", body, bound=False, bases=(Own(around),) if around is not None else ())


def method(builder: Builder, node: Node) -> None:
    """A method, or an element of an annotation type."""
    name = text(field_of(node, "name"))
    around = builder.scope
    parameters = list(parameters_of(builder, node))
    flags = _flags(node)
    if node.child_by_field_name("body") is None:
        flags |= Flag.DECLARATION
    returns = type_expr(builder, node.child_by_field_name("type"))
    dimensions = node.child_by_field_name("dimensions")
    if dimensions is not None:
        returns = array_of(returns, dimensions.text.count(b"["))  # type: ignore[union-attr]
    index = builder.open(
        name,
        "method",
        node,
        bound=False,
        flags=flags,
        returns=returns,
        params=tuple(name for name, _, _ in parameters),
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    for count in _arities(parameters):
        builder.bind(f"{name}/{count}", Own(index), since=node.start_byte, owner=around)
    _bind_parameters(builder, parameters, node)


def constructor(builder: Builder, node: Node) -> None:
    """A constructor is named as its class; `new` asks for the class."""
    name = text(field_of(node, "name"))
    parameters = list(parameters_of(builder, node))
    around = builder.scope
    index = builder.open(
        name,
        "method",
        node,
        bound=False,
        flags=_flags(node),
        params=tuple(name for name, _, _ in parameters),
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    for count in _arities(parameters):
        builder.bind(f"{NEW}/{count}", Own(index), since=node.start_byte, owner=around)
    _bind_parameters(builder, parameters, node)


def _arities(parameters: list[tuple[str, Expr | None, bool]]) -> range:
    count = min(len(parameters), MOST_ARGUMENTS)
    if parameters and parameters[-1][2]:
        return range(count - 1, MOST_ARGUMENTS + 1)
    return range(count, count + 1)


def parameters_of(builder: Builder, node: Node) -> Iterator[tuple[str, Expr | None, bool]]:
    """Yield name, type and whether it takes any number of arguments, of each parameter."""
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type == "formal_parameter":
            declared = type_expr(builder, child.child_by_field_name("type"))
            yield text(field_of(child, "name")), with_dimensions(declared, child), False
        elif child.type == "spread_parameter":
            declarator = child.named_children[-1]
            types = [one for one in child.named_children[:-1] if one.type != "modifiers"]
            declared = array_of(type_expr(builder, types[-1] if types else None))
            yield VARIABLE + text(field_of(declarator, "name")), declared, True


def with_dimensions(declared: Expr | None, node: Node) -> Expr | None:
    """`T x[]` is an array of T."""
    dimensions = node.child_by_field_name("dimensions")
    return array_of(declared, dimensions.text.count(b"[")) if dimensions is not None else declared  # type: ignore[union-attr]


def _bind_parameters(builder: Builder, parameters: list[tuple[str, Expr | None, bool]], node: Node) -> None:
    for name, declared, _ in parameters:
        builder.bind(name.removeprefix(VARIABLE), None, declared, since=node.start_byte, until=node.end_byte)


def _type_parameters(builder: Builder, node: Node) -> dict[str, Any]:
    """Return names and bounds of `<T, U extends Bound>`, as fields of a symbol."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return {}
    names: list[str] = []
    bounds: list[Expr | None] = []
    for child in found.named_children:
        if child.type == "type_parameter":
            name = next((one for one in child.named_children if one.type in ("type_identifier", "identifier")), child)
            bound = next((one for one in child.named_children if one.type == "type_bound"), None)
            names.append(text(name))
            bounds.append(type_expr(builder, bound))
    return {"type_params": tuple(names), "bounds": tuple(bounds) if any(bounds) else ()}


def _flags(node: Node) -> int:
    flags = Flag.NONE
    first = node.child(0)
    if first is not None and first.type == "modifiers":
        for child in first.children:
            flags |= _MODIFIERS.get(child.type.encode(), Flag.NONE)
    return flags


def _head(node: Node) -> str:
    """Return what stands before the body, less annotations."""
    body = node.child_by_field_name("body")
    first = node.child(0)
    start = node.start_byte
    if first is not None and first.type == "modifiers":
        for child in first.children:
            if child.type in ("annotation", "marker_annotation"):
                start = child.end_byte
    end = body.start_byte if body is not None else node.end_byte
    return (
        (node.text or b"")[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace").rstrip(" \n\t;")
    )


def _doc(node: Node) -> str:
    before = node.prev_sibling
    if before is None or before.type != "block_comment" or not (before.text or b"").startswith(b"/**"):
        return ""
    lines = [line.strip().lstrip("*").strip() for line in text(before)[3:-2].splitlines()]
    return one_line(" ".join(lines).strip().partition(". ")[0], LONGEST_DOC)


def field_of(node: Node, name: str) -> Node:
    """Return a field of a node, or the node itself where an error of syntax took it away."""
    found = node.child_by_field_name(name)
    return found if found is not None else node
