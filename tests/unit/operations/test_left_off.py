"""A deletion that fails half way, as on a full disk, is told of and brought to its end; what was said since stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memd.errors import StoreFull
from memd.operations.recarrying import go_on, recarry
from tests.unit.operations.conftest import NOW, Harbor
from tests.unit.operations.test_deleting import LATE, OTHER, WORD, decided, holding, id_of, said, shown
from tests.unit.operations.test_project_deleting import names, read
from tests.unit.operations.test_remember import do

SINCE_S = 7_200
"""Seconds after the deletion's, which the clock tells as an hour after `NOW`."""


async def waits(harbor: Harbor) -> bool:
    return any("deletion" in line for line in (await do(harbor, "status")).degraded)


async def fails(harbor: Harbor, monkeypatch: pytest.MonkeyPatch, operation: str, writes: int = 0, **given: Any) -> None:
    """Ask for a deletion for which the disk is full after some writes."""
    run, left = harbor.memory.writer.run, [writes]

    async def full(function: Callable[..., Any], **options: Any) -> Any:
        if not left[0]:
            raise StoreFull(Path("/home/ada/memd.db"))
        left[0] -= 1
        return await run(function, **options)

    with monkeypatch.context() as patched:
        patched.setattr(harbor.memory.writer, "run", full)
        with pytest.raises(StoreFull):
            await do(harbor, operation, apply=True, **given)
        if harbor.memory.left_off:
            with pytest.raises(StoreFull):
                await go_on(harbor.memory)


@pytest.mark.parametrize("writes", [0, 1, 2])
@pytest.mark.parametrize("what", ["message", "session", "project", "words"])
async def test_a_deletion_that_failed_is_gone_on_with_while_memd_runs(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch, what: str, writes: int
) -> None:
    await read(harbor, LATE, *decided())
    operation, given = {
        "message": ("messages.forget", {"message": await id_of(harbor, LATE, "instead of Redis")}),
        "session": ("sessions.forget", {"session": LATE}),
        "project": ("projects.delete", {"project": "harbor"}),
        "words": ("words.forget", {"text": WORD}),
    }[what]
    # The first write of words is their note, without which nothing begins.
    await fails(harbor, monkeypatch, operation, writes + (what == "words"), **given)
    assert await waits(harbor)

    await go_on(harbor.memory)

    assert not await waits(harbor)
    assert await recarry(harbor.memory) == 0, "nothing is left for the next start"
    assert not any("instead of Redis" in text for text in (await shown(harbor, LATE)).values())
    if what in {"project", "words"}:
        assert "memd.db" not in holding(harbor)
    if what == "project":
        assert "harbor" not in await names(harbor)


@pytest.mark.parametrize("how", [go_on, recarry])
async def test_what_was_said_in_a_project_after_its_deletion_failed_stays(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch, how: Callable[..., Any]
) -> None:
    await read(harbor, LATE, *decided())
    await fails(harbor, monkeypatch, "projects.delete", project="harbor")
    await read(harbor, OTHER, said(OTHER, "o1", SINCE_S, "Always paint the crane green."))
    await harbor.memory.distiller.run_due()

    await how(harbor.memory)

    assert list((await shown(harbor, OTHER)).values()) == ["Always paint the crane green."]
    assert await shown(harbor, LATE) == {}
    assert "harbor" in await names(harbor)
    assert any("crane" in fact.text for fact in await do(harbor, "facts.list", project="harbor"))
    assert harbor.memory.clock.now_ms() < NOW + SINCE_S * 1000
