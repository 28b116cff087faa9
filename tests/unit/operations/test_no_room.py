"""The distiller when the store cannot be written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from memd.distill.distiller import Distiller
from memd.errors import StoreError, StoreFull, StoreReadOnly
from memd.operations.search import search_all
from memd.store import sessions
from memd.store.writer import Writer
from tests.unit.operations.conftest import Harbor


class _Blocked:
    """A writer whose disk is full, or read-only, as long as there is an error."""

    def __init__(self, writer: Writer, error: StoreError | None) -> None:
        self._writer = writer
        self.error = error

    async def run(self, function: Callable[..., Any], *, background: bool = False) -> Any:
        if self.error is not None:
            raise self.error
        return await self._writer.run(function, background=background)


@pytest.mark.parametrize("error", [StoreFull(Path("/home/ada/memd.db")), StoreReadOnly(Path("/home/ada/memd.db"))])
async def test_what_cannot_be_stored_stays_due_and_is_distilled_when_it_can(harbor: Harbor, error: StoreError) -> None:
    memory = harbor.memory
    blocked = _Blocked(memory.writer, error)
    distiller = Distiller(memory.workers, cast("Writer", blocked), memory.readers, memory.clock)
    due = await memory.readers.run(sessions.due)
    assert due

    for _ in range(5):
        assert await distiller.run_due() == 0
        assert distiller.last_error == str(error)
    assert await memory.readers.run(sessions.due) == due

    blocked.error = None
    assert await distiller.run_due() == len(due)
    assert distiller.last_error is None
    assert not await memory.readers.run(sessions.due)


async def test_a_search_in_vain_is_answered_although_that_cannot_be_noted(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(_function: Callable[..., object], **_options: object) -> None:
        raise StoreFull(Path("/home/ada/memd.db"))

    monkeypatch.setattr(harbor.memory.writer, "run", full)

    assert (await search_all.call(harbor.memory, {"query": "zeppelin hangar"})).hits == ()
