"""What the nodes of a Go file mean.

A method belongs to a type that may be defined in another file of the package: its parent is a part (`Flag.PART`) of
that type, one for each way that a file writes the receiver. Imports are not bound: the rules look them up by file.
"""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler, text
from memd.codegraph.facts import Call, Index, Literal
from memd.codegraph.languages.go import definitions, variables
from memd.codegraph.languages.go.constraints import built_by_line
from memd.codegraph.languages.go.expressions import EXPRESSIONS, callee

__all__ = ["EXPRESSIONS", "HANDLERS"]


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


def block(builder: Builder, node: Node) -> None:
    """A block: what is declared in it is not seen after it."""
    builder.block(node.end_byte)


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
    "function": definitions.function,
    "method": definitions.method,
    "type": definitions.type_,
    "alias": definitions.alias,
    "block": block,
    "closure": definitions.closure,
    "const": variables.const,
    "var": variables.var,
    "short": variables.short,
    "range": variables.range_,
    "receive": variables.receive,
    "type_switch": variables.type_switch,
    "call": call,
    "conversion": conversion,
    "composite": composite,
}
