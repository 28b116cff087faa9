"""What the nodes of a Python file mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tree_sitter import Node

from memd.codegraph.builder import LONGEST_DOC, LONGEST_SIGNATURE, Builder, ExprHandler, Handler, first, one_line, text
from memd.codegraph.facts import (
    RETURN,
    YIELD,
    Attr,
    Await,
    Call,
    Element,
    Enter,
    Expr,
    Flag,
    Import,
    Index,
    Instance,
    Item,
    Literal,
    Name,
    OneOf,
    Super,
    This,
    Within,
)
from memd.codegraph.languages.python.annotations import annotation
from memd.codegraph.languages.python.narrowing import narrow_after, narrow_inside

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


# --- definitions ------------------------------------------------------------------------------------------------


def function(builder: Builder, node: Node) -> None:
    """A `def`: a method where it stands in a class; the decorators around it have been seen by the scope outside."""
    around = builder.scope
    in_class = around >= 0 and builder.symbols[around].kind == "class"
    name = text(_field(node, "name"))
    decorators = tuple(_decorators(builder, node))
    flags = Flag.NONE
    for decorator in decorators:
        flags |= _DECORATORS.get(_last_word(decorator), Flag.NONE)
    if node.children[0].type == "async":
        flags |= Flag.ASYNC
    if name in ("__init_subclass__", "__class_getitem__", "__new__"):
        flags |= Flag.CLASSMETHOD
    parameters = _field(node, "parameters")
    returns = node.child_by_field_name("return_type")
    body = _field(node, "body")
    index = builder.open(
        name,
        "method" if in_class else "function",
        node,
        flags=flags,
        returns=annotation(builder, returns),
        params=tuple(name for name, _, _ in _parameters(parameters)),
        type_params=_type_params(node),
        decorators=decorators,
        signature=_signature(name, parameters, returns),
        doc=_docstring(body),
    )
    _bind_parameters(builder, parameters, index, around if in_class else None, flags)


def _bind_parameters(builder: Builder, parameters: Node, index: int, around: int | None, flags: int) -> None:
    since = parameters.start_byte
    until = builder.symbols[index].end
    for place, (name, type_node, default) in enumerate(_parameters(parameters)):
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


def _parameters(parameters: Node) -> Iterator[tuple[str, Node | None, Node | None]]:
    """Yield the name, annotation and default of each parameter; the name of a splat keeps its stars."""
    for child in parameters.named_children:
        kind = child.type
        if kind == "identifier":
            yield text(child), None, None
        elif kind == "typed_parameter":
            yield text(child.named_children[0]), child.child_by_field_name("type"), None
        elif kind in ("default_parameter", "typed_default_parameter"):
            yield text(_field(child, "name")), child.child_by_field_name("type"), child.child_by_field_name("value")
        elif kind in ("list_splat_pattern", "dictionary_splat_pattern"):
            yield text(child), None, None


def class_(builder: Builder, node: Node) -> None:
    """A `class`: its bases are looked up in it, which finds the same as outside of it."""
    arguments = node.child_by_field_name("superclasses")
    bases: list[Expr] = []
    for child in arguments.named_children if arguments is not None else ():
        if child.type not in ("keyword_argument", "comment"):
            base = builder.expr(child)
            if base is not None:
                bases.append(base)
    name = text(_field(node, "name"))
    builder.open(
        name,
        "class",
        node,
        bases=tuple(bases),
        type_params=_type_params(node),
        decorators=tuple(_decorators(builder, node)),
        signature=one_line(f"class {name}{text(arguments) if arguments is not None else ''}", LONGEST_SIGNATURE),
        doc=_docstring(_field(node, "body")),
    )


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
    words = text(found).strip("rRuUbB\"' \n\t")
    return one_line(words.partition("\n\n")[0], LONGEST_DOC)


def lambda_(builder: Builder, node: Node) -> None:
    """A lambda is no symbol: its parameters hide names inside of it."""
    parameters = node.child_by_field_name("parameters")
    if parameters is not None:
        for name, _, default in _parameters(parameters):
            builder.bind(
                name.lstrip("*"),
                builder.expr(default),
                since=node.start_byte,
                until=node.end_byte,
                scoped=True,
            )


# --- names ------------------------------------------------------------------------------------------------------


def assign(builder: Builder, node: Node) -> None:
    """`x = y`, `x: T = y`, `x, y = z`, `self.x = y`."""
    left = _field(node, "left")
    right = node.child_by_field_name("right")
    while right is not None and right.type == "assignment":
        right = right.child_by_field_name("right")
    type_node = node.child_by_field_name("type")
    _bind_target(
        builder,
        left,
        builder.expr(right) if right is not None else None,
        annotation(builder, type_node) if type_node is not None else None,
        node.end_byte,
    )


def _bind_target(
    builder: Builder,
    target: Node,
    value: Expr | None,
    declared: Expr | None,
    since: int,
    until: int | None = None,
    scoped: bool = False,
) -> None:
    """Bind what stands left of a value: a name, a field of `self`, or the parts of a tuple."""
    kind = target.type
    if kind == "identifier":
        builder.bind(text(target), value, declared, since=since, until=until, scoped=scoped)
    elif kind == "attribute":
        _bind_attribute(builder, target, value, declared, since, until)
    elif kind in ("pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "as_pattern_target"):
        if kind == "as_pattern_target":
            _bind_target(builder, target.named_children[0], value, declared, since, until, scoped)
            return
        for place, child in enumerate(target.named_children):
            if child.type == "list_splat_pattern":
                _bind_target(builder, child.named_children[0], None, None, since, until, scoped)
            else:
                part = Item(value, place) if value is not None else None
                _bind_target(builder, child, part, None, since, until, scoped)


def _bind_attribute(
    builder: Builder, target: Node, value: Expr | None, declared: Expr | None, since: int, until: int | None
) -> None:
    base = builder.expr(_field(target, "object"))
    name = text(_field(target, "attribute"))
    owner = _owner_of(builder, base)
    if owner is not None:
        builder.bind(name, value, declared, since=since, until=until, owner=owner)
    path = dotted(base)
    if path is not None:
        builder.bind(f"{path}.{name}", value, declared, since=since, until=until)


def _owner_of(builder: Builder, base: Expr | None) -> int | None:
    """Return the class whose field `base.x` is, where `base` is the first parameter of a method around here."""
    if not isinstance(base, Name):
        return None
    scope = builder.scope
    while scope >= 0:
        symbol = builder.symbols[scope]
        if base.id in symbol.params:
            if symbol.kind == "method" and symbol.params[0] == base.id and not builder.flags(scope) & Flag.STATIC:
                return symbol.parent
            return None
        scope = symbol.parent
    return None


def dotted(expr: Expr | None) -> str | None:
    """Return `a.b.c` for a chain of plain names, None for anything else."""
    if isinstance(expr, Name):
        return expr.id
    if isinstance(expr, Attr):
        base = dotted(expr.base)
        return f"{base}.{expr.name}" if base is not None else None
    return None


def walrus(builder: Builder, node: Node) -> None:
    """`(x := y)`."""
    builder.bind(text(_field(node, "name")), builder.expr(_field(node, "value")), since=node.end_byte)


def for_(builder: Builder, node: Node) -> None:
    """`for x in y:`."""
    _bind_elements(builder, node, _field(node, "body").start_byte - 1, None, scoped=False)


def comprehension(builder: Builder, node: Node) -> None:
    """The `for x in y` of a comprehension: `x` is seen in all of it."""
    around = node.parent
    if around is None:
        return
    place = sum(
        1 for child in around.named_children if child.type == "for_in_clause" and child.end_byte < node.end_byte
    )
    _bind_elements(builder, node, around.start_byte + place, around.end_byte, scoped=True)


def _bind_elements(builder: Builder, node: Node, since: int, until: int | None, *, scoped: bool) -> None:
    iterated = builder.expr(_field(node, "right"))
    value: Expr | None = Element(iterated) if iterated is not None else None
    _bind_target(builder, _field(node, "left"), value, None, since, until, scoped)


def with_(builder: Builder, node: Node) -> None:
    """`with x as y`."""
    pattern = node.child_by_field_name("value")
    if pattern is not None and pattern.type == "as_pattern":
        manager = builder.expr(pattern.named_children[0])
        _bind_target(
            builder,
            pattern.named_children[-1],
            Enter(manager) if manager is not None else None,
            None,
            node.end_byte,
        )


def except_(builder: Builder, node: Node) -> None:
    """`except E as x:`."""
    pattern = node.child_by_field_name("value")
    if pattern is None or pattern.type != "as_pattern":
        return
    kinds = annotation(builder, pattern.named_children[0])
    if isinstance(kinds, Literal):
        kinds = OneOf(tuple(arg for arg in kinds.args if arg is not None))
    _bind_target(builder, pattern.named_children[-1], None, kinds, pattern.end_byte, node.end_byte, scoped=True)


def alias(builder: Builder, node: Node) -> None:
    """`type X = Y`: a name for a type."""
    left, right = node.named_children[:2]
    builder.bind(text(left).partition("[")[0], annotation(builder, right), since=node.end_byte)


def return_(builder: Builder, node: Node) -> None:
    """`return x`."""
    _bind_result(builder, RETURN, node)


def yield_(builder: Builder, node: Node) -> None:
    """`yield x` makes a generator of the function."""
    owner = builder.enclosing("function", "method")
    if owner is not None:
        builder.flag(owner, Flag.GENERATOR)
        if len(node.children) > 1 and node.children[1].type == "from":
            source = builder.expr(node.named_children[0])
            if source is not None:
                builder.bind(YIELD, Element(source), since=node.start_byte, until=node.start_byte, owner=owner)
            return
        _bind_result(builder, YIELD, node)


def _bind_result(builder: Builder, name: str, node: Node) -> None:
    value = first(node)
    found = builder.expr(value) if value is not None else None
    if found is not None:
        builder.bind(name, found, since=node.start_byte, until=node.start_byte)


def block(builder: Builder, node: Node) -> None:
    """A block that may not be run."""
    builder.block(node.end_byte)


# --- references -------------------------------------------------------------------------------------------------


def call(builder: Builder, node: Node) -> None:
    """A call."""
    callee = node.child_by_field_name("function")
    if callee is not None:
        builder.call(node, builder.expr(callee))


def import_(builder: Builder, node: Node) -> None:
    """`import a.b`, `import a.b as c`."""
    for child in node.named_children:
        if child.type == "aliased_import":
            module = _dotted_name(_field(child, "name"))
            builder.bind(text(_field(child, "alias")), Import(module), since=node.start_byte)
        elif child.type == "dotted_name":
            module = _dotted_name(child)
            builder.bind(module.partition(".")[0], Import(module.partition(".")[0]), since=node.start_byte)
        else:
            continue
        builder.imported(node, module)


def import_from(builder: Builder, node: Node) -> None:
    """`from a import b, c as d`, `from . import x`, `from a import *`."""
    module_node = _field(node, "module_name")
    module = _dotted_name(module_node)
    names: list[str] = []
    for child in node.named_children:
        if child == module_node:
            continue
        if child.type == "wildcard_import":
            builder.stars.append(module)
            builder.imported(node, module, star=True)
            return
        if child.type == "aliased_import":
            name = _dotted_name(_field(child, "name"))
            builder.bind(text(_field(child, "alias")), Import(module, name), since=node.start_byte)
        elif child.type == "dotted_name":
            name = _dotted_name(child)
            builder.bind(name, Import(module, name), since=node.start_byte)
        else:
            continue
        names.append(name)
    builder.imported(node, module, names)


def _dotted_name(node: Node) -> str:
    return "".join(text(node).split())


def condition(builder: Builder, node: Node) -> None:
    """The condition of an `if`: what it says of a name's type holds in its block."""
    narrow_inside(builder, node)


def assert_(builder: Builder, node: Node) -> None:
    """`assert isinstance(x, T)`: holds from here on."""
    if node.named_children:
        narrow_after(builder, node.named_children[0], node.end_byte)


# --- expressions ------------------------------------------------------------------------------------------------


def _attribute(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("object"))
    name = node.child_by_field_name("attribute")
    return Attr(base, text(name)) if base is not None and name is not None else None


# Calls whose result depends on what they are given.
_TELLING: Final = frozenset(
    "super type cast copy deepcopy next iter aiter anext list tuple set frozenset sorted reversed enumerate zip filter"
    " max min sum dict run run_until_complete create_task gather wait_for ensure_future partial wraps namedtuple"
    " defaultdict deque NewType TypeVar field getattr chain islice cycle submit map closing nullcontext enter_context"
    " enter_async_context".split()
)
_MOST_ARGS: Final = 4


def _call(builder: Builder, node: Node) -> Expr | None:
    callee = builder.expr(node.child_by_field_name("function"))
    if callee is None:
        return None
    name = _last_word(callee)
    if name not in _TELLING:
        return Call(callee)
    arguments = node.child_by_field_name("arguments")
    if arguments is None:
        return Call(callee)
    if name == "super" and isinstance(callee, Name):
        return _super(builder)
    if arguments.type != "argument_list":  # a generator: f(x for x in y)
        return Call(callee, (builder.expr(arguments),))
    given = [child for child in arguments.named_children if child.type != "comment"][:_MOST_ARGS]
    if name == "cast" and given:
        return Call(callee, (annotation(builder, given[0]), *(builder.expr(one) for one in given[1:])))
    if name == "TypeVar" and given:
        bound = next((_field(one, "value") for one in given if text(one).startswith("bound")), None)
        return Call(callee, (Literal(text(given[0]).strip("\"'")), annotation(builder, bound)))
    if name == "field":
        return Call(callee, tuple(_keyword(builder, one, "default_factory") for one in given))
    return Call(callee, tuple(builder.expr(one) for one in given))


def _keyword(builder: Builder, node: Node, name: str) -> Expr | None:
    if node.type == "keyword_argument" and text(_field(node, "name")) == name:
        return builder.expr(_field(node, "value"))
    return None


def _super(builder: Builder) -> Expr | None:
    scope = builder.scope
    while scope >= 0:
        symbol = builder.symbols[scope]
        if symbol.kind == "method":
            flags = builder.flags(scope)
            return Super(symbol.parent, bool(flags & (Flag.CLASSMETHOD | Flag.STATIC)))
        scope = symbol.parent
    return None


def _subscript(builder: Builder, node: Node) -> Expr | None:
    base = builder.expr(node.child_by_field_name("value"))
    if base is None:
        return None
    given = node.children_by_field_name("subscript")
    if len(given) == 1 and given[0].type == "integer":
        digits = text(given[0])
        return Item(base, int(digits)) if digits.isdecimal() and len(digits) < 4 else Index(base)
    if len(given) == 1 and given[0].type == "slice":
        return base
    return Index(base, tuple(builder.expr(one) for one in given))


def _first(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(first(node))


def _await(builder: Builder, node: Node) -> Expr | None:
    found = builder.expr(first(node))
    return Await(found) if found is not None else None


def _yielded(builder: Builder, node: Node) -> Expr | None:
    """What `yield` gives is sent by whoever runs the generator: its declared type says of what kind."""
    owner = builder.enclosing("function", "method")
    declared = builder.symbols[owner].returns if owner is not None else None
    if isinstance(declared, Index) and len(declared.args) > 1 and declared.args[1] is not None:
        return Instance(declared.args[1])
    return None


def _conditional(builder: Builder, node: Node) -> Expr | None:
    children = node.named_children
    return one_of([builder.expr(children[0]), builder.expr(children[-1])])


def _boolean(builder: Builder, node: Node) -> Expr | None:
    left = builder.expr(node.child_by_field_name("left"))
    right = builder.expr(node.child_by_field_name("right"))
    if node.children[1].type == "and":
        return right
    return one_of([left, right])


def _binary(builder: Builder, node: Node) -> Expr | None:
    """`A | B` is a union of types where both are types; what arithmetic gives is the business of its left side."""
    left = builder.expr(node.child_by_field_name("left"))
    operator = node.child_by_field_name("operator")
    if operator is not None and operator.type == "|":
        return one_of([left, builder.expr(node.child_by_field_name("right"))])
    if operator is not None and operator.type == "/" and left is not None:
        return Call(Attr(left, "__truediv__"))
    return left if isinstance(left, Literal) else None


def one_of(options: list[Expr | None]) -> Expr | None:
    """Return the expression for any of some."""
    known = tuple(option for option in options if option is not None)
    if len(known) < 2:
        return known[0] if known else None
    return OneOf(known)


def _walrus_value(builder: Builder, node: Node) -> Expr | None:
    return builder.expr(node.child_by_field_name("value"))


def _string(builder: Builder, node: Node) -> Expr | None:
    start = node.child(0)
    return Literal("bytes" if start is not None and b"b" in (start.text or b"").lower() else "str")


def _concatenated(builder: Builder, node: Node) -> Expr | None:
    return _first(builder, node)


def _literal(name: str) -> ExprHandler:
    value = Literal(name)
    return lambda _builder, _node: value


def _sequence(name: str) -> ExprHandler:
    def handler(builder: Builder, node: Node) -> Expr:
        found = dict.fromkeys(builder.expr(child) for child in node.named_children[:8])
        element = one_of([one for one in found if not _is_none(one)])
        return Literal(name, (element,))

    return handler


def _tuple(builder: Builder, node: Node) -> Expr:
    return Literal("tuple", tuple(builder.expr(child) for child in node.named_children[:8]))


def _dictionary(builder: Builder, node: Node) -> Expr:
    keys: list[Expr | None] = []
    values: list[Expr | None] = []
    for pair in node.named_children[:8]:
        if pair.type == "pair":
            keys.append(builder.expr(pair.child_by_field_name("key")))
            values.append(builder.expr(pair.child_by_field_name("value")))
    return Literal("dict", (one_of(list(dict.fromkeys(keys))), one_of(list(dict.fromkeys(values)))))


def _comprehended(name: str) -> ExprHandler:
    def handler(builder: Builder, node: Node) -> Expr:
        body = node.child_by_field_name("body")
        if body is not None and body.type == "pair":
            return Literal(name, (None, _inside(builder, body.child_by_field_name("value"))))
        return Literal(name, (_inside(builder, body),))

    return handler


def _inside(builder: Builder, body: Node | None) -> Expr | None:
    """What a comprehension gives for each element stands where its loop variables are bound."""
    found = builder.expr(body)
    return Within(found, body.start_byte) if found is not None and body is not None else None


def _is_none(expr: Expr | None) -> bool:
    return isinstance(expr, Literal) and expr.type == "None"


def _last_word(expr: Expr) -> str:
    if isinstance(expr, Call):
        expr = expr.callee
    if isinstance(expr, Attr):
        return expr.name
    return expr.id if isinstance(expr, Name) else ""


def _field(node: Node, name: str) -> Node:
    found = node.child_by_field_name(name)
    return found if found is not None else node


HANDLERS: Final[dict[str, Handler]] = {
    "function": function,
    "class": class_,
    "block": block,
    "condition": condition,
    "assign": assign,
    "walrus": walrus,
    "for": for_,
    "comprehension": comprehension,
    "with": with_,
    "except": except_,
    "alias": alias,
    "lambda": lambda_,
    "return": return_,
    "yield": yield_,
    "import": import_,
    "import_from": import_from,
    "assert": assert_,
    "call": call,
}

EXPRESSIONS: Final[dict[str, ExprHandler]] = {
    "attribute": _attribute,
    "call": _call,
    "subscript": _subscript,
    "parenthesized_expression": _first,
    "await": _await,
    "yield": _yielded,
    "conditional_expression": _conditional,
    "boolean_operator": _boolean,
    "binary_operator": _binary,
    "named_expression": _walrus_value,
    "type": _first,
    "string": _string,
    "concatenated_string": _concatenated,
    "integer": _literal("int"),
    "float": _literal("float"),
    "true": _literal("bool"),
    "false": _literal("bool"),
    "none": _literal("None"),
    "comparison_operator": _literal("bool"),
    "not_operator": _literal("bool"),
    "list": _sequence("list"),
    "set": _sequence("set"),
    "tuple": _tuple,
    "expression_list": _tuple,
    "dictionary": _dictionary,
    "list_comprehension": _comprehended("list"),
    "set_comprehension": _comprehended("set"),
    "generator_expression": _comprehended("Iterator"),
    "dictionary_comprehension": _comprehended("dict"),
    "lambda": _literal("function"),
}
