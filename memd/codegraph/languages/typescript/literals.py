"""Literals: functions and objects where they stand as values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import DEEPEST, Builder, first, text
from memd.codegraph.facts import MODULE, Expr, Flag, Literal, Name, OneOf, Own, Within
from memd.codegraph.languages.typescript.forms import key_of, one_of
from memd.codegraph.languages.typescript.frames import Frame, state_of

FUNCTIONS: Final = frozenset(("arrow_function", "function_expression", "generator_function"))
"""Nodes of functions that are values."""
NAMEABLE: Final = FUNCTIONS | {"class", "object"}
"""Nodes that get a name from what they are assigned to."""
_WRAPPERS: Final = frozenset(
    ("parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion")
)


def unwrapped(node: Node | None) -> Node | None:
    """Return an expression without what only says more of its type: parentheses, `as`, `satisfies`, `!`."""
    while node is not None and node.type in _WRAPPERS:
        inner = [child for child in node.named_children if child.type != "comment"]
        node = (inner[-1] if node.type == "type_assertion" else inner[0]) if inner else None
    return node


def uncertain(expr: Expr | None) -> Expr | None:
    """Return a value that is one of what could be there: a function in it is no longer known to be the one."""
    if expr is None or isinstance(expr, Own | Literal):
        return expr
    if isinstance(expr, OneOf):
        return OneOf(expr.options, True)
    return OneOf((expr,), True)


# --- functions --------------------------------------------------------------------------------------------------


def is_async(node: Node) -> bool:
    """Tell whether a function is declared `async`."""
    return any(child.type == "async" for child in node.children[:4])


def function_value(builder: Builder, node: Node) -> Expr:
    """Return what a function is as a value: the symbol that it was made, else what calling it gives."""
    index = state_of(builder).opened.get(node.id)
    if index is not None:
        return Own(index)
    results: list[Expr | None] = []
    frames = state_of(builder).frames
    if node.type != "arrow_function":  # it has a `this` of its own
        frames.append(Frame(node.start_byte, node.end_byte, builder.scope, own_this=True))
    for result in results_of(node):
        found = builder.expr(result)
        if found is not None:
            results.append(Within(found, result.start_byte))
    if node.type != "arrow_function":
        frames.pop()
    given = one_of(results)
    if given is not None and is_async(node):
        given = Literal("Promise", (given,))
    return Literal("function", (given,))


def results_of(node: Node) -> Iterator[Node]:
    """Yield what a function gives: its expression, or what its `return` statements return."""
    body = node.child_by_field_name("body")
    if body is None:
        return
    if body.type != "statement_block":
        found = unwrapped(body)
        if found is not None:
            yield found
        return
    waiting = [body]
    seen = 0
    while waiting and seen < _MOST_SEEN:
        one = waiting.pop()
        for child in one.named_children:
            seen += 1
            kind = child.type
            if kind == "return_statement":
                value = unwrapped(first(child))
                if value is not None:
                    yield value
            elif kind in _HOLDING_STATEMENTS:
                waiting.append(child)


_MOST_SEEN: Final = 200
_HOLDING_STATEMENTS: Final = frozenset(
    "statement_block if_statement else_clause for_statement for_in_statement while_statement do_statement try_statement"
    " catch_clause finally_clause switch_statement switch_body switch_case switch_default labeled_statement".split()
)


# --- objects ----------------------------------------------------------------------------------------------------


def object_symbol(builder: Builder, node: Node, name: str = "", parent: int | None = None) -> int:
    """Return the symbol that an object literal is; its members are bound, its functions open when they are come to.

    An object is no node of the graph. Its members are nodes where it has a name.
    """
    state = state_of(builder)
    index = state.opened.get(node.id)
    if index is not None:
        return index
    index = builder.open(name, "object", node, parent=parent, enter=False, bound=False)
    state.opened[node.id] = index
    fill(builder, node, index)
    return index


def fill(builder: Builder, node: Node, index: int) -> None:
    """Bind the members of an object literal to a symbol."""
    state = state_of(builder)
    state.opened[node.id] = index
    if state.depth > DEEPEST:
        return
    state.depth += 1
    spread: list[Expr] = []
    for child in node.named_children:
        kind = child.type
        if kind == "pair":
            _pair(builder, child, index)
        elif kind == "shorthand_property_identifier":
            words = text(child)
            builder.bind(words, Name(words), since=child.end_byte, owner=index)
        elif kind == "method_definition":
            _method(builder, child, index)
        elif kind == "spread_element":
            found = builder.expr(first(child))
            if found is not None:
                spread.append(found)
    if spread:
        builder.change(index, bases=(*builder.symbols[index].bases, *spread))
    state.depth -= 1


def _pair(builder: Builder, pair: Node, owner: int) -> None:
    key = key_of(pair.child_by_field_name("key"))
    value = unwrapped(pair.child_by_field_name("value"))
    if key is None or value is None:
        return
    named = bool(builder.symbols[owner].name) or value.type == "object"
    opened = named_value(builder, value, key, owner) if named else None
    if opened is None and value.type in FUNCTIONS:
        state_of(builder).within[value.id] = owner
    found = Own(opened) if opened is not None else builder.expr(value)
    if found is not None:
        builder.bind(key, found, since=pair.end_byte, owner=owner)


def _method(builder: Builder, node: Node, owner: int) -> None:
    key = key_of(node.child_by_field_name("name"))
    if key is None:
        return
    state = state_of(builder)
    if not builder.symbols[owner].name:
        state.within[node.id] = owner
        builder.bind(key, function_value(builder, node), since=node.start_byte, owner=owner)
        return
    index = builder.open(key, "method", node, parent=owner, enter=False, flags=method_flags(node))
    state.opened[node.id] = index


def named_value(builder: Builder, value: Node, name: str, parent: int, kind: str = "method") -> int | None:
    """Open the symbol of a function, class or object that its surroundings name; None for any other value."""
    if value.type == "object":
        return object_symbol(builder, value, name, parent)
    if value.type not in NAMEABLE:
        return None
    state = state_of(builder)
    index = state.opened.get(value.id)
    if index is None:
        symbol = "class" if value.type == "class" else ("function" if parent == MODULE else kind)
        index = builder.open(
            name,
            symbol,  # type: ignore[arg-type]  # one of the kinds
            value,
            parent=parent,
            enter=False,
            bound=False,
            flags=function_flags(value),
            around=builder.scope if builder.scope != parent else None,
        )
        state.opened[value.id] = index
    return index


def function_flags(node: Node) -> int:
    """Return what the words before a function say of it."""
    flags = Flag.NONE
    for child in node.children[:6]:
        kind = child.type
        if kind == "async" and node.child_by_field_name("return_type") is None:
            flags |= Flag.ASYNC
        elif kind == "*":
            flags |= Flag.GENERATOR
    return flags


def method_flags(node: Node) -> int:
    """Return what the words before a method say of it."""
    flags = function_flags(node)
    for child in node.children[:6]:
        kind = child.type
        if kind in ("get", "set"):
            flags |= Flag.PROPERTY
        elif kind == "static":
            flags |= Flag.STATIC
    return flags
