from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph


def _calls(source: str, of: str = "main", path: str = "a.ts") -> set[str]:
    return {node.removeprefix(f"{path}::") for node in graph({path: source}).calls_of(f"{path}::{of}")}


SHIP = """
class Ship {
  hull: Hull = new Hull()
  crew: Sailor[] = []
  #log = new Map<string, Sailor>()
  constructor(private harbour: Harbour, public name?: string) {}
  sail(): void {}
  refit(): this { return this }
  get mast(): Mast { return new Mast() }
  async dock(): Promise<Harbour> { return this.harbour }
  static build(h: Harbour): Ship { return new Ship(h) }
}
class Tug extends Ship { tow() {} }
class Hull { paint() {} }
class Mast { raise() {} }
class Harbour { open() {} }
class Sailor { sing() {} }
interface Boat { row(): void; cox: Sailor; (x: number): Hull; turn(): this }
type Crewed = { captain: Sailor; hail(): void }
type Order = (ship: Ship, at: Harbour) => Hull
type Named<T> = { held: T }
type Either = Ship | Hull
"""


@pytest.mark.parametrize(
    ("code", "called"),
    [
        ("function main(s: Ship) { s.sail() }", {"Ship.sail"}),
        ("const main = (s: Ship) => s.sail()", {"Ship.sail"}),
        ("function main(s?: Ship | null) { s?.sail() }", {"Ship.sail"}),
        ("function main(h: Harbour) { const s = new Ship(h); s.sail() }", {"Ship", "Ship.sail"}),
        ("function main(t: Tug) { t.sail(); t.refit().tow() }", {"Ship.sail", "Ship.refit", "Tug.tow"}),
        ("function main(s: Ship) { s.hull.paint(); s.mast.raise() }", {"Hull.paint", "Mast.raise"}),
        ("function main(h: Harbour) { Ship.build(h).sail() }", {"Ship.build", "Ship.sail"}),
        ("async function main(s: Ship) { (await s.dock()).open() }", {"Ship.dock", "Harbour.open"}),
        ("function main(s: Ship) { s.dock().then((h) => h.open()) }", {"Ship.dock", "Harbour.open"}),
        ("function main(s: Ship) { for (const m of s.crew) m.sing() }", {"Sailor.sing"}),
        ("function main(s: Ship) { s.crew.forEach((m) => m.sing()) }", {"Sailor.sing"}),
        ("function main(s: Ship) { s.crew.map((m) => m).filter(Boolean)[0].sing() }", {"Sailor.sing"}),
        ("function main(s: Ship) { s.crew.find((m) => m.sing())!.sing() }", {"Sailor.sing"}),
        ("function main(m: Map<string, Ship>) { m.get('x')!.sail() }", {"Ship.sail"}),
        ("function main(m: Map<string, Ship>) { for (const [k, s] of m) s.sail() }", {"Ship.sail"}),
        ("function main(m: Record<string, Ship>) { Object.values(m).forEach((s) => s.sail()) }", {"Ship.sail"}),
        ("function main({ hull, crew: [first] }: Ship) { hull.paint(); first.sing() }", {"Hull.paint", "Sailor.sing"}),
        ("function main(x: unknown) { (x as Ship).sail() }", {"Ship.sail"}),
        ("function main(x: unknown) { if (x instanceof Ship) x.sail() }", {"Ship.sail"}),
        ("function main(x: any) { if (!(x instanceof Ship)) return; x.sail() }", {"Ship.sail"}),
        ("function main(x: any) { return x instanceof Ship && x.sail() }", {"Ship.sail"}),
        (
            "function is(x: any): x is Ship { return true }\nfunction main(x: any) { if (is(x)) x.sail() }",
            {"is", "Ship.sail"},
        ),
        ("function is(x: any) { return true }\nfunction main(x: Ship) { if (is(x)) x.sail() }", {"is", "Ship.sail"}),
        ("function main(b: Boat) { b.row(); b.cox.sing() }", {"Boat.row", "Sailor.sing"}),
        ("function main(b: Boat) { b(1).paint() }", {"Hull.paint"}),
        ("function main(b: Boat) { let c = b; c = c.turn(); c.row() }", {"Boat.turn", "Boat.row"}),
        ("function main(c: Crewed) { c.hail(); c.captain.sing() }", {"Crewed.hail", "Sailor.sing"}),
        ("function main(n: Named<Ship>) { n.held.sail() }", {"Ship.sail"}),
        ("function main(e: Either) { e.sail(); e.paint() }", {"Ship.sail", "Hull.paint"}),
        ("function main(o: Partial<Crewed>) { o.captain!.sing() }", {"Sailor.sing"}),
        ("function main(o: Order, s: Ship, h: Harbour) { o(s, h).paint() }", {"Hull.paint"}),
        (
            "const main: Order = (ship, at) => { ship.sail(); at.open(); return ship.hull }",
            {"Ship.sail", "Harbour.open"},
        ),
        ("function main(): Order { return (ship) => { ship.sail(); return ship.hull } }", {"Ship.sail"}),
        ("function take(o: Order) {}\nfunction main() { take((ship) => ship.sail()) }", {"take", "Ship.sail"}),
        (
            "function take(o: { on: Order }) {}\nfunction main() { take({ on: (ship) => ship.sail() }) }",
            {"take", "Ship.sail"},
        ),
        ("function same<T>(x: T): T { return x }\nfunction main(s: Ship) { same(s).sail() }", {"same", "Ship.sail"}),
        ("function main<T extends Ship>(t: T) { t.sail() }", {"Ship.sail"}),
        ("function main(C: typeof Ship, h: Harbour) { new C(h).sail() }", {"Ship", "Ship.sail"}),
        ("function main(C: new () => Ship) { new C().sail() }", {"Ship.sail"}),
        (
            "function make() { return { ship: new Hull() } }\nfunction main() { make().ship.paint() }",
            {"make", "Hull.paint"},
        ),
        ("function main(s: Ship['hull']) { s.paint() }", {"Hull.paint"}),
        ("function main(s: any) { s.sail() }", set()),
        ("function main(s: Ship) { const f = s ? s.sail : s.refit; f() }", set()),
    ],
)
def test_a_method_is_found_by_the_type_of_its_receiver(code: str, called: set[str]) -> None:
    assert _calls(SHIP + code) == called


@pytest.mark.parametrize(
    ("code", "symbols"),
    [
        ("const f = () => 1, g = function () {}, C = class {}", {"f", "g", "C"}),
        ("const f = (() => 1) as Foo", {"f"}),
        (
            "const o = { m() {}, k: () => 1, n: { deep() {} }, 'q-r': () => 1, [c]: () => 1 }",
            {"o.m", "o.k", "o.n.deep", "o.q-r"},
        ),
        ("class A { #p() {}; f = () => 1; static s() {}; constructor() {}; get x() { return 1 } }", {
            "A", "A.#p", "A.f", "A.s", "A.constructor", "A.x",
        }),
        (
            "namespace N.M { export function f() {}; export interface I { m(): void } }",
            {"N", "N.M", "N.M.f", "N.M.I", "N.M.I.m"},
        ),
        ("interface I { m(): void; p: string; q: () => void }", {"I", "I.m"}),
        ("type T = { m(): void } & U; type V = string; enum E { A }", {"T", "T.m", "V", "E"}),
        ("export default class {}", {"default"}),
        ("export default () => 1", {"default"}),
        ("function f(a: string): void; function f(a: any) { function g() {} }", {"f", "f.g"}),
        ("function f() { return { m() { function inner() {} } } }", {"f", "f.inner"}),
        ("run(function named() {}); run(() => { const g = () => 1 })", {"g"}),
        (
            "class A { constructor() { this.m = () => 1; [1].map(() => { this.n = () => 1 }) } }",
            {"A", "A.constructor", "A.m"},
        ),
        ("declare module './x' { interface Extra { m(): void } }", {"Extra", "Extra.m"}),
        ("abstract class A { abstract m(): void }", {"A", "A.m"}),
    ],
)  # fmt: skip
def test_symbols_are_named_by_what_holds_them(code: str, symbols: set[str]) -> None:
    assert {node.removeprefix("a.ts::") for node in graph({"a.ts": code}).symbols()} == symbols


def test_calls_in_functions_without_a_name_belong_to_the_symbol_around_them() -> None:
    found = graph({"a.ts": "function f() {}\nfunction g() { [1].map(() => f()) }\nrun(() => { f() })"})
    assert found.edges("calls") == {("a.ts::g", "a.ts::f"), ("a.ts", "a.ts::f")}


def test_super_calls_the_class_that_is_extended() -> None:
    source = "class A {}\nclass B extends A { constructor() { super() } m() { super.toString() } }"
    assert _calls(source, "B.constructor") == {"A"}


def test_what_a_function_in_a_method_knows_is_what_the_method_knows() -> None:
    source = SHIP + "class D { constructor(s: Ship) { this.run = () => s.sail() } }"
    assert _calls(source, "D.run") == {"Ship.sail"}


def test_classes_and_interfaces_inherit_from_what_they_name() -> None:
    found = graph(
        {
            "a.ts": """
            import { Base, type Shape as S } from './b'
            import * as b from './b'
            class A extends Base<string> implements S {}
            interface I extends b.Shape, Alias {}
            type Alias = S & { x: string }
            """,
            "b.ts": "export class Base<T> {}\nexport interface Shape {}",
        }
    )
    assert found.edges("inherits") == {
        ("a.ts::A", "b.ts::Base"),
        ("a.ts::A", "b.ts::Shape"),
        ("a.ts::I", "b.ts::Shape"),
        ("a.ts::I", "a.ts::Alias"),
    }


def test_modules_are_found_by_the_names_of_what_they_are_compiled_to() -> None:
    found = graph(
        {
            "src/a.ts": """
            import './one.js'
            import type { T } from './two'
            export * from './three'
            export { x } from './four/index'
            const five = import('./five.mjs')
            import six = require('./six')
            import 'node:fs'
            import './self'
            """,
            "src/one.ts": "",
            "src/two.d.ts": "export interface T {}",
            "src/three/index.tsx": "",
            "src/four/index.ts": "",
            "src/five.mts": "",
            "src/six.js": "",
        }
    )
    assert {dst for _, dst in found.edges("imports")} == {
        "src/one.ts",
        "src/two.d.ts",
        "src/three/index.tsx",
        "src/four/index.ts",
        "src/five.mts",
        "src/six.js",
    }


def test_paths_of_a_tsconfig_hold_also_where_it_extends_another() -> None:
    found = graph(
        {
            "app/tsconfig.json": '{ "extends": "./tsconfig.base.json", /* said there */ }',
            "app/tsconfig.base.json": '{ "compilerOptions": { "baseUrl": "src", "paths": { "~/*": ["./*"], }, } }',
            "app/main.ts": "import { f } from '~/deep/f'\nimport { g } from 'g'\nexport function main() { f(); g() }",
            "app/src/deep/f.ts": "export const f = () => 1",
            "app/src/g.ts": "export const g = () => 1",
        }
    )
    assert found.calls_of("app/main.ts::main") == {"app/src/deep/f.ts::f", "app/src/g.ts::g"}


@pytest.mark.parametrize("never_ends", ["/* " * 100_000, '"' + '\\"' * 100_000])
def test_a_tsconfig_that_never_ends_is_read_in_time_and_says_nothing(never_ends: str) -> None:
    found = graph({"tsconfig.json": never_ends, "a.ts": "import { f } from '~/f'\nexport function main() { f() }"})
    assert found.calls_of("a.ts::main") == set()


def test_packages_of_the_tree_are_found_by_their_names_and_what_they_export() -> None:
    found = graph(
        {
            "packages/hull/package.json": """
                { "name": "@fleet/hull", "exports": {
                    ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" },
                    "./paint/*": "./src/paint/*.ts" } }
            """,
            "packages/hull/src/index.ts": "export { scrub as clean } from './scrub'",
            "packages/hull/src/scrub.ts": "export function scrub() {}",
            "packages/hull/src/paint/red.ts": "export default function red() {}",
            "packages/app/package.json": '{ "name": "app", "imports": { "#own": "./lib/own.ts" } }',
            "packages/app/lib/own.ts": "export const own = () => 1",
            "packages/app/main.ts": """
                import { clean } from '@fleet/hull'
                import red from '@fleet/hull/paint/red'
                import { own } from '#own'
                import { other } from '@fleet/other'
                export function main() { clean(); red(); own(); other() }
            """,
        }
    )
    assert found.calls_of("packages/app/main.ts::main") == {
        "packages/hull/src/scrub.ts::scrub",
        "packages/hull/src/paint/red.ts::red",
        "packages/app/lib/own.ts::own",
    }


def test_what_is_handed_on_is_followed_to_where_it_is_defined() -> None:
    found = graph(
        {
            "main.ts": """
            import all, { renamed, deep } from './index'
            import * as every from './index'
            export function main() { all(); renamed(); deep(); every.renamed(); every.inner.f() }
            """,
            "index.ts": """
            export { default } from './f'
            export { f as renamed } from './f'
            export * from './deep'
            export * as inner from './f'
            """,
            "f.ts": "function _f() {}\nexport { _f as f }\nexport default function whole() {}",
            "deep.ts": "export * from './deeper'",
            "deeper.ts": "export const deep = () => 1",
        }
    )
    assert found.calls_of("main.ts::main") == {"f.ts::whole", "f.ts::_f", "deeper.ts::deep"}


def test_a_name_can_be_a_type_and_a_value_at_once() -> None:
    found = graph(
        {
            "a.ts": """
            export interface Ship { sail(): void }
            export const Ship: Maker<Ship> = make('Ship')
            interface Maker<T> { new (name: string): T; count(): number }
            declare function make(name: string): any
            export function main(s: Ship) { s.sail(); new Ship('x').sail(); Ship.count() }
            """
        }
    )
    assert found.calls_of("a.ts::main") == {"a.ts::Ship.sail", "a.ts::Maker.count"}


def test_what_is_declared_for_every_file_is_known_in_every_file() -> None:
    found = graph(
        {
            "globals.d.ts": "declare namespace Fleet { function sail(): void }",
            "more.ts": """
            export {}
            declare global { interface Window { ship: Ship }
            interface Ship { dock(): void } }
            """,
            "a.ts": "export function main(w: Window) { Fleet.sail(); w.ship.dock() }",
            "b.ts": "export function main() { const { ship } = window; ship.dock(); window.alert('x') }",
        }
    )
    assert found.calls_of("a.ts::main") == {"globals.d.ts::Fleet.sail", "more.ts::Ship.dock"}
    assert found.calls_of("b.ts::main") == {"more.ts::Ship.dock"}


def test_signatures_that_the_grammar_cannot_read_lose_nothing_else() -> None:
    source = """
    interface Get {
      <K extends string>(key: K): string
      // another one
      <K extends number>(key: K): Hull
    }
    interface Box<in T, out U> { open(): U }
    class Hull { paint() {} }
    export type * from './other'
    export function main(g: Get, b: Box<string, Hull>) { g(1).paint(); b.open().paint() }
    """
    assert _calls(source) == {"Hull.paint", "Box.open"}


def test_elements_of_jsx_are_calls_of_components() -> None:
    source = "const Button = () => <b/>\nexport function Page() { return <div><Button/></div> }"
    assert _calls(source, "Page", "a.tsx") == {"Button"}


def test_a_type_that_stands_for_itself_ends() -> None:
    source = """
    type Tree<T> = T | Tree<T[]> | Tree<[T, T]>
    type Json = string | Json[] | { [k: string]: Json }
    interface Node<T> extends Node<T[]> { value: T }
    export function main(t: Tree<string>, j: Json, n: Node<string>) { t.x(); j.y(); n.value.z() }
    """
    assert _calls(source) == set()


def test_what_has_no_grounds_is_listed() -> None:
    found = graph({"a.ts": "export function main(x: any) { x.sail(); fetch('y') }"})
    assert found.unresolved() == {("a.ts::main", "x.sail")}
