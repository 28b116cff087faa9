"""How Java's packages and imports give names their meaning, and what its library's types give.

A name that nothing in its file binds is, in this order: what a single import names, a type of the same package, what an
import on demand gives, the first part of a package's name. Methods are asked for as `name/arity` (see extract.py):
such a name comes from static imports alone. Types of the library go by their simple names.
"""

# mypy: disable-error-code="explicit-override"
# (typing.override is of Python 3.12)
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from memd.codegraph.facts import MODULE, TYPE_KINDS, Attr, Contextual, Expr, FileFacts, Flag, ImportSite, Name
from memd.codegraph.inheritance import substituted
from memd.codegraph.languages.java.names import ARRAY
from memd.codegraph.languages.java.outside import element_of, function_of, has_method, result_of, taken_by, takes
from memd.codegraph.languages.java.overloads import Overloads
from memd.codegraph.project import Project
from memd.codegraph.rules import Rules
from memd.codegraph.values import NOTHING, Cls, Ext, ExtObj, Func, Module, Obj, Value, Values, union

if TYPE_CHECKING:
    from memd.codegraph.places import Place
    from memd.codegraph.resolver import Resolver


class _Imports(NamedTuple):
    """What the head of a file says: simple names with what they mean in full, what is imported on demand.

    `roots` are the names that packages begin with, as far as they occur there.
    """

    package: str
    single: dict[str, tuple[str, ...]]
    on_demand: tuple[str, ...]
    roots: frozenset[str]


class JavaRules(Rules):
    """Java's rules."""

    class_names_visible: ClassVar[bool] = True

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._imports: dict[str, _Imports] = {}
        self._overloads: Overloads | None = None
        self._functions: dict[Obj, tuple[tuple[Values, ...], Values] | None] = {}
        self._declared: dict[str, dict[int, list[int]]] = {}
        self._top_level: dict[str, tuple[tuple[str, str, int], ...]] = {}
        self._types: dict[tuple[str, str], tuple[tuple[str, int], ...]] = {}

    # --- packages -----------------------------------------------------------------------------------------------

    def find_module(self, importer: str, module: str) -> tuple[str, ...]:
        """A package is the module of its dotted name and a slash, whether there is one or not."""
        return (f"{module}/",)

    def module_member(self, resolver: Resolver, key: str, name: str) -> Values:
        """A type of a package, or a package below it."""
        package = key[:-1]
        found = self._type(package, name, "")
        if found is not None:
            return (found,)
        if name[:1].islower() and "/" not in name:
            return (Module(f"{package}.{name}/"),)
        return (Ext(name),) if name[:1].isupper() else NOTHING

    def import_targets(self, resolver: Resolver, facts: FileFacts, site: ImportSite) -> Iterable[str]:
        """The file of the type that is imported, or whose member is; a package is no file."""
        dotted = ".".join((site.module, *site.names))
        found = self._longest(dotted, facts.path)
        return (found[0].path,) if found is not None else ()

    def _type(self, package: str, name: str, near: str) -> Cls | None:
        """Return the top-level type of a package, of several the one that lies nearest to a file."""
        key = (package, name)
        if key not in self._types:
            self._types[key] = tuple(self._of_package(package, name))
        candidates = self._types[key]
        if not candidates:
            return None
        if len(candidates) == 1:
            return Cls(*candidates[0])
        return Cls(*max(candidates, key=lambda candidate: _shared(candidate[0], near)))

    def _of_package(self, package: str, name: str) -> Iterable[tuple[str, int]]:
        if name not in self._top_level:
            self._top_level[name] = tuple(self._find_top_level(name))
        for other, path, index in self._top_level[name]:
            if other == package:
                yield path, index

    def _find_top_level(self, name: str) -> Iterable[tuple[str, str, int]]:
        """Yield package, path and index of every type of a name that lies in no other one."""
        for path, index in self.project.defining(name):
            facts = self.project.facts(path)
            if facts is None or facts.language != "java":
                continue
            symbol = facts.symbols[index]
            if symbol.parent == MODULE and symbol.kind in TYPE_KINDS:
                yield facts.extra.get("package", ""), path, index

    def _longest(self, dotted: str, near: str) -> tuple[Cls, list[str]] | None:
        """Return the top-level type that a dotted name begins with, and the names behind it."""
        parts = dotted.split(".")
        for count in range(len(parts)):
            found = self._type(".".join(parts[:count]), parts[count], near)
            if found is not None:
                return found, parts[count + 1 :]
        return None

    # --- names --------------------------------------------------------------------------------------------------

    def outer(self, resolver: Resolver, path: str, name: str) -> Values:
        """See the head of this module."""
        return resolver.answers.once(("outer", path, name), lambda: self._outer(resolver, path, name))

    def _outer(self, resolver: Resolver, path: str, name: str) -> Values:
        imports = self._imports_of(path)
        plain, _, arity = name.partition("/")
        # A method may be imported from several types; a type that is called as a method is means none.
        several = [one for one in imports.single.get(plain, ()) if not arity or _is_member(one)]
        found = union(*(self._dotted(resolver, f"{one}/{arity}" if arity else one, path) for one in several))
        if found:
            return found
        if not arity:
            same = self._type(imports.package, name, path)
            if same is not None:
                return (same,)
        for star in imports.on_demand:
            found = self._dotted(resolver, f"{star}.{name}", path, outside=False)
            if found:
                return found
        if several:
            return (Ext(name),)
        for star in imports.on_demand if arity else ():
            if star.rpartition(".")[2][:1].isupper() and self._longest(star, path) is None:
                return (Ext(f"{_simple(star)}.{name}"),)  # whoever else could have it has not
        if name in imports.roots:
            return (Module(f"{name}/"),)
        return (Ext(name),) if not arity and (name[:1].isupper() or name == "[]") else NOTHING

    def unbound(self, name: str) -> Values:
        """The first part of a package's name, in `org.junit.Assert.fail()`."""
        return (Module(f"{name}/"),) if "/" not in name and name[:1].islower() else NOTHING

    def _dotted(self, resolver: Resolver, dotted: str, near: str, *, outside: bool = True) -> Values:
        """Return what a dotted name means: a type or a member of one; where it begins with none, a type outside."""
        longest = self._longest(dotted, near)
        if longest is None:
            return (Ext(_simple(dotted)),) if outside else NOTHING
        values: Values = (longest[0],)
        for name in longest[1]:
            values = tuple(one for value in values for one in resolver.member(value, name))
        return values if outside else tuple(one for one in values if not isinstance(one, Ext))

    def _imports_of(self, path: str) -> _Imports:
        if path not in self._imports:
            facts = self.project.facts(path)
            single: dict[str, tuple[str, ...]] = {}
            on_demand: list[str] = []
            for site in facts.imports if facts is not None else ():
                if site.star:
                    on_demand.append(site.module)
                for name in site.names:
                    single[name] = (*single.get(name, ()), f"{site.module}.{name}")
            package = facts.extra.get("package", "") if facts is not None else ""
            roots = frozenset(dotted.partition(".")[0] for dotted in (package, *sum(single.values(), ()), *on_demand))
            self._imports[path] = _Imports(package, single, tuple(on_demand), roots)
        return self._imports[path]

    # --- types outside ------------------------------------------------------------------------------------------

    def call_outside(self, resolver: Resolver, outside: Ext, args: Callable[[int], Values]) -> Values:
        """What methods of the library give."""
        owner, _, name = outside.name.rpartition(".")
        if owner in _OWN:
            return _OWN[owner](name, outside.args)
        return result_of(resolver, outside, args)

    def element_outside(self, base: ExtObj) -> Values:
        """What an array or a collection holds."""
        return element_of(base)

    def outside_member(self, resolver: Resolver, cls: Cls, bases: tuple[Ext, ...], name: str) -> Values:
        """What the library tells of one of the bases; the first of them could have anything else."""
        if name in _OF_OBJECTS:
            return self.inherent_member(resolver, cls, name)
        known = next((base for base in bases if has_method(base.name, name)), bases[0])
        return (Ext(f"{known.name}.{name}", known.args),)

    def is_certain(self, member: Ext) -> bool:
        """What the library tells of, and what every object has."""
        owner, _, name = member.name.rpartition(".")
        return owner in _OWN or takes(owner, name)

    def contextual_outside(self, resolver: Resolver, callee: Value, expr: Contextual) -> Values:
        """What methods of the library call a lambda with; a constructor of the project does as it declares."""
        return taken_by(callee, expr.arg, expr.param) if isinstance(callee, Ext) else NOTHING

    def chosen(
        self, resolver: Resolver, values: Values, callee: Expr, args: tuple[Expr | None, ...], place: Place
    ) -> Values:
        """Overloads are chosen among by the types of the arguments."""
        name = callee.id if isinstance(callee, Name) else callee.name if isinstance(callee, Attr) else None
        functions = [value for value in values if isinstance(value, Func)]
        if name is None or not functions:
            return values
        if self._overloads is None:
            self._overloads = Overloads(resolver)
        others = tuple(value for value in values if not isinstance(value, Func))
        if not others and not self._overloads.differ(functions, name):
            return values
        given = [resolver.evaluate(one, place) for one in args]
        if others:  # imported from a type of the library as well, whose overloads nobody knows
            functions = [one for one in functions if self._overloads.takes(one, given)]
        return self._overloads.chosen(functions, name, given) or others

    def function_type(self, resolver: Resolver, value: Value) -> tuple[tuple[Values, ...], Values] | None:
        """A functional interface: of the library, or one of the project with a single method to implement."""
        if isinstance(value, ExtObj):
            return function_of(value)
        if not isinstance(value, Obj):
            return None
        if value not in self._functions:
            self._functions[value] = self._function_of(resolver, value)
        return self._functions[value]

    def _function_of(self, resolver: Resolver, value: Obj) -> tuple[tuple[Values, ...], Values] | None:
        line = resolver.ancestry.line(Cls(value.path, value.index, value.args))
        if resolver.symbol(line[0]).kind != "interface":
            return None
        for cls in line:
            wanted = self._to_implement(cls.path).get(cls.index, ())
            if len(wanted) == 1:
                env = resolver.ancestry.environment(cls)
                method = Func(cls.path, wanted[0], value, tuple(sorted(env.items())))
                count = len(resolver.symbol(method).params)
                taken = tuple(substituted(resolver.calls.parameter(method, i), env) for i in range(count))
                return taken, resolver.calls.result(method)
        for base in resolver.ancestry.outside(line[0]):
            found = function_of(ExtObj(base.name, base.args))
            if found is not None:
                return found
        return None

    def _to_implement(self, path: str) -> dict[int, list[int]]:
        """Return the methods without a body of each type of a file."""
        if path not in self._declared:
            found: dict[int, list[int]] = {}
            self._declared[path] = found
            facts = self.project.facts(path)
            for index, symbol in enumerate(facts.symbols if facts is not None else ()):
                if symbol.kind == "method" and symbol.flags & Flag.DECLARATION:
                    found.setdefault(symbol.parent, []).append(index)
        return self._declared[path]

    def inherent_member(self, resolver: Resolver, cls: Cls, name: str) -> Values:
        """What every object has, and every enum."""
        if name in _OF_OBJECTS:
            return (Ext(f"Object.{name}", ((Obj(cls.path, cls.index, cls.args),),)),)
        symbol = resolver.symbol(cls)
        if symbol.kind == "enum" and name in _OF_ENUMS:
            return (Ext(f"Enum.{name}", ((Obj(cls.path, cls.index),),)),)
        return NOTHING


_OF_OBJECTS: Final = frozenset(
    "clone/0 equals/1 finalize/0 getClass/0 hashCode/0 notify/0 notifyAll/0 toString/0 wait/0 wait/1 wait/2".split()
)
_OF_ENUMS: Final = frozenset("values/0 valueOf/1 valueOf/2 name/0 ordinal/0 compareTo/1 getDeclaringClass/0".split())


def _of_enum(name: str, args: tuple[Values, ...]) -> Values:
    if name == "values/0":
        return (ExtObj(ARRAY, args),)
    return args[0] if name.startswith("valueOf/") and args else NOTHING


def _of_object(name: str, args: tuple[Values, ...]) -> Values:
    if name == "getClass/0":
        return (ExtObj("Class", args),)
    return args[0] if name == "clone/0" and args else NOTHING


# What the members give that no source declares.
_OWN: Final[dict[str, Callable[[str, tuple[Values, ...]], Values]]] = {
    "Object": _of_object,
    "Enum": _of_enum,
}


def _shared(path: str, other: str) -> int:
    """Return how many folders two paths have in common, from the root."""
    count = 0
    for one, two in zip(path.split("/")[:-1], other.split("/")[:-1], strict=False):
        if one != two:
            break
        count += 1
    return count


def _is_member(dotted: str) -> bool:
    """Tell whether an imported name is one of a type's members: types are written large."""
    return dotted.rpartition(".")[0].rpartition(".")[2][:1].isupper()


def _simple(dotted: str) -> str:
    """Return a library's type by its simple name, with the types around it."""
    parts = dotted.split(".")
    for place, part in enumerate(parts):
        if part[:1].isupper():
            return ".".join(parts[place:])
    return parts[-1]
