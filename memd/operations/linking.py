"""Linking: facts that only their relations lead to, as hits of a search."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Final

from memd.model import Fact
from memd.operations import finding
from memd.operations.finding import Asked, Found, Worded
from memd.recall.linking import CAP_S, Links
from memd.store import facts
from memd.store.facts import Connection

LANE: Final = "graph"
CUT: Final = f"was cut off after {CAP_S * 1000:.0f} ms; what is related over more steps was not looked at"
_COUNTS: Final = 0.3
"""What the closest of these facts counts for: less than whatever holds the telling words of the question."""
_MOST: Final = 3
_LOOKED_AT: Final = 40


def of_links(conn: Connection, links: Links, known: Collection[str | None], asked: Asked) -> Iterator[Found]:
    """Give the facts that are related to what the question names, with the way.

    `known` are the ids of those found already; of what shares words with the question its relations say nothing new.
    """
    ways = {link.fact: link for link in links.links[:_LOOKED_AT]}
    loaded = [fact for fact in facts.load(conn, ways) if fact.uid not in known and _chosen(fact, asked)][:_MOST]
    closest = max((link.closeness for link in ways.values()), default=1.0)
    by_id = {fact.uid: ways[fact.id] for fact in loaded}
    told = [Worded(fact, {LANE: _COUNTS * ways[fact.id].closeness / closest}) for fact in loaded]
    for found in finding.of_facts(conn, told, None, asked):
        way = by_id[found.hit.id or ""].way
        yield replace(found, hit=replace(found.hit, lanes=(LANE,), path=way))


def _chosen(fact: Fact, asked: Asked) -> bool:
    """Return whether a fact is one of those that are asked for, as the statements of the other lanes have it."""
    wanted = asked.facts
    held = fact.status == "current" if wanted.as_of is None else fact.held_at(wanted.as_of)
    here = wanted.all_projects or fact.project is None or fact.project.id == wanted.project_id
    named = wanted.topic in (None, fact.topic) and (wanted.tag is None or wanted.tag in fact.tags)
    return held and here and named and (wanted.kinds is None or fact.kind in wanted.kinds)
