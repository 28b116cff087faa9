"""What the nodes of a Go file mean.

A method belongs to a type that may be defined in another file of the package: its parent is a part (`Flag.PART`) of
that type, one for each way that a file writes the receiver. Imports are not bound: the rules look them up by file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, Handler, one_line, text
from memd.codegraph.facts import VARIABLE, Call, Element, Expr, Flag, Index, Item, Kind, Literal, Name
from memd.codegraph.languages.go.constraints import built_by_line
from memd.codegraph.languages.go.expressions import EXPRESSIONS, callee
from memd.codegraph.languages.go.names import KEY
from memd.codegraph.languages.go.types import bind_members, bind_parameters, embedded, parameters, result_type

__all__ = ["EXPRESSIONS", "HANDLERS"]


# --- the file ---------------------------------------------------------------------------------------------------


def package(builder: Builder, node: Node) -> None:
    """`package a`: the files of a folder that say the same see each other's names."""
    builder.extra["package"] = text(node.named_children[-1])
    if not built_by_line(builder.source[: node.start_byte]):
        builder.extra["unbuilt"] = "1"


def import_(builder: Builder, node: Node) -> None:
    """`import "a/b"`, `import x "a/b"`, `import . "a/b"`."""
    path = node.child_by_field_name("path")
    if path is None:
        return
    module = text(path).strip('"`')
    name = node.child_by_field_name("name")
    if name is None:
        builder.imported(node, module)
    elif name.type == "dot":
        builder.imported(node, module, star=True)
    else:
        builder.imported(node, module, (text(name),))


# --- definitions ------------------------------------------------------------------------------------------------


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
    symbol_kind: Kind = "interface" if kind.type == "interface_type" else "struct"
    index = builder.open(
        text(named),
        symbol_kind,
        node,
        bases=bases,
        type_params=names,
        bounds=bounds,
        signature=one_line(f"type {text(named)} {kind.type.removesuffix('_type')}", LONGEST_SIGNATURE),
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


# --- names ------------------------------------------------------------------------------------------------------


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


def block(builder: Builder, node: Node) -> None:
    """A block: what is declared in it is not seen after it."""
    builder.block(node.end_byte)


# --- references -------------------------------------------------------------------------------------------------


def call(builder: Builder, node: Node) -> None:
    """`f(x)`, `a.f(x)`, `T(x)`."""
    found = builder.expr(node)
    builder.call(node, found.callee if isinstance(found, Call) else callee(builder, node))


def conversion(builder: Builder, node: Node) -> None:
    """`f[T](x)` is written like a conversion."""
    kind = node.child_by_field_name("type")
    if kind is not None and kind.type == "generic_type":
        found = builder.expr(kind)
        builder.call(node, found)


def composite(builder: Builder, node: Node) -> None:
    """`T{...}`."""
    kind = builder.expr(node.child_by_field_name("type"))
    if kind is not None and not isinstance(kind, Literal):
        builder.call(node, kind.base if isinstance(kind, Index) else kind, constructs=True)


HANDLERS: Final[dict[str, Handler]] = {
    "package": package,
    "import": import_,
    "function": function,
    "method": method,
    "type": type_,
    "alias": alias,
    "block": block,
    "closure": closure,
    "const": const,
    "var": var,
    "short": short,
    "range": range_,
    "receive": receive,
    "type_switch": type_switch,
    "call": call,
    "conversion": conversion,
    "composite": composite,
}
