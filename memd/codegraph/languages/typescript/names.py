"""Names: what functions, classes and objects are called that stand as values.

A variable, a field, a member or the target of an assignment gives them their name. In `a = b = function`, the leftmost
target counts that is not an export.
"""

from __future__ import annotations

from typing import NamedTuple

from tree_sitter import Node

from memd.codegraph.builder import Builder, text
from memd.codegraph.facts import EXPORTS, MEMBERS, MODULE, Expr, Name, OneOf, Own, This
from memd.codegraph.languages.typescript.frames import State, function_frame, outside_functions, state_of, this_frame
from memd.codegraph.languages.typescript.literals import NAMEABLE, named_value, unwrapped
from memd.codegraph.languages.typescript.words import EXPORTED

DEFAULT = "default"


class Target(NamedTuple):
    """Where a value is put: a `name`, in a symbol (`owner`) where it is a member; what is `exported` under a name."""

    name: str
    owner: int | None = None
    exported: bool = False
    plain: bool = False
    """Whether it is a variable, no member."""
    declared: bool = False
    """Whether it is declared here, too."""
    prototype: bool = False
    """Whether it is a member of what a function makes: that names it in functions too."""


def chain(node: Node) -> tuple[list[Node], Node | None]:
    """Return the targets of `a = b = c`, leftmost first, and the value."""
    targets: list[Node] = []
    value: Node | None = node
    while value is not None and value.type == "assignment_expression":
        left = value.child_by_field_name("left")
        if left is not None:
            targets.append(left)
        value = unwrapped(value.child_by_field_name("right"))
    return targets, value


def target_of(builder: Builder, node: Node, value: Node | None = None) -> Target | None:
    """Return where an assignment puts its value, None where that is nothing with a name that can be followed."""
    state = state_of(builder)
    if node.type == "identifier":
        words = text(node)
        if words == "exports" and not _is_declared(state, words):
            return Target(EXPORTED, EXPORTS, exported=True)
        return Target(words, plain=True)
    if node.type != "member_expression":
        return None
    base, name_node = node.child_by_field_name("object"), node.child_by_field_name("property")
    if base is None or name_node is None:
        return None
    name = text(name_node)
    if base.type == "identifier" and base.text == b"module" and name == "exports":
        return Target(EXPORTED, EXPORTS, exported=True)
    if _is_exports(state, base):
        return Target(name, EXPORTS, exported=True)
    if base.type == "this":
        owner = own_type(builder)
        return Target(name, owner) if owner is not None else None
    owner = holder(builder, base, make=value is not None and value.type in NAMEABLE)
    return Target(name, owner, prototype=_is_prototype(base)) if owner is not None else None


def _is_prototype(node: Node) -> bool:
    name = node.child_by_field_name("property") if node.type == "member_expression" else None
    return name is not None and name.text == b"prototype"


def _is_declared(state: State, name: str) -> bool:
    return any(name in frame.declared for frame in state.frames)


def _is_exports(state: State, node: Node) -> bool:
    words = text(node)
    return words == "module.exports" or (words == "exports" and not _is_declared(state, words))


def own_type(builder: Builder) -> int | None:
    """Return the type that `this` is an instance of."""
    state = state_of(builder)
    frame = this_frame(state)
    if frame.this is None and frame.result is not None and frame.own_this:
        frame.this = This(companion(builder, frame.result))
    return frame.this.symbol if isinstance(frame.this, This) else None


def companion(builder: Builder, function: int) -> int:
    """Return the symbol that holds the members of a function and of the instances that it makes."""
    state = state_of(builder)
    found = state.companions.get(function)
    if found is None:
        symbol = builder.symbols[function]
        found = builder.add(
            symbol.name, "object", parent=symbol.parent, line=symbol.line, start=symbol.start, end=symbol.end
        )
        state.companions[function] = found
        builder.bind(MEMBERS, Own(found), since=symbol.start, until=symbol.end, owner=function)
    return found


def holder(builder: Builder, node: Node, *, make: bool = False) -> int | None:
    """Return the symbol that holds the members of what an expression names, in the file itself.

    Where there is none, it may be made for a member that is a symbol: `app.init = function`.
    """
    if node.type == "member_expression":
        base, name = node.child_by_field_name("object"), node.child_by_field_name("property")
        if base is None or name is None:
            return None
        if name.text == b"prototype":
            found = holder(builder, base, make=make)
            known = found is not None or not make or base.type != "identifier"
            return found if known else _made(builder, MODULE, text(base), base.start_byte)
        state = state_of(builder)
        if _is_exports(state, base):
            owner: int | None = EXPORTS
        elif base.type == "this":
            owner = own_type(builder)
        else:
            owner = holder(builder, base, make=make)
        return _held(builder, owner, text(name), make=make) if owner is not None else None
    if node.type == "identifier":
        return _held_by_name(builder, text(node), node.start_byte, make=make)
    return None


def _held_by_name(builder: Builder, name: str, since: int, *, make: bool) -> int | None:
    state = state_of(builder)
    for frame in reversed(state.frames):
        if name in frame.declared:
            found = _held(builder, frame.owner, name, make=False)
            if found is None and make and frame.owner == MODULE and outside_functions(state):
                found = _made(builder, MODULE, name, since)
            return found
    if outside_functions(state) and name not in _GLOBALS:
        return _held(builder, MODULE, name, make=make)
    return None


_GLOBALS = frozenset(("module", "exports"))


def _held(builder: Builder, owner: int, name: str, *, make: bool = False) -> int | None:
    """Return the symbol of a member of a scope or type that can hold members; where there is none, it may be made."""
    index = state_of(builder).holders.get((owner, name))
    if index is not None:
        kind = builder.symbols[index].kind
        if kind in ("function", "method"):
            return companion(builder, index)
        return index if kind in ("class", "object", "namespace") else None
    if make and owner != EXPORTS and outside_functions(state_of(builder)):
        return _made(builder, owner, name)
    return None


def _made(builder: Builder, owner: int, name: str, since: int | None = None) -> int:
    """Make a symbol for the members that something gets here; what it was before, it stays."""
    index = builder.add(name, "object", parent=owner, line=1, start=0, end=0)
    value: Expr = Own(index) if since is None else OneOf((Own(index), Name(name)))
    builder.bind(name, value, since=since or 0, until=len(builder.source) + 1, owner=owner)
    state_of(builder).holders[owner, name] = index
    return index


def open_named(builder: Builder, targets: list[Target | None], value: Node) -> int | None:
    """Open the symbol of a function, class or object by the targets it is assigned to; None where it gets no name."""
    if value.type not in NAMEABLE:
        return None
    state = state_of(builder)
    opened = state.opened.get(value.id)
    if opened is not None:
        return opened
    known = [target for target in targets if target is not None]
    if not known:
        return None
    best = next((target for target in known if not target.exported), known[0])
    name, parent = best.name, best.owner
    if best.exported:
        parent = MODULE
        if name == EXPORTED:
            own = value.child_by_field_name("name")
            name = text(own) if own is not None else DEFAULT
    elif best.plain:
        if not best.declared and not outside_functions(state):
            return None
        parent = builder.scope
    elif not best.prototype and not _may_name(builder, state, parent):
        return None
    if not outside_functions(state) and best.exported and value.type != "class":
        parent = MODULE
    assert parent is not None
    return named_value(builder, value, name, parent, "function" if best.plain else "method")


def _may_name(builder: Builder, state: State, parent: int | None) -> bool:
    """Tell whether what is assigned to a member is named by it: outside of functions, or `this.m` directly in one."""
    if outside_functions(state):
        return True
    frame = function_frame(state)
    this = frame.this
    return frame.own_this and frame.root and isinstance(this, This) and this.symbol == parent


def value_of(builder: Builder, targets: list[Target | None], value: Node | None) -> Expr | None:
    """Return what is assigned, its symbol opened by the name that it gets."""
    if value is None:
        return None
    index = open_named(builder, targets, value)
    return Own(index) if index is not None else builder.expr(value)


def put(builder: Builder, owner: int, name: str, value: Expr | None, declared: Expr | None, since: int) -> None:
    """Bind a member of a type, or what a module gives to others."""
    if value is None and declared is None:
        return
    if isinstance(value, Own):
        state_of(builder).holders.setdefault((owner, name), value.symbol)
    builder.bind(name, value, declared, since=since, until=since if owner == EXPORTS else None, owner=owner)
