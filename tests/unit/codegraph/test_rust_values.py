"""What values in Rust are, where the language has words of its own for it: paths, patterns, closures, `Deref`."""

from __future__ import annotations

import pytest

from memd.codegraph.facts import FileFacts
from memd.codegraph.mentions import changed, mentioned
from tests.unit.codegraph.trees import Graph, graph

YARD = """
use std::ops::Deref;
use std::collections::{BTreeMap, btree_map::OccupiedEntry};

pub struct Mast;
impl Mast { pub fn step(&self) {} pub fn rake(&self) -> u8 { 1 } pub fn cut(&mut self) -> Option<Sail> { None } }
pub struct Sail;
impl Sail { pub fn hoist(&self) {} }
pub struct Rig { pub mast: Mast, pub sails: BTreeMap<Mast, Sail> }
impl Rig {
    pub fn trim<F>(&self, n: u8, f: F) where F: Fn(&Mast, u8, Sail) -> u8 {}
}
pub struct Held<'a> { rig: &'a Rig }
impl<'a> Deref for Held<'a> { type Target = Rig; fn deref(&self) -> &Rig { self.rig } }
pub struct Own<T> { it: T }
impl<T> Deref for Own<T> { type Target = T; fn deref(&self) -> &T { &self.it } }
pub enum Part<T> { Mast(Mast), Sail(Sail), Pair(u8, T, Mast) }
pub trait Splice: Iterator { fn splice(self) -> Sail where Self: Sized { todo!() } }
impl<I: Iterator> Splice for I {}
"""
USED = "use crate::yard::{self, Mast, Own, Part, Rig, Sail, Splice};"

KEPT = """
struct Held<T> { it: T }
impl<T> Held<T> { fn new() -> Self { todo!() } fn step(&self) {} }
type Kept<T> = Held<T>;
"""


def _yard(body: str, head: str, more: str = "") -> Graph:
    return graph(
        {
            "Cargo.toml": '[package]\nname = "yard"\nedition = "2021"\n',
            "src/lib.rs": "pub mod yard;\nmod run;\n",
            "src/yard.rs": YARD,
            "src/run.rs": f"{USED}\n{more}\n{head} {{\n{body}\n}}\n",
        }
    )


def _called(made: Graph, node: str = "src/run.rs::run") -> set[str]:
    return {dst.rpartition("::")[2] for dst in made.calls_of(node)}


@pytest.mark.parametrize(
    ("head", "body", "called"),
    [
        ("fn run(r: yard::Held)", "r.mast.step();", {"Mast.step"}),
        ("fn run(r: yard::Held)", "r.trim(1, |m, _, s| 1);", {"Rig.trim"}),
        ("fn run(m: Own<Mast>)", "m.step();", {"Mast.step"}),
        (
            "fn run(r: &Rig)",
            "r.trim(1, |m, n, s| { m.step(); s.hoist(); 1 });",
            {"Rig.trim", "Mast.step", "Sail.hoist"},
        ),
        ("fn run(r: &Rig)", "r.trim(1, |m, _, s| { s.hoist(); 1 });", {"Rig.trim", "Sail.hoist"}),
        ("fn run(r: &Rig)", "r.sails.iter().for_each(|(_, s)| s.hoist());", {"Sail.hoist"}),
        ("fn run(p: (u8, Sail, Mast))", "let (_, _, m) = p; m.step();", {"Mast.step"}),
        ("fn run(p: Part<Sail>)", "if let Part::Pair(_, _, m) = p { m.step(); }", {"Mast.step"}),
        ("fn run(p: Part<Sail>)", "match p { Part::Mast(m) => m.step(), _ => {} }", {"Mast.step"}),
        ("fn run(v: Vec<Mast>)", "v.iter_mut().filter_map(Mast::cut).for_each(|s| s.hoist());", {"Sail.hoist"}),
        ("fn run(v: Vec<Mast>)", "v.iter().splice().hoist();", {"Splice.splice", "Sail.hoist"}),
        ("fn run(m: &mut Mast)", "let old = std::mem::replace(m, Mast); old.step();", {"Mast.step"}),
        ("fn run(r: &mut Rig)", "r.sails.entry(k).or_default().hoist();", {"Sail.hoist"}),
        (
            "fn run(e: std::collections::btree_map::OccupiedEntry<Mast, Sail>)",
            "e.key().step(); e.get().hoist();",
            {"Mast.step", "Sail.hoist"},
        ),
    ],
)
def test_a_value_is_followed_through_patterns_closures_and_what_stands_for_it(
    head: str, body: str, called: set[str]
) -> None:
    assert _called(_yard(body, head)) == called


def test_a_path_begins_with_a_module_whatever_variable_has_its_name() -> None:
    made = _yard(
        "yard.step(); yard::launch();",
        "fn run(yard: &yard::Mast)",
    )
    assert _called(made) == {"Mast.step"}
    assert ("src/run.rs::run", "yard.launch") in made.unresolved()


def test_a_path_may_begin_with_what_a_function_itself_imports() -> None:
    made = _yard("use crate::yard as docks; let m: docks::Mast = todo!(); m.step();", "fn run(yard: u8)")
    assert _called(made) == {"Mast.step"}


def test_self_before_a_path_is_the_module_and_not_the_value() -> None:
    made = _yard("self::deep::haul();", "fn run()", "mod deep { pub fn haul() {} }")
    assert _called(made) == {"deep.haul"}


def test_a_method_of_the_type_comes_before_one_that_a_trait_brings_in_any_file() -> None:
    made = graph(
        {
            "Cargo.toml": '[package]\nname = "yard"\nedition = "2021"\n',
            "src/lib.rs": "mod a;\nmod z;\n",
            "src/a.rs": "use crate::z::Ship;\npub trait Sails { fn sail(&self); }\n"
            "impl Sails for Ship { fn sail(&self) { self.sail() } }\n",
            "src/z.rs": "pub struct Ship;\nimpl Ship { pub fn sail(&self) {} }\nfn run(s: Ship) { s.sail() }\n",
        }
    )
    assert made.calls_of("src/z.rs::run") == {"src/z.rs::Ship.sail"}
    assert made.calls_of("src/a.rs::Ship.sail") == {"src/z.rs::Ship.sail"}


def test_an_alias_hands_its_arguments_through() -> None:
    made = _yard("m.step();", "fn run(m: Index<Mast>)", "type Index<T = u8> = T;")
    assert _called(made) == {"Mast.step"}
    made = _yard("Kept::<u8>::new(); Kept::<u8>::new().step();", "fn run()", KEPT)
    assert _called(made) == {"Held.new", "Held.step"}


def test_what_a_trait_brings_to_whatever_there_is_makes_no_type_inherit() -> None:
    made = _yard(
        "", "fn run()", "trait Towed { }\ntrait Pulled { }\nimpl<T: Pulled> Towed for T { }\nimpl<T> Pulled for &T { }"
    )
    assert made.edges("inherits") == set()


@pytest.mark.parametrize(
    ("edition", "reaches"), [("", True), ('edition = "2015"\n', True), ('edition = "2018"\n', False)]
)
def test_paths_of_a_use_begin_at_the_root_in_the_edition_that_a_package_without_one_has(
    edition: str, reaches: bool
) -> None:
    made = graph(
        {
            "Cargo.toml": f'[package]\nname = "yard"\n{edition}',
            "src/lib.rs": "mod ships;\nmod deep;\npub struct Dock;\nimpl Dock { pub fn open(&self) {} }\n",
            "src/ships.rs": "pub struct Ship;\nimpl Ship { pub fn sail(&self) {} }\n",
            "src/deep/mod.rs": "mod low;\n",
            "src/deep/low.rs": "use ships::Ship;\nuse Dock;\nfn run(s: Ship, d: Dock) { s.sail(); d.open(); }\n",
        }
    )
    assert (("src/deep/low.rs", "src/ships.rs") in made.edges("imports")) is reaches
    assert _called(made, "src/deep/low.rs::run") == ({"Ship.sail", "Dock.open"} if reaches else set())


def _facts(source: str) -> FileFacts:
    return graph({"src/lib.rs": source}).facts["src/lib.rs"]


def test_who_uses_a_trait_is_looked_at_again_when_something_new_has_it() -> None:
    before, after = (
        _facts("pub trait Splice { fn splice(&self) {} }"),
        _facts("pub trait Splice { fn splice(&self) {} }\nimpl<T> Splice for T {}"),
    )
    user = _facts("use crate::ropes::Splice;\nfn run(v: Vec<u8>) { v.splice(); }")
    assert changed(before, after) & mentioned(user)


def test_a_path_mentions_what_it_begins_with() -> None:
    assert "ropes" in mentioned(_facts("fn run() { ropes::splice(); }"))


SLICES = """
pub trait Bytes {
    fn raw(&self) -> &[u8];
    fn bow(&self) -> bool { self.raw().keel() }
    fn keel(&self) -> bool { true }
    fn to_ascii_lowercase(&self) -> bool { true }
}
impl Bytes for [u8] { fn raw(&self) -> &[u8] { self } }
pub trait Wide { fn wide(&self) -> usize; }
impl Wide for str { fn wide(&self) -> usize { 1 } }
pub struct Line<'a> { held: &'a [u8] }
"""


@pytest.mark.parametrize(
    ("function", "called"),
    [
        ("fn main(held: &[u8]) { held.bow(); }", {"Bytes.bow"}),
        ("fn main(held: &[u8; 4]) { held.bow(); }", {"Bytes.bow"}),
        ("fn main(held: Vec<u8>) { held.bow(); }", {"Bytes.bow"}),
        ("fn main(mut held: &[u8]) { held = &held[1..]; held.raw().keel(); }", {"Bytes.raw", "Bytes.keel"}),
        ("fn main(line: &Line) { line.held.bow(); }", {"Bytes.bow"}),
        ("fn main(held: String) { held.wide(); }", {"str.wide", "Wide.wide"}),
        ("fn main(held: &[u8]) { held.to_ascii_lowercase(); held.len(); }", set()),  # its own come before any trait's
    ],
)
def test_methods_that_a_trait_brings_to_slices_are_called_by_the_traits_name(function: str, called: set[str]) -> None:
    made = graph({"src/lib.rs": SLICES + function})
    assert made.calls_of("src/lib.rs::main") == {f"src/lib.rs::{name}" for name in called}


def test_what_stands_in_a_block_for_a_slice_has_no_name_before_its_own() -> None:
    made = graph({"src/lib.rs": SLICES})
    assert "src/lib.rs::raw" in made.symbols()
    assert not any("[]" in name for name in made.symbols())
