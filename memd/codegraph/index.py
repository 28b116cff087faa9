"""Index: a whole tree -> facts and edges, with the parsing in worker processes. No store, no daemon."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import anyio
import anyio.to_thread

from memd.codegraph.batch import EXTRACT_TASK, RESOLVE_TASK, Extracted, Files, Outcome, Skipped
from memd.codegraph.edges import Resolution
from memd.codegraph.facts import FileFacts, Flag, unpack
from memd.codegraph.tasks import NEVER_ENDS
from memd.codegraph.walk import Found, walk
from memd.errors import WorkerFailed
from memd.workers.pool import Workers
from memd.workers.turns import Priority

BATCH_FILES: Final = 48
BATCH_S: Final = 60.0
FILE_S: Final = 10.0
"""One file that takes longer is one of those whose parsing never ends."""
RESOLVE_S: Final = 600.0
_DECLARING: Final = frozenset(("c", "cpp"))
"""Languages in which a function is declared in one file and defined in another."""


@dataclass(slots=True)
class Indexed:
    """What a tree holds: the packed facts of each file, how many were passed over and why, and the configurations."""

    facts: dict[str, bytes] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    configs: dict[str, bytes] = field(default_factory=dict)

    def files(self) -> Iterator[FileFacts]:
        """Yield the facts of each file, by path."""
        for path in sorted(self.facts):
            yield unpack(self.facts[path])

    def nodes(self) -> Iterator[tuple[FileFacts, int]]:
        """Yield each symbol that is a node; one that is declared and defined is one where it is defined."""
        defined = {
            facts.qualname(at)
            for facts in self.files()
            for at, symbol in enumerate(facts.symbols)
            if facts.language in _DECLARING and not symbol.flags & (Flag.DECLARATION | Flag.PART)
        }
        for facts in self.files():
            for at, symbol in enumerate(facts.symbols):
                if symbol.flags & Flag.PART or facts.named(at) != at:
                    continue
                declared = symbol.flags & Flag.DECLARATION and facts.language in _DECLARING
                if not declared or facts.qualname(at) not in defined:
                    yield facts, at


async def index(workers: Workers, root: Path, *, priority: Priority = Priority.BACKGROUND) -> Indexed:
    """Read a whole tree; raises OSError where it is no folder that can be read. What cannot be parsed is counted."""
    found: Found = await anyio.to_thread.run_sync(walk, root)
    indexed = Indexed(skipped=found.skipped, configs=found.configs)
    batches = [tuple(found.files[i : i + BATCH_FILES]) for i in range(0, len(found.files), BATCH_FILES)]

    async def take(paths: Sequence[tuple[str, ...]]) -> None:
        for batch in paths:
            for outcome in await read_batch(workers, root, batch, {}, priority):
                if isinstance(outcome, Extracted):
                    indexed.facts[outcome.path] = outcome.facts
                elif isinstance(outcome, Skipped):
                    indexed.skipped[outcome.reason] += 1

    async with anyio.create_task_group() as group:
        for lane in range(2):
            group.start_soon(take, batches[lane::2])
    return indexed


async def read_batch(
    workers: Workers, root: Path, paths: tuple[str, ...], known: Mapping[str, bytes], priority: Priority
) -> list[Outcome]:
    """Return the outcome of each file. One that ends or hangs its worker is found by trying each alone."""
    files = Files(root, paths, {path: known[path] for path in paths if path in known})
    try:
        outcomes: list[Outcome] = await workers.run(
            EXTRACT_TASK, files, deadline_s=BATCH_S if len(paths) > 1 else FILE_S, priority=priority
        )
        return outcomes
    except WorkerFailed:
        if len(paths) == 1:
            return [Skipped(paths[0], NEVER_ENDS)]
    middle = len(paths) // 2
    return [
        *await read_batch(workers, root, paths[:middle], known, priority),
        *await read_batch(workers, root, paths[middle:], known, priority),
    ]


async def resolve_tree(
    workers: Workers, indexed: Indexed, *, priority: Priority = Priority.BACKGROUND
) -> list[Resolution]:
    """Return what the references of every file resolve to. Raises WorkerFailed."""
    packed = [indexed.facts[path] for path in sorted(indexed.facts)]
    resolutions: list[Resolution] = await workers.run(
        RESOLVE_TASK, (packed, indexed.configs), deadline_s=RESOLVE_S, priority=priority
    )
    return resolutions
