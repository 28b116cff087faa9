"""Macros of other files: where C and C++ are not understood because of them, everything else is."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Node

from memd.codegraph.languages.c.suspects import errors, without_arguments, without_words
from memd.codegraph.parse import _grammar
from memd.codegraph.registry import LANGUAGES
from tests.unit.codegraph.trees import graph

AROUND = """
namespace pier {{
{}
class Lamp {{
 public:
  void light();
}};
void run(Lamp& lamp) {{ lamp.light(); }}
}}  // namespace pier
"""


@pytest.mark.parametrize(
    "words",
    [
        'void log(const char* s) { print("at " PIER_PLACE ": " PIER_END, s); }',
        "PIER_INLINE_ PIER_NO_TAIL_CALL_ std::string where(int n);",
        'void f() {\n  PIER_THROWS(throw 1, int);\n  PIER_NOTHING(;);\n  PIER_FAILS({ int n = 1; }, "n");\n}',
        "class Mast {\n public:\n  PIER_WARN_OFF(4180)\n\n  // What it does.\n  void up();\n\n  PIER_WARN_ON()\n};",
        "enum Kind {\n#define XX(a, b) KIND_##a,\n  PIER_KINDS(XX)\n#undef XX\n  KIND_LAST\n};",
        "struct Buoy {\n  PIER_FIELDS\n  PIER_MORE_FIELDS\n  PIER_EVEN_MORE_FIELDS\n};",
        "class Rope {\n#ifdef PIER_OPEN\npublic:\n#else\nprivate:\n#endif\n  class Knot { int n; };\n};",
        "template <typename T>\nclass [[nodiscard]] Net<T*> { T* held; };",
        "void g(int n) {\n#ifdef PIER_DEEP\n  if (n > 1)\n#else\n  if (n)\n#endif\n  { run_out(n); }\n}",
        '#define PIER_FIXTURE(T, n) \\\n  class n { /* no */ \\\n    const char* s() { return #T "/" #n; } \\\n  }',
        "#define PIER_TAKES(a, \\\n                   b) \\\n  f(a, b)",
        "#define PIER_SET \\\n  1 /* goes on\n          over lines */",
        "class Q : public Object {\n  Q_OBJECT\n public slots:\n  void up();\n signals:\n  void risen();\n};",
    ],
    ids=lambda words: words.split("\n")[0][:40],
)
def test_what_stands_around_a_macro_of_another_file_is_found(words: str) -> None:
    made = graph({"a.cc": AROUND.format(words)})
    assert "a.cc::run" in made.symbols()
    assert "a.cc::Lamp.light" in made.symbols()
    assert made.calls_of("a.cc::run") == {"a.cc::Lamp.light"}


def test_a_macro_that_is_understood_is_left_alone() -> None:
    source = b"int f(void) { return PIER_MOST + PIER_DOUBLE(2); }\n"
    tree = _grammar(LANGUAGES["c"]).parse(source).root_node
    assert not list(errors(tree))
    assert without_words(source, tree) == without_arguments(source, tree) == source


def test_an_operand_is_not_taken_away_and_every_byte_keeps_its_place() -> None:
    source = b"int f(void) { int n = 2 * PIER_MOST ] ; g(1, PIER_LEAST; }\n"
    tree = _grammar(LANGUAGES["c"]).parse(source).root_node
    assert list(errors(tree))
    without = without_words(source, tree)
    assert len(without) == len(source)
    assert b"2 * PIER_MOST" in without


def test_members_of_a_class_in_namespaces_that_are_only_named_belong_to_the_class() -> None:
    made = graph(
        {
            "sink.h": "namespace quay { namespace sinks { template <typename M> class base { void put(); }; } }\n",
            "sink-inl.h": '#include "sink.h"\ntemplate <typename M> void quay::sinks::base<M>::put() {}\n',
            "mast.cc": "struct outer { struct inner { void up(); }; };\nvoid quay::outer::inner::up() {}\n",
        }
    )
    assert {"sink-inl.h::base.put", "mast.cc::outer.inner.up"} <= set(made.symbols())


def test_a_special_case_of_a_class_inherits_from_the_class_itself() -> None:
    made = graph(
        {
            "core.h": "namespace quay { template <typename T> struct printer { void put(); }; }\n",
            "time.h": '#include "core.h"\nnamespace quay {\nstruct tide {};\n'
            "template <> struct printer<tide> : printer<int> {};\n}\n",
        }
    )
    assert made.edges("inherits") == {("time.h::printer", "core.h::printer")}


@pytest.mark.parametrize("library", ["fmt", "testing", "absl"])
def test_a_project_may_be_a_well_known_library_itself(library: str) -> None:
    made = graph(
        {
            "lib.h": f"namespace {library} {{ class Text {{ public: int size(); }}; Text make(); }}\n",
            "use.cc": f'#include "lib.h"\nint run() {{ return {library}::make().size(); }}\n',
            "other.cc": f"int also() {{ return {library}::make().size(); }}\n",
        }
    )
    assert made.calls_of("use.cc::run") == {"lib.h::make", "lib.h::Text.size"}
    assert made.calls_of("other.cc::also") == set()


def test_what_is_asked_of_the_whole_file_is_asked_once_however_many_errors_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def counted(source: bytes) -> frozenset[str]:
        asked.append(len(source))
        return frozenset()

    monkeypatch.setattr("memd.codegraph.languages.cpp.definitions.namespaces_in", counted)
    source = "#include <quay.h>\n" + "LAMP_CHECK(a, b\n" * 500
    made = graph({"quay.h": "int lit();\n", "a.cc": source})
    assert asked == [len(source)]
    assert made.edges("imports") == {("a.cc", "quay.h")}
    assert made.facts["a.cc"].error_nodes


@given(
    lines=st.lists(
        st.sampled_from(
            [
                "int f(void) { return 1; }",
                "PIER_OPEN(a) {",
                "}",
                "struct s { PIER_MEMBERS int a; };",
                "#if PIER",
                "#endif",
            ]
        ),
        max_size=12,
    ),
    data=st.data(),
)
def test_a_tree_made_of_an_earlier_one_is_that_of_the_source_alone(lines: list[str], data: st.DataObject) -> None:
    source = "".join(f"{line}\n" for line in lines).encode()
    words = list(re.finditer(rb"PIER_?\w*", source))
    cut = bytearray(source)
    for word in data.draw(st.lists(st.sampled_from(words), unique=True)) if words else ():
        cut[slice(*word.span())] = b" " * len(word[0])
    grammar = _grammar(LANGUAGES["c"])
    made = grammar.parse_again(source, grammar.parse(source), bytes(cut)).root_node
    assert _places(made) == _places(grammar.parse(bytes(cut)).root_node)


def _places(node: Node) -> list[object]:
    return [node.type, node.start_point, node.end_point, node.is_missing, [_places(one) for one in node.children]]
