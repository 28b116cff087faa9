"""What the nodes of a TypeScript or JavaScript file mean."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, Handler, first, text
from memd.codegraph.facts import (
    CLAIM,
    EVERYWHERE_KNOWN,
    RETURN,
    TYPE_KINDS,
    YIELD,
    Attr,
    Call,
    Element,
    Expr,
    Flag,
    Instance,
    Name,
    Own,
    This,
)
from memd.codegraph.languages.typescript import classes, modules, narrowing, variables
from memd.codegraph.languages.typescript.expected import expected
from memd.codegraph.languages.typescript.expressions import EXPRESSIONS, super_class
from memd.codegraph.languages.typescript.frames import Frame, at, declare, function_frame
from memd.codegraph.languages.typescript.functions import describe, enter, loop
from memd.codegraph.languages.typescript.jsdoc import read_comments
from memd.codegraph.languages.typescript.literals import function_flags, unwrapped
from memd.codegraph.languages.typescript.names import holder
from memd.codegraph.languages.typescript.repair import end_lines
from memd.codegraph.languages.typescript.types import claim_of
from memd.codegraph.languages.typescript.variables import REFERENCES, add_base, of_prototype

__all__ = ["EXPRESSIONS", "HANDLERS", "REPAIRS", "program"]

REPAIRS: Final = (end_lines,)


def program(builder: Builder, node: Node) -> None:
    """A file of JavaScript: its comments may say types."""
    read_comments(builder, node)


# --- functions --------------------------------------------------------------------------------------------------


def function(builder: Builder, node: Node) -> None:
    """A function that is declared by its name, also one without a body."""
    at(builder, node)
    name = node.child_by_field_name("name")
    flags = function_flags(node)
    if node.type == "function_signature":
        flags |= Flag.DECLARATION
    words = text(name) if name is not None else "default"
    index = builder.open(words, "function", node, enter=False, bound=False, flags=flags)
    declare(builder, words, Own(index), None, node.start_byte, early=True)
    _claimed(builder, node, index)
    describe(builder, index, node)
    enter(builder, node, index)


def literal(builder: Builder, node: Node) -> None:
    """A function that is a value; it is a symbol where its surroundings name it."""
    state = at(builder, node)
    index = state.opened.get(node.id)
    if index is None:
        enter(builder, node, None, _taken_by(builder, node))
        return
    declared: Expr | None = None
    around = node.parent
    if node.child_by_field_name("return_type") is None and around is not None and around.type in _TYPED:
        wanted = expected(builder, node)
        declared = Call(wanted) if wanted is not None else None
    parent = builder.symbols[index].parent
    of_type = parent >= 0 and builder.symbols[parent].kind in TYPE_KINDS
    _claimed(builder, node, index)
    describe(builder, index, node, declared)
    this = This(parent) if of_type and node.type != "arrow_function" else None
    enter(builder, node, index, this)


def _taken_by(builder: Builder, node: Node) -> Expr | None:
    """Return what `this` is in a function without a name of its own: what it is made a member of."""
    if node.type == "arrow_function":
        return None
    holder_of = at(builder, node).within.get(node.id)
    if holder_of is not None:
        return This(holder_of)
    around = node.parent
    left = around.child_by_field_name("left") if around is not None and around.type == "assignment_expression" else None
    found = builder.expr(left.child_by_field_name("object")) if left is not None else None
    return Instance(found.base) if isinstance(found, Attr) and found.name == "prototype" else found


_TYPED: Final = frozenset(("variable_declarator", "public_field_definition"))


def _claimed(builder: Builder, node: Node, index: int) -> None:
    """Note what a function says that its argument is where it gives true (`x is T`)."""
    declared = claim_of(builder, node.child_by_field_name("return_type"))
    if declared is not None:
        builder.bind(CLAIM, None, declared, since=node.start_byte, owner=index, scope=index)


def return_(builder: Builder, node: Node) -> None:
    """`return x`."""
    state = at(builder, node)
    result = function_frame(state).result
    value = first(node)
    if result is None or value is None:
        return
    found = builder.expr(value)
    if found is not None:
        builder.bind(RETURN, found, since=node.end_byte, until=node.end_byte, owner=result)


def yield_(builder: Builder, node: Node) -> None:
    """`yield x`, `yield* x`."""
    state = at(builder, node)
    result = function_frame(state).result
    found = builder.expr(first(node))
    if result is None or found is None:
        return
    if any(child.type == "*" for child in node.children[:2]):
        found = Element(found)
    builder.bind(YIELD, found, since=node.end_byte, until=node.end_byte, owner=result)


# --- blocks -----------------------------------------------------------------------------------------------------


def block(builder: Builder, node: Node) -> None:
    """A block: what is declared in it is seen in it. The body of a function is the function's own."""
    state = at(builder, node)
    top = state.frames[-1]
    if not (top.function and top.end == node.end_byte) and node.id not in state.opened:
        state.frames.append(Frame(node.start_byte, node.end_byte, builder.scope))


def ambient(builder: Builder, node: Node) -> None:
    """`declare global { ... }`: what is declared in it is known to every file."""
    state = at(builder, node)
    if any(child.type == "global" for child in node.children[:3]):
        body = node.named_children[-1]
        state.frames.append(Frame(0, node.end_byte, EVERYWHERE_KNOWN, function=True, root=True))
        state.opened[body.id] = -1


def for_(builder: Builder, node: Node) -> None:
    """`for (const x of y)`."""
    block(builder, node)
    loop(builder, node)


def catch(builder: Builder, node: Node) -> None:
    """`catch (e)`."""
    block(builder, node)
    name = node.child_by_field_name("parameter")
    if name is not None and name.type == "identifier":
        declare(builder, text(name), None, None, node.start_byte)


# --- references -------------------------------------------------------------------------------------------------


def call(builder: Builder, node: Node) -> None:
    """A call, which may be one of `require`, or make one class inherit from another."""
    at(builder, node)
    if modules.loaded(builder, node):
        return
    callee = node.child_by_field_name("function")
    if callee is None:
        return
    if callee.type == "super":
        builder.call(node, super_class(builder))
        return
    bare = unwrapped(callee)  # `(f as T)(x)` calls f
    found = builder.expr(bare if bare is not None and bare.type in REFERENCES else callee)
    builder.call(node, found)
    word = found.name if isinstance(found, Attr) else found.id if isinstance(found, Name) else ""
    if word in ("inherits", "setPrototypeOf"):
        _inherits(builder, node)


def _inherits(builder: Builder, node: Node) -> None:
    """`util.inherits(X, Y)`, `Object.setPrototypeOf(X.prototype, Y.prototype)`."""
    given = node.child_by_field_name("arguments")
    parts = given.named_children if given is not None else []
    if len(parts) < 2:
        return
    owner = holder(builder, parts[0])
    base = of_prototype(builder, parts[1]) or builder.expr(parts[1])
    if owner is not None and builder.symbols[owner].kind == "object":
        add_base(builder, owner, base)


def new(builder: Builder, node: Node) -> None:
    """`new X(...)`."""
    at(builder, node)
    builder.call(node, builder.expr(node.child_by_field_name("constructor")))


def element(builder: Builder, node: Node) -> None:
    """`<X />`: a component is called with what it is given; small letters are tags of HTML."""
    at(builder, node)
    name = node.child_by_field_name("name")
    if name is None or (name.type == "identifier" and not text(name)[:1].isupper()):
        return
    if name.type in ("identifier", "member_expression", "nested_identifier"):
        builder.call(node, builder.expr(name))


HANDLERS: Final[dict[str, Handler]] = {
    "ambient": ambient,
    "namespace": classes.namespace,
    "function": function,
    "class": classes.class_,
    "interface": classes.interface,
    "alias": classes.alias,
    "enum": classes.enum,
    "decorator": classes.decorator,
    "method": classes.method,
    "field": classes.field,
    "literal": literal,
    "block": block,
    "for": for_,
    "catch": catch,
    "if": narrowing.condition,
    "choice": narrowing.choice,
    "both": narrowing.both,
    "variable": variables.variable,
    "var": variables.var,
    "assign": variables.assign_,
    "return": return_,
    "yield": yield_,
    "import": modules.import_,
    "import_alias": modules.import_alias,
    "export": modules.export,
    "call": call,
    "new": new,
    "element": element,
}
