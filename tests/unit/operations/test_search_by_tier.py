"""Search with a second embedding on this machine: a real store, real processes, a model made for the test."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest

from memd.operations.answers import SearchAnswer
from memd.operations.catalog import OPERATIONS
from memd.operations.health import health
from memd.operations.memory import Memory
from memd.operations.search import search_all
from memd.operations.status import status
from memd.recall import embedding
from memd.recall.asking import NearProcess, Wanted
from memd.recall.near import Near
from memd.recall.semantic import Lane, StaticLane
from memd.recall.tier_lane import TierLane
from memd.recall.tiers import Tier
from memd.store.chosen import Chosen
from memd.store.facts import Connection
from memd.workers.pool import Workers
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.fake_tier import BROKEN

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")

PARAPHRASE = "duplicate each evening"  # the harbour's session says "copy it every night"
FAKE = Tier("fake", "fake:64", 64, 0.0, 4, ("numpy",), (), "fake_tier:Fake")


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now_ms(self) -> int:
        return int(self.seconds * 1000)

    def monotonic_s(self) -> float:
        return self.seconds


class Missing:
    """A lane that cannot run."""

    missing: str | None = "the package wordllama is not installed"
    problem: str | None = None

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        return None, self.missing

    async def embed_due(self) -> int:
        return 0


@dataclass(slots=True)
class Desk:
    """A memory with a tier."""

    lane: TierLane
    memory: Memory
    clock: Clock
    own: Workers

    async def find(self, query: str, kinds: tuple[str, ...] = ("messages",)) -> SearchAnswer:
        """Search as soon as the process that compares is ready."""
        with anyio.fail_after(120):
            while True:
                asked = {"query": query, "kinds": list(kinds), "explain": True}
                answer = await search_all.call(self.memory, asked)
                note = f": {answer.notes.get('semantic', '')}"
                if ": is still being made ready" not in note:
                    return answer

    async def vectors(self, table: str = "vectors") -> dict[str, int]:
        def counted(conn: Connection) -> dict[str, int]:
            return dict(conn.execute(f"SELECT model, count(*) FROM {table} WHERE length(signs) > 0 GROUP BY model"))

        return await self.memory.readers.run(counted)


@asynccontextmanager
async def desk(
    harbor: Harbor,
    *,
    tier: Tier = FAKE,
    static: Lane | None = None,
    query_s: float = 20.0,
    env: Mapping[str, str] | None = None,
) -> AsyncIterator[Desk]:
    parts, clock = harbor.memory, Clock()
    folders = (Path(__file__).parent,)
    async with (
        Workers(1) as asking,
        Workers(1, import_path=folders, env={**os.environ, **(env or {})}) as own,
        anyio.create_task_group() as group,
    ):
        process = NearProcess(parts.paths.database, asking)
        behind = static or StaticLane(process, parts.workers, parts.writer, parts.readers, tidies=False)
        lane = TierLane(tier, behind, process, own, parts.writer, parts.readers, clock, query_s=query_s)
        group.start_soon(process.serve)
        group.start_soon(lane.serve)
        yield Desk(lane, dataclasses.replace(parts, semantic=lane), clock, own)
        group.cancel_scope.cancel()


async def test_both_embeddings_speak_and_an_answer_tells_what_each_has_said(harbor: Harbor) -> None:
    async with desk(harbor) as made:
        assert await made.lane.embed_due() > 0
        assert await made.lane.embed_due() == 0
        answer = await made.find(PARAPHRASE)
        again = await made.find(PARAPHRASE)
        counts, of_facts = await made.vectors(), await made.vectors("fact_vectors")
        sound = {check.name: check.ok for check in (await health.call(made.memory, {})).checks}

    assert answer == again
    assert answer.notes == {}
    assert answer.lanes == ("messages", "semantic", "calls")
    assert "copy it every night" in answer.hits[0].text
    assert answer.hits[0].lanes == ("semantic",)
    assert answer.hits[0].why["tier"] > 0
    assert counts[embedding.MODEL] == counts["fake:64"] > 0
    assert of_facts[embedding.MODEL] == of_facts["fake:64"] > 0
    assert made.lane.problem is None
    assert sound["vectors"]
    assert sound["models"]


async def test_a_fact_is_found_by_what_it_means_to_the_second_embedding(harbor: Harbor) -> None:
    remember = OPERATIONS["facts.remember"].call
    wanted = await remember(harbor.memory, {"text": "Take a copy of the charts every night", "project": "harbor"})
    await remember(harbor.memory, {"text": "Bread is baked at four in the morning", "project": "harbor"})
    async with desk(harbor) as made:
        await made.lane.embed_due()
        answer = await made.find(PARAPHRASE, ("facts",))

    assert answer.hits[0].id == wanted.fact.id
    assert answer.hits[0].lanes == ("semantic",)


async def test_how_sure_an_answer_is_goes_by_the_embedding_that_is_nearer(harbor: Harbor) -> None:
    async with desk(harbor) as made:
        await made.lane._static.embed_due()
        by_one = await made.find(PARAPHRASE)
        await made.lane.embed_due()
        by_both = await made.find(PARAPHRASE)
        near, _ = await made.lane.near(PARAPHRASE, Wanted(Chosen()))

    assert near is not None
    assert near.tier is not None
    nearest = max(cosine for one in (near, near.tier) for _, _, cosine in one.messages)
    assert by_both.grounds["cosine"] == pytest.approx(nearest, abs=1e-3)
    assert by_both.grounds["cosine"] >= by_one.grounds["cosine"]


async def test_until_all_its_vectors_are_there_the_static_one_answers_alone_and_says_so(harbor: Harbor) -> None:
    async with desk(harbor) as made:
        await made.lane._static.embed_due()
        early = await made.find("tides")
        assert made.own.status().started == 0

    assert "semantic" in early.lanes
    assert early.notes["semantic"] == "without fake: its vectors are being made (0%)"


async def test_a_question_does_not_wait_for_a_slow_model_and_finds_its_vector_when_it_is_asked_again(
    harbor: Harbor,
) -> None:
    async with desk(harbor, query_s=0.05) as made:
        await made.lane.embed_due()
        await made.find("sqlite tides")  # what compares is ready
        first = await made.find("slow sqlite tides")
        process = made.own.status().processes
        with anyio.fail_after(120):
            while (later := await made.find("slow sqlite tides")).notes:
                pass
        assert made.own.status().processes == process  # nobody who gave up has ended it

    assert first.hits
    assert first.notes["semantic"] == "without fake: it is still being made ready; ask again in a moment"
    assert later.notes == {}


async def test_a_text_on_which_the_model_dies_goes_without_and_the_others_have_theirs(harbor: Harbor) -> None:
    await OPERATIONS["facts.remember"].call(harbor.memory, {"text": "The lighthouse is painted", "project": "harbor"})
    async with desk(harbor, env={"FAKE_TIER_DIES": "1"}) as made:
        await made.lane.embed_due()
        assert await made.lane.embed_due() == 0
        of_facts, answer = await made.vectors("fact_vectors"), await made.find(PARAPHRASE)

    assert 0 < of_facts["fake:64"] < of_facts[embedding.MODEL]
    assert answer.notes == {}
    assert made.lane.problem is None


async def test_a_model_that_cannot_be_loaded_is_named_left_alone_for_a_while_and_taken_up_later(
    harbor: Harbor, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    broken.touch()
    async with desk(harbor, env={BROKEN: str(broken)}) as made:
        await made.lane.embed_due()
        started = made.own.status().failures
        await made.lane.embed_due()
        assert made.own.status().failures == started
        found = await made.find("sqlite tides")
        degraded = (await status.call(made.memory, {})).degraded
        assert "fake:64" not in await made.vectors()
        broken.unlink()
        made.clock.seconds += 6
        await made.lane.embed_due()
        later = await made.find(PARAPHRASE)

    assert found.hits
    assert found.notes["semantic"].startswith("without fake: ")
    assert any("search.tier names, fake, is not used" in line and "ValueError" in line for line in degraded)
    assert later.notes == {}
    assert made.lane.problem is None


async def test_a_package_that_is_not_there_is_named_in_one_sentence_and_search_goes_on(harbor: Harbor) -> None:
    absent = dataclasses.replace(FAKE, packages=("numpy", "not_there"))
    async with desk(harbor, tier=absent) as made:
        await made.lane.embed_due()
        answer = await made.find(PARAPHRASE)
        degraded = (await status.call(made.memory, {})).degraded
        assert made.own.status().started == 0

    assert "semantic" in answer.lanes
    assert answer.notes["semantic"].startswith("without fake: the package not_there is not installed")
    (told,) = [line for line in degraded if "search.tier" in line]
    assert told == f"The embedding that search.tier names, fake, is not used: {absent.missing}."


async def test_without_the_static_embedding_the_second_one_answers_alone(harbor: Harbor) -> None:
    async with desk(harbor, static=Missing()) as made:
        await made.lane.embed_due()
        answer = await made.find(PARAPHRASE)

    assert "copy it every night" in answer.hits[0].text
    assert answer.hits[0].lanes == ("semantic",)
    assert "wordllama" in answer.notes["semantic"]


async def test_vectors_of_a_tier_that_was_switched_off_are_let_go_and_made_anew_when_it_comes_back(
    harbor: Harbor,
) -> None:
    async with desk(harbor) as made:
        await made.lane.embed_due()
        before = await made.vectors()
    parts = harbor.memory
    async with Workers(1) as asking:
        process = NearProcess(parts.paths.database, asking)
        await StaticLane(process, parts.workers, parts.writer, parts.readers).embed_due()
    async with desk(harbor) as made:
        between = await made.vectors()
        await made.lane.embed_due()
        after = await made.vectors()

    assert before == after
    assert before.keys() == {embedding.MODEL, "fake:64"}
    assert between == {embedding.MODEL: before[embedding.MODEL]}
