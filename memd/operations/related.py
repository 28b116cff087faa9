"""Related: what is related to what, read page by page, from a node on, or as a whole."""

from __future__ import annotations

from memd.distill import vocabulary as words
from memd.operations import naming
from memd.operations.relation_answers import (
    EntitiesAnswer,
    GraphAnswer,
    NodeAnswer,
    OpenAnswer,
    RelationsAnswer,
    TraverseAnswer,
    VocabularyAnswer,
)
from memd.operations.relation_params import EntitySearchParams, OpenParams, RelationListParams, TraverseParams
from memd.operations.scope import project_id
from memd.store import edges, entities, fact_edges, traversal
from memd.store.edges import Edge, EdgeFilter
from memd.store.entities import Entity
from memd.store.facts import Connection


def search_entities(conn: Connection, params: EntitySearchParams) -> EntitiesAnswer:
    """Return entities by a part of their name. Raises NotFound."""
    project = project_id(conn, params.project)
    kind = None if params.kind is None else naming.entity_kind(params.kind)
    found, total = entities.search(conn, params.query, kind, project, params.limit, params.offset)
    told = tuple(naming.entity_answer(conn, one) for one in found)
    return EntitiesAnswer(told, total, params.offset + len(found) < total)


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
        own, _ = edges.list_edges(conn, EdgeFilter(entity.node, as_of=as_of), naming.MOST_OF_EACH)
        related |= {edge.id: edge for edge in own}
    told = tuple(naming.entity_answer(conn, one) for one in found.values())
    return OpenAnswer(told, naming.relation_answers(conn, tuple(related.values())), tuple(missing))


def list_relations(conn: Connection, params: RelationListParams, as_of: int | None) -> RelationsAnswer:
    """Return relations page by page. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    chosen = EdgeFilter(
        node=None if params.node is None else naming.node_asked(conn, params.node, project),
        direction=params.direction,
        rel=None if params.relation is None else naming.relation_of(params.relation).name,
        origin=params.origin,
        project_id=project,
        as_of=as_of,
        status=params.status,
    )
    found, total = fact_edges.list_edges(conn, chosen, params.limit, params.offset)
    end = params.offset + len(found)
    return RelationsAnswer(naming.relation_answers(conn, found), total, end if end < total else None)


def traverse(conn: Connection, params: TraverseParams, as_of: int | None) -> TraverseAnswer:
    """Return what can be reached from a node. Raises BadParameter, NotFound."""
    project = project_id(conn, params.project)
    start = naming.node_asked(conn, params.start, project)
    reached = traversal.reach(
        conn, start, depth=params.depth, direction=params.direction,
        relations=tuple(naming.relation_of(word).name for word in params.relations), as_of=as_of, project_id=project,
        most=params.most,
    )  # fmt: skip
    names = naming.labels(conn, reached.paths, as_of)
    nodes = tuple(
        NodeAnswer(node, names[node], len(path) - 1, path) for node, path in reached.paths.items() if node != start
    )
    told = naming.relation_answers(conn, fact_edges.by_ids(conn, reached.edges))
    return TraverseAnswer(start, nodes, told, reached.capped)


def vocabulary() -> VocabularyAnswer:
    """Return the relations there are and the kinds of entities."""
    return VocabularyAnswer(words.words(), words.ENTITY_KINDS)


def summary(conn: Connection, as_of: int | None = None) -> GraphAnswer:
    """Return the graph by numbers; entities have no end, so all there are are counted."""
    return GraphAnswer(entities.kinds(conn), edges.relations(conn, as_of), edges.origins(conn, as_of))
