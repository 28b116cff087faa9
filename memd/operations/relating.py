"""Relating: names become nodes, words become relations, and what is refused says why."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from memd.distill import vocabulary as words
from memd.errors import BadParameter, MemdError, NotFound
from memd.importers.model import Link
from memd.operations.fact_answers import (
    EntitiesAnswer,
    EntityAnswer,
    GraphAnswer,
    LinkedAnswer,
    NodeAnswer,
    OpenAnswer,
    RelationAnswer,
    RelationsAnswer,
    TraverseAnswer,
    UnlinkedAnswer,
    VocabularyAnswer,
)
from memd.operations.items import NamedEntity, NamedRelation
from memd.operations.relation_params import (
    AliasParams,
    EndLinkParams,
    EntityParams,
    EntitySearchParams,
    LinkManyParams,
    LinkParams,
    OpenParams,
    RelationListParams,
    TraverseParams,
    UnlinkParams,
)
from memd.operations.scope import project_id
from memd.operations.shapes import time_of
from memd.store import edges, entities, fact_views, facts
from memd.store.edges import Edge, EdgeFilter, NewEdge
from memd.store.entities import Entity
from memd.store.facts import Connection
from memd.text.redaction import scrub

__all__ = ["Connection"]

_OF_AN_ID: Final = re.compile(r"[0-9a-f-]+")
_PREFIXES: Final = ("entity:", "fact:", "code:")
_LINK: Final = "link"
"""Origin of entities that are there only as ends of relations; they go when nothing relates to them any more."""
_MANUAL: Final = "manual"
MOST_OF_EACH: Final = 200
_TO_ITSELF: Final = "source and target are the same; nothing is related to itself"


def add_entity(conn: Connection, params: EntityParams, now_ms: int) -> EntityAnswer:
    """Add an entity, or other names to a known one. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    return _entity(conn, entity_named(conn, params.name, params.kind, params.aliases, project, now_ms))


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
        entities.add_alias(conn, entity, _clean(alias))
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


def search_entities(conn: Connection, params: EntitySearchParams) -> EntitiesAnswer:
    """Return entities by a part of their name. Raises NotFound."""
    project = project_id(conn, params.project)
    kind = None if params.kind is None else _kind(params.kind)
    found, total = entities.search(conn, params.query, kind, project, params.limit, params.offset)
    return EntitiesAnswer(tuple(_entity(conn, one) for one in found), total, params.offset + len(found) < total)


def open_entities(conn: Connection, params: OpenParams, as_of: int | None) -> OpenAnswer:
    """Return entities by name with their relations. Raises NotFound for an unknown project."""
    project = project_id(conn, params.project)
    found: dict[int, Entity] = {}
    missing = []
    for name in params.names:
        entity = entities.find(conn, name, project)
        if entity is None:
            missing.append(name)
        else:
            found[entity.id] = entity
    related: dict[int, Edge] = {}
    for entity in found.values():
        own, _ = edges.list_edges(conn, EdgeFilter(entity.node, as_of=as_of), MOST_OF_EACH)
        related |= {edge.id: edge for edge in own}
    return OpenAnswer(
        tuple(_entity(conn, one) for one in found.values()), _relations(conn, tuple(related.values())), tuple(missing)
    )


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
    entities.add_alias(conn, entity, _clean(params.alias))
    return _entity(conn, entity)


def link(conn: Connection, params: LinkParams, since: int | None, now_ms: int) -> RelationAnswer:
    """Relate two nodes. Raises BadParameter, NotFound."""
    edge, _ = _linked(
        conn, params.source, params.relation, params.target, params.strength, project_id(conn, params.project), now_ms,
        create=params.create, since=since, quote=None if params.quote is None else _clean(params.quote),
    )  # fmt: skip
    return _relations(conn, (edge,))[0]


def link_many(conn: Connection, params: LinkManyParams, now_ms: int) -> LinkedAnswer:
    """Relate many nodes; what is refused is counted by its reason. Raises NotFound for an unknown project."""
    project = project_id(conn, params.project)
    origin = _clean(params.origin)
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
            skipped[why(error)] += 1
            continue
        known += not is_new
        if is_new:
            ids.append(edge)
    return LinkedAnswer(len(ids), known, dict(skipped), edges.uids(conn, ids[:MOST_OF_EACH]))


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


def check_relation(relation: str, source: str, target: str) -> None:
    """Raises BadParameter for a relation that there is not, or of a thing to itself."""
    _relation(relation)
    if source == target:
        raise BadParameter("relations.link", _TO_ITSELF)


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
    return _relations(conn, (edges.end(conn, edge, at, _clean(params.reason)),))[0]


def list_relations(conn: Connection, params: RelationListParams, as_of: int | None) -> RelationsAnswer:
    """Return relations page by page. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    chosen = EdgeFilter(
        node=None if params.node is None else node_of(conn, params.node, project),
        direction=params.direction,
        rel=None if params.relation is None else _relation(params.relation).name,
        origin=params.origin,
        project_id=project,
        as_of=as_of,
        status=params.status,
    )
    found, total = edges.list_edges(conn, chosen, params.limit, params.offset)
    end = params.offset + len(found)
    return RelationsAnswer(_relations(conn, found), total, end if end < total else None)


def traverse(conn: Connection, params: TraverseParams, as_of: int | None) -> TraverseAnswer:
    """Return what can be reached from a node. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    start = node_of(conn, params.start, project)
    reached = edges.reach(
        conn, start, depth=params.depth, direction=params.direction,
        relations=tuple(_relation(word).name for word in params.relations), as_of=as_of, project_id=project,
        most=params.most,
    )  # fmt: skip
    names = labels(conn, reached.paths, as_of)
    nodes = tuple(
        NodeAnswer(node, names[node], len(path) - 1, path) for node, path in reached.paths.items() if node != start
    )
    return TraverseAnswer(start, nodes, _relations(conn, edges.by_ids(conn, reached.edges)), reached.capped)


def vocabulary() -> VocabularyAnswer:
    """Return the relations there are and the kinds of entities."""
    return VocabularyAnswer(words.words(), words.ENTITY_KINDS)


def summary(conn: Connection, as_of: int | None = None) -> GraphAnswer:
    """Return the graph by numbers; entities have no end, so all there are are counted."""
    return GraphAnswer(entities.kinds(conn), edges.relations(conn, as_of), edges.origins(conn, as_of))


def prune(conn: Connection, keep: int, *, apply: bool) -> UnlinkedAnswer:
    """Delete ended relations beyond the newest so many of each source and relation, and entities left alone."""
    old = edges.old(conn, keep)
    if apply:
        edges.drop(conn, old)
        entities.drop_orphans(conn)
    return UnlinkedAnswer(len(old))


def node_of(conn: Connection, word: str, project: int | None) -> str:
    """Return the node that a person means: a node, a fact by its id, or an entity by a name.

    Raises NotFound, or BadParameter when several facts could be meant.
    """
    if word.startswith("code:"):
        return word
    if word.startswith("fact:"):
        return f"fact:{facts.find(conn, word.removeprefix('fact:')).uid}"
    if word.startswith("entity:"):
        entity = entities.by_uid(conn, word.removeprefix("entity:")) or entities.find(conn, word[7:], project)
    else:
        entity = entities.find(conn, word, project)
    if entity is not None:
        return entity.node
    if _OF_AN_ID.fullmatch(word) is None:
        raise NotFound("entity or fact", word)
    try:
        return f"fact:{facts.find(conn, word).uid}"
    except NotFound as error:
        raise NotFound("entity or fact", word) from error


def labels(conn: Connection, nodes: Iterable[str], as_of: int | None = None) -> dict[str, str]:
    """Return what a person calls each of some nodes, or called it at a time."""
    asked = tuple(nodes)
    known = entities.by_uids(conn, (node[7:] for node in asked if node.startswith("entity:")))
    told = fact_views.titles(conn, (node[5:] for node in asked if node.startswith("fact:")), as_of)
    names = {}
    for node in asked:
        kind, _, uid = node.partition(":")
        names[node] = known[uid].name if kind == "entity" and uid in known else told.get(uid, uid)
    return names


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
    folded = _relation(relation)
    ends = (None, None) if source == target else (node(source), node(target))
    if ends[0] == ends[1]:
        raise BadParameter("relations.link", _TO_ITSELF)
    src, dst = reversed(ends) if folded.swapped else ends
    return NewEdge(str(src), folded.name, str(dst), _MANUAL, strength)


def _node_made(
    conn: Connection, word: str, project: int | None, now_ms: int, *, create: bool, clean: bool = False
) -> str:
    """Return what a word means, made now where it may be; `clean`: it was looked through already."""
    try:
        return node_of(conn, word, project)
    except NotFound:
        if not create or word.startswith(_PREFIXES):
            raise
        if clean and word.strip():
            return f"entity:{entities.make(conn, word, 'concept', project, _LINK, now_ms)}"
        return _entity_made(conn, word, "concept", project, now_ms, _LINK).node


def _holding(conn: Connection, source: str, relation: str, target: str, project: int | None) -> Edge:
    folded = _relation(relation)
    ends = [node_of(conn, word, project) for word in (source, target)]
    src, dst = reversed(ends) if folded.swapped else ends
    edge = edges.current(conn, src, folded.name, dst)
    if edge is None:
        raise NotFound("relation", f"{source} {folded.name} {target}")
    return edge


def _entity_made(
    conn: Connection, name: str, kind: str, project: int | None, now_ms: int, origin: str = _MANUAL
) -> Entity:
    name = _clean(name)
    if not name:
        raise BadParameter("entities.add", "the name says nothing")
    return entities.add(conn, name, _kind(kind), project, origin, now_ms)[0]


def _kind(word: str) -> str:
    if word not in words.ENTITY_KINDS:
        there = ", ".join(words.ENTITY_KINDS)
        raise BadParameter("entities", f"there is no kind of entity {word!r} (there are: {there})")
    return word


def _relation(word: str) -> words.Folded:
    folded = words.folded(word)
    if folded is None:
        there = ", ".join(words.RELATIONS)
        raise BadParameter("relations", f"there is no relation {word!r} (there are: {there})")
    return folded


def why(error: MemdError) -> str:
    """Return why something was refused, in the same words for all that were for the same reason."""
    if isinstance(error, NotFound):
        return f"there is no such {error.what}"
    return error.problem.partition(" (there are")[0] if isinstance(error, BadParameter) else str(error)


def _entity(conn: Connection, entity: Entity) -> EntityAnswer:
    return EntityAnswer(
        entity.uid, entity.node, entity.name, entity.kind, entity.root, entities.aliases(conn, entity),
        edges.degree(conn, entity.node), entity.origin,
    )  # fmt: skip


def _relations(conn: Connection, found: Sequence[Edge]) -> tuple[RelationAnswer, ...]:
    names = labels(conn, dict.fromkeys(node for edge in found for node in (edge.src, edge.dst)))
    return tuple(
        RelationAnswer(
            id=edge.uid,
            source=edge.src,
            relation=edge.rel,
            target=edge.dst,
            source_label=names[edge.src],
            target_label=names[edge.dst],
            strength=edge.strength,
            confidence=edge.confidence,
            origin=edge.origin,
            valid_from=time_of(edge.valid_from),
            valid_to=time_of(edge.valid_to),
            fact=edge.fact,
            quote=edge.quote,
            extractor=edge.extractor,
            superseded_by=edge.superseded_by,
            project=edge.root,
        )
        for edge in found
    )


def _clean(text: str) -> str:
    return " ".join(scrub(text).text.split())
