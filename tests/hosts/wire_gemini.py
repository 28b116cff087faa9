"""The Gemini API's wire format, as Gemini CLI speaks it to its model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from tests.hosts.script import Answer, Call, Conversation, Part, Say, joined

_PATH = re.compile(r"/v1(?:beta|alpha)?/models/[^/:]+:(generateContent|streamGenerateContent)")
_COUNT = re.compile(r"/v1(?:beta|alpha)?/models/[^/:]+:countTokens")
_HOOK_CONTEXT = re.compile(r"<hook_context>.*?</hook_context>", re.DOTALL)
_USAGE = {"promptTokenCount": 1000, "candidatesTokenCount": 20, "totalTokenCount": 1020}
_NEXT_SPEAKER = "next_speaker"
_ROUTER = "complexity_score"


class GeminiWire:
    """Reads and answers ``POST /v1beta/models/<model>:generateContent`` and ``:streamGenerateContent``.

    Format: the public reference of the Gemini API. The client asks beside the conversation as well, without tools and
    with a schema for the answer: who speaks next, how hard a task is. Those are answered in their schema.
    """

    def owns(self, method: str, path: str) -> bool:
        """Whether this request asks the model to speak."""
        return method == "POST" and _PATH.fullmatch(path) is not None

    def streams(self, path: str, body: Mapping[str, object]) -> bool:
        """Whether the answer is wanted as events."""
        return path.endswith(":streamGenerateContent")

    def read(self, path: str, body: Mapping[str, object]) -> Conversation:
        """The conversation a request body holds."""
        contents = _mappings(body.get("contents"))
        prompt, answers_since = _last_prompt(contents)
        texts = _texts(body.get("systemInstruction"))
        for content in contents:
            texts += _texts(content)
        return Conversation(
            prompt=prompt,
            answers_since=answers_since,
            offered_tools=frozenset(_tools(body)),
            text=joined(texts),
        )

    def side_reply(self, method: str, path: str) -> object | None:
        """The answer to what a client asks beside the conversation; None when it is unknown."""
        return {"totalTokens": 1000} if method == "POST" and _COUNT.fullmatch(path) else None

    def whole(self, answer: Answer, serial: int, body: Mapping[str, object]) -> object:
        """The answer as one JSON value."""
        parts = [_part(part, serial, index) for index, part in enumerate(answer)]
        schema = json.dumps(body.get("generationConfig") or {})
        if "responseJsonSchema" in schema or "responseSchema" in schema:
            parts = [{"text": json.dumps(_in_schema(schema))}]
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": _USAGE, "responseId": f"answer-{serial:06d}"}

    def events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """The answer as one server-sent event without a name."""
        yield "", self.whole(answer, serial, body)


def _in_schema(schema: str) -> Mapping[str, object]:
    if _NEXT_SPEAKER in schema:
        return {"reasoning": "Nothing is left to do.", "next_speaker": "user"}
    if _ROUTER in schema:
        return {"complexity_reasoning": "Small.", "complexity_score": 1}
    return {"reasoning": "Small.", "model_choice": "flash"}


def _last_prompt(contents: Sequence[Mapping[str, object]]) -> tuple[str, int]:
    answers_since = 0
    for content in reversed(contents):
        if content.get("role") == "model":
            answers_since += 1
            continue
        parts = _mappings(content.get("parts"))
        if not any("functionResponse" in part for part in parts):
            return _words_of_the_user(joined(_texts(content))), answers_since
    return "", answers_since


def _words_of_the_user(text: str) -> str:
    """A prompt without what hooks put around it."""
    return _HOOK_CONTEXT.sub("", text).strip()


def _texts(content: object) -> list[str]:
    """Every text a content value holds, the words of tool results and tool inputs included."""
    if not isinstance(content, Mapping):
        return []
    texts: list[str] = []
    for part in _mappings(content.get("parts")):
        if isinstance(part.get("text"), str):
            texts.append(str(part["text"]))
        else:
            texts.append(json.dumps(part, ensure_ascii=False))
    return texts


def _tools(body: Mapping[str, object]) -> Iterator[str]:
    for tool in _mappings(body.get("tools")):
        for declared in _mappings(tool.get("functionDeclarations")):
            yield str(declared.get("name"))


def _part(part: Part, serial: int, index: int) -> dict[str, object]:
    match part:
        case Say(text):
            return {"text": text}
        case Call(tool, given):
            call = {"id": f"call-{serial:06d}-{index}", "name": tool, "args": dict(given)}
            return {"functionCall": call}
        case _:
            assert_never(part)


def _mappings(value: object) -> list[Mapping[str, object]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []
