"""Expressions: what the nodes of an expression mean in Python."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, first, text
from memd.codegraph.facts import Attr, Await, Call, Expr, Flag, Index, Instance, Item, Literal, Name, Super, Within
from memd.codegraph.languages.python.annotations import annotation
from memd.codegraph.languages.python.nodes import field, last_word, one_of

# Calls whose result depends on what they are given.
_TELLING: Final = frozenset(
    "super type cast copy deepcopy next iter aiter anext list tuple set frozenset sorted reversed enumerate zip filter"
    " max min sum dict run run_until_complete create_task gather wait_for ensure_future partial wraps namedtuple"
    " defaultdict deque NewType TypeVar field getattr chain islice cycle submit map closing nullcontext enter_context"
    " enter_async_context".split()
)
_MOST_ARGS: Final = 4
_CLASS: Final = re.compile(r"(?:^|\.)_*[A-Z]\w*[a-z]\w*$")
"""What a class is called by everybody's habit; names in capitals alone are constants."""


def _attribute(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("object"))
    name = node.child_by_field_name("attribute")
    return Attr(base, text(name)) if base is not None and name is not None else None


def _call(builder: Builder, node: Node) -> Expr | None:
    callee = builder.expr(node.child_by_field_name("function"))
    if callee is None:
        return None
    name = last_word(callee)
    arguments = node.child_by_field_name("arguments")
    if name not in _TELLING:
        return Call(callee, _classes(builder, arguments))
    if arguments is None:
        return Call(callee)
    if name == "super" and isinstance(callee, Name):
        return _super(builder)
    if arguments.type != "argument_list":  # a generator: f(x for x in y)
        return Call(callee, (builder.expr(arguments),))
    given = [child for child in arguments.named_children if child.type != "comment"][:_MOST_ARGS]
    if name == "cast" and given:
        return Call(callee, (annotation(builder, given[0]), *(builder.expr(one) for one in given[1:])))
    if name == "TypeVar" and given:
        bound = next((field(one, "value") for one in given if text(one).startswith("bound")), None)
        return Call(callee, (Literal(text(given[0]).strip("\"'")), annotation(builder, bound)))
    if name == "field":
        return Call(callee, tuple(_keyword(builder, one, "default_factory") for one in given))
    return Call(callee, tuple(builder.expr(one) for one in given))


def _classes(builder: Builder, arguments: Node | None) -> tuple[Expr | None, ...]:
    """Return what a call is given where that is a class by its name: what is made of it may be what comes back."""
    if arguments is None or arguments.type != "argument_list":
        return ()
    given = arguments.named_children[:_MOST_ARGS]
    named = [one.type in ("identifier", "attribute") and _CLASS.search(text(one)) is not None for one in given]
    if not any(named):
        return ()
    return tuple(builder.expr(one) if is_class else None for one, is_class in zip(given, named, strict=True))


def _keyword(builder: Builder, node: Node, name: str) -> Expr | None:
    if node.type == "keyword_argument" and text(field(node, "name")) == name:
        return builder.expr(field(node, "value"))
    return None


def _super(builder: Builder) -> Expr | None:
    scope = builder.scope
    while scope >= 0:
        symbol = builder.symbols[scope]
        if symbol.kind == "method":
            flags = builder.flags(scope)
            return Super(symbol.parent, bool(flags & (Flag.CLASSMETHOD | Flag.STATIC)))
        scope = symbol.parent
    return None


def _subscript(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("value"))
    if base is None:
        return None
    given = node.children_by_field_name("subscript")
    if len(given) == 1 and given[0].type == "integer":
        digits = text(given[0])
        return Item(base, int(digits)) if digits.isdecimal() and len(digits) < 4 else Index(base)
    if len(given) == 1 and given[0].type == "slice":
        return base
    return Index(base, tuple(builder.expr(one) for one in given))


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(first(node))


def _await(builder: Builder, node: Node) -> Expr | None:
    found = builder.expr(first(node))
    return Await(found) if found is not None else None


def _yielded(builder: Builder, node: Node) -> Expr | None:
    """What `yield` gives is sent by whoever runs the generator: its declared type says of what kind."""
    owner = builder.enclosing("function", "method")
    declared = builder.symbols[owner].returns if owner is not None else None
    if isinstance(declared, Index) and len(declared.args) > 1 and declared.args[1] is not None:
        return Instance(declared.args[1])
    return None


def _conditional(builder: Builder, node: Node) -> Expr | None:
    children = node.named_children
    return one_of([builder.expr(children[0]), builder.expr(children[-1])])


def _boolean(builder: Builder, node: Node) -> Expr | None:
    left = builder.expr(node.child_by_field_name("left"))
    right = builder.expr(node.child_by_field_name("right"))
    if node.children[1].type == "and":
        return right
    return one_of([left, right])


def _binary(builder: Builder, node: Node) -> Expr | None:
    """`A | B` is a union of types where both are types; what arithmetic gives is the business of its left side."""
    left = builder.expr(node.child_by_field_name("left"))
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "|":
        return one_of([left, builder.expr(node.child_by_field_name("right"))])
    if operator is not None and operator.type == "/" and left is not None:
        return Call(Attr(left, "__truediv__"))
    return left if isinstance(left, Literal) else None


def _walrus_value(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("value"))


def _string(builder: Builder, node: Node) -> Expr | None:
    start = node.child(0)
    return Literal("bytes" if start is not None and b"b" in (start.text or b"").lower() else "str")


def _concatenated(builder: Builder, node: Node) -> Expr | None:
    return _first(builder, node)


def _literal(name: str) -> ExprHandler:
    value = Literal(name)
    return lambda _builder, _node: value


def _sequence(name: str) -> ExprHandler:
    def handler(builder: Builder, node: Node) -> Expr:
        found = dict.fromkeys(builder.expr(child) for child in node.named_children[:8])
        element = one_of([one for one in found if not _is_none(one)])
        return Literal(name, (element,))

    return handler


def _tuple(builder: Builder, node: Node) -> Expr:
    return Literal("tuple", tuple(builder.expr(child) for child in node.named_children[:8]))


def _dictionary(builder: Builder, node: Node) -> Expr:
    keys: list[Expr | None] = []
    values: list[Expr | None] = []
    for pair in node.named_children[:8]:
        if pair.type == "pair":
            keys.append(builder.expr(pair.child_by_field_name("key")))
            values.append(builder.expr(pair.child_by_field_name("value")))
    return Literal("dict", (one_of(list(dict.fromkeys(keys))), one_of(list(dict.fromkeys(values)))))


def _comprehended(name: str) -> ExprHandler:
    def handler(builder: Builder, node: Node) -> Expr:
        body = node.child_by_field_name("body")
        if body is not None and body.type == "pair":
            return Literal(name, (None, _inside(builder, body.child_by_field_name("value"))))
        return Literal(name, (_inside(builder, body),))

    return handler


def _inside(builder: Builder, body: Node | None) -> Expr | None:
    """What a comprehension gives for each element stands where its loop variables are bound."""
    found = builder.expr(body)
    return Within(found, body.start_byte) if found is not None and body is not None else None


def _is_none(expr: Expr | None) -> bool:
    return isinstance(expr, Literal) and expr.type == "None"


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    "attribute": _attribute,
    "call": _call,
    "subscript": _subscript,
    "parenthesized_expression": _first,
    "await": _await,
    "yield": _yielded,
    "conditional_expression": _conditional,
    "boolean_operator": _boolean,
    "binary_operator": _binary,
    "named_expression": _walrus_value,
    "type": _first,
    "string": _string,
    "concatenated_string": _concatenated,
    "integer": _literal("int"),
    "float": _literal("float"),
    "true": _literal("bool"),
    "false": _literal("bool"),
    "none": _literal("None"),
    "comparison_operator": _literal("bool"),
    "not_operator": _literal("bool"),
    "list": _sequence("list"),
    "set": _sequence("set"),
    "tuple": _tuple,
    "expression_list": _tuple,
    "dictionary": _dictionary,
    "list_comprehension": _comprehended("list"),
    "set_comprehension": _comprehended("set"),
    "generator_expression": _comprehended("Iterator"),
    "dictionary_comprehension": _comprehended("dict"),
    "lambda": _literal("function"),
}
