"""Ahead: the next piece of work goes on in a worker while the last one is being stored."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

import anyio

T = TypeVar("T")


@dataclass(slots=True)
class Ahead(Generic[T]):
    """What came of work that was begun early: nothing, a result, or trouble that is told when the result is asked."""

    value: T | None = None
    trouble: Exception | None = None

    def result(self) -> T | None:
        """Return the result, None where nothing was begun; raises what the work raised."""
        if self.trouble is not None:
            raise self.trouble
        return self.value


@asynccontextmanager
async def ahead(work: Callable[[], Awaitable[T]], *, wanted: bool) -> AsyncIterator[Ahead[T]]:
    """Run `work` beside the block, if it is wanted, and wait for it at the end of the block.

    What the block raises cancels the work and is raised as it is.
    """
    found: Ahead[T] = Ahead()

    async def run() -> None:
        try:
            found.value = await work()
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised again where the result is asked for
            found.trouble = error

    failed: Exception | None = None
    async with anyio.create_task_group() as group:
        if wanted:
            group.start_soon(run)
        try:
            yield found
        except Exception as error:  # noqa: BLE001 - raised again below, and not as a group
            failed = error
            group.cancel_scope.cancel()
    if failed is not None:
        raise failed
