"""Rules: what resolution has to be told of a language. Each language's `rules.py` overrides what differs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar

from memd.codegraph.facts import Contextual, Expr, FileFacts, ImportSite
from memd.codegraph.project import Project
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Value, Values

if TYPE_CHECKING:
    from memd.codegraph.places import Place
    from memd.codegraph.resolver import Resolver


class Rules(ABC):
    """How names, modules and the language's own types work; made anew for each project."""

    class_names_visible: ClassVar[bool] = False
    """Whether code in a method sees the members of its class, inherited ones too, by their bare names."""
    parameters_are_inherited: ClassVar[bool] = False
    """Whether a parameter of which a method says nothing is what the method that it overrides says of it."""
    receiver_is_parameter: ClassVar[bool] = False
    """Whether a method names its receiver as its first parameter (Python's self)."""
    variables_are_followed: ClassVar[bool] = True
    """Whether calling a variable that holds a function is a call of that function."""
    types_are_called: ClassVar[bool] = True
    """Whether calling a type makes an instance; where it does not, it is a conversion."""
    aliases_are_bases: ClassVar[bool] = False
    """Whether a type that has an alias behind it inherits from that, and not from what the alias stands for."""
    interfaces_are_called: ClassVar[bool] = True
    """Whether naming an interface where something is called or constructed can mean the interface itself."""
    body_sees_members: ClassVar[bool] = True
    """Whether code that stands directly in a class, in no method, sees the members before it by their bare names."""
    stars_bind: ClassVar[bool] = True
    """Whether what a file takes from a module by a star is known in the file itself, not only handed on."""
    enter_methods: ClassVar[tuple[str, ...]] = ()
    iterate_methods: ClassVar[tuple[str, ...]] = ()
    next_methods: ClassVar[tuple[str, ...]] = ()
    item_methods: ClassVar[tuple[str, ...]] = ()
    call_methods: ClassVar[tuple[str, ...]] = ()
    """Members that `with x as y`, `for y in x`, `x[y]` and `x()` use."""
    self_types: ClassVar[frozenset[str]] = frozenset()
    """Names of types outside that mean the type of the instance itself."""
    awaitables: ClassVar[frozenset[str]] = frozenset(("Awaitable",))
    """Types outside whose first argument is what awaiting them gives."""

    pointers: ClassVar[frozenset[str]] = frozenset()
    """Types outside whose first argument is what they point to."""
    deref_methods: ClassVar[tuple[str, ...]] = ()
    """Members that say what an instance points to."""

    def __init__(self, project: Project) -> None:
        self.project = project

    # --- modules ------------------------------------------------------------------------------------------------

    @abstractmethod
    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """Return the keys (see `Module`) of what an import names, none where that is outside of the project."""

    def submodule(self, key: str, name: str) -> str | None:
        """Return the key of the module of that name below another one."""
        return None

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """Yield the files (in some languages: folders) that an import statement makes edges to."""
        for key in self.find_module(facts.path, site.module):
            if not key.endswith("/"):
                yield key

    def no_module(self, resolver: Resolver, path: str, module: str) -> Values:
        """Return what stands for a module that is imported and not found in the project."""
        return (Ext(module),)

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """Return what a name means that nothing in its file binds: the package's, the prelude's, a builtin."""
        return NOTHING

    def unbound(self, name: str) -> Values:
        """Return what a name means that nothing at all binds: in some languages it begins the name of a package."""
        return NOTHING

    def module_member(self, resolver: Resolver, key: str, name: str) -> Values:
        """Return what a folder gives for a name, and what a file does that has none of its own."""
        return NOTHING

    def definition(self, resolver: Resolver, function: Func) -> Func:
        """Return where a function that is only declared has its body, itself where that is not to be found."""
        return function

    def declarations(self, resolver: Resolver, function: Func) -> Values:
        """Return the functions by whose declaration a function is called, too: a trait's, of what an `impl` holds."""
        return NOTHING

    # --- types --------------------------------------------------------------------------------------------------

    def parts(self, resolver: Resolver, path: str, index: int) -> Iterable[tuple[str, int]]:
        """Return path and index of the symbols that hold further members of a type (see Flag.PART).

        What such a symbol names behind the type itself are bases that it brings (an `impl` of a trait).
        """
        return ()

    def inherent_member(self, resolver: Resolver, cls: Cls, name: str) -> Values:
        """Return a member that a type has without saying so, nor any of its bases."""
        return NOTHING

    def chosen(
        self, resolver: Resolver, values: Values, callee: Expr, args: tuple[Expr | None, ...], place: Place
    ) -> Values:
        """Return those of the values of a callee that are meant by what it is given (see `CallSite.args`)."""
        return values

    def function_type(self, resolver: Resolver, value: Value) -> tuple[tuple[Values, ...], Values] | None:
        """Return what a function takes and gives whose type a value is of; None where it is no function."""
        if isinstance(value, ExtObj) and value.type == "Callable" and value.args:
            return value.args[:-1], value.args[-1]
        if isinstance(value, ExtObj) and value.type == "function" and value.args:
            return (), value.args[-1]
        return None

    def constructed(self, resolver: Resolver, value: Value) -> Values:
        """Return what constructing a value gives that is no type but says what it makes."""
        return NOTHING

    def uncertain(self, value: Value) -> Value:
        """Return what a value is that is one of several there could be."""
        return value

    def function_member(self, resolver: Resolver, function: Func, name: str) -> Values:
        """Return a member that every function has."""
        return NOTHING

    # --- types outside ------------------------------------------------------------------------------------------

    def instance(self, outside: Ext) -> Values:
        """Return what a value is whose type is written as something outside."""
        return (ExtObj(outside.name, outside.args),)

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """Return what calling something outside gives; `args(i)` is what its i-th argument is."""
        return (ExtObj(outside.name, outside.args),)

    def member_outside(self, resolver: Resolver, base: ExtObj, name: str) -> Values:
        """Return a member of an instance of a type outside."""
        return (Ext(f"{base.type}.{name}", base.args),)

    def outside_member(self, resolver: Resolver, cls: Cls, bases: tuple[Ext, ...], name: str) -> Values:
        """Return a member that no type of the project has, of one behind which stand types outside."""
        return (Ext(f"{bases[0].name}.{name}"),)

    def is_certain(self, member: Ext) -> bool:
        """Tell whether a type outside is known to have a member, so that nothing further out can be meant."""
        return False

    def element_outside(self, base: ExtObj) -> Values:
        """Return what iterating an instance of a type outside gives."""
        return NOTHING

    def item_outside(self, base: ExtObj, key: int | str | None) -> Values:
        """Return what `base[key]` gives; None is a key that is not known."""
        return self.element_outside(base)

    def enter_outside(self, base: ExtObj) -> Values:
        """Return what a context manager of a type outside gives."""
        return NOTHING

    def contextual_outside(self, resolver: Resolver, callee: Value, expr: Contextual) -> Values:
        """Return what a function literal is called with that is given to something outside of the project."""
        return NOTHING

    def class_member(self, resolver: Resolver, cls: Cls, values: Values) -> Values:
        """Return what a class variable is when it is taken from the class (an enum's member is an instance)."""
        return values
