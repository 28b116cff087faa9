from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph


def _symbols(code: str) -> set[str]:
    return {node.removeprefix("a.js::") for node in graph({"a.js": code}).symbols()}


@pytest.mark.parametrize(
    ("code", "symbols"),
    [
        ("exports.f = function () {}; module.exports.g = () => 1", {"f", "g"}),
        ("module.exports = function g() {}", {"g"}),
        ("module.exports = function () {}", {"default"}),
        ("module.exports = class {}", {"default"}),
        ("exports = module.exports = make; function make() {}", {"make"}),
        ("var app = exports = module.exports = {}; app.init = function () {}", {"app.init"}),
        ("req.get = req.header = function header() {}", {"req.get"}),
        ("var canonical = (exports.canonical = function () {})", {"canonical"}),
        (
            "function X() { this.m = function () {} }\nX.prototype.n = function () {}\nX.s = () => 1",
            {"X", "X.m", "X.n", "X.s"},
        ),
        ("X.prototype = { m() {}, n: function () {} }; function X() {}", {"X", "X.m", "X.n"}),
        ("exports.describe = function () {}; exports.describe.only = function () {}", {"describe", "describe.only"}),
        ("function f() { a.b = function () {}; let g; g = () => 1 }", {"f"}),
        ("(function () { function inner() {} })()", {"inner"}),
    ],
)  # fmt: skip
def test_symbols_are_named_by_what_they_are_assigned_to(code: str, symbols: set[str]) -> None:
    assert _symbols(code) == symbols


def test_commonjs_modules_give_what_they_export() -> None:
    found = graph(
        {
            "main.js": """
            const make = require('./make')
            const { tidy, deep: { f } } = require('./util')
            const util = require('./util.js')
            function main() { make(); make.twice(); tidy(); f(); util.own(); new make.Box().open() }
            """,
            "make.js": """
            exports = module.exports = make
            function make() {}
            exports.twice = function () {}
            exports.Box = require('./box')
            """,
            "box.js": "module.exports = class Box { open() {} }",
            "util.js": "function tidy() {}\nmodule.exports = { tidy, own() {}, deep: require('./deep') }",
            "deep/index.js": "exports.f = () => 1",
        }
    )
    assert found.calls_of("main.js::main") == {
        "make.js::make",
        "make.js::twice",
        "util.js::tidy",
        "util.js::default.own",
        "deep/index.js::f",
        "box.js::Box",
        "box.js::Box.open",
    }
    assert {dst for src, dst in found.edges("imports") if src == "main.js"} == {"make.js", "util.js"}


def test_modules_of_both_kinds_see_each_other() -> None:
    found = graph(
        {
            "a.mjs": """
            import make, { twice } from './make.cjs'
            export function main() { make(); twice(); make.twice() }
            """,
            "make.cjs": "module.exports = make\nfunction make() {}\nmake.twice = () => 1",
            "b.cjs": "const { main } = require('./a.mjs')\nexports.run = () => main()",
        }
    )
    assert found.calls_of("a.mjs::main") == {"make.cjs::make", "make.cjs::make.twice"}
    assert found.calls_of("b.cjs::run") == {"a.mjs::main"}


def test_a_function_is_a_class_where_it_is_used_as_one() -> None:
    found = graph(
        {
            "a.js": """
            const util = require('util')
            function Ship() { this.hull = new Hull() }
            Ship.prototype.sail = function () { this.dock() }
            Ship.prototype.dock = function () {}
            function Hull() {}
            Hull.prototype.paint = function () {}
            function Tug() { Ship.call(this) }
            util.inherits(Tug, Ship)
            class Ferry extends Ship { load() { this.sail() } }
            function main() { const t = new Tug(); t.sail(); new Ship().hull.paint() }
            """
        }
    )
    assert found.calls_of("a.js::main") == {"a.js::Tug", "a.js::Ship.sail", "a.js::Ship", "a.js::Hull.paint"}
    assert found.calls_of("a.js::Ship.sail") == {"a.js::Ship.dock"}
    assert found.calls_of("a.js::Ferry.load") == {"a.js::Ship.sail"}


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("/** @param {Ship} s */\nfunction main(s) { s.sail() }", {"Ship.sail"}),
        ("/**\n * @param {?Ship} [s] - it\n */\nconst main = (s) => s.sail()", {"Ship.sail"}),
        ("/** @param {Ship[]} all */\nfunction main(all) { all.forEach((s) => s.sail()) }", {"Ship.sail"}),
        ("/** @param {Map<string, Ship>} m */\nfunction main(m) { m.get('x').sail() }", {"Ship.sail"}),
        ("/** @param {Object} o\n * @param {Ship} o.ship */\nfunction main(o) { o.ship.sail() }", {"Ship.sail"}),
        ("/** @param {Object} o\n * @param {Ship} o.ship */\nfunction main({ ship }) { ship.sail() }", {"Ship.sail"}),
        (
            "/** @returns {Promise<Ship>} */\nfunction make() {}\nasync function main() { (await make()).sail() }",
            {"make", "Ship.sail"},
        ),
        ("function main(x) { /** @type {Ship} */\nconst s = x;\ns.sail() }", {"Ship.sail"}),
        ("function main(x) { /** @type {Ship} */ (x).sail() }", {"Ship.sail"}),
        (
            ("/** @typedef {{}} Plain */\n/** @typedef {Ship} Vessel */\n/** @param {Vessel} s */\n"
            "function main(s) { s.sail() }"),
            {"Ship.sail"},
        ),
        (
            ("/** @typedef {Object} Port\n * @property {Ship} guest */\n/** @param {Port} p */\n"
            "function main(p) { p.guest.sail() }"),
            {"Ship.sail"},
        ),
        (
            "/** @callback Order\n * @param {Ship} ship */\n/** @type {Order} */\nconst main = (ship) => ship.sail()",
            {"Ship.sail"},
        ),
        (
            "/** @param {function(Ship): void} f */\nfunction take(f) {}\nfunction main() { take((s) => s.sail()) }",
            {"take", "Ship.sail"},
        ),
        ("function main(s) { s.sail() }", set()),
    ],
)  # fmt: skip
def test_comments_say_types(code: str, called: set[str]) -> None:
    found = graph({"a.js": f"class Ship {{ sail() {{}} }}\n{code}"})
    assert {node.removeprefix("a.js::") for node in found.calls_of("a.js::main")} == called


def test_types_in_comments_are_found_in_other_files() -> None:
    found = graph(
        {
            "ship.js": "class Ship { sail() {} }\nmodule.exports = Ship\n/** @typedef {Ship} Vessel */",
            "a.js": """
            /** @typedef {import('./ship')} Ship */
            /** @import { Vessel as V } from './ship' */
            /** @param {Ship} s
             * @param {V} v */
            function main(s, v) { s.sail(); v.sail() }
            """,
        }
    )
    assert found.calls_of("a.js::main") == {"ship.js::Ship.sail"}


def test_an_object_that_a_comment_declares_is_what_it_is_declared_to_be() -> None:
    found = graph(
        {
            "types.d.ts": "export interface Options { caught?(error: any): void; }\n",
            "caught.js": "export function caught(error) {}\n",
            "options.js": """
            import { caught } from './caught';
            /** @type {import('./types').Options} */
            const options = { caught };
            export default options;
            """,
            "use.js": "import options from './options';\nexport function main() { options.caught(1); }\n",
        }
    )
    assert found.calls_of("use.js::main") == {"types.d.ts::Options.caught"}


def test_a_variable_in_a_block_is_no_variable_outside_of_it() -> None:
    found = graph(
        {
            "a.js": """
            class A { go() {} }
            class B { go() {} }
            function main(x) {
              const it = new A()
              if (x) { const it = new B(); it.go() }
              [1].forEach((it) => it.go())
              it.go()
            }
            """
        }
    )
    assert found.calls_of("a.js::main") == {"a.js::A", "a.js::B", "a.js::A.go", "a.js::B.go"}


def test_this_in_a_function_without_a_name_is_nobodys() -> None:
    source = "class A { go() {} run() { call(function () { this.go() }); call(() => this.go2()) } go2() {} }"
    assert graph({"a.js": source}).calls_of("a.js::A.run") == {"a.js::A.go2"}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.js", "f(" * 400 + ")" * 400),
        ("a.js", "x = " + "{a: " * 3000 + "1" + "}" * 3000),
        ("a.js", "x = " + "[" * 3000 + "]" * 3000),
        ("a.js", "x = " + "() => (" * 2000 + "1" + ")" * 2000),
        ("a.ts", "type A = " + " | ".join(f"B{i}" for i in range(3000))),
        ("a.ts", "type A = " + "B<" * 2000 + "C" + ">" * 2000),
        ("a.js", "function ("),
        ("a.js", "const x = {{{"),
        ("a.js", "/** @param {"),
        ("a.ts", "interface {"),
    ],
)
def test_what_stands_beside_deep_and_broken_sources_is_found(path: str, source: str) -> None:
    found = graph({path: f"function f() {{ g() }}\nfunction g() {{}}\n{source}"})
    assert found.edges("calls") >= {(f"{path}::f", f"{path}::g")}
