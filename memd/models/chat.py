"""A chat endpoint: one question, one answer, over HTTP.

Two wire formats cover what there is. `openai` is POST {url}/chat/completions as OpenAI, Ollama, LM Studio, llama.cpp
and vLLM speak it (https://platform.openai.com/docs/api-reference/chat/create); `anthropic` is POST {url}/v1/messages
(https://docs.anthropic.com/en/api/messages).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

import orjson

from memd.config import ModelConfig
from memd.errors import ModelFailed, ModelMisconfigured
from memd.models.endpoint import Endpoint, NoAnswer, NotSet, read, secret
from memd.text.tokens import estimate_tokens

_DEFAULT_URLS: Final = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com"}
_ANTHROPIC_VERSION: Final = "2023-06-01"
_MAX_ANSWER_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, and the tokens that question and answer took together."""

    text: str
    tokens: int


class Chat(Protocol):
    """Something that answers a question."""

    async def ask(self, system: str, question: str, max_tokens: int) -> Answer:
        """Return the answer to one question; raises ModelFailed."""
        ...


@dataclass(frozen=True, slots=True)
class HttpChat:
    """A chat endpoint over HTTP. `extra` is laid over the body of each request."""

    api: str
    url: str
    model: str
    key: str
    timeout_s: float
    extra: Mapping[str, object]

    async def ask(self, system: str, question: str, max_tokens: int) -> Answer:
        """Return the answer to one question; raises ModelFailed when there is none for whatever reason."""
        path, headers, body = self._request(system, question, max_tokens)
        endpoint = Endpoint(self.url, self.timeout_s, _MAX_ANSWER_BYTES)
        try:
            content = await endpoint.post(path, headers, body)
        except NoAnswer as error:
            raise ModelFailed(self.url, error.reason) from error
        finally:
            await endpoint.close()
        text, tokens = self._answer(content)
        return Answer(text, tokens or estimate_tokens(system) + estimate_tokens(question) + estimate_tokens(text))

    def _request(self, system: str, question: str, max_tokens: int) -> tuple[str, dict[str, str], dict[str, object]]:
        headers: dict[str, str] = {}
        user = {"role": "user", "content": question}
        body: dict[str, object] = {"model": self.model, "max_tokens": max_tokens, "temperature": 0}
        if self.api == "anthropic":
            headers["anthropic-version"] = _ANTHROPIC_VERSION
            if self.key:
                headers["x-api-key"] = self.key
            return "/v1/messages", headers, body | {"system": system, "messages": [user]} | dict(self.extra)
        if self.key:
            headers["authorization"] = f"Bearer {self.key}"
        messages = [{"role": "system", "content": system}, user]
        return "/chat/completions", headers, body | {"messages": messages} | dict(self.extra)

    def _answer(self, content: bytes) -> tuple[str, int]:
        try:
            reply: Any = orjson.loads(content)
            usage = reply.get("usage") or {}
            if self.api == "anthropic":
                text = "".join(block["text"] for block in reply["content"] if block.get("type") == "text")
                tokens = int(usage.get("input_tokens", 0)) + int(usage.get("output_tokens", 0))
            else:
                text = reply["choices"][0]["message"]["content"]
                tokens = int(usage.get("total_tokens", 0))
        except (orjson.JSONDecodeError, KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            raise ModelFailed(self.url, "its answer has not the form that was asked for") from error
        if not isinstance(text, str):
            raise ModelFailed(self.url, "its answer holds no text")
        return text, tokens


def address(config: ModelConfig) -> str | None:
    """Return where the model is asked, None where none is set."""
    return (config.url or _DEFAULT_URLS[config.api]).rstrip("/") if config.api else None


def configured(config: ModelConfig, env: Mapping[str, str]) -> HttpChat | None:
    """Return the endpoint that the configuration names, None where it names none.

    The key is read from the environment variable `key_env` or the file `key_file`. Raises ModelMisconfigured, which
    says what is missing or wrong.
    """
    url = address(config)
    if url is None:
        return None
    if not config.name:
        raise ModelMisconfigured("model.name is not set")
    try:
        key = secret("model", config.key_env, config.key_file, env)
    except NotSet as error:
        raise ModelMisconfigured(str(error)) from error
    return HttpChat(
        api=config.api,
        url=url,
        model=config.name,
        key=key,
        timeout_s=config.timeout_s,
        extra=_extra(config.extra_body),
    )


def own_instructions(config: ModelConfig) -> str:
    """Return the user's own instructions for the model, "" where there are none; raises ModelMisconfigured."""
    if not config.api or not config.prompt_file:
        return ""
    try:
        return read("model", "prompt_file", config.prompt_file)
    except NotSet as error:
        raise ModelMisconfigured(str(error)) from error


def _extra(text: str) -> dict[str, object]:
    if not text:
        return {}
    try:
        extra = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise ModelMisconfigured(f"model.extra_body is not valid JSON ({error})") from error
    if not isinstance(extra, dict):
        raise ModelMisconfigured("model.extra_body is not a JSON object")
    return extra
