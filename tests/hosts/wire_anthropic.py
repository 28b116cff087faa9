"""The Anthropic Messages wire format, as far as a coding agent speaks it to its model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import assert_never

from tests.hosts.script import Answer, Call, Conversation, Part, Say, joined

_MODEL = "claude-sonnet-4-5"
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_USAGE = {
    "input_tokens": 1000,
    "output_tokens": 20,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
}


class AnthropicWire:
    """Reads and answers ``POST /v1/messages`` and ``/v1/messages/count_tokens``.

    Format: the public reference of the Messages API, and of its streaming events
    (message_start, content_block_start/_delta/_stop, message_delta, message_stop).
    """

    def owns(self, method: str, path: str) -> bool:
        """Whether this request asks the model to speak."""
        return method == "POST" and path == "/v1/messages"

    def streams(self, path: str, body: Mapping[str, object]) -> bool:
        """Whether the answer is wanted as events."""
        return body.get("stream") is True

    def read(self, path: str, body: Mapping[str, object]) -> Conversation:
        """The conversation a request body holds."""
        messages = [one for one in _list(body.get("messages")) if isinstance(one, Mapping)]
        prompt, answers_since = _last_prompt(messages)
        texts = _texts(body.get("system"))
        for message in messages:
            texts += _texts(message.get("content"))
        tools = (one.get("name") for one in _list(body.get("tools")) if isinstance(one, Mapping))
        return Conversation(
            prompt=prompt,
            answers_since=answers_since,
            offered_tools=frozenset(name for name in tools if isinstance(name, str)),
            text=joined(texts),
        )

    def side_reply(self, method: str, path: str) -> object | None:
        """The answer to what a client asks beside the conversation; None when it is unknown."""
        match method, path:
            case "POST", "/v1/messages/count_tokens":
                return {"input_tokens": 1000}
            case "GET", "/v1/models":
                model = {"type": "model", "id": _MODEL, "display_name": "Scripted"}
                return {"data": [model], "has_more": False, "first_id": _MODEL, "last_id": _MODEL}
            case _:
                return None

    def whole(self, answer: Answer, serial: int, body: Mapping[str, object]) -> object:
        """The answer as one JSON value."""
        return {
            **_envelope(serial, body),
            "content": [_block(part, serial, i) for i, part in enumerate(answer)],
            "stop_reason": _stop_reason(answer),
        }

    def events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """The answer as server-sent events: (event name, data)."""
        yield "message_start", {"type": "message_start", "message": _envelope(serial, body)}
        for index, part in enumerate(answer):
            yield from _block_events(part, serial, index)
        yield (
            "message_delta",
            {
                "type": "message_delta",
                "delta": {"stop_reason": _stop_reason(answer), "stop_sequence": None},
                "usage": _USAGE,
            },
        )
        yield "message_stop", {"type": "message_stop"}


def _last_prompt(messages: list[Mapping[str, object]]) -> tuple[str, int]:
    answers_since = 0
    for message in reversed(messages):
        if message.get("role") == "assistant":
            answers_since += 1
            continue
        if message.get("role") != "user":
            continue
        content = message.get("content")
        if not any(_kind(block) == "tool_result" for block in _list(content)):
            return _words_of_the_user(joined(_texts(content))), answers_since
    return "", answers_since


def _words_of_the_user(text: str) -> str:
    """A prompt without the host's reminders, unless it is nothing else (a task's notification)."""
    return _REMINDER.sub("", text).strip() or text


def _texts(content: object) -> list[str]:
    """Every text a content value holds, the words of tool results and tool inputs included."""
    if isinstance(content, str):
        return [content]
    texts: list[str] = []
    for block in _list(content):
        if not isinstance(block, Mapping):
            continue
        match _kind(block):
            case "text":
                texts.append(str(block.get("text", "")))
            case "tool_result":
                texts += _texts(block.get("content"))
            case "tool_use":
                texts.append(json.dumps(block.get("input"), ensure_ascii=False))
            case _:
                continue
    return texts


def _envelope(serial: int, body: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": f"msg_{serial:06d}",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", _MODEL),
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": _USAGE,
    }


def _block(part: Part, serial: int, index: int) -> dict[str, object]:
    match part:
        case Say(text):
            return {"type": "text", "text": text}
        case Call(tool, given):
            name = f"toolu_{serial:06d}_{index}"
            return {"type": "tool_use", "id": name, "name": tool, "input": dict(given)}
        case _:
            assert_never(part)


def _block_events(part: Part, serial: int, index: int) -> Iterator[tuple[str, object]]:
    block = _block(part, serial, index)
    match part:
        case Say(text):
            start: dict[str, object] = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": text}
        case Call(_, given):
            start = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(dict(given))}
        case _:
            assert_never(part)
    named = {"index": index}
    yield (
        "content_block_start",
        {"type": "content_block_start", **named, "content_block": start},
    )
    yield "content_block_delta", {"type": "content_block_delta", **named, "delta": delta}
    yield "content_block_stop", {"type": "content_block_stop", **named}


def _stop_reason(answer: Answer) -> str:
    return "tool_use" if any(isinstance(part, Call) for part in answer) else "end_turn"


def _kind(block: object) -> object:
    return block.get("type") if isinstance(block, Mapping) else None


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
