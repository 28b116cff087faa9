"""Batch: the tasks that run in worker processes: reading files for their facts, and resolving facts to edges."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from memd.codegraph.edges import Resolution
from memd.codegraph.facts import pack, unpack
from memd.codegraph.graph import resolve_all
from memd.codegraph.language import Language
from memd.codegraph.parse import extract
from memd.codegraph.registry import language_in
from memd.codegraph.regular import regular_file
from memd.codegraph.sources import passed_over
from memd.codegraph.tasks import Unchanged
from memd.codegraph.walk import LARGEST_BYTES, UNREADABLE

EXTRACT_TASK: Final = "memd.codegraph.batch:extract_files"
RESOLVE_TASK: Final = "memd.codegraph.batch:resolve_files"

VANISHED: Final = "vanished"
TOO_DEEP: Final = "nested too deeply"


@dataclass(frozen=True, slots=True)
class Files:
    """Files of a tree to read. Those whose content still has the hash in `known` are not parsed."""

    root: Path
    paths: tuple[str, ...]
    known: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Source:
    """The text of a file (UTF-8), its language, and the digest of its content."""

    text: bytes
    language: Language
    digest: bytes


@dataclass(frozen=True, slots=True)
class Extracted:
    """A file that was parsed: its facts, packed."""

    path: str
    facts: bytes


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that gives no facts, and why."""

    path: str
    reason: str


Outcome: TypeAlias = Extracted | Unchanged | Skipped


def extract_files(files: Files) -> list[Outcome]:
    """Read and parse some files; each has its outcome, in order."""
    return [_extract_file(files.root, path, files.known.get(path)) for path in files.paths]


def _extract_file(root: Path, path: str, known: bytes | None) -> Outcome:
    read = read_file(root, path, known)
    if not isinstance(read, Source):
        return read
    try:
        return Extracted(path, pack(extract(path, read.text, read.language, read.digest)))
    except RecursionError:
        return Skipped(path, TOO_DEEP)


def read_file(root: Path, path: str, known: bytes | None) -> Source | Unchanged | Skipped:
    """Return the source of a file, or why there is nothing to parse; `known` is the digest that needs no parsing."""
    try:
        content = regular_file(root / path, LARGEST_BYTES)
    except FileNotFoundError:
        return Skipped(path, VANISHED)
    except OSError:
        return Skipped(path, UNREADABLE)
    digest = hashlib.sha256(content).digest()
    if digest == known:
        return Unchanged(path)
    text = readable(content)
    reason, language = passed_over(content), language_in(path, text)
    if reason is not None or language is None:
        return Skipped(path, reason or UNREADABLE)
    return Source(text, language, digest)


def readable(source: bytes) -> bytes:
    """Return the source as UTF-8 where it says that it is UTF-16; other encodings keep their bytes."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", "replace").encode("utf-8", "replace")
    return source.removeprefix(b"\xef\xbb\xbf")


def resolve_files(payload: tuple[list[bytes], dict[str, bytes]]) -> list[Resolution]:
    """Resolve a whole tree: the packed facts of its files, and its configurations."""
    packed, configs = payload
    return list(resolve_all(map(unpack, packed), configs))
