"""A tree of transcripts of every host, for benchmarks: the fixtures over and over, each time under ids of its own."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from memd.adapter import Adapter, Root
from memd_adapters import ADAPTERS
from tests.contract.adapters.samples import FIXTURES
from tests.unit.adapters.cursor_host import Editor
from tests.unit.adapters.opencode_host import OpenCodeHost

_UUID: Final = re.compile(rb"([0-9a-f]{8})(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})")
_NAMED: Final = re.compile(rb"\b((?:ses|msg|prt|toolu|call|fc)_[0-9A-Za-z]{8,40})")
_TASK: Final = re.compile(rb"\b(1[67]\d{11})\b")
_YEAR: Final = re.compile(rb"(?<=aider chat started at )(\d{4})")
_WORDS: Final = "the harbour lights are counted at dusk and the tide table is kept in SQLite "


def write_hosts(home: Path, copies: int) -> tuple[str, ...]:
    """Write `copies` of each fixture and databases of about as much; return the extra roots to be configured."""
    roots: dict[str, None] = {}
    for name, adapter in ADAPTERS.items():
        if name == "claude_code":  # `make_transcripts` writes those
            continue
        for folder in sorted(path for path in (FIXTURES / name).iterdir() if path.is_dir()):
            root = _root_of(adapter, folder)
            if root is None:
                continue
            for number in range(copies):
                place = home / name / folder.name / root.relative_to(folder)
                if _is_apart(root):
                    place = home / name / folder.name / str(number) / root.relative_to(folder)
                _copy(root, place, number)
                roots[f"{name}={place}"] = None
    roots[f"opencode={_opencode(home / 'opencode-data', copies)}"] = None
    roots[f"cursor={_cursor(home / 'cursor-data' / 'globalStorage', copies)}"] = None
    return tuple(roots)


def _root_of(adapter: Adapter, folder: Path) -> Path | None:
    """Return the outermost folder that the adapter, given it as a root, finds a source below."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    folders = sorted((path for path in folder.rglob("*") if path.is_dir()), key=lambda path: len(path.parts))
    for root in (folder, *folders):
        if any(adapter.classify(Root(adapter.name, root), file) for file in files if file.is_relative_to(root)):
            return root
    return None


def _is_apart(root: Path) -> bool:
    """Whether copies have to lie apart: nothing in the files' paths tells them from one another."""
    files = (str(path.relative_to(root)).encode() for path in root.rglob("*") if path.is_file())
    return any(_renamed(name, 1) == name and not name.endswith(b".json") for name in files)


def _copy(root: Path, target: Path, number: int) -> None:
    for file in sorted(path for path in root.rglob("*") if path.is_file()):
        name = _renamed(str(file.relative_to(root)).encode(), number).decode()
        path = target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".zst":
            shutil.copyfile(file, path)
        else:
            path.write_bytes(_renamed(file.read_bytes(), number))


def _renamed(content: bytes, number: int) -> bytes:
    """Return content with every id, the times that are ids included, moved on by a number."""
    content = _UUID.sub(lambda found: b"%08x%b" % ((int(found[1], 16) + number) % (1 << 32), found[2]), content)
    content = _NAMED.sub(lambda found: found[1][:-4] + b"%04x" % number, content)
    content = _TASK.sub(lambda found: b"%d" % (int(found[1]) + number), content)
    return _YEAR.sub(lambda _: b"%d" % (2000 + number), content)


def _opencode(folder: Path, sessions: int) -> Path:
    host = OpenCodeHost(folder / "opencode.db")
    host.conn.execute("BEGIN")
    for number in range(sessions):
        session = host.session(f"Lights {number}")
        for turn in range(20):
            host.prompt(session, f"{_WORDS * 3} {number} {turn}?")
            reply = host.reply(session, f"{_WORDS * 8} {turn}.")
            done = {"status": "completed", "output": _WORDS * 30, "metadata": {"exit": 0}}
            state = {"input": {"command": "make tide"}, **done}
            host.part(session, reply, type="tool", callID=f"c{turn}", tool="bash", state=state)
    host.conn.execute("COMMIT")
    host.close()
    return folder


def _cursor(folder: Path, sessions: int) -> Path:
    folder.mkdir(parents=True)
    editor = Editor(folder / "state.vscdb")
    editor.conn.execute("BEGIN")
    for number in range(sessions):
        composer = f"aaaa{number:04x}-0000-4000-8000-000000000001"
        bubbles = [f"{'ua'[turn % 2]}{turn}" for turn in range(40)]
        for bubble in bubbles:
            editor.bubble(composer, bubble, f"{_WORDS * 6} {number} {bubble}")
        editor.composer(composer, bubbles, name=f"Lights {number}")
    editor.conn.execute("COMMIT")
    editor.close()
    return folder
