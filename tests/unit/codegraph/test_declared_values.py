"""What declarations promise: comments of JavaScript, overloads of Java, forms of C++ and Rust."""

from __future__ import annotations

import pytest

from tests.unit.codegraph.trees import graph

SHIP = """
class Ship { sail() {} dock() { return new Harbour() } }
class Harbour { open() {} }
class Hull { paint() {} }
function build() { return new Ship() }
"""


def js(source: str, of: str = "main") -> set[str]:
    """What a function calls in JavaScript, without `build`."""
    found = graph({"a.js": SHIP + source}).calls_of(f"a.js::{of}")
    return {node.removeprefix("a.js::") for node in found} - {"build", "Ship"}


@pytest.mark.parametrize(
    "comment",
    [
        "@param {Ship} s",
        "@param {!Ship} s - it",
        "@param {?Ship} s",
        "@param {Ship=} s",
        "@param {(Ship|null)} s",
        "@param {Ship | Hull} s",
        "@param {Readonly<Ship>} s",
        "@param {typeof one} s",
        "@param {InstanceType<typeof Ship>|Ship} s",
        "@arg {Ship} s",
        "@argument {Ship} s",
        "@param {Ship} [s]",
        "@param {Ship} [s=null] with a default",
        "@typedef {Ship} Boat\n * @param {Boat} s",
    ],
)
def test_a_comment_says_what_a_parameter_is(comment: str) -> None:
    source = f"const one = new Ship()\n/**\n * Sails.\n * {comment}\n */\nexport function main(s) {{ s.sail() }}"
    assert js(source) == {"Ship.sail"}


@pytest.mark.parametrize(
    ("comment", "use"),
    [
        ("@returns {Ship}", "make().sail()"),
        ("@return {Ship} a new one", "make().sail()"),
        ("@returns {Array<Ship>}", "make()[0].sail()"),
        ("@returns {Array.<Ship>}", "make()[0].sail()"),
        ("@returns {Ship[]}", "make().forEach((s) => s.sail())"),
        ("@returns {Record<string, Ship>}", "make().x.sail()"),
        ("@returns {Map<string, Ship>}", "make().get('x').sail()"),
        ("@returns {() => Ship}", "make()().sail()"),
        ("@returns {function(): Ship}", "make()().sail()"),
        ("@returns {Set<Ship>}", "for (const s of make()) s.sail()"),
    ],
)
def test_a_comment_says_what_a_function_gives(comment: str, use: str) -> None:
    source = f"/** {comment} */\nfunction make() {{ return hidden() }}\nfunction main() {{ {use} }}"
    assert js(source) - {"make"} == {"Ship.sail"}


@pytest.mark.parametrize(
    "source",
    [
        ("/**\n * @typedef {Object} Log\n * @property {Ship} ship - it\n * @property {string} [at]\n */\n"
        "/** @param {Log} l */\nfunction main(l) { l.ship.sail() }"),
        ("/**\n * @callback On\n * @param {Ship} s\n * @returns {void}\n */\n"
        "/** @type {On} */\nconst main = (s) => { s.sail() }"),
        "class Deck { constructor() { /** @type {Ship} */\nthis.s = null }\nmain() { this.s.sail() } }",
        "class Deck { /** @type {Ship} */\ns\nmain() { this.s.sail() } }",
        "class Deck { /** @param {Ship} s */\nmain(s) { s.sail() } }",
        "const deck = { /** @param {Ship} s */\nmain(s) { s.sail() } }",
        "/** @type {Ship} */\nlet s\nfunction main() { s.sail() }",
        "function main(x) { const s = /** @type {Ship} */ (x); s.sail() }",
        "/** @param {...Ship} all */\nfunction main(...all) { all[0].sail() }",
        "/** @param {Object} o\n * @param {Ship} o.ship */\nfunction main({ ship, ...rest }) { ship.sail() }",
        "/** @enum {string} */\nconst Kind = { A: 'a' }\nfunction main() { build().sail() }",
        "/** @param {Ship} s not closed\n */\nfunction main(s) { s.sail() }",
        "/** @param {{nothing that is a type} x */\nfunction main(x) { build().sail() }",
        "/**\n@template T\n@param {T} x\n@returns {T} */\nlet same = x => x\nconst main = () => same(build()).sail()",
        "/** @extends {Map<string, Ship>} */\nclass Deck extends Map { main() { this.get('x').sail() } }",
        "// @ts-check\n/* no comment of this kind */\nfunction main() { build().sail() }",
    ],
)  # fmt: skip
def test_comments_declare_types_fields_and_values(source: str) -> None:
    of = "Deck.main" if "class Deck" in source else "deck.main" if "const deck" in source else "main"
    assert js(source, of) - {"same"} == {"Ship.sail"}


JAVA = """
package sea;
import java.util.*;
class Ship { void sail() { } Ship self() { return this; } }
class Tug extends Ship { void pull() { } }
class Hull { void paint() { } }
interface Takes { void take(Ship s); }
class Yard {
  static Ship of(int n) { return null; }
  static Hull of(String s) { return null; }
  static Tug of(Ship s) { return null; }
  static Hull of(Ship s, int n) { return null; }
  static Ship many(Ship... all) { return null; }
  static Hull wide(long n) { return null; }
  static Ship wide(double n) { return null; }
  static Hull boxed(Integer n) { return null; }
  static Ship any(Object o) { return null; }
  static <T> T same(T t) { return t; }
  static <T extends Ship> List<T> list(T t) { return null; }
  static Ship with(Runnable r) { return null; }
  static Hull with(Takes t) { return null; }
  static Ship chars(char c) { return null; }
  static Hull chars(String c) { return null; }
  static Ship flag(boolean b) { return null; }
  static Ship arrays(int[] n) { return null; }
  static Hull arrays(Ship[] n) { return null; }
}
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("Yard.of(1).sail();", "Ship.sail"),
        ('Yard.of("x").paint();', "Hull.paint"),
        ('Yard.of("x" + 1).paint();', "Hull.paint"),
        ("Yard.of(new Ship()).pull();", "Tug.pull"),
        ("Yard.of(new Tug()).pull();", "Tug.pull"),
        ("Yard.of(new Ship(), 2).paint();", "Hull.paint"),
        ("Yard.of(1 + 2 * 3).sail();", "Ship.sail"),
        ("Yard.of(-n).sail();", "Ship.sail"),
        ("Yard.of(n++).sail();", "Ship.sail"),
        ("Yard.of(true ? 1 : 2).sail();", "Ship.sail"),
        ("Yard.of((int) 2L).sail();", "Ship.sail"),
        ("Yard.of(text).paint();", "Hull.paint"),
        ("Yard.of(ship).pull();", "Tug.pull"),
        ("Yard.of(ship.self()).pull();", "Tug.pull"),
        ("Yard.of((ship)).pull();", "Tug.pull"),
        ("Yard.of(ships[0]).pull();", "Tug.pull"),
        ("Yard.of(ships.length).sail();", "Ship.sail"),
        ("Yard.of(text.length()).sail();", "Ship.sail"),
        ("Yard.many().sail();", "Ship.sail"),
        ("Yard.many(ship, ship, ship).sail();", "Ship.sail"),
        ("Yard.wide(1).paint();", "Hull.paint"),
        ("Yard.wide(1L).paint();", "Hull.paint"),
        ("Yard.wide(1.5).sail();", "Ship.sail"),
        ("Yard.wide(1.5f).sail();", "Ship.sail"),
        ("Yard.boxed(1).paint();", "Hull.paint"),
        ("Yard.any(1).sail();", "Ship.sail"),
        ('Yard.any("x").sail();', "Ship.sail"),
        ("Yard.same(ship).sail();", "Ship.sail"),
        ("Yard.list(new Tug()).get(0).pull();", "Tug.pull"),
        ("Yard.with(() -> { }).sail();", "Ship.sail"),
        ("Yard.with(s -> { }).paint();", "Hull.paint"),
        ("Yard.chars('c').sail();", "Ship.sail"),
        ('Yard.chars("c").paint();', "Hull.paint"),
        ("Yard.flag(n > 1 && true).sail();", "Ship.sail"),
        ("Yard.flag(!false).sail();", "Ship.sail"),
        ("Yard.flag(ship instanceof Tug).sail();", "Ship.sail"),
        ("Yard.arrays(new int[] { 1 }).sail();", "Ship.sail"),
        ("Yard.arrays(ships).paint();", "Hull.paint"),
        ("this.ship.sail();", "Ship.sail"),
        ("Ship s = ship; s.sail();", "Ship.sail"),
        ("int i = 0; for (Ship s = ship; i < 2; i++) s.sail();", "Ship.sail"),
        ("do { ship.sail(); } while (n > 0);", "Ship.sail"),
        ("Ship s = switch (n) { case 1 -> ship; default -> ship; }; s.sail();", "Ship.sail"),
        ("Ship s = switch (n) { case 1: yield ship; default: yield ship; }; s.sail();", "Ship.sail"),
        ("assert n > 0; ship.sail();", "Ship.sail"),
        ("label: while (true) { ship.sail(); break label; }", "Ship.sail"),
        ("class Local { void go() { ship.sail(); } } ship.sail();", "Ship.sail"),
    ],
)
def test_of_several_javas_methods_the_one_is_called_that_fits(body: str, called: str) -> None:
    main = f"class Main {{ Ship ship; Ship[] ships; int n; String text; void main() {{ {body} }} }}"
    found = graph({"sea/All.java": f"{JAVA}\n{main}"}).calls_of("sea/All.java::Main.main")
    names = {node.partition("::")[2] for node in found}
    assert {name for name in names if not name.startswith(("Yard.", "Main."))} - {"Ship", "Tug", "Ship.self"} == {
        called
    }


CPP = """
#include <functional>
#include <memory>
#include <vector>
#define API __attribute__((visibility("default")))
namespace sea {
class Hull { public: void paint(); };
class API Ship final {
 public:
  explicit Ship(int n = 0) : hull_(n), n_{n} {}
  ~Ship() = default;
  Ship(const Ship&) = delete;
  Ship& operator=(const Ship&) = default;
  void sail() const noexcept;
  auto hull() -> Hull&;
  operator bool() const { return true; }
  Hull operator[](int n);
  Hull operator()(int n);
  Hull* operator->();
  static inline int count = 0;
  friend class Yard;
  enum class Kind { tug, ferry };
  struct Cabin { void open(); Ship* of; };
  Cabin cabin() const;
 private:
  Hull hull_;
  int n_;
};
template <typename T, int N = 1> class Fleet : public std::vector<T> { public: T flag(); };
template <> class Fleet<int> { public: int flag(); };
struct Tug : Ship { using Ship::Ship; void pull() { sail(); this->sail(); Ship::sail(); } };
union Either { Ship* ship; Hull* hull; };
typedef Ship Boat;
typedef struct { Ship inner; } Box;
extern "C" { Ship* launch(void); }
inline namespace v2 { Ship make(); }
}
void sea::Hull::paint() {}
void sea::Ship::sail() const noexcept { n_ + 1; }
auto sea::Ship::hull() -> Hull& { return hull_; }
using sea::Ship;
namespace s = sea;
"""


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("Ship x; x.sail();", {"Ship.sail"}),
        ("Ship x; x.hull().paint();", {"Ship.hull", "Hull.paint"}),
        ("s::Ship x(1); x.sail();", {"Ship.sail"}),
        ("sea::Boat x; x.sail();", {"Ship.sail"}),
        ("sea::Box x; x.inner.sail();", {"Ship.sail"}),
        ("sea::launch()->sail();", {"launch", "Ship.sail"}),
        ("sea::make().sail();", {"make", "Ship.sail"}),
        ("sea::Tug x; x.pull(); x.sail();", {"Tug.pull", "Ship.sail"}),
        ("sea::Fleet<Ship> x; x.flag().sail();", {"Fleet.flag", "Ship.sail"}),
        ("sea::Either x; x.ship->sail();", {"Ship.sail"}),
        ("Ship x; x.cabin().open();", {"Ship.cabin", "Ship.Cabin.open"}),
        ("Ship::Cabin x; x.of->sail();", {"Ship.sail"}),
        ("auto [a, b] = std::pair<Ship, int>(); a.sail();", {"Ship.sail"}),
        ("std::shared_ptr<Ship> x; if (x) x->sail(); else x.reset();", {"Ship.sail"}),
        ("std::vector<std::unique_ptr<Ship>> x; x[0]->sail();", {"Ship.sail"}),
        ("std::vector<std::unique_ptr<Ship>> x; for (const auto& one : x) one->sail();", {"Ship.sail"}),
        ("const auto& x = Ship(); x.sail();", {"Ship.sail"}),
        ("auto&& x = Ship(); x.sail();", {"Ship.sail"}),
        ("Ship x = Ship(), y; y.sail();", {"Ship.sail"}),
        ("static Ship x; x.sail();", {"Ship.sail"}),
        ("switch (1) { case 1: { Ship x; x.sail(); } default: break; }", {"Ship.sail"}),
        ("do { Ship().sail(); } while (false);", {"Ship.sail"}),
        ("for (Ship x; true;) x.sail();", {"Ship.sail"}),
        ("dynamic_cast<sea::Tug*>(p)->pull();", {"Tug.pull"}),
        ("reinterpret_cast<Ship*>(p)->sail();", {"Ship.sail"}),
        ("(p, p)->sail();", {"Ship.sail"}),
        ("Ship* x = p; (x = p)->sail();", {"Ship.sail"}),
        ("Ship** x = &p; (*x)->sail(); x[0]->sail();", {"Ship.sail"}),
        ("decltype(*p) x = *p; x.sail();", {"Ship.sail"}),
        ("#ifdef DEEP\np->sail();\n#else\np->hull();\n#endif", {"Ship.sail", "Ship.hull"}),
    ],
)
def test_a_call_in_cpp_follows_what_is_declared(body: str, called: set[str]) -> None:
    found = graph({"main.cpp": f"{CPP}\nvoid run(Ship* p) {{\n{body}\n}}\n"}).calls_of("main.cpp::run")
    assert {node.rpartition("::")[2] for node in found} - ({"Ship", "Ship.Ship", "Tug"} - called) == called
