"""The OpenAI Responses wire format, as far as Codex speaks it to its model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

from tests.hosts.script import Answer, Call, Conversation, Part, Say, joined

_PATHS = frozenset({"/v1/responses", "/responses"})
_SAID_BY_MODEL = frozenset({"reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call"})
_USAGE = {
    "input_tokens": 1000,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 20,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 1020,
}


class ResponsesWire:
    """Reads and answers ``POST /v1/responses``.

    Format: the public reference of the Responses API and of its streaming events (response.created,
    response.output_item.added/.done, response.output_text.delta, response.completed). A tool that takes free text
    instead of JSON (Codex's apply_patch) is told apart by the request's own list of tools.
    """

    def owns(self, method: str, path: str) -> bool:
        """Whether this request asks the model to speak."""
        return method == "POST" and path in _PATHS

    def streams(self, path: str, body: Mapping[str, object]) -> bool:
        """Whether the answer is wanted as events."""
        return body.get("stream") is True

    def read(self, path: str, body: Mapping[str, object]) -> Conversation:
        """The conversation a request body holds."""
        given = body.get("input")
        items = [one for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
        prompt, answers_since = _last_prompt(items)
        texts = [str(body.get("instructions") or "")]
        for item in items:
            texts += _texts(item)
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
                return {"object": "list", "data": [], "models": []}
            case _:
                return None

    def whole(self, answer: Answer, serial: int, body: Mapping[str, object]) -> object:
        """The answer as one JSON value."""
        output = [_item(part, serial, index, body) for index, part in enumerate(answer)]
        return {**_envelope(serial, body), "status": "completed", "output": output, "usage": _USAGE}

    def events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[tuple[str, object]]:
        """The answer as server-sent events: (event name, data)."""
        for number, event in enumerate(self._events(answer, serial, body)):
            yield str(event["type"]), {**event, "sequence_number": number}

    def _events(self, answer: Answer, serial: int, body: Mapping[str, object]) -> Iterator[dict[str, object]]:
        yield {"type": "response.created", "response": {**_envelope(serial, body), "status": "in_progress"}}
        for index, part in enumerate(answer):
            item = _item(part, serial, index, body)
            named = {"output_index": index}
            yield {"type": "response.output_item.added", **named, "item": {**item, "status": "in_progress"}}
            if isinstance(part, Say):
                delta = {"item_id": item["id"], "content_index": 0, "delta": part.text}
                yield {"type": "response.output_text.delta", **named, **delta}
            yield {"type": "response.output_item.done", **named, "item": item}
        yield {"type": "response.completed", "response": self.whole(answer, serial, body)}


def _last_prompt(items: Sequence[Mapping[str, object]]) -> tuple[str, int]:
    """The last message of the user, and how many answers follow it: a run of the model's items is one answer."""
    answers_since = 0
    in_answer = False
    for item in reversed(items):
        if _is_said_by_model(item):
            answers_since += not in_answer
            in_answer = True
            continue
        in_answer = False
        if item.get("role") == "user":
            return joined(_texts(item)), answers_since
    return "", answers_since


def _is_said_by_model(item: Mapping[str, object]) -> bool:
    return item.get("role") == "assistant" or item.get("type") in _SAID_BY_MODEL


def _texts(item: Mapping[str, object]) -> list[str]:
    """Every text an item holds, the words of tool results and tool inputs included."""
    texts: list[str] = []
    for key in ("content", "output", "arguments", "input"):
        match item.get(key):
            case str(text):
                texts.append(text)
            case list(blocks):
                texts += [str(block.get("text", "")) for block in blocks if isinstance(block, Mapping)]
            case _:
                continue
    return texts


def _tools(body: Mapping[str, object]) -> dict[str, object]:
    """The tools offered, each with its kind."""
    tools = body.get("tools")
    listed = [one for one in tools if isinstance(one, Mapping)] if isinstance(tools, list) else []
    return {str(one.get("name") or one.get("type")): one.get("type") for one in listed}


def _envelope(serial: int, body: Mapping[str, object]) -> dict[str, object]:
    return {
        "id": f"resp_{serial:06d}",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": body.get("model", "scripted"),
        "output": [],
    }


def _item(part: Part, serial: int, index: int, body: Mapping[str, object]) -> dict[str, object]:
    name = f"{serial:06d}_{index}"
    match part:
        case Say(text):
            content = [{"type": "output_text", "text": text, "annotations": []}]
            return {
                "type": "message",
                "id": f"msg_{name}",
                "status": "completed",
                "role": "assistant",
                "content": content,
            }
        case Call(tool, given) if _tools(body).get(tool) == "custom":
            call = {"call_id": f"call_{name}", "name": tool, "input": str(given["input"])}
            return {"type": "custom_tool_call", "id": f"ctc_{name}", "status": "completed", **call}
        case Call(tool, given):
            # A tool of an MCP server has the server's namespace beside its name: `mcp__memd::search`.
            namespace, _, own = tool.rpartition("::")
            call = {"call_id": f"call_{name}", "name": own, "arguments": json.dumps(dict(given))}
            call |= {"namespace": namespace} if namespace else {}
            return {"type": "function_call", "id": f"fc_{name}", "status": "completed", **call}
        case _:
            assert_never(part)
