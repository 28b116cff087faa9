"""What every language gives of a file, and of two files that know each other."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import pytest

from memd.codegraph.mentions import surface
from memd.codegraph.parse import extract
from memd.codegraph.registry import language_in
from tests.unit.codegraph.trees import graph

# Of each language: a file with a documented function of two parameters that another one of it uses, and that other one.
PAIRS: Mapping[str, tuple[str, str, str, str]] = {
    "python": (
        "quay/tide.py",
        'class Base: ...\n\ndef measure(pier, depth):\n    """How high the water is."""\n    return depth\n',
        "quay/use.py",
        (
            "from quay.tide import Base, measure\n\nclass Boat(Base): ...\n\n"
            "def run():\n    measure(1, 2)\n    unknown(3)\n"
        ),
    ),
    "typescript": (
        "tide.ts",
        "export class Base {}\n/** How high the water is. */\nexport function measure(pier: number, depth: any) {}\n",
        "use.ts",
        (
            'import { Base, measure } from "./tide.js"\nclass Boat extends Base {}\n'
            "export function run() { measure(1, 2); unknown(3) }\n"
        ),
    ),
    "javascript": (
        "tide.js",
        "export class Base {}\n/** How high the water is. */\nexport function measure(pier, depth) {}\n",
        "use.js",
        (
            'import { Base, measure } from "./tide.js"\nclass Boat extends Base {}\n'
            "export function run() { measure(1, 2); unknown(3) }\n"
        ),
    ),
    "go": (
        "tide/tide.go",
        "package tide\n\ntype Base struct{}\n\n// How high the water is.\nfunc Measure(pier int, depth int) {}\n",
        "use.go",
        (
            'package main\n\nimport "harbor.example/quay/tide"\n\ntype Boat struct{ tide.Base }\n\n'
            "func run() {\n\ttide.Measure(1, 2)\n\tunknown(3)\n}\n"
        ),
    ),
    "rust": (
        "src/tide.rs",
        "pub trait Base {}\n/// How high the water is.\npub fn measure(pier: i32, depth: i32) {}\n",
        "src/lib.rs",
        (
            "mod tide;\nuse crate::tide::{measure, Base};\nstruct Boat;\nimpl Base for Boat {}\n"
            "fn run() { measure(1, 2); unknown(3); }\n"
        ),
    ),
    "java": (
        "quay/Base.java",
        (
            "package quay;\npublic class Base {\n  /** How high the water is. */\n"
            "  public static void measure(int pier, int depth) {}\n}\n"
        ),
        "quay/use/Boat.java",
        (
            "package quay.use;\nimport quay.Base;\nclass Boat extends Base {\n"
            "  void run() { Base.measure(1, 2); unknown(3); }\n}\n"
        ),
    ),
    "c": (
        "tide.h",
        "struct base { int n; };\n/* How high the water is. */\nint measure(int pier, int depth);\n",
        "use.c",
        '#include "tide.h"\nvoid run(void) { measure(1, 2); unknown(3); }\n',
    ),
    "cpp": (
        "tide.hpp",
        "class Base {};\n// How high the water is.\nvoid measure(int pier, int depth);\n",
        "use.cc",
        '#include "tide.hpp"\nclass Boat : public Base {};\nvoid run() { measure(1, 2); unknown(3); }\n',
    ),
}
CONFIGS = {"go.mod": "module harbor.example/quay\n\ngo 1.22\n", "Cargo.toml": '[package]\nname = "quay"\n'}


@pytest.mark.parametrize("name", list(PAIRS))
def test_a_file_gives_its_symbols_imports_calls_and_digest(name: str) -> None:
    path, source, other, using = PAIRS[name]
    language = language_in(path, source.encode())
    assert language is not None
    facts = extract(path, source.encode(), language)
    (measure,) = (symbol for symbol in facts.symbols if symbol.name.lower() == "measure")
    line = next(n for n, words in enumerate(source.split("\n"), start=1) if "easure(" in words)
    assert (measure.line, measure.kind in ("function", "method")) == (line, True)
    assert measure.params == ("pier", "depth")
    assert "easure(" in measure.signature
    assert measure.doc == "How high the water is."
    assert measure.end_line >= measure.line
    assert measure.name in surface(facts)  # what the file gives to others
    assert facts.digest == hashlib.sha256(source.encode()).digest()
    language = language_in(other, using.encode())
    assert language is not None
    facts = extract(other, using.encode(), language)
    assert facts.imports
    assert len(facts.calls) >= 2


@pytest.mark.parametrize("name", list(PAIRS))
def test_two_files_are_joined_by_import_call_and_base_and_what_has_no_grounds_is_listed(name: str) -> None:
    path, source, other, using = PAIRS[name]
    made = graph({**CONFIGS, path: source, other: using})
    (call,) = made.edges("calls")
    assert call[1].startswith(f"{path}::")
    assert call[1].lower().endswith("measure")
    folder = path.rpartition("/")[0] if name == "go" else path
    assert (other, folder) in made.edges("imports")
    assert not any("unknown" in dst for _, dst in made.edges("calls"))
    if name not in ("typescript", "javascript", "go"):  # where it can come from elsewhere: a global, a file not built
        assert {word.partition("/")[0] for _, word in made.unresolved()} == {"unknown"}
    bases = {(src.rpartition("::")[2], dst) for src, dst in made.edges("inherits")}
    assert bases == (set() if name == "c" else {("Boat", f"{path}::Base")})


@pytest.mark.parametrize("name", list(PAIRS))
def test_a_broken_file_costs_the_others_nothing(name: str) -> None:
    path, source, other, using = PAIRS[name]
    broken = f"{path.rpartition('/')[0]}/broken.{path.rpartition('.')[2]}".lstrip("/")
    made = graph({**CONFIGS, path: source, other: using, broken: "}}} ((( @@@ \x01 <<<< def class {{{ \" ' `"})
    assert len(made.edges("calls")) == 1


@pytest.mark.parametrize(
    ("path", "source", "doc"),
    [
        ("a.cc", "// Lights the lamp.\ntemplate <typename T>\nvoid f(T t) {}\n", "Lights the lamp."),
        ("a.rs", "/// Lights\n/// the lamp. Twice.\n#[inline]\nfn f() {}\n", "Lights the lamp"),
        ("a.ts", "/**\n * Lights the lamp.\n *\n * @param a it\n */\nexport class f {}\n", "Lights the lamp."),
        ("a.c", "int x; /* of x */\nint f(void) { return 1; }\n", ""),
        ("a.c", "/* far away */\n\nint f(void) { return 1; }\n", ""),
        ("a.ts", "// eslint-disable-next-line\nfunction f() {}\n", ""),
        ("a.py", "# of nothing\ndef f(): ...\n", ""),
    ],
)
def test_the_comment_right_before_a_definition_says_what_it_is_for(path: str, source: str, doc: str) -> None:
    facts = graph({path: source}).facts[path]
    assert [symbol.doc for symbol in facts.symbols if symbol.name == "f"] == [doc]
