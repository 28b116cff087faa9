"""The OpenAI chat completions wire format, as OpenCode, Qwen, Cline, Continue and Aider speak it to their model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from tests.hosts.script import Answer, Call, Conversation, Say, joined

_USAGE = {"prompt_tokens": 1000, "completion_tokens": 20, "total_tokens": 1020}
_HOOK_CONTEXT = re.compile(
    r"<hook_context.*?</hook_context>"
    r"|<qwen:user-prompt-submit-context>.*?</qwen:user-prompt-submit-context>",
    re.DOTALL,
)
_PATHS = frozenset({"/v1/chat/completions", "/chat/completions"})


class ChatWire:
    """Reads and answers ``POST /v1/chat/completions``.

    Format: the public reference of chat completions and of its streamed chunks, which end in ``[DONE]``.
    """

    def owns(self, method: str, path: str) -> bool:
        """Whether this request asks the model to speak."""
        return method == "POST" and path in _PATHS

    def streams(self, path: str, body: Mapping[str, object]) -> bool:
        """Whether the answer is wanted as events."""
        return body.get("stream") is True

    def read(self, path: str, body: Mapping[str, object]) -> Conversation:
        """The conversation a request body holds."""
        given = body.get("messages")
        messages = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
        prompt, answers_since = _last_prompt(messages)
        texts: list[str] = []
        for message in messages:
            texts += _texts(message)
        return Conversation(
            prompt=prompt,
            answers_since=answers_since,
            offered_tools=frozenset(_tools(body)),
            text=joined(texts),
        )

    def side_reply(self, method: str, path: str) -> object | None:
        """The answer to what a client asks beside the conversation; None when it is unknown."""
        match method, path:
            case "GET", "/v1/models" | "/models":
                return {"object": "list", "data": [{"id": "scripted", "object": "model", "owned_by": "harbor"}]}
            case _:
                return None

    def whole(self, answer: Answer, serial: int, body: Mapping[str, object]) -> object:
        """The answer as one JSON value."""
        message: dict[str, object] = {"role": "assistant", "content": _words(answer) or None}
        calls = _calls(answer, serial)
        if calls:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "finish_reason": _finish_reason(answer)}
        return {**_envelope(serial, body, "chat.completion"), "choices": [choice], "usage": _USAGE}

    def events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """The answer as server-sent events without names; the last is no JSON."""
        deltas: list[dict[str, object]] = [{"role": "assistant", "content": _words(answer)}]
        deltas += [{"tool_calls": [{"index": i, **call}]} for i, call in enumerate(_calls(answer, serial))]
        envelope = _envelope(serial, body, "chat.completion.chunk")
        for delta in deltas:
            yield "", {**envelope, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
        end = {"index": 0, "delta": {}, "finish_reason": _finish_reason(answer)}
        yield "", {**envelope, "choices": [end]}
        yield "", {**envelope, "choices": [], "usage": _USAGE}
        yield "", "[DONE]"


def _last_prompt(messages: Sequence[Mapping[str, object]]) -> tuple[str, int]:
    answers_since = 0
    for message in reversed(messages):
        match message.get("role"):
            case "assistant":
                answers_since += 1
            case "user" if words := _words_of_the_user(joined(_texts(message))):
                return words, answers_since
            case _:
                continue
    return "", answers_since


def _words_of_the_user(text: str) -> str:
    """A prompt without what the hooks of Cline and Qwen gave; it may be a message of its own, in the user's name."""
    return _HOOK_CONTEXT.sub("", text).strip()


def _texts(message: Mapping[str, object]) -> list[str]:
    """Every text a message holds, the inputs of tools included."""
    texts: list[str] = []
    match message.get("content"):
        case str(text):
            texts.append(text)
        case list(blocks):
            texts += [str(block.get("text", "")) for block in blocks if isinstance(block, Mapping)]
        case _:
            pass
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else []:
        texts.append(json.dumps(call, ensure_ascii=False))
    return texts


def _tools(body: Mapping[str, object]) -> Iterator[str]:
    tools = body.get("tools")
    for tool in tools if isinstance(tools, list) else []:
        match tool:
            case {"function": {"name": str(name)}}:
                yield name
            case _:
                continue


def _envelope(serial: int, body: Mapping[str, object], kind: str) -> dict[str, object]:
    model = body.get("model", "scripted")
    return {"id": f"chatcmpl-{serial:06d}", "object": kind, "created": 1_700_000_000, "model": model}


def _words(answer: Answer) -> str:
    return "\n\n".join(part.text for part in answer if isinstance(part, Say))


def _calls(answer: Answer, serial: int) -> list[dict[str, object]]:
    calls = [part for part in answer if isinstance(part, Call)]
    return [
        {
            "id": f"call_{serial:06d}_{index}",
            "type": "function",
            "function": {"name": call.tool, "arguments": json.dumps(dict(call.input))},
        }
        for index, call in enumerate(calls)
    ]


def _finish_reason(answer: Answer) -> str:
    return "tool_calls" if any(isinstance(part, Call) for part in answer) else "stop"
