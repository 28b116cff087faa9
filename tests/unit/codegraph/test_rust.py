from __future__ import annotations

import pytest

from memd.codegraph.languages.rust.conditionals import laid_open
from tests.unit.codegraph.trees import graph

SHIPS = """
use std::collections::HashMap;

pub trait Floats { type Load: Weighs; fn draught(&self) -> u32; fn load(&self) -> Self::Load; fn sink(&self) {} }
pub trait Weighs { fn tons(&self) -> u32; }
pub struct Crate(Hull, u8);
pub struct Hull;
pub struct Ship { hull: Hull, boats: Vec<Ship>, spare: Option<Box<Hull>>, by_name: HashMap<String, Ship> }
pub enum Craft { Ship(Ship), Raft { hull: Hull }, Nothing }
impl Hull { pub fn paint(&self) {} }
impl Ship {
    pub fn new(n: u8) -> Self { todo!() }
    pub fn sail(&self) {}
    pub fn hull(&self) -> &Hull { &self.hull }
    pub fn try_moor(&mut self) -> Result<Hull, Crate> { todo!() }
}
impl Floats for Ship { type Load = Hull; fn draught(&self) -> u32 { 1 } fn load(&self) -> Hull { Hull } }
pub fn launch() -> Ship { Ship::new(1) }
"""


def _calls(body: str, head: str = "fn run(s: &mut Ship, c: Craft)") -> set[str]:
    made = graph(
        {
            "Cargo.toml": '[package]\nname = "harbor-master"\n',
            "src/lib.rs": "mod ships;\nmod run;\n",
            "src/ships.rs": SHIPS,
            "src/run.rs": f"use crate::ships::{{self, Craft, Crate, Floats, Ship}};\n{head} {{\n{body}\n}}\n",
        }
    )
    return {node.rpartition("::")[2] for node in made.calls_of("src/run.rs::run")}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("s.sail();", {"Ship.sail"}),
        ("s.hull().paint();", {"Ship.hull", "Hull.paint"}),
        ("let x = Ship::new(2); x.sail();", {"Ship.new", "Ship.sail"}),
        ("let x = ships::launch(); x.sail();", {"launch", "Ship.sail"}),
        ("crate::ships::launch();", {"launch"}),
        ("for b in &s.boats { b.sail(); }", {"Ship.sail"}),
        ("s.boats.iter().filter(|b| true).for_each(|b| b.sail());", {"Ship.sail"}),
        ("s.boats.iter().map(|b| b.hull()).for_each(|h| h.paint());", {"Ship.hull", "Hull.paint"}),
        ("for (i, b) in s.boats.iter().enumerate() { b.sail(); }", {"Ship.sail"}),
        ("s.boats[0].sail();", {"Ship.sail"}),
        ("if let Some(h) = &s.spare { h.paint(); }", {"Hull.paint"}),
        ("let Some(h) = s.spare.take() else { return }; h.paint();", {"Hull.paint"}),
        ("s.by_name.get(\"x\").unwrap().sail();", {"Ship.sail"}),
        ("match s.try_moor() { Ok(h) => h.paint(), Err(e) => e.0.paint() }", {"Ship.try_moor", "Hull.paint"}),
        ("s.try_moor()?.paint();", {"Ship.try_moor", "Hull.paint"}),
        ("match c { Craft::Ship(x) => x.sail(), _ => {} }", {"Ship.sail"}),
        ("match c { Craft::Raft { hull } => hull.paint(), _ => {} }", {"Hull.paint"}),
        ("let x = if true { ships::launch() } else { Ship::new(1) }; x.sail();", {"launch", "Ship.new", "Ship.sail"}),
        ("let s = s.hull(); s.paint();", {"Ship.hull", "Hull.paint"}),
        ("s.clone().sail();", {"Ship.sail"}),
        ("s.sink();", {"Floats.sink"}),
        ("Craft::Nothing; unknown.sail();", set()),
    ],
)  # fmt: skip
def test_a_call_follows_the_type_of_its_receiver(body: str, called: set[str]) -> None:
    assert _calls(body) == called


@pytest.mark.parametrize(
    "head",
    [
        "fn run<F: Floats>(f: F)",
        "fn run<F>(f: F) where F: Floats",
        "fn run(f: impl Floats)",
        "fn run(f: &dyn Floats)",
        "fn run(f: Box<dyn Floats>)",
    ],
)
def test_what_is_only_known_by_its_trait_has_the_members_of_the_trait(head: str) -> None:
    assert _calls("f.draught(); f.load().tons();", head) == {"Floats.draught", "Floats.load", "Weighs.tons"}


def test_modules_are_files_folders_and_blocks_and_imports_go_to_their_files() -> None:
    made = graph(
        {
            "Cargo.toml": '[package]\nname = "harbor"\n',
            "src/lib.rs": "pub mod quay;\nmod tide;\n",
            "src/quay/mod.rs": "mod crane;\npub use self::crane::lift;\npub fn open() {}\n",
            "src/quay/crane.rs": """
                pub fn lift() { super::open(); inner::deep(); }
                mod inner { pub fn deep() { super::lift(); } }
            """,
            "src/tide.rs": "use crate::quay::{open, lift as up};\npub fn turn() { open(); up(); }\n",
        }
    )
    assert made.calls_of("src/tide.rs::turn") == {"src/quay/mod.rs::open", "src/quay/crane.rs::lift"}
    assert made.calls_of("src/quay/crane.rs::lift") == {"src/quay/mod.rs::open", "src/quay/crane.rs::inner.deep"}
    assert made.calls_of("src/quay/crane.rs::inner.deep") == {"src/quay/crane.rs::lift"}
    assert made.edges("imports") == {
        ("src/lib.rs", "src/quay/mod.rs"),
        ("src/lib.rs", "src/tide.rs"),
        ("src/quay/mod.rs", "src/quay/crane.rs"),
        ("src/tide.rs", "src/quay/mod.rs"),
    }


def test_an_impl_in_another_file_belongs_to_the_type_and_brings_its_trait() -> None:
    made = graph(
        {
            "src/lib.rs": """
                mod a;
                mod b;
                pub struct Ship;
                pub trait Floats: Moves { fn float(&self); }
                pub trait Moves { fn go(&self); }
            """,
            "src/a.rs": """
                use crate::Ship;
                impl Ship { pub fn sail(&self) { self.float(); } }
                impl crate::Floats for Ship { fn float(&self) {} }
            """,
            "src/b.rs": """
                struct Ship;
                impl Ship { fn other(&self) {} }
                fn run(s: crate::Ship) { s.sail(); s.go(); }
            """,
        }
    )
    assert made.calls_of("src/b.rs::run") == {"src/a.rs::Ship.sail", "src/lib.rs::Moves.go"}
    assert made.edges("inherits") == {
        ("src/lib.rs::Ship", "src/lib.rs::Floats"),
        ("src/lib.rs::Floats", "src/lib.rs::Moves"),
    }


def test_a_field_and_a_method_of_one_name_are_two_things() -> None:
    made = graph(
        {
            "src/lib.rs": """
            struct A { b: B } struct B; struct C;
            impl A { fn b(&self) -> C { C } fn run(&self) { self.b.go(); self.b().stop(); } }
            impl B { fn go(&self) {} } impl C { fn stop(&self) {} }
            """
        }
    )
    assert made.calls_of("src/lib.rs::A.run") == {"src/lib.rs::A.b", "src/lib.rs::B.go", "src/lib.rs::C.stop"}


def test_a_module_that_a_macro_declares_is_the_file_that_lies_where_it_would() -> None:
    made = graph(
        {
            "tests/all/main.rs": 'automod::dir!("tests/all");\n',
            "tests/all/utils.rs": "pub fn check() {}\n",
            "tests/all/first.rs": "use super::utils;\nfn runs() { utils::check(); }\n",
        }
    )
    assert made.calls_of("tests/all/first.rs::runs") == {"tests/all/utils.rs::check"}


CONDITIONAL = """
    // cfg_if! { is told of here
    use cfg_if::cfg_if;
    cfg_if::cfg_if! {
        if #[cfg(all(unix, feature = "x"))] {
            mod unix;
            pub use unix::open;
        } else if #[cfg(windows)] {
            mod windows;
            fn shut() -> char { '}' }
        } else {
            mod other;
        }
    }
    cfg_net! {
        pub mod net;
        pub fn listen() { net::bind(); }
    }
    pub fn run() { open(); shut(); listen(); }
    """


def test_what_stands_in_macros_that_only_decide_what_is_built_is_seen() -> None:
    made = graph(
        {
            "src/lib.rs": CONDITIONAL,
            "src/unix.rs": "pub fn open() {}\n",
            "src/windows.rs": "",
            "src/other.rs": "",
            "src/net.rs": "pub fn bind() {}\n",
        }
    )
    assert {dst for _, dst in made.edges("imports")} == {"src/unix.rs", "src/windows.rs", "src/other.rs", "src/net.rs"}
    assert made.calls_of("src/lib.rs::run") == {"src/unix.rs::open", "src/lib.rs::shut", "src/lib.rs::listen"}
    assert made.calls_of("src/lib.rs::listen") == {"src/net.rs::bind"}
    (run,) = [one for one in made.facts["src/lib.rs"].symbols if one.name == "run"]
    assert run.line == 18


@pytest.mark.parametrize("source", ["cfg_if! { if #[cfg(unix)] { fn f() {} ", "cfg_x! {", "/* cfg_if! { */ fn f() {}"])
def test_macros_that_never_end_or_stand_in_comments_change_nothing(source: str) -> None:
    assert laid_open(source.encode()) == source.encode()


def test_a_module_is_in_the_file_that_its_path_names() -> None:
    made = graph(
        {
            "src/lib.rs": '#[path = "sys/unix.rs"]\nmod imp;\nmod user;\npub fn tide() {}\nfn run() { imp::open(); }\n',
            "src/sys/unix.rs": "use super::tide;\npub fn open() { tide(); super::tide(); }\n",
            "src/user.rs": "use crate::imp::open;\npub fn use_it() { open(); crate::imp::open(); }\n",
        }
    )
    assert made.calls_of("src/lib.rs::run") == {"src/sys/unix.rs::open"}
    assert made.calls_of("src/sys/unix.rs::open") == {"src/lib.rs::tide"}
    assert made.calls_of("src/user.rs::use_it") == {"src/sys/unix.rs::open"}
    assert ("src/user.rs", "src/sys/unix.rs") in made.edges("imports")
    assert ("src/sys/unix.rs", "src/lib.rs") in made.edges("imports")


EXTENSION = """
    pub trait Depth { fn fathoms(&self) -> u32; fn deep(&self) -> bool { self.fathoms() > 9 } fn parse(&self) {} }
    impl Depth for u32 { fn fathoms(&self) -> u32 { *self } }
    impl Depth for str { fn fathoms(&self) -> u32 { 1 } }
    pub struct Keel;
    impl Keel { pub fn parse(&self) {} pub fn both(&self) {} }
    impl Depth for Keel { fn fathoms(&self) -> u32 { 2 } fn deep(&self) -> bool { true } }
    """


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("let x: u32 = 1; x.fathoms();", {"u32.fathoms", "Depth.fathoms"}),
        ("let x: u32 = 1; x.deep();", {"Depth.deep"}),
        ('"x".fathoms();', {"str.fathoms", "Depth.fathoms"}),
        ('"x".parse();', set()),
        ("let x: u64 = 1; x.fathoms();", set()),
        ("Keel.fathoms();", {"Keel.fathoms", "Depth.fathoms"}),
        ("let k = Keel; k.deep();", {"Keel.deep", "Depth.deep"}),
        ("let k = Keel; k.parse();", {"Keel.parse"}),
    ],
)
def test_methods_of_traits_are_called_by_the_trait_and_brought_to_types_of_the_library(
    body: str, called: set[str]
) -> None:
    made = graph({"src/lib.rs": f"mod d;\nuse d::{{Depth, Keel}};\nfn run() {{\n{body}\n}}\n", "src/d.rs": EXTENSION})
    assert {node.rpartition("::")[2] for node in made.calls_of("src/lib.rs::run")} - {"Keel"} == called


@pytest.mark.parametrize("unit", ["cfg_if! {", "cfg_x! { fn f() {} ", "cfg_x! { } "])
def test_macros_without_number_come_to_an_end(unit: str) -> None:
    source = unit.encode() * 20_000
    assert len(laid_open(source)) == len(source)
