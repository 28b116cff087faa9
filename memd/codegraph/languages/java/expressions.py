"""Expressions: what the nodes of Java's expressions stand for."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import (
    TYPE_KINDS,
    Attr,
    Call,
    Construct,
    Expr,
    Instance,
    Item,
    Literal,
    Name,
    OneOf,
    Super,
    This,
    Within,
)
from memd.codegraph.languages.java.types import TYPES, array_of, type_expr

MOST_ARGUMENTS: Final = 12
"""Methods of more parameters, and calls with more arguments, count as if they had so many."""
MOST_TOLD: Final = 4
"""So many arguments of a call are told: they can say what the type parameters of a method stand for."""
_SIMPLE: Final = 3
"""An argument is told where it is nested no deeper than this."""


def enclosing_type(builder: Builder, name: str | None = None) -> int | None:
    """Return the innermost type around (the innermost of a name), or None."""
    scope = builder.scope
    while scope >= 0:
        symbol = builder.symbols[scope]
        if symbol.kind in TYPE_KINDS and (name is None or symbol.name == name):
            return scope
        scope = symbol.parent
    return None


def arity(node: Node) -> int:
    """Return how many arguments a call is given, so far as that is told."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return 0
    return min(len(listed(arguments)), MOST_ARGUMENTS)


def callee(builder: Builder, node: Node) -> Expr | None:
    """Return what a method invocation calls: a method is asked for by its name and the number of arguments."""
    named = node.child_by_field_name("name")
    if named is None:
        return None
    name = f"{text(named)}/{arity(node)}"
    target = node.child_by_field_name("object")
    if target is None:
        return Name(name)
    if node.child_count > _PLAIN and any(child.type == "super" for child in node.children[1:]):
        # X.super.m(): the interface X, or what X inherits
        outer = enclosing_type(builder, text(target))
        return Attr(Super(outer) if outer is not None else Instance(Name(text(target))), name)
    base = Literal("anonymous") if _declares(target, text(named)) else builder.expr(target)
    return Attr(base, name) if base is not None else None


# An object, a dot, a name and arguments.
_PLAIN: Final = 4


def _declares(node: Node, name: str) -> bool:
    """Tell whether a node makes an anonymous class that has a method of a name itself."""
    if node.type != "object_creation_expression":
        return False
    body = node.named_children[-1]
    return any(
        child.type == "method_declaration" and text(child.child_by_field_name("name") or child) == name
        for child in (body.named_children if body.type == "class_body" else ())
    )


def constructed(builder: Builder, node: Node) -> Expr | None:
    """Return the type that `new T()` or `outer.new T()` makes an instance of."""
    named = type_expr(builder, node.child_by_field_name("type"))
    outer = node.child(0)
    if outer is not None and outer.type != "new" and isinstance(named, Name):
        base = builder.expr(outer)
        return Attr(base, named.id) if base is not None else named
    return named


def _call(builder: Builder, node: Node) -> Expr | None:
    called = callee(builder, node)
    if called is None:
        return None
    arguments = node.child_by_field_name("arguments")
    if arguments is None or not arguments.named_child_count:
        return Call(called)
    told = tuple([simple(builder, one) for one in listed(arguments)[:MOST_TOLD]])
    return Call(called, told if any(told) else ())


_COMMENTS: Final = frozenset(("line_comment", "block_comment"))


def listed(arguments: Node) -> list[Node]:
    """Return the arguments of a list."""
    given = arguments.named_children
    return [child for child in given if child.type not in _COMMENTS]


def simple(builder: Builder, node: Node) -> Expr | None:
    """Return what an argument stands for, None where that takes too many words."""
    found = builder.expr(node)
    return found if found is not None and _depth(found) <= _SIMPLE else None


def _depth(expr: Expr | None) -> int:
    match expr:
        case Attr() | Item():
            return 1 + _depth(expr.base)
        case Call():
            return 1 + max(_depth(expr.callee), *map(_depth, expr.args), 0)
        case OneOf():
            return _SIMPLE + 1
        case _:
            return 1


def _construct(builder: Builder, node: Node) -> Expr | None:
    named = constructed(builder, node)
    return Construct(named) if named is not None else None


def _this(builder: Builder, node: Node) -> Expr | None:
    around = enclosing_type(builder)
    return This(around) if around is not None else None


def _super(builder: Builder, node: Node) -> Expr | None:
    around = enclosing_type(builder)
    return Super(around) if around is not None else None


def _field_access(builder: Builder, node: Node) -> Expr | None:
    target, name = node.child_by_field_name("object"), node.child_by_field_name("field")
    if target is None or name is None:
        return None
    if name.type == "this":  # A.this
        around = enclosing_type(builder, text(target).rpartition(".")[2])
        return This(around) if around is not None else None
    base = builder.expr(target)
    return Attr(base, text(name)) if base is not None else None


def _cast(builder: Builder, node: Node) -> Expr | None:
    named = type_expr(builder, node.child_by_field_name("type"))
    return Instance(named) if named is not None else None


def _class_literal(builder: Builder, node: Node) -> Expr:
    named = type_expr(builder, node.named_child(0))
    return Literal("Class", (Instance(named) if named is not None else None,))


def _array(builder: Builder, node: Node) -> Expr | None:
    depth = sum((child.text or b"").count(b"[") for child in node.named_children if child.type.startswith("dimensions"))
    found = array_of(type_expr(builder, node.child_by_field_name("type")), max(depth, 1))
    return Instance(found) if found is not None else None


def _array_access(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("array"))
    return Item(base, 0) if base is not None else None


def _ternary(builder: Builder, node: Node) -> Expr | None:
    return one_of(
        [
            builder.expr(node.child_by_field_name("consequence")),
            builder.expr(node.child_by_field_name("alternative")),
        ]
    )


def _switch(builder: Builder, node: Node) -> Expr | None:
    """`switch (x) { case 1 -> y; }` as an expression: any of what stands behind the arrows."""
    body = node.child_by_field_name("body")
    given: list[Expr | None] = []
    for rule in body.named_children if body is not None else ():
        last = rule.named_children[-1] if rule.type == "switch_rule" and rule.named_children else None
        if last is not None and last.type == "expression_statement":
            given.append(builder.expr(last.named_child(0)))
    return one_of(given)


def one_of(options: list[Expr | None]) -> Expr | None:
    """Return the expression for any of some."""
    known = tuple(dict.fromkeys(option for option in options if option is not None))
    if len(known) < 2:
        return known[0] if known else None
    return OneOf(known)


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.named_child(0))


def _right(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("right"))


def _binary(builder: Builder, node: Node) -> Expr | None:
    """A comparison is a truth value, a sum with a string in it a string, other arithmetic of the type of its parts."""
    operator = node.child_by_field_name("operator")
    if operator is None or operator.type not in _ARITHMETIC:
        return Literal("boolean")
    left, right = (builder.expr(node.child_by_field_name(side)) for side in ("left", "right"))
    if operator.type == "+" and Literal("String") in (left, right):
        return Literal("String")
    return left if isinstance(left, Literal) and isinstance(right, Literal) else one_of([left, right])


_ARITHMETIC: Final = frozenset("+ - * / % << >> >>> & | ^".split())


def _unary(builder: Builder, node: Node) -> Expr | None:
    operator = node.child_by_field_name("operator")
    return Literal("boolean") if operator is not None and operator.type == "!" else builder.expr(node.named_child(0))


def _lambda(builder: Builder, node: Node) -> Expr:
    """What a lambda gives: its expression, or what its block returns at its end."""
    body = node.child_by_field_name("body")
    if body is not None and body.type == "block":
        last = body.named_children[-1] if body.named_children else None
        body = last.named_child(0) if last is not None and last.type == "return_statement" else None
    given = simple(builder, body) if body is not None else None
    parameters = node.child_by_field_name("parameters")
    single = parameters is None or parameters.type == "identifier"
    count = 1 if single or parameters is None else len(parameters.named_children)
    result = Within(given, body.start_byte) if given is not None and body is not None else None
    return Literal("function", (*(None,) * count, result))


def referred(builder: Builder, node: Node) -> Expr | None:
    """Return what `A::m` may call: m as a static method, or on an instance that is given; the type itself for `new`."""
    first, last = node.child(0), node.child(node.child_count - 1)
    if first is None or last is None:
        return None
    base = type_expr(builder, first) if first.type in _TYPES else builder.expr(first)
    if base is None or last.type == "new":
        return base
    return OneOf(tuple(Attr(base, f"{text(last)}/{count}") for count in range(_MOST_REFERRED)))


# What a method reference names takes no more arguments than this.
_MOST_REFERRED: Final = 4
_TYPES: Final = frozenset(("generic_type", "array_type", "scoped_type_identifier", "type_identifier"))


def _reference(builder: Builder, node: Node) -> Expr | None:
    found = referred(builder, node)
    if found is None:
        return Literal("reference", (None,))
    return Literal("reference", (Call(found) if isinstance(found, OneOf) else Construct(found),))


def _literal(name: str) -> ExprHandler:
    value = Literal(name)
    return lambda _builder, _node: value


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    "method_invocation": _call,
    "object_creation_expression": _construct,
    "field_access": _field_access,
    **dict.fromkeys(TYPES, type_expr),
    "this": _this,
    "super": _super,
    "cast_expression": _cast,
    "class_literal": _class_literal,
    "array_creation_expression": _array,
    "array_access": _array_access,
    "ternary_expression": _ternary,
    "switch_expression": _switch,
    "parenthesized_expression": _first,
    "assignment_expression": _right,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "instanceof_expression": _literal("boolean"),
    "string_literal": _literal("String"),
    "character_literal": _literal("char"),
    "decimal_integer_literal": _literal("int"),
    "hex_integer_literal": _literal("int"),
    "decimal_floating_point_literal": _literal("double"),
    "true": _literal("boolean"),
    "false": _literal("boolean"),
    "lambda_expression": _lambda,
    "method_reference": _reference,
}
