"""What the nodes of a Python file mean."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler, first, text
from memd.codegraph.facts import RETURN, YIELD, Element, Flag, Import
from memd.codegraph.languages.python import definitions, variables
from memd.codegraph.languages.python.expressions import EXPRESSIONS
from memd.codegraph.languages.python.narrowing import narrow_after, narrow_inside
from memd.codegraph.languages.python.nodes import field

__all__ = ["EXPRESSIONS", "HANDLERS"]


def return_(builder: Builder, node: Node) -> None:
    """`return x`."""
    _bind_result(builder, RETURN, node)


def yield_(builder: Builder, node: Node) -> None:
    """`yield x` makes a generator of the function."""
    owner = builder.enclosing("function", "method")
    if owner is not None:
        builder.flag(owner, Flag.GENERATOR)
        if len(node.children) > 1 and node.children[1].type == "from":
            source = builder.expr(node.named_children[0])
            if source is not None:
                builder.bind(YIELD, Element(source), since=node.start_byte, until=node.start_byte, owner=owner)
            return
        _bind_result(builder, YIELD, node)


def block(builder: Builder, node: Node) -> None:
    """A block that may not be run."""
    builder.block(node.end_byte)


def call(builder: Builder, node: Node) -> None:
    """A call."""
    callee = node.child_by_field_name("function")
    if callee is not None:
        builder.call(node, builder.expr(callee))


def import_(builder: Builder, node: Node) -> None:
    """`import a.b`, `import a.b as c`."""
    for child in node.named_children:
        if child.type == "aliased_import":
            module = _dotted_name(field(child, "name"))
            builder.bind(text(field(child, "alias")), Import(module), since=node.start_byte)
        elif child.type == "dotted_name":
            module = _dotted_name(child)
            builder.bind(module.partition(".")[0], Import(module.partition(".")[0]), since=node.start_byte)
        else:
            continue
        builder.imported(node, module)


def import_from(builder: Builder, node: Node) -> None:
    """`from a import b, c as d`, `from . import x`, `from a import *`."""
    module_node = field(node, "module_name")
    module = _dotted_name(module_node)
    names: list[str] = []
    for child in node.named_children:
        if child == module_node:
            continue
        if child.type == "wildcard_import":
            builder.stars.append(module)
            builder.imported(node, module, star=True)
            return
        if child.type == "aliased_import":
            name = _dotted_name(field(child, "name"))
            builder.bind(text(field(child, "alias")), Import(module, name), since=node.start_byte)
        elif child.type == "dotted_name":
            name = _dotted_name(child)
            builder.bind(name, Import(module, name), since=node.start_byte)
        else:
            continue
        names.append(name)
    builder.imported(node, module, names)


def condition(builder: Builder, node: Node) -> None:
    """The condition of an `if`: what it says of a name's type holds in its block."""
    narrow_inside(builder, node)


def assert_(builder: Builder, node: Node) -> None:
    """`assert isinstance(x, T)`: holds from here on."""
    if node.named_children:
        narrow_after(builder, node.named_children[0], node.end_byte)


def _bind_result(builder: Builder, name: str, node: Node) -> None:
    value = first(node)
    found = builder.expr(value) if value is not None else None
    if found is not None:
        builder.bind(name, found, since=node.start_byte, until=node.start_byte)


def _dotted_name(node: Node) -> str:
    return "".join(text(node).split())


HANDLERS: Final[dict[str, Handler]] = {
    "function": definitions.function,
    "class": definitions.class_,
    "block": block,
    "condition": condition,
    "assign": variables.assign,
    "walrus": variables.walrus,
    "for": variables.for_,
    "comprehension": variables.comprehension,
    "with": variables.with_,
    "except": variables.except_,
    "alias": variables.alias,
    "lambda": definitions.lambda_,
    "return": return_,
    "yield": yield_,
    "import": import_,
    "import_from": import_from,
    "assert": assert_,
    "call": call,
}
