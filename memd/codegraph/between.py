"""Between: through which nodes the shortest ways between others lead (betweenness, U. Brandes 2001).

Direction does not count. All ways are looked at in a small graph; in a large one those from a sample of nodes, as many
as there is time for. With numpy, which the semantic lane brings, that is a dozen times as many as without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from memd.codegraph.shape import Whole, neighbours

TASK: Final = "memd.codegraph.between:betweenness"
EXACT: Final = 2_000
"""Up to so many nodes all ways are looked at."""
_SAMPLED: Final = 300
_STEPS: Final = 800_000
_QUICK_STEPS: Final = 12_000_000
"""Steps along an edge for which there is time, in Python and with numpy."""
_LEAST: Final = 8


@dataclass(frozen=True, slots=True)
class Between:
    """Through how large a share of the shortest ways between others a node lies, 0 to 1, by node."""

    share: dict[int, float]
    sampled: bool


def betweenness(whole: Whole) -> Between:
    """Return how much nodes lie between others."""
    near = neighbours(whole)
    nodes = sorted(near)
    numpy = _numpy() if len(nodes) > _LEAST else None
    steps = max(1, sum(map(len, near.values())))
    budget = _QUICK_STEPS if numpy is not None else _STEPS
    most = len(nodes) if len(nodes) <= EXACT else max(_LEAST, min(_SAMPLED, budget // steps))
    # Evenly spread over the ids: neighbours in time would tell the same ways twice.
    starts = nodes[:: -(-len(nodes) // most)] if most < len(nodes) else nodes
    found = _by_arrays(numpy, near, nodes, starts) if numpy is not None else _by_steps(near, nodes, starts)
    ways = len(starts) * max(1, len(nodes) - 1)
    return Between({node: value / ways for node, value in found.items() if value > 0}, len(starts) < len(nodes))


def _numpy() -> Any:
    try:
        import numpy as np
    except ImportError:
        return None
    return np


def _by_steps(near: Mapping[int, set[int]], nodes: Sequence[int], starts: Sequence[int]) -> dict[int, float]:
    found = dict.fromkeys(nodes, 0.0)
    for start in starts:
        _accumulate(near, start, found)
    return found


def _accumulate(near: Mapping[int, set[int]], start: int, found: dict[int, float]) -> None:
    order: list[int] = []
    before: dict[int, list[int]] = {start: []}
    ways = {start: 1.0}
    far = {start: 0}
    front = [start]
    while front:
        order.extend(front)
        reached: list[int] = []
        for node in front:
            for other in near[node]:
                if other not in far:
                    far[other] = far[node] + 1
                    before[other] = []
                    ways[other] = 0.0
                    reached.append(other)
                if far[other] == far[node] + 1:
                    ways[other] += ways[node]
                    before[other].append(node)
        front = reached
    share = dict.fromkeys(order, 0.0)
    for node in reversed(order):
        for one in before[node]:
            share[one] += ways[one] / ways[node] * (1.0 + share[node])
        if node != start:
            found[node] += share[node]


def _by_arrays(np: Any, near: Mapping[int, set[int]], nodes: Sequence[int], starts: Sequence[int]) -> dict[int, float]:
    """Do the same level by level: all edges that lead from one level to the next are taken in one step."""
    place = {node: number for number, node in enumerate(nodes)}
    degrees = np.array([len(near[node]) for node in nodes], dtype=np.int64)
    begin = np.concatenate(([0], np.cumsum(degrees)))
    others = np.array([place[other] for node in nodes for other in sorted(near[node])], dtype=np.int64)
    found = np.zeros(len(nodes))
    for start in starts:
        far = np.full(len(nodes), -1, dtype=np.int64)
        ways = np.zeros(len(nodes))
        far[place[start]], ways[place[start]] = 0, 1.0
        front = np.array([place[start]], dtype=np.int64)
        levels: list[tuple[Any, Any]] = []
        while front.size:
            sources, targets = _edges_from(np, front, degrees, begin, others)
            depth = len(levels)
            far[targets[far[targets] < 0]] = depth + 1
            onward = far[targets] == depth + 1
            sources, targets = sources[onward], targets[onward]
            ways += np.bincount(targets, weights=ways[sources], minlength=len(nodes))
            levels.append((sources, targets))
            front = np.flatnonzero(far == depth + 1)
        share = np.zeros(len(nodes))
        for sources, targets in reversed(levels):
            parts = ways[sources] / ways[targets] * (1.0 + share[targets])
            share += np.bincount(sources, weights=parts, minlength=len(nodes))
        share[place[start]] = 0.0
        found += share
    return {node: float(found[place[node]]) for node in nodes}


def _edges_from(np: Any, front: Any, degrees: Any, begin: Any, others: Any) -> tuple[Any, Any]:
    """Return both ends of every edge that leads away from these nodes."""
    counts = degrees[front]
    ends = np.cumsum(counts)
    inside = np.arange(int(ends[-1]) if ends.size else 0) - np.repeat(ends - counts, counts)
    return np.repeat(front, counts), others[np.repeat(begin[front], counts) + inside]
