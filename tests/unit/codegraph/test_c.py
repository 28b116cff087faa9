from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.codegraph.languages.c.conditionals import repaired, resolved
from memd.codegraph.languages.c.extract import prepare
from tests.unit.codegraph.trees import graph

HEADER = """
#ifndef QUAY_H
#define QUAY_H
#ifdef __cplusplus
extern "C" {
#endif
struct quay;
typedef struct quay quay_t;
QUAY_API int quay_open(struct quay *q, const char *name);
void quay_log(const char *format, ...) QUAY_PRINTF(1, 2);
#ifdef __cplusplus
}
#endif
#endif
"""


def test_a_call_goes_to_the_definition_though_only_a_header_is_included() -> None:
    made = graph(
        {
            "include/quay.h": HEADER,
            "src/quay.c": '#include "quay.h"\nint quay_open(struct quay *q, const char *name) { return 1; }\n',
            "src/main.c": "#include <quay.h>\nint main(void) { return quay_open(0, 0); }\n",
        }
    )
    assert made.calls_of("src/main.c::main") == {"src/quay.c::quay_open"}
    assert ("src/main.c", "include/quay.h") in made.edges("imports")


def test_a_function_that_is_declared_only_is_a_node_where_it_is_declared() -> None:
    made = graph({"quay.h": HEADER, "main.c": '#include "quay.h"\nint main(void) { quay_log("x"); return 0; }\n'})
    assert made.calls_of("main.c::main") == {"quay.h::quay_log"}


def test_a_static_function_is_its_files_own() -> None:
    source = "static int tide(void) { return 1; }\nint main_NAME(void) { return tide(); }\n"
    made = graph({f"{name}.c": source.replace("NAME", name) for name in ("a", "b")})
    assert made.calls_of("a.c::main_a") == {"a.c::tide"}
    assert made.calls_of("b.c::main_b") == {"b.c::tide"}


def test_what_no_include_declares_is_no_edge() -> None:
    made = graph({"a.c": "int tide(void) { return 1; }\n", "b.c": "int main(void) { return tide(); }\n"})
    assert made.calls_of("b.c::main") == set()
    assert ("b.c::main", "tide") in made.unresolved()


@pytest.mark.parametrize(
    "code",
    [
        "int main(int (*tide)(void)) { return tide(); }",
        "int main(void) { int (*tide)(void) = 0; return tide(); }",
        "struct s { int (*tide)(void); }; int main(struct s *x) { return x->tide(); }",
    ],
)
def test_a_pointer_to_a_function_is_not_the_function_of_its_name(code: str) -> None:
    made = graph({"a.c": f"int tide(void) {{ return 1; }}\n{code}\n"})
    assert made.calls_of("a.c::main") == set()


def test_structs_are_named_by_tag_or_typedef() -> None:
    made = graph(
        {"a.c": "struct a { int x; };\ntypedef struct { int y; } b;\ntypedef struct c { int z; } c_t;\nenum e { X };\n"}
    )
    assert made.symbols() == {"a.c::a": "struct", "a.c::b": "struct", "a.c::c": "struct", "a.c::e": "enum"}


def test_directives_in_the_middle_of_lists_and_expressions_do_not_lose_the_file() -> None:
    made = graph(
        {
            "a.c": """
            int deep(int x) { return x; }
            static const int table[] = {
            #ifdef WITH_A
                1,
            #else
                2,
            #endif
            #include "more.h"
            };
            int first(int x) {
            #ifdef SLOW
                if (deep(x)) {
            #else
                if (x) {
            #endif
                    return deep(x +
            #ifdef HAVE_Y
                        2
            #else
                        3
            #endif
                    );
                }
                return 0;
            }
            int second(void) { return first(1); }
            """,
            "more.h": "3, 4\n",
        }
    )
    assert made.calls_of("a.c::first") == {"a.c::deep"}
    assert made.calls_of("a.c::second") == {"a.c::first"}
    assert ("a.c", "more.h") in made.edges("imports")


def test_a_name_in_parentheses_behind_a_macro_is_declared() -> None:
    made = graph(
        {
            "quay.h": "QUAY_API int (quay_open) (const char *name);\nQUAY_API void (quay_log) (int level);\n",
            "quay.c": '#include "quay.h"\nQUAY_API int quay_open(const char *name) { return 1; }\n',
            "main.c": '#include "quay.h"\nint main(void) { return quay_open(0); }\n',
        }
    )
    assert made.calls_of("main.c::main") == {"quay.c::quay_open"}


def test_a_macro_before_a_block_is_no_function_in_a_function() -> None:
    made = graph(
        {
            "a.c": "int step(int i) { return i; }\n"
            "int run(int i) { for (;;) { dispatch (KIND(i)) { step(i); } step(1); } }\n"
        }
    )
    assert made.calls_of("a.c::run") >= {"a.c::step"}
    assert set(made.symbols()) == {"a.c::step", "a.c::run"}


def test_each_term_of_a_condition_is_weighed() -> None:
    made = graph(
        {
            "a.c": "int deep(int x) { return x; }\n"
            "int run(int x) {\n"
            "#if defined(QUAY_OLD) || !defined(QUAY_PLAIN)\n"
            "    if (x) {\n"
            "#else\n"
            "    {\n"
            "#endif\n"
            "        return deep(x); }\n"
            "    return 0;\n"
            "}\n"
        }
    )
    assert made.calls_of("a.c::run") == {"a.c::deep"}


@pytest.mark.parametrize("cut", [prepare, repaired, resolved])
@pytest.mark.parametrize("part", [b"* ", b"a ", b"x) ", b"AAAA ", b"a(", b"a<", b"a::", b"<b>", b"const ", b"/*"])
def test_a_very_long_line_is_prepared_in_one_go(cut, part: bytes) -> None:  # type: ignore[no-untyped-def]
    before = b"QUAY_API int " + part * (100_000 // len(part))
    assert len(cut(before)) == len(before)


@pytest.mark.parametrize("cut", [prepare, repaired, resolved])
@given(text=st.text("#ifendlse \n\\\"'/*{}();,=ABCDEFab<>~:01\t", max_size=200))
def test_blanking_out_keeps_every_byte_in_its_place(cut, text: str) -> None:  # type: ignore[no-untyped-def]
    before = text.encode()
    after = cut(before)
    assert len(after) == len(before)
    assert all(one == other or one == 32 for one, other in zip(after, before, strict=True))
    assert after.count(b"\n") == before.count(b"\n")


@pytest.mark.parametrize(
    "declared",
    [
        "void printflike(1, 2) log_it(const char *, ...);",
        "char *printflike(1, 2)\nlog_it(const char *, ...);",
        "__dead void printflike(1, 2) log_it(const char *, ...);",
        "extern __cold int log_it(const char *, ...);",
        "void log_it(const char *, ...) printf_like(1, 2);",
    ],
)
def test_macros_that_say_something_of_a_function_are_no_part_of_it(declared: str) -> None:
    made = graph(
        {
            "log.h": f"{declared}\n",
            "log.c": '#include "log.h"\nvoid\nlog_it(const char *m, ...)\n{\n}\n',
            "main.c": '#include "log.h"\nint main(void) {\n  if (check(\n      1)) add(1, 2);\n  log_it("x");\n}\n',
        }
    )
    assert made.calls_of("main.c::main") == {"log.c::log_it"}
    assert ("main.c::main", "add") in made.unresolved()
