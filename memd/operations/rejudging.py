"""Rejudging: all that is known compared and judged anew, by the rules of this version."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Final

import anyio

from memd.distill import recomparing, redistilling
from memd.operations.memory import Memory
from memd.operations.registry import operation

_REST_S: Final = 0.02
"""Between two steps: whoever waits for an answer goes first."""


@dataclass(frozen=True, slots=True)
class RejudgeParams:
    """How much of it now."""

    steps: int | None = field(default=None, metadata={"help": "at most so many steps now; none: all of it"})


@dataclass(frozen=True, slots=True)
class RejudgeAnswer:
    """How far it has come: `stage` is features, links or facts, null when all is done."""

    steps: int
    stage: str | None


@operation("facts.rejudge", writes=True)
async def rejudge(memory: Memory, params: RejudgeParams) -> RejudgeAnswer:
    """Compare and judge all that was ever stated anew, in steps; what a person ruled stays.

    What was begun is gone on with. memd does it by itself when a new version has other rules.
    """
    if await memory.readers.run(recomparing.place) is None:
        await memory.writer.run(recomparing.begin)
    return await go_on(memory, params.steps)


async def note_new(memory: Memory) -> None:
    """Note of a memory that is still empty that it is one of this version's rules: nothing in it will be done again."""
    await memory.writer.run(redistilling.note_new)
    await memory.writer.run(recomparing.note_new)


async def distill_anew(memory: Memory) -> None:
    """Have every session distilled once more where a new version has other rules for that; returns at once."""
    if await memory.readers.run(redistilling.is_due):
        await memory.writer.run(redistilling.begin)
        memory.distiller.wake()


async def go_on(memory: Memory, steps: int | None = None) -> RejudgeAnswer:
    """Take what is left of it, at most so many steps; nothing when all was compared by the rules of now."""
    done = 0
    at = await memory.readers.run(recomparing.place)
    while at is not None and (steps is None or done < steps):
        step = await memory.readers.run(partial(recomparing.next_step, at=at))
        write = partial(recomparing.write, step=step, now_ms=memory.clock.now_ms())
        at = await memory.writer.run(write, background=True)
        done += 1
        await anyio.sleep(_REST_S)
    return RejudgeAnswer(done, None if at is None else at.stage)
