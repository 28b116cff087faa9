"""Modules: what files take from each other and give to each other."""

from __future__ import annotations

from tree_sitter import Node

from memd.codegraph.builder import Builder, first, text
from memd.codegraph.facts import EXPORTS, MODULE, Expr, Import, Name, Own
from memd.codegraph.languages.typescript.expressions import module_named, required
from memd.codegraph.languages.typescript.forms import key_of, whole
from memd.codegraph.languages.typescript.frames import at, state_of
from memd.codegraph.languages.typescript.literals import unwrapped
from memd.codegraph.languages.typescript.names import DEFAULT, Target, open_named, put
from memd.codegraph.languages.typescript.words import EXPORTED, KIND


def import_(builder: Builder, node: Node) -> None:
    """`import x, { y as z } from "m"`, `import * as m from "m"`, `import x = require("m")`."""
    at(builder, node)
    builder.extra[KIND] = "esm"
    source = node.child_by_field_name("source")
    clause = next((child for child in node.named_children if child.type.endswith("_clause")), None)
    if clause is not None and clause.type == "import_require_clause":
        source = clause.child_by_field_name("source")
        module = key_of(source)
        name = first(clause)
        if module and name is not None:
            _bind(builder, text(name), whole(module))
            builder.imported(node, module)
        return
    module = key_of(source)
    if not module:
        return
    names: list[str] = []
    for child in clause.named_children if clause is not None else ():
        if child.type == "identifier":
            names.append(DEFAULT)
            _bind(builder, text(child), Import(module, DEFAULT))
        elif child.type == "namespace_import":
            name = first(child)
            if name is not None:
                _bind(builder, text(name), Import(module))
        elif child.type == "named_imports":
            for one in child.named_children:
                name = one.child_by_field_name("name")
                other = one.child_by_field_name("alias")
                if name is not None:
                    word = key_of(name) or ""
                    names.append(word)
                    _bind(builder, text(other if other is not None else name), Import(module, word))
    builder.imported(node, module, names)


def _bind(builder: Builder, name: str, value: Expr) -> None:
    state_of(builder).frames[-1].declared.add(name)
    builder.bind(name, value, since=0, until=len(builder.source) + 1)


def import_alias(builder: Builder, node: Node) -> None:
    """`import X = N.M`."""
    at(builder, node)
    parts = node.named_children
    if len(parts) == 2:
        found = builder.expr(parts[1])
        if found is not None:
            _bind(builder, text(parts[0]), found)


def export(builder: Builder, node: Node) -> None:
    """Every form of `export`. What is declared is given by its name, as it is at the end of the file."""
    at(builder, node)
    if builder.scope != MODULE:
        return
    builder.extra[KIND] = "esm"
    module = key_of(node.child_by_field_name("source"))
    if module:
        _handed_on(builder, node, module)
        return
    is_default = any(child.type == "default" for child in node.children[:4])
    declaration = node.child_by_field_name("declaration")
    if declaration is not None:
        _decorated(builder, node, declaration)
        if declaration.type == "ambient_declaration":
            declaration = first(declaration) or declaration
        for name in _declared(declaration):
            _give(builder, DEFAULT if is_default else name, Name(name))
        return
    value = unwrapped(node.child_by_field_name("value"))
    if value is not None:
        index = open_named(builder, [Target(EXPORTED, EXPORTS, exported=True)], value)
        found = Own(index) if index is not None else builder.expr(value)
        put(builder, EXPORTS, DEFAULT, found, None, node.end_byte)
        return
    for child in node.named_children:
        if child.type == "export_clause":
            for name, other in _specifiers(child):
                _give(builder, other, Name(name))
        elif child.type == "identifier":  # export = x
            put(builder, EXPORTS, EXPORTED, Name(text(child)), None, len(builder.source))


def _decorated(builder: Builder, node: Node, declaration: Node) -> None:
    """Note what the decorators stand before that precede `export`."""
    for child in node.children:
        if child.type == "decorator":
            state_of(builder).decorates[child.id] = declaration


def _give(builder: Builder, name: str, value: Expr) -> None:
    put(builder, EXPORTS, name, value, None, len(builder.source))


def _specifiers(clause: Node) -> list[tuple[str, str]]:
    found = []
    for one in clause.named_children:
        name, other = one.child_by_field_name("name"), one.child_by_field_name("alias")
        if name is not None:
            word = key_of(name) or ""
            found.append((word, (key_of(other) or word) if other is not None else word))
    return found


def _handed_on(builder: Builder, node: Node, module: str) -> None:
    """`export { a as b } from "m"`, `export * from "m"`, `export * as n from "m"`."""
    names: list[str] = []
    star = True
    for child in node.named_children:
        if child.type == "export_clause":
            star = False
            for name, other in _specifiers(child):
                names.append(name)
                _give(builder, other, Import(module, name))
        elif child.type == "namespace_export":
            star = False
            name_node = first(child)
            if name_node is not None:
                _give(builder, key_of(name_node) or "", Import(module))
    if star:
        builder.stars.append(module)
    builder.imported(node, module, names, star=star)


def _declared(node: Node) -> list[str]:
    """Return the names that a declaration binds."""
    name = node.child_by_field_name("name")
    if name is not None:
        return [text(name).partition(".")[0]]
    found: list[str] = []
    for child in node.named_children:
        if child.type == "variable_declarator":
            target = child.child_by_field_name("name")
            if target is not None:
                found.extend(_names_in(target))
        elif child.type == "internal_module":
            found.extend(_declared(child))
    return found


def _names_in(pattern: Node) -> list[str]:
    if pattern.type in ("identifier", "shorthand_property_identifier_pattern"):
        return [text(pattern)]
    if pattern.type == "pair_pattern":
        value = pattern.child_by_field_name("value")
        return _names_in(value) if value is not None else []
    if pattern.type in ("assignment_pattern", "object_assignment_pattern"):
        left = pattern.child_by_field_name("left")
        return _names_in(left) if left is not None else []
    return [name for child in pattern.named_children for name in _names_in(child)]


def loaded(builder: Builder, node: Node) -> bool:
    """Note `require("m")` and `import("m")`; tell whether a call is one."""
    called = node.child_by_field_name("function")
    if called is None:
        return False
    module = module_named(node.child_by_field_name("arguments")) if called.type == "import" else required(builder, node)
    if module is not None:
        if called.type != "import":
            builder.extra.setdefault(KIND, "cjs")
        builder.imported(node, module)
        return True
    return called.type == "import"
