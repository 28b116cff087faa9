"""A host that is a package of its own is read like those that come with memd, without a change to memd."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

QUILL = '''
from pathlib import Path
from memd.adapter import Batch, Cursor, MessagePart, Root, SessionUpdate, Source

class Quill:
    """An agent that keeps a session in a file: each line is a prompt."""

    name, title = "quill", "Quill"

    def roots(self, env):
        return (Root(env.home / ".quill"),)

    def classify(self, root, path):
        return Source("quill", path, path.stem) if path.suffix == ".quill" else None

    def recognise(self, path, head):
        return Source("quill", path, path.stem) if head.startswith(b"quill\\n") else None

    def read(self, source, cursor, limits):
        lines = source.path.read_text().splitlines()[1:]
        at = 1_795_946_400_000
        parts = [
            MessagePart(source.session, f"m{n}", f"m{n}", n, "user", "prompt", at + n, text)
            for n, text in enumerate(lines)
        ]
        return Batch((SessionUpdate(source.session, cwd="/home/ada/harbor"), *parts), Cursor(1, 1), lines=len(lines))

    def live(self, root):
        return ()

ADAPTER = Quill()
class Half:
    name, title = "half", "Half"
class Double(Quill):
    name = "claude_code"
def broken():
    raise ImportError("no ink is left")
'''


@pytest.fixture
def beside(tmp_path: Path) -> dict[str, str]:
    """The environment of a memd beside which a package of somebody else's is installed."""
    site = tmp_path / "site"
    info = site / "quill_memd-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "quill_memd.py").write_text(QUILL)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: quill-memd\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[memd.adapters]\nquill = quill_memd:ADAPTER\nhalf = quill_memd:Half\ndouble = quill_memd:Double\n"
        "lost = quill_memd:nowhere\ngone = quill_gone:ADAPTER\n"
    )
    return {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "PYTHONPATH": str(site)}


def test_an_adapter_of_another_package_is_there_and_what_cannot_be_used_is_named(beside: dict[str, str]) -> None:
    code = (
        "import json; from memd.registry import adapters, problems;"
        "print(json.dumps([list(adapters()), type(adapters()['claude_code']).__module__, problems()]))"
    )
    run = subprocess.run([sys.executable, "-c", code], env=beside, capture_output=True, text=True, check=True)
    names, claude_code, problems = json.loads(run.stdout)
    assert "quill" in names
    assert "half" not in names
    assert claude_code == "memd_adapters.claude_code"
    told = dict(sorted((problem.split("'")[1], problem.partition(") ")[2]) for problem in problems))
    assert told == {
        "double": "is left out: there is one for claude_code already.",
        "gone": "cannot be loaded: No module named 'quill_gone'.",
        "half": "does not keep the adapter contract.",
        "lost": "cannot be loaded: module 'quill_memd' has no attribute 'nowhere'.",
    }


def test_what_it_reads_is_understood_like_any_other_hosts(beside: dict[str, str], tmp_path: Path) -> None:
    transcript = tmp_path / "pier.txt"
    transcript.write_text("quill\nLet's use SQLite instead of Postgres, because the office has no server.\n")
    words = [sys.executable, "-m", "memd", "preview", str(transcript), "--json"]
    run = subprocess.run(words, env=beside, capture_output=True, text=True, check=True)
    told = json.loads(run.stdout)
    assert told["session"]["host"] == "quill"
    assert [fact["type"] for fact in told["facts"]] == ["decision"]
