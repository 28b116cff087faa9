"""An embedding endpoint: texts go, vectors come, over HTTP.

Three wire formats cover what there is:

* `openai`: POST {url}/embeddings, as OpenAI, Ollama, LM Studio, llama.cpp and vLLM speak it
  (https://platform.openai.com/docs/api-reference/embeddings/create)
* `voyage`: the same with `input_type` and `output_dimension` (https://docs.voyageai.com/reference/embeddings-api)
* `gemini`: POST {url}/models/{name}:batchEmbedContents (https://ai.google.dev/api/embeddings)

Most models want a question told from what is searched. Voyage and Gemini take that as a parameter; for the models one
runs oneself it is words before the text, which their makers' cards name (`_PREFIXES`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import orjson

from memd.config import EmbedConfig
from memd.errors import EmbedFailed, EmbedMisconfigured
from memd.models.endpoint import Endpoint, NoAnswer, NotSet, secret

Use: TypeAlias = Literal["query", "document"]

_DEFAULT_URLS: Final = {
    "openai": "https://api.openai.com/v1",
    "voyage": "https://api.voyageai.com/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta",
}
_TASKS: Final[Mapping[Use, str]] = {"query": "RETRIEVAL_QUERY", "document": "RETRIEVAL_DOCUMENT"}
_MAX_ANSWER_BYTES: Final = 16 << 20
_DIMENSIONS: Final = range(8, 8_193)
_LARGEST: Final = 1e9
_PASSAGES: Final = "Represent this sentence for searching relevant passages: "
_PREFIXES: Final = (
    ("nomic-embed", "search_query: ", "search_document: "),
    ("embeddinggemma", "task: search result | query: ", "title: none | text: "),
    ("e5-(small|base|large)-?(v2)?$", "query: ", "passage: "),
    ("mxbai-embed", _PASSAGES, ""),
    ("bge-(small|base|large)-en", _PASSAGES, ""),
    ("arctic-embed(2|-[ml]-v2)", "query: ", ""),
    ("arctic-embed", _PASSAGES, ""),
    ("qwen3-embedding", "Instruct: Given a question, retrieve passages that answer it\nQuery: ", ""),
)
"""What a model's name looks like, and what it wants before a question and before what is searched."""


@dataclass(frozen=True, slots=True)
class HttpEmbedder:
    """An embedding over HTTP. `dimensions` is how many numbers a vector is asked to have, 0: as the model has it."""

    api: str
    name: str
    key: str
    dimensions: int
    endpoint: Endpoint

    @property
    def url(self) -> str:
        """Where it is."""
        return self.endpoint.url

    @property
    def stamp(self) -> str:
        """What vectors are marked with, but for their dimensions: whatever changes it makes them another model's."""
        return f"{self.api}/{self.name}" + ("+prefix" if any(self._prefixes()) else "")

    async def ask(self, texts: Sequence[str], use: Use, *, timeout_s: float | None = None) -> bytes:
        """Return the answer with the vectors of texts, for `vectors` to read; raises EmbedFailed.

        It is not read here: of many texts it is megabytes of JSON, which is work for another process.
        """
        path, headers, body = self._request(texts, use)
        try:
            return await self.endpoint.post(path, headers, body, timeout_s=timeout_s)
        except NoAnswer as error:
            raise EmbedFailed(self.url, error.reason, refused=error.refused) from error

    async def close(self) -> None:
        """End the connections."""
        await self.endpoint.close()

    def _prefixes(self) -> tuple[str, str]:
        """Return what goes before a question and before what is searched."""
        if self.api != "openai":
            return "", ""
        name = re.sub(r"[^a-z0-9]+", "-", self.name.lower().removesuffix(":latest"))
        return next(((query, text) for known, query, text in _PREFIXES if re.search(known, name)), ("", ""))

    def _request(self, texts: Sequence[str], use: Use) -> tuple[str, dict[str, str], dict[str, object]]:
        before = self._prefixes()[0 if use == "query" else 1]
        sent = [before + _sendable(text) for text in texts]
        if self.api == "gemini":
            model = self.name if "/" in self.name else f"models/{self.name}"
            size = {"outputDimensionality": self.dimensions} if self.dimensions else {}
            asked = [
                {"model": model, "content": {"parts": [{"text": text}]}, "taskType": _TASKS[use], **size}
                for text in sent
            ]
            headers = {"x-goog-api-key": self.key} if self.key else {}
            return f"/{model}:batchEmbedContents", headers, {"requests": asked}
        headers = {"authorization": f"Bearer {self.key}"} if self.key else {}
        body: dict[str, object] = {"model": self.name, "input": sent}
        if self.api == "voyage":
            body["input_type"] = use
        if self.dimensions:
            body["output_dimension" if self.api == "voyage" else "dimensions"] = self.dimensions
        return "/embeddings", headers, body


def vectors(api: str, content: bytes, count: int) -> list[list[float]]:
    """Return the vectors of an answer, one a text, in the order of the texts, all of one length.

    Raises ValueError, which says in a few words what is wrong with the answer.
    """
    try:
        reply: Any = orjson.loads(content)
        found = [one["values"] for one in reply["embeddings"]] if api == "gemini" else _in_order(reply["data"])
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("its answer has not the form that was asked for") from error
    if len(found) != count:
        raise ValueError(f"it gave {len(found)} vectors for {count} texts")
    if not all(isinstance(one, list) for one in found):
        raise ValueError("its answer has not the form that was asked for")
    sizes = {len(one) for one in found}
    if len(sizes) > 1 or not sizes <= set(_DIMENSIONS):
        raise ValueError(f"its vectors have {', '.join(map(str, sorted(sizes)))} dimensions")
    if not all(type(part) in {float, int} and abs(part) <= _LARGEST for one in found for part in one):
        raise ValueError("its vectors hold what is no number")
    if not all(math.hypot(*one) > 0 for one in found):
        raise ValueError("it gave a vector of zeros")
    return found


def address(config: EmbedConfig) -> str | None:
    """Return where the embedding is asked, None where none is set."""
    return (config.url or _DEFAULT_URLS[config.api]).rstrip("/") if config.api else None


def configured(config: EmbedConfig, env: Mapping[str, str]) -> HttpEmbedder | None:
    """Return the embedding that the configuration names, None where it names none; raises EmbedMisconfigured."""
    url = address(config)
    if url is None:
        return None
    if not config.name:
        raise EmbedMisconfigured("embed.name is not set")
    try:
        key = secret("embed", config.key_env, config.key_file, env)
    except NotSet as error:
        raise EmbedMisconfigured(str(error)) from error
    endpoint = Endpoint(url, config.timeout_s, _MAX_ANSWER_BYTES)
    return HttpEmbedder(config.api, config.name, key, config.dimensions, endpoint)


def _in_order(data: Any) -> list[Any]:
    """Return the vectors by the place that each names; they come in no promised order."""
    places = [one.get("index", place) for place, one in enumerate(data)]
    if sorted(places) != list(range(len(places))):
        raise TypeError("places")
    return [data[places.index(place)]["embedding"] for place in range(len(places))]


def _sendable(text: str) -> str:
    """Return a text without lone surrogates, which no JSON can hold; an empty one is refused by most endpoints."""
    return text.encode("utf-8", "replace").decode() or " "
