"""Shape: what a graph looks like as a whole: hubs, bridges, subsystems, and what hangs loose. Pure; runs in workers.

Hubs are the nodes that most others lead to or come from. Bridges are the nodes that alone hold parts together
(articulation points, J. Hopcroft and R. Tarjan 1973).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from memd.codegraph.subsystems import Group, Subsystem, groups, subsystems

SHAPE_TASK: Final = "memd.codegraph.shape:shape_of"
GROUPS_TASK: Final = "memd.codegraph.shape:groups_of"

MOST_EDGES: Final = 200_000
"""So many are looked at for groups, which takes about two seconds."""
_MOST: Final = 50


@dataclass(frozen=True, slots=True)
class Whole:
    """A graph: nodes with name and kind by id, and edges as (source, target, kind)."""

    nodes: tuple[tuple[int, str, str], ...]
    edges: tuple[tuple[int, int, str], ...]


@dataclass(frozen=True, slots=True)
class Hub:
    """A node with how many others lead to it and how many it leads to."""

    node: int
    incoming: int
    outgoing: int


@dataclass(frozen=True, slots=True)
class Bridge:
    """A node without which `parts` groups would not hang together; the smallest of them has `cut_off` nodes."""

    node: int
    parts: int
    cut_off: int


@dataclass(frozen=True, slots=True)
class Shape:
    """A graph as a whole. `loose` are functions, methods and types that nothing leads to and that lead nowhere."""

    hubs: tuple[Hub, ...]
    bridges: tuple[Bridge, ...]
    subsystems: tuple[Subsystem, ...]
    loose: tuple[int, ...]
    unused: tuple[int, ...]
    """Functions and methods that nothing leads to, though they lead somewhere: entry points, tests, dead code."""


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of a graph, the largest first. `sampled`: it has more edges than were looked at."""

    groups: tuple[Group, ...]
    sampled: bool


def shape_of(whole: Whole) -> Shape:
    """Return the shape of a graph."""
    incoming: Counter[int] = Counter()
    outgoing: Counter[int] = Counter()
    near = neighbours(whole)
    for source, target, _ in whole.edges:
        if source != target and source in near and target in near:
            incoming[target] += 1
            outgoing[source] += 1
    kinds = {node: kind for node, _, kind in whole.nodes}
    names = {node: name for node, name, _ in whole.nodes}
    called = [node for node, kind in kinds.items() if kind not in ("file", "macro", "namespace")]
    ranked = _ranked(near, names, whole)
    return Shape(
        hubs=tuple(Hub(node, incoming[node], outgoing[node]) for node in ranked[:_MOST] if near[node]),
        bridges=_bridges(near, names)[:_MOST],
        subsystems=subsystems(near, names, ranked),
        loose=tuple(node for node in called if not near[node]),
        unused=tuple(node for node in called if near[node] and not incoming[node]),
    )


def groups_of(whole: Whole) -> Groups:
    """Return the groups of a graph alone, the same as in its shape; of a very large one what part of its edges says."""
    step = -(-len(whole.edges) // MOST_EDGES)
    # Evenly spread: those of one time would tell of one part of the graph alone.
    looked_at = Whole(whole.nodes, whole.edges[::step]) if step > 1 else whole
    near = neighbours(looked_at)
    names = {node: name for node, name, _ in whole.nodes}
    return Groups(groups(near, names, _ranked(near, names, looked_at)), step > 1)


def _ranked(near: Mapping[int, set[int]], names: Mapping[int, str], whole: Whole) -> list[int]:
    """Return the nodes, those with the most edges first."""
    ends = Counter[int]()
    for source, target, _ in whole.edges:
        if source != target and source in near and target in near:
            ends[source] += 1
            ends[target] += 1
    return sorted(near, key=lambda node: (-ends[node], names[node]))


def _bridges(near: Mapping[int, set[int]], names: Mapping[int, str]) -> tuple[Bridge, ...]:
    """Return the articulation points, those first that hold the most together."""
    search = _DepthFirst(near)
    for root in sorted(near, key=lambda node: names[node]):
        if root not in search.order:
            search.component(root)
    found = (Bridge(node, len(parts), min(parts)) for node, parts in search.parts.items() if len(parts) > 1)
    return tuple(sorted(found, key=lambda one: (-one.cut_off, -one.parts, names[one.node])))


class _DepthFirst:
    """A search through a graph, depth first; `parts` are the sizes of what falls apart without a node."""

    def __init__(self, near: Mapping[int, set[int]]) -> None:
        self._near = near
        self.order: dict[int, int] = {}
        self.parts: dict[int, list[int]] = {}
        self._low: dict[int, int] = {}
        self._size: dict[int, int] = {}

    def component(self, root: int) -> None:
        """Search everything that hangs together with a node."""
        cut: dict[int, list[int]] = {}
        begun = len(self.order)
        stack: list[tuple[int, int | None, list[int]]] = [self._enter(root, None)]
        while stack:
            node, parent, waiting = stack[-1]
            if waiting:
                other = waiting.pop()
                if other in self.order:
                    if other != parent:
                        self._low[node] = min(self._low[node], self.order[other])
                else:
                    stack.append(self._enter(other, node))
                continue
            stack.pop()
            if parent is not None:
                self._size[parent] += self._size[node]
                self._low[parent] = min(self._low[parent], self._low[node])
                if self._low[node] >= self.order[parent]:
                    cut.setdefault(parent, []).append(self._size[node])
        in_all = len(self.order) - begun
        for node, sizes in cut.items():
            rest = in_all - 1 - sum(sizes)
            self.parts[node] = [*sizes, rest] if rest > 0 else sizes

    def _enter(self, node: int, parent: int | None) -> tuple[int, int | None, list[int]]:
        self.order[node] = self._low[node] = len(self.order)
        self._size[node] = 1
        return node, parent, sorted(self._near[node])


def neighbours(whole: Whole) -> dict[int, set[int]]:
    """Return the nodes that each node has an edge with, whatever its direction; none with itself."""
    near: dict[int, set[int]] = {node: set() for node, _, _ in whole.nodes}
    for source, target, _ in whole.edges:
        if source != target and source in near and target in near:
            near[source].add(target)
            near[target].add(source)
    return near
