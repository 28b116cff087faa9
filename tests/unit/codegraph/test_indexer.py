"""The stored graph of a project that changes: real database, real workers, a tree in a temporary folder."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memd.codegraph.facts import FileFacts
from memd.codegraph.mentions import changed
from memd.codegraph.parse import extract
from memd.codegraph.registry import language_in
from memd.store import code_files
from tests.unit.codegraph.places import PROJECT, placed


def _make_repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)


FILES = {
    "ships.py": "class Ship:\n    def sail(self): ...\n\ndef build() -> Ship: return Ship()\n",
    "port.py": "from ships import build\n\ndef leave():\n    build().sail()\n",
    "idle.py": "def wait(): pass\n",
}
SAIL = ("calls", "port.py::leave", "ships.py::Ship.sail")


async def test_an_edit_changes_its_file_and_those_that_name_what_it_changed(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        first = await place.index()
        assert (first.changed, first.resolved) == (3, 3)
        assert SAIL in await place.edges()
        before = place.clock.at
        place.write({"ships.py": FILES["ships.py"].replace("sail", "steam")})
        second = await place.indexer.look_at(PROJECT, place.root, ["ships.py"])
        assert (second.changed, second.resolved) == (1, 2)
        assert SAIL not in await place.edges()
        assert SAIL in await place.edges(before)
        assert await place.edges() == place.fresh()


async def test_a_body_that_changes_concerns_nobody_else(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        others = (
            "SELECT e.* FROM code_edges e JOIN code_nodes n ON n.id = e.src WHERE n.node NOT LIKE 'ships%' ORDER BY 1"
        )
        before = await place.rows(others)
        place.write({"ships.py": FILES["ships.py"].replace("def sail(self): ...", "def sail(self): build()")})
        assert (await place.indexer.look_at(PROJECT, place.root, ["ships.py"])).resolved == 1
        assert ("calls", "ships.py::Ship.sail", "ships.py::build") in await place.edges()
        assert await place.rows(others) == before != []


async def test_looking_through_an_unchanged_tree_changes_nothing(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        before = await place.rows("SELECT * FROM code_edges ORDER BY id")
        assert (await place.index()).changed == 0
        assert await place.rows("SELECT * FROM code_edges ORDER BY id") == before


async def test_sources_that_were_read_in_another_way_are_read_again_once_and_only_what_differs_is_history(
    tmp_path: Path,
) -> None:
    async with placed(tmp_path) as place:
        place.write({**FILES, "a/__init__.py": "", "b/__init__.py": ""})
        await place.index()
        ended = "SELECT count(*) FROM code_edges WHERE valid_to IS NOT NULL"
        before = await place.edges()

        def older(conn: sqlite3.Connection) -> None:
            conn.execute("UPDATE code_trees SET reading = reading - 1")
            conn.execute("DELETE FROM code_edges WHERE kind = 'calls'")  # as if that way had found none

        await place.writer.run(older)
        (place.root / "a/__init__.py").unlink()
        done = await place.index()
        assert (done.changed, done.gone) == (4, 1)
        assert await place.edges() == before == place.fresh()
        assert await place.rows(ended) == [(0,)]
        assert (await place.index()).changed == 0


async def test_a_renamed_file_keeps_the_history_of_its_nodes(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        [(node,)] = await place.rows("SELECT id FROM code_nodes WHERE node = 'idle.py::wait'")
        (place.root / "idle.py").rename(place.root / "calm.py")
        await place.index()
        assert await place.rows("SELECT node FROM code_nodes WHERE id = ?", node) == [("calm.py::wait",)]
        assert await place.rows("SELECT count(*) FROM code_symbols WHERE node_id = ?", node) == [(1,)]


async def test_a_file_renamed_among_many_keeps_the_history_of_its_nodes(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({f"part{number:02}.py": f"def turn{number}(): ...\n" for number in range(70)})
        await place.index()
        [(node,)] = await place.rows("SELECT id FROM code_nodes WHERE node = 'part69.py::turn69'")
        (place.root / "part69.py").rename(place.root / "aa.py")
        assert (await place.index()).gone == 0
        assert await place.rows("SELECT node FROM code_nodes WHERE id = ?", node) == [("aa.py::turn69",)]
        (place.root / "aa.py").rename(place.root / "zz.py")
        named = ["aa.py", *(f"part{number:02}.py" for number in range(69)), "zz.py"]
        await place.indexer.look_at(PROJECT, place.root, named)
        assert await place.rows("SELECT node FROM code_nodes WHERE id = ?", node) == [("zz.py::turn69",)]


async def test_what_a_file_that_is_gone_showed_ends(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        (place.root / "ships.py").unlink()
        assert (await place.index()).gone == 1
        assert await place.edges() == place.fresh() == set()
        ended = await place.rows("SELECT count(*) FROM code_symbols WHERE valid_to IS NOT NULL")
        assert ended == [(4,)]  # the file, the class, its method, the function


async def test_a_new_file_that_gives_a_missing_name_is_seen_by_those_that_wait_for_it(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"port.py": FILES["port.py"]})
        await place.index()
        assert await place.edges() == set()
        place.write({"ships.py": FILES["ships.py"]})
        await place.indexer.look_at(PROJECT, place.root, ["ships.py"])
        assert await place.edges() == place.fresh()


async def test_step_by_step_comes_to_the_same_as_all_at_once(tmp_path: Path) -> None:
    steps: list[dict[str, str | None]] = [
        {"a.py": "class A:\n    def go(self): ...\n", "b.py": "from a import A\nclass B(A): ...\n"},
        {"c.py": "from b import B\ndef run(b: B):\n    b.go()\n    b.stop()\n"},
        {"a.py": "class A:\n    def go(self): ...\n    def stop(self): ...\n"},
        {"b.py": "from a import A\nclass B(A):\n    def go(self): return super().go()\n"},
        {"pkg/__init__.py": "from a import *\n", "d.py": "from pkg import A\ndef x(): A().go()\n"},
        {"b.py": "class B: ...\n"},
        {"b.py": "from pkg import A\nclass B(A): ...\n"},
        {"a.py": None},
        {"a.py": "def A(): ...\n"},
    ]
    async with placed(tmp_path) as place:
        for step in steps:
            for path, text in step.items():
                if text is None:
                    (place.root / path).unlink()
                else:
                    place.write({path: text})
            await place.indexer.look_at(PROJECT, place.root, step)
            assert await place.edges() == place.fresh(), step


async def test_secrets_in_signatures_and_comments_are_not_kept(tmp_path: Path) -> None:
    key = "sk-" + "ant-api03-" + "Zq8" * 20
    async with placed(tmp_path) as place:
        place.write({"a.py": f'def call(key="{key}"):\n    """Uses {key}."""\n    # NOTE: it was {key} once\n'})
        await place.index()
        row = await place.readers.run(lambda conn: code_files.facts(conn, PROJECT, "a.py"))
        assert row is not None
        import zstandard

        assert key.encode() not in zstandard.decompress(row[0])
        texts = await place.rows("SELECT signature || doc FROM code_symbols UNION SELECT text FROM code_reasons")
        assert all(key not in text for (text,) in texts)


async def test_nothing_is_written_into_the_tree(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        _make_repository(place.root)
        place.write(FILES)
        before = {path: path.stat().st_mtime_ns for path in sorted(place.root.rglob("*"))}
        await place.index()
        await place.indexer.look_at(PROJECT, place.root, ["port.py"])
        assert {path: path.stat().st_mtime_ns for path in sorted(place.root.rglob("*"))} == before


async def test_what_lies_outside_of_the_tree_or_is_ignored_is_not_looked_at(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        _make_repository(place.root)
        place.write({".gitignore": "made/\n", "made/a.py": "", "node_modules/b.py": "", "c.py": ""})
        (tmp_path / "secret.py").write_text("def x(): ...\n")
        (place.root / "link.py").symlink_to(tmp_path / "secret.py")
        paths = ["made/a.py", "node_modules/b.py", "c.py", "../secret.py", "link.py", "notes.txt"]
        await place.indexer.look_at(PROJECT, place.root, paths)
        assert await place.rows("SELECT path FROM code_files") == [("c.py",)]


async def test_a_tree_that_went_away_is_an_error_and_loses_nothing(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(FILES)
        await place.index()
        shutil.rmtree(place.root)
        with pytest.raises(OSError, match="harbor"):
            await place.index()
        assert SAIL in await place.edges()


def test_the_daemons_part_loads_no_grammar() -> None:
    code = "import memd.codegraph.indexer, sys; sys.exit('tree_sitter' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_change_within_a_function_changes_no_name_for_others() -> None:
    def facts(source: str) -> FileFacts:
        language = language_in("a.py", b"")
        assert language is not None
        return extract("a.py", source.encode(), language)

    before = facts("def f(x):\n    y = g(x)\n    def h(): ...\n")
    assert changed(before, facts("def f(x):\n    z = k(x)\n    def i(): ...\n")) == frozenset()
    assert "f" in changed(before, facts("def f(x, w):\n    y = g(x)\n"))


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "class A:\n    def put(self, ship: Ship): ...\n", "class A:\n    def put(self, ship: Buoy): ...\n"),
        ("A.java", "class A { void put(Ship s) {} }", "class A { void put(Buoy s) {} }"),
        ("a.ts", "export function put(s: Ship) {}", "export function put(s: Buoy) {}"),
        ("a.h", "class A { void put(const Ship& s); };", "class A { void put(const Buoy& s); };"),
    ],
)
def test_a_parameter_of_another_type_changes_what_its_function_is_to_others(path: str, before: str, after: str) -> None:
    both = []
    for words in (before, after):
        language = language_in(path, words.encode())
        assert language is not None
        both.append(extract(path, words.encode(), language))
    assert "put" in changed(*both)


async def test_what_a_base_says_of_a_parameter_concerns_those_that_override_it(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write(
            {
                "base.py": "from ships import Ship\n\nclass Dock:\n    def moor(self, it): ...\n",
                "ships.py": "class Ship:\n    def sail(self): ...\n",
                "own.py": "from base import Dock\n\nclass Own(Dock):\n    def moor(self, it):\n        it.sail()\n",
            }
        )
        await place.index()
        place.write({"base.py": "from ships import Ship\n\nclass Dock:\n    def moor(self, it: Ship): ...\n"})
        await place.indexer.look_at(PROJECT, place.root, ["base.py"])
        assert ("calls", "own.py::Own.moor", "ships.py::Ship.sail") in await place.edges()
        assert await place.edges() == place.fresh()
