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
    Literal,
    Name,
    Own,
    This,
)
from memd.codegraph.languages.typescript import classes, modules, narrowing
from memd.codegraph.languages.typescript.expected import expected
from memd.codegraph.languages.typescript.expressions import EXPRESSIONS, super_class
from memd.codegraph.languages.typescript.frames import Frame, assign, at, declare, function_frame
from memd.codegraph.languages.typescript.functions import describe, destructure, enter, loop, take_apart
from memd.codegraph.languages.typescript.jsdoc import doc_before, read_comments
from memd.codegraph.languages.typescript.literals import fill, function_flags, uncertain, unwrapped
from memd.codegraph.languages.typescript.names import Target, chain, holder, put, target_of, value_of
from memd.codegraph.languages.typescript.repair import end_lines
from memd.codegraph.languages.typescript.types import claim_of, type_expr

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


# --- variables --------------------------------------------------------------------------------------------------


def variable(builder: Builder, node: Node) -> None:
    """A variable of `let` or `const`."""
    _declare(builder, node, hoisted=False)


def var(builder: Builder, node: Node) -> None:
    """A variable of `var`."""
    _declare(builder, node, hoisted=True)


def _declare(builder: Builder, node: Node, *, hoisted: bool) -> None:
    at(builder, node)
    target = node.child_by_field_name("name")
    value = unwrapped(node.child_by_field_name("value"))
    declared = type_expr(builder, node.child_by_field_name("type"))
    if target is None:
        return
    if target.type != "identifier":
        base = Instance(declared) if declared is not None else builder.expr(value)
        destructure(builder, target, base, node.end_byte, hoisted=hoisted)
        return
    name = text(target)
    targets, last = chain(value) if value is not None else ([], None)
    own = Target(name, plain=True, declared=True)
    found = value_of(builder, [own, *(target_of(builder, one, last) for one in targets)], last)
    if isinstance(found, Own) and builder.symbols[found.symbol].kind == "object":
        # What the variable is declared to be, and what is written there, are both true of it.
        declare(builder, name, found, None, node.start_byte, hoisted=hoisted, early=True)
        if declared is not None:
            declare(builder, name, None, declared, node.end_byte, hoisted=hoisted)
        return
    if isinstance(found, Own):
        declare(builder, name, found, None, node.start_byte, hoisted=hoisted, early=True)
        return
    if declared is None:
        doc = doc_before(builder, node)
        declared = doc.type if doc is not None else None
    whole = node.child_by_field_name("value")
    if value is not None and value.type in _REFERENCES and (whole is value or _is_function_type(declared)):
        declared = None if _is_function_type(declared) else declared  # another name of a function
    elif last is value:
        found = builder.expr(whole)
    declare(builder, name, found, declared, node.end_byte, hoisted=hoisted)


_REFERENCES: Final = frozenset(("identifier", "member_expression"))


def _is_function_type(declared: Expr | None) -> bool:
    return isinstance(declared, Literal) and declared.type == "Callable"


def assign_(builder: Builder, node: Node) -> None:
    """`x = y`, `a.b = y`, `exports.x = y`, `X.prototype.m = y`, `a = b = y`."""
    at(builder, node)
    left = node.child_by_field_name("left")
    if left is None:
        return
    if node.type == "assignment_expression":
        targets, value = chain(node)
    else:
        targets, value = [left], unwrapped(node.child_by_field_name("right"))
    target = target_of(builder, left, value)
    if target is None:
        if left.type in ("object_pattern", "array_pattern"):
            take_apart(
                builder, left, builder.expr(value), lambda name, part: assign(builder, name, part, node.end_byte)
            )
        else:
            value_of(builder, [None], value)
        return
    if target.name == "prototype" and target.owner is not None and target.owner >= 0 and value is not None:
        _prototype(builder, target.owner, value)
        return
    found = value_of(builder, [target, *(target_of(builder, one, value) for one in targets[1:])], value)
    if target.exported:
        builder.extra.setdefault(modules.KIND, "cjs")
    if target.plain:
        assign(builder, target.name, uncertain(found), node.end_byte)
    elif target.owner is not None:
        doc = doc_before(builder, node)
        declared = doc.type if doc is not None else None
        field = target.owner >= 0 and left.type == "member_expression" and _is_this(left)
        put(builder, target.owner, target.name, uncertain(found) if field else found, declared, node.end_byte)


def _is_this(node: Node) -> bool:
    base = node.child_by_field_name("object")
    return base is not None and base.type == "this"


def _prototype(builder: Builder, owner: int, value: Node) -> None:
    """`X.prototype = { ... }`, `X.prototype = Object.create(Y.prototype)`, `X.prototype = new Y()`."""
    if value.type == "object":
        fill(builder, value, owner)
        return
    base: Expr | None = None
    if value.type == "new_expression":
        base = builder.expr(value.child_by_field_name("constructor"))
    elif value.type == "call_expression":
        given = value.child_by_field_name("arguments")
        base = _of_prototype(builder, first(given)) if given is not None else None
    else:
        base = _of_prototype(builder, value)
    _add_base(builder, owner, base)


def _of_prototype(builder: Builder, node: Node | None) -> Expr | None:
    """Return X of `X.prototype`."""
    found = builder.expr(node)
    return found.base if isinstance(found, Attr) and found.name == "prototype" else None


def _add_base(builder: Builder, owner: int, base: Expr | None) -> None:
    if base is not None:
        builder.change(owner, bases=(*builder.symbols[owner].bases, base))


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
    found = builder.expr(callee)
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
    base = _of_prototype(builder, parts[1]) or builder.expr(parts[1])
    if owner is not None and builder.symbols[owner].kind == "object":
        _add_base(builder, owner, base)


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
    "variable": variable,
    "var": var,
    "assign": assign_,
    "return": return_,
    "yield": yield_,
    "import": modules.import_,
    "import_alias": modules.import_alias,
    "export": modules.export,
    "call": call,
    "new": new,
    "element": element,
}
