"""Relations: what facts, entities and code have to do with each other, in a closed vocabulary."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial

from memd.errors import BadParameter
from memd.operations import naming, related, relating
from memd.operations.fact_params import time_given
from memd.operations.memory import Memory
from memd.operations.pieces import pieces
from memd.operations.registry import NoParams, operation
from memd.operations.relation_answers import (
    EntitiesAnswer,
    EntityAnswer,
    GraphAnswer,
    LinkedAnswer,
    OpenAnswer,
    RelationAnswer,
    RelationsAnswer,
    TraverseAnswer,
    UnlinkedAnswer,
    VocabularyAnswer,
)
from memd.operations.relation_params import (
    AliasParams,
    EndLinkParams,
    EntityParams,
    EntitySearchParams,
    LinkManyParams,
    LinkParams,
    OpenParams,
    PruneParams,
    RelationListParams,
    SummaryParams,
    TraverseParams,
    UnlinkParams,
)
from memd.store.facts import Connection

_MOST = 1000
_AT_ONCE = 200
"""Relations of one transaction."""


@operation("entities.add", writes=True)
async def add_entity(memory: Memory, params: EntityParams) -> EntityAnswer:
    """Add something that is spoken of, or return it when it is known.

    Raises BadParameter for a kind that there is not, NotFound for an unknown project.
    """
    now = memory.clock.now_ms()
    return await memory.writer.run(lambda conn: relating.add_entity(conn, params, now))


@operation("entities.search", reads=True)
async def search_entities(memory: Memory, params: EntitySearchParams) -> EntitiesAnswer:
    """Find entities by a part of their name, in any script, with how many there are in all.

    Raises BadParameter for a limit out of range, NotFound for an unknown project.
    """
    _bounded("entities.search", params.limit, params.offset)
    return await memory.readers.run(lambda conn: related.search_entities(conn, params))


@operation("entities.open", reads=True)
async def open_entities(memory: Memory, params: OpenParams) -> OpenAnswer:
    """Show entities by name with all that they are related to; names that nothing has are listed as missing.

    Raises BadParameter for a date that is none, NotFound for an unknown project.
    """
    as_of = time_given(params.as_of, "entities.open")
    return await memory.readers.run(lambda conn: related.open_entities(conn, params, as_of))


@operation("entities.alias", writes=True)
async def alias(memory: Memory, params: AliasParams) -> EntityAnswer:
    """Let two names mean one entity; what was said of either is said of it.

    Raises NotFound for an unknown entity or project.
    """
    now = memory.clock.now_ms()
    return await memory.writer.run(lambda conn: relating.add_alias(conn, params, now))


@operation("relations.link", writes=True)
async def link(memory: Memory, params: LinkParams) -> RelationAnswer:
    """Relate two nodes; where the relation held before, the earlier time is kept.

    Raises BadParameter for an unknown relation or a strength out of range, NotFound for a name that nothing has.
    """
    since = time_given(params.since, "relations.link")
    now = memory.clock.now_ms()
    return await memory.writer.run(lambda conn: relating.link(conn, params, since, now))


@operation("relations.link_many", writes=True)
async def link_many(memory: Memory, params: LinkManyParams) -> LinkedAnswer:
    """Relate many nodes in one go; what cannot be linked is counted by its reason.

    Raises NotFound for an unknown project.
    """
    now = memory.clock.now_ms()
    made, known, skipped, ids = 0, 0, Counter[str](), list[str]()
    for some in list(pieces(params.links, _AT_ONCE)) or [()]:
        answer = await memory.writer.run(
            partial(relating.link_many, params=replace(params, links=tuple(some)), now_ms=now)
        )
        made, known = made + answer.linked, known + answer.known
        skipped.update(answer.skipped)
        ids += answer.relations
    return LinkedAnswer(made, known, dict(skipped), tuple(ids[: naming.MOST_OF_EACH]))


@operation("relations.unlink", writes=True, destroys=True)
async def unlink(memory: Memory, params: UnlinkParams) -> UnlinkedAnswer:
    """Take relations away without a trace: one by its nodes, or all of an origin.

    Raises BadParameter when neither is said in full, NotFound for an unknown node.
    """
    return await memory.writer.run(lambda conn: relating.unlink(conn, params))


@operation("relations.invalidate", writes=True)
async def invalidate_link(memory: Memory, params: EndLinkParams) -> RelationAnswer:
    """Let a relation hold only until a time; `as_of` before that still gives it.

    Raises NotFound for a relation that does not hold, BadParameter for a date that is none.
    """
    at = time_given(params.at, "relations.invalidate")
    now = memory.clock.now_ms()
    return await memory.writer.run(lambda conn: relating.end_link(conn, params, now if at is None else at))


@operation("relations.list", reads=True)
async def list_relations(memory: Memory, params: RelationListParams) -> RelationsAnswer:
    """List relations page by page, those that hold unless asked for others.

    Raises BadParameter for a limit, relation or date that is none, NotFound for an unknown node or project.
    """
    _bounded("relations.list", params.limit, params.offset)
    as_of = time_given(params.as_of, "relations.list")
    return await memory.readers.run(lambda conn: related.list_relations(conn, params, as_of))


@operation("relations.traverse", reads=True)
async def traverse(memory: Memory, params: TraverseParams) -> TraverseAnswer:
    """Show what can be reached from a node, step by step, and say when there is more than was asked for.

    Raises BadParameter for a depth, relation or date that is none, NotFound for an unknown node.
    """
    if not 1 <= params.depth <= 10 or not 1 <= params.most <= 10_000:
        raise BadParameter("relations.traverse", "depth is from 1 to 10, most from 1 to 10000")
    as_of = time_given(params.as_of, "relations.traverse")
    return await memory.readers.run(lambda conn: related.traverse(conn, params, as_of))


@operation("relations.vocabulary", reads=True)
async def vocabulary(memory: Memory, params: NoParams) -> VocabularyAnswer:
    """List the relations there are with the words that mean the same, and the kinds of entities."""
    return related.vocabulary()


@operation("relations.summary", reads=True)
async def summary(memory: Memory, params: SummaryParams) -> GraphAnswer:
    """Count entities by kind and relations by name and origin.

    Raises BadParameter for a date that is none.
    """
    as_of = time_given(params.as_of, "relations.summary")
    return await memory.readers.run(lambda conn: related.summary(conn, as_of))


@operation("relations.prune", writes=True, destroys=True)
async def prune(memory: Memory, params: PruneParams) -> UnlinkedAnswer:
    """Delete the oldest of the relations that ended, beyond so many of each; those that hold are not touched.

    Raises BadParameter for a number below 0.
    """
    if params.keep < 0:
        raise BadParameter("relations.prune", f"keep must be 0 or more, not {params.keep}")

    def work(conn: Connection) -> UnlinkedAnswer:
        return relating.prune(conn, params.keep, apply=params.apply)

    return await (memory.writer.run(work) if params.apply else memory.readers.run(work))


def _bounded(name: str, limit: int, offset: int) -> None:
    if not 1 <= limit <= _MOST or offset < 0:
        raise BadParameter(name, f"limit must be from 1 to {_MOST} and offset 0 or more")
