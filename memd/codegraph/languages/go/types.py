"""Types: how Go writes them, as type expressions. A pointer is what it points to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import UNDERLYING, VARIABLE, Attr, Expr, Flag, Index, Instance, Literal, Name, Own
from memd.codegraph.languages.go.names import CHANNEL, FUNCTION, MAP, SLICE, TUPLE


def instance(expr: Expr | None) -> Expr | None:
    """Return the expression for a value of a type."""
    return Instance(expr) if expr is not None else None


def result_type(builder: Builder, node: Node | None) -> Expr | None:
    """Return the type of what a function gives: several results are a tuple."""
    if node is None:
        return None
    if node.type != "parameter_list":
        return builder.expr(node)
    results = [kind for _, kind, _ in parameters(node)]
    if len(results) == 1:
        return builder.expr(results[0])
    return Literal(TUPLE, tuple(instance(builder.expr(one)) for one in results)) if results else None


def parameters(node: Node | None) -> Iterator[tuple[str, Node | None, bool]]:
    """Yield name (empty where it has none), type and whether it takes any number, of each parameter of a list."""
    for child in node.named_children if node is not None else ():
        if child.type not in ("parameter_declaration", "variadic_parameter_declaration"):
            continue
        kind = child.child_by_field_name("type")
        variadic = child.type == "variadic_parameter_declaration"
        names = child.children_by_field_name("name")
        for name in names:
            if name.type != ",":
                yield text(name), kind, variadic
        if not names:
            yield "", kind, variadic


def parameter_type(builder: Builder, kind: Node | None, variadic: bool) -> Expr | None:
    """Return the type of a parameter as the function sees it."""
    found = builder.expr(kind)
    return Literal(SLICE, (instance(found),)) if variadic else found


def signature_type(builder: Builder, node: Node) -> Expr:
    """Return the type of a function (literal): what it takes and gives, a value of which can be called."""
    taken = tuple(
        instance(parameter_type(builder, kind, variadic))
        for _, kind, variadic in parameters(node.child_by_field_name("parameters"))
    )
    return Literal(FUNCTION, (*taken, instance(result_type(builder, node.child_by_field_name("result")))))


def bind_parameters(builder: Builder, node: Node, owner: int | None = None) -> None:
    """Bind the parameters and named results of a function: seen in its body, and not by their own types."""
    body = node.child_by_field_name("body")
    since, until = body.start_byte if body is not None else node.end_byte, node.end_byte
    result = node.child_by_field_name("result")
    several = result if result is not None and result.type == "parameter_list" else None
    for listed in (node.child_by_field_name("parameters"), several):
        for name, kind, variadic in parameters(listed):
            if name not in ("", "_"):
                declared = parameter_type(builder, kind, variadic)
                builder.bind(name, None, declared, since=since, until=until, owner=owner, scope=owner, scoped=True)


def embedded(node: Node) -> Iterator[Node]:
    """Yield the types that a struct or an interface embeds."""
    if node.type == "struct_type":
        for field in _fields(node):
            kind = field.child_by_field_name("type")
            if kind is not None and not field.children_by_field_name("name"):
                yield kind
    elif node.type == "interface_type":
        for child in node.named_children:
            if child.type == "type_elem" and len(child.named_children) == 1:
                yield child.named_children[0]


def _fields(node: Node) -> Iterator[Node]:
    for fields in node.named_children:
        if fields.type == "field_declaration_list":
            yield from (field for field in fields.named_children if field.type == "field_declaration")


def bind_members(builder: Builder, node: Node, owner: int) -> None:
    """Bind what a type is made of: the fields of a struct, the methods of an interface, else what stands behind it.

    Fields are bound at the head of the type, where its parameters are seen and no other field is: `Params Params`.
    """
    since = builder.symbols[owner].start + 1
    if node.type == "struct_type":
        for field in _fields(node):
            kind = field.child_by_field_name("type")
            names = [text(name) for name in field.children_by_field_name("name") if name.type != ","]
            for name in names or [_last_name(kind)]:
                builder.bind(name, None, builder.expr(kind), since=since, until=node.end_byte, owner=owner, scope=owner)
    elif node.type == "interface_type":
        for child in node.named_children:
            if child.type == "method_elem":
                _bind_method(builder, child, owner)
    else:
        builder.bind(UNDERLYING, None, builder.expr(node), since=since, until=node.end_byte, owner=owner, scope=owner)


def _bind_method(builder: Builder, node: Node, owner: int) -> None:
    named = node.child_by_field_name("name")
    if named is None:
        return
    taken = list(parameters(node.child_by_field_name("parameters")))
    index = builder.open(
        text(named),
        "method",
        node,
        parent=owner,
        enter=False,
        flags=Flag.DECLARATION,
        returns=result_type(builder, node.child_by_field_name("result")),
        params=tuple(f"{VARIABLE if variadic else ''}{name}" for name, _, variadic in taken),
        signature=" ".join(text(node).split())[:200],
    )
    bind_parameters(builder, node, owner=index)


def _last_name(node: Node | None) -> str:
    """Return the name that an embedded field goes by: the last of its type's."""
    while node is not None and node.type in ("pointer_type", "generic_type", "parenthesized_type"):
        node = node.child_by_field_name("type") or node.named_child(0)
    if node is not None and node.type == "qualified_type":
        node = node.child_by_field_name("name")
    return text(node) if node is not None else "_"


def _anonymous(builder: Builder, node: Node) -> Expr:
    """A struct or an interface without a name: a symbol without one holds its members."""
    bases = tuple(base for base in (builder.expr(one) for one in embedded(node)) if base is not None)
    kind = "struct" if node.type == "struct_type" else "interface"
    index = builder.open("", kind, node, enter=False, bound=False, bases=bases)  # type: ignore[arg-type]
    bind_members(builder, node, index)
    return Own(index)


def _qualified(builder: Builder, node: Node) -> Expr | None:
    package, name = node.child_by_field_name("package"), node.child_by_field_name("name")
    return Attr(Name(text(package)), text(name)) if package is not None and name is not None else None


def _generic(builder: Builder, node: Node) -> Expr | None:
    base, given = node.child_by_field_name("type"), node.child_by_field_name("type_arguments")
    named = builder.expr(base)
    if named is None or given is None:
        return named
    return Index(named, tuple(builder.expr(one) for one in given.named_children))


def _named(_builder: Builder, node: Node) -> Expr:
    return Name(text(node))


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0))


def _only(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0)) if node.named_child_count == 1 else None


def _element(builder: Builder, node: Node) -> Expr:
    return Literal(SLICE, (instance(builder.expr(node.child_by_field_name("element"))),))


def _map(builder: Builder, node: Node) -> Expr:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    return Literal(MAP, (instance(builder.expr(key)), instance(builder.expr(value))))


def _channel(builder: Builder, node: Node) -> Expr:
    return Literal(CHANNEL, (instance(builder.expr(node.child_by_field_name("value"))),))


TYPES: Final[dict[str, ExprHandler]] = {
    "type_identifier": _named,
    "package_identifier": _named,
    "pointer_type": _first,
    "parenthesized_type": _first,
    "negated_type": _first,
    "qualified_type": _qualified,
    "generic_type": _generic,
    "slice_type": _element,
    "array_type": _element,
    "implicit_length_array_type": _element,
    "map_type": _map,
    "channel_type": _channel,
    "function_type": signature_type,
    "struct_type": _anonymous,
    "interface_type": _anonymous,
    "type_elem": _only,
    "type_constraint": _only,
}
