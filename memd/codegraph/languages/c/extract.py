"""What the nodes of a C file mean. C++ builds on it."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, Handler, one_line, text
from memd.codegraph.facts import (
    MODULE,
    OPTIONAL,
    Expr,
    Flag,
    ImportSite,
    Kind,
    Literal,
    Own,
)
from memd.codegraph.languages.c.conditionals import repaired, resolved
from memd.codegraph.languages.c.declarators import Parameter, declarators, declared, descriptor, parameters, typed
from memd.codegraph.languages.c.defaults import macros_by_default, of_both_kinds
from memd.codegraph.languages.c.expressions import EXPRESSIONS, tag
from memd.codegraph.languages.c.macros import prepare
from memd.codegraph.languages.c.suspects import reread

RECORDS: Final[dict[str, Kind]] = {
    "struct_specifier": "struct",
    "union_specifier": "union",
    "enum_specifier": "enum",
    "class_specifier": "class",
}

_INCLUDE: Final = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*("[^"\n]+"|<[^>\n]+>)', re.MULTILINE)

# --- definitions ------------------------------------------------------------------------------------------------


def function(builder: Builder, node: Node) -> None:
    """A function with its body."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        return
    what = declared(declarator)
    if what.name is None or what.function is None or builder.scope != MODULE:
        return  # in a function, a macro before a block (`each (x) { }`) looks like the head of another one
    name = text(what.name)
    bound = _counts(builder, node, name)
    open_function(builder, node, name, what.function, builder.scope, Flag.NONE, bound=bound)


def _counts(builder: Builder, node: Node, name: str) -> bool:
    """Tell whether a name means this: of a function and a macro of one name, that which is there by default."""
    word = name.encode()
    if word not in of_both_kinds(builder.source):
        return True
    return (node.type == "preproc_function_def") == (word in macros_by_default(builder.source))


def open_function(
    builder: Builder, node: Node, name: str, function: Node, parent: int, flags: int, *, kind: Kind = "function",
    bound: bool = True, type_params: tuple[str, ...] = (), overloaded: bool = False,
) -> int:  # fmt: skip
    """Add a function with its parameters and return its index; one without a body is a declaration."""
    enter = node.type == "function_definition"
    declarator = node.child_by_field_name("declarator")
    if enter:
        what = declared(declarator) if declarator is not None else None
    else:
        flags |= Flag.DECLARATION
        what = next(
            (one for one in map(declared, node.children_by_field_name("declarator")) if one.function == function), None
        )
    if not is_static(node):
        flags |= Flag.EXPORTED
    returns = typed(builder, node.child_by_field_name("type"), what) if what is not None else None
    taken = parameters(function)
    index = builder.open(
        name,
        kind,
        node,
        parent=parent,
        enter=enter,
        bound=bound,
        flags=flags,
        returns=trailing(builder, function) or returns,
        params=tuple(_param(one, overloaded=overloaded) for one in taken),
        takes=tuple(_taken(builder, one) for one in taken) if overloaded else (),
        type_params=type_params,
        signature=one_line(_head(node), LONGEST_SIGNATURE),
    )
    if enter:
        until = builder.symbols[index].end
        for one in taken:
            if one.name and one.what is not None:
                type_ = typed(builder, one.type, one.what)
                builder.bind(one.name, None, type_, since=function.start_byte, until=until, owner=index)
    return index


def _head(node: Node) -> str:
    """Return a function as it is written, up to its body; that is left alone, however long it is."""
    return (node.text or b"").partition(b"{")[0].rstrip(b"; \n").decode("utf-8", "replace")


def _param(parameter: Parameter, *, overloaded: bool) -> str:
    return f"{OPTIONAL}{parameter.name}" if overloaded and parameter.optional else parameter.name


def _taken(builder: Builder, parameter: Parameter) -> Expr | None:
    what = parameter.what
    return builder.expr(parameter.type) if what is None else typed(builder, parameter.type, what)


def trailing(builder: Builder, function: Node) -> Expr | None:
    """Return the type after `->`."""
    for child in function.named_children:
        if child.type == "trailing_return_type" and child.named_children:
            return descriptor(builder, child.named_children[0])
    return None


def is_static(node: Node) -> bool:
    """Tell whether a declaration says `static`."""
    return any(child.type == "storage_class_specifier" and child.text == b"static" for child in node.children)


def declaration(builder: Builder, node: Node) -> None:
    """Variables and functions that are declared."""
    type_node = node.child_by_field_name("type")
    for declarator, value in declarators(node):
        what = declared(declarator)
        if what.name is None:
            continue
        if what.function is not None:
            if value is None and builder.scope == MODULE:
                name = text(what.name)
                bound = _counts(builder, node, name)
                open_function(builder, node, name, what.function, builder.scope, Flag.NONE, bound=bound)
            continue
        variable(builder, node, text(what.name), typed(builder, type_node, what), value)


def variable(builder: Builder, node: Node, name: str, type_: Expr | None, value: Node | None) -> None:
    """A variable: in a function, it is known up to the end of its block."""
    local = builder.scope != MODULE
    builder.bind(
        name,
        (builder.expr(value) if value is not None else None) or Literal("variable"),
        type_,
        since=node.start_byte,
        scoped=local,
    )


def field(builder: Builder, node: Node) -> None:
    """A member that holds a value."""
    type_node = node.child_by_field_name("type")
    for declarator, _ in declarators(node):
        what = declared(declarator)
        if what.name is not None:
            builder.bind(text(what.name), Literal("variable"), typed(builder, type_node, what), since=node.start_byte)


def record(builder: Builder, node: Node) -> None:
    """A `struct`, `union` or `enum` with its body."""
    if node.child_by_field_name("body") is None:
        return
    name_node = node.child_by_field_name("name")
    if name_node is not None:
        index = builder.open(text(name_node), RECORDS[node.type], node, bound=False)
        builder.bind(tag(text(name_node)), Own(index), since=node.start_byte, owner=builder.symbols[index].parent)
        return
    around = node.parent
    if around is not None and around.type == "type_definition":
        named = around.child_by_field_name("declarator")
        what = declared(named) if named is not None else None
        if what is not None and what.name is not None and not what.pointers:
            builder.open(text(what.name), RECORDS[node.type], node)


def typedef(builder: Builder, node: Node) -> None:
    """`typedef struct a b;`: a name for a type."""
    type_node = node.child_by_field_name("type")
    for declarator in node.children_by_field_name("declarator"):
        what = declared(declarator)
        if what.name is None or what.function is not None:
            continue
        if type_node is not None and type_node.type in RECORDS and type_node.child_by_field_name("name") is None:
            continue  # the record has this name itself
        builder.bind(text(what.name), typed(builder, type_node, what), since=node.start_byte)


def macro(builder: Builder, node: Node) -> None:
    """A macro that is called like a function."""
    name = node.child_by_field_name("name")
    if name is not None:
        bound = _counts(builder, node, text(name))
        builder.open(text(name), "macro", node, parent=MODULE, enter=False, bound=bound)


def block(builder: Builder, node: Node) -> None:
    """What is declared in a block is not known after it."""
    builder.block(node.end_byte)


# --- references -------------------------------------------------------------------------------------------------


def call(builder: Builder, node: Node) -> None:
    """A call."""
    builder.call(node, builder.expr(node.child_by_field_name("function")))


def includes(builder: Builder, node: Node) -> None:
    """Every `#include` of the file, also in the middle of a list; quotes or brackets stay, they tell where to look."""
    if builder.is_whole(node) and b"include" in builder.source:
        for found in _INCLUDE.finditer(builder.source):
            named = found[1].decode("utf-8", "replace")
            line = builder.source.count(b"\n", 0, found.start()) + 1
            builder.imports.append(ImportSite(line, named, (), True))
            builder.stars.append(named)


REPAIRS: Final = (repaired, resolved)

__all__ = ["EXPRESSIONS", "HANDLERS", "RECORDS", "REPAIRS", "prepare", "reread"]

HANDLERS: Final[dict[str, Handler]] = {
    "function": function,
    "typedef": typedef,
    "record": record,
    "declaration": declaration,
    "field": field,
    "macro": macro,
    "file": includes,
    "block": block,
    "call": call,
}
