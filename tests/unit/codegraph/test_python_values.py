"""What Python's builtins, standard library and expressions hand through."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph

FLEET = """
import asyncio, collections, contextlib, copy, dataclasses, enum, functools, itertools, typing
from typing import (
    Annotated, AsyncContextManager, AsyncIterator, Callable, ContextManager, Final, Generator, Iterable, Iterator,
    Mapping, NamedTuple, Optional, Self, Sequence, Type, TypeVar, Union, cast,
)
class Ship:
    hull: "Hull"
    def sail(self): ...
    def dock(self) -> "Harbour": ...
class Hull:
    def paint(self): ...
class Harbour:
    def open(self): ...
def build() -> Ship: ...
async def load() -> Ship: ...
"""


def calls(source: str, of: str = "main") -> set[str]:
    """What a function calls in a file with the fleet in it, without `build` and `load`."""
    found = {node.removeprefix("a.py::") for node in graph({"a.py": FLEET + source}).calls_of(f"a.py::{of}")}
    return found - {"build", "load", "Ship"}


@pytest.mark.parametrize(
    "statement",
    [
        "next(iter(ships)).sail()",
        "list(ships)[0].sail()",
        "tuple(ships)[0].sail()",
        "sorted(ships, key=str)[0].sail()",
        "max(ships).sail()",
        "[*reversed(ships)]; list(reversed(ships))[0].sail()",
        "for n, s in enumerate(ships): s.sail()",
        "for s, n in zip(ships, names): s.sail()",
        "for s in filter(None, ships): s.sail()",
        "for s in set(ships): s.sail()",
        "for s in itertools.chain(ships, ships): s.sail()",
        "for s in itertools.islice(ships, 2): s.sail()",
        "for s in (one for one in ships): s.sail()",
        "list(one for one in ships)[0].sail()",
        "{n: s for n, s in zip(names, ships)}['x'].sail()",
        "[s for s in ships][0].sail()",
        "{s for s in ships}.pop().sail()",
        "[build(), build()][0].sail()",
        "(build(), 1)[0].sail()",
        "{'x': build()}['x'].sail()",
        "{'x': build()}.get('x').sail()",
        "for s in {'x': build()}.values(): s.sail()",
        "for s in {build(): 1}.keys(): s.sail()",
        "for s, n in {build(): 1}.items(): s.sail()",
        "ships[1:][0].sail()",
        "ships.copy()[0].sail()",
        "ships.pop().sail()",
        "first, *rest = ships; first.sail()",
        "copy.copy(build()).sail()",
        "copy.deepcopy(build()).sail()",
        "cast('Ship', names).sail()",
        "cast(Ship, names).sail()",
        "type(build())().sail()",
        "(s := build()).sail()",
        "s = build() or None; s.sail()",
        "s = names and build(); s.sail()",
        "s = build() if names else None; s.sail()",
        "functools.partial(build)().sail()",
        "with contextlib.closing(build()) as s: s.sail()",
        "with contextlib.nullcontext(build()) as s: s.sail()",
        "try: s = build()\n    except ValueError: raise\n    else: s.sail()",
        "while s := build(): s.sail()",
        "for s in ships:\n        pass\n    else: ships[0].sail()",
        "del names; build().sail()",
        "global one; one = build(); one.sail()",
    ],
)
def test_a_value_is_followed_through(statement: str) -> None:
    assert calls(f"def main(ships: list[Ship], names: list[str]):\n    {statement}\n") == {"Ship.sail"}


@pytest.mark.parametrize(
    "statement",
    [
        "(await load()).sail()",
        "s = await asyncio.create_task(load()); s.sail()",
        "s = await asyncio.wait_for(load(), 1); s.sail()",
        "s = asyncio.run(load()); s.sail()",
        "async with asyncio.timeout(1): (await load()).sail()",
        "async for s in stream: s.sail()",
        "[s async for s in stream][0].sail()",
        "async with contextlib.AsyncExitStack() as stack: (await stack.enter_async_context(ready)).sail()",
    ],
)
def test_what_is_awaited_is_followed(statement: str) -> None:
    source = f"async def main(stream: AsyncIterator[Ship], ready: AsyncContextManager[Ship]):\n    {statement}\n"
    assert calls(source) == {"Ship.sail"}


@pytest.mark.parametrize(
    "declared",
    [
        "s: Annotated[Ship, 'flag']",
        "s: Final[Ship]",
        "s: Union[Ship, None]",
        "s: 'Optional[Ship]'",
        "s: 'Ship | None'",
        "s: Flag",
        "s: Ship = None",
        "*ships: Ship, s: Ship",
        "**named: Ship,",
        "s: T",
    ],
)
def test_a_declared_type_says_what_a_parameter_is(declared: str) -> None:
    source = f"T = TypeVar('T', bound=Ship)\nFlag = Ship\ndef main({declared.rstrip(',')}):\n    "
    source += "named['x'].sail()" if "named" in declared else "s.sail()"
    assert calls(source) == {"Ship.sail"}


@pytest.mark.parametrize(
    ("source", "called"),
    [
        ("def main(make: Callable[[], Ship]): make().sail()", {"Ship.sail"}),
        ("def main(cls: type[Ship]): cls().sail()", {"Ship.sail"}),
        ("def main(cls: Type['Ship']): cls().sail()", {"Ship.sail"}),
        ("def main(d: collections.defaultdict[str, Ship]): d['x'].sail()", {"Ship.sail"}),
        ("def main():\n    d = collections.defaultdict(Ship)\n    d['x'].sail()", {"Ship.sail"}),
        ("def main(q: collections.deque[Ship]): q.popleft().sail()", {"Ship.sail"}),
        ("def main(q: asyncio.Queue[Ship]): q.get_nowait().sail()", {"Ship.sail"}),
        ("def main(all: Mapping[str, Sequence[Ship]]): all['x'][0].sail()", {"Ship.sail"}),
        ("def main(all: tuple[Ship, ...]): all[3].sail()", {"Ship.sail"}),
        ("def main(both: tuple[int, Ship]):\n    n, s = both\n    s.sail()", {"Ship.sail"}),
        ("def main(all: Iterable[Ship]):\n    for s in all: s.sail()", {"Ship.sail"}),
        ("def main(m: ContextManager[Ship]):\n    with m as s: s.sail()", {"Ship.sail"}),
        ("def make() -> Iterator[Ship]: yield build()\ndef main():\n    for s in make(): s.sail()", {
            "make", "Ship.sail",
        }),
        ("@contextlib.contextmanager\ndef at() -> Iterator[Ship]: ...\ndef main():\n    with at() as s: s.sail()",
         {"at", "Ship.sail"}),
        ("@functools.lru_cache(maxsize=None)\ndef kept() -> Ship: ...\ndef main(): kept().sail()", {
            "kept", "Ship.sail",
        }),
        ("@functools.cache\ndef kept() -> Ship: ...\ndef main(): kept().sail()", {"kept", "Ship.sail"}),
        (("class Deck:\n    @functools.cached_property\n    def s(self) -> Ship: ...\n"
         "def main(d: Deck): d.s.sail()"), {"Ship.sail"}),
        ("@dataclasses.dataclass\nclass Deck:\n    s: Ship\ndef main(d: Deck): d.s.sail()", {"Ship.sail"}),
        (("@dataclasses.dataclass\nclass Deck:\n    s: Ship = dataclasses.field(default_factory=Ship)\n"
         "def main(d: Deck): d.s.sail()"), {"Ship.sail"}),
        ("class Deck(NamedTuple):\n    s: Ship\ndef main(d: Deck): d.s.sail()", {"Ship.sail"}),
        ("class Kind(enum.Enum):\n    A = 1\n    def go(self): ...\ndef main(): Kind.A.go()", {"Kind.go"}),
        ("class Deck:\n    def __getitem__(self, n) -> Ship: ...\ndef main(d: Deck): d[0].sail()", {"Ship.sail"}),
        ("class Deck:\n    def __call__(self) -> Ship: ...\ndef main(d: Deck): d().sail()", {
            "Deck.__call__", "Ship.sail",
        }),
        ("class Deck:\n    def __iter__(self) -> Iterator[Ship]: ...\ndef main(d: Deck):\n    for s in d: s.sail()", {
            "Ship.sail",
        }),
        ("class Deck:\n    def __truediv__(self, n) -> Ship: ...\ndef main(d: Deck): (d / 'x').sail()", {"Ship.sail"}),
        ("class Deck:\n    def __enter__(self) -> Ship: ...\ndef main(d: Deck):\n    with d as s: s.sail()", {
            "Ship.sail",
        }),
        ("class Deck:\n    def me(self) -> Self: ...\n    def go(self): ...\ndef main(d: Deck): d.me().go()", {
            "Deck.me", "Deck.go",
        }),
        (("class Deck(Ship):\n    @classmethod\n    def make(cls): super().sail()\n"
         "def main(): Deck.make()"), {"Deck.make"}),
        ("class Deck[T]:\n    def get(self) -> T: ...\ndef main(d: Deck[Ship]): d.get().sail()", {
            "Deck.get", "Ship.sail",
        }),
        ("type Flag = Ship\ndef main(s: Flag): s.sail()", {"Ship.sail"}),
        ("def main():\n    return lambda s=build(): s.sail()", {"Ship.sail"}),
        ("def main(x):\n    if isinstance(x, (Ship, Hull)): x.sail()", {"Ship.sail"}),
        ("def main(x: Ship | Hull):\n    if isinstance(x, Hull): x.paint()\n    else: x.sail()", {
            "Ship.sail", "Hull.paint",
        }),
        ("def main(f: Generator[int, Ship, None]):\n    f.send(build())", set()),
        ("def main() -> Generator[int, Ship, None]:\n    s = yield 1\n    s.sail()", {"Ship.sail"}),
        ("def main():\n    'a' 'b'.sail(); b'c'.sail(); (1).sail(); None.sail(); (not 1).sail()", set()),
    ],
)  # fmt: skip
def test_what_a_declaration_promises_is_followed(source: str, called: set[str]) -> None:
    assert calls(source) == called


def test_relative_names_go_up_by_their_dots_and_top_level_ones_are_looked_for_around_the_importer() -> None:
    found = graph(
        {
            "app/pkg/__init__.py": "",
            "app/pkg/deep/main.py": """
            from .. import tide
            from ..moon import rise
            from helper import help
            import beside
            def main():
                tide.low(); rise(); help(); beside.lie()
            """,
            "app/pkg/deep/beside.py": "def lie(): ...",
            "app/pkg/tide.py": "def low(): ...",
            "app/pkg/moon.pyi": "def rise(): ...",
            "app/helper.py": "def help(): ...",
        }
    )
    assert found.calls_of("app/pkg/deep/main.py::main") == {
        "app/pkg/tide.py::low",
        "app/pkg/moon.pyi::rise",
        "app/helper.py::help",
        "app/pkg/deep/beside.py::lie",
    }


def test_a_folder_without_an_init_is_a_package_all_the_same() -> None:
    found = graph(
        {
            "yard/dock.py": "def go(): ...",
            "main.py": "import yard.dock\nfrom yard import dock as d\ndef main():\n    yard.dock.go(); d.go()",
        }
    )
    assert found.calls_of("main.py::main") == {"yard/dock.py::go"}
    assert found.edges("imports") == {("main.py", "yard/dock.py")}


CLASSES = """
from typing import Any, Callable, TypeVar, overload
T = TypeVar("T")
B = TypeVar("B", bound="Boat")
class Boat:
    def sail(self) -> None: ...
    @classmethod
    def build(cls): return cls()
def make(kind: type[T], *args: Any) -> T: return kind()
def launch(n: int, /, kind: type[B]) -> B: return kind.build()
@overload
def called(kind: Callable[..., T], n: int) -> T: ...
@overload
def called(kind: int, n: int) -> int: ...
def called(kind: Any, n: int) -> Any: ...
"""


@pytest.mark.parametrize("given", ["make(Boat)", "make(Boat, 1)", "launch(1, Boat)", "called(Boat, 1)"])
def test_what_a_function_makes_of_a_class_that_it_is_given_is_an_instance_of_it(given: str) -> None:
    for body in (f"{given}.sail()", f"boat = {given}\n    boat.sail()"):
        made = graph({"a.py": f"{CLASSES}\ndef main():\n    {body}\n"})
        assert "a.py::Boat.sail" in made.calls_of("a.py::main")


def test_a_class_that_a_function_is_given_has_what_it_is_known_to_be_at_least() -> None:
    assert "a.py::Boat.build" in graph({"a.py": CLASSES}).calls_of("a.py::launch")
