"""Definitions: functions, classes and lambdas of Python, with their parameters and decorators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, first, one_line, text
from memd.codegraph.facts import Expr, Flag, Index, Literal, Name, This
from memd.codegraph.languages.python.annotations import annotation
from memd.codegraph.languages.python.nodes import field, last_word, unquoted

# Decorators that change what reading or calling the name gives. Only the last word of theirs is looked at.
_DECORATORS: Final = {
    "staticmethod": Flag.STATIC,
    "classmethod": Flag.CLASSMETHOD,
    "property": Flag.PROPERTY,
    "cached_property": Flag.PROPERTY,
    "setter": Flag.PROPERTY,
    "getter": Flag.PROPERTY,
    "deleter": Flag.PROPERTY,
    "abstractproperty": Flag.PROPERTY,
    "contextmanager": Flag.CONTEXT,
    "asynccontextmanager": Flag.CONTEXT,
    "overload": Flag.OVERLOAD,
    "abstractmethod": Flag.ABSTRACT,
}


def function(builder: Builder, node: Node) -> None:
    """A `def`: a method where it stands in a class; the decorators around it have been seen by the scope outside."""
    around = builder.scope
    in_class = around >= 0 and builder.symbols[around].kind == "class"
    name = text(field(node, "name"))
    decorators = tuple(_decorators(builder, node))
    flags = Flag.NONE
    for decorator in decorators:
        flags |= _DECORATORS.get(last_word(decorator), Flag.NONE)
    if node.children[0].type == "async":
        flags |= Flag.ASYNC
    if name in ("__init_subclass__", "__class_getitem__", "__new__"):
        flags |= Flag.CLASSMETHOD
    parameters = field(node, "parameters")
    returns = node.child_by_field_name("return_type")
    body = field(node, "body")
    index = builder.open(
        name,
        "method" if in_class else "function",
        node,
        flags=flags,
        returns=annotation(builder, returns),
        params=tuple(name for name, _, _ in parameters_of(parameters)),
        type_params=_type_params(node),
        decorators=decorators,
        signature=_signature(name, parameters, returns),
        doc=_docstring(body),
    )
    _bind_parameters(builder, parameters, index, around if in_class else None, flags)


def class_(builder: Builder, node: Node) -> None:
    """A `class`: its bases are looked up in it, which finds the same as outside of it."""
    arguments = node.child_by_field_name("superclasses")
    bases: list[Expr] = []
    for child in arguments.named_children if arguments is not None else ():
        if child.type not in ("keyword_argument", "comment"):
            base = builder.expr(child)
            if base is not None:
                bases.append(base)
    name = text(field(node, "name"))
    builder.open(
        name,
        "class",
        node,
        bases=tuple(bases),
        type_params=_type_params(node),
        decorators=tuple(_decorators(builder, node)),
        signature=one_line(f"class {name}{text(arguments) if arguments is not None else ''}", LONGEST_SIGNATURE),
        doc=_docstring(field(node, "body")),
    )


def lambda_(builder: Builder, node: Node) -> None:
    """A lambda is no symbol: its parameters hide names inside of it."""
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        for name, _, default in parameters_of(parameters):
            builder.bind(
                name.lstrip("*"),
                builder.expr(default),
                since=node.start_byte,
                until=node.end_byte,
                scoped=True,
            )


def _bind_parameters(builder: Builder, parameters: Node, index: int, around: int | None, flags: int) -> None:
    since = parameters.start_byte
    until = builder.symbols[index].end
    for place, (name, type_node, default) in enumerate(parameters_of(parameters)):
        if place == 0 and around is not None and not flags & Flag.STATIC and type_node is None and name[0] != "*":
            builder.bind(name, This(around, bool(flags & Flag.CLASSMETHOD)), since=since, until=until)
            continue
        declared = annotation(builder, type_node)
        if name.startswith("**"):
            declared = Index(Name("dict"), (None, declared))
        elif name.startswith("*"):
            declared = Index(Name("tuple"), (declared, Literal("...")))
        builder.bind(
            name.lstrip("*"), builder.expr(default) if default is not None else None, declared, since=since, until=until
        )


def parameters_of(parameters: Node) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Yield the name, annotation and default of each parameter; the name of a splat keeps its stars."""
    for child in parameters.named_children:
        kind = child.type
        if kind == "identifier":
            yield text(child), None, None
        elif kind == "typed_parameter":
            yield text(child.named_children[0]), child.child_by_field_name("type"), None
        elif kind in ("default_parameter", "typed_default_parameter"):
            yield text(field(child, "name")), child.child_by_field_name("type"), child.child_by_field_name("value")
        elif kind in ("list_splat_pattern", "dictionary_splat_pattern"):
            yield text(child), None, None


def _decorators(builder: Builder, node: Node) -> Iterator[Expr]:
    around = node.parent
    if around is not None and around.type == "decorated_definition":
        for child in around.children:
            if child.type == "decorator":
                found = builder.expr(child.named_children[0])
                if found is not None:
                    yield found


def _type_params(node: Node) -> tuple[str, ...]:
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return ()
    return tuple(text(child).partition(":")[0].strip("* ") for child in found.named_children)


def _signature(name: str, parameters: Node, returns: Node | None) -> str:
    tail = f" -> {text(returns)}" if returns is not None else ""
    return one_line(f"{name}{text(parameters)}{tail}", LONGEST_SIGNATURE)


def _docstring(body: Node) -> str:
    found = first(body)
    if found is None or found.type != "string":
        return ""
    words = unquoted(text(found)).strip()
    return one_line(words.partition("\n\n")[0], LONGEST_DOC)
