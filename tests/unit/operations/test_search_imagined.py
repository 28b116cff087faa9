"""A model may imagine an answer that is looked for as well: off it is not asked, on it takes no longer than it may."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass, field

import anyio
import pytest

from memd.errors import ModelFailed
from memd.models.chat import Answer
from memd.operations.answers import SearchAnswer
from memd.operations.search import search_all
from memd.recall.asking import Wanted
from memd.recall.imagining import Imagining
from memd.recall.near import Near
from memd.store import meta
from tests.unit.operations.conftest import FrozenClock, Harbor


@dataclass
class Told:
    """A model that answers with what it was given, after a while."""

    text: str = "The backup is copied each evening"
    wait_s: float = 0.0
    fails: bool = False
    asked: list[str] = field(default_factory=list)

    async def ask(self, system: str, question: str, max_tokens: int) -> Answer:
        self.asked.append(question)
        await anyio.sleep(self.wait_s)
        if self.fails:
            raise ModelFailed("http://localhost", "it is asleep")
        return Answer(self.text, 40)


@dataclass
class NearLane:
    """A lane that finds one message for each text it is told of."""

    found: dict[str, Near]
    missing: str | None = None
    problem: str | None = None

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        return self.found.get(query, Near()), None

    async def embed_due(self) -> int:
        return 0


async def ask(harbor: Harbor, told: Told | None, *, wait_ms: int = 2_000, tokens: int = 10_000) -> SearchAnswer:
    parts = harbor.memory
    row, session = await parts.readers.run(
        lambda conn: conn.execute("SELECT id, session_id FROM messages WHERE text LIKE '%every night%'").fetchone()
    )
    lane = NearLane({"The backup is copied each evening": Near(((row, session, 0.8),))})
    imagining = Imagining(told, wait_ms, tokens, parts.writer, parts.readers, FrozenClock()) if told else None
    memory = dataclasses.replace(parts, semantic=lane, imagining=imagining)
    return await search_all.call(memory, {"query": "redundancy", "kinds": ["messages"]})


async def test_switched_off_nobody_is_asked_and_nothing_is_looked_for(harbor: Harbor) -> None:
    answer = await ask(harbor, None)

    assert "imagined" not in answer.lanes
    assert answer.hits == ()


async def test_what_is_near_to_an_imagined_answer_is_found_and_the_input_named(harbor: Harbor) -> None:
    told = Told()

    answer = await ask(harbor, told)

    assert answer.lanes[-1] == "imagined"
    assert "copy it every night" in answer.hits[0].text
    assert told.asked == ["redundancy"]
    assert "backup is copied" not in repr(answer.hits)
    spent = await harbor.memory.readers.run(lambda conn: meta.get(conn, "model.spent"))
    assert spent is None or spent.endswith(" 40")


async def test_a_model_that_takes_too_long_is_not_waited_for(harbor: Harbor) -> None:
    began = time.monotonic()

    answer = await ask(harbor, Told(wait_s=60), wait_ms=50)

    assert time.monotonic() - began < 30
    assert "imagined" not in answer.lanes
    assert answer.notes["imagined"] == "the model took longer than 50 ms"


@pytest.mark.parametrize(
    ("told", "tokens", "why"),
    [
        (Told(fails=True), 10_000, "it is asleep"),
        (Told(text=" "), 10_000, "the model said nothing"),
        (Told(), 10, "today's budget of 10 tokens for the model is used up"),
    ],
)
async def test_where_nothing_is_imagined_the_answer_says_why(harbor: Harbor, told: Told, tokens: int, why: str) -> None:
    answer = await ask(harbor, told, tokens=tokens)

    assert why in answer.notes["imagined"]
    assert "imagined" not in answer.lanes
