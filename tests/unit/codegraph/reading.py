"""What the way in which sources are read is made of, as a digest: `python -m tests.unit.codegraph.reading` records it.

The digest is of the modules that make facts and edges, without their comments, docstrings and blank lines, of the
queries, and of the grammars' version. It stands beside `READING` in reading.json.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Final

import memd.codegraph
from memd.codegraph.tasks import READING

RECORD: Final = Path(__file__).with_name("reading.json")
_ROOM: Final = Path(memd.codegraph.__file__).parent
_ROOTS: Final = ("parse", "graph", "stored")
"""What extracts, what resolves, and what both are asked by."""
_APART: Final = frozenset(("tasks", "walk", "sources", "regular"))
"""What is asked for and which files are looked at: no file is read in another way by it."""


@functools.cache
def digest() -> str:
    """Return the digest of what the code as it is makes facts and edges by."""
    made = hashlib.sha256(version("tree-sitter-language-pack").encode())
    for path in _modules():
        made.update(f"{path.relative_to(_ROOM).as_posix()}\n".encode())
        made.update(said(path).encode())
    return made.hexdigest()


def _modules() -> list[Path]:
    """Return the modules of the room that the roots load, directly or not, and all that languages are made of."""
    found = {path for path in (_ROOM / "languages").rglob("*") if path.suffix in (".py", ".scm", ".txt")}
    waiting = [_ROOM / f"{name}.py" for name in _ROOTS]
    while waiting:
        path = waiting.pop()
        found.add(path)
        for node in _statements(ast.parse(path.read_text("utf-8"))):
            name = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            other = _ROOM / f"{name.removeprefix('memd.codegraph.')}.py"
            if name.startswith("memd.codegraph.") and other.is_file() and other.stem not in _APART:
                waiting += [other] if other not in found else []
    return sorted(found)


def said(path: Path) -> str:
    """Return what a file does: its lines without those that only speak to a reader."""
    text = path.read_text("utf-8")
    lines = text.splitlines()
    for said in _docstrings(text) if path.suffix == ".py" else ():
        lines[said] = [""] * len(lines[said])
    mark = {".py": "#", ".scm": ";"}.get(path.suffix)
    return "".join(f"{line}\n" for line in lines if line.strip() and not (mark and line.strip().startswith(mark)))


def _docstrings(text: str) -> list[slice]:
    """Return which lines of a module are docstrings, or strings that tell of the constant before them."""
    texts = (node for node in _statements(ast.parse(text)) if isinstance(node, ast.Expr))
    return [
        slice(node.lineno - 1, node.end_lineno)
        for node in texts
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    for one in getattr(node, "body", ()):
        yield one
        yield from _statements(one)


def told() -> str | None:
    """Return what is to be done about a way of reading that is not the recorded one, None where it is."""
    known = json.loads(RECORD.read_text("utf-8"))
    if known == {"reading": READING, "digest": digest()}:
        return None
    if known["reading"] == READING:
        return (
            "What makes facts and edges is another than recorded. If the same source can give other facts or edges"
            " now, raise READING in memd/codegraph/tasks.py, so that projects that are kept are read again; then (or"
            " with --same, if it cannot) run `python -m tests.unit.codegraph.reading`."
        )
    return "READING is another than recorded: run `python -m tests.unit.codegraph.reading`."


if __name__ == "__main__":
    known = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}
    if known.get("reading") == READING and known["digest"] != digest() and "--same" not in sys.argv:
        sys.exit(told())
    RECORD.write_text(json.dumps({"reading": READING, "digest": digest()}, indent=1) + "\n", "utf-8")
