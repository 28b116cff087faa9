from __future__ import annotations

import pytest

from memd.codegraph.languages.fallback import LANGUAGES
from memd.codegraph.parse import extract
from tests.unit.codegraph.trees import graph


@pytest.mark.parametrize(
    ("path", "source", "symbols"),
    [
        (
            "a.rb",
            "module Harbor\n  class Ship\n    def sail(n)\n      1\n    end\n  end\nend\n",
            {"a.rb::Harbor": "namespace", "a.rb::Harbor.Ship": "class", "a.rb::Harbor.Ship.sail": "method"},
        ),
        (
            "a.php",
            "<?php\nclass Ship {\n  function sail($n) { return 1; }\n}\nfunction moor($x) {}\n",
            {"a.php::Ship": "class", "a.php::Ship.sail": "method", "a.php::moor": "function"},
        ),
        (
            "a.cs",
            "namespace Harbor { class Ship : Hull { void Sail(int n) {} } interface IHull { } enum Tide { Low } }\n",
            {
                "a.cs::Harbor": "namespace",
                "a.cs::Harbor.Ship": "class",
                "a.cs::Harbor.Ship.Sail": "method",
                "a.cs::Harbor.IHull": "interface",
                "a.cs::Harbor.Tide": "enum",
            },
        ),
        (
            "a.kt",
            "class Ship(val n: Int) {\n  fun sail(n: Int): Int { return 1 }\n}\nfun moor(x: Int) {}\n",
            {"a.kt::Ship": "class", "a.kt::Ship.sail": "method", "a.kt::moor": "function"},
        ),
        ("a.lua", "function moor(x)\n  return x\nend\n", {"a.lua::moor": "function"}),
        ("a.sh", "moor() {\n  echo x\n}\n", {"a.sh::moor": "function"}),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("a.") else "",
)
def test_symbols_are_found_by_what_node_types_are_called(path: str, source: str, symbols: dict[str, str]) -> None:
    assert graph({path: source}).symbols() == symbols


def test_reasons_are_found_in_any_language() -> None:
    facts = graph({"a.rb": "# WHY: the office has no server\ndef sail(n)\n  1\nend\n"}).facts["a.rb"]
    assert [(one.tag, one.text) for one in facts.comments] == [("WHY", "the office has no server")]


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_grammar_can_be_asked(language: object) -> None:
    made = extract("x", b"x = 1\n", language)  # type: ignore[arg-type]
    assert made.calls == ()
