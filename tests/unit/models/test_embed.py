from __future__ import annotations

import json
import time
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.config import EmbedConfig
from memd.errors import EmbedFailed, EmbedMisconfigured
from memd.models.embed import HttpEmbedder, configured, vectors
from tests.unit.models.local_endpoint import answering, embeddings, meaning


def embedder(config: EmbedConfig, env: dict[str, str] | None = None) -> HttpEmbedder:
    made = configured(config, env or {})
    assert made is not None
    return made


def row(*parts: float) -> list[float]:
    return [*parts, *([0.5] * (8 - len(parts)))]


async def test_an_openai_endpoint_is_asked_in_its_own_form_and_vectors_come_in_the_order_of_the_texts() -> None:
    with answering(embeddings()) as endpoint:
        config = EmbedConfig(api="openai", url=endpoint.url + "/v1/", name="tiny", key_env="KEY", dimensions=64)
        asked = embedder(config, {"KEY": "k-1"})
        content = await asked.ask(["one", "two", "three"], "document")
        await asked.close()
    assert vectors("openai", content, 3) == [meaning("one"), meaning("two"), meaning("three")]
    path, headers, body = endpoint.asked[0]
    assert path == "/v1/embeddings"
    assert headers["authorization"] == "Bearer k-1"
    assert body == {"model": "tiny", "input": ["one", "two", "three"], "dimensions": 64}


async def test_voyage_is_told_what_the_texts_are_for() -> None:
    with answering(embeddings()) as endpoint:
        asked = embedder(EmbedConfig(api="voyage", url=endpoint.url, name="v-code", dimensions=512))
        content = await asked.ask(["what?"], "query")
        await asked.close()
    assert vectors("voyage", content, 1) == [meaning("what?")]
    body = endpoint.asked[0][2]
    assert body == {"model": "v-code", "input": ["what?"], "input_type": "query", "output_dimension": 512}


async def test_gemini_is_asked_in_its_own_form() -> None:
    with answering({"embeddings": [{"values": row(1)}, {"values": row(2)}]}) as endpoint:
        config = EmbedConfig(api="gemini", url=endpoint.url, name="g-1", key_env="KEY", dimensions=768)
        asked = embedder(config, {"KEY": "k-3"})
        content = await asked.ask(["a", "b"], "document")
        await asked.close()
    assert vectors("gemini", content, 2) == [row(1), row(2)]
    path, headers, body = endpoint.asked[0]
    assert path == "/models/g-1:batchEmbedContents"
    assert headers["x-goog-api-key"] == "k-3"
    assert body["requests"][1] == {
        "model": "models/g-1",
        "content": {"parts": [{"text": "b"}]},
        "taskType": "RETRIEVAL_DOCUMENT",
        "outputDimensionality": 768,
    }


async def test_without_a_key_or_dimensions_none_are_sent_and_strange_texts_can_be() -> None:
    with answering(embeddings()) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name="local"))
        await asked.ask(["", "half \ud800", "潮汐"], "document")
        await asked.close()
    _, headers, body = endpoint.asked[0]
    assert "authorization" not in headers
    assert body == {"model": "local", "input": [" ", "half ?", "潮汐"]}


@pytest.mark.parametrize(
    ("name", "query", "document"),
    [
        ("nomic-embed-text:latest", "search_query: x", "search_document: x"),
        ("text-embedding-nomic-embed-text-v1.5@q8_0", "search_query: x", "search_document: x"),
        ("intfloat/multilingual-e5-small", "query: x", "passage: x"),
        ("mxbai-embed-large", "Represent this sentence for searching relevant passages: x", "x"),
        ("snowflake-arctic-embed2", "query: x", "x"),
        ("embeddinggemma:300m", "task: search result | query: x", "title: none | text: x"),
        ("bge-m3", "x", "x"),
        ("all-minilm", "x", "x"),
        ("text-embedding-3-small", "x", "x"),
    ],
)
async def test_a_model_gets_the_words_that_its_maker_wants_before_a_text(name: str, query: str, document: str) -> None:
    with answering(embeddings()) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name=name))
        await asked.ask(["x"], "query")
        await asked.ask(["x"], "document")
        await asked.close()
    assert [body["input"] for _, _, body in endpoint.asked] == [[query], [document]]
    assert asked.stamp.endswith("+prefix") == (query != "x")


async def test_what_cannot_be_had_is_one_failure_that_names_the_endpoint_and_tells_whose_fault_it_is() -> None:
    with answering({"error": "no"}, 404) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name="tiny"))
        with pytest.raises(EmbedFailed, match=r"127\.0\.0\.1.*status 404") as missing:
            await asked.ask(["a"], "query")
        endpoint.status = 413
        with pytest.raises(EmbedFailed, match="status 413") as long:
            await asked.ask(["a"], "query")
        await asked.close()
    with pytest.raises(EmbedFailed) as gone:
        await asked.ask(["a"], "query")
    await asked.close()
    assert [failure.value.refused for failure in (missing, long, gone)] == [False, True, False]


async def test_a_name_that_no_json_can_hold_is_a_failure_and_nothing_is_sent() -> None:
    with answering(embeddings()) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name="tiny\udcff"))
        with pytest.raises(EmbedFailed, match="no JSON"):
            await asked.ask(["a"], "query")
        await asked.close()
    assert endpoint.asked == []


async def test_questions_at_the_same_time_are_all_answered() -> None:
    async def ask(asked: HttpEmbedder, text: str) -> None:
        got[text] = vectors("openai", await asked.ask([text], "query"), 1)[0]

    got: dict[str, list[float]] = {}
    with answering(embeddings()) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name="tiny"))
        async with anyio.create_task_group() as group:
            for number in range(6):
                group.start_soon(ask, asked, f"text {number}")
        await asked.close()
    assert got == {f"text {number}": meaning(f"text {number}") for number in range(6)}


async def test_an_answer_that_does_not_come_is_not_waited_for() -> None:
    def slowly(body: Any) -> object:
        time.sleep(0.5)
        return {}

    with answering(slowly) as endpoint:
        asked = embedder(EmbedConfig(api="openai", url=endpoint.url, name="tiny"))
        with pytest.raises(EmbedFailed, match=r"within 0\.05 s"):
            await asked.ask(["a"], "query", timeout_s=0.05)
        await asked.close()


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ({"data": []}, "0 vectors for 1"),
        ({"data": [{"embedding": row(1)}, {"embedding": row(2)}]}, "2 vectors for 1"),
        ({"data": [{"index": 3, "embedding": row(1)}]}, "form"),
        ({"data": [{"index": [], "embedding": row(1)}]}, "form"),
        ({"data": [{"embedding": "AAAA"}]}, "form"),
        ({"data": [{"embedding": [0.5]}]}, "1 dimensions"),
        ({"data": [{"embedding": row(1e300)}]}, "no number"),
        ({"data": [{"embedding": [*row(1), None]}]}, "no number"),
        ({"data": [{"embedding": [True] * 8}]}, "no number"),
        ({"data": [{"embedding": [0] * 8}]}, "zeros"),
        ({"data": None}, "form"),
        ([], "form"),
    ],
)
def test_an_answer_that_is_none_is_told_by_what_is_wrong_with_it(answer: object, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        vectors("openai", json.dumps(answer).encode(), 1)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(
        st.sampled_from(["data", "embeddings", "embedding", "values", "index", "x"]), inner, max_size=4
    ),
    max_leaves=30,
)  # fmt: skip


@given(anything.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=40), st.integers(1, 3))
def test_whatever_is_answered_is_vectors_of_one_length_or_said_to_be_none(content: bytes, count: int) -> None:
    for api in ("openai", "voyage", "gemini"):
        try:
            found = vectors(api, content, count)
        except ValueError:
            continue
        assert len(found) == count
        assert len({len(one) for one in found}) == 1


def test_without_an_api_nothing_is_asked() -> None:
    assert configured(EmbedConfig(name="tiny", url="http://localhost:1"), {}) is None


@pytest.mark.parametrize(
    ("config", "named"),
    [
        (EmbedConfig(api="voyage"), "embed.name"),
        (EmbedConfig(api="openai", name="m", key_env="NOT_THERE"), "NOT_THERE that embed.key_env"),
        (EmbedConfig(api="gemini", name="m", key_file="/nowhere/key"), "embed.key_file"),
    ],
)
def test_an_embedding_that_cannot_be_asked_is_named_with_what_is_wrong(config: EmbedConfig, named: str) -> None:
    with pytest.raises(EmbedMisconfigured, match=named):
        configured(config, {})
