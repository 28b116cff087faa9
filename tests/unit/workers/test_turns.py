from __future__ import annotations

import anyio
import pytest

from memd.workers.turns import Priority, Turns


async def held(turns: Turns, priority: Priority, name: str, order: list[str], release: anyio.Event) -> None:
    async with turns.turn(priority):
        order.append(name)
        await release.wait()


async def test_the_foreground_goes_before_what_waited_longer() -> None:
    turns, order, release = Turns(1), list[str](), anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(held, turns, Priority.BACKGROUND, "first", order, release)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(held, turns, Priority.BACKGROUND, "backfill", order, release)
        await anyio.wait_all_tasks_blocked()
        group.start_soon(held, turns, Priority.NORMAL, "ended", order, release)
        group.start_soon(held, turns, Priority.FOREGROUND, "hook", order, release)
        await anyio.wait_all_tasks_blocked()
        release.set()
    assert order == ["first", "hook", "ended", "backfill"]


async def test_background_work_leaves_the_last_place_free() -> None:
    turns, order, release = Turns(2), list[str](), anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(held, turns, Priority.BACKGROUND, "one", order, release)
        group.start_soon(held, turns, Priority.BACKGROUND, "two", order, release)
        await anyio.wait_all_tasks_blocked()
        assert order == ["one"]
        group.start_soon(held, turns, Priority.FOREGROUND, "hook", order, release)
        await anyio.wait_all_tasks_blocked()
        assert order == ["one", "hook"]
        release.set()
    assert order == ["one", "hook", "two"]


async def test_who_gives_up_waiting_takes_no_place() -> None:
    turns, order, release = Turns(1), list[str](), anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(held, turns, Priority.NORMAL, "first", order, release)
        await anyio.wait_all_tasks_blocked()
        with anyio.move_on_after(0):
            async with turns.turn(Priority.FOREGROUND):
                pytest.fail("there was no place")
        release.set()
        await anyio.wait_all_tasks_blocked()
        with anyio.fail_after(120):
            async with turns.turn(Priority.BACKGROUND):
                pass
    assert order == ["first"]


def test_a_pool_without_places_is_refused() -> None:
    with pytest.raises(ValueError, match="there must be a place"):
        Turns(0)
