"""Excluded folders: what is still kept of them from before `capture.exclude` covered them, and what deletes it."""

from __future__ import annotations

import shlex
from collections import defaultdict
from pathlib import Path

from memd.operations.memory import Memory
from memd.store import sessions
from memd.store.sessions import KeptIn


async def kept_of_excluded(memory: Memory) -> tuple[str, ...]:
    """Return a sentence for each project of which sessions are kept that would not be now, with what deletes them."""
    if not memory.config.capture.exclude:
        return ()
    kept = await memory.readers.run(sessions.kept_in_folders)
    by_root: dict[str | None, list[KeptIn]] = defaultdict(list)
    for one in kept:
        if memory.capture.excludes(Path(one.cwd)):
            is_whole = one.root is not None and memory.capture.excludes(Path(one.root))
            by_root[one.root if is_whole else None].append(one)
    whole = [_sentence(root, ones) for root, ones in by_root.items() if root is not None]
    return (*whole, *(_sentence(None, [one]) for one in by_root[None]))


def _sentence(root: str | None, kept: list[KeptIn]) -> str:
    count = sum(one.sessions for one in kept)
    said = "1 session is" if count == 1 else f"{count} sessions are"
    if root is None:
        place, what = kept[0].cwd, f"memd session forget {shlex.quote(kept[0].newest)} --apply"
        does = "deletes it" if count == 1 else "deletes the newest of them"
    else:
        place, what, does = root, f"memd session projects_delete {shlex.quote(root)} --apply", "deletes all of it"
    return f"{place}: {said} kept from before capture.exclude covered it, and still found; `{what}` {does} for good."
