"""Expressions: what the nodes of JavaScript's and TypeScript's expressions stand for."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, first, text
from memd.codegraph.facts import (
    Attr,
    Await,
    Call,
    Construct,
    Expr,
    Import,
    Index,
    Instance,
    Item,
    Literal,
    Name,
    Own,
    Super,
)
from memd.codegraph.languages.typescript.forms import one_of, whole, with_arguments
from memd.codegraph.languages.typescript.frames import state_of, this_frame
from memd.codegraph.languages.typescript.jsdoc import doc_before
from memd.codegraph.languages.typescript.literals import function_value, object_symbol, uncertain
from memd.codegraph.languages.typescript.names import own_type
from memd.codegraph.languages.typescript.types import arguments_of, type_expr

MOST_TOLD: Final = 4
"""So many arguments of a call are told: they can say what its type parameters stand for."""


def module_named(node: Node | None) -> str | None:
    """Return the module that the arguments of `require` or `import` name, None where that is not plain."""
    given = first(node) if node is not None else None
    if given is None or given.type not in ("string", "template_string"):
        return None
    words = text(given).strip("\"'`")
    return words if words and "${" not in words else None


def required(builder: Builder, node: Node) -> str | None:
    """Return the module of a call `require("x")`."""
    called = node.child_by_field_name("function")
    if called is None or called.type != "identifier" or called.text != b"require":
        return None
    return module_named(node.child_by_field_name("arguments"))


def super_class(builder: Builder) -> Expr | None:
    """Return what `super(...)` calls: the class that the class around extends."""
    around = builder.enclosing("class")
    if around is None or not builder.symbols[around].bases:
        return None
    return builder.symbols[around].bases[0]


def _member(builder: Builder, node: Node) -> Expr | None:
    target, name = node.child_by_field_name("object"), node.child_by_field_name("property")
    if target is None or name is None:
        return None
    if target.type == "identifier" and target.text == b"module" and name.text == b"exports":
        return Name("exports")
    base = builder.expr(target)
    return Attr(base, text(name)) if base is not None else None


def _subscript(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("object"))
    key = node.child_by_field_name("index")
    if base is None or key is None:
        return None
    if key.type == "string":
        return Attr(base, text(key).strip("\"'"))
    if key.type == "number":
        digits = text(key)
        return Item(base, int(digits)) if digits.isdecimal() and len(digits) < 4 else Index(base)
    return uncertain(Index(base))


def told(builder: Builder, node: Node | None) -> tuple[Expr | None, ...]:
    """Return the arguments of a call, as far as they are told."""
    if node is None or node.type != "arguments":
        return ()
    given = [child for child in node.named_children if child.type != "comment"][:MOST_TOLD]
    found = tuple(builder.expr(one) for one in given)
    return found if any(found) else ()


def _call(builder: Builder, node: Node) -> Expr | None:
    called = node.child_by_field_name("function")
    if called is None:
        return None
    if called.type == "import":
        module = module_named(node.child_by_field_name("arguments"))
        return Literal("Promise", (Import(module),)) if module is not None else None
    module = required(builder, node)
    if module is not None:
        return whole(module)
    callee = builder.expr(called)
    if callee is None:
        return None
    callee = with_arguments(callee, arguments_of(builder, node))
    return Call(callee, told(builder, node.child_by_field_name("arguments"))) if callee is not None else None


def _new(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("constructor"))
    args = arguments_of(builder, node)
    if base is not None and not args and isinstance(base, Name) and base.id in _HOLDING:
        held = _elements(builder, node.child_by_field_name("arguments"))
        return Literal(base.id, held) if held else Construct(base)
    named = with_arguments(base, args)
    return Construct(named) if named is not None else None


_HOLDING: Final = frozenset(("Set", "WeakSet", "Map", "WeakMap", "Array"))


def _elements(builder: Builder, node: Node | None) -> tuple[Expr | None, ...]:
    """Return what a collection holds that is made of a list: `new Set([a])`, `new Map([[k, v]])`."""
    given = first(node) if node is not None else None
    if given is None or given.type != "array" or not given.named_children:
        return ()
    one = given.named_children[0]
    if one.type == "array":
        return tuple(builder.expr(part) for part in one.named_children[:2])
    return (builder.expr(one),)


def _this(builder: Builder, _node: Node) -> Expr | None:
    frame = this_frame(state_of(builder))
    if frame.this is None and own_type(builder) is None:
        return None
    return frame.this


def _super(builder: Builder, _node: Node) -> Expr | None:
    around = builder.enclosing("class")
    return Super(around) if around is not None else None


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(first(node))


def _parenthesized(builder: Builder, node: Node) -> Expr | None:
    """`(x)`; in JavaScript, `/** @type {T} */ (x)` is a cast."""
    doc = doc_before(builder, node)
    if doc is not None and doc.type is not None:
        return Instance(doc.type)
    return builder.expr(next((child for child in node.named_children if child.type != "comment"), None))


def _await(builder: Builder, node: Node) -> Expr | None:
    found = _first(builder, node)
    return Await(found) if found is not None else None


def _cast(builder: Builder, node: Node) -> Expr | None:
    """`x as T`, `<T>x`; where T says nothing (`as any`, `as const`), x itself."""
    parts = node.named_children
    if len(parts) < 2:
        return _first(builder, node)
    value, declared = (parts[1], parts[0]) if node.type == "type_assertion" else (parts[0], parts[-1])
    found = type_expr(builder, first(declared) if declared.type == "type_arguments" else declared)
    if found is not None:
        return Instance(found)
    return builder.expr(value) if text(declared) == "const" else None


def _conditional(builder: Builder, node: Node) -> Expr | None:
    options = [builder.expr(node.child_by_field_name(one)) for one in ("consequence", "alternative")]
    return uncertain(one_of(options))


def _binary(builder: Builder, node: Node) -> Expr | None:
    operator = node.child_by_field_name("operator")
    word = operator.type if operator is not None else ""
    if word == "&&":
        return builder.expr(node.child_by_field_name("right"))
    if word in ("||", "??"):
        left = builder.expr(node.child_by_field_name("left"))
        return uncertain(one_of([left, builder.expr(node.child_by_field_name("right"))]))
    if word == "+":
        for side in ("left", "right"):
            found = builder.expr(node.child_by_field_name(side))
            if isinstance(found, Literal) and found.type == "string":
                return found
        return None
    return Literal("boolean") if word in _COMPARISONS else Literal("number")


_COMPARISONS: Final = frozenset(("==", "===", "!=", "!==", "<", ">", "<=", ">=", "instanceof", "in"))


def _assigned(builder: Builder, node: Node) -> Expr | None:
    right = builder.expr(node.child_by_field_name("right"))
    if node.type == "assignment_expression":
        return right
    return one_of([builder.expr(node.child_by_field_name("left")), right])


def _sequence(builder: Builder, node: Node) -> Expr | None:
    parts = node.named_children
    return builder.expr(parts[-1]) if parts else None


def _array(builder: Builder, node: Node) -> Expr:
    found: list[Expr | None] = []
    for child in node.named_children[:8]:
        if child.type == "spread_element":
            spread = builder.expr(first(child))
            found.append(Item(spread, 0) if spread is not None else None)
        elif child.type != "comment":
            found.append(uncertain(builder.expr(child)))
    if 0 < len(found) <= _SHORT and len(set(found)) > 1:
        return Literal("tuple", tuple(found))
    return Literal("Array", (one_of(found),))


_SHORT: Final = 4


def _object(builder: Builder, node: Node) -> Expr:
    return Own(object_symbol(builder, node))


def _function(builder: Builder, node: Node) -> Expr | None:
    return function_value(builder, node)


def _class(builder: Builder, node: Node) -> Expr | None:
    state = state_of(builder)
    index = state.opened.get(node.id)
    if index is None:
        index = state.opened[node.id] = builder.open("", "class", node, enter=False, bound=False)
    return Own(index)


def _instantiated(builder: Builder, node: Node) -> Expr | None:
    return with_arguments(builder.expr(first(node)), arguments_of(builder, node))


def _nested_name(builder: Builder, node: Node) -> Expr | None:
    base, name = node.named_children[0], node.named_children[-1]
    found = builder.expr(base)
    return Attr(found, text(name)) if found is not None else None


def _literal(name: str) -> ExprHandler:
    value = Literal(name)
    return lambda _builder, _node: value


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    "member_expression": _member,
    "subscript_expression": _subscript,
    "call_expression": _call,
    "new_expression": _new,
    "this": _this,
    "super": _super,
    "parenthesized_expression": _parenthesized,
    "non_null_expression": _first,
    "satisfies_expression": _first,
    "await_expression": _await,
    "as_expression": _cast,
    "type_assertion": _cast,
    "ternary_expression": _conditional,
    "binary_expression": _binary,
    "assignment_expression": _assigned,
    "augmented_assignment_expression": _assigned,
    "sequence_expression": _sequence,
    "array": _array,
    "object": _object,
    "arrow_function": _function,
    "function_expression": _function,
    "generator_function": _function,
    "class": _class,
    "instantiation_expression": _instantiated,
    "nested_identifier": _nested_name,
    "string": _literal("string"),
    "template_string": _literal("string"),
    "number": _literal("number"),
    "true": _literal("boolean"),
    "false": _literal("boolean"),
    "regex": _literal("RegExp"),
    "unary_expression": _literal("boolean"),
    "update_expression": _literal("number"),
}
