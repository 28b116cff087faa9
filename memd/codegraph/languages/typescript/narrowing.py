"""Narrowing: what a condition says of the type of a name."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from memd.codegraph.builder import Builder, first, text
from memd.codegraph.facts import CLAIM, Attr, Expr, Instance
from memd.codegraph.languages.typescript.frames import at, state_of


def condition(builder: Builder, node: Node) -> None:
    """An `if`: what its condition says holds in its block, or, where it says the opposite and leaves, after it."""
    at(builder, node)
    test, block = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if test is None or block is None:
        return
    for name, kind in _claims(builder, test, positive=True):
        _bind(builder, name, kind, block.start_byte, block.end_byte)
    if node.child_by_field_name("alternative") is None and _leaves(block):
        for name, kind in _claims(builder, test, positive=False):
            _bind(builder, name, kind, node.end_byte, state_of(builder).frames[-1].end)


def choice(builder: Builder, node: Node) -> None:
    """`x instanceof T ? a : b`."""
    at(builder, node)
    test, then = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    if test is not None and then is not None:
        for name, kind in _claims(builder, test, positive=True):
            _bind(builder, name, kind, then.start_byte, then.end_byte)


def both(builder: Builder, node: Node) -> None:
    """`x instanceof T && y`."""
    at(builder, node)
    operator = node.child_by_field_name("operator")
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    if operator is not None and operator.type == "&&" and left is not None and right is not None:
        for name, kind in _claims(builder, left, positive=True):
            _bind(builder, name, kind, right.start_byte, right.end_byte)


def _bind(builder: Builder, name: str, kind: Expr, since: int, until: int) -> None:
    for frame in reversed(state_of(builder).frames):
        if name in frame.declared:
            if frame.owner == builder.scope:
                builder.bind(
                    name,
                    kind,
                    since=since,
                    until=min(until, frame.end, len(builder.source) + 1),
                    owner=frame.owner,
                    scoped=True,
                )
            return


def _claims(builder: Builder, node: Node, *, positive: bool) -> Iterator[tuple[str, Expr]]:
    """Yield names and what they must be where the condition is true (`positive`) or where it is false."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = first(node)
        if inner is not None:
            yield from _claims(builder, inner, positive=positive)
    elif kind == "unary_expression":
        argument = node.child_by_field_name("argument")
        if argument is not None and node.children[0].type == "!":
            yield from _claims(builder, argument, positive=not positive)
    elif kind == "binary_expression":
        operator = node.child_by_field_name("operator")
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator is None or left is None or right is None:
            return
        if operator.type == ("&&" if positive else "||"):
            yield from _claims(builder, left, positive=positive)
            yield from _claims(builder, right, positive=positive)
        elif operator.type == "instanceof" and positive and left.type == "identifier":
            named = builder.expr(right)
            if named is not None:
                yield text(left), Instance(named)
    elif kind == "call_expression" and positive:
        given = node.child_by_field_name("arguments")
        subject = first(given) if given is not None else None
        callee = builder.expr(node.child_by_field_name("function"))
        if subject is not None and subject.type == "identifier" and callee is not None:
            yield text(subject), Attr(callee, CLAIM)


def _leaves(block: Node) -> bool:
    """Tell whether a statement always leaves what stands around it."""
    if block.type == "statement_block":
        inner = block.named_children
        if not inner:
            return False
        block = inner[-1]
    return block.type in ("return_statement", "throw_statement", "continue_statement", "break_statement")
