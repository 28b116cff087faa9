"""Naming: what words mean in the graph (a node, a relation, a kind of entity), and how nodes and relations are told."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from memd.distill import vocabulary as words
from memd.errors import BadParameter, MemdError, NotFound
from memd.operations.relation_answers import EntityAnswer, RelationAnswer
from memd.operations.scope import project_of
from memd.operations.shapes import time_of
from memd.store import edges, entities, fact_edges, fact_views, facts, projects
from memd.store.edges import Edge
from memd.store.entities import Entity
from memd.store.facts import Connection
from memd.text.redaction import scrub

PREFIXES: Final = ("entity:", "fact:", "code:")
MOST_OF_EACH: Final = 200
TO_ITSELF: Final = "source and target are the same; nothing is related to itself"
_OF_AN_ID: Final = re.compile(r"[0-9a-f-]+")


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


def node_asked(conn: Connection, word: str, project: int | None) -> str:
    """Return the node that is asked about, which may also be `project:` with a name, folder or id, or `topic:`.

    Raises as `node_of`.
    """
    if word.startswith(fact_edges.TOPIC):
        return word
    if word.startswith(fact_edges.PROJECT):
        found = project_of(conn, word.removeprefix(fact_edges.PROJECT))
        if found is not None:
            return f"{fact_edges.PROJECT}{found.uid}"
    return node_of(conn, word, project)


def labels(conn: Connection, nodes: Iterable[str], as_of: int | None = None) -> dict[str, str]:
    """Return what a person calls each of some nodes, or called it at a time."""
    asked = tuple(nodes)
    known = entities.by_uids(conn, (node[7:] for node in asked if node.startswith("entity:")))
    told = fact_views.titles(conn, (node[5:] for node in asked if node.startswith("fact:")), as_of)
    names = {}
    of_projects = projects.names(conn, (node[8:] for node in asked if node.startswith(fact_edges.PROJECT)))
    for node in asked:
        kind, _, uid = node.partition(":")
        if kind == "entity" and uid in known:
            names[node] = known[uid].name
        else:
            names[node] = of_projects.get(uid, uid) if kind == "project" else told.get(uid, uid)
    return names


def entity_kind(word: str) -> str:
    """Return a kind of entity that was named. Raises BadParameter where there is none."""
    if word not in words.ENTITY_KINDS:
        there = ", ".join(words.ENTITY_KINDS)
        raise BadParameter("entities", f"there is no kind of entity {word!r} (there are: {there})")
    return word


def relation_of(word: str) -> words.Folded:
    """Return the relation that a word means. Raises BadParameter where there is none."""
    folded = words.folded(word)
    if folded is None:
        there = ", ".join(words.RELATIONS)
        raise BadParameter("relations", f"there is no relation {word!r} (there are: {there})")
    return folded


def check_relation(relation: str, source: str, target: str) -> None:
    """Raises BadParameter for a relation that there is not, or of a thing to itself."""
    relation_of(relation)
    if source == target:
        raise BadParameter("relations.link", TO_ITSELF)


def why(error: MemdError) -> str:
    """Return why something was refused, in the same words for all that were for the same reason."""
    if isinstance(error, NotFound):
        return f"there is no such {error.what}"
    return error.problem.partition(" (there are")[0] if isinstance(error, BadParameter) else str(error)


def entity_answer(conn: Connection, entity: Entity) -> EntityAnswer:
    """Return an entity as it is told."""
    return EntityAnswer(
        entity.uid, entity.node, entity.name, entity.kind, entity.root, entities.aliases(conn, entity),
        edges.degree(conn, entity.node), entity.origin,
    )  # fmt: skip


def relation_answers(conn: Connection, found: Sequence[Edge]) -> tuple[RelationAnswer, ...]:
    """Return relations as they are told."""
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


def clean(text: str) -> str:
    """Return a text as one line, without what is secret."""
    return " ".join(scrub(text).text.split())
