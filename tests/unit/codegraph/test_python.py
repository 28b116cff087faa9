from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph


def _calls(source: str, of: str = "main") -> set[str]:
    return {node.removeprefix("a.py::") for node in graph({"a.py": source}).calls_of(f"a.py::{of}")}


SHIP = """
class Ship:
    name: str
    def __init__(self): ...
    def sail(self): ...
    @property
    def hull(self) -> "Hull": ...
    @classmethod
    def build(cls): return cls()
    def refit(self): return self

class Hull:
    def paint(self): ...

class Tug(Ship):
    def tow(self): ...
"""


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("def main(s: Ship): s.sail()", {"Ship.sail"}),
        ("def main(s: 'Ship'): s.sail()", {"Ship.sail"}),
        ("def main(s: Ship | None): s.sail()", {"Ship.sail"}),
        ("from typing import Optional\ndef main(s: Optional['Ship']): s.sail()", {"Ship.sail"}),
        ("def main():\n    s = Ship()\n    s.sail()", {"Ship", "Ship.sail"}),
        ("def main(): Ship().hull.paint()", {"Ship", "Hull.paint"}),
        ("def main(t: Tug): t.sail()", {"Ship.sail"}),
        ("def main(): Tug.build().tow()", {"Ship.build", "Tug.tow"}),
        ("def main(t: Tug): t.refit().tow()", {"Ship.refit", "Tug.tow"}),
        ("def main(fleet: list[Ship]):\n    for s in fleet: s.sail()", {"Ship.sail"}),
        ("def main(fleet: dict[str, Ship]):\n    for n, s in fleet.items(): s.sail()", {"Ship.sail"}),
        ("def main(fleet: dict[str, Ship]): fleet['x'].sail()", {"Ship.sail"}),
        ("def main(fleet: list[Ship]): [s.sail() for s in fleet]", {"Ship.sail"}),
        ("def main():\n    fleet = [Ship() for _ in 'ab']\n    fleet[0].sail()", {"Ship", "Ship.sail"}),
        ("def main(fleet: list[Ship]):\n    old = [s for s in fleet if s.name]\n    old[0].sail()", {"Ship.sail"}),
        ("def main(s):\n    if isinstance(s, Ship): s.sail()", {"Ship.sail"}),
        ("def main(s):\n    assert isinstance(s, Ship)\n    s.sail()", {"Ship.sail"}),
        ("def main(s):\n    if not isinstance(s, Ship):\n        return\n    s.sail()", {"Ship.sail"}),
        ("def main(s):\n    s.sail()", set()),
        ("def main(a: Ship, b: Hull):\n    a = b\n    a.paint()", {"Hull.paint"}),
        ("from typing import cast\ndef main(x): cast(Ship, x).sail()", {"Ship.sail"}),
        ("def main(s: Ship):\n    t = s if s else Hull()\n    t.sail()", {"Hull", "Ship.sail"}),
    ],
)
def test_a_method_is_found_by_the_type_of_its_receiver(code: str, called: set[str]) -> None:
    assert _calls(SHIP + code) == called


def test_a_name_that_means_two_things_in_branches_is_either() -> None:
    source = SHIP + "def main(x):\n    s = Ship()\n    if x:\n        s = Hull()\n    s.sail()\n    s.paint()"
    assert {"Ship.sail", "Hull.paint"} <= _calls(source)


def test_a_field_is_known_by_what_a_method_puts_into_it() -> None:
    source = SHIP + "class Yard:\n    def __init__(self, s: Ship): self.s = s\n    def main(self): self.s.sail()"
    assert _calls(source, "Yard.main") == {"Ship.sail"}


def test_super_is_the_next_class_behind() -> None:
    source = SHIP + "class Ferry(Ship):\n    def __init__(self): super().__init__()"
    assert _calls(source, "Ferry.__init__") == {"Ship.__init__"}


def test_what_a_context_manager_gives_is_followed() -> None:
    source = """
        from contextlib import contextmanager
        class Lock:
            def __enter__(self): return self
            def hold(self): ...
        @contextmanager
        def locked():
            yield Lock()
        def main():
            with Lock() as a: a.hold()
            with locked() as b: b.hold()
    """
    assert _calls(source) == {"Lock", "Lock.hold", "locked"}


def test_what_is_awaited_is_followed() -> None:
    source = SHIP + "async def fetch() -> Ship: ...\nasync def main():\n    s = await fetch()\n    s.sail()"
    assert _calls(source) == {"fetch", "Ship.sail"}


def test_a_type_parameter_stands_for_what_the_class_is_given() -> None:
    source = """
        from typing import Generic, TypeVar
        T = TypeVar("T")
        class Box(Generic[T]):
            def get(self) -> T: ...
        class Ship:
            def sail(self): ...
        class ShipBox(Box[Ship]): ...
        def main(a: Box[Ship], b: ShipBox):
            a.get().sail()
            b.get().sail()
    """
    assert _calls(source) == {"Box.get", "Ship.sail"}


def test_a_decorator_that_gives_another_type_gives_its_members() -> None:
    source = """
        class Command:
            def attach(self): ...
        def command(f) -> Command: ...
        def plain(f):
            def wrapper(*args): return f(*args)
            return wrapper
        @command
        def build(): ...
        @plain
        def test(): ...
        def main():
            build.attach()
            test()
    """
    assert _calls(source) == {"Command.attach", "test"}


def test_the_code_of_decorators_belongs_outside_and_that_of_defaults_inside() -> None:
    source = "def d(x): return x\ndef e(): ...\n@d(1)\ndef f(x=e()): ..."
    edges = graph({"a.py": source}).edges("calls")
    assert edges == {("a.py", "a.py::d"), ("a.py::f", "a.py::e")}


def test_nested_definitions_are_named_by_what_is_around_them() -> None:
    source = "class A:\n    class B:\n        def m(self):\n            def inner(): ...\n            inner()"
    found = graph({"a.py": source})
    assert found.symbols() == {
        "a.py::A": "class",
        "a.py::A.B": "class",
        "a.py::A.B.m": "method",
        "a.py::A.B.m.inner": "function",
    }
    assert found.calls_of("a.py::A.B.m") == {"a.py::A.B.m.inner"}


def test_a_class_is_no_scope_for_the_code_of_its_methods() -> None:
    source = "def f(): ...\nclass A:\n    def f(self): ...\n    def main(self): f()"
    assert _calls(source, "A.main") == {"f"}


def test_names_are_followed_through_packages_that_give_them_on() -> None:
    found = graph(
        {
            "src/fleet/__init__.py": "from .ships import *\nfrom .yards import Yard as Dock\n",
            "src/fleet/ships.py": "class Ship:\n    def sail(self): ...\n",
            "src/fleet/yards.py": "from .ships import Ship\nclass Yard:\n    def make(self) -> Ship: ...\n",
            "tests/test_fleet.py": "import fleet\ndef test_it():\n    fleet.Dock().make().sail()\n    fleet.Ship()\n",
        }
    )
    assert found.calls_of("tests/test_fleet.py::test_it") == {
        "src/fleet/yards.py::Yard",
        "src/fleet/yards.py::Yard.make",
        "src/fleet/ships.py::Ship",
        "src/fleet/ships.py::Ship.sail",
    }
    assert found.edges("imports") == {
        ("src/fleet/__init__.py", "src/fleet/ships.py"),
        ("src/fleet/__init__.py", "src/fleet/yards.py"),
        ("src/fleet/yards.py", "src/fleet/ships.py"),
        ("tests/test_fleet.py", "src/fleet/__init__.py"),
    }


def test_an_import_of_a_submodule_goes_to_its_file() -> None:
    found = graph({"p/__init__.py": "", "p/m.py": "x = 1", "a.py": "from p import m, y\nimport p.m\n"})
    assert found.edges("imports") == {("a.py", "p/m.py"), ("a.py", "p/__init__.py")}


def test_packages_that_import_each_other_are_followed_once() -> None:
    found = graph({"a.py": "from b import *\ndef f(): g()\n", "b.py": "from a import *\ndef g(): f()\n"})
    assert found.edges("calls") == {("a.py::f", "b.py::g"), ("b.py::g", "a.py::f")}


def test_what_leads_out_of_the_tree_makes_no_edge_and_is_not_missed() -> None:
    found = graph({"a.py": "import os\ndef main(x):\n    os.path.join('a')\n    x.sail()\n"})
    assert not found.edges("calls")
    assert found.unresolved() == {("a.py::main", "x.sail")}


def test_bases_are_found_with_their_arguments_and_behind_modules() -> None:
    found = graph(
        {
            "base.py": "from typing import Generic, TypeVar\nT = TypeVar('T')\nclass Base(Generic[T]): ...\n",
            "a.py": "import base\nclass A(base.Base[int], metaclass=type): ...\nclass B(A): ...\n",
        }
    )
    assert found.edges("inherits") == {("a.py::A", "base.py::Base"), ("a.py::B", "a.py::A")}


def test_an_edge_tells_its_line_and_how_sure_it_is() -> None:
    found = graph({"a.py": SHIP + "def main(s: Ship):\n    main(s)\n    s.sail()\n"})
    told = {edge.dst: edge for one in found.resolutions for edge in one.edges if edge.src == "a.py::main"}
    assert told["a.py::main"].confidence == 1.0
    assert told["a.py::Ship.sail"].confidence < 1.0
    assert told["a.py::Ship.sail"].line == told["a.py::main"].line + 1


def test_broken_source_gives_what_stands_around_the_fault() -> None:
    found = graph({"a.py": "def f(): ...\ndef g(:\n    f(\ndef h():\n    f()\n"})
    assert "a.py::f" in found.symbols()
    assert found.facts["a.py"].error_nodes


@pytest.mark.parametrize("name", ["Buffer", "Frame", "Router", "rub", "f", "U"])
@pytest.mark.parametrize("quote", ['"', "'", '"""'])
def test_an_annotation_in_quotes_keeps_all_of_its_letters(name: str, quote: str) -> None:
    made = graph({"a.py": f"class {name}:\n    def lit(self): ...\n\ndef run(x: {quote}{name}{quote}):\n    x.lit()\n"})
    assert made.calls_of("a.py::run") == {f"a.py::{name}.lit"}


@pytest.mark.parametrize("written", ['"""Return the rub."""', 'r"""Return the rub."""', "'Return the rub.'"])
def test_what_a_docstring_says_keeps_all_of_its_letters(written: str) -> None:
    made = graph({"a.py": f"def run():\n    {written}\n"})
    assert made.facts["a.py"].symbols[0].doc == "Return the rub."


INHERITED = """
    class Parser:
        def fail(self): ...

    class Extension:
        def parse(self, parser: Parser, *names: str): ...

    class Further(Extension):
        def parse(self, parser, *names):
            parser.fail()

    class Other:
        def parse(self, parser):
            parser.fail()
    """


def test_a_parameter_of_which_a_method_says_nothing_is_what_the_one_that_it_overrides_says() -> None:
    made = graph({"a.py": INHERITED})
    assert made.calls_of("a.py::Further.parse") == {"a.py::Parser.fail"}
    assert made.calls_of("a.py::Other.parse") == set()
