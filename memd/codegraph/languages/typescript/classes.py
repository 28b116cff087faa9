"""Classes and the other types that TypeScript defines."""

from __future__ import annotations

from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_SIGNATURE, Builder, first, one_line, text
from memd.codegraph.facts import Expr, Flag, Index, Instance, Own, This
from memd.codegraph.languages.typescript.forms import key_of, one_of, type_params, with_arguments
from memd.codegraph.languages.typescript.frames import Frame, State, at, declare, state_of
from memd.codegraph.languages.typescript.functions import describe, enter
from memd.codegraph.languages.typescript.jsdoc import doc_before
from memd.codegraph.languages.typescript.literals import method_flags, named_value, uncertain, unwrapped
from memd.codegraph.languages.typescript.types import (
    anonymous_members,
    arguments_of,
    bounds,
    members,
    method_signature,
    parts_of,
    type_expr,
)
from memd.codegraph.languages.typescript.words import WRAPPERS

_SIGNATURES: Final = frozenset(("method_signature", "abstract_method_signature"))


def class_(builder: Builder, node: Node) -> None:
    """A class, declared or as a value; one that nothing names is no node, nor are its members."""
    state = at(builder, node)
    if node.id in state.entered:
        return
    index = state.opened.get(node.id)
    name = node.child_by_field_name("name")
    if index is None:
        named = node.type != "class" and name is not None
        index = builder.open(text(name) if named and name is not None else "", "class", node, enter=False, bound=False)
        state.opened[node.id] = index
        if named and name is not None:
            declare(builder, text(name), Own(index), None, node.start_byte, early=True)
    bases = _bases(builder, node)
    doc = doc_before(builder, node)
    if doc is not None and doc.extends is not None and isinstance(doc.extends, Index) and bases:
        bases[0] = Index(bases[0], doc.extends.args)
    builder.change(
        index,
        bases=tuple(bases),
        type_params=type_params(node) or (tuple(doc.templates) if doc is not None else ()),
        bounds=bounds(builder, node),
        signature=one_line(text(node).partition("{")[0], LONGEST_SIGNATURE),
    )
    builder.enter(index)
    state.frames.append(
        Frame(node.start_byte, node.end_byte, index, function=True, root=True, this=This(index), own_this=True)
    )
    body = node.child_by_field_name("body")
    if body is not None:
        _expect_members(builder, state, body, index)


def _bases(builder: Builder, node: Node) -> list[Expr]:
    found: list[Expr | None] = []
    for heritage in node.children:
        if heritage.type != "class_heritage":
            continue
        for clause in heritage.named_children:
            if clause.type == "extends_clause":
                value = builder.expr(clause.child_by_field_name("value"))
                found.append(with_arguments(value, arguments_of(builder, clause)))
            elif clause.type == "implements_clause":
                found.extend(type_expr(builder, child) for child in clause.named_children)
            else:
                found.append(builder.expr(clause))
    return [one for one in found if one is not None]


def _expect_members(builder: Builder, state: State, body: Node, index: int) -> None:
    decorators: list[Node] = []
    for child in body.named_children:
        kind = child.type
        if kind == "decorator":
            decorators.append(child)
            continue
        if kind == "method_definition":
            state.members[child.id] = index
            for decorator in decorators:
                state.decorates[decorator.id] = child
        elif kind in _SIGNATURES:
            name = key_of(child.child_by_field_name("name"))
            if name is not None:
                method_signature(builder, child, name, index)
        decorators = []


def method(builder: Builder, node: Node) -> None:
    """A method of a class or of an object literal."""
    state = at(builder, node)
    if node.id in state.entered:
        return
    owner = state.members.get(node.id)
    index = state.opened.get(node.id)
    flags = method_flags(node)
    if index is None and owner is not None:
        name = key_of(node.child_by_field_name("name"))
        if name is not None:
            index = builder.open(name, "method", node, parent=owner, enter=False, flags=flags)
            state.opened[node.id] = index
    if index is not None:
        owner = builder.symbols[index].parent
        describe(builder, index, node)
    else:
        owner = state.within.get(node.id, owner)
    this = This(owner, bool(flags & Flag.STATIC)) if owner is not None and owner >= 0 else None
    enter(builder, node, index, this)


def decorator(builder: Builder, node: Node) -> None:
    """A decorator: what it calls belongs to what it decorates."""
    state = state_of(builder)
    decorated = state.decorates.get(node.id)
    if decorated is not None and decorated.id not in state.entered:
        (method if decorated.type == "method_definition" else class_)(builder, decorated)
        state.entered.add(decorated.id)


def field(builder: Builder, node: Node) -> None:
    """A field of a class."""
    at(builder, node)
    owner = builder.enclosing("class")
    name = key_of(node.child_by_field_name("name") or node.child_by_field_name("property"))
    if owner is None or name is None:
        return
    declared = type_expr(builder, node.child_by_field_name("type"))
    value = unwrapped(node.child_by_field_name("value"))
    if value is not None:
        index = named_value(builder, value, name, owner)
        if index is not None and builder.symbols[index].kind != "object":
            builder.bind(name, Own(index), since=node.start_byte, owner=owner)
            return
    if declared is None:
        doc = doc_before(builder, node)
        declared = doc.type if doc is not None else None
    found = uncertain(builder.expr(node.child_by_field_name("value")))
    builder.bind(name, found, declared, since=node.end_byte, owner=owner, scope=owner)


# --- TypeScript's own -------------------------------------------------------------------------------------------


def interface(builder: Builder, node: Node) -> None:
    """`interface I extends J { ... }`."""
    at(builder, node)
    name = node.child_by_field_name("name")
    body = node.child_by_field_name("body")
    if name is None:
        return
    index = builder.open(text(name), "interface", node, enter=False, bound=False, type_params=type_params(node))
    declare(builder, text(name), Own(index), None, node.start_byte, early=True)
    bases: list[Expr | None] = []
    for child in node.named_children:
        if child.type == "extends_type_clause":
            bases.extend(type_expr(builder, one) for one in child.named_children)
    builder.change(index, bases=tuple(one for one in bases if one is not None), bounds=bounds(builder, node))
    if body is not None:
        members(builder, body, index)


def alias(builder: Builder, node: Node) -> None:
    """`type T = ...`: another name of a type, or a type of its own where it is a type literal."""
    at(builder, node)
    name = node.child_by_field_name("name")
    value = node.child_by_field_name("value")
    if name is None or value is None:
        return
    index = builder.open(text(name), "alias", node, enter=False, bound=False, type_params=type_params(node))
    declare(builder, text(name), Own(index), None, node.start_byte, early=True)
    while value is not None and value.type in ("parenthesized_type", "readonly_type"):
        value = first(value)
    if value is None:
        return
    written = [(part, _literal_of(part)) for part in parts_of(value)]
    literals = [literal for _, literal in written if literal is not None]
    others = [type_expr(builder, part) for part, literal in written if literal is None]
    if literals:
        for literal in literals:
            anonymous_members(builder, literal, index)
        builder.change(index, bases=tuple(one for one in others if one is not None))
    else:
        found = one_of(others)
        builder.change(index, returns=found, bounds=bounds(builder, node))


def _literal_of(node: Node) -> Node | None:
    """Return the type literal that a type is, also in types that mean the members of another (`Readonly<{...}>`)."""
    found: Node | None = node
    while found is not None and found.type in ("generic_type", "parenthesized_type", "readonly_type"):
        name, given = found.child_by_field_name("name"), found.child_by_field_name("type_arguments")
        if found.type != "generic_type":
            found = first(found)
        elif name is not None and given is not None and text(name) in WRAPPERS:
            found = first(given)
        else:
            return None
    return found if found is not None and found.type == "object_type" and not _maps(found) else None


def _maps(node: Node) -> bool:
    """Tell whether a type literal maps keys to a type."""
    inner = first(node)
    return (
        inner is not None
        and inner.type == "index_signature"
        and any(child.type == "mapped_type_clause" for child in inner.named_children)
    )


def enum(builder: Builder, node: Node) -> None:
    """`enum E { A, B = 1 }`: its members are its instances."""
    at(builder, node)
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if name is None:
        return
    index = builder.open(text(name), "enum", node, enter=False, bound=False)
    declare(builder, text(name), Own(index), None, node.start_byte, early=True)
    for child in body.named_children if body is not None else ():
        key = key_of(child.child_by_field_name("name") if child.type == "enum_assignment" else child)
        if key is not None and child.type != "comment":
            builder.bind(key, Instance(Own(index)), since=child.start_byte, owner=index)


def namespace(builder: Builder, node: Node) -> None:
    """`namespace N { ... }`; what is in a `declare module "x"` belongs to the file."""
    state = at(builder, node)
    name = node.child_by_field_name("name")
    if name is None or name.type == "string":
        return
    for word in text(name).split("."):
        known = state.holders.get((state.frames[-1].owner, word))
        index = builder.open(word, "namespace", node, enter=False, bound=False)
        declare(builder, word, Own(index), None, node.start_byte, early=True)
        if known is not None:
            state.holders[state.frames[-1].owner, word] = known
        builder.enter(index)
        state.frames.append(Frame(node.start_byte, node.end_byte, index, function=True, root=True, own_this=True))
