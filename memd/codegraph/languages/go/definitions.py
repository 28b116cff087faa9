"""Definitions: the functions, methods and types of a Go file."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, one_line, text
from memd.codegraph.facts import VARIABLE, Expr, Flag, Kind, Name
from memd.codegraph.languages.go.types import bind_members, bind_parameters, embedded, parameters, result_type

_KINDS: Final[dict[str, Kind]] = {"interface_type": "interface", "struct_type": "struct"}


def function(builder: Builder, node: Node) -> None:
    """A function of the package."""
    _function(builder, node, "function", builder.scope)


def method(builder: Builder, node: Node) -> None:
    """A method: of the part of its receiver's type."""
    receiver = next(iter(parameters(node.child_by_field_name("receiver"))), None)
    kind = _plain(receiver[1]) if receiver is not None else None
    if receiver is None or kind is None:
        return
    part = _part(builder, node, kind)
    index = _function(builder, node, "method", part)
    if receiver[0] and index is not None:
        builder.bind(receiver[0], None, builder.expr(kind), since=node.start_byte, until=node.end_byte, scoped=True)


def _plain(kind: Node | None) -> Node | None:
    """Return the type that a receiver names, less pointers and parentheses."""
    while kind is not None and kind.type in ("pointer_type", "parenthesized_type"):
        kind = kind.named_child(0)
    return kind


def _part(builder: Builder, node: Node, kind: Node) -> int:
    """Return the part of a type that methods of a file belong to, by the way that it is written."""
    written = text(kind)
    known = builder.extra.get(f"part {written}")
    if known is not None:
        return int(known)
    base = kind.child_by_field_name("type") if kind.type == "generic_type" else kind
    name = text(base) if base is not None else written
    given = kind.child_by_field_name("type_arguments")
    names = tuple(text(one) for one in given.named_children) if given is not None else ()
    index = builder.open(
        name, "struct", node, enter=False, bound=False, flags=Flag.PART, bases=(Name(name),), type_params=names
    )
    builder.extra[f"part {written}"] = str(index)
    return index


def _function(builder: Builder, node: Node, kind: Kind, parent: int) -> int | None:
    named = node.child_by_field_name("name")
    if named is None:
        return None
    name = text(named)
    taken = list(parameters(node.child_by_field_name("parameters")))
    result = node.child_by_field_name("result")
    names, bounds = _type_parameters(builder, node)
    body = node.child_by_field_name("body")
    index = builder.open(
        name,
        kind,
        node,
        parent=parent,
        bound=kind == "method" or name not in ("init", "_"),
        returns=result_type(builder, result),
        params=tuple(f"{VARIABLE if variadic else ''}{name}" for name, _, variadic in taken),
        type_params=names,
        bounds=bounds,
        signature=_signature(node, body),
        doc=_doc(node),
    )
    bind_parameters(builder, node)
    return index


def _type_parameters(builder: Builder, node: Node) -> tuple[tuple[str, ...], tuple[Expr | None, ...]]:
    found = node.child_by_field_name("type_parameters")
    names: list[str] = []
    bounds: list[Expr | None] = []
    for child in found.named_children if found is not None else ():
        bound = builder.expr(child.child_by_field_name("type"))
        for name in child.children_by_field_name("name"):
            if name.type != ",":
                names.append(text(name))
                bounds.append(bound)
    return tuple(names), tuple(bounds) if any(bounds) else ()


def type_(builder: Builder, node: Node) -> None:
    """`type T struct { ... }`, `type T interface { ... }`, or a type of its own with what stands behind it."""
    named, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
    if named is None or kind is None:
        return
    names, bounds = _type_parameters(builder, node)
    bases = tuple(base for base in (builder.expr(one) for one in embedded(kind)) if base is not None)
    word = _KINDS.get(kind.type)
    index = builder.open(
        text(named),
        word or "type",
        node,
        bases=bases,
        type_params=names,
        bounds=bounds,
        signature=one_line(f"type {text(named)} {word or text(kind)}", LONGEST_SIGNATURE),
        doc=_doc(node.parent if node.parent is not None else node),
    )
    bind_members(builder, kind, index)


def alias(builder: Builder, node: Node) -> None:
    """`type T = U`."""
    named, kind = node.child_by_field_name("name"), node.child_by_field_name("type")
    if named is not None and kind is not None:
        names, _ = _type_parameters(builder, node)
        builder.open(
            text(named),
            "alias",
            node,
            enter=False,
            returns=builder.expr(kind),
            type_params=names,
            signature=one_line(f"type {text(node)}", LONGEST_SIGNATURE),
            doc=_doc(node.parent if node.parent is not None else node),
        )


def _signature(node: Node, body: Node | None) -> str:
    end = body.start_byte if body is not None else node.end_byte
    return one_line((node.text or b"")[: end - node.start_byte].decode("utf-8", "replace"), LONGEST_SIGNATURE)


def _doc(node: Node) -> str:
    """Return the first sentence of the comment that stands right above."""
    lines: list[str] = []
    row = node.start_point[0]
    before = node.prev_sibling
    while before is not None and before.type == "comment" and before.end_point[0] == row - 1:
        lines.append(text(before).strip("/* \t"))
        row = before.start_point[0]
        before = before.prev_sibling
    return one_line(" ".join(reversed(lines)).partition(". ")[0], LONGEST_DOC)


def closure(builder: Builder, node: Node) -> None:
    """A function literal is no symbol, unless a variable of the package is initialised with it."""
    if builder.scope < 0:
        name = _package_variable(node)
        if name is not None:
            _closure_symbol(builder, node, name)
            return
    bind_parameters(builder, node)


def _package_variable(node: Node) -> Node | None:
    """Return the name of the variable that a function literal is the value of."""
    values = node.parent
    spec = values.parent if values is not None else None
    if values is None or spec is None or values.type != "expression_list" or spec.type != "var_spec":
        return None
    names = [one for one in spec.children_by_field_name("name") if one.type != ","]
    place = values.named_children.index(node)
    return names[place] if place < len(names) else None


def _closure_symbol(builder: Builder, node: Node, named: Node) -> None:
    taken = list(parameters(node.child_by_field_name("parameters")))
    builder.open(
        text(named),
        "function",
        node,
        returns=result_type(builder, node.child_by_field_name("result")),
        params=tuple(f"{VARIABLE if variadic else ''}{name}" for name, _, variadic in taken),
        signature=one_line(
            f"var {text(named)} = {_signature(node, node.child_by_field_name('body'))}", LONGEST_SIGNATURE
        ),
    )
    bind_parameters(builder, node)
