"""Linking: facts that share no word with a question but hang together with what it names, over one or two relations.

"What breaks when the tide feed is down?" names the feed; that a harbour display uses it is one fact, and that pilots
read the display is another. The second is an answer only by way of the first, so it is given with the way.

Each step halves what a fact counts for, and a node that everything is related to says little. There is a limit to the
time it may take; then what was found by then is given, and it is said that there may be more.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from memd.store import linked
from memd.store.chosen import ChosenFacts
from memd.store.entities import folded
from memd.store.facts import Connection
from memd.store.linked import OutOfTimeError, Step
from memd.text.everyday import EVERYDAY, PROGRAMMING
from memd.text.stopwords import STOP_WORDS
from memd.text.words import CJK_RUN

CAP_S: Final = 0.02
_WORD: Final = re.compile(r"[\w./-]*\w")
_WORDS_OF_A_NAME: Final = 4
_CJK_OF_A_NAME: Final = 8
_MOST_NAMES: Final = 120
_MOST_NODES: Final = 64
_MOST_EDGES: Final = 200
_DEEPEST: Final = 2
_GENERIC: Final = EVERYDAY | PROGRAMMING | STOP_WORDS


@dataclass(frozen=True, slots=True)
class Link:
    """A fact (row id) with the way to it, nodes and relations by turns, and how close it is, 0 to 1."""

    fact: int
    way: tuple[str, ...]
    closeness: float


@dataclass(frozen=True, slots=True)
class Links:
    """What was reached, the closest first; whether the question names anything, and whether there was time for all."""

    links: tuple[Link, ...] = ()
    named: bool = False
    cut: bool = False


def names_in(question: str) -> tuple[str, ...]:
    """Return what may be names of entities in a question, folded: runs of up to four words and of Chinese characters.

    A word that stands in every project's talk is no name.
    """
    words = [folded(word) for word in _WORD.findall(question)]
    found = [
        " ".join(words[start : start + length])
        for length in range(_WORDS_OF_A_NAME, 0, -1)
        for start in range(len(words) - length + 1)
    ]
    for run in CJK_RUN.findall(question):
        found += [
            run[start : start + length]
            for length in range(min(len(run), _CJK_OF_A_NAME), 1, -1)
            for start in range(len(run) - length + 1)
        ]
    return tuple(dict.fromkeys(name for name in found if len(name) > 1 and name not in _GENERIC))[:_MOST_NAMES]


def follow(conn: Connection, question: str, chosen: ChosenFacts, *, cap_s: float = CAP_S) -> Links:
    """Return the facts that are related to what a question names, by at most two steps."""
    found: dict[int, Link] = {}
    nodes: tuple[str, ...] = ()
    try:
        with linked.within(conn, cap_s):
            nodes = linked.named(conn, names_in(question), chosen)
            ways: dict[str, tuple[tuple[str, ...], float]] = {node: ((node,), 1.0) for node in nodes[:_MOST_NODES]}
            frontier = list(ways)
            for _ in range(_DEEPEST):
                frontier = _one_step(linked.step(conn, frontier, chosen, _MOST_EDGES), ways, found)[:_MOST_NODES]
                if not frontier:
                    break
    except OutOfTimeError:
        return Links(_told(conn, found), bool(nodes), cut=True)
    return Links(_told(conn, found), bool(nodes))


def _one_step(
    steps: tuple[Step, ...], ways: dict[str, tuple[tuple[str, ...], float]], found: dict[int, Link]
) -> list[str]:
    """Go over edges: note the facts that say so, and return the nodes that are reached for the first time."""
    degree = Counter(step.here for step in steps)
    reached: dict[str, tuple[tuple[str, ...], float]] = {}
    for step in steps:
        way, close = ways[step.here]
        if step.there in way:
            continue
        close *= 0.5 * step.strength**0.5 / math.log2(1 + degree[step.here])
        longer = (*way, step.relation, step.there)
        if step.fact is not None and (step.fact not in found or found[step.fact].closeness < close):
            found[step.fact] = Link(step.fact, longer, close)
        if step.there not in ways and (step.there not in reached or reached[step.there][1] < close):
            reached[step.there] = (longer, close)
    ways.update(reached)
    return sorted(reached, key=lambda node: (-reached[node][1], node))


def _told(conn: Connection, found: dict[int, Link]) -> tuple[Link, ...]:
    """Return what was found, the closest first, with the names of the nodes."""
    names = linked.labels(conn, {node for link in found.values() for node in link.way[::2]})
    told = (
        Link(link.fact, tuple(names.get(one, one.partition(":")[2] or one) for one in link.way), link.closeness)
        for link in found.values()
    )
    return tuple(sorted(told, key=lambda link: (-link.closeness, link.fact)))
