"""What the standard libraries of Rust, Go, Java and C++ hand through."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph

RUST = """
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex};
pub struct Ship { hull: Hull, crew: Vec<Sailor> }
pub struct Hull;
pub struct Sailor;
impl Ship { pub fn new() -> Self { todo!() } pub fn sail(&self) {} pub fn hull(&self) -> &Hull { &self.hull } }
impl Hull { pub fn paint(&self) {} }
impl Sailor { pub fn sing(&self) {} }
pub fn find() -> Option<Ship> { None }
pub fn load() -> Result<Ship, Hull> { todo!() }
"""


def rust(body: str) -> set[str]:
    """What a function calls, without what makes ships."""
    head = "fn run(ships: Vec<Ship>, named: HashMap<String, Ship>, maybe: Option<Ship>, s: Ship)"
    made = graph({"Cargo.toml": '[package]\nname = "harbor"\n', "src/lib.rs": f"{RUST}\n{head} {{\n{body}\n}}\n"})
    return {node.rpartition("::")[2] for node in made.calls_of("src/lib.rs::run")} - {"find", "load", "Ship.new"}


@pytest.mark.parametrize(
    "body",
    [
        "Some(s).unwrap().sail();",
        "let r: Result<Ship, Hull> = Ok(s); r.unwrap().sail();",
        "maybe.as_ref().map(|x| x.sail());",
        "maybe.map(|x| x).unwrap().sail();",
        "maybe.and_then(|x| Some(x)).unwrap().sail();",
        "maybe.unwrap_or_else(|| Ship::new()).sail();",
        "maybe.ok_or(1).unwrap().sail();",
        "maybe.or_else(find).unwrap().sail();",
        "if let Some(x) = maybe.as_deref() { x.sail(); }",
        "load().ok().unwrap().sail();",
        "load().map_err(|e| 1).unwrap().sail();",
        "load().unwrap_or_default().sail();",
        "let Ok(x) = load() else { return }; x.sail();",
        "while let Some(x) = find() { x.sail(); }",
        "ships.first().unwrap().sail();",
        "ships.into_iter().next().unwrap().sail();",
        "ships.iter().rev().skip(1).last().unwrap().sail();",
        "ships.iter().max_by_key(|x| x.crew.len()).unwrap().sail();",
        "ships.iter().zip(ships.iter()).for_each(|(a, b)| b.sail());",
        "ships.iter().enumerate().for_each(|(i, x)| x.sail());",
        "ships.iter().filter_map(|x| Some(x)).for_each(|x| x.sail());",
        "let v: Vec<&Ship> = ships.iter().collect(); v[0].sail();",
        "let v = ships.iter().collect::<Vec<_>>(); v[0].sail();",
        "ships.iter().fold(Ship::new(), |sum, x| { x.sail(); sum });",
        "ships.iter().fold(Ship::new(), |sum, x| sum).sail();",
        "for pair in ships.windows(2) { pair[0].sail(); }",
        "for few in ships.chunks(2) { few[0].sail(); }",
        "let (first, rest) = ships.split_first().unwrap(); first.sail();",
        'named.get("x").unwrap().sail();',
        "named.values().for_each(|x| x.sail());",
        "for (name, x) in &named { x.sail(); }",
        "for x in named.into_values() { x.sail(); }",
        "named.iter().for_each(|(name, x)| x.sail());",
        "named.entry(1).or_insert(s).sail();",
        "let m: BTreeMap<Ship, u8> = BTreeMap::new(); for x in m.keys() { x.sail(); }",
        "Box::new(s).sail();",
        "Rc::new(s).clone().sail();",
        "let x = Arc::new(Mutex::new(s)); x.lock().unwrap().sail();",
        "let x = Rc::new(RefCell::new(s)); x.borrow().sail();",
        "RefCell::new(s).into_inner().sail();",
        "let x = &s; (*x).sail();",
        "let x = (1, s); x.1.sail();",
        "let (n, x) = (1, s); x.sail();",
        "let x = { let y = s; y }; x.sail();",
        "let x = match 1 { 1 => s, _ => Ship::new() }; x.sail();",
        "let f = |x: Ship| x; f(s).sail();",
        "let f = || Ship::new(); f().sail();",
        "let x: [Ship; 2] = todo!(); x[0].sail();",
        "let x = s as Ship; x.sail();",
        "let Ship { hull, .. } = &s; s.sail();",
        "if s.crew.is_empty() && true { s.sail(); }",
    ],
)
def test_rusts_library_gives_what_it_holds(body: str) -> None:
    assert rust(body) == {"Ship.sail"}


GO = """
package sea

import (
	"iter"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
)

type Ship struct{ crew []*Sailor }
type Sailor struct{}

func (s *Ship) Sail()   {}
func (s *Sailor) Sing() {}
func New() *Ship        { return nil }
"""


def go(body: str) -> set[str]:
    """What a function calls, without what makes ships."""
    head = "func run(ships []*Ship, named map[string]*Ship, all iter.Seq[*Ship], held *atomic.Pointer[Ship])"
    made = graph({"go.mod": "module example.org/sea\n\ngo 1.23\n", "sea.go": f"{GO}\n{head} {{\n{body}\n}}\n"})
    return {node.rpartition("::")[2] for node in made.calls_of("sea.go::run")} - {"New", "Ship"}


@pytest.mark.parametrize(
    "body",
    [
        "slices.Clone(ships)[0].Sail()",
        "slices.MaxFunc(ships, nil).Sail()",
        "for s := range slices.Values(ships) { s.Sail() }",
        "for _, s := range slices.All(ships) { s.Sail() }",
        "for s := range maps.Values(named) { s.Sail() }",
        "for _, s := range maps.All(named) { s.Sail() }",
        "for s := range maps.Keys(map[*Ship]int{}) { s.Sail() }",
        "slices.Collect(maps.Values(named))[0].Sail()",
        'maps.Clone(named)["x"].Sail()',
        "for s := range all { s.Sail() }",
        "held.Load().Sail()",
        "sync.OnceValue(New)().Sail()",
        "for _, s := range ships { s.Sail() }",
        'if s, ok := named["x"]; ok { s.Sail() }',
        "ships = append(ships, New()); ships[0].Sail()",
        "c := make(chan *Ship); s := <-c; s.Sail()",
        "c := make(chan *Ship, 1); for s := range c { s.Sail() }",
        "var x any = New(); if s, ok := x.(*Ship); ok { s.Sail() }",
        "var x any; switch s := x.(type) { case *Ship: s.Sail() }",
        "s := &Ship{}; s.Sail()",
        "s := new(Ship); s.Sail()",
        "f := func() *Ship { return New() }; f().Sail()",
        "s := []*Ship{New()}[0]; s.Sail()",
        's := map[string]*Ship{"x": New()}["x"]; s.Sail()',
        "ships[1:][0].Sail()",
        "func(s *Ship) { s.Sail() }(New())",
        "go New().Sail()",
        "defer New().Sail()",
        "var a [2]*Ship; a[0].Sail()",
        "s := *New(); s.Sail()",
        "select { case s := <-make(chan *Ship): s.Sail() }",
    ],
)
def test_gos_library_gives_what_it_holds(body: str) -> None:
    assert go(body) == {"Ship.Sail"}


JAVA = """
package sea;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.*;
import java.util.stream.*;
class Ship { void sail() { } Hull hull() { return null; } List<Ship> boats; }
class Hull { void paint() { } }
class Yard { static Ship build() { return null; } }
"""


def java(body: str) -> set[str]:
    """What a method calls, without what makes ships."""
    head = (
        "void main(List<Ship> ships, Map<String, Ship> named, Optional<Ship> maybe, Supplier<Ship> make,"
        " CompletableFuture<Ship> soon, Object any)"
    )
    found = graph({"sea/Main.java": f"{JAVA}\nclass Main {{ {head} throws Exception {{ {body} }} }}"})
    return {node.partition("::")[2] for node in found.calls_of("sea/Main.java::Main.main")} - {"Ship", "Yard.build"}


@pytest.mark.parametrize(
    "body",
    [
        "ships.get(0).sail();",
        "ships.iterator().next().sail();",
        "for (Ship s : ships) s.sail();",
        "for (var s : ships) { s.sail(); }",
        "ships.forEach(s -> s.sail());",
        "ships.forEach(Ship::sail);",
        "ships.stream().filter(s -> true).findFirst().get().sail();",
        "ships.stream().map(s -> s).forEach(s -> s.sail());",
        "ships.stream().sorted().limit(2).toList().get(0).sail();",
        "ships.stream().collect(Collectors.toList()).get(0).sail();",
        "ships.stream().peek(s -> s.sail()).count();",
        'named.get("x").sail();',
        "named.values().forEach(s -> s.sail());",
        "named.forEach((k, s) -> s.sail());",
        "for (Map.Entry<String, Ship> e : named.entrySet()) e.getValue().sail();",
        'named.computeIfAbsent("x", k -> new Ship()).sail();',
        'named.getOrDefault("x", null).sail();',
        "maybe.get().sail();",
        "maybe.orElse(null).sail();",
        "maybe.orElseThrow().sail();",
        "maybe.map(s -> s).orElse(null).sail();",
        "maybe.ifPresent(s -> s.sail());",
        "maybe.ifPresent(Ship::sail);",
        "make.get().sail();",
        "soon.get().sail();",
        "soon.thenAccept(s -> s.sail());",
        "soon.thenApply(s -> s).join().sail();",
        "List.of(new Ship()).get(0).sail();",
        "Arrays.asList(new Ship()).get(0).sail();",
        "Optional.of(new Ship()).get().sail();",
        "Ship[] all = { new Ship() }; all[0].sail();",
        "((Ship) any).sail();",
        "if (any instanceof Ship s) s.sail();",
        "if (!(any instanceof Ship s)) return; s.sail();",
        "switch (any) { case Ship s -> s.sail(); default -> { } }",
        "Ship s = true ? Yard.build() : null; s.sail();",
        "var s = Yard.build(); s.sail();",
        "Ship s; s = Yard.build(); s.sail();",
        "new Ship() { void more() { } }.sail();",
        "Runnable r = () -> Yard.build().sail(); r.run();",
        "Function<Ship, Ship> f = s -> s; f.apply(null).sail();",
        "Consumer<Ship> c = s -> s.sail();",
        "BiConsumer<Ship, Ship> c = (a, b) -> b.sail();",
        "try { Yard.build().sail(); } catch (RuntimeException e) { e.printStackTrace(); }",
        "synchronized (any) { Yard.build().sail(); }",
        "Objects.requireNonNull(Yard.build()).sail();",
    ],
)
def test_javas_library_gives_what_it_holds(body: str) -> None:
    assert {name for name in java(body) if not name.startswith("Main.")} == {"Ship.sail"}


CPP = """
#include <memory>
#include <map>
#include <optional>
#include <string>
#include <vector>
namespace sea {
struct Hull { void paint() {} };
struct Ship { void sail() {} Hull hull; Hull* spare(); static Ship build(); Ship& twin(); Ship operator+(int) const; };
template <typename T> struct Box { T open(); T* operator->(); T inner; };
Ship launch();
}
using namespace sea;
"""


def cpp(body: str) -> set[str]:
    """What a function calls, without what makes ships."""
    head = (
        "void run(Ship s, Ship* p, std::vector<Ship> all, std::map<std::string, Ship> named, std::unique_ptr<Ship> own,"
        " std::optional<Ship> maybe, Box<Ship> box)"
    )
    found = graph({"main.cpp": f"{CPP}\n{head} {{\n{body}\n}}\n"})
    made = {"launch", "Ship.build", "Ship", "Box"}
    return {node.rpartition("::")[2] for node in found.calls_of("main.cpp::run")} - made


@pytest.mark.parametrize(
    "body",
    [
        "s.sail();",
        "p->sail();",
        "(*p).sail();",
        "(&s)->sail();",
        "all[0].sail();",
        "all.at(0).sail();",
        "all.front().sail();",
        "for (auto& one : all) one.sail();",
        "for (Ship one : all) { one.sail(); }",
        "for (auto& [name, one] : named) one.sail();",
        'named["x"].sail();',
        'named.at("x").sail();',
        'named.find("x")->second.sail();',
        "own->sail();",
        "(*own).sail();",
        "own.get()->sail();",
        "maybe->sail();",
        "maybe.value().sail();",
        "box.inner.sail();",
        "auto x = launch(); x.sail();",
        "auto x = Ship::build(); x.sail();",
        "auto* x = new Ship(); x->sail();",
        "Ship x; x.sail();",
        "Ship x{}; x.sail();",
        "Ship().sail();",
        "Ship{}.sail();",
        "std::make_unique<Ship>()->sail();",
        "auto x = std::make_shared<Ship>(); x->sail();",
        "std::move(s).sail();",
        "static_cast<Ship*>(nullptr)->sail();",
        "((Ship*)nullptr)->sail();",
        "(true ? s : s).sail();",
        "auto f = [](Ship x) { x.sail(); };",
        "auto f = [&] { s.sail(); };",
        "if (auto x = launch(); true) x.sail();",
        "while (true) { s.sail(); break; }",
        "try { s.sail(); } catch (...) { }",
        "Ship many[2]; many[0].sail();",
        "const Ship& x = s; x.sail();",
        "using Boat = Ship; Boat x; x.sail();",
        "sea::Ship x; x.sail();",
    ],
)
def test_cpps_library_gives_what_it_holds(body: str) -> None:
    assert cpp(body) == {"Ship.sail"}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("box.open().sail();", {"Box.open", "Ship.sail"}),
        ("s.twin().twin().sail();", {"Ship.twin", "Ship.sail"}),
        ("s.spare()->paint();", {"Ship.spare", "Hull.paint"}),
        ("s.hull.paint(); p->hull.paint();", {"Hull.paint"}),
    ],
)
def test_what_a_method_of_cpp_gives_is_followed(body: str, called: set[str]) -> None:
    assert cpp(body) == called
