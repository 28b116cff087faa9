"""The catalogue: every operation, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from memd.operations import (
    blocks,
    code,
    fact_edits,
    facts,
    health,
    importing,
    indexes,
    injections,
    jobs,
    notes,
    projects,
    rejudging,
    relation_shape,
    relations,
    remember,
    review,
    search,
    sessions,
    settings,
    status,
    upkeep,
    wakeup,
    whoami,
)
from memd.operations.describe import describe
from memd.operations.description import OperationAnswer
from memd.operations.memory import Memory
from memd.operations.registry import Operation, operation


@dataclass(frozen=True, slots=True)
class NoParams:
    """Nothing to say."""


@operation("operations.list", reads=True)
async def list_operations(memory: Memory, params: NoParams) -> tuple[OperationAnswer, ...]:
    """List every operation with what it takes."""
    return tuple(map(describe, OPERATIONS.values()))


OPERATIONS: Final[Mapping[str, Operation[Any, Any]]] = MappingProxyType(
    {
        operation.name: operation
        for operation in (
            list_operations,
            whoami.whoami,
            status.status,
            health.health,
            search.search_all,
            search.list_gaps,
            sessions.list_sessions,
            sessions.show_session,
            facts.list_facts,
            facts.show_fact,
            facts.versions,
            facts.diff,
            facts.timeline,
            facts.page,
            facts.parts,
            remember.remember,
            remember.batch,
            notes.note,
            notes.write,
            notes.read,
            remember.learn,
            remember.add_messages,
            remember.summarise,
            remember.save_prompt,
            remember.list_prompts,
            remember.topic,
            fact_edits.edit,
            fact_edits.revise,
            fact_edits.invalidate,
            fact_edits.retract,
            fact_edits.restore,
            fact_edits.verify,
            fact_edits.rate,
            fact_edits.evergreen,
            fact_edits.use,
            review.forget,
            review.purge,
            review.clear,
            review.consolidate,
            review.contradictions,
            review.resolve,
            review.stale,
            review.unused,
            review.promote,
            rejudging.rejudge,
            relations.add_entity,
            relations.search_entities,
            relations.open_entities,
            relations.alias,
            relations.link,
            relations.link_many,
            relations.unlink,
            relations.invalidate_link,
            relations.list_relations,
            relations.traverse,
            relations.vocabulary,
            relations.summary,
            relations.prune,
            relation_shape.hubs,
            relation_shape.bridges,
            relation_shape.groups,
            relation_shape.gaps,
            wakeup.wakeup,
            wakeup.brief,
            wakeup.handoff,
            wakeup.leave_handoff,
            code.index,
            code.status,
            code.find,
            code.callers,
            code.callees,
            code.impact,
            code.path,
            code.why,
            code.traverse,
            code.hubs,
            code.bridges,
            code.subsystems,
            code.gaps,
            code.reasons,
            code.check,
            blocks.list_blocks,
            blocks.get_block,
            blocks.set_block,
            blocks.append_block,
            blocks.replace_block,
            blocks.delete_block,
            injections.list_injections,
            settings.show_config,
            jobs.list_jobs,
            importing.import_all,
            projects.list_projects,
            projects.rename,
            projects.merge,
            indexes.index_status,
            indexes.rebuild,
            indexes.distill_again,
            indexes.compact,
            upkeep.backup_now,
            upkeep.stop,
        )
    }
)
