"""The groups that facts and entities fall into, with what is said in each of them.

Finding them takes a worker's second. Where the graph changed since, the groups that were found are told as they were,
marked as stale, and found anew by a job; nobody who asks waits for that. What they are called and what is said in them
is read when it is asked for, so that nothing is told that is there no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from anyio import to_thread

from memd.codegraph.shape import GROUPS_TASK, Groups, Whole
from memd.errors import BadParameter, NotFound, WorkerFailed
from memd.operations import naming
from memd.operations.fact_params import time_given
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.relation_shape import ShapeParams, whole_of
from memd.store import edge_shape
from memd.store.facts import Connection
from memd.workers.turns import Priority

_DEADLINE_S: Final = 120.0
_SENTENCES: Final = 3
_LONGEST: Final = 400
"""Characters of a summary."""


@dataclass(frozen=True, slots=True)
class GroupsParams:
    """Whose groups, and which of them."""

    project: str | None = field(
        default=None, metadata={"help": "a folder in the project, its name or its id; none: all"}
    )
    automatic: bool = field(default=False, metadata={"help": "count links that were made automatically, too"})
    limit: int = field(default=20, metadata={"help": "at most so many"})
    offset: int = field(default=0, metadata={"help": "pass over so many"})
    as_of: str | None = field(default=None, metadata={"help": "as it was at this time"})


@dataclass(frozen=True, slots=True)
class GroupAnswer:
    """Facts and entities that have most to do with each other; `cohesion` (0-1): the share of relations among them.

    Of a large group some are named; `size` counts all. `summary` is what the busiest of them say, in their own words,
    `evidence` the facts (ids) that say it.
    """

    size: int
    cohesion: float
    nodes: tuple[str, ...]
    labels: tuple[str, ...]
    summary: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupsAnswer:
    """The groups that facts and entities fall into, the largest first; `next_offset`: where the next ones begin.

    `sampled`: there are so many relations that only a part of them was looked at. `stale`: something was written since
    they were found; they are being found anew.
    """

    groups: tuple[GroupAnswer, ...]
    total: int = 0
    next_offset: int | None = None
    sampled: bool = False
    stale: bool = False


@dataclass(frozen=True, slots=True)
class _Found:
    """Groups by the names of their nodes: each with names, size and cohesion."""

    groups: tuple[tuple[tuple[str, ...], int, float], ...]
    sampled: bool


@operation("relations.groups", reads=True)
async def groups(memory: Memory, params: GroupsParams) -> GroupsAnswer:
    """List the groups that facts and entities fall into by what they have to do with each other.

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    if params.offset < 0:
        raise BadParameter("relations.groups", f"offset must be 0 or more, not {params.offset}")
    whole, names = await _graph(memory, params)
    asked, graph = _asked(params), await to_thread.run_sync(hash, whole)
    found: _Found | None = memory.graph_cache.answer(asked, graph)
    stale = False
    if found is None:
        found = memory.graph_cache.outdated(asked, params)
        stale = found is not None
    if found is None:
        found = await _find(memory, whole, names, Priority.FOREGROUND)
        memory.graph_cache.keep(asked, graph, found)
    end, total = params.offset + params.limit, len(found.groups)
    chosen, at = found.groups[params.offset : end], time_given(params.as_of, "relations.groups")
    listed = await memory.readers.run(lambda conn: tuple(_told(conn, *one, at) for one in chosen))
    return GroupsAnswer(listed, total, end if end < total else None, found.sampled, stale)


async def find_anew(memory: Memory) -> None:
    """Find those groups anew that somebody was told as they were before something was written.

    One at a time: until the new ones are there the old ones are told, and one that fails keeps no other from its turn.
    Raises WorkerFailed for the last that did; it is tried again at the next time.
    """
    failed: WorkerFailed | None = None
    for asked, params in memory.graph_cache.wanted():
        try:
            whole, names = await _graph(memory, params)
            graph = await to_thread.run_sync(hash, whole)
            memory.graph_cache.keep(asked, graph, await _find(memory, whole, names, Priority.BACKGROUND))
        except NotFound:
            memory.graph_cache.drop(asked)  # its project was deleted meanwhile
        except WorkerFailed as error:
            failed = error
    if failed is not None:
        raise failed


async def _graph(memory: Memory, params: GroupsParams) -> tuple[Whole, dict[int, str]]:
    asked = ShapeParams(params.project, params.automatic, params.limit, params.as_of)
    return await whole_of(memory, asked, "relations.groups")


def _asked(params: GroupsParams) -> tuple[object, ...]:
    return GROUPS_TASK, params.project, params.automatic, params.as_of


async def _find(memory: Memory, whole: Whole, names: dict[int, str], priority: Priority) -> _Found:
    told: Groups = await memory.workers.run(GROUPS_TASK, whole, deadline_s=_DEADLINE_S, priority=priority)
    named = ((tuple(names[node] for node in one.nodes), one.size, one.cohesion) for one in told.groups)
    return _Found(tuple(named), told.sampled)


def _told(conn: Connection, nodes: Sequence[str], size: int, cohesion: float, at: int | None) -> GroupAnswer:
    """Return a group as it is told: of its nodes those that are still there, and what is said of them."""
    there = edge_shape.kinds(conn, nodes)
    left = tuple(node for node in nodes if node in there)
    labels = naming.labels(conn, left, at)
    said = [(labels[node], node.removeprefix("fact:")) for node in left if node.startswith("fact:")]
    said += edge_shape.sentences(conn, left, _SENTENCES, as_of=at)
    chosen: dict[str, str] = {}
    for sentence, fact in said:
        if len(chosen) < _SENTENCES and sum(map(len, chosen)) + len(sentence) <= _LONGEST:
            chosen.setdefault(sentence, fact)
    evidence = tuple(dict.fromkeys(chosen.values()))
    return GroupAnswer(size, cohesion, left, tuple(labels[node] for node in left), " / ".join(chosen), evidence)
