"""Remember: what a person or an agent hands to memd to keep."""

from __future__ import annotations

from collections.abc import Iterable

from anyio import to_thread

from memd.distill.audit import Audited
from memd.distill.distiller import TASK
from memd.operations import domains, extracting, saving
from memd.operations.fact_answers import (
    BatchAnswer,
    LearnAnswer,
    MessagesAnswer,
    PromptAnswer,
    RememberAnswer,
    TopicAnswer,
)
from memd.operations.founding import founded
from memd.operations.items import (
    BatchParams,
    Item,
    LearnParams,
    MessagesParams,
    PromptParams,
    PromptsParams,
    SummaryParams,
    TopicParams,
)
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.saving import Draft
from memd.workers.turns import Priority

_DEADLINE_S = 30.0


@operation("facts.remember", writes=True)
async def remember(memory: Memory, params: Item) -> RememberAnswer:
    """Keep something worth knowing: judged against what is known, it is added, merged, or replaces what it ends.

    Raises BadParameter for a kind, status or date that there is not or for a text that says nothing, NotFound for an
    unknown project or session.
    """
    draft = await to_thread.run_sync(saving.drafted, params, "facts.remember", await domains.allowed(memory))
    await _found(memory, (draft,))
    return await memory.writer.run(lambda conn: saving.save(conn, draft, memory.clock.now_ms()))


@operation("facts.batch", writes=True)
async def batch(memory: Memory, params: BatchParams) -> BatchAnswer:
    """Keep facts, entities and relations together: all of them, or none when one of them is wrong.

    Raises BadParameter or NotFound that names the item.
    """
    drafts = await to_thread.run_sync(saving.drafted_all, params, await domains.allowed(memory))
    await _found(memory, drafts, params.project)
    return await memory.writer.run(lambda conn: saving.save_all(conn, params, drafts, memory.clock.now_ms()))


@operation("facts.learn", writes=True)
async def learn(memory: Memory, params: LearnParams) -> LearnAnswer:
    """Keep each item listed under a heading "Key Learnings" in a text as a learning.

    Raises BadParameter for a text without such a heading, otherwise as `facts.remember`.
    """
    drafts = await to_thread.run_sync(saving.learnings, params)
    await _found(memory, drafts)
    return await memory.writer.run(lambda conn: saving.save_learnings(conn, drafts, memory.clock.now_ms()))


@operation("messages.add", writes=True)
async def add_messages(memory: Memory, params: MessagesParams) -> MessagesAnswer:
    """Look through messages for what is worth keeping and keep it, or keep the messages word for word.

    Only what the user says becomes facts. Raises BadParameter for no or too many messages, NotFound for an unknown
    project or session, WorkerFailed when they take too long.
    """
    given = await to_thread.run_sync(extracting.given, params, memory.clock.now_ms())
    taken = max(len(params.messages), 1)
    if given.passed_over is not None:
        return MessagesAnswer(taken, passed_over=given.passed_over)
    if params.infer:
        transcript = extracting.transcript_of(given.messages)
        told: Audited = await memory.workers.run(TASK, transcript, deadline_s=_DEADLINE_S, priority=Priority.FOREGROUND)
        # Whatever secret may be left in them is taken out as every draft is kept.
        drafts = await to_thread.run_sync(extracting.drafts_of, params, given.messages, told.distilled)
    else:
        drafts = await to_thread.run_sync(extracting.verbatim, params, given.messages)
    await _found(memory, drafts)
    return await memory.writer.run(lambda conn: extracting.keep(conn, drafts, taken, memory.clock.now_ms()))


@operation("sessions.summarise", writes=True)
async def summarise(memory: Memory, params: SummaryParams) -> RememberAnswer:
    """Keep a summary of a session; another one of the same session becomes its next version.

    Raises NotFound for an unknown session, BadParameter for a summary that says nothing.
    """
    draft = await to_thread.run_sync(saving.drafted, saving.summary_item(params))
    return await memory.writer.run(lambda conn: saving.save_summary(conn, params, draft, memory.clock.now_ms()))


@operation("prompts.save", writes=True)
async def save_prompt(memory: Memory, params: PromptParams) -> PromptAnswer:
    """Keep a prompt; the same text within half a minute in the same session is the same prompt.

    Raises BadParameter for a prompt that says nothing or is too long, NotFound for an unknown project or session.
    """
    text = await to_thread.run_sync(saving.measured, "prompts.save", params.text)
    return await memory.writer.run(lambda conn: saving.save_prompt(conn, params, text, memory.clock.now_ms()))


@operation("prompts.list", reads=True)
async def list_prompts(memory: Memory, params: PromptsParams) -> tuple[PromptAnswer, ...]:
    """List prompts that were handed in, the newest first.

    Raises NotFound for an unknown project or session.
    """
    return await memory.readers.run(lambda conn: saving.prompts_of(conn, params))


@operation("facts.topic", reads=True)
async def topic(memory: Memory, params: TopicParams) -> TopicAnswer:
    """Suggest a topic key for a title: the same for the same words, whatever their script.

    Raises BadParameter for a kind that there is not.
    """
    return saving.topic_for(params.title, params.kind)


async def _found(memory: Memory, drafts: Iterable[Draft], *words: str | None) -> None:
    """Have each folder that something is kept for be in a project.

    Raises NotFound for a name that no project has and for a folder that can be in none.
    """
    named = (draft.project for draft in drafts if not draft.everywhere)
    for word in dict.fromkeys((*words, *named)):
        if word is not None:
            await founded(memory, word)
