from __future__ import annotations

import pytest

from memd.codegraph.mentions import mentioned
from tests.unit.codegraph.trees import graph

FLEET = """
package sea;

import java.util.*;
import java.util.function.*;
import java.util.stream.*;

interface Boat { void sail(); default Boat tow(Boat other) { return other; } }
class Ship implements Boat {
    final Hull hull = new Hull();
    Ship() { }
    Ship(int crew) { this(); }
    public void sail() { }
    static Ship build(String name) { return new Ship(); }
    Ship refit() { return this; }
    Hull hull() { return hull; }
    class Cabin { void open() { sail(); } }
}
class Tug extends Ship {
    Tug() { super(1); }
    void pull() { super.sail(); }
    public void sail() { pull(); }
}
class Hull { void paint() { } void paint(int coats) { } }
class Crate<T> { T inner; T open() { return inner; } <R> Crate<R> turn(Turner<T, R> turner) { return null; } }
interface Turner<A, B> { B turn(A given); }
enum Flag { RED { void wave() { dip(); } }, BLUE; void wave() { } void dip() { } }
record Log(Ship ship, int day) { Log { Objects.requireNonNull(ship); } }
@interface Mark { Class<?> value(); }
"""


def _calls(body: str, of: str = "Main.main") -> set[str]:
    files = {
        "src/sea/Fleet.java": FLEET,
        "src/sea/Main.java": f"package sea;\nimport java.util.*;\nimport java.util.stream.*;\nclass Main {{ {body} }}",
    }
    return {node.partition("::")[2] for node in graph(files).calls_of(f"src/sea/Main.java::{of}")}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("void main(Ship s) { s.sail(); }", {"Ship.sail"}),
        ("void main(Boat b) { b.sail(); }", {"Boat.sail"}),
        ("void main(Tug t) { t.refit().sail(); }", {"Ship.refit", "Ship.sail"}),
        ("void main() { Ship s = new Ship(); s.sail(); }", {"Ship", "Ship.sail"}),
        ("void main() { var s = new Ship(); s.sail(); }", {"Ship", "Ship.sail"}),
        ("void main() { new Ship().hull.paint(); }", {"Ship", "Hull.paint"}),
        ("void main() { Ship.build(null).hull().paint(2); }", {"Ship.build", "Ship.hull", "Hull.paint"}),
        ("Ship s; void main() { s.sail(); this.s.refit(); }", {"Ship.sail", "Ship.refit"}),
        ("Ship s; void main(Hull s) { s.paint(); }", {"Hull.paint"}),
        ("void main() { { Ship s = null; } s.sail(); } Hull s;", set()),
        ("void main(List<Ship> fleet) { for (Ship s : fleet) s.sail(); }", {"Ship.sail"}),
        ("void main(List<Ship> fleet) { for (var s : fleet) s.sail(); }", {"Ship.sail"}),
        ("void main(List<Ship> fleet) { fleet.get(0).sail(); }", {"Ship.sail"}),
        ("void main(Map<Hull, Ship> m) { for (Map.Entry<Hull, Ship> e : m.entrySet()) e.getValue().sail(); }",
         {"Ship.sail"}),
        ("void main(Ship[] fleet) { fleet[0].sail(); }", {"Ship.sail"}),
        ("void main(Ship... fleet) { for (var s : fleet) s.sail(); }", {"Ship.sail"}),
        ("void main(Object o) { ((Ship) o).sail(); }", {"Ship.sail"}),
        ("void main(Object o) { if (o instanceof Ship s && s.hull() != null) s.sail(); }", {"Ship.sail", "Ship.hull"}),
        ("void main(Object o) { if (!(o instanceof Ship s)) return; s.sail(); }", {"Ship.sail"}),
        ("void main(Object o) { switch (o) { case Ship s -> s.sail(); case Hull s -> s.paint(); } }",
         {"Ship.sail", "Hull.paint"}),
        ("void main(Object o) { if (o instanceof Log(Ship s, int d)) s.sail(); }", {"Ship.sail"}),
        ("void main(boolean b, Ship s) { (b ? s : new Tug()).sail(); }", {"Tug", "Ship.sail", "Tug.sail"}),
        ("void main(Log l) { l.ship().sail(); }", {"Ship.sail"}),
        ("void main() { Flag.RED.wave(); Flag.valueOf(\"RED\").dip(); }", {"Flag.wave", "Flag.dip"}),
        ("void main() { for (var f : Flag.values()) f.dip(); }", {"Flag.dip"}),
        ("void main(Crate<Ship> c) { c.open().sail(); }", {"Crate.open", "Ship.sail"}),
        ("void main(Crate<? extends Ship> c) { c.inner.sail(); }", {"Ship.sail"}),
        ("<T extends Ship> void main(T t) { t.sail(); }", {"Ship.sail"}),
        ("void main(Object o) { o.sail(); unknown.sail(); }", set()),
        ("void main(Ship s) { s.new Cabin().open(); }", {"Ship.Cabin", "Ship.Cabin.open"}),
        ("void main(Ship s) { try (var c = s.hull()) { c.paint(); } }", {"Ship.hull", "Hull.paint"}),
        ("void main() { try { } catch (Storm | Calm e) { e.log(); } } class Storm { void log() {} } class Calm { }",
         {"Main.Storm.log"}),
    ],
)  # fmt: skip
def test_a_method_is_found_by_the_type_of_its_receiver(body: str, called: set[str]) -> None:
    assert _calls(body) == called


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("void main(List<Ship> f) { f.forEach(s -> s.sail()); }", {"Ship.sail"}),
        ("void main(List<Ship> f) { f.stream().filter(s -> s.hull() != null).forEach(s -> s.sail()); }",
         {"Ship.hull", "Ship.sail"}),
        ("void main(List<Ship> f) { f.stream().map(s -> s.hull()).forEach(h -> h.paint()); }",
         {"Ship.hull", "Hull.paint"}),
        ("void main(List<Ship> f) { f.stream().map(Ship::hull).forEach(h -> h.paint()); }",
         {"Ship.hull", "Hull.paint"}),
        ("void main(List<Ship> f) { for (var h : f.stream().map(s -> s.hull).collect(Collectors.toSet())) h.paint(); }",
         {"Hull.paint"}),
        ("void main(Optional<Ship> o) { o.map(s -> { return s.hull(); }).get().paint(); }",
         {"Ship.hull", "Hull.paint"}),
        ("void main(Crate<Ship> c) { c.turn(s -> s.hull()).open().paint(); }",
         {"Crate.turn", "Ship.hull", "Crate.open", "Hull.paint"}),
        ("void main() { Turner<Ship, Hull> t = s -> s.hull(); t.turn(null).paint(); }",
         {"Ship.hull", "Turner.turn", "Hull.paint"}),
        ("java.util.function.Consumer<Ship> main() { return s -> s.sail(); }", {"Ship.sail"}),
        ("void main(Map<String, Ship> m) { m.computeIfAbsent(\"a\", k -> new Ship()).sail(); }", {"Ship", "Ship.sail"}),
        ("void main() { when(Ship.class, s -> s.sail()); } <T> void when(Class<T> kind, Turner<T, Hull> then) { }",
         {"Main.when", "Ship.sail"}),
        ("void main() { new R<>(Ship.class, s -> s.hull()); } class R<T> { R(Class<T> k, Turner<T, Hull> t) { } }",
         {"Main.R", "Ship.hull"}),
        ("void main() { find(Ship.class).map(s -> s.hull()); } <T> Optional<T> find(Class<T>... k) { return null; }",
         {"Main.find", "Ship.hull"}),
        ("void main() { run((Ship s) -> s.sail()); } void run(Object o) { }", {"Main.run", "Ship.sail"}),
    ],
)  # fmt: skip
def test_what_a_lambda_is_given_is_told_by_what_takes_it(body: str, called: set[str]) -> None:
    assert _calls(body) == called


def test_constructors_name_their_class_and_what_they_hand_over_to() -> None:
    found = graph({"Fleet.java": FLEET})

    assert found.calls_of("Fleet.java::Ship.Ship") == {"Fleet.java::Ship"}
    assert found.calls_of("Fleet.java::Tug.Tug") == {"Fleet.java::Ship"}
    assert found.calls_of("Fleet.java::Tug.pull") == {"Fleet.java::Ship.sail"}
    assert found.calls_of("Fleet.java::Tug.sail") == {"Fleet.java::Tug.pull"}
    assert found.calls_of("Fleet.java::Ship.Cabin.open") == {"Fleet.java::Ship.sail"}


def test_what_an_anonymous_class_does_is_done_by_the_symbol_around_it() -> None:
    source = """
    class Outer {
        abstract static class Task { abstract void run(); void log() { } }
        void go() { new Task() { void run() { log(); stop(); help(); } void help() { } }.run(); new Task() { }.log(); }
        void stop() { }
        void log() { }
    }
    """
    found = graph({"Outer.java": source})

    assert found.calls_of("Outer.java::Outer.go") == {
        "Outer.java::Outer.Task",
        "Outer.java::Outer.Task.log",
        "Outer.java::Outer.stop",
    }
    assert set(found.symbols()) == {
        f"Outer.java::{name}"
        for name in ("Outer", "Outer.Task", "Outer.Task.run", "Outer.Task.log", "Outer.go", "Outer.stop", "Outer.log")
    }
    assert found.edges("inherits") == set()


def test_a_base_outside_hides_nothing_that_the_project_has() -> None:
    source = """
    import other.Base;
    class Outer {
        void help() { }
        class Inner extends Base { void go(Hull hull) { help(); hull.paint(); theirs(); } }
    }
    class Hull { void paint() { } }
    """
    found = graph({"Outer.java": source})

    assert found.calls_of("Outer.java::Outer.Inner.go") == {"Outer.java::Outer.help", "Outer.java::Hull.paint"}
    assert found.unresolved() == set()


def test_methods_of_a_name_are_told_apart_by_their_number_of_arguments() -> None:
    source = """
    class Base { void put(String key) { } void all(Object... them) { } }
    class Deep extends Base {
        void put(String key, int value) { }
        void go() { put("a"); put("a", 1); all(); all(1, 2, 3); }
    }
    """
    found = graph({"Deep.java": source})

    assert found.calls_of("Deep.java::Deep.go") == {
        "Deep.java::Base.put",
        "Deep.java::Deep.put",
        "Deep.java::Base.all",
    }


SHIP = """
package one;
public class Ship {
    public static void sail() { }
    public static class Hull { public void paint() { } }
}
"""


@pytest.mark.parametrize(
    ("arguments", "target"),
    [
        ("new Tug()", "Deep.put"),
        ("new Ship()", "Base.put"),
        ("1", "Base.put"),
        ("'c'", "Base.put"),
        ('"text"', "Deep.put"),
        ("s -> s.sail()", "Base.put"),
        ("() -> { }", "Deep.put"),
        ("new int[0]", "Base.put"),
        ("new String[0]", "Deep.put"),
        ("anything()", "Deep.put"),
    ],
)
def test_an_inherited_overload_is_chosen_by_the_types_of_the_arguments(arguments: str, target: str) -> None:
    source = f"""
    import java.util.function.*;
    class Ship {{ void sail() {{ }} }}
    class Tug extends Ship {{ }}
    class Base {{
        void put(Ship it) {{ }} void put(int it) {{ }} void put(Consumer<Ship> it) {{ }} void put(int[] them) {{ }}
    }}
    class Deep extends Base {{
        void put(Tug it) {{ }} void put(CharSequence it) {{ }}
        void put(Runnable it) {{ }} void put(String... them) {{ }}
        void go() {{ put({arguments}); }}
        void up() {{ super.put({arguments}); }}
    }}
    """
    found = graph({"Deep.java": source})

    assert f"Deep.java::{target}" in found.calls_of("Deep.java::Deep.go")
    assert len([node for node in found.calls_of("Deep.java::Deep.go") if node.endswith(".put")]) == 1
    assert "Deep.java::Base.put" in found.calls_of("Deep.java::Deep.up")


def test_what_an_overload_gives_is_what_the_one_that_is_meant_gives() -> None:
    source = """
    class Ship { void sail() { } }
    class Hull { void paint() { } }
    class Yard {
        Ship of(String name) { return null; }
        Hull of(int length) { return null; }
        void go() { of("a").sail(); of(3).paint(); }
    }
    """
    found = graph({"Yard.java": source})

    assert found.calls_of("Yard.java::Yard.go") == {
        "Yard.java::Yard.of",
        "Yard.java::Ship.sail",
        "Yard.java::Hull.paint",
    }


def test_a_class_may_name_its_own_parts_in_its_head() -> None:
    source = """
    class Base<T> { T start() { return null; } }
    class Deep extends Base<Deep.Result> { static class Result { void show() { } } void go() { start().show(); } }
    """
    assert graph({"D.java": source}).calls_of("D.java::Deep.go") == {"D.java::Base.start", "D.java::Deep.Result.show"}


def test_annotations_before_the_dots_of_a_parameter_do_not_hide_its_method() -> None:
    source = "class Bag { static void of(@A char @B.C ... them) { } void go() { of('a', 'b'); } }"

    assert graph({"Bag.java": source}).calls_of("Bag.java::Bag.go") == {"Bag.java::Bag.of"}


def test_a_method_may_be_called_as_a_type_that_is_imported() -> None:
    files = {
        "api/Api.java": "package api; public class Api { public static Crate Crate(int size) { return null; } }",
        "kinds/Crate.java": "package kinds; public class Crate { public void open() { } }",
        "use/Use.java": """
            package use;
            import static api.Api.*;
            import kinds.Crate;
            class Use { void go() { Crate crate = Crate(3); crate.open(); } }
            """,
    }
    assert graph(files).calls_of("use/Use.java::Use.go") == {"api/Api.java::Api.Crate", "kinds/Crate.java::Crate.open"}


def test_static_methods_of_interfaces_are_not_inherited() -> None:
    source = """
    interface Box { static <T> Box of(Runnable once) { return null; } }
    interface Bag extends Box { static <T> Bag of(T one) { return null; } }
    class Use { <T> void go(T one) { Bag.of(one); } }
    """
    assert graph({"Use.java": source}).calls_of("Use.java::Use.go") == {"Use.java::Bag.of"}


def test_what_a_base_of_the_library_is_known_to_have_is_not_looked_for_further_out() -> None:
    source = """
    class Outer {
        void start() { }
        void start(int after) { }
        int hashCode() { return 1; }
        class Worker extends Thread { void go() { start(); start(3); hashCode(); } }
        class Stranger extends Unknown { void go() { start(); hashCode(); } }
    }
    """
    found = graph({"Outer.java": source})

    assert len(found.calls_of("Outer.java::Outer.Worker.go")) == 1
    assert found.calls_of("Outer.java::Outer.Stranger.go") == {"Outer.java::Outer.start"}


def test_a_method_may_be_imported_from_several_types() -> None:
    files = {
        "own/Checks.java": "package own; public class Checks { public static void check(Ship ship) { } }",
        "own/Ship.java": "package own; public class Ship { }",
        "use/Use.java": """
            package use;
            import static own.Checks.check;
            import static other.Checks.check;
            import own.Ship;
            class Use { void own(Ship ship) { check(ship); } void other(String words) { check(words); } }
            """,
    }
    found = graph(files)

    assert found.calls_of("use/Use.java::Use.own") == {"own/Checks.java::Checks.check"}
    assert found.calls_of("use/Use.java::Use.other") == set()


def test_a_file_mentions_methods_by_their_plain_names_and_what_they_are_given() -> None:
    found = graph({"Use.java": "class Use { void go(Ship ship) { ship.sail(Harbour.NORTH); } }"})

    assert {"ship", "Ship", "sail", "Harbour", "NORTH"} <= mentioned(found.facts["Use.java"])


def test_a_method_that_only_an_import_on_demand_can_bring_is_not_unresolved() -> None:
    source = """
    import static org.junit.jupiter.api.Assertions.*;
    class Check {
        void go() { assertThrows(Check.class, () -> { }).tell(); assertTrue(true); missing.call(); }
        void tell() { }
    }
    """
    found = graph({"Check.java": source})

    assert found.calls_of("Check.java::Check.go") == {"Check.java::Check.tell"}
    assert {name for _, name in found.unresolved()} == {"missing.call/0"}


def test_a_type_has_all_that_it_implements() -> None:
    names = [f"Has{number}" for number in range(20)]
    source = "".join(f"interface {name} {{ default void use{name}() {{ }} }}\n" for name in names)
    source += f"class Ship implements {', '.join(names)} {{ void go() {{ useHas19(); }} }}\n"
    found = graph({"Ship.java": source})

    assert len(found.edges("inherits")) == 20
    assert found.calls_of("Ship.java::Ship.go") == {"Ship.java::Has19.useHas19"}


def test_names_come_from_imports_the_package_and_imports_on_demand() -> None:
    files = {
        "a/src/one/Ship.java": SHIP,
        "a/src/one/Dock.java": "package one; class Dock { void go() { Ship.sail(); } }",
        "a/src/two/Ship.java": "package two; public class Ship { public static void sail() { } }",
        "a/src/two/Single.java": "package two; import one.Ship; class Single { void go() { Ship.sail(); } }",
        "a/src/two/Static.java": "package two; import static one.Ship.sail; class Static { void go() { sail(); } }",
        "a/src/two/S.java": "package two; import static one.Ship.*; class S { void go(Hull h) { sail(); h.paint(); } }",
        "a/src/two/Nested.java": "package two; import one.Ship.Hull; class Nested { void go(Hull h) { h.paint(); } }",
        "a/src/two/Full.java": "package two; class Full { void go(one.Ship.Hull h) { one.Ship.sail(); h.paint(); } }",
        "a/src/three/Demand.java": "package three; import one.*; class Demand { void go() { Ship.sail(); } }",
        "b/src/one/Ship.java": "package one; public class Ship { public static void sail() { } }",
        "b/src/one/Dock.java": "package one; class Dock { void go() { Ship.sail(); } }",
    }  # fmt: skip
    found = graph(files)
    one = "a/src/one/Ship.java"

    assert found.edges("imports") == {
        ("a/src/two/Single.java", one),
        ("a/src/two/Static.java", one),
        ("a/src/two/S.java", one),
        ("a/src/two/Nested.java", one),
    }
    assert found.edges("calls") == {
        ("a/src/one/Dock.java::Dock.go", f"{one}::Ship.sail"),
        ("a/src/two/Single.java::Single.go", f"{one}::Ship.sail"),
        ("a/src/two/Static.java::Static.go", f"{one}::Ship.sail"),
        ("a/src/two/S.java::S.go", f"{one}::Ship.sail"),
        ("a/src/two/S.java::S.go", f"{one}::Ship.Hull.paint"),
        ("a/src/two/Nested.java::Nested.go", f"{one}::Ship.Hull.paint"),
        ("a/src/two/Full.java::Full.go", f"{one}::Ship.sail"),
        ("a/src/two/Full.java::Full.go", f"{one}::Ship.Hull.paint"),
        ("a/src/three/Demand.java::Demand.go", f"{one}::Ship.sail"),
        ("b/src/one/Dock.java::Dock.go", "b/src/one/Ship.java::Ship.sail"),
    }


def test_types_inherit_what_they_extend_and_implement() -> None:
    source = """
    package sea;
    interface Boat extends Comparable<Boat> { }
    interface Named<T> { T name(); }
    abstract class Ship implements Boat, Named<Ship> { class Cabin extends Room<Ship> { } }
    class Room<T> { }
    enum Flag implements Boat { RED }
    record Log(int day) implements Named<String> { }
    """
    found = graph({"Sea.java": source})

    assert {(src.partition("::")[2], dst.partition("::")[2]) for src, dst in found.edges("inherits")} == {
        ("Ship", "Boat"),
        ("Ship", "Named"),
        ("Ship.Cabin", "Room"),
        ("Flag", "Boat"),
        ("Log", "Named"),
    }


def test_a_field_and_a_method_of_one_name_are_two_things() -> None:
    source = """
    class Box {
        Box inner;
        Lid lid() { return null; }
        void go(Lid lid) { inner().lid().shut(); lid.open(); }
        Lid inner() { return null; }
    }
    class Lid { Lid lid() { return this; } void shut() { } void open() { } }
    """
    found = graph({"Box.java": source})

    assert found.calls_of("Box.java::Box.go") == {
        "Box.java::Box.inner",
        "Box.java::Lid.lid",
        "Box.java::Lid.shut",
        "Box.java::Lid.open",
    }


@pytest.mark.parametrize(
    "code",
    [
        "class A { Object f() { return " + "f(" * 3000 + ")" * 3000 + "; } }",
        "class A { Object f() { return this" + ".f()" * 3000 + "; } }",
        "class A { String f() { return " + " + ".join(["f()"] * 3000) + "; } }",
        "class A<T extends " + "A<" * 2000 + "T" + ">" * 2000 + "> { Object f() { return f(); } }",
        "class A { Object f() { return " + "new A() { Object f() { return " * 100 + "f()" + "; } }" * 100 + "; } }",
    ],
    ids=["calls", "chain", "sum", "types", "anonymous classes"],
)
def test_what_is_nested_beyond_reason_is_read_as_far_as_it_goes(code: str) -> None:
    assert ("A.java", "A.java::A") not in graph({"A.java": code}).edges("calls")


def test_what_is_not_said_of_a_type_parameter_is_what_its_type_says_of_it() -> None:
    source = """
    class Ship { static Yard<?, ?> yard() { return null; } }
    abstract class Yard<S extends Ship, Y extends Yard<S, Y>> {
        Y paint() { return null; }
        S launch() { return null; }
    }
    class Port { void run() { Ship.yard().paint().paint().launch(); } }
    """
    called = graph({"Ship.java": source}).calls_of("Ship.java::Port.run")
    assert called == {"Ship.java::Ship.yard", "Ship.java::Yard.paint", "Ship.java::Yard.launch"}
