"""Companions: facts that one session left behind have to do with each other, the closer ones more.

How close two are is told by the words they share and by whether they rest on one message. Each is tied to the few that
are closest to it and to which it is among the closest itself, so that a session of many facts gives no thicket.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Final, TypeAlias

from memd.model import Fact
from memd.store import edges, facts, judged
from memd.store.edges import Edge, NewEdge

ORIGIN: Final = "auto-session"
RELATION: Final = "related_to"
MOST: Final = 3
"""Companions that a fact has at most of one session."""
_LEAST: Final = 0.15
_ONE_MESSAGE: Final = 0.25
Pair: TypeAlias = tuple[int, int]
_ENDED: Final = "one of the two holds no longer"


@dataclass(frozen=True, slots=True)
class Said:
    """A fact of a session: its terms there and the row ids of the messages it rests on."""

    fact: int
    words: frozenset[str]
    messages: frozenset[int]


def closeness(one: Said, other: Said) -> float:
    """Return how much two facts have to do with each other, 0 to 1: the cosine of their terms, more for one message."""
    if not one.words & other.words:
        return 0.0
    shared = len(one.words & other.words) / sqrt(len(one.words) * len(other.words))
    return round(min(1.0, shared + _ONE_MESSAGE * bool(one.messages & other.messages)), 3)


def companions(said: Sequence[Said], most: int = MOST) -> dict[Pair, float]:
    """Return the pairs of facts, the smaller row id first, that are among the closest of each other, with how close."""
    close = {
        (one.fact, other.fact): weight
        for one, other in combinations(sorted(said, key=lambda each: each.fact), 2)
        if one.fact != other.fact and (weight := closeness(one, other)) >= _LEAST
    }
    nearest = {each.fact: _closest([pair for pair in close if each.fact in pair], close, most) for each in said}
    return {pair: weight for pair, weight in close.items() if pair in nearest[pair[0]] and pair in nearest[pair[1]]}


def _closest(pairs: list[Pair], close: Mapping[Pair, float], most: int) -> frozenset[Pair]:
    return frozenset(sorted(pairs, key=lambda pair: (-close[pair], pair))[:most])


def tie(conn: facts.Connection, session_id: int, said: Sequence[Said], now_ms: int) -> None:
    """Let the facts of a session be tied as `companions` has it, and to no other fact of it."""
    known = {fact.id: fact for fact in facts.load(conn, {each.fact for each in said}) if fact.status == "current"}
    wanted = companions([each for each in said if each.fact in known])
    nodes = {f"fact:{fact.uid}": number for number, fact in known.items()}
    for node, number in nodes.items():
        for edge in edges.tied(conn, node, ORIGIN):
            other = nodes.get(edge.dst) if edge.src == node else None
            if other is None or _pair(number, other) in wanted or judged.together(conn, number, other, session_id):
                continue
            edges.delete(conn, edge)
    for (one, other), weight in sorted(wanted.items()):
        before = edges.current(conn, f"fact:{known[one].uid}", RELATION, f"fact:{known[other].uid}")
        if before is not None and before.origin == ORIGIN and judged.together(conn, one, other, session_id):
            weight = max(weight, before.strength)  # whichever session is settled last
        _link(conn, known[one], known[other], weight, now_ms)


def part(conn: facts.Connection, changed: Iterable[int]) -> None:
    """End what ties facts of row ids to others, where they hold no longer."""
    for fact in facts.load(conn, changed):
        if fact.status != "current":
            for edge in edges.tied(conn, f"fact:{fact.uid}", ORIGIN):
                _end(conn, edge, fact)


def _end(conn: facts.Connection, edge: Edge, fact: Fact) -> None:
    edges.end(conn, edge, fact.valid_to if fact.valid_to is not None else fact.updated_at, _ENDED)


def _link(conn: facts.Connection, one: Fact, other: Fact, weight: float, now_ms: int) -> None:
    if edges.current(conn, f"fact:{other.uid}", RELATION, f"fact:{one.uid}") is not None:
        return  # a person, or a fact, says so already
    project = None if one.project is None else one.project.id
    new = NewEdge(
        f"fact:{one.uid}", RELATION, f"fact:{other.uid}", ORIGIN, strength=weight, confidence=weight,
        project_id=project, valid_from=max(one.valid_from, other.valid_from),
    )  # fmt: skip
    edges.link(conn, new, now_ms)


def _pair(one: int, other: int) -> Pair:
    return (one, other) if one < other else (other, one)
