"""What a node of a C++ expression means, beyond what it means in C."""

from __future__ import annotations

import re
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import Builder, ExprHandler, text
from memd.codegraph.facts import (
    TYPE_KINDS,
    Attr,
    Call,
    Construct,
    Deref,
    Expr,
    Import,
    Index,
    Instance,
    Literal,
    Name,
    This,
)
from memd.codegraph.languages.c import extract as c
from memd.codegraph.languages.c.declarators import descriptor
from memd.codegraph.languages.cpp.names import GLOBAL

_CASTS: Final = frozenset(("static_cast", "dynamic_cast", "const_cast", "reinterpret_cast"))
_MOST_ARGS: Final = 8
_SPACES: Final = re.compile(r"\s+")


def function_name(node: Node) -> str:
    """Return the name that a declarator or a member has in the graph."""
    kind = node.type
    if kind == "operator_cast":
        type_ = node.child_by_field_name("type")
        return f"operator {text(type_)}" if type_ is not None else "operator"
    if kind in ("template_function", "template_method"):
        name = node.child_by_field_name("name")
        return text(name) if name is not None else text(node)
    return _SPACES.sub("", text(node)) if kind in ("operator_name", "destructor_name") else text(node)


def _scoped(builder: Builder, node: Node) -> Expr | None:
    """`a::b`, `::a`, `a<b>::c`."""
    scope = node.child_by_field_name("scope")
    name = node.child_by_field_name("name")
    if name is None:
        return None
    if scope is None:
        plain = name.type in ("identifier", "type_identifier", "namespace_identifier")
        return Attr(Import(GLOBAL), text(name)) if plain else builder.expr(name)
    base = builder.expr(scope)
    return _below(builder, base, name) if base is not None else None


def _below(builder: Builder, base: Expr, name: Node) -> Expr | None:
    kind = name.type
    if kind == "qualified_identifier":
        inner_scope = name.child_by_field_name("scope")
        inner_name = name.child_by_field_name("name")
        if inner_scope is None or inner_name is None:
            return None
        inner = _below(builder, base, inner_scope)
        return _below(builder, inner, inner_name) if inner is not None else None
    if kind in ("template_function", "template_type", "template_method"):
        plain = name.child_by_field_name("name")
        if plain is None:
            return None
        return Index(Attr(base, text(plain)), _arguments(builder, name))
    if kind == "dependent_name":
        return _below(builder, base, name.named_children[-1]) if name.named_children else None
    return Attr(base, function_name(name))


def _template(builder: Builder, node: Node) -> Expr | None:
    name = node.child_by_field_name("name")
    if name is None:
        return None
    base = builder.expr(name) or Name(text(name))
    return Index(base, _arguments(builder, node))


def _arguments(builder: Builder, node: Node) -> tuple[Expr | None, ...]:
    listed = node.child_by_field_name("arguments")
    return tuple(descriptor(builder, one) for one in listed.named_children) if listed is not None else ()


def is_cast(callee: Node) -> bool:
    """Tell whether what is called is one of the casts."""
    name = callee.child_by_field_name("name") if callee.type == "template_function" else None
    return name is not None and text(name) in _CASTS


def _call(builder: Builder, node: Node) -> Expr | None:
    callee = node.child_by_field_name("function")
    if callee is None:
        return None
    if is_cast(callee):
        listed = callee.child_by_field_name("arguments")
        type_ = descriptor(builder, listed.named_children[0]) if listed is not None and listed.named_children else None
        return Instance(type_) if type_ is not None else None
    found = builder.expr(callee)
    return Call(found, given(builder, node)) if found is not None else None


def given(builder: Builder, node: Node) -> tuple[Expr | None, ...]:
    """Return what a call is given."""
    listed = node.child_by_field_name("arguments")
    several = [one for one in listed.named_children if one.type != "comment"] if listed is not None else []
    return tuple(builder.expr(one) for one in several[:_MOST_ARGS])


def _member(builder: Builder, node: Node) -> Expr | None:
    argument = builder.expr(node.child_by_field_name("argument"))
    named = node.child_by_field_name("field")
    if argument is None or named is None:
        return None
    operator = node.child_by_field_name("operator")
    base = Deref(argument) if operator is not None and operator.type == "->" else argument
    if named.type == "qualified_identifier":
        return builder.expr(named)  # `x.Base::f()` names the class whose member it is
    return _below(builder, base, named)


def _this(builder: Builder, node: Node) -> Expr | None:
    scope = builder.scope
    while scope >= 0:
        if builder.symbols[scope].kind in TYPE_KINDS:
            return This(scope)
        scope = builder.symbols[scope].parent
    return None


def _new(builder: Builder, node: Node) -> Expr | None:
    type_ = builder.expr(node.child_by_field_name("type"))
    return Construct(type_) if type_ is not None else None


def _construct(builder: Builder, node: Node) -> Expr | None:
    type_ = descriptor(builder, node.child_by_field_name("type"))
    return Construct(type_) if type_ is not None else None


def _subscript(builder: Builder, node: Node) -> Expr | None:
    inner = builder.expr(node.child_by_field_name("argument"))
    return Index(inner, (None,)) if inner is not None else None


def _literal(kind: str) -> ExprHandler:
    return lambda _builder, _node: Literal(kind)


def _number(_builder: Builder, node: Node) -> Expr | None:
    words = text(node)
    return Literal("double" if "." in words and not words.startswith("0x") else "int")


def _record_type(builder: Builder, node: Node) -> Expr | None:
    name = node.child_by_field_name("name")
    return builder.expr(name) if name is not None else None


def _namespace(builder: Builder, node: Node) -> Expr | None:
    return Name(text(node))


EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    **c.EXPRESSIONS,
    "namespace_identifier": _namespace,
    "qualified_identifier": _scoped,
    "template_function": _template,
    "template_type": _template,
    "call_expression": _call,
    "field_expression": _member,
    "this": _this,
    "new_expression": _new,
    "compound_literal_expression": _construct,
    "subscript_expression": _subscript,
    "struct_specifier": _record_type,
    "class_specifier": _record_type,
    "union_specifier": _record_type,
    "lambda_expression": _literal("func"),
    "string_literal": _literal("char*"),
    "char_literal": _literal("char"),
    "number_literal": _number,
    "true": _literal("bool"),
    "false": _literal("bool"),
    "primitive_type": _namespace,
    "dependent_type": lambda builder, node: builder.expr(node.named_child(0)),
}
