"""What the nodes of a Java file mean.

Methods and variables of one name live side by side in Java, and methods are told apart by how many arguments they take.
So a method `m` of two parameters is bound, and asked for, as `m/2`; with variable arity under every number it can take.
An anonymous class is a symbol without a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, Handler, one_line, text
from memd.codegraph.facts import (
    ITSELF,
    VARIABLE,
    Attr,
    Call,
    Contextual,
    Element,
    Expr,
    Flag,
    Instance,
    Kind,
    Literal,
    Own,
)
from memd.codegraph.languages.java.expressions import (
    EXPRESSIONS,
    MOST_ARGUMENTS,
    MOST_TOLD,
    arity,
    callee,
    constructed,
    enclosing_type,
    listed,
    referred,
    simple,
)
from memd.codegraph.languages.java.types import array_of, type_expr

__all__ = ["EXPRESSIONS", "HANDLERS", "prepare"]

NEW: Final = "new"
"""Constructors are bound under this name: no method can have it."""

_KINDS: Final[dict[str, Kind]] = {
    "class_declaration": "class",
    "interface_declaration": "interface",
    "enum_declaration": "enum",
    "record_declaration": "class",
    "annotation_type_declaration": "annotation",
}
_MODIFIERS: Final = {b"static": Flag.STATIC, b"abstract": Flag.ABSTRACT, b"public": Flag.EXPORTED}


_ANNOTATED_DOTS: Final = re.compile(rb"@\w+(?:\.\w+)*(?=\s*\.\.\.)")


def prepare(source: bytes) -> bytes:
    """Blank out what the grammar cannot read: an annotation before the dots of `T @A ... all`."""
    if b"..." not in source:
        return source
    return _ANNOTATED_DOTS.sub(lambda found: b" " * len(found[0]), source)


# --- definitions ------------------------------------------------------------------------------------------------


def package(builder: Builder, node: Node) -> None:
    """`package a.b;`: the other files of it are seen without an import."""
    builder.extra["package"] = _dotted(node.named_children[-1])


def import_(builder: Builder, node: Node) -> None:
    """`import a.B;`, `import a.*;`, `import static a.B.c;`: the rules find what is meant, they know the packages."""
    path = next((child for child in node.named_children if child.type in ("scoped_identifier", "identifier")), None)
    if path is None:
        return
    dotted = _dotted(path)
    if node.named_children[-1].type == "asterisk":
        builder.imported(node, dotted, star=True)
        return
    module, _, name = dotted.rpartition(".")
    builder.imported(node, module, (name,))


def _dotted(node: Node) -> str:
    return "".join(text(node).split())


def type_(builder: Builder, node: Node) -> None:
    """A class, interface, enum, record or annotation type."""
    name = text(_field(node, "name"))
    bases = tuple(_bases(builder, node))
    index = builder.open(
        name,
        _KINDS[node.type],
        node,
        flags=_flags(node),
        bases=bases,
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    if node.type == "record_declaration":
        for name, declared, _ in _parameters(builder, node):
            component = name.removeprefix(VARIABLE)
            builder.bind(component, None, declared, since=node.start_byte, owner=index)
            accessor = Literal("function", (Instance(declared) if declared is not None else None,))
            builder.bind(f"{component}/0", accessor, since=node.start_byte, owner=index)


def _bases(builder: Builder, node: Node) -> Iterator[Expr]:
    for child in node.named_children:
        if child.type == "superclass":
            listed = child.named_children
        elif child.type in ("super_interfaces", "extends_interfaces"):
            listed = [one for types in child.named_children for one in types.named_children]
        else:
            continue
        for one in listed:
            found = type_expr(builder, one)
            if found is not None:
                yield found


def anonymous(builder: Builder, node: Node) -> None:
    """`new T() { ... }`: a class without a name that inherits from T. The arguments before its body are not in it."""
    base = type_expr(builder, node.child_by_field_name("type"))
    body = node.named_children[-1]
    builder.open("", "class", body, bound=False, bases=(base,) if base is not None else ())


def constant_body(builder: Builder, node: Node) -> None:
    """`RED { ... }` in an enum: a class without a name that inherits from the enum."""
    around = enclosing_type(builder)
    body = node.child_by_field_name("body")
    if body is not None:
        builder.open("", "class", body, bound=False, bases=(Own(around),) if around is not None else ())


def method(builder: Builder, node: Node) -> None:
    """A method, or an element of an annotation type."""
    name = text(_field(node, "name"))
    around = builder.scope
    parameters = list(_parameters(builder, node))
    flags = _flags(node)
    if node.child_by_field_name("body") is None:
        flags |= Flag.DECLARATION
    returns = type_expr(builder, node.child_by_field_name("type"))
    dimensions = node.child_by_field_name("dimensions")
    if dimensions is not None:
        returns = array_of(returns, dimensions.text.count(b"["))  # type: ignore[union-attr]
    index = builder.open(
        name,
        "method",
        node,
        bound=False,
        flags=flags,
        returns=returns,
        params=tuple(name for name, _, _ in parameters),
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    for count in _arities(parameters):
        builder.bind(f"{name}/{count}", Own(index), since=node.start_byte, owner=around)
    _bind_parameters(builder, parameters, node)


def constructor(builder: Builder, node: Node) -> None:
    """A constructor is named as its class; `new` asks for the class."""
    name = text(_field(node, "name"))
    parameters = list(_parameters(builder, node))
    around = builder.scope
    index = builder.open(
        name,
        "method",
        node,
        bound=False,
        flags=_flags(node),
        params=tuple(name for name, _, _ in parameters),
        signature=one_line(_head(node), LONGEST_SIGNATURE),
        doc=_doc(node),
        **_type_parameters(builder, node),
    )
    for count in _arities(parameters):
        builder.bind(f"{NEW}/{count}", Own(index), since=node.start_byte, owner=around)
    _bind_parameters(builder, parameters, node)


def _arities(parameters: list[tuple[str, Expr | None, bool]]) -> range:
    count = min(len(parameters), MOST_ARGUMENTS)
    if parameters and parameters[-1][2]:
        return range(count - 1, MOST_ARGUMENTS + 1)
    return range(count, count + 1)


def _parameters(builder: Builder, node: Node) -> Iterator[tuple[str, Expr | None, bool]]:
    """Yield name, type and whether it takes any number of arguments, of each parameter."""
    parameters = node.child_by_field_name("parameters")
    for child in parameters.named_children if parameters is not None else ():
        if child.type == "formal_parameter":
            declared = type_expr(builder, child.child_by_field_name("type"))
            yield text(_field(child, "name")), _with_dimensions(declared, child), False
        elif child.type == "spread_parameter":
            declarator = child.named_children[-1]
            types = [one for one in child.named_children[:-1] if one.type != "modifiers"]
            declared = array_of(type_expr(builder, types[-1] if types else None))
            yield VARIABLE + text(_field(declarator, "name")), declared, True


def _with_dimensions(declared: Expr | None, node: Node) -> Expr | None:
    """`T x[]` is an array of T."""
    dimensions = node.child_by_field_name("dimensions")
    return array_of(declared, dimensions.text.count(b"[")) if dimensions is not None else declared  # type: ignore[union-attr]


def _bind_parameters(builder: Builder, parameters: list[tuple[str, Expr | None, bool]], node: Node) -> None:
    for name, declared, _ in parameters:
        builder.bind(name.removeprefix(VARIABLE), None, declared, since=node.start_byte, until=node.end_byte)


def _type_parameters(builder: Builder, node: Node) -> dict[str, Any]:
    """Return names and bounds of `<T, U extends Bound>`, as fields of a symbol."""
    found = node.child_by_field_name("type_parameters")
    if found is None:
        return {}
    names: list[str] = []
    bounds: list[Expr | None] = []
    for child in found.named_children:
        if child.type == "type_parameter":
            name = next((one for one in child.named_children if one.type in ("type_identifier", "identifier")), child)
            bound = next((one for one in child.named_children if one.type == "type_bound"), None)
            names.append(text(name))
            bounds.append(type_expr(builder, bound))
    return {"type_params": tuple(names), "bounds": tuple(bounds) if any(bounds) else ()}


def _flags(node: Node) -> int:
    flags = Flag.NONE
    first = node.child(0)
    if first is not None and first.type == "modifiers":
        for child in first.children:
            flags |= _MODIFIERS.get(child.type.encode(), Flag.NONE)
    return flags


def _head(node: Node) -> str:
    """Return what stands before the body, less annotations."""
    body = node.child_by_field_name("body")
    first = node.child(0)
    start = node.start_byte
    if first is not None and first.type == "modifiers":
        for child in first.children:
            if child.type in ("annotation", "marker_annotation"):
                start = child.end_byte
    end = body.start_byte if body is not None else node.end_byte
    return (
        (node.text or b"")[start - node.start_byte : end - node.start_byte].decode("utf-8", "replace").rstrip(" \n\t;")
    )


def _doc(node: Node) -> str:
    before = node.prev_sibling
    if before is None or before.type != "block_comment" or not (before.text or b"").startswith(b"/**"):
        return ""
    lines = [line.strip().lstrip("*").strip() for line in text(before)[3:-2].splitlines()]
    return one_line(" ".join(lines).strip().partition(". ")[0], LONGEST_DOC)


# --- names ------------------------------------------------------------------------------------------------------


def field(builder: Builder, node: Node) -> None:
    """`T x = y, z;` in a class."""
    _declare(builder, node, scoped=False)


def local(builder: Builder, node: Node) -> None:
    """`T x = y, z;` in code: seen up to the end of the block."""
    _declare(builder, node, scoped=True)


def _declare(builder: Builder, node: Node, *, scoped: bool) -> None:
    declared = type_expr(builder, node.child_by_field_name("type"))
    for declarator in node.children_by_field_name("declarator"):
        value = declarator.child_by_field_name("value")
        inferred = builder.expr(value) if value is not None and declared is None else None
        builder.bind(
            text(_field(declarator, "name")),
            inferred,
            _with_dimensions(declared, declarator),
            since=declarator.start_byte,
            until=None if scoped else _end_of_type(builder),
            scoped=scoped,
        )


def _end_of_type(builder: Builder) -> int:
    return builder.symbols[builder.scope].end if builder.scope >= 0 else builder.block_end


def constant(builder: Builder, node: Node) -> None:
    """A constant of an enum is an instance of it."""
    around = enclosing_type(builder)
    if around is not None:
        builder.bind(text(_field(node, "name")), None, Own(around), since=node.start_byte, until=_end_of_type(builder))


def for_each(builder: Builder, node: Node) -> None:
    """`for (T x : xs)`."""
    declared = type_expr(builder, node.child_by_field_name("type"))
    iterated = builder.expr(node.child_by_field_name("value")) if declared is None else None
    builder.bind(
        text(_field(node, "name")),
        Element(iterated) if iterated is not None else None,
        _with_dimensions(declared, node),
        since=node.start_byte,
        until=node.end_byte,
        scoped=True,
    )


def resource(builder: Builder, node: Node) -> None:
    """`try (T x = y)`."""
    name = node.child_by_field_name("name")
    if name is not None:
        declared = type_expr(builder, node.child_by_field_name("type"))
        value = builder.expr(node.child_by_field_name("value")) if declared is None else None
        builder.bind(text(name), value, declared, since=node.start_byte, scoped=True)


def catch(builder: Builder, node: Node) -> None:
    """`catch (A | B e)`."""
    parameter = next((child for child in node.named_children if child.type == "catch_formal_parameter"), None)
    if parameter is None:
        return
    kinds = next((child for child in parameter.named_children if child.type == "catch_type"), None)
    builder.bind(
        text(_field(parameter, "name")),
        None,
        type_expr(builder, kinds),
        since=node.start_byte,
        until=node.end_byte,
        scoped=True,
    )


def lambda_(builder: Builder, node: Node) -> None:
    """A lambda is no symbol; what its parameters are is told by the call that it is given to."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None:
        return
    given = _wanted_by(builder, node)
    others = _beside(builder, node) if given is not None else ()
    if parameters.type == "formal_parameters":
        named = [(name, declared) for name, declared, _ in _parameters(builder, node)]
    elif parameters.type == "identifier":
        named = [(text(parameters), None)]
    else:
        named = [(text(child), None) for child in parameters.named_children]
    for place, (name, declared) in enumerate(named):
        value = Contextual(*given, place, others) if given is not None and declared is None else None
        builder.bind(name, value, declared, since=node.start_byte, until=node.end_byte, scoped=True)


def _beside(builder: Builder, node: Node) -> tuple[Expr | None, ...]:
    """Return what a call is given beside lambdas: it may say what the type parameters of the callee stand for."""
    arguments = node.parent
    if arguments is None or arguments.type != "argument_list" or arguments.named_child_count < 2:
        return ()
    plain = [one if one.type not in ("lambda_expression", "method_reference") else None for one in listed(arguments)]
    found = tuple(simple(builder, one) if one is not None else None for one in plain[:MOST_TOLD])
    return found if any(found) else ()


def _wanted_by(builder: Builder, node: Node) -> tuple[Expr, int] | None:
    """Return the callee of the call that takes a lambda and as which argument; or ITSELF and what it is assigned to."""
    parent = node.parent
    around = parent.parent if parent is not None else None
    if parent is None or around is None:
        return None
    wanted: Expr | None = None
    if parent.type == "argument_list":
        if around.type == "method_invocation":
            wanted = callee(builder, around)
        elif around.type == "object_creation_expression":
            made = constructed(builder, around)
            wanted = Attr(made, f"{NEW}/{arity(around)}") if made is not None else None
        return (wanted, parent.named_children.index(node)) if wanted is not None else None
    if parent.type == "variable_declarator":
        declared = type_expr(builder, around.child_by_field_name("type"))
        wanted = Instance(declared) if declared is not None else None
    elif parent.type == "assignment_expression":
        wanted = builder.expr(parent.child_by_field_name("left"))
    elif parent.type == "cast_expression":
        wanted = builder.expr(parent)
    elif parent.type == "return_statement" and builder.scope >= 0:
        returned = builder.symbols[builder.scope].returns
        wanted = Instance(returned) if returned is not None else None
    return (wanted, ITSELF) if wanted is not None else None


def instance_of(builder: Builder, node: Node) -> None:
    """`x instanceof T t`: t holds from here on in the block around."""
    name = node.child_by_field_name("name")
    if name is not None:
        declared = type_expr(builder, node.child_by_field_name("right"))
        builder.bind(text(name), None, declared, since=node.start_byte, scoped=True)


def type_pattern(builder: Builder, node: Node) -> None:
    """`case T t` and the parts of `case P(T t)`."""
    parts = node.named_children
    if len(parts) >= 2 and parts[-1].type == "identifier":
        builder.bind(text(parts[-1]), None, type_expr(builder, parts[-2]), since=node.start_byte, scoped=True)


def block(builder: Builder, node: Node) -> None:
    """A block: what is declared in it is not seen after it."""
    builder.block(node.end_byte)


# --- references -------------------------------------------------------------------------------------------------


def call(builder: Builder, node: Node) -> None:
    """`f(x)`, `a.f(x)`."""
    found = builder.expr(node)
    if isinstance(found, Call):
        builder.call(node, found.callee, args=found.args)
    else:  # nested too deep for a type
        builder.call(node, callee(builder, node))


def reference(builder: Builder, node: Node) -> None:
    """`A::m`: whoever takes it calls it; it is noted where it stands."""
    builder.call(node, referred(builder, node), constructs=node.children[-1].type == "new")


def construct(builder: Builder, node: Node) -> None:
    """`new T(x)`, `outer.new T(x)`."""
    builder.call(node, constructed(builder, node), constructs=True)


def delegate(builder: Builder, node: Node) -> None:
    """`this(x)` and `super(x)` in a constructor."""
    around = enclosing_type(builder)
    word = node.child_by_field_name("constructor")
    if around is None or word is None:
        return
    if word.type == "this":
        builder.call(node, Own(around), constructs=True)
    elif builder.symbols[around].bases and _extends(node):
        builder.call(node, builder.symbols[around].bases[0], constructs=True)


def _extends(node: Node) -> bool:
    """Tell whether the class around a constructor's code names the class that it extends: that is its first base."""
    above = node.parent
    while above is not None and above.type != "class_declaration":
        above = above.parent
    return above is not None and above.child_by_field_name("superclass") is not None


def _field(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    return found if found is not None else node


HANDLERS: Final[dict[str, Handler]] = {
    "package": package,
    "import": import_,
    "type": type_,
    "construct": construct,
    "anonymous": anonymous,
    "constant": constant,
    "constant_body": constant_body,
    "method": method,
    "constructor": constructor,
    "block": block,
    "field": field,
    "local": local,
    "for_each": for_each,
    "resource": resource,
    "catch": catch,
    "lambda": lambda_,
    "instance_of": instance_of,
    "type_pattern": type_pattern,
    "call": call,
    "reference": reference,
    "delegate": delegate,
}
