from __future__ import annotations

import pytest

from memd.codegraph.facts import Flag
from tests.unit.codegraph.trees import Graph, graph

MOD = "module example.org/sea\n\ngo 1.22\n"
FLEET = """
package sea

import "io"

type Boat interface {
	Sail() error
	Tow(other Boat) Boat
}

type Ship struct {
	*Hull
	Name   string
	Cabins []Cabin
	Crew   map[string]*Sailor
	Flags  Flags
	io.Reader
	onSail func(s *Ship) (*Sailor, error)
}

type Hull struct{ Keel Keel }
type Keel int
type Cabin struct{ Owner *Sailor }
type Sailor struct{}
type Flags []*Flag
type Flag struct{}
type Order func(s *Ship) *Sailor
type Crate[T any] struct{ inner T }
type Old = Ship

func New(name string) (*Ship, error) { return &Ship{Name: name}, nil }
func (h *Hull) Paint()               {}
func (k Keel) Check() bool           { return true }
func (c *Crate[V]) Open() V          { return c.inner }
func (s *Sailor) Wave()              {}
func (f *Flag) Wave()                {}
func (o Order) Give()                {}
func Wrap[T any](inner T) *Crate[T]  { return &Crate[T]{inner} }
func First[T any](all []T) T         { return all[0] }
func Each[T any](all []T) func(yield func(int, T) bool) { return nil }
"""
METHODS = """
package sea

func (s *Ship) Sail() error         { return nil }
func (s *Ship) Tow(other Boat) Boat { return other }
func (s *Ship) Captain() *Sailor    { return nil }
"""


def _graph(body: str) -> Graph:
    return graph(
        {
            "go.mod": MOD,
            "fleet.go": FLEET,
            "methods.go": METHODS,
            "cmd/main.go": f'package main\n\nimport "example.org/sea"\n\n{body}\n',
        }
    )


def _calls(body: str) -> set[str]:
    called = _graph(body).calls_of("cmd/main.go::main")
    return {node.partition("::")[2] for node in called}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("func main(s *sea.Ship) { s.Sail() }", {"Ship.Sail"}),
        ("func main(b sea.Boat) { b.Tow(b).Sail() }", {"Boat.Tow", "Boat.Sail"}),
        ("func main(s sea.Old) { s.Captain().Wave() }", {"Ship.Captain", "Sailor.Wave"}),
        ("func main() { s, err := sea.New(); s.Sail(); err.Error() }", {"New", "Ship.Sail"}),
        ("func main() { s := sea.Ship{}; s.Sail() }", {"Ship", "Ship.Sail"}),
        ("func main() { s := &sea.Ship{}; (*s).Sail() }", {"Ship", "Ship.Sail"}),
        ("func main() { s := new(sea.Ship); s.Sail() }", {"Ship.Sail"}),
        ("func main() { var s sea.Ship; s.Hull.Paint(); s.Paint(); s.Keel.Check() }", {"Hull.Paint", "Keel.Check"}),
        ("func main(s sea.Ship) { for _, c := range s.Cabins { c.Owner.Wave() } }", {"Sailor.Wave"}),
        ("func main(s sea.Ship) { for _, f := range s.Flags { f.Wave() }; s.Flags[0].Wave() }", {"Flag.Wave"}),
        ("func main(s sea.Ship) { for n, x := range s.Crew { n.Wave(); x.Wave() } }", {"Sailor.Wave"}),
        ("func main(s sea.Ship) { if x, ok := s.Crew[\"a\"]; ok { x.Wave() } }", {"Sailor.Wave"}),
        ("func main(c chan *sea.Ship) { s := <-c; s.Sail(); for t := range c { t.Captain() } }",
         {"Ship.Sail", "Ship.Captain"}),
        ("func main(c chan *sea.Ship) { select { case s, ok := <-c: s.Sail(); _ = ok } }", {"Ship.Sail"}),
        ("func main(x any) { x.(*sea.Ship).Sail(); if f, ok := x.(*sea.Flag); ok { f.Wave() } }",
         {"Ship.Sail", "Flag.Wave"}),
        ("func main(x any) { switch t := x.(type) { case *sea.Ship: t.Sail(); case *sea.Flag: t.Wave() } }",
         {"Ship.Sail", "Flag.Wave"}),
        ("func main(b sea.Boat) { switch t := b.(type) { case *sea.Ship, *sea.Flag: t.Sail(); default: t.Tow(nil) } }",
         {"Boat.Sail", "Boat.Tow"}),
        ("func main(all ...*sea.Ship) { for _, s := range all { s.Sail() } }", {"Ship.Sail"}),
        ("func main() { all := []*sea.Ship{}; all = append(all, nil); all[0].Sail(); all[1:][0].Captain() }",
         {"Ship.Sail", "Ship.Captain"}),
        ("func main() { for _, c := range []struct{ s *sea.Ship }{{nil}} { c.s.Sail() } }", {"Ship.Sail"}),
        ("func main() { f := func(s *sea.Ship) *sea.Sailor { s.Sail(); return nil }; f(nil).Wave() }",
         {"Ship.Sail", "Sailor.Wave"}),
        ("func main(o sea.Order) { o(nil).Wave(); o.Give() }", {"Sailor.Wave", "Order.Give"}),
        ("func main() { sea.Order(nil).Give(); sea.Keel(3).Check() }", {"Order.Give", "Keel.Check"}),
        ("func main(c *sea.Crate[*sea.Ship]) { c.Open().Sail() }", {"Crate.Open", "Ship.Sail"}),
        ("func main(s *sea.Ship) { sea.Wrap(s).Open().Sail() }", {"Wrap", "Crate.Open", "Ship.Sail"}),
        ("func main(s []*sea.Ship) { sea.First(s).Sail() }", {"First", "Ship.Sail"}),
        ("func main() { sea.Wrap[*sea.Ship](nil).Open().Sail() }", {"Wrap", "Crate.Open", "Ship.Sail"}),
        ("func main(s []*sea.Ship) { for _, x := range sea.Each(s) { x.Sail() } }", {"Each", "Ship.Sail"}),
        ("func main[T sea.Boat](t T) { t.Sail() }", {"Boat.Sail"}),
        ("func main(s *sea.Ship) { defer s.Sail(); go func() { s.Captain() }() }", {"Ship.Sail", "Ship.Captain"}),
        ("func main(s *sea.Ship) { captain := s.Captain; captain().Wave() }", {"Sailor.Wave"}),
        ("func main(sea *sea.Ship) { sea.Sail() }", {"Ship.Sail"}),
        ("func main(s *sea.Ship) { { s := 1; s.Sail() }; s.Captain() }", {"Ship.Captain"}),
        ("func main(x any) { x.Sail(); unknown.Sail() }", set()),
    ],
)  # fmt: skip
def test_a_method_is_found_by_the_type_of_its_receiver(body: str, called: set[str]) -> None:
    assert _calls(body) == called


def test_methods_belong_to_their_type_in_whatever_file_of_the_package_they_stand() -> None:
    found = _graph("func main(s *sea.Ship) { s.Captain() }")

    assert found.calls_of("cmd/main.go::main") == {"methods.go::Ship.Captain"}
    assert "methods.go::Ship" not in found.symbols()
    assert found.symbols()["methods.go::Ship.Captain"] == "method"


def test_imports_lead_to_folders_by_the_module_that_they_lie_in() -> None:
    files = {
        "go.mod": MOD,
        "fleet.go": "package sea\n",
        "internal/wind/blow.go": "package gale\n\nfunc Blow() {}\n",
        "tools/go.mod": "module example.org/sea/tools\n",
        "tools/lint/lint.go": "package lint\n\nfunc Lint() {}\n",
        "cmd/main.go": """
            package main

            import (
                "fmt"
                root "example.org/sea"
                "example.org/sea/internal/wind"
                . "example.org/sea/tools/lint"
                _ "example.org/other/sea"
            )

            func main() { fmt.Println(root.X); gale.Blow(); Lint() }
            """,
    }
    found = graph(files)

    assert found.edges("imports") == {
        ("cmd/main.go", "."),
        ("cmd/main.go", "internal/wind"),
        ("cmd/main.go", "tools/lint"),
    }
    assert found.calls_of("cmd/main.go::main") == {"internal/wind/blow.go::Blow", "tools/lint/lint.go::Lint"}


def test_without_modules_an_import_leads_to_the_folder_that_it_ends_with() -> None:
    files = {
        "wind/blow.go": "package wind\n\nfunc Blow() {}\n",
        "fmt/print.go": "package fmt\n\nfunc Println() {}\n",
        "main.go": """
            package main

            import (
                "example.org/sea/wind"
                "fmt"
            )

            func main() { wind.Blow(); fmt.Println() }
            """,
    }
    found = graph(files)

    assert found.edges("imports") == {("main.go", "wind")}
    assert found.calls_of("main.go::main") == {"wind/blow.go::Blow"}


def test_a_package_is_what_says_so_in_a_folder_and_is_built() -> None:
    files = {
        "go.mod": MOD,
        "a.go": "package sea\n\nfunc main() { dial(); help(); check() }\n",
        "dial_windows.go": "package sea\n\nfunc dial() {}\n",
        "dial_linux.go": "package sea\n\nfunc dial() {}\n",
        "slow.go": "//go:build !linux || (arm64 && cgo)\n\npackage sea\n\nfunc help() {}\n",
        "fast.go": "//go:build linux\n\npackage sea\n\nfunc help() {}\n",
        "gen.go": "//go:build ignore\n\npackage main\n\nfunc check() {}\n",
        "a_test.go": "package sea_test\n\nfunc check() {}\n\nfunc help() {}\n\nfunc try() { help(); check() }\n",
    }
    found = graph(files)

    assert found.calls_of("a.go::main") == {"dial_linux.go::dial", "fast.go::help"}
    assert found.calls_of("a_test.go::try") == {"a_test.go::help", "a_test.go::check"}


def test_embedding_is_inheritance() -> None:
    source = """
    package sea

    import "io"

    type Floats interface{ Float() }
    type Boat interface {
        Floats
        io.Closer
        ~int | ~string
    }
    type Hull struct{}
    type Ship struct {
        *Hull
        Floats
        Other Hull
    }
    type Tanker[T any] struct{ Ship }
    type Alias = Ship
    type Named Ship
    """
    found = graph({"sea.go": source})

    assert {(src.partition("::")[2], dst.partition("::")[2]) for src, dst in found.edges("inherits")} == {
        ("Boat", "Floats"),
        ("Ship", "Hull"),
        ("Ship", "Floats"),
        ("Tanker", "Ship"),
    }


def test_only_functions_that_variables_of_the_package_hold_have_a_name() -> None:
    source = """
    package sea

    var hoist = func(n int) *Flag { return raise(n) }
    var table = map[string]func(){"a": func() { raise(1) }}

    type Flag struct{}

    func (f *Flag) Wave() {}
    func raise(n int) *Flag { return nil }
    func init()             { hoist(1).Wave() }
    func init()             { raise(2) }
    func main() {
        type local struct{ Flag }
        inner := func() { raise(3) }
        inner()
        local{}.Wave()
    }
    """
    found = graph({"sea.go": source})

    assert set(found.symbols()) == {
        f"sea.go::{name}"
        for name in ("hoist", "Flag", "Flag.Wave", "raise", "init", "main", "main.local")
    }  # fmt: skip
    assert found.calls_of("sea.go::hoist") == {"sea.go::raise"}
    assert found.calls_of("sea.go") == {"sea.go::raise"}
    assert found.calls_of("sea.go::init") == {"sea.go::hoist", "sea.go::Flag.Wave", "sea.go::raise"}
    assert found.calls_of("sea.go::main") == {"sea.go::raise", "sea.go::main.local", "sea.go::Flag.Wave"}


def test_a_variable_that_holds_a_function_is_no_call_of_that_function() -> None:
    source = """
    package sea

    type Flag struct{}

    func (f *Flag) Wave()         {}
    func raise(names ...string) *Flag { return nil }

    var hoist = raise

    func main() {
        hoist().Wave()
        local := raise
        local()
    }
    """
    assert graph({"sea.go": source}).calls_of("sea.go::main") == {"sea.go::Flag.Wave"}


def test_a_method_may_be_called_init_and_a_parameter_keeps_what_it_is_at_least() -> None:
    source = """
    package sea

    type options[C any] interface{ compile(C) }
    type holder[C options[C]] struct{ compiled C }

    func (h *holder[C]) init() { h.compiled.compile(h.compiled) }
    func use(h *holder[nothing]) { h.init() }
    """
    found = graph({"sea.go": source})

    assert found.calls_of("sea.go::holder.init") == {"sea.go::options.compile"}
    assert found.calls_of("sea.go::use") == {"sea.go::holder.init"}


def test_a_constant_that_says_nothing_is_as_the_one_before_it() -> None:
    source = """
    package sea

    type Level int

    func (l Level) Log() {}

    const (
        Low Level = iota
        // Middling.
        Mid
        High
    )

    func main() { Mid.Log(); High.Log() }
    """
    assert graph({"sea.go": source}).calls_of("sea.go::main") == {"sea.go::Level.Log"}


def test_what_a_signature_says_is_not_hidden_by_its_parameters() -> None:
    files = {
        "go.mod": MOD,
        "file/file.go": "package file\n\ntype Handle struct{}\n\nfunc (h Handle) Close() {}\n",
        "main.go": """
            package main

            import "example.org/sea/file"

            func open(file string) (file.Handle, error) { return nil, nil }
            func main() { h, _ := open("a"); h.Close() }
            """,
    }
    assert graph(files).calls_of("main.go::main") == {"main.go::open", "file/file.go::Handle.Close"}


def test_type_parameters_are_known_by_what_holds_them() -> None:
    source = """
    package sea

    type Event interface{ Next() }
    type Hook[T Event] struct{}
    type Flag struct{}

    func (f *Flag) Wave()                 {}
    func (h *Hook[T]) Trigger(event T)    { event.Next() }
    func Keys[M ~map[K]V, K comparable, V any](m M) []K { return nil }
    func Values[M ~map[K]V, K comparable, V any](m M) func(yield func(K, V) bool) { return nil }
    func Zero[T any]() T { return *new(T) }
    func main(flags map[string]*Flag) {
        for _, f := range Values(flags) { f.Wave() }
    }
    func other(owners map[*Flag]string) { Keys(owners)[0].Wave() }
    func zero() { Zero[*Flag]().Wave() }
    """
    found = graph({"sea.go": source})

    assert found.calls_of("sea.go::Hook.Trigger") == {"sea.go::Event.Next"}
    assert found.calls_of("sea.go::main") == {"sea.go::Values", "sea.go::Flag.Wave"}
    assert found.calls_of("sea.go::other") == {"sea.go::Keys", "sea.go::Flag.Wave"}
    assert found.calls_of("sea.go::zero") == {"sea.go::Zero", "sea.go::Flag.Wave"}


def test_a_name_may_be_the_one_of_its_type() -> None:
    source = """
    package sea

    type Params []string
    type setter interface{ Set() }
    type Context struct{ Params Params }

    func (p Params) Get() {}
    func use(c *Context, setter setter) { c.Params.Get(); setter.Set() }
    """
    assert graph({"sea.go": source}).calls_of("sea.go::use") == {"sea.go::Params.Get", "sea.go::setter.Set"}


def test_types_that_are_defined_by_themselves_are_nothing() -> None:
    source = """
    package sea

    type A A
    type B C
    type C B
    type D struct{ E }
    type E struct{ *D }

    func main(a A, b B, d D) {
        for _, one := range b { one.x() }
        a.x()
        b(1).y()
        d.z()
        real()
    }
    func real() {}
    """
    assert graph({"sea.go": source}).calls_of("sea.go::main") == {"sea.go::real"}


def test_types_made_of_others_are_told_as_they_are_written() -> None:
    made = graph(
        {"a.go": "package a\ntype Level int\ntype Names map[string][]Level\ntype Ship struct{ x int }\n"
                 "type Floats interface{ Float() }\ntype Hook func(Level) error\nfunc (l Level) Up() {}\n"}
    )  # fmt: skip
    told = {one.name: (one.kind, one.signature) for one in made.facts["a.go"].symbols if not one.flags & Flag.PART}
    assert told["Level"] == ("type", "type Level int")
    assert told["Names"] == ("type", "type Names map[string][]Level")
    assert told["Ship"] == ("struct", "type Ship struct")
    assert told["Floats"] == ("interface", "type Floats interface")
    assert told["Hook"] == ("type", "type Hook func(Level) error")
    assert made.symbols()["a.go::Level.Up"] == "method"
