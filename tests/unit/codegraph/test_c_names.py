"""What names mean in C: which header an include names, and what macros make of the functions around them."""

from __future__ import annotations

import pytest

from memd.codegraph.languages.c.defaults import macros_by_default, of_both_kinds
from tests.unit.codegraph.trees import Graph, graph


def _tree(header: str, main: str, at: str = "lib/quay.h", include: str = "<quay.h>") -> Graph:
    return graph({at: header, "tests/main.c": f"#include {include}\nint main(void) {{ {main} }}\n"})


def test_a_header_in_brackets_is_the_projects_own_wherever_it_lies() -> None:
    made = _tree("int moor(int berth);\n", "return moor(1);")
    assert made.edges("imports") == {("tests/main.c", "lib/quay.h")}
    assert made.calls_of("tests/main.c::main") == {"lib/quay.h::moor"}


@pytest.mark.parametrize(("at", "found"), [("src/string.h", False), ("src/include/string.h", True), ("string.h", True)])
def test_a_header_of_the_library_is_the_projects_own_only_where_compilers_are_told_to_look(
    at: str, found: bool
) -> None:
    made = _tree("int moor(int berth);\n", "return 0;", at, "<string.h>")
    assert made.edges("imports") == ({("tests/main.c", at)} if found else set())


def test_of_headers_for_several_systems_the_one_for_most_is_meant() -> None:
    made = graph({
        "os/unix/quay_os.h": "int moor(int);\n", "os/win32/quay_os.h": "int moor(int);\n",
        "main.c": "#include <quay_os.h>\nint main(void) { return moor(1); }\n",
    })  # fmt: skip
    assert made.calls_of("main.c::main") == {"os/unix/quay_os.h::moor"}


@pytest.mark.parametrize(
    "declared",
    [
        "QUAYAPI(int)\nmoor(int berth, int crew);",
        "QUAYAPI(const char *)\nmoor(void);",
        "int quay_call moor(int berth, ...);",
        "u_char * quay_call moor(u_char *at, int n);",
        "static quay_inline berth_t\nmoor(int n)\n{\n    (void) n;\n}",
        "#define log(level, args...) write(level, args)\nint moor(int berth);",
        "int moor(int berth MT);\n#ifdef T\n#define MT , int thread\n#else\n#define MT /* none */\n#endif",
        "struct s {\n    int a;\n    QUAY_MORE(5)\n    QUAY_END\n};\nint moor(int berth);",
    ],
)
def test_a_macro_around_a_declaration_takes_nothing_with_it(declared: str) -> None:
    made = _tree(f"int before(void);\n{declared}\nint after(void);\n", "before(); moor(1); after();")
    assert made.calls_of("tests/main.c::main") == {f"lib/quay.h::{name}" for name in ("before", "moor", "after")}


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("#if (QUAY_HAVE_VARIADIC)\n#define moor(n) tie(n)\n#else\nvoid moor(int n);\n#endif\n", "macro"),
        ("#if (QUAY_LIMIT)\nvoid moor(int n);\n#else\n#define moor(n) tie(n)\n#endif\n", "macro"),
        ("void moor(int n);\n#ifdef QUAY_DEBUG\n#define moor(n) tie(n)\n#endif\n", "function"),
        ("#ifndef QUAY_DEBUG\nstatic void moor(int n) {}\n#else\n#define moor(n) tie(n)\n#endif\n", "function"),
        ("#ifdef QUAY_DEBUG\n#define moor(n) tie(n)\n#endif\n", "macro"),
    ],
)
def test_of_a_function_and_a_macro_of_one_name_that_is_called_which_is_there_by_default(header: str, kind: str) -> None:
    made = _tree(header, "moor(1);")
    facts = made.facts["lib/quay.h"]
    (binding,) = [one for one in facts.bindings if one.name == "moor"]
    assert facts.symbols[binding.value.symbol].kind == kind  # type: ignore[union-attr]
    assert made.calls_of("tests/main.c::main") == {"lib/quay.h::moor"}


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        ("void moor(int n);\n#define moor(n) tie(n)\n", "macro"),
        ("void *(moor)(int n);\n#ifndef moor\n#define moor(n) tie(n)\n#endif\n", "macro"),
        ("#define WIDE\nvoid moor(int n);\n#ifdef WIDE\n#define moor(n) tie(n)\n#endif\n", "macro"),
        ("#ifdef __linux__\n#define WIDE 1\n#endif\nvoid moor(int n);\n#if WIDE\n#define moor(n) n\n#endif\n", "macro"),
        ("#ifdef _WIN32\n#define W\n#endif\nvoid moor(int n);\n#ifdef W\n#define moor(n) n\n#endif\n", "function"),
        ("void moor(int n);\n#ifdef W\n#define moor(n) n\n#elif 1\n#define moor(n) tie(n)\n#endif\n", "macro"),
        ("#define moor(n) tie(n)\n#undef moor\nvoid moor(int n);\n", "function"),
    ],
)
def test_a_macro_that_the_file_itself_leaves_defined_takes_the_calls_of_a_function_of_its_name(
    header: str, kind: str
) -> None:
    made = _tree(header, "moor(1);")
    facts = made.facts["lib/quay.h"]
    bound = [one.value.symbol for one in facts.bindings if one.name == "moor"]  # type: ignore[union-attr]
    assert {facts.symbols[symbol].kind for symbol in bound} == {kind}
    assert made.calls_of("tests/main.c::main") == {"lib/quay.h::moor"}


def test_a_function_defined_elsewhere_is_not_called_where_a_macro_of_its_name_is_seen() -> None:
    made = graph(
        {
            "quay.h": "void moor(int n);\nvoid cast(int n);\n#define moor(n) tie(n)\n",
            "quay.c": '#include "quay.h"\n#undef moor\nvoid moor(int n) {}\nvoid cast(int n) {}\n',
            "main.c": '#include "quay.h"\nint main(void) { moor(1); cast(1); return 0; }\n',
        }
    )
    assert made.calls_of("main.c::main") == {"quay.h::moor", "quay.c::cast"}


def test_names_of_both_kinds_are_weighed_in_one_look_at_a_file_however_many_they_are() -> None:
    pair = b"#define moor%d(n) tie(n)\nint moor%d(int n);\n"
    many = b"".join(pair % (n, n) for n in range(20_000))
    assert len(of_both_kinds(many)) == len(macros_by_default(many)) == 20_000
