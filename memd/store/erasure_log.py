"""The log of erasures: what was ever deleted for good, in a file beside the database, as digests and random ids alone.

A deletion stands here, on the disk, before it begins. A database that is restored from a backup of before is told by it
what it lacks, and one whose daemon was killed at it what was begun. One line of JSON each, only ever added to; a line
that its writer did not finish belongs to a deletion that nobody was told of.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final

import orjson

from memd.paths import make_private
from memd.store.connection import translate

EVERYWHERE: Final = 0
"""In place of a project's digest: what holds in all of them."""


@dataclass(frozen=True, slots=True)
class Erasure:
    """One deletion for good.

    `rows` are identities of the host's rows, messages, calls and titles, `sessions` those of sessions that go whole,
    `facts` uids, `texts` digests of what is not to be learnt again, each with that of its project, and `project` is the
    identity of a project that goes whole. With `words_stay` the facts' histories keep their words.
    """

    id: str
    at: int
    rows: tuple[int, ...] = ()
    sessions: tuple[int, ...] = ()
    facts: tuple[str, ...] = ()
    texts: tuple[tuple[str, int], ...] = ()
    project: int | None = None
    words_stay: bool = False


def path_of(database: Path) -> Path:
    """Return where the log of a database is."""
    return database.with_suffix(".erased")


def append(log: Path, erasures: Iterable[Erasure]) -> None:
    """Add to the log (mode 0600); it is on the disk when this returns.

    Raises StoreError when it cannot be written; what stands in it then is at most a line that counts for nothing.
    """
    try:
        make_private(log.parent)
        is_new = not log.exists()
        handle = os.open(log, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.fstat(handle).st_size
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            left = memoryview(b"\n" * torn + b"".join(orjson.dumps(asdict(one)) + b"\n" for one in erasures))
            while left:
                left = left[os.write(handle, left) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        if is_new:
            _sync_folder(log.parent)
    except OSError as error:
        raise translate(error, log) from error


def read(log: Path) -> tuple[tuple[Erasure, ...], int]:
    """Return what the log holds, oldest first, and how many of its lines say nothing that is understood.

    Raises StoreError when there is a log that cannot be read.
    """
    try:
        lines = log.read_bytes().split(b"\n")
    except FileNotFoundError:
        return (), 0
    except OSError as error:
        raise translate(error, log) from error
    found = [_parsed(line) for line in lines[:-1]]  # the last one is empty, or was not finished
    return tuple(one for one in found if one is not None), found.count(None)


def _parsed(line: bytes) -> Erasure | None:
    try:
        told = orjson.loads(line)
        given = {field.name: told[field.name] for field in fields(Erasure) if field.name in told}
        given["texts"] = tuple((str(digest), int(project)) for digest, project in given.get("texts", ()))
        given |= {name: tuple(given.get(name, ())) for name in ("rows", "sessions", "facts")}
        erasure = Erasure(**given)
    except (ValueError, TypeError, AttributeError):
        return None
    return erasure if _is_sound(erasure) else None


def _is_sound(erasure: Erasure) -> bool:
    numbers: tuple[Any, ...] = (erasure.at, *erasure.rows, *erasure.sessions)
    words: tuple[Any, ...] = (erasure.id, *erasure.facts)
    return all(type(one) is int for one in numbers) and all(type(one) is str for one in words)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
