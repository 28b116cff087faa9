"""What the nodes of a Java file mean.

Methods and variables of one name live side by side in Java, and methods are told apart by how many arguments they take.
So a method `m` of two parameters is bound, and asked for, as `m/2`; with variable arity under every number it can take.
An anonymous class is a symbol without a name.
"""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler, text
from memd.codegraph.facts import Call, Own
from memd.codegraph.languages.java import definitions, variables
from memd.codegraph.languages.java.expressions import EXPRESSIONS, callee, constructed, enclosing_type, referred

__all__ = ["EXPRESSIONS", "HANDLERS", "prepare"]

_ANNOTATED_DOTS: Final = re.compile(rb"@\w+(?:\.\w+)*(?=\s*\.\.\.)")


def prepare(source: bytes) -> bytes:
    """Blank out what the grammar cannot read: an annotation before the dots of `T @A ... all`."""
    if b"..." not in source:
        return source
    return _ANNOTATED_DOTS.sub(lambda found: b" " * len(found[0]), source)


def package(builder: Builder, node: Node) -> None:
    """`package a.b;`: the other files of it are seen without an import."""
    builder.extra["package"] = _dotted(node.named_children[-1])


def import_(builder: Builder, node: Node) -> None:
    """`import a.B;`, `import a.*;`, `import static a.B.c;`: the rules find what is meant, they know the packages."""
    path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    dotted = _dotted(path)
    if node.named_children[-1].type == "asterisk":
        builder.imported(node, dotted, star=True)
        return
    module, _, name = dotted.rpartition(".")
    builder.imported(node, module, (name,))


def _dotted(node: Node) -> str:
    return "".join(text(node).split())


def block(builder: Builder, node: Node) -> None:
    """A block: what is declared in it is not seen after it."""
    builder.block(node.end_byte)


def call(builder: Builder, node: Node) -> None:
    """`f(x)`, `a.f(x)`."""
    found = builder.expr(node)
    if isinstance(found, Call):
        builder.call(node, found.callee, args=found.args)
    else:  # nested too deep for a type
        builder.call(node, callee(builder, node))


def reference(builder: Builder, node: Node) -> None:
    """`A::m`: whoever takes it calls it; it is noted where it stands."""
    builder.call(node, referred(builder, node), constructs=node.children[-1].type == "new")


def construct(builder: Builder, node: Node) -> None:
    """`new T(x)`, `outer.new T(x)`."""
    builder.call(node, constructed(builder, node), constructs=True)


def delegate(builder: Builder, node: Node) -> None:
    """`this(x)` and `super(x)` in a constructor."""
    around = enclosing_type(builder)
    word = node.child_by_field_name("constructor")
    if around is None or word is None:
        return
    if word.type == "this":
        builder.call(node, Own(around), constructs=True)
    elif builder.symbols[around].bases and _extends(node):
        builder.call(node, builder.symbols[around].bases[0], constructs=True)


def _extends(node: Node) -> bool:
    """Tell whether the class around a constructor's code names the class that it extends: that is its first base."""
    above = node.parent
    while above is not None and above.type != "class_declaration":
        above = above.parent
    return above is not None and above.child_by_field_name("superclass") is not None


HANDLERS: Final[dict[str, Handler]] = {
    "package": package,
    "import": import_,
    "type": definitions.type_,
    "construct": construct,
    "anonymous": definitions.anonymous,
    "constant": variables.constant,
    "constant_body": definitions.constant_body,
    "method": definitions.method,
    "constructor": definitions.constructor,
    "block": block,
    "field": variables.field,
    "local": variables.local,
    "for_each": variables.for_each,
    "resource": variables.resource,
    "catch": variables.catch,
    "lambda": variables.lambda_,
    "instance_of": variables.instance_of,
    "type_pattern": variables.type_pattern,
    "call": call,
    "reference": reference,
    "delegate": delegate,
}
