"""Graphing: what facts tell of becomes relations of entities, each with its fact, its sentence and its time.

Relations of a fact hold while it holds. Where a thing has one of a kind at a time (where it is stored, where it runs),
a later fact's object takes the place of an earlier one's, whatever order the two were read in; taken back, it gives it
up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memd.distill.triples import EXTRACTOR, Triple, triples_of
from memd.distill.vocabulary import SINGLE_VALUED
from memd.model import Candidate, Fact, Related
from memd.store import claims, edges, entities, facts
from memd.store.edges import Edge, NewEdge

ORIGIN: Final = "distill"
MODEL: Final = "model"
"""Origin of relations that a model named in what a fact says; they hold as long as the fact does."""
_BY_MODEL: Final = 0.6
_ANOTHER: Final = "another one took its place"
_FILE: Final = re.compile(r"(?:[\w.@-]+/)+[\w.@-]+|[\w-]+\.[a-z]{1,5}")
_FUNCTION: Final = re.compile(r"[\w.:]+\(\)")


def derive(conn: facts.Connection, ids: Iterable[int], now_ms: int) -> None:
    """Let the relations that facts of row ids tell of be just those that they tell of now."""
    for fact in sorted(facts.load(conn, ids), key=lambda one: (one.valid_from, one.id)):
        edges.set_span(conn, fact.id, MODEL, fact.valid_from, fact.valid_to)
        never_held = fact.status == "retracted" and not fact.held_at(fact.valid_from)
        told = () if never_held else triples_of(fact.title, fact.body, fact.parts)
        wanted = [_edge(conn, fact, triple, now_ms) for triple in told]
        known = {(src, rel, dst) for src, rel, dst, _, _ in edges.of_fact(conn, fact.id, ORIGIN)}
        spans = {(since, until) for *_, since, until in edges.of_fact(conn, fact.id, ORIGIN)}
        if known == {(one.src, one.rel, one.dst) for one in wanted} and spans <= {(fact.valid_from, fact.valid_to)}:
            continue
        edges.delete_of_fact(conn, fact.id, ORIGIN)
        for new in wanted:
            _link(conn, fact, new, now_ms)
        entities.drop_left_alone(conn, (node for src, _, dst in known for node in (src, dst)))


def relate(conn: facts.Connection, session_id: int, related: Iterable[Related], now_ms: int) -> None:
    """Keep the relations that a model found in what a session says, each with the fact that came of it."""
    by_body: dict[str, list[Related]] = {}
    for one in related:
        by_body.setdefault(one.body, []).append(one)
    said = {claim.fact: claim.body for claim in claims.of_session(conn, session_id) if claim.body in by_body}
    for fact in facts.load(conn, (number for number in said if number is not None)):
        for one in by_body[said[fact.id]]:
            quote = next((proof.quote for proof in fact.evidence), fact.body)
            triple = Triple(one.subject, one.relation, one.object, _BY_MODEL, quote)
            edges.link(conn, replace(_edge(conn, fact, triple, now_ms), origin=MODEL, extractor=MODEL), now_ms)
        edges.set_span(conn, fact.id, MODEL, fact.valid_from, fact.valid_to)


def foretell(said: Iterable[Candidate]) -> None:
    """Work out now what candidates tell of, so that deriving it need not while a transaction is open."""
    for one in said:
        triples_of(one.title, one.body, one.parts)


def _link(conn: facts.Connection, fact: Fact, new: NewEdge, now_ms: int) -> None:
    edge, _ = edges.link(conn, new, now_ms)
    if fact.valid_to is not None:
        edges.end(conn, edge, fact.valid_to, "its fact was replaced")
    elif new.rel in SINGLE_VALUED:
        _settle(conn, edge)


def _settle(conn: facts.Connection, edge: Edge) -> None:
    """Of things of which there is one at a time the latest holds."""
    for other in edges.others(conn, edge):
        if other.valid_from < edge.valid_from:
            edges.end(conn, other, edge.valid_from, _ANOTHER, by=edge.id)
        elif other.valid_from > edge.valid_from:
            edges.end(conn, edge, other.valid_from, _ANOTHER, by=other.id)
            return


def _edge(conn: facts.Connection, fact: Fact, triple: Triple, now_ms: int) -> NewEdge:
    project = None if fact.project is None else fact.project.id
    subject = f"fact:{fact.uid}"
    if triple.subject is not None:
        subject = entities.add(conn, triple.subject, _kind(triple.subject, "concept"), project, ORIGIN, now_ms)[0].node
    kind = _kind(triple.object, triple.object_kind)
    object_ = entities.add(conn, triple.object, kind, project, ORIGIN, now_ms)[0].node
    return NewEdge(
        subject, triple.relation, object_, ORIGIN, confidence=triple.confidence, extractor=EXTRACTOR,
        quote=triple.quote, fact_id=fact.id, project_id=project, valid_from=fact.valid_from,
    )  # fmt: skip


def _kind(name: str, otherwise: str) -> str:
    if otherwise != "concept":
        return otherwise
    if _FUNCTION.fullmatch(name):
        return "function"
    return "file" if _FILE.fullmatch(name) else otherwise
