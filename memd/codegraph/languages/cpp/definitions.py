"""What the nodes of a C++ file define, beyond what they define in C: functions, types, members, names."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, one_line, text
from memd.codegraph.facts import (
    MODULE,
    TYPE_KINDS,
    Attr,
    Expr,
    Flag,
    Import,
    Item,
    Kind,
    Literal,
    Name,
    OneOf,
)
from memd.codegraph.languages.c import extract as c
from memd.codegraph.languages.c.declarators import Declared, declarators, declared, descriptor, parameters, typed
from memd.codegraph.languages.cpp.expressions import function_name
from memd.codegraph.languages.cpp.names import FORWARD
from memd.codegraph.languages.cpp.scopes import namespaces_in, own_scope, scope_parts

_NAME: Final = re.compile(r"~?\w+|operator\W{1,3}|operator ?[\w:<>*& ,]+")
_MACRO: Final = re.compile(r"[A-Z][A-Z0-9_]{2,}")


def file(builder: Builder, node: Node) -> None:
    """What is true of the whole file: what it includes, which namespaces it names."""
    if builder.is_whole(node):
        c.includes(builder, node)
        builder.extra["namespaces"] = " ".join(sorted(namespaces_in(builder.source)))


def function(builder: Builder, node: Node) -> None:
    """A function with its body: free, in its class, or of a class that is defined elsewhere."""
    declarator = node.child_by_field_name("declarator")
    what = declared(declarator) if declarator is not None else None
    if what is None or what.name is None or what.function is None:
        return
    parts, name = _qualified(what.name)
    around = _type_around(builder)
    if _in_function(builder) or not _NAME.fullmatch(name):
        return  # a macro that looks like the head of a function
    if node.child_by_field_name("type") is None and not parts and _MACRO.fullmatch(name) and around is None:
        _made_by_macro(builder, node, what.function)
        return
    friend = node.parent is not None and node.parent.type == "friend_declaration"
    if friend:
        _open(builder, node, name, what, MODULE, "function")
    elif parts:
        owner = _reopened(builder, node, own_scope(parts, builder, node))
        _open(builder, node, name, what, owner, "method" if owner != MODULE else "function")
    else:
        _open(builder, node, name, what, builder.scope, "method" if around is not None else "function")


def _made_by_macro(builder: Builder, node: Node, function: Node) -> None:
    """A function whose name a macro makes (`TEST_F(Fixture, name) { }`): no symbol, but a member of the first."""
    types = [one.type for one in parameters(function)]
    base = builder.expr(types[0]) if types and types[0] is not None else None
    if base is not None:
        builder.open("", "class", node, bound=False, flags=Flag.PART, bases=(base,))
    builder.open("", "function", node, bound=False)


def _open(builder: Builder, node: Node, name: str, what: Declared, parent: int, kind: Kind) -> int:
    assert what.function is not None
    flags = Flag.NONE
    if kind == "method" and c.is_static(node):
        flags |= Flag.STATIC
    owner = builder.symbols[parent].name if parent >= 0 else None
    return c.open_function(
        builder, node, name, what.function, parent, flags,
        kind=kind, bound=name != owner, type_params=_type_params(node), overloaded=True,
    )  # fmt: skip


def _reopened(builder: Builder, node: Node, parts: list[str]) -> int:
    """Return the symbol that stands, in this file, for a class whose member is defined outside of it."""
    parent = builder.scope
    path: Expr | None = Name(parts[0]) if parts else None
    for place, part in enumerate(parts):
        assert path is not None
        base: Expr = OneOf((path, Import(FORWARD, part))) if place == 0 else Attr(path, part)
        known = next(
            (one for one, symbol in enumerate(builder.symbols)
             if symbol.name == part and symbol.parent == parent and symbol.kind in TYPE_KINDS),
            None,
        )  # fmt: skip
        if known is None:
            known = builder.open(
                part, "class", node, parent=parent, enter=False, bound=False, flags=Flag.PART, bases=(base,)
            )
        parent = known
        path = base
    return parent


def _qualified(node: Node) -> tuple[list[str], str]:
    """Return the scopes and the name of `a::b::c`."""
    parts, last = scope_parts(node)
    return parts, function_name(last)


def _in_function(builder: Builder) -> bool:
    return builder.scope >= 0 and builder.symbols[builder.scope].kind in ("function", "method")


def _type_around(builder: Builder) -> int | None:
    scope = builder.scope
    return scope if scope >= 0 and builder.symbols[scope].kind in TYPE_KINDS else None


def _type_params(node: Node) -> tuple[str, ...]:
    around = node.parent
    if around is None or around.type != "template_declaration":
        return ()
    listed = around.child_by_field_name("parameters")
    found = []
    for child in listed.named_children if listed is not None else ():
        names = [one for one in child.named_children if one.type == "type_identifier"]
        if names and child.type.endswith("type_parameter_declaration"):
            found.append(text(names[0]))
    return tuple(found)


def declaration(builder: Builder, node: Node) -> None:
    """Variables and functions that are declared. In a function, `T x(a);` declares a variable."""
    type_node = node.child_by_field_name("type")
    inside = builder.scope >= 0 and builder.symbols[builder.scope].kind not in TYPE_KINDS
    for declarator, value in declarators(node):
        what = declared(declarator)
        if what.name is None:
            continue
        if what.name.type == "structured_binding_declarator":
            _unpack(builder, node, what.name, builder.expr(value))
            continue
        if what.function is not None and value is None and not inside:
            parts, name = _qualified(what.name)
            if not parts:
                kind: Kind = "method" if _type_around(builder) is not None else "function"
                _open(builder, node, name, what, builder.scope, kind)
            continue
        _variable(builder, node, what, type_node, value)


def _variable(builder: Builder, node: Node, what: Declared, type_node: Node | None, value: Node | None) -> None:
    assert what.name is not None
    parts, name = _qualified(what.name)
    if parts:
        return  # a static member's definition: the class has declared it
    auto = type_node is not None and type_node.type == "placeholder_type_specifier"
    given = (
        builder.expr(value) if value is not None and value.type not in ("argument_list", "initializer_list") else None
    )
    type_ = None if auto else typed(builder, type_node, what)
    local = builder.scope >= 0 and builder.symbols[builder.scope].kind not in TYPE_KINDS
    builder.bind(name, given or Literal("variable"), type_, since=node.start_byte, scoped=local)


def _unpack(builder: Builder, node: Node, names: Node, value: Expr | None) -> None:
    for place, child in enumerate(names.named_children):
        part = Item(value, place) if value is not None else Literal("variable")
        builder.bind(text(child), part, since=node.start_byte, scoped=builder.scope != MODULE)


def field(builder: Builder, node: Node) -> None:
    """A member of a class: a value, or a method that is declared."""
    type_node = node.child_by_field_name("type")
    for declarator, _ in declarators(node):
        what = declared(declarator)
        if what.name is None:
            continue
        if what.function is not None:
            _open(builder, node, function_name(what.name), what, builder.scope, "method")
        else:
            builder.bind(text(what.name), Literal("variable"), typed(builder, type_node, what), since=node.start_byte)


def record(builder: Builder, node: Node) -> None:
    """A class, struct, union or enum with its body."""
    name_node = node.child_by_field_name("name")
    if node.child_by_field_name("body") is None:
        if name_node is not None and name_node.type == "type_identifier" and _is_forward(node):
            builder.bind(text(name_node), Import(FORWARD, _full_name(builder, text(name_node))), since=node.start_byte)
        return
    kind = c.RECORDS[node.type]
    if name_node is None:
        c.record(builder, node)
        return
    parts, last = scope_parts(name_node)
    parent = _reopened(builder, node, own_scope(parts, builder, node)) if parts else builder.scope
    name = text(last)
    special = last.type == "template_type"
    if special:
        inner = last.child_by_field_name("name")
        name = text(inner) if inner is not None else name
    builder.open(
        name,
        kind,
        node,
        parent=parent,
        bound=not special,
        bases=tuple(_bases(builder, node)),
        type_params=_type_params(node),
        signature=one_line(text(node).partition("{")[0], LONGEST_SIGNATURE),
    )


def _full_name(builder: Builder, name: str) -> str:
    """Return a name with those of the types around it before it."""
    scope = builder.scope
    while scope >= 0:
        name = f"{builder.symbols[scope].name}.{name}"
        scope = builder.symbols[scope].parent
    return name


def _is_forward(node: Node) -> bool:
    """Tell whether this is all of a declaration: `class X;`."""
    after = node.next_sibling
    around = node.parent
    return (
        after is not None
        and after.type == ";"
        and around is not None
        and around.child_by_field_name("declarator") is None
    )


def _bases(builder: Builder, node: Node) -> list[Expr]:
    found: list[Expr] = []
    for child in node.named_children:
        if child.type == "base_class_clause":
            for one in child.named_children:
                base = builder.expr(one) if one.type not in ("access_specifier", "attribute_declaration") else None
                if base is not None:
                    found.append(base)
    return found


def typedef(builder: Builder, node: Node) -> None:
    """`typedef a b;`."""
    c.typedef(builder, node)


def alias(builder: Builder, node: Node) -> None:
    """`using a = b;`."""
    name = node.child_by_field_name("name")
    if name is not None:
        builder.bind(text(name), descriptor(builder, node.child_by_field_name("type")), since=node.start_byte)


def namespace_alias(builder: Builder, node: Node) -> None:
    """`namespace a = b::c;`."""
    name = node.child_by_field_name("name")
    if name is not None and node.named_children:
        builder.bind(text(name), builder.expr(node.named_children[-1]), since=node.start_byte)


def using(builder: Builder, node: Node) -> None:
    """`using a::b;` in a class or around it. (Of `using namespace` nothing is needed: names are looked up without.)"""
    named = node.named_children[-1] if node.named_children else None
    if (
        named is None
        or named.type != "qualified_identifier"
        or any(child.type == "namespace" for child in node.children)
    ):
        return
    parts, last = scope_parts(named)
    name = function_name(last)
    if parts and parts[-1] != name:
        builder.bind(name, builder.expr(named), since=node.start_byte)
