from __future__ import annotations

import pytest

from memd.codegraph.languages.c.macros import prepare
from memd.codegraph.registry import language_in
from tests.unit.codegraph.trees import graph

SHIPS = """
#pragma once
#include <memory>
#include <vector>
#include <map>
namespace fleet {
class Hull;
class FLEET_API Vessel {
 public:
  virtual ~Vessel();
  void moor();
};
class Ship : public Vessel {
 public:
  Ship(int length);
  void sail() const NOEXCEPT_IF(true);
  Hull& hull();
  static Ship build();
  Ship* twin();
  std::unique_ptr<Hull> spare;
  std::vector<Ship> boats;
  std::map<int, Hull*> hulls;
 private:
  int length_;
};
class Hull {
 public:
  void paint() {}
};
Ship launch(int length);
}  // namespace fleet
"""


def _calls(body: str) -> set[str]:
    made = graph(
        {
            "include/fleet/ships.h": SHIPS,
            "main.cpp": '#include "fleet/ships.h"\nusing namespace fleet;\n'
            f"void run(Ship s, Ship* p, Ship& r) {{\n{body}\n}}\n",
        }
    )
    return {node.rpartition("::")[2] for node in made.calls_of("main.cpp::run")}


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("s.sail();", {"Ship.sail"}),
        ("p->sail();", {"Ship.sail"}),
        ("(*p).sail();", {"Ship.sail"}),
        ("r.moor();", {"Vessel.moor"}),
        ("s.hull().paint();", {"Ship.hull", "Hull.paint"}),
        ("s.spare->paint();", {"Hull.paint"}),
        ("auto x = Ship::build(); x.sail();", {"Ship.build", "Ship.sail"}),
        ("auto x = fleet::launch(3); x.sail();", {"launch", "Ship.sail"}),
        ("auto x = std::make_unique<Ship>(3); x->sail();", {"Ship.sail"}),
        ("Ship x(3); x.sail();", {"Ship.sail"}),
        ("auto* x = new Ship(3); x->sail();", {"Ship", "Ship.sail"}),
        ("for (auto& b : s.boats) b.sail();", {"Ship.sail"}),
        ("for (const Ship& b : s.boats) { b.sail(); }", {"Ship.sail"}),
        ("s.boats[0].sail();", {"Ship.sail"}),
        ("s.boats.front().sail();", {"Ship.sail"}),
        ("auto it = s.hulls.find(1); it->second->paint();", {"Hull.paint"}),
        ("for (auto& [k, h] : s.hulls) h->paint();", {"Hull.paint"}),
        ("static_cast<Ship*>(p)->sail();", {"Ship.sail"}),
        ("p->twin()->twin()->sail();", {"Ship.twin", "Ship.sail"}),
        ("auto f = [&](Ship& q) { q.sail(); }; f(s);", {"Ship.sail"}),
        ("throw Ship(1);", {"Ship"}),
        ("unknown->sail();", set()),
    ],
)
def test_a_call_follows_the_type_of_its_receiver(body: str, called: set[str]) -> None:
    assert _calls(body) == called


def test_a_member_that_is_defined_elsewhere_belongs_to_its_class_and_sees_its_members() -> None:
    made = graph(
        {
            "ships.h": SHIPS,
            "ships.cpp": """
            #include "ships.h"
            namespace fleet {
            Ship::Ship(int length) : length_(length) {}
            void Ship::sail() const { moor(); helper(); }
            Hull& Ship::hull() { this->sail(); return *spare; }
            Ship Ship::build() { return Ship(3); }
            static void helper() {}
            }
            """,
            "main.cpp": '#include "ships.h"\nvoid run(fleet::Ship& s) { s.sail(); }\n',
        }
    )
    assert made.calls_of("main.cpp::run") == {"ships.cpp::Ship.sail"}
    assert made.calls_of("ships.cpp::Ship.sail") == {"ships.h::Vessel.moor", "ships.cpp::helper"}
    assert made.calls_of("ships.cpp::Ship.hull") == {"ships.cpp::Ship.sail"}
    assert made.calls_of("ships.cpp::Ship.build") == {"ships.h::Ship"}
    assert made.edges("inherits") == {("ships.h::Ship", "ships.h::Vessel")}


def test_namespaces_are_no_part_of_a_name_and_nested_classes_are() -> None:
    made = graph(
        {
            "a.cpp": """
            namespace outer { namespace inner {
            class Box { public: class Lid { public: void shut(); }; };
            void Box::Lid::shut() {}
            template <typename T> T pick(T x) { return x; }
            bool operator==(const Box& a, const Box& b) { return true; }
            } }
            """
        }
    )
    assert {node for node, kind in made.symbols().items() if kind in ("function", "method")} >= {
        "a.cpp::Box.Lid.shut",
        "a.cpp::pick",
        "a.cpp::operator==",
    }


def test_a_header_with_classes_is_read_as_cpp_and_one_without_as_c() -> None:
    made = graph({"a.h": "class A { void f(); };\n", "b.h": "int new(int class);\n"})
    assert made.facts["a.h"].language == "cpp"
    assert made.facts["b.h"].language == "c"


def test_a_constructor_calls_those_of_its_bases() -> None:
    made = graph({"a.cpp": "struct A { A(int); };\nstruct B : A { int x; B() : A(1), x(2) {} };\n"})
    assert made.calls_of("a.cpp::B.B") == {"a.cpp::A"}


def test_a_class_that_is_only_declared_is_the_one_of_its_full_name() -> None:
    made = graph(
        {
            "table.h": "class Table { struct Rep; Rep* rep_; void go(); };\n",
            "table.cc": '#include "table.h"\nstruct Table::Rep { void open(); };\nvoid Table::go() { rep_->open(); }\n',
            "other.cc": "class Other { struct Rep { void open(); }; };\n",
            "user.h": "class Table;\nvoid use(Table* t);\n",
            "user.cc": '#include "user.h"\nvoid use(Table* t) { t->go(); }\n',
            "table_test.cc": "struct Table { void go(); };\n",
        }
    )
    assert made.calls_of("table.cc::Table.go") == {"table.cc::Table.Rep.open"}
    assert made.calls_of("user.cc::use") == {"table.cc::Table.go"}


def test_macros_around_declarations_hide_nothing() -> None:
    made = graph(
        {
            "a.cc": """
            class API_EXPORT(x) Lock {
             public:
              void take() ACQUIRE();
            };
            class Store {
              Lock lock_ GUARDED_BY(other_);
              API_EXPORT int get(int key)
                  REQUIRES(lock_) {
                lock_.take();
                return 1;
              }
            };
            """
        }
    )
    assert made.calls_of("a.cc::Store.get") == {"a.cc::Lock.take"}


def test_what_a_macro_names_is_no_symbol_and_sees_its_fixture() -> None:
    made = graph(
        {
            "a.cc": """
            class Fixture { public: void put(); };
            TEST_F(Fixture, Puts) { put(); int x = 1; }
            """
        }
    )
    assert made.calls_of("a.cc") == {"a.cc::Fixture.put"}
    assert set(made.symbols()) == {"a.cc::Fixture", "a.cc::Fixture.put"}


def test_lines_may_end_as_windows_ends_them() -> None:
    header = (
        "#define QUAY_TWICE(x) \\\n  f(x); \\\n  f(x)\n"
        "class QUAY_LIB Node\n{\npublic:\n  int size() const;\n};\n"
        "class QUAY_LIB Leaf : public Node\n{\npublic:\n  int both() { return size(); }\n};\n"
    )
    made = graph({"quay.h": header.replace("\n", "\r\n")})
    assert made.calls_of("quay.h::Leaf.both") == {"quay.h::Node.size"}
    assert made.edges("inherits") == {("quay.h::Leaf", "quay.h::Node")}


def test_a_conditional_may_begin_what_a_constructor_gives_its_members() -> None:
    made = graph(
        {
            "a.cc": """
            class Limit {
             public:
              Limit(int most)
                  :
            #if !defined(NDEBUG)
                    most_(most),
            #endif
                    left_(most) { check(); }
              void check();
             private:
              int most_;
              int left_;
            };
            class File { public: int size() { return stat(); } int stat(); };
            """
        }
    )
    assert made.calls_of("a.cc::File.size") == {"a.cc::File.stat"}
    assert made.calls_of("a.cc::Limit.Limit") == {"a.cc::Limit.check"}


def test_a_macro_behind_the_parameters_of_a_constructor_or_destructor_is_no_word_of_it() -> None:
    made = graph(
        {
            "a.cc": "struct Mutex { void lock(); void unlock(); };\n"
            "class Held {\n public:\n"
            "  explicit Held(Mutex* m) TAKES_LOCK(m) : m_(m) { m_->lock(); }\n"
            "  ~Held() GIVES_LOCK() { m_->unlock(); }\n"
            " private:\n  Mutex* m_;\n};\n"
        }
    )
    assert made.calls_of("a.cc::Held.Held") == {"a.cc::Mutex.lock"}
    assert made.calls_of("a.cc::Held.~Held") == {"a.cc::Mutex.unlock"}


def test_a_macro_that_stands_between_declarations_takes_nothing_with_it() -> None:
    made = graph(
        {
            "a.cc": '#include <x.h>\n\nQUAY_FLAG(int, most, 256 << 10,\n          "the most (bytes)");\n'
            'QUAY_FLAG(int, least, 1 << 2, "the least");\n\nstruct A { void f(); void g(); };\n'
            "void A::f() { g(); }\n"
        }
    )
    assert made.calls_of("a.cc::A.f") == {"a.cc::A.g"}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("struct Piece {\n  Piece(const std::string& s);\n};\n", "cpp"),
        ("#include <string>\nint depth(void);\n", "cpp"),
        ("struct Status {\n  virtual void Start() = 0;\n};\n", "cpp"),
        ("int distance(const Piece& a, const Piece& b);\n", "cpp"),
        ("struct Lamp {\n  int lit() const;\n};\n", "cpp"),
        ("/* see Lamp::lit */\n// class Lamp\nint lit(const struct lamp *l);\n", "c"),
        ('#ifdef __cplusplus\n#include <cstdint>\nextern "C" {\n#endif\nint lit(void);\n', "c"),
        ('#define SAYS "a::b"\nint mask(int a, const int *b);\n', "c"),
    ],
)
def test_a_header_is_of_the_language_that_it_is_written_in(header: str, language: str) -> None:
    found = language_in("lamp.h", header.encode())
    assert found is not None
    assert found.name == language


def test_a_name_behind_two_colons_is_looked_up_outside_of_all_types() -> None:
    made = graph(
        {
            "log.h": "#pragma once\nnamespace n {}\nvoid Error(const char* m);\n",
            "log.cc": '#include "log.h"\nvoid Error(const char* m) {}\n',
            "status.cc": '#include "log.h"\nclass Status {\n  void Error(int n) { ::Error("x"); Warn(); }\n'
            "  void Warn() {}\n};\n",
        }
    )
    assert made.calls_of("status.cc::Status.Error") == {"log.cc::Error", "status.cc::Status.Warn"}


OWN_MACROS = """
    #define LAMP_INLINE inline
    #if __cplusplus >= 202002L
    #define LAMP_CONSTEXPR constexpr
    #else
    #define LAMP_CONSTEXPR // nothing
    #endif
    #define LAMP_SAFE __attribute__((no_sanitize("address")))
    #define LAMP_IF_CONSTEXPR if constexpr
    #define LAMP_LIMIT 12
    class Lamp {
    public:
      LAMP_INLINE LAMP_SAFE static LAMP_CONSTEXPR int lit(int n) LAMP_SAFE { return glow(n); }
      static LAMP_CONSTEXPR int glow(int n) {
        LAMP_IF_CONSTEXPR (sizeof(n) > 4) { return dim(n); }
        return LAMP_LIMIT;
      }
      LAMP_CONSTEXPR
      static int dim(int n) { return n; }
    };
    """


def test_macros_that_a_file_defines_as_specifiers_are_no_words() -> None:
    made = graph({"lamp.hpp": OWN_MACROS})
    assert {node for node, kind in made.symbols().items() if kind not in ("macro", "file")} == {
        "lamp.hpp::Lamp", "lamp.hpp::Lamp.lit", "lamp.hpp::Lamp.glow", "lamp.hpp::Lamp.dim",
    }  # fmt: skip
    assert made.calls_of("lamp.hpp::Lamp.lit") == {"lamp.hpp::Lamp.glow"}
    assert made.calls_of("lamp.hpp::Lamp.glow") == {"lamp.hpp::Lamp.dim"}


WRITER = """
    #pragma once
    struct Lamp { int n; };
    struct Buoy { int n; };
    struct Beacon : Lamp {};
    class Writer {
    public:
      void Put(int n, int width = 1) { Flush(); }
      void Put(const Lamp& lamp);
      void Put(const Buoy* buoy);
      void Flush();
    };
    """


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("w.Put(1);", "writer.h::Writer.Put"),
        ("w.Put(1, 2);", "writer.h::Writer.Put"),
        ("Lamp l; w.Put(l);", "lamps.cc::Writer.Put"),
        ("Beacon b; w.Put(b);", "lamps.cc::Writer.Put"),
        ("Buoy y; w.Put(&y);", "buoys.cc::Writer.Put"),
        ("Buoy* y = next(); w.Put(y);", "buoys.cc::Writer.Put"),
    ],
)
def test_overloads_that_are_defined_in_several_files_are_told_apart_by_what_is_given(body: str, called: str) -> None:
    made = graph(
        {
            "writer.h": WRITER,
            "lamps.cc": '#include "writer.h"\nvoid Writer::Put(const Lamp& lamp) {}\nvoid Writer::Flush() {}\n',
            "buoys.cc": '#include "writer.h"\nvoid Writer::Put(const Buoy* buoy) {}\n',
            "main.cc": f'#include "writer.h"\nBuoy* next();\nvoid run(Writer& w) {{\n  {body}\n}}\n',
        }
    )
    assert {node for node in made.calls_of("main.cc::run") if node.endswith(".Put")} == {called}


def test_a_macro_before_a_constructor_defined_outside_of_its_class_is_no_word() -> None:
    made = graph(
        {
            "lamp.h": "#pragma once\nclass Lamp {\npublic:\n  Lamp(int n);\n  ~Lamp();\n"
            "  void lit();\n  void out();\n};\n",
            "lamp-inl.h": '#include "lamp.h"\nLAMP_INLINE Lamp::Lamp(int n) { lit(); }\n'
            "LAMP_INLINE Lamp::~Lamp()\n{ out(); }\n"
            "void LAMP_INLINE Lamp::lit() { out(); }\nLAMP_INLINE void Lamp::out() {}\n",
        }
    )
    assert made.calls_of("lamp-inl.h::Lamp.Lamp") == {"lamp-inl.h::Lamp.lit"}
    assert made.calls_of("lamp-inl.h::Lamp.~Lamp") == {"lamp-inl.h::Lamp.out"}
    assert made.calls_of("lamp-inl.h::Lamp.lit") == {"lamp-inl.h::Lamp.out"}


ODD_MACROS = """
    #include <string>
    LAMP_BEGIN_NAMESPACE
    namespace detail {
    struct Glow {
      int n;

      LAMP_CONSTEXPR Glow(int n) : n(n) { lit(); }
      void lit() {}
    };
    }  // namespace detail
    LAMP_END_NAMESPACE
    class Lamp : public QObject {
      Q_OBJECT
    public:
      LAMP_PROPERTY
      void lit() {
        LAMP_TRY {
          out();
        }
        LAMP_CATCH_ALL
      }
      void out() {}
    };
    enum Colour {
      COLOUR_RED
    };
    """


def test_macros_that_stand_alone_or_before_blocks_and_constructors_are_no_statements() -> None:
    made = graph({"lamp.hpp": ODD_MACROS})
    assert {node for node, kind in made.symbols().items() if kind != "file"} == {
        f"lamp.hpp::{name}" for name in ("Glow", "Glow.Glow", "Glow.lit", "Lamp", "Lamp.lit", "Lamp.out", "Colour")
    }
    assert made.calls_of("lamp.hpp::Lamp.lit") == {"lamp.hpp::Lamp.out"}
    assert made.calls_of("lamp.hpp::Glow.Glow") == {"lamp.hpp::Glow.lit"}


def test_what_file_comes_first_does_not_matter_where_c_and_cpp_stand_side_by_side() -> None:
    made = graph(
        {
            "a.c": "int tick(void) { return 1; }\n",
            "lamp.cc": "class Lamp {\n  void lit() { out(); }\n  void out() {}\n};\n",
        }
    )
    assert made.calls_of("lamp.cc::Lamp.lit") == {"lamp.cc::Lamp.out"}


def test_a_name_is_looked_for_in_the_namespaces_that_a_file_is_in_before_any_other() -> None:
    made = graph(
        {
            "far.h": "#pragma once\nnamespace other {\nclass Formatter {};\nvoid clean() {}\n}\n",
            "near.h": "#pragma once\nnamespace harbor {\nclass Formatter {};\nvoid clean() {}\n}\n",
            "main.cc": '#include "far.h"\n#include "near.h"\nnamespace harbor {\nclass Plain : public Formatter {};\n'
            "void run() { clean(); other::clean(); }\n}\n",
        }
    )
    assert made.edges("inherits") == {("main.cc::Plain", "near.h::Formatter")}
    assert made.calls_of("main.cc::run") == {"near.h::clean", "far.h::clean"}


@pytest.mark.parametrize("unit", ["/* ", "A_BC\n", "f(1, 2)\n*", "{ // x\n", "#define A_B\n", "class A_B X "])
def test_headers_that_repeat_themselves_come_to_an_end(unit: str) -> None:
    source = unit.encode() * 40_000
    assert language_in("lamp.h", source) is not None
    assert len(prepare(source)) == len(source)
