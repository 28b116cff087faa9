"""Subsystems: the parts that a graph falls into.

They are communities of high modularity (V. D. Blondel and others 2008), found in a fixed order so that the same graph
always gives the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

MOST_SUBSYSTEMS: Final = 30
"""A person looks at no more parts of a whole than this."""

_ROUNDS: Final = 20
_LEVELS: Final = 6


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that have more to do with each other than with others: the ten busiest of `size`, the busiest first.

    `cohesion` is the share of their edges that stays among them, 0 to 1.
    """

    nodes: tuple[int, ...]
    size: int
    cohesion: float


@dataclass(frozen=True, slots=True)
class Subsystem:
    """A group of what stands in files, with the files it fills and a name made of them."""

    nodes: tuple[int, ...]
    name: str
    files: tuple[str, ...]
    size: int
    cohesion: float


def groups(near: Mapping[int, set[int]], names: Mapping[int, str], ranked: Sequence[int]) -> tuple[Group, ...]:
    """Return the groups that a graph falls into, the largest first; `ranked` are its nodes, the busiest first."""
    return tuple(_group(nodes, near) for nodes in _parts(near, names, ranked))


def subsystems(near: Mapping[int, set[int]], names: Mapping[int, str], ranked: Sequence[int]) -> tuple[Subsystem, ...]:
    """Return the same groups with the files that they fill."""
    parts = _parts(near, names, ranked)
    homes = _homes(parts, names)
    return tuple(_subsystem(nodes, near, names, homes.get(number, Counter())) for number, nodes in enumerate(parts))


def _parts(near: Mapping[int, set[int]], names: Mapping[int, str], ranked: Sequence[int]) -> list[list[int]]:
    """Return the nodes of each part, the largest first, and in each the busiest first."""
    group = _louvain(near, names)
    found: dict[int, list[int]] = {}
    for node in ranked:
        if near[node]:
            found.setdefault(group[node], []).append(node)
    parts = _joined([nodes for nodes in found.values() if len(nodes) > 2], near, names)
    place = {node: rank for rank, node in enumerate(ranked)}
    for nodes in parts:
        nodes.sort(key=place.__getitem__)
    return sorted(parts, key=lambda nodes: (-len(nodes), names[nodes[0]]))


def _joined(parts: list[list[int]], near: Mapping[int, set[int]], names: Mapping[int, str]) -> list[list[int]]:
    """Return so few parts that a person can look at them: the smallest join those that they have most to do with.

    What has nothing to do with any other joins the one that has most in its folder.
    """

    def largest_first(number: int) -> tuple[int, str]:
        return -len(parts[number]), names[parts[number][0]]

    belongs = {node: number for number, nodes in enumerate(parts) for node in nodes}
    left = sorted(range(len(parts)), key=largest_first)
    while len(left) > MOST_SUBSYSTEMS:
        small = left.pop()
        links = Counter(belongs[other] for node in parts[small] for other in near[node] if other in belongs)
        if not +Counter({number: links[number] for number in links if number != small}):
            folder = _folder(names[parts[small][0]])
            links = Counter(number for node, number in belongs.items() if _folder(names[node]) == folder)
        del links[small]
        into = min(links, key=lambda number: (-links[number], *largest_first(number))) if links else left[-1]
        belongs.update(dict.fromkeys(parts[small], into))
        parts[into] += parts[small]
        left.sort(key=largest_first)
    return [parts[number] for number in left]


def _homes(parts: Sequence[Sequence[int]], names: Mapping[int, str]) -> dict[int, Counter[str]]:
    """Return the files of each part: a file belongs to the one that has most of what is in it."""
    shares: dict[str, Counter[int]] = {}
    for number, nodes in enumerate(parts):
        for node in nodes:
            shares.setdefault(names[node].partition("::")[0], Counter())[number] += 1
    homes: dict[int, Counter[str]] = {}
    for file, share in sorted(shares.items()):
        home = min(share, key=lambda number: (-share[number], number))
        homes.setdefault(home, Counter())[file] = share[home]
    return homes


def _folder(name: str) -> str:
    return name.partition("::")[0].rpartition("/")[0]


def _louvain(near: Mapping[int, set[int]], names: Mapping[int, str]) -> dict[int, int]:
    """Return the community of each node: nodes move to where they add most to modularity, then communities do so."""
    number = {node: place for place, node in enumerate(sorted(near, key=names.__getitem__))}
    others = [[number[other] for other in near[node]] for node in number]
    inside = [0] * len(others)
    found = list(range(len(others)))
    for _ in range(_LEVELS):
        moved = _moved(others, inside)
        labels = {label: place for place, label in enumerate(dict.fromkeys(moved))}
        if len(labels) == len(others):
            break
        moved = [labels[label] for label in moved]
        others, inside = _one_of_each(moved, len(labels), others, inside)
        found = [moved[one] for one in found]
    return {node: found[place] for node, place in number.items()}


def _one_of_each(
    label: Sequence[int], count: int, others: Sequence[Sequence[int]], inside: Sequence[int]
) -> tuple[list[list[int]], list[int]]:
    """Return the graph in which each community is one node, and how many ends of edges each has within itself."""
    ends: list[list[int]] = [[] for _ in range(count)]
    own = [0] * count
    for node, one in enumerate(label):
        ends[one].extend([label[other] for other in others[node]])
        own[one] += inside[node]
    joined = [[other for other in reached if other != one] for one, reached in enumerate(ends)]
    return joined, [own[one] + len(ends[one]) - len(reached) for one, reached in enumerate(joined)]


def _moved(others: Sequence[Sequence[int]], inside: Sequence[int]) -> list[int]:
    """Return the community of each node after it moved as long as that adds to modularity.

    `others` is where the edges of each node lead, as often as there are edges, `inside` how many ends of edges it has
    within itself. A node is looked at again only when one that it has an edge with has moved (V. A. Traag and others
    2019, "fast local move"): most are where they belong after a few looks. A node goes where it adds most; of equals it
    stays where it is, else the first is chosen.
    """
    degree = [len(reached) + own for reached, own in zip(others, inside, strict=True)]
    whole = sum(degree) or 1
    total = list(degree)
    label = list(range(len(others)))
    waits = bytearray(b"\1") * len(label)
    towards: Counter[int] = Counter()
    for _ in range(_ROUNDS):
        looked_at = [node for node, waiting in enumerate(waits) if waiting]
        if not looked_at:
            break
        for node in looked_at:
            waits[node] = 0
            own, reached, ends = label[node], others[node], degree[node]
            towards.clear()
            towards.update(map(label.__getitem__, reached))
            total[own] -= ends
            share = ends / whole
            best, most = own, towards.get(own, 0) - share * total[own]
            for one, weight in towards.items():
                gain = weight - share * total[one]
                if gain >= most and (gain > most or one < best != own):
                    best, most = one, gain
            total[best] += ends
            if best != own:
                label[node] = best
                for other in reached:
                    waits[other] = 1
                if inside[node]:
                    waits[node] = 1
    return label


def _group(nodes: Sequence[int], near: Mapping[int, set[int]]) -> Group:
    own = set(nodes)
    inside = sum(len(near[node] & own) for node in nodes)
    everything = sum(len(near[node]) for node in nodes)
    return Group(tuple(nodes[:10]), len(nodes), round(inside / everything, 2) if everything else 0.0)


def _subsystem(
    nodes: Sequence[int], near: Mapping[int, set[int]], names: Mapping[int, str], files: Mapping[str, int]
) -> Subsystem:
    group = _group(nodes, near)
    files = files or Counter(names[node].partition("::")[0] for node in nodes)
    in_order = tuple(sorted(files, key=lambda path: (-files[path], path)))
    return Subsystem(group.nodes, _named(files), in_order, group.size, group.cohesion)


def _named(files: Mapping[str, int]) -> str:
    """Return the folder that most of some files lie in, or the file where they are all in one."""
    if len(files) == 1:
        return next(iter(files))
    folders: Counter[str] = Counter()
    for path, count in files.items():
        folders[path.rpartition("/")[0] or "."] += count
    return max(sorted(folders), key=lambda folder: folders[folder])
