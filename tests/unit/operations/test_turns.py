"""A session that goes on is distilled when it pauses after some prompts, if that is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate, Source
from memd.distill.distiller import Distiller
from memd.store import sessions
from memd.store.ingest import Prepared, store_batch
from tests.unit.operations.conftest import HOST, NOW, Harbor

NATIVE = "0a11ce00-0000-4000-8000-00000000000f"
RULES = (3, 20, 8)


@dataclass(slots=True)
class Clock:
    """A clock that a test sets."""

    now: int = NOW

    def now_ms(self) -> int:
        return self.now

    def monotonic_s(self) -> float:
        return self.now / 1000


class Going:
    """A session that goes on, with the distiller that watches it."""

    def __init__(self, harbor: Harbor) -> None:
        self.memory = harbor.memory
        self.root = harbor.root
        self.clock = Clock()
        self.said = 0
        self.restart()

    def restart(self) -> None:
        self.distiller = Distiller(self.memory.workers, self.memory.writer, self.memory.readers, self.clock)

    async def say(self, *texts: str) -> None:
        parts = []
        for text in texts:
            self.said += 1
            self.clock.now += 1000
            name = f"t{self.said}"
            parts.append(
                MessagePart(
                    session=NATIVE, message=name, part=name, seq=self.said, role="user", kind="prompt",
                    at=self.clock.now, text=text,
                )
            )  # fmt: skip

        def write(conn: Any) -> None:
            events: tuple[Event, ...] = (SessionUpdate(NATIVE, cwd=str(self.root)), *parts)
            batch = Batch(events, Cursor(offset=self.said, size=self.said))
            source = Source(HOST, Path(f"/home/ada/.claude/projects/-harbor/{NATIVE}.jsonl"), NATIVE)
            store_batch(conn, source, Prepared(batch, tuple("" for _ in events)), self.clock.now)

        await self.memory.writer.run(write)

    async def after(self, seconds: int) -> int:
        """Return how many sessions are distilled when nothing was said for so long."""
        self.clock.now += seconds * 1000
        return await self.distiller.run_paused(*RULES)


@pytest.fixture
async def going(harbor: Harbor) -> Going:
    return Going(harbor)


async def test_three_turns_and_a_pause_are_distilled_once(going: Going) -> None:
    await going.say("Where is the tide table?", "And the lamp list?", "Always run `make tide` before you commit.")
    assert await going.after(5) == 0
    assert await going.after(16) == 1
    assert await going.after(60) == 0


async def test_two_turns_wait_for_the_end_whatever_the_pause(going: Going) -> None:
    await going.say("Where is the tide table?", "And the lamp list?")
    assert await going.after(600) == 0


async def test_eight_turns_are_distilled_without_a_pause(going: Going) -> None:
    await going.say(*(f"Where is the list of pier {number}?" for number in range(7)))
    assert await going.after(0) == 0
    await going.say("And that of pier 8?")
    assert await going.after(0) == 1
    assert await going.after(0) == 0


async def test_a_restart_between_turns_loses_none(going: Going) -> None:
    await going.say("Always run `make tide` before you commit.", "And the lamp list?")
    going.restart()
    await going.say("Where is the tide table?")
    assert await going.after(21) == 1
    found = await going.memory.readers.run(lambda conn: sessions.by_native(conn, HOST, NATIVE))
    assert found is not None
    transcript = await going.memory.readers.run(lambda conn: sessions.transcript(conn, found.id))
    assert len(transcript.messages) == 3


async def test_history_that_is_read_is_no_session_that_goes_on(going: Going) -> None:
    await going.say("Where is the tide table?", "And the lamp list?", "Always run `make tide` before you commit.")
    assert await going.after(2 * 3600) == 0
