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
class Subsystem:
    """Nodes that have more to do with each other than with others, the busiest first, and the files they fill.

    `cohesion` is the share of their edges that stays among them, 0 to 1.
    """

    nodes: tuple[int, ...]
    name: str
    files: tuple[str, ...]
    size: int
    cohesion: float


def subsystems(near: Mapping[int, set[int]], names: Mapping[int, str], ranked: Sequence[int]) -> tuple[Subsystem, ...]:
    """Return the subsystems of a graph, the largest first; `ranked` are its nodes, the busiest first."""
    group = _louvain(near, names)
    groups: dict[int, list[int]] = {}
    for node in ranked:
        if near[node]:
            groups.setdefault(group[node], []).append(node)
    parts = _joined([nodes for nodes in groups.values() if len(nodes) > 2], near, names)
    place = {node: rank for rank, node in enumerate(ranked)}
    homes = _homes(parts, names)
    found = [
        _subsystem(sorted(nodes, key=place.__getitem__), near, names, homes.get(number, Counter()))
        for number, nodes in enumerate(parts)
    ]
    return tuple(sorted(found, key=lambda one: (-one.size, names[one.nodes[0]])))


def _joined(parts: list[list[int]], near: Mapping[int, set[int]], names: Mapping[int, str]) -> list[list[int]]:
    """Return so few parts that a person can look at them: the smallest join those that they have most to do with.

    What has nothing to do with any other joins the one that has most in its folder.
    """
    parts = sorted(parts, key=lambda nodes: (-len(nodes), names[nodes[0]]))
    while len(parts) > MOST_SUBSYSTEMS:
        small = parts.pop()
        belongs = {node: number for number, nodes in enumerate(parts) for node in nodes}
        links = Counter(belongs[other] for node in small for other in near[node] if other in belongs)
        if not links:
            folder = _folder(names[small[0]])
            links = Counter(number for node, number in belongs.items() if _folder(names[node]) == folder)
        parts[min(links, key=lambda number: (-links[number], number)) if links else -1] += small
        parts.sort(key=lambda nodes: (-len(nodes), names[nodes[0]]))
    return parts


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
    number = {node: place for place, node in enumerate(sorted(near, key=lambda node: names[node]))}
    weights = [{number[other]: 1.0 for other in sorted(near[node], key=number.__getitem__)} for node in number]
    found = list(range(len(weights)))
    for _ in range(_LEVELS):
        moved = _moved(weights)
        labels = {label: place for place, label in enumerate(dict.fromkeys(moved))}
        if len(labels) == len(weights):
            break
        joined: list[dict[int, float]] = [{} for _ in labels]
        for node, others in enumerate(weights):
            into = joined[labels[moved[node]]]
            for other, weight in others.items():
                place = labels[moved[other]]
                into[place] = into.get(place, 0.0) + weight
        found = [labels[moved[one]] for one in found]
        weights = joined
    return {node: found[place] for node, place in number.items()}


def _moved(weights: Sequence[Mapping[int, float]]) -> list[int]:
    """Return the community of each node after it moved as long as that adds to modularity."""
    degree = [sum(others.values()) for others in weights]
    whole = sum(degree) or 1.0
    total = list(degree)
    label = list(range(len(weights)))
    for _ in range(_ROUNDS):
        moves = 0
        for node, others in enumerate(weights):
            towards: dict[int, float] = {label[node]: 0.0}
            for other, weight in others.items():
                if other != node:
                    towards[label[other]] = towards.get(label[other], 0.0) + weight
            total[label[node]] -= degree[node]
            best = _best(towards, label[node], degree[node] / whole, total)
            moves += best != label[node]
            label[node] = best
            total[best] += degree[node]
        if not moves:
            break
    return label


def _best(towards: Mapping[int, float], own: int, share: float, total: Sequence[float]) -> int:
    """Return the community that a node adds most to; of equals its own, else the first."""
    best, most = own, towards[own] - share * total[own]
    for one, weight in towards.items():
        gain = weight - share * total[one]
        if gain > most or (gain == most and one < best != own):
            best, most = one, gain
    return best


def _subsystem(
    nodes: Sequence[int], near: Mapping[int, set[int]], names: Mapping[int, str], files: Mapping[str, int]
) -> Subsystem:
    own = set(nodes)
    inside = sum(len(near[node] & own) for node in nodes)
    everything = sum(len(near[node]) for node in nodes)
    files = files or Counter(names[node].partition("::")[0] for node in nodes)
    return Subsystem(
        tuple(nodes[:10]),
        _named(files),
        tuple(sorted(files, key=lambda path: (-files[path], path))),
        len(nodes),
        round(inside / everything, 2) if everything else 0.0,
    )


def _named(files: Mapping[str, int]) -> str:
    """Return the folder that most of some files lie in, or the file where they are all in one."""
    if len(files) == 1:
        return next(iter(files))
    folders: Counter[str] = Counter()
    for path, count in files.items():
        folders[path.rpartition("/")[0] or "."] += count
    return max(sorted(folders), key=lambda folder: folders[folder])
