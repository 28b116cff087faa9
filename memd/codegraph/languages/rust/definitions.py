"""What the nodes of a Rust file define: functions, types, traits, `impl` blocks and modules.

Fields are bound under a name with a dot before it: `x.span` and `x.span()` are two things. Methods of `impl` blocks
belong to a part of the type that they are for, wherever that is defined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, one_line, text
from memd.codegraph.facts import (
    Expr,
    Flag,
    Import,
    Instance,
    OneOf,
    Own,
    This,
)
from memd.codegraph.languages.rust.names import SLICE
from memd.codegraph.languages.rust.patterns import UNKNOWN, names_in
from memd.codegraph.languages.rust.types import bounds, type_parameters

_PATH_ATTRIBUTE: Final = re.compile(r'path\s*=\s*"([^"]+)"')


def function(builder: Builder, node: Node) -> None:
    """A function, a method of an `impl` block or of a trait."""
    name = node.child_by_field_name("name")
    parameters = node.child_by_field_name("parameters")
    if name is None or parameters is None:
        return
    around = builder.scope
    owner = builder.symbols[around] if around >= 0 else None
    is_method = owner is not None and owner.kind in ("class", "trait")
    free, bounded = type_parameters(builder, node)
    flags = Flag.NONE
    if node.type == "function_signature_item":
        flags |= Flag.DECLARATION
    if any(child.type == "function_modifiers" and "async" in text(child).split() for child in node.children):
        flags |= Flag.ASYNC
    listed = tuple(_parameters(parameters))
    if is_method and not any(one.type == "self_parameter" for one in parameters.named_children):
        flags |= Flag.STATIC
    index = builder.open(
        text(name),
        "method" if is_method else "function",
        node,
        flags=flags,
        params=tuple(text(pattern) for pattern, _ in listed),
        type_params=free,
        returns=builder.expr(node.child_by_field_name("return_type")),
        signature=one_line(text(node).partition("{")[0], LONGEST_SIGNATURE),
    )
    since, until = parameters.start_byte, node.end_byte
    _bind_parameters(builder, bounded, index)
    for pattern, type_node in listed:
        type_ = builder.expr(type_node)
        for bound, value in names_in(builder, pattern, Instance(type_) if type_ is not None else None):
            builder.bind(bound, value, since=since, until=until, owner=index)
    if is_method and owner is not None:
        self_ = This(around) if owner.kind == "trait" else Instance(owner.bases[0])
        builder.bind("self", self_, since=since, until=until, owner=index, scope=index)


def _parameters(parameters: Node) -> Iterator[tuple[Node, Node | None]]:
    for child in parameters.named_children:
        pattern = child.child_by_field_name("pattern")
        if child.type == "parameter" and pattern is not None:
            yield pattern, child.child_by_field_name("type")


def _bind_parameters(builder: Builder, bounded: dict[str, list[Expr]], index: int) -> None:
    """A type parameter with bounds stands for what these promise."""
    for name, traits in bounded.items():
        _bind_around(builder, name, traits[0] if len(traits) == 1 else OneOf(tuple(traits)), index)


def _bind_around(builder: Builder, name: str, value: Expr, index: int) -> None:
    """Bind a name for all that stands in a symbol: code in a method does not look into the type around it by itself."""
    symbol = builder.symbols[index]
    owner = index if symbol.kind in ("function", "method") else symbol.parent
    builder.bind(name, value, since=symbol.start, until=symbol.end, owner=owner, scope=index, scoped=owner != index)


def struct(builder: Builder, node: Node) -> None:
    """A struct or union with its fields."""
    index = _open_type(builder, node, "struct")
    if index is not None:
        _fields(builder, node.child_by_field_name("body"), index, ".")


def _open_type(builder: Builder, node: Node, kind: str) -> int | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    free, bounded = type_parameters(builder, node)
    index = builder.open(
        text(name),
        kind,  # type: ignore[arg-type]  # one of the closed words, by the callers below
        node,
        bases=tuple(bounds(builder, node.child_by_field_name("bounds"))) if kind == "trait" else (),
        type_params=free,
        signature=one_line(text(node).partition("{")[0], LONGEST_SIGNATURE),
    )
    _bind_around(builder, "Self", Own(index), index)
    _bind_parameters(builder, bounded, index)
    return index


def _fields(builder: Builder, body: Node | None, owner: int, prefix: str) -> None:
    if body is None:
        return
    if body.type == "ordered_field_declaration_list":
        for place, type_node in enumerate(body.children_by_field_name("type")):
            _field(builder, f"{prefix}{place}", type_node, owner)
        return
    for child in body.named_children:
        name = child.child_by_field_name("name")
        if child.type == "field_declaration" and name is not None:
            _field(builder, f"{prefix}{text(name)}", child.child_by_field_name("type"), owner)


def _field(builder: Builder, name: str, type_node: Node | None, owner: int) -> None:
    since = type_node.start_byte if type_node is not None else builder.symbols[owner].start
    builder.bind(name, UNKNOWN, builder.expr(type_node), since=since, owner=owner, scope=owner)


def enum(builder: Builder, node: Node) -> None:
    """An enum: its variants make values of it, and what they hold is known under the variant's name."""
    index = _open_type(builder, node, "enum")
    body = node.child_by_field_name("body")
    for child in body.named_children if index is not None and body is not None else ():
        name = child.child_by_field_name("name")
        if child.type == "enum_variant" and name is not None and index is not None:
            variant = text(name)
            # Both a value (`E::A`) and something that is called (`E::A(x)`); neither is a function of the project.
            builder.bind(variant, Instance(Own(index)), since=child.start_byte, owner=index)
            _fields(builder, child.child_by_field_name("body"), index, f"{variant}.")


def trait(builder: Builder, node: Node) -> None:
    """A trait; those that it asks for stand behind it."""
    _open_type(builder, node, "trait")


def impl(builder: Builder, node: Node) -> None:
    """An `impl` block: a part of the type it is for, with the trait that it brings."""
    type_node = node.child_by_field_name("type")
    if type_node is None:
        return
    name = _last_name(type_node)
    type_ = builder.expr(type_node)
    if name is None or type_ is None:
        return
    trait_ = builder.expr(node.child_by_field_name("trait"))
    free, bounded = type_parameters(builder, node)
    index = builder.open(
        name,
        "class",
        node,
        bound=False,
        flags=Flag.PART,
        bases=(type_, trait_) if trait_ is not None else (type_,),
        type_params=free,
    )
    _bind_around(builder, "Self", type_, index)
    _bind_parameters(builder, bounded, index)


def _last_name(node: Node) -> str | None:
    """Return the name that a type goes by, without its arguments and the modules before it."""
    while node.type in ("generic_type", "reference_type", "pointer_type", "dynamic_type"):
        inner = node.child_by_field_name("type") or node.child_by_field_name("trait")
        if inner is None:
            return None
        node = inner
    if node.type == "scoped_type_identifier":
        inner = node.child_by_field_name("name")
        return text(inner) if inner is not None else None
    if node.type == "array_type":
        return SLICE
    return text(node) if node.type in ("type_identifier", "primitive_type") else None


def mod(builder: Builder, node: Node) -> None:
    """`mod x;` names a file, `mod x { }` is a module in this one."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    if node.child_by_field_name("body") is not None:
        builder.open(text(name), "namespace", node)
        return
    module = f"mod {text(name)}"
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment"):
        found = _PATH_ATTRIBUTE.search(text(before))
        if found is not None:
            module = f"mod ={found[1]}"
        before = before.prev_named_sibling
    builder.bind(text(name), Import(module), since=node.start_byte)
    builder.imported(node, module)


def alias(builder: Builder, node: Node) -> None:
    """`type A = B;`."""
    name = node.child_by_field_name("name")
    if name is not None:
        free, bounded = type_parameters(builder, node)
        returns = builder.expr(node.child_by_field_name("type"))
        builder.open(text(name), "alias", node, enter=False, returns=returns, type_params=(*free, *bounded))


def associated(builder: Builder, node: Node) -> None:
    """`type A: B;` in a trait: whatever it is, it is a B."""
    name = node.child_by_field_name("name")
    if name is not None:
        traits = tuple(bounds(builder, node.child_by_field_name("bounds")))
        builder.bind(text(name), traits[0] if traits else None, since=node.start_byte)


def constant(builder: Builder, node: Node) -> None:
    """`const X: T = y;`."""
    name = node.child_by_field_name("name")
    if name is not None:
        value = builder.expr(node.child_by_field_name("value"))
        builder.bind(
            text(name), value or UNKNOWN, builder.expr(node.child_by_field_name("type")), since=node.start_byte
        )
