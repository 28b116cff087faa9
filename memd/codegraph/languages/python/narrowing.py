"""Narrowing: what a condition says of the type of a name."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import Expr, Literal, OneOf


def narrow_inside(builder: Builder, condition: Node) -> None:
    """Bind what holds in the block after a condition, or, where it is negated and the block leaves, after the block."""
    around = condition.parent
    block = around.child_by_field_name("consequence") if around is not None else None
    if block is None:
        return
    for name, kind in _claims(builder, condition, positive=True):
        builder.bind(name, None, kind, since=block.start_byte, until=block.end_byte, scoped=True)
    if around is not None and around.type == "if_statement" and _leaves(block):
        for name, kind in _claims(builder, condition, positive=False):
            builder.bind(name, None, kind, since=around.end_byte, scoped=True)


def narrow_after(builder: Builder, condition: Node, since: int) -> None:
    """Bind what holds from a byte on because a condition was asserted."""
    for name, kind in _claims(builder, condition, positive=True):
        builder.bind(name, None, kind, since=since, scoped=True)


def _claims(builder: Builder, node: Node, *, positive: bool) -> Iterator[tuple[str, Expr]]:
    """Yield the names and types that must hold where the condition is true (`positive`) or where it is false."""
    kind = node.type
    if kind == "parenthesized_expression":
        yield from _claims(builder, node.named_children[0], positive=positive)
    elif kind == "not_operator":
        yield from _claims(builder, node.named_children[0], positive=not positive)
    elif kind == "boolean_operator":
        word = node.children[1].type
        if word == ("and" if positive else "or"):
            for child in node.named_children:
                yield from _claims(builder, child, positive=positive)
    elif kind == "call" and positive:
        function = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        if (
            function is None
            or arguments is None
            or function.text != b"isinstance"
            or len(arguments.named_children) != 2
        ):
            return
        subject, classes = arguments.named_children
        named = _classes(builder, classes)
        if named is not None and subject.type in ("identifier", "attribute"):
            yield text(subject), named


def _classes(builder: Builder, node: Node) -> Expr | None:
    if node.type == "tuple":
        options = tuple(one for one in map(builder.expr, node.named_children) if one is not None)
        return OneOf(options) if options else None
    found = builder.expr(node)
    return None if isinstance(found, Literal) else found


def _leaves(block: Node) -> bool:
    """Tell whether a block always leaves what stands around it."""
    last = block.named_children[-1] if block.named_children else None
    return last is not None and last.type in (
        "return_statement",
        "raise_statement",
        "continue_statement",
        "break_statement",
    )
