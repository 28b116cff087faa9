"""What declarations of Rust, and the places where TypeScript expects a type, promise."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph

RUST = """
use std::fmt;
pub struct Ship { pub hull: Hull }
pub struct Hull;
pub struct Wrap(pub Ship);
pub trait Sails { fn sail(&self) {} fn make() -> Self where Self: Sized; }
pub trait Named { type Name; const TIDE: u8 = 1; fn name(&self) -> Self::Name; }
impl Ship { pub const FIRST: Ship = Ship { hull: Hull }; pub fn go(&self) {} pub fn hull(self) -> Hull { self.hull } }
impl Hull { pub fn paint(&self) {} }
impl Named for Ship { type Name = Hull; fn name(&self) -> Hull { Hull } }
impl std::ops::Deref for Wrap { type Target = Ship; fn deref(&self) -> &Ship { &self.0 } }
impl Default for Ship { fn default() -> Self { todo!() } }
impl From<Hull> for Ship { fn from(hull: Hull) -> Self { Ship { hull } } }
impl Iterator for Wrap { type Item = Ship; fn next(&mut self) -> Option<Ship> { None } }
pub type Boat = Ship;
pub type Res<T> = Result<T, Hull>;
pub static FLAG: Ship = Ship { hull: Hull };
pub mod yard { pub fn build() -> super::Ship { todo!() } pub mod deep { pub fn build() -> crate::Ship { todo!() } } }
pub enum Kind { One(Ship), Two { ship: Ship }, None }
impl Kind { pub fn of(&self) -> Ship { match self { Self::One(s) => todo!(), _ => todo!() } } }
pub fn same<T>(t: T) -> T { t }
pub async fn load() -> Ship { todo!() }
macro_rules! hello { () => {} }
"""


def rust(item: str) -> set[str]:
    """What `run` calls, without what makes ships."""
    made = graph({"Cargo.toml": '[package]\nname = "harbor"\n', "src/lib.rs": f"{RUST}\n{item}\n"})
    found = {node.rpartition("::")[2] for node in made.calls_of("src/lib.rs::run")}
    return found - {"yard.build", "yard.deep.build", "same", "load", "Ship", "Wrap", "Kind"}


@pytest.mark.parametrize(
    ("item", "called"),
    [
        ("fn run(b: Boat) { b.go(); }", {"Ship.go"}),
        ("fn run(r: Res<Ship>) { r.unwrap().go(); }", {"Ship.go"}),
        ("fn run() { FLAG.go(); }", {"Ship.go"}),
        ("fn run() { Ship::FIRST.go(); }", {"Ship.go"}),
        ("fn run() { yard::build().go(); yard::deep::build().go(); }", {"Ship.go"}),
        ("fn run(w: Wrap) { w.0.go(); }", {"Ship.go"}),
        ("fn run(w: Wrap) { for s in w { s.go(); } }", {"Ship.go"}),
        ("fn run() { let s = Ship { hull: Hull }; s.go(); }", {"Ship.go"}),
        ("fn run(s: Ship) { s.name().paint(); }", {"Ship.name", "Hull.paint"}),
        ("fn run(s: Ship) { Named::name(&s).paint(); }", {"Named.name"}),
        ("fn run(s: Ship) { <Ship as Named>::name(&s).paint(); }", {"Ship.name", "Hull.paint"}),
        ("fn run(s: Ship) { Ship::hull(s).paint(); }", {"Ship.hull", "Hull.paint"}),
        ("fn run() { let s: Ship = Default::default(); s.go(); }", {"Ship.go"}),
        ("fn run() { Ship::default().go(); }", {"Ship.default", "Ship.go"}),
        ("fn run() { Ship::from(Hull).go(); }", {"Ship.from", "Ship.go"}),
        ("fn run() { same(yard::build()).go(); }", {"Ship.go"}),
        ("async fn run() { load().await.go(); }", {"Ship.go"}),
        ("fn run(f: fn() -> Ship) { f().go(); }", {"Ship.go"}),
        ("fn run(f: impl Fn() -> Ship) { f().go(); }", {"Ship.go"}),
        ("fn run<F: Fn() -> Ship>(f: F) { f().go(); }", {"Ship.go"}),
        ("fn run(f: &dyn Fn(u8) -> Ship) { f(1).go(); }", {"Ship.go"}),
        ("fn run(s: &'static mut Ship) { s.go(); }", {"Ship.go"}),
        ("fn run(s: *const Ship) { unsafe { (*s).go(); } }", {"Ship.go"}),
        ("fn run(s: (u8, Ship)) { s.1.go(); }", {"Ship.go"}),
        ("fn run(s: [Ship; 3]) { s[1].go(); }", {"Ship.go"}),
        ("fn run(s: &[Ship]) { s.iter().for_each(|x| x.go()); }", {"Ship.go"}),
        ("fn run((n, s): (u8, Ship)) { s.go(); }", {"Ship.go"}),
        ("fn run(Wrap(s): Wrap) { s.go(); }", {"Ship.go"}),
        ("fn run(Ship { hull }: Ship) { hull.paint(); }", {"Hull.paint"}),
        ("fn run(Ship { hull: h, .. }: Ship) { h.paint(); }", {"Hull.paint"}),
        ("fn run(all: impl Iterator<Item = Ship>) { for s in all { s.go(); } }", {"Ship.go"}),
        ("fn run<T>(t: T) where T: Sails { t.sail(); }", {"Sails.sail"}),
        ("fn run<T: Sails + Clone>(t: &T) { t.sail(); }", {"Sails.sail"}),
        ("fn run<T: Sails>() { T::make().sail(); }", {"Sails.make", "Sails.sail"}),
        ("fn run<const N: usize>(s: [Ship; N]) { s[0].go(); }", {"Ship.go"}),
        ("fn run(k: Kind) { if let Kind::One(s) = k { s.go(); } }", {"Ship.go"}),
        ("fn run(k: Kind) { if let Kind::Two { ship } = k { ship.go(); } }", {"Ship.go"}),
        ("fn run(k: &Kind) { match k { Kind::One(s) | Kind::Two { ship: s } => s.go(), _ => {} } }", {"Ship.go"}),
        ("fn run(k: Kind) { match k { Kind::One(s @ Ship { .. }) if true => s.go(), _ => {} } }", {"Ship.go"}),
        ("fn run(k: Kind) { Kind::One(yard::build()).of().go(); }", {"Kind.of", "Ship.go"}),
        ("fn run(s: Ship) { struct In { s: Ship } let i = In { s }; i.s.go(); }", {"Ship.go"}),
        ("fn run(s: Ship) { fn inner(s: Ship) { s.go(); } inner(s); }", {"run.inner"}),
        ("fn run(s: Ship) { let s = &mut { s }; s.go(); }", {"Ship.go"}),
        ("fn run(s: Option<Ship>) -> Option<u8> { s?.go(); None }", {"Ship.go"}),
        ("fn run(s: Ship) { hello!(); s.go(); }", {"Ship.go"}),
        ("use crate::yard::build as made;\nfn run() { made().go(); }", {"Ship.go"}),
        ("extern crate alloc;\nfn run(s: Ship) { s.go(); }", {"Ship.go"}),
        ("#[cfg(test)]\nmod tests { use super::*; }\nfn run(s: Ship) { s.go(); }", {"Ship.go"}),
        ("pub(crate) unsafe extern \"C\" fn run(s: Ship) { s.go(); }", {"Ship.go"}),
        ("pub union Raw { ship: Box<Ship> }\nfn run(r: Raw) { unsafe { r.ship.go(); } }", {"Ship.go"}),
    ],
)  # fmt: skip
def test_a_declaration_of_rust_says_what_a_value_is(item: str, called: set[str]) -> None:
    assert called <= rust(item)
    assert not {name for name in rust(item) - called if name in {"Ship.go", "Hull.paint"}}


TYPESCRIPT = """
class Ship { sail(): void {} }
type On = (s: Ship) => void
interface Hooks { on: On; all: On[]; deep: { on: On }; make(): On; method(s: Ship): void }
declare function take(h: Hooks): void
declare function each(...fs: On[]): void
declare function later(f: () => Promise<On>): void
"""


@pytest.mark.parametrize(
    "code",
    [
        "const f: On = (s) => s.sail()",
        "let f: On; f = (s) => s.sail()",
        "const f = ((s) => s.sail()) as On",
        "const f = ((s) => s.sail()) satisfies On",
        "const f: On = true ? (s) => s.sail() : (s) => {}",
        "const f: On = null ?? ((s) => s.sail())",
        "const f: On[] = [(s) => s.sail()]",
        "const h: Partial<Hooks> = { on: (s) => s.sail() }",
        "const h: Partial<Hooks> = { deep: { on: (s) => s.sail() } }",
        "const h: Partial<Hooks> = { all: [(s) => s.sail()] }",
        "const h: Partial<Hooks> = { method(s) { s.sail() } }",
        "const h: Partial<Hooks> = { 'on': function (s) { s.sail() } }",
        "take({ on: (s) => s.sail() } as Hooks)",
        "take({ on: (s) => s.sail(), all: [], deep: null!, make: null!, method() {} })",
        "function g(): On { return (s) => s.sail() }",
        "const g = (): On => (s) => s.sail()",
        "const g: () => On = () => (s) => s.sail()",
        "const g: () => On = () => { return (s) => s.sail() }",
        "async function g(): Promise<On> { return (s) => s.sail() }",
        "function g(f: On = (s) => s.sail()) {}",
        "class D { f: On = (s) => s.sail() }",
        "class D { constructor(private f: On = (s) => s.sail()) {} }",
        "new Promise<Ship>((done) => {}).then((s) => s.sail())",
        "new (class<T> { constructor(f: (s: Ship) => T) {} })((s) => s.sail())",
        "const m = new Map<string, On>(); m.set('x', (s: Ship) => s.sail())",
    ],
)
def test_a_function_takes_what_is_expected_where_it_stands(code: str) -> None:
    found = graph({"a.ts": f"{TYPESCRIPT}\n{code}\n"})
    assert "a.ts::Ship.sail" in {dst for _, dst in found.edges("calls")}


@pytest.mark.parametrize(
    "code",
    [
        "declare function mark(x: any): any\n@mark class Deck { @mark go(s: Ship) { s.sail() } }",
        "declare function mark(x: any): any\nexport class Deck { @mark() @mark go(s: Ship) { s.sail() } }",
        "class Deck { static { new Ship().sail() } }",
        "class Deck { static #s = new Ship(); static go() { this.#s.sail() } }",
        "class Deck { get ship() { return new Ship() } go() { this.ship.sail() } }",
        "class Deck { declare ship: Ship; go() { this.ship.sail() } }",
        "class Deck { readonly ship = new Ship(); go = () => this.ship.sail() }",
        "class Deck { accessor ship = new Ship(); go() { this.ship.sail() } }",
        "class Deck<T extends Ship> { go(t: T) { t.sail() } }",
        "class Deck extends (class extends Ship {}) { go() { this.sail() } }",
        "const Deck = class Named extends Ship { go() { this.sail() } }",
        "abstract class Deck { abstract ship(): Ship; go() { this.ship().sail() } }",
        "class Deck { async *go(all: Ship[]) { for (const s of all) { yield s; s.sail() } } }",
        "class Deck { go?(s: Ship): void; run(s: Ship) { s.sail() } }",
        "type Both = Ship & { extra(): void }\nfunction go(b: Both) { b.sail() }",
        "type Maps = { [K in 'a' | 'b']: Ship }\nfunction go(m: Maps, s: Ship) { s.sail() }",
        "type Read = readonly Ship[]\nfunction go(r: Read) { r[0].sail() }",
        "type Fn = (() => Ship)\nfunction go(f: Fn) { f().sail() }",
        "interface Deck extends Array<Ship> {}\nfunction go(d: Deck) { d[0].sail() }",
        "interface Deck { ship: Ship }\ninterface Deck { other: Ship }\nfunction go(d: Deck) { d.other.sail() }",
        "interface Deck { [name: string]: Ship }\nfunction go(d: Deck, s: Ship) { s.sail() }",
        "interface Deck { new (): Ship }\nfunction go(D: Deck) { new D().sail() }",
        "interface Deck { get ship(): Ship }\nfunction go(d: Deck) { d.ship.sail() }",
        "enum Kind { A = 'a', B }\nfunction go(k: Kind, s: Ship) { if (k === Kind.A) s.sail() }",
        "const enum Kind { A }\nfunction go(k: Kind, s: Ship) { s.sail() }",
        "namespace N { export namespace M { export const ship = new Ship() } }\nN.M.ship.sail()",
        "namespace N { export const a = 1 }\nnamespace N { export const ship = new Ship() }\nN.ship.sail()",
        "function go(x: unknown) { if (typeof x === 'object' && x instanceof Ship) x.sail() }",
        "function go(x: Ship | string) { if (typeof x !== 'string') x.sail() }",
        "function go(x: Ship | null) { if (!x) return; x.sail() }",
        "function go(x: any) { x instanceof Ship ? x.sail() : 0 }",
        "function go(x: any) { if (!(x instanceof Ship)) throw 1; x.sail() }",
        "var ship = new Ship(), other = ship; other.sail()",
        "let { a: { b: ship } } = { a: { b: new Ship() } }; ship.sail()",
        "label: for (;;) { new Ship().sail(); break label }",
        "do { new Ship().sail() } while (false)",
        "if (true) { var late = new Ship() } late.sail()",
    ],
)
def test_a_declaration_of_typescript_says_what_a_value_is(code: str) -> None:
    found = graph({"a.ts": f"{TYPESCRIPT}\n{code}\n"})
    assert "a.ts::Ship.sail" in {dst for _, dst in found.edges("calls")}
