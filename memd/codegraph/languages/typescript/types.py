"""Types: type expressions as TypeScript writes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import DEEPEST, Builder, first, text
from memd.codegraph.facts import (
    CLAIM,
    UNDERLYING,
    Attr,
    Element,
    Expr,
    Flag,
    Instance,
    Literal,
    Name,
    Own,
    This,
)
from memd.codegraph.languages.typescript.forms import (
    held,
    key_of,
    one_of,
    replaced,
    type_of,
    type_params,
    whole,
    with_arguments,
)
from memd.codegraph.languages.typescript.frames import Frame, state_of, this_frame
from memd.codegraph.languages.typescript.words import CONSTRUCTS


def type_expr(builder: Builder, node: Node | None) -> Expr | None:
    """Return what a type expression means, None where there is none or it says nothing that can be followed."""
    if node is None:
        return None
    kind = node.type
    if kind == "type_identifier" or kind == "identifier":
        return Name(text(node))
    handler = _TYPES.get(kind)
    state = state_of(builder)
    if handler is None or state.depth > DEEPEST:
        return None
    state.depth += 1
    found = handler(builder, node)
    state.depth -= 1
    return found


def parts_of(node: Node) -> list[Node]:
    """Return the types that a union or an intersection is made of; the grammar nests them to the left."""
    found: list[Node] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in ("union_type", "intersection_type"):
            waiting.extend(reversed(one.named_children))
        elif one.type != "comment":
            found.append(one)
        if len(found) > MOST_PARTS:
            break
    return found


MOST_PARTS: Final = 64
"""A union of more types than this says nothing that could be followed."""


def arguments_of(builder: Builder, node: Node | None) -> tuple[Expr | None, ...]:
    """Return the type arguments that a node holds."""
    found = node.child_by_field_name("type_arguments") if node is not None else None
    return tuple(type_expr(builder, child) for child in found.named_children) if found is not None else ()


def bounds(builder: Builder, node: Node) -> tuple[Expr | None, ...]:
    """Return what the type parameters of a definition are at least."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return ()
    limits = (child.child_by_field_name("constraint") for child in found.named_children)
    return tuple(type_expr(builder, first(limit)) if limit is not None else None for limit in limits)


def function_type(builder: Builder, node: Node) -> Expr:
    """`(a: A) => B`, the signature of a method or of a call: what it takes and what it gives."""
    given: list[Expr | None] = []
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        pattern = child.child_by_field_name("pattern")
        if pattern is not None and pattern.type != "this":
            given.append(held(type_expr(builder, child.child_by_field_name("type"))))
    result = node.child_by_field_name("return_type") or node.child_by_field_name("type")
    claimed = claim_of(builder, result)
    made = Literal(CLAIM, (held(claimed),)) if claimed is not None else held(type_expr(builder, result))
    taken = Literal("Callable", (*given, made))
    limits = dict(zip(type_params(node), bounds(builder, node), strict=False))
    found = replaced(taken, limits) if limits else taken
    return found if found is not None else taken


def claim_of(builder: Builder, result: Node | None) -> Expr | None:
    """Return the type that a function says its argument has where it gives true (`x is T`)."""
    inner = result
    while inner is not None and inner.type in ("type_predicate_annotation", "asserts_annotation", "asserts"):
        inner = first(inner)
    if inner is None or inner.type != "type_predicate":
        return None
    return type_expr(builder, inner.child_by_field_name("type"))


def members(builder: Builder, body: Node, owner: int) -> None:
    """Bind the members of an interface or of a type literal."""
    frames = state_of(builder).frames
    frames.append(Frame(body.start_byte, body.end_byte, owner, this=This(owner), own_this=True))
    _bind_members(builder, body, owner)
    frames.pop()


def _bind_members(builder: Builder, body: Node, owner: int) -> None:
    for child in body.named_children:
        kind = child.type
        name = key_of(child.child_by_field_name("name"))
        if kind in ("method_signature", "abstract_method_signature"):
            if name is not None:
                method_signature(builder, child, name, owner)
        elif kind == "property_signature":
            if name is not None:
                nested = _literal_in(child)
                declared = (
                    anonymous(builder, nested, name, owner)
                    if nested is not None
                    else type_expr(builder, child.child_by_field_name("type"))
                )
                builder.bind(name, None, declared, since=child.start_byte, owner=owner, scope=owner)
        elif kind in ("call_signature", "construct_signature"):
            word = UNDERLYING if kind == "call_signature" else CONSTRUCTS
            builder.bind(word, None, function_type(builder, child), since=child.start_byte, owner=owner, scope=owner)
        elif kind == "index_signature":
            given = held(type_expr(builder, child.child_by_field_name("type")))
            builder.bind(
                UNDERLYING, None, Literal("Record", (None, given)), since=child.start_byte, owner=owner, scope=owner
            )


def _literal_in(node: Node) -> Node | None:
    """Return the type literal that a property is declared as."""
    annotation = node.child_by_field_name("type")
    found = first(annotation) if annotation is not None else None
    return found if found is not None and found.type == "object_type" else None


def method_signature(builder: Builder, node: Node, name: str, owner: int) -> int:
    """Add a method that is only declared."""
    flags = Flag.DECLARATION
    words = {child.type for child in node.children[:4]}
    if "get" in words or "set" in words:
        flags |= Flag.PROPERTY
    if "static" in words:
        flags |= Flag.STATIC
    returns = node.child_by_field_name("return_type")
    parameters = node.child_by_field_name("parameters")
    index = builder.open(
        name,
        "method",
        node,
        parent=owner,
        enter=False,
        flags=flags,
        returns=type_expr(builder, returns),
        type_params=type_params(node),
        params=tuple(_names(parameters)),
    )
    for child in parameters.named_children if parameters is not None else ():
        pattern = child.child_by_field_name("pattern")
        if pattern is not None and pattern.type != "this":
            declared = type_expr(builder, child.child_by_field_name("type"))
            builder.bind(text(pattern).lstrip("."), None, declared, since=child.start_byte, owner=index, scope=index)
    return index


def _names(parameters: Node | None) -> list[str]:
    found = []
    for child in parameters.named_children if parameters is not None else ():
        pattern = child.child_by_field_name("pattern")
        if pattern is not None and pattern.type != "this":
            found.append(text(pattern))
    return found


def anonymous(builder: Builder, node: Node, name: str = "", owner: int | None = None) -> Expr:
    """Return the type that a type literal is: a type without a node of its own."""
    state = state_of(builder)
    index = state.opened.get(node.id)
    if index is None:
        index = builder.open(name, "object", node, parent=owner, enter=False, bound=False)
        state.opened[node.id] = index
        members(builder, node, index)
    return Own(index)


def anonymous_members(builder: Builder, node: Node, owner: int) -> None:
    """Bind the members of a type literal that an alias stands for: they are the alias's own."""
    state_of(builder).opened[node.id] = owner
    members(builder, node, owner)


def _first(builder: Builder, node: Node) -> Expr | None:
    return type_expr(builder, first(node))


def _generic(builder: Builder, node: Node) -> Expr | None:
    return with_arguments(type_expr(builder, node.child_by_field_name("name")), arguments_of(builder, node))


def _nested(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("module"))
    name = node.child_by_field_name("name")
    return Attr(base, text(name)) if base is not None and name is not None else None


def _any_of(builder: Builder, node: Node) -> Expr | None:
    return one_of([type_expr(builder, part) for part in parts_of(node)])


def _array(builder: Builder, node: Node) -> Expr:
    return Literal("Array", (held(_first(builder, node)),))


def _tuple(builder: Builder, node: Node) -> Expr:
    places: list[Expr | None] = []
    for child in node.named_children:
        inner = child.child_by_field_name("type") if child.type.endswith("_parameter") else child
        places.append(held(type_expr(builder, inner)))
    return Literal("tuple", tuple(places))


def _constructor(builder: Builder, node: Node) -> Expr | None:
    return type_of(Literal("Constructor", (held(type_expr(builder, node.child_by_field_name("type"))),)))


def _query(builder: Builder, node: Node) -> Expr | None:
    return type_of(builder.expr(first(node)))


def _lookup(builder: Builder, node: Node) -> Expr | None:
    base, key = node.named_children[0], node.named_children[-1]
    found = type_expr(builder, base)
    if found is None:
        return None
    if key.type == "literal_type":
        inner = first(key)
        if inner is not None and inner.type == "string":
            return type_of(Attr(Instance(found), text(inner).strip("\"'")))
        return type_of(Element(Instance(found)))
    return type_of(Element(Instance(found))) if key.type == "predefined_type" else None


def _conditional(builder: Builder, node: Node) -> Expr | None:
    return one_of(
        [
            type_expr(builder, node.child_by_field_name("consequence")),
            type_expr(builder, node.child_by_field_name("alternative")),
        ]
    )


def _literal_type(_builder: Builder, node: Node) -> Expr | None:
    inner = first(node)
    return Literal("string") if inner is not None and inner.type == "string" else None


def _predefined(_builder: Builder, node: Node) -> Expr | None:
    words = text(node)
    return Literal(words) if words in ("string", "number", "boolean", "bigint", "symbol") else None


def _boolean(_builder: Builder, _node: Node) -> Expr:
    return Literal("boolean")


def _object(builder: Builder, node: Node) -> Expr | None:
    """A type literal; one that maps keys to a type has no members that are written down."""
    inner = first(node)
    if inner is not None and inner.type == "index_signature":
        mapped = inner.child_by_field_name("type")
        if any(child.type == "mapped_type_clause" for child in inner.named_children):
            return Literal("Record", (None, held(type_expr(builder, mapped))))
    return anonymous(builder, node)


def _this(builder: Builder, _node: Node) -> Expr | None:
    return this_frame(state_of(builder)).this


def _imported(builder: Builder, node: Node) -> Expr | None:
    """`import("./x").T`"""
    if node.type == "member_expression":
        base, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        found = _imported(builder, base) if base is not None else None
        return Attr(found, text(name)) if found is not None and name is not None else None
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    module = first(given) if given is not None else None
    if called is None or called.type != "import" or module is None or module.type != "string":
        return None
    return whole(text(module).strip("\"'"))


_TYPES: Final[dict[str, Callable[[Builder, Node], Expr | None]]] = {
    "type_annotation": _first,
    "parenthesized_type": _first,
    "readonly_type": _first,
    "optional_type": _first,
    "rest_type": _first,
    "generic_type": _generic,
    "nested_type_identifier": _nested,
    "union_type": _any_of,
    "intersection_type": _any_of,
    "array_type": _array,
    "tuple_type": _tuple,
    "function_type": function_type,
    "constructor_type": _constructor,
    "type_query": _query,
    "lookup_type": _lookup,
    "conditional_type": _conditional,
    "literal_type": _literal_type,
    "template_literal_type": _boolean,
    "predefined_type": _predefined,
    "type_predicate": _boolean,
    "type_predicate_annotation": _boolean,
    "asserts_annotation": _boolean,
    "object_type": _object,
    "this_type": _this,
    "call_expression": _imported,
    "member_expression": _imported,
}
