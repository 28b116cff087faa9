"""Labelled sessions: where they lie, how their transcripts are read, and the scorer that belongs to them."""

from __future__ import annotations

import importlib.util
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from memd.model import Transcript
from memd.preview import read

BESIDE = Path(__file__).resolve().parents[3] / "shared" / "eval"
SETS = ("distill", "distill-real")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A labelled session: its gold document, the transcript file, and the session's place in it."""

    set: str
    gold: dict[str, Any]
    transcript: Path
    session: int

    @property
    def id(self) -> str:
        """The session's id, unique in its set."""
        return str(self.gold["id"])


def folders(given: list[Path]) -> list[Path]:
    """Return the folders to measure: those given, else `GOLD` of the environment, else the sets beside the checkout."""
    named = os.environ.get("GOLD")
    return given or ([Path(named)] if named else [path for name in SETS if (path := BESIDE / name).exists()])


def labelled(folder: Path) -> Iterator[Labelled]:
    """Yield the labelled sessions below a folder, by id."""
    for path in sorted(folder.rglob("*.gold.json")):
        gold = orjson.loads(path.read_bytes())
        yield Labelled(folder.name, gold, path.parent / gold["file"], gold.get("session") or 0)


def transcript(one: Labelled) -> Transcript:
    """Return the session; a dump of a database is made a database first. Raises MemdError, IndexError."""
    if one.transcript.suffix != ".sql":
        return read(one.transcript)[one.session]
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / one.transcript.with_suffix(".db").name
        connection = sqlite3.connect(path)
        connection.executescript(one.transcript.read_text("utf-8"))
        connection.commit()
        connection.close()
        return read(path)[one.session]


def scorer(folder: Path) -> Path | None:
    """Return the scorer of a folder of gold files: its own, or that of `distill` beside it."""
    places = (folder / "score.py", folder.parent / "distill" / "score.py", BESIDE / "distill" / "score.py")
    return next((path for path in places if path.exists()), None)


@cache
def load_scorer(path: Path) -> ModuleType:
    """Return the scorer as a module."""
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
