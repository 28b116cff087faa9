"""How Python's modules are found, and what its builtins and standard library give."""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from memd.codegraph.facts import FileFacts, ImportSite
from memd.codegraph.languages.python.outside import BUILTINS, GIVES, OF_ELEMENTS, WRAPPERS
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import CLASS_OF, NOTHING, Cls, Ext, ExtObj, Obj, Param, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.resolver import Resolver

SUFFIXES: Final = (".py", ".pyi", ".pyw")


class PythonRules(Rules):
    """Python's rules."""

    receiver_is_parameter: ClassVar[bool] = True
    parameters_are_inherited: ClassVar[bool] = True
    enter_methods: ClassVar[tuple[str, ...]] = ("__enter__", "__aenter__")
    iterate_methods: ClassVar[tuple[str, ...]] = ("__iter__", "__aiter__")
    next_methods: ClassVar[tuple[str, ...]] = ("__next__", "__anext__")
    item_methods: ClassVar[tuple[str, ...]] = ("__getitem__",)
    call_methods: ClassVar[tuple[str, ...]] = ("__call__",)
    self_types: ClassVar[frozenset[str]] = frozenset(("typing.Self", "typing_extensions.Self"))
    awaitables: ClassVar[frozenset[str]] = frozenset(("Awaitable", "Coroutine", "Future", "Task"))

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._found: dict[tuple[str, str], tuple[str, ...]] = {}

    # --- modules ------------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """Relative names from the importer's package, others from each root that the importer could see."""
        folder = importer.rpartition("/")[0]
        key = (folder, module)
        if key not in self._found:
            self._found[key] = self._find(folder, module)
        return self._found[key]

    def _find(self, folder: str, module: str) -> tuple[str, ...]:
        name = module.lstrip(".")
        dots = len(module) - len(name)
        parts = [part for part in name.split(".") if part]
        if dots:
            for _ in range(dots - 1):
                folder = folder.rpartition("/")[0]
            found = self._below(folder, parts)
            return (found,) if found is not None else ()
        for root in self._roots(folder):
            found = self._below(root, parts)
            if found is not None:
                return (found,)
        return ()

    def _roots(self, folder: str) -> Iterator[str]:
        """Yield the folders that top-level modules may lie in: the tree, src layouts, what the importer lies in."""
        yield ""
        yield "src"
        around = folder
        while around:
            yield around
            yield f"{around}/src"
            around = around.rpartition("/")[0]

    def _below(self, folder: str, parts: list[str]) -> str | None:
        path = "/".join((folder, *parts) if folder else parts)
        for suffix in SUFFIXES:
            package = f"{path}/__init__{suffix}" if path else f"__init__{suffix}"
            if self.project.has(package):
                return package
        if parts:
            for suffix in SUFFIXES:
                if self.project.has(path + suffix):
                    return path + suffix
        return f"{path}/" if self.project.is_folder(path) else None

    def submodule(self, key: str, name: str) -> str | None:
        """A module or package that lies in a package's folder."""
        if key.endswith("/"):
            return self._below(key[:-1], [name])
        folder, _, file = key.rpartition("/")
        return self._below(folder, [name]) if file.startswith("__init__.") else None

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """`from p import m` goes to the module m where p has one, else to p itself."""
        for key in self.find_module(facts.path, site.module):
            below = [self.submodule(key, name) for name in site.names]
            yield from (one for one in below if one is not None and not one.endswith("/"))
            if not key.endswith("/") and (not below or None in below):
                yield key

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """A builtin."""
        return (Ext(name),) if name in BUILTINS else NOTHING

    # --- types outside ------------------------------------------------------------------------------------------

    def instance(self, outside: Ext) -> Values:
        """Annotations of the typing module mean what they hold."""
        last = _last(outside.name)
        if last in WRAPPERS:
            return union(*outside.args[: 1 if last == "Annotated" else None])
        if last == "Callable":
            result = outside.args[-1] if len(outside.args) > 1 else NOTHING
            params = outside.args[0] if outside.args else NOTHING
            given = params[0].args if params and isinstance(params[0], ExtObj) else ()
            return (ExtObj("Callable", (*given, result)),)
        if outside.name in self.self_types:
            return (ExtObj(outside.name),)
        if last in ("Coroutine", "Generator", "AsyncGenerator"):
            place = 2 if last == "Coroutine" else 0
            return (ExtObj(last, outside.args[place : place + 1]),)
        if last in ("Type", "type"):
            return tuple(_type_of(one) for arg in outside.args for one in arg)
        return (ExtObj(last, outside.args),)

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What calls of the standard library hand through."""
        owner, _, last = outside.name.rpartition(".")
        found = _method(_last(owner), last, outside.args)
        if found is not None:
            return found
        way = GIVES.get(last)
        if way is not None:
            return _WAYS[way](resolver, args)
        if last in OF_ELEMENTS:
            held = outside.args or (_elements(resolver, args(1 if last == "filter" else 0)),)
            return (ExtObj(last, held),)
        return self.instance(outside) if last[:1].isupper() else (ExtObj(f"{outside.name}()"),)

    def function_type(self, resolver: Resolver, value: Value) -> tuple[tuple[Values, ...], Values] | None:
        """Calling the class of a type parameter gives what that stands for."""
        if isinstance(value, ExtObj) and value.type == CLASS_OF:
            return (), value.args[0]
        return super().function_type(resolver, value)

    def member_outside(self, resolver: Resolver, base: ExtObj, name: str) -> Values:
        """The class of a type parameter has what that is known to be at least."""
        if base.type == CLASS_OF:
            return union(*(resolver.member(one, name) for one in base.args[0]))
        return super().member_outside(resolver, base, name)

    def element_outside(self, base: ExtObj) -> Values:
        """The first argument of a container; of a tuple, all of them."""
        if base.type == "tuple":
            return union(*base.args)
        return base.args[0] if base.args else NOTHING

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """The value of a mapping, the place of a tuple, the element of a sequence."""
        if not base.args:
            return NOTHING
        if base.type == "tuple":
            if any(isinstance(one, ExtObj) and one.type == "..." for one in base.args[-1]):
                return base.args[0]
            if isinstance(key, int):
                return base.args[key] if key < len(base.args) else NOTHING
            return union(*base.args)
        if len(base.args) > 1 and base.type not in ("Generator", "AsyncGenerator"):
            return base.args[1]
        return base.args[0]

    def enter_outside(self, base: ExtObj) -> Values:
        """Context managers of the typing module and of contextlib."""
        if base.type in ("ExitStack", "AsyncExitStack"):
            return (base,)
        if base.type in (
            "ContextManager",
            "AsyncContextManager",
            "AbstractContextManager",
            "AbstractAsyncContextManager",
        ):
            return base.args[0] if base.args else NOTHING
        return NOTHING

    def class_member(self, resolver: Resolver, cls: Cls, values: Values) -> Values:
        """The members of an enum are its instances."""
        outside = resolver.ancestry.outside(cls)
        if any(_last(one.name) in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag") for one in outside):
            return (Obj(cls.path, cls.index),)
        return values


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def _elements(resolver: Resolver, values: Values) -> Values:
    return union(*(resolver.uses.element(one) for one in values))


def _method(owner: str, method: str, args: tuple[Values, ...]) -> Values | None:
    """Return what a method of a container gives, None where that is not known."""
    if not args:
        return None
    if method in ("get", "pop", "setdefault", "popleft", "popitem", "__getitem__", "__next__", "get_nowait"):
        return args[-1]
    if method == "values":
        return (ExtObj("Iterator", (args[-1],)),)
    if method == "keys":
        return (ExtObj("Iterator", (args[0],)),)
    if method == "items" and len(args) > 1:
        return (ExtObj("Iterator", ((ExtObj("tuple", (args[0], args[1])),),)),)
    if method == "copy":
        return (ExtObj(owner, args),)
    return None


def _type_of(value: Value) -> Value:
    """Return the class that a value is an instance of; of a type parameter, what stands for its class."""
    match value:
        case Obj():
            return Cls(value.path, value.index, value.args, value.own)
        case Param():
            return ExtObj(CLASS_OF, ((value,),))
        case _:
            return value


def _class_of(values: Values) -> Values:
    return tuple(Cls(one.path, one.index, one.args, one.own) for one in values if isinstance(one, Obj))


def _type_parameter(resolver: Resolver, args: Callable[[int], Values]) -> Values:
    named = args(0)
    if not named or not isinstance(named[0], ExtObj):
        return NOTHING
    return (Param(named[0].type, resolver.instances(args(1))),)


def _numbered(resolver: Resolver, args: Callable[[int], Values]) -> Values:
    return (ExtObj("Iterator", ((ExtObj("tuple", ((ExtObj("int"),), _elements(resolver, args(0)))),),)),)


def _zipped(resolver: Resolver, args: Callable[[int], Values]) -> Values:
    return (ExtObj("Iterator", ((ExtObj("tuple", tuple(_elements(resolver, args(i)) for i in range(4))),),)),)


_WAYS: Final[dict[str, Callable[[Resolver, Callable[[int], Values]], Values]]] = {
    "argument": lambda _, args: args(0),
    "nothing": lambda _resolver, _args: NOTHING,
    "type": lambda resolver, args: resolver.instances(args(0)),
    "called": lambda resolver, args: resolver.instances(args(0)),
    "element": lambda resolver, args: _elements(resolver, args(0)),
    "awaited": lambda resolver, args: union(*(resolver.uses.awaited(one) for one in args(0))),
    "entered": lambda resolver, args: union(*(resolver.uses.entered(one) for one in args(0))),
    "managed": lambda _, args: (ExtObj("ContextManager", (args(0),)),),
    "defaults": lambda resolver, args: (ExtObj("dict", (NOTHING, resolver.instances(args(0)))),),
    "class": lambda _, args: _class_of(args(0)),
    "param": _type_parameter,
    "enumerate": _numbered,
    "zip": _zipped,
}
