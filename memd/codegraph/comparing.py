"""Comparing: where what is kept of a project's code and the files as they are differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anyio import to_thread

from memd.codegraph.regular import regular_file
from memd.codegraph.sources import digest_of, passed_over
from memd.codegraph.walk import LARGEST_BYTES, Found, walk
from memd.store import code_files
from memd.store.readers import Readers


@dataclass(frozen=True, slots=True)
class Compared:
    """How many source files there are, and, by issue, paths of those that are kept otherwise."""

    files: int
    issues: dict[str, list[str]]


async def compare(readers: Readers, project: int, root: Path) -> Compared:
    """Return where what is kept of a project and its files differ; raises OSError where there is no folder."""
    found: Found = await to_thread.run_sync(walk, root)
    kept = await readers.run(lambda conn: code_files.digests(conn, project))
    stale = await to_thread.run_sync(_differing, root, {path: kept[path] for path in found.files if path in kept})
    missing = [path for path in found.files if path not in kept]
    sources = [path for path in missing if await to_thread.run_sync(_is_source, root, path)]
    vanished = sorted(kept.keys() - set(found.files))
    return Compared(len(found.files), {"stale": stale, "missing": sources, "vanished": vanished})


def _differing(root: Path, kept: Mapping[str, bytes]) -> list[str]:
    return [path for path, digest in kept.items() if digest_of(root / path) != digest]


def _is_source(root: Path, path: str) -> bool:
    """Tell whether a file that is not kept should be: one that was passed over for a reason should not."""
    try:
        content = regular_file(root / path, LARGEST_BYTES)
    except OSError:
        return False
    return passed_over(content) is None
