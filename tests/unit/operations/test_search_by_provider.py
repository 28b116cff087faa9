"""Search with an embedding that is asked over HTTP: a real endpoint on this machine, a real store, real processes."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import pytest

from memd.config import EmbedConfig
from memd.models.embed import configured
from memd.operations.answers import SearchAnswer
from memd.operations.indexes import index_status, rebuild
from memd.operations.memory import Memory
from memd.operations.search import search_all
from memd.operations.status import status
from memd.recall import embedding
from memd.recall.asking import NearProcess
from memd.recall.provider import ProviderLane
from memd.recall.semantic import StaticLane
from memd.store.facts import Connection
from memd.workers.pool import Workers
from tests.unit.models.local_endpoint import Endpoint, Status, answering, embeddings, meaning
from tests.unit.operations.conftest import Harbor

pytestmark = pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")

PARAPHRASE = "duplicate each evening"  # the harbour's session says "copy it every night"


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now_ms(self) -> int:
        return int(self.seconds * 1000)

    def monotonic_s(self) -> float:
        return self.seconds


@dataclass(slots=True)
class Desk:
    """A memory that asks a provider."""

    lane: ProviderLane
    memory: Memory
    clock: Clock

    async def find(self, query: str) -> SearchAnswer:
        """Search as soon as the process that answers is ready."""
        with anyio.fail_after(120):
            while True:
                answer = await search_all.call(self.memory, {"query": query, "kinds": ["messages"]})
                if "made ready" not in answer.notes.get("semantic", ""):
                    return answer

    async def vectors(self) -> dict[str, int]:
        def counted(conn: Connection) -> dict[str, int]:
            return dict(conn.execute("SELECT model, count(*) FROM vectors GROUP BY model"))

        return await self.memory.readers.run(counted)


@asynccontextmanager
async def desk(harbor: Harbor, endpoint: Endpoint, name: str = "tiny", query_s: float = 20.0) -> AsyncIterator[Desk]:
    parts, clock = harbor.memory, Clock()
    embedder = configured(EmbedConfig(api="openai", url=endpoint.url, name=name, timeout_s=20), {})
    assert embedder is not None
    async with Workers(1) as asking, anyio.create_task_group() as group:
        process = NearProcess(parts.paths.database, asking)
        static = StaticLane(process, parts.workers, parts.writer, parts.readers, tidies=False)
        lane = ProviderLane(
            embedder, static, process, parts.workers, parts.writer, parts.readers, clock, query_s=query_s
        )
        group.start_soon(process.serve)
        yield Desk(lane, dataclasses.replace(parts, semantic=lane), clock)
        group.cancel_scope.cancel()
    await embedder.close()


async def test_a_providers_vectors_find_what_shares_no_word(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            assert await made.lane.embed_due() > 0
            assert await made.lane.embed_due() == 0
            answer = await made.find(PARAPHRASE)
            asked = len(endpoint.asked)
            again = await made.find(PARAPHRASE)
            counts = await made.vectors()
            shown = await index_status.call(made.memory, {})

    assert answer == again
    assert shown.vectors == counts
    assert len(endpoint.asked) == asked  # the vector of a question is remembered
    assert answer.notes == {}
    assert answer.lanes == ("messages", "semantic", "calls")
    assert "copy it every night" in answer.hits[0].text
    assert counts["openai/tiny:64"] == counts[embedding.MODEL] > 0
    assert made.lane.problem is None


async def test_a_secret_in_a_question_is_not_sent(harbor: Harbor) -> None:
    secret = "ghp_" + "x7Kq9" * 7 + "z"
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            await made.lane.embed_due()
            answer = await made.find(f"where is {secret} used")

    assert answer.notes == {}
    assert "where is" in endpoint.asked[-1][2]["input"][0]
    assert secret not in endpoint.asked[-1][2]["input"][0]


async def test_until_all_vectors_are_there_the_static_embedding_answers_and_says_so(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            early = await made.find("tides")
            assert "semantic" in early.lanes
            assert early.notes["semantic"].startswith("by the static embedding")
            assert endpoint.asked == []


async def test_a_provider_that_goes_away_is_not_asked_again_for_a_while_and_is_shown(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            await made.lane.embed_due()
            endpoint.status = 503
            first = await made.find("sqlite tides")
            asked = len(endpoint.asked)
            second = await made.find("lighthouse")
            degraded = (await status.call(made.memory, {})).degraded
            endpoint.status = 200
            made.clock.seconds += 6
            third = await made.find("sqlite tides")

    assert first.hits
    assert all("static embedding" in one.notes["semantic"] for one in (first, second))
    assert "status 503" in first.notes["semantic"]
    assert len(endpoint.asked) == asked + 1
    assert any("status 503" in line for line in degraded)
    assert third.notes == {}
    assert made.lane.problem is None


async def test_a_question_does_not_wait_for_a_slow_provider(harbor: Harbor) -> None:
    answer = embeddings()

    def slow_with_questions(body: Any) -> object:
        if body["input"] == ["sqlite tides"]:
            time.sleep(1)
        return answer(body)

    with answering(slow_with_questions) as endpoint:
        async with desk(harbor, endpoint, query_s=0.05) as made:
            await made.lane.embed_due()
            found = await made.find("sqlite tides")

    assert found.hits
    assert "did not answer within 0.05 s" in found.notes["semantic"]


WORTHLESS = {
    "an error": Status(500),
    "a wrong address": Status(404),
    "a redirection": Status(302),
    "a refusal of everything": Status(400),
    "no JSON": b"<html>",
    "nothing": b"",
    "JSON of another form": {"vectors": []},
    "fewer vectors than texts": {"data": []},
    "vectors of zeros": {"data": [{"index": place, "embedding": [0.0] * 64} for place in range(8)]},
    "numbers beyond all": {"data": [{"index": place, "embedding": [1e308] * 64} for place in range(8)]},
    "words for numbers": {"data": [{"index": place, "embedding": ["x"] * 64} for place in range(8)]},
    "a far too long answer": b"[" + b"1," * (9 << 20),
}


async def test_whatever_a_provider_answers_search_goes_on_by_words_and_all_comes_right_later(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        good = endpoint.answer
        async with desk(harbor, endpoint) as made:
            for name, answer in WORTHLESS.items():
                endpoint.answer = lambda _, answer=answer: answer
                await made.lane.embed_due()
                found = await made.find("sqlite tides")
                assert found.hits, name
                assert found.notes["semantic"].startswith("by the static embedding"), name
                assert made.lane.problem is not None, name
                assert "openai/tiny:64" not in await made.vectors(), name
                made.clock.seconds += 1_000
            endpoint.answer = good
            await made.lane.embed_due()
            assert (await made.find(PARAPHRASE)).notes == {}
            for name, answer in WORTHLESS.items():
                endpoint.answer = lambda _, answer=answer: answer
                found = await made.find(f"sqlite tides {name}")
                assert found.hits, name
                assert found.notes["semantic"].startswith("by the static embedding"), name
                made.clock.seconds += 1_000
            endpoint.answer = good
            assert (await made.find(f"{PARAPHRASE} please")).notes == {}
            assert made.lane.problem is None


async def test_another_model_takes_the_place_of_the_one_before(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            await made.lane.embed_due()
            before = await made.vectors()
        endpoint.answer = embeddings(96)
        async with desk(harbor, endpoint, "large") as made:
            await made.lane.embed_due()
            answer = await made.find(PARAPHRASE)
            after = await made.vectors()

    assert before.keys() == {embedding.MODEL, "openai/tiny:64"}
    assert after.keys() == {embedding.MODEL, "openai/large:96"}
    assert after[embedding.MODEL] == before[embedding.MODEL]
    assert "copy it every night" in answer.hits[0].text


async def test_vectors_are_counted_and_then_worked_out_anew_while_search_goes_on(harbor: Harbor) -> None:
    async def numbers(made: Desk) -> list[int]:
        return await made.memory.readers.run(lambda conn: [row for (row,) in conn.execute("SELECT id FROM vectors")])

    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            settings = EmbedConfig(api="openai", url=endpoint.url, name="tiny")
            memory = dataclasses.replace(made.memory, config=dataclasses.replace(made.memory.config, embed=settings))
            await made.lane.embed_due()
            before, kept = await index_status.call(memory, {}), await numbers(made)
            unused = await index_status.call(made.memory, {})
            counted = await rebuild.call(memory, {"index": "vectors", "dry_run": True})
            assert await numbers(made) == kept

            begun = await rebuild.call(memory, {"index": "vectors"})
            found = await made.find("copy it every night")
            await made.lane.embed_due()
            done, new = await index_status.call(memory, {}), await numbers(made)

    everything = sum(before.vectors.values()) + sum(before.fact_vectors.values())
    assert set(before.done.items()) == {(embedding.MODEL, 1.0), ("openai/tiny:64", 1.0)}
    assert (before.stale, counted.anew, begun.anew) == (0, everything, everything)
    assert unused.stale == before.vectors["openai/tiny:64"] + before.fact_vectors["openai/tiny:64"]
    assert set(begun.done.values()) == {0.0}
    assert "copy it every night" in found.hits[0].text
    assert (done.vectors, done.fact_vectors, done.done) == (before.vectors, before.fact_vectors, before.done)
    assert not set(new) & set(kept)


async def test_a_model_that_changes_behind_its_name_is_met_anew(harbor: Harbor) -> None:
    with answering(embeddings()) as endpoint:
        async with desk(harbor, endpoint) as made:
            await made.lane.embed_due()
            endpoint.answer = embeddings(128)
            answer = await made.find(PARAPHRASE)
            assert "128 dimensions and had 64" in answer.notes["semantic"]
            made.clock.seconds += 1_000
            await made.lane.embed_due()
            assert (await made.find(PARAPHRASE)).notes == {}
            assert (await made.vectors()).keys() == {embedding.MODEL, "openai/tiny:128"}


async def test_a_model_that_changes_behind_its_name_and_length_is_noticed_when_memd_starts(harbor: Harbor) -> None:
    def other(body: Any) -> object:
        rows = [
            {"embedding": [part * (-1) ** place for place, part in enumerate(meaning(text))]} for text in body["input"]
        ]
        return {"data": rows}

    async def newest(made: Desk) -> int:
        return int(await made.memory.readers.run(
            lambda conn: conn.execute("SELECT min(id) FROM vectors WHERE model = 'openai/tiny:64'").fetchone()[0]
        ))  # fmt: skip

    with answering(embeddings()) as endpoint:
        firsts = []
        for answer in (embeddings(), embeddings(), other):
            endpoint.answer = answer
            async with desk(harbor, endpoint) as made:
                await made.lane.embed_due()
                firsts.append(await newest(made))
                found = await made.find(PARAPHRASE)
                assert "copy it every night" in found.hits[0].text

    assert firsts[0] == firsts[1] < firsts[2]


async def test_a_text_that_is_refused_goes_without_and_is_counted_while_the_others_have_theirs(harbor: Harbor) -> None:
    answer = embeddings()

    def choosy(body: Any) -> object:
        return Status(413) if any("every night" in text for text in body["input"]) else answer(body)

    with answering(choosy) as endpoint:
        async with desk(harbor, endpoint) as made:
            await made.lane.embed_due()
            counts = await made.vectors()
            degraded = (await status.call(made.memory, {})).degraded

    assert counts["openai/tiny:64"] == counts[embedding.MODEL] - 1
    assert any("refused the texts of 1 message" in line for line in degraded)
