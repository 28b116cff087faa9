"""Frames: the functions and blocks that a place in a JavaScript or TypeScript file stands in.

Functions without a name are no symbols: what is declared in them belongs to the symbol around them and is seen only in
their span, like the variables of a block. A frame says so of each function and block while the file is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
from tree_sitter import Node

from memd.codegraph.builder import Builder
from memd.codegraph.facts import MODULE, Expr, Instance, OneOf, Own

_BEYOND = 1 << 60


@dataclass(slots=True)
class Frame:
    """A function or block. `owner` is the symbol that what is declared in it belongs to.

    `root` frames are the bodies of symbols, of namespaces and of the file: their names live as long as the symbol.
    `result` is the symbol that `return` belongs to, None in a function without a name.
    """

    start: int
    end: int
    owner: int
    function: bool = False
    root: bool = False
    this: Expr | None = None
    own_this: bool = False
    """Whether it has a `this` of its own; arrow functions and blocks have that of what is around them."""
    result: int | None = None
    declared: set[str] = field(default_factory=set)


@dataclass(slots=True)
class State:
    """What the handlers keep of one file while it is read."""

    frames: list[Frame] = field(default_factory=lambda: [Frame(0, _BEYOND, MODULE, function=True, root=True)])
    opened: dict[int, int] = field(default_factory=dict)
    """The symbol that a node was made, by the node's id."""
    docs: list[tuple[int, int]] = field(default_factory=list)
    """End and start of the comments that may say types; none where the language has types of its own."""
    depth: int = 0
    """How deep the type or the object is nested that is read just now."""
    read: dict[int, object] = field(default_factory=dict)
    """What such comments say, by their start, as far as they were asked for."""
    companions: dict[int, int] = field(default_factory=dict)
    """The class that stands for a function's instances and its own members, by the function."""
    bound: dict[tuple[int, str], int] = field(default_factory=dict)
    """The place of the binding of a name of a symbol's body, by both."""
    holders: dict[tuple[int, str], int] = field(default_factory=dict)
    """The symbol that a name of a scope or type is, by both: it may get members later."""
    members: dict[int, int] = field(default_factory=dict)
    """The class of a method's node, by the node's id."""
    within: dict[int, int] = field(default_factory=dict)
    """The object without a name that a function is a member of, by the id of the function's node."""
    decorates: dict[int, Node] = field(default_factory=dict)
    """The method that a decorator's node stands before, by the decorator's id."""
    entered: set[int] = field(default_factory=set)
    """The ids of the nodes of methods that were gone into already, for their decorators."""


def state_of(builder: Builder) -> State:
    """Return what is kept of the file that a builder reads."""
    found = builder.state
    if found is None:
        found = builder.state = State()
    assert isinstance(found, State)
    return found


def at(builder: Builder, node: Node) -> State:
    """Return the state with the frames left that end before a node."""
    state = state_of(builder)
    frames = state.frames
    start = node.start_byte
    while frames[-1].end <= start:
        frames.pop()
    return state


def function_frame(state: State) -> Frame:
    """Return the frame of the innermost function, that of the file where there is none."""
    for frame in reversed(state.frames):
        if frame.function:
            return frame
    return state.frames[0]


def this_frame(state: State) -> Frame:
    """Return the frame whose `this` holds."""
    for frame in reversed(state.frames):
        if frame.own_this:
            return frame
    return state.frames[0]


def declare(
    builder: Builder,
    name: str,
    value: Expr | None,
    declared: Expr | None,
    since: int,
    *,
    hoisted: bool = False,
    early: bool = False,
) -> None:
    """Bind a name where it is declared: `var` (hoisted) in the function, all others in the block.

    `early` names are known in the whole block: functions and types, and what is only run later.
    """
    state = state_of(builder)
    top = state.frames[-1]
    frame = function_frame(state) if hoisted else top
    frame.declared.add(name)
    if isinstance(value, Own) and frame.root:
        state.holders[frame.owner, name] = value.symbol
    if frame.root:
        _merge(builder, state, frame.owner, name, value)
        value, declared = _merged(builder, state, frame.owner, name, value, declared)
        state.bound[frame.owner, name] = len(builder.bindings)
    if early:
        since = frame.start
    if frame.root:
        until = None if early or frame is top else top.end
        builder.bind(
            name,
            value,
            declared,
            since=since,
            until=frame.end if until is None else until,
            owner=frame.owner,
            scope=builder.scope,
        )
    else:
        builder.bind(
            name, value, declared, since=since, until=frame.end, owner=frame.owner, scope=builder.scope, scoped=True
        )


def _type_only(builder: Builder, value: Expr | None) -> bool:
    return isinstance(value, Own) and builder.symbols[value.symbol].kind in ("interface", "alias")


def _merge(builder: Builder, state: State, owner: int, name: str, value: Expr | None) -> None:
    """Add a type to the value of the same name that was declared before it: each name can be both."""
    place = state.bound.get((owner, name))
    if place is None or not _type_only(builder, value):
        return
    before = builder.bindings[place]
    if not _type_only(builder, before.value):
        both = _both(before.value, before.type, value)
        builder.bindings[place] = msgspec.structs.replace(before, value=both, type=None)


def _merged(
    builder: Builder, state: State, owner: int, name: str, value: Expr | None, declared: Expr | None
) -> tuple[Expr | None, Expr | None]:
    """Return a value with the type of the same name that was declared before it."""
    place = state.bound.get((owner, name))
    if place is None:
        return value, declared
    before = builder.bindings[place]
    if isinstance(value, Own) and before.type is None and before.value is not None:
        several = before.value.options if isinstance(before.value, OneOf) else (before.value,)
        if all(isinstance(one, Own) for one in several):  # overloads, a class and a namespace, an interface in parts
            return OneOf((*several, value)), None
    if _type_only(builder, value) or not _type_only(builder, before.value):
        return value, declared
    return _both(value, declared, builder.bindings[place].value), None


def _both(value: Expr | None, declared: Expr | None, named: Expr | None) -> Expr:
    known = Instance(declared) if declared is not None else value
    return OneOf(tuple(one for one in (known, named) if one is not None))


def assign(builder: Builder, name: str, value: Expr | None, since: int) -> None:
    """Bind a name that was declared before to another value; one that nothing declares is nobody's."""
    state = state_of(builder)
    top = state.frames[-1]
    for frame in reversed(state.frames):
        if name in frame.declared:
            until = top.end if frame.root else frame.end
            builder.bind(
                name,
                value,
                since=since,
                until=until,
                owner=frame.owner,
                scope=builder.scope,
                scoped=not frame.root,
            )
            return


def outside_functions(state: State) -> bool:
    """Tell whether the current place is in no function at all."""
    return function_frame(state) is state.frames[0]
