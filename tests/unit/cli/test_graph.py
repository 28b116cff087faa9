"""What `memd graph` prints of a tree."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.unit.cli.conftest import CommandLine


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "fleet"
    folder.mkdir()
    (folder / "a.py").write_text("from b import f\n\n\ndef main(x):\n    f()\n    x.sail()\n")
    (folder / "b.py").write_text("# WHY: one place\ndef f(): ...\n")
    (folder / "c.py").write_bytes(b"\0\0")
    return folder


def test_the_edges_are_printed_one_object_a_line(memd: CommandLine, tree: Path, tmp_path: Path) -> None:
    symbols, unresolved = tmp_path / "symbols", tmp_path / "unresolved"
    told = memd("graph", "export", str(tree), "--jsonl", "--symbols", str(symbols), "--unresolved", str(unresolved))
    assert [json.loads(line) for line in told.out.splitlines()] == [
        {"kind": "imports", "src": "a.py", "dst": "b.py", "line": 1, "confidence": 1.0},
        {"kind": "calls", "src": "a.py::main", "dst": "b.py::f", "line": 5, "confidence": 1.0},
    ]
    assert [json.loads(line)["qualname"] for line in symbols.read_text().splitlines()] == ["main", "f"]
    assert [json.loads(line)["name"] for line in unresolved.read_text().splitlines()] == ["x.sail"]


def test_the_edges_are_printed_for_people(memd: CommandLine, tree: Path) -> None:
    assert "calls a.py::main -> b.py::f (line 5)" in memd("graph", "export", str(tree)).out


def test_what_is_in_a_tree_is_told(memd: CommandLine, tree: Path) -> None:
    told = json.loads(memd("graph", "index", str(tree), "--json").out)
    assert told["files"] == 2
    assert told["edges"] == {"imports": 1, "calls": 1}
    assert told["unresolved"] == 1
    assert told["skipped"] == {"binary": 1}
    for_people = memd("graph", "index", str(tree)).out
    assert "2 files, 8 lines (python 2)" in for_people
    assert "passed over, binary: 1" in for_people


def test_a_tree_that_is_none_is_one_sentence(memd: CommandLine, tmp_path: Path) -> None:
    told = memd("graph", "index", str(tmp_path / "nowhere"))
    assert told.status == 2
    assert "nowhere" in told.err
    assert len(told.err.splitlines()) == 1
