"""Relating: names become nodes, words become relations, and what is refused says why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from memd.errors import BadParameter, MemdError, NotFound
from memd.importers.model import Link
from memd.operations import naming
from memd.operations.items import NamedEntity, NamedRelation
from memd.operations.relation_answers import EntityAnswer, LinkedAnswer, RelationAnswer, UnlinkedAnswer
from memd.operations.relation_params import (
    AliasParams,
    EndLinkParams,
    EntityParams,
    LinkManyParams,
    LinkParams,
    UnlinkParams,
)
from memd.operations.scope import project_id
from memd.store import edges, entities
from memd.store.edges import Edge, NewEdge
from memd.store.entities import Entity
from memd.store.facts import Connection
from memd.text.redaction import scrub

_LINK: Final = "link"
"""Origin of entities that are there only as ends of relations; they go when nothing relates to them any more."""
_MANUAL: Final = "manual"


def add_entity(conn: Connection, params: EntityParams, now_ms: int) -> EntityAnswer:
    """Add an entity, or other names to a known one. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    return naming.entity_answer(conn, entity_named(conn, params.name, params.kind, params.aliases, project, now_ms))


def entity_named(
    conn: Connection,
    name: str,
    kind: str,
    aliases: Iterable[str],
    project: int | None,
    now_ms: int,
    origin: str = _MANUAL,
) -> Entity:
    """Return the entity of a name in a project, made now if there is none, with other names for it.

    Raises BadParameter.
    """
    entity = _entity_made(conn, name, kind, project, now_ms, origin)
    for alias in aliases:
        entities.add_alias(conn, entity, naming.clean(alias))
    return entity


def add_entities(conn: Connection, given: Iterable[NamedEntity], project: int | None, now_ms: int) -> tuple[str, ...]:
    """Add the entities of a batch and return their nodes. Raises BadParameter that names the item."""
    nodes = []
    for place, one in enumerate(given, 1):
        try:
            entity = entity_named(conn, one.name, one.kind, one.aliases, project, now_ms)
        except MemdError as error:
            raise BadParameter("facts.batch", f"entity {place}: {str(error).rstrip('.')}") from error
        nodes.append(entity.node)
    return tuple(nodes)


def add_relations(
    conn: Connection, given: Iterable[NamedRelation], project: int | None, now_ms: int
) -> tuple[str, ...]:
    """Add the relations of a batch and return their ids. Raises BadParameter that names the item."""
    ids = []
    for place, one in enumerate(given, 1):
        try:
            edge, _ = _linked(conn, one.source, one.relation, one.target, one.strength, project, now_ms)
        except MemdError as error:
            raise BadParameter("facts.batch", f"relation {place}: {str(error).rstrip('.')}") from error
        ids.append(edge.uid)
    return tuple(ids)


def add_alias(conn: Connection, params: AliasParams, now_ms: int) -> EntityAnswer:
    """Give an entity another name; an entity that has that name becomes part of it. Raises NotFound."""
    project = project_id(conn, params.project)
    entity = entities.find(conn, params.entity, project)
    if entity is None:
        raise NotFound("entity", params.entity)
    other = entities.find(conn, params.alias, project)
    if other is not None and other.id != entity.id:
        edges.repoint(conn, other.node, entity.node)
        entities.merge(conn, other, entity)
    entities.add_alias(conn, entity, naming.clean(params.alias))
    return naming.entity_answer(conn, entity)


def link(conn: Connection, params: LinkParams, since: int | None, now_ms: int) -> RelationAnswer:
    """Relate two nodes. Raises BadParameter, NotFound."""
    edge, _ = _linked(
        conn, params.source, params.relation, params.target, params.strength, project_id(conn, params.project), now_ms,
        create=params.create, since=since, quote=None if params.quote is None else naming.clean(params.quote),
    )  # fmt: skip
    return naming.relation_answers(conn, (edge,))[0]


def link_many(conn: Connection, params: LinkManyParams, now_ms: int) -> LinkedAnswer:
    """Relate many nodes; what is refused is counted by its reason. Raises NotFound for an unknown project."""
    project = project_id(conn, params.project)
    origin = naming.clean(params.origin)
    together = "\n".join(dict.fromkeys(word for one in params.links for word in (one.source, one.target)))
    # Looked through together: most names hold nothing that has to be taken out, and that is seen in one go.
    clean = scrub(together).text == together
    nodes: dict[str, str] = {}

    def node(word: str) -> str:
        known = nodes.get(word)
        if known is None:
            known = nodes[word] = _node_made(conn, word, project, now_ms, create=params.create, clean=clean)
        return known

    skipped: Counter[str] = Counter()
    ids, known = [], 0
    for one in params.links:
        try:
            new = _edge_of(one.source, one.relation, one.target, node, one.strength)
            edge, is_new = edges.keep(conn, replace(new, origin=origin, project_id=project), now_ms)
        except MemdError as error:
            skipped[naming.why(error)] += 1
            continue
        known += not is_new
        if is_new:
            ids.append(edge)
    return LinkedAnswer(len(ids), known, dict(skipped), edges.uids(conn, ids[: naming.MOST_OF_EACH]))


def link_imported(conn: Connection, one: Link, ends: tuple[str, str], project: int | None, now_ms: int) -> None:
    """Relate two nodes as another memory does; names that nothing has become entities.

    Raises BadParameter, NotFound.
    """
    edge, new = _linked(
        conn, ends[0], one.relation, ends[1], one.strength, project, now_ms, create=True, since=one.at_ms,
        quote=one.quote, origin=one.origin or _MANUAL, confidence=one.confidence,
    )  # fmt: skip
    if new and one.ended_at_ms is not None:
        edges.end(conn, edge, one.ended_at_ms, "no longer held where it was imported from")


def unlink(conn: Connection, params: UnlinkParams) -> UnlinkedAnswer:
    """Take away one relation, or all of an origin. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    one = (params.source, params.relation, params.target)
    if params.origin is not None and one == (None, None, None):
        return UnlinkedAnswer(edges.delete_origin(conn, params.origin, project))
    if params.source is None or params.relation is None or params.target is None or params.origin is not None:
        raise BadParameter("relations.unlink", "say source, relation and target, or an origin alone")
    edge = _holding(conn, params.source, params.relation, params.target, project)
    edges.delete(conn, edge)
    return UnlinkedAnswer(1)


def end_link(conn: Connection, params: EndLinkParams, at: int) -> RelationAnswer:
    """Let a relation hold only until a time. Raises NotFound."""
    edge = _holding(conn, params.source, params.relation, params.target, project_id(conn, params.project))
    return naming.relation_answers(conn, (edges.end(conn, edge, at, naming.clean(params.reason)),))[0]


def prune(conn: Connection, keep: int, *, apply: bool) -> UnlinkedAnswer:
    """Delete ended relations beyond the newest so many of each source and relation, and entities left alone."""
    old = edges.old(conn, keep)
    if apply:
        edges.drop(conn, old)
        entities.drop_orphans(conn)
    return UnlinkedAnswer(len(old))


def _linked(
    conn: Connection,
    source: str,
    relation: str,
    target: str,
    strength: float,
    project: int | None,
    now_ms: int,
    *,
    create: bool = False,
    origin: str = _MANUAL,
    since: int | None = None,
    quote: str | None = None,
    confidence: float = 1.0,
) -> tuple[Edge, bool]:
    def node(word: str) -> str:
        return _node_made(conn, word, project, now_ms, create=create)

    new = _edge_of(source, relation, target, node, strength)
    new = replace(
        new, origin=origin, confidence=confidence, quote=quote, project_id=project, valid_from=since
    )  # fmt: skip
    return edges.link(conn, new, now_ms)


def _edge_of(source: str, relation: str, target: str, node: Callable[[str], str], strength: float) -> NewEdge:
    """Return a relation between what two words mean, as `node` tells. Raises BadParameter, NotFound."""
    if not 0 <= strength <= 1:
        raise BadParameter("relations.link", f"strength must be from 0 to 1, not {strength}")
    folded = naming.relation_of(relation)
    ends = (None, None) if source == target else (node(source), node(target))
    if ends[0] == ends[1]:
        raise BadParameter("relations.link", naming.TO_ITSELF)
    src, dst = reversed(ends) if folded.swapped else ends
    return NewEdge(str(src), folded.name, str(dst), _MANUAL, strength)


def _node_made(
    conn: Connection, word: str, project: int | None, now_ms: int, *, create: bool, clean: bool = False
) -> str:
    """Return what a word means, made now where it may be; `clean`: it was looked through already."""
    try:
        return naming.node_of(conn, word, project)
    except NotFound:
        if not create or word.startswith(naming.PREFIXES):
            raise
        if clean and word.strip():
            return f"entity:{entities.make(conn, word, 'concept', project, _LINK, now_ms)}"
        return _entity_made(conn, word, "concept", project, now_ms, _LINK).node


def _holding(conn: Connection, source: str, relation: str, target: str, project: int | None) -> Edge:
    folded = naming.relation_of(relation)
    ends = [naming.node_of(conn, word, project) for word in (source, target)]
    src, dst = reversed(ends) if folded.swapped else ends
    edge = edges.current(conn, src, folded.name, dst)
    if edge is None:
        raise NotFound("relation", f"{source} {folded.name} {target}")
    return edge


def _entity_made(
    conn: Connection, name: str, kind: str, project: int | None, now_ms: int, origin: str = _MANUAL
) -> Entity:
    name = naming.clean(name)
    if not name:
        raise BadParameter("entities.add", "the name says nothing")
    return entities.add(conn, name, naming.entity_kind(kind), project, origin, now_ms)[0]
