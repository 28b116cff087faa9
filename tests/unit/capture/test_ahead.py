from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from memd.capture.ahead import ahead


async def answer() -> int:
    await anyio.lowlevel.checkpoint()
    return 42


async def fail() -> int:
    raise LookupError("ahead")


async def test_work_goes_on_beside_the_block() -> None:
    async with ahead(answer, wanted=True) as following:
        assert following.result() is None
        await anyio.sleep(0.01)
        assert following.result() == 42
    assert following.result() == 42


async def test_unwanted_work_is_not_begun() -> None:
    async with ahead(fail, wanted=False) as following:
        pass
    assert following.result() is None


async def test_trouble_is_raised_where_the_result_is_asked_for() -> None:
    async with ahead(fail, wanted=True) as following:
        await anyio.sleep(0.01)
    with pytest.raises(LookupError, match="ahead"):
        following.result()


async def test_trouble_of_the_block_ends_the_work_and_is_raised_as_it_is() -> None:
    ended = anyio.Event()

    async def forever() -> int:
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()
        return 0

    async def block() -> None:
        async with ahead(forever, wanted=True):
            await anyio.lowlevel.checkpoint()
            raise LookupError("block")

    with pytest.raises(LookupError, match="block"):
        await block()
    assert ended.is_set()
