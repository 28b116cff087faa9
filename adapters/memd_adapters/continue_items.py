"""The items of a Continue session: messages, with the states of their tool calls beside them.

An editor writes what a tool gave twice, into the call's state and as an item of its own (`role: tool`); the CLI writes
the state alone. A call's answer is known by the call, so it counts once. The format of 2023 is at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

import orjson

from memd_adapters.continue_tools import kind_of, outcome, output_of
from memd_adapters.json_entries import Entry, content_digest, digest
from memd_adapters.json_telling import Call, Telling, rows_of, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import text_of

_KEPT: Final = ("message", "toolCallStates", "toolCallState", "reasoning", "conversationSummary")
"""What is told of an item; the rest repeats it in other forms, up to the whole prompt of each request."""
_OVER: Final = ("done", "errored", "canceled")


def item_entries(session: str, rows: list[Row]) -> list[Entry]:
    """Return the entries of a session; a message without an id is known by what it says."""
    seen: Counter[str] = Counter()
    entries = []
    for row in rows:
        message = row.get("message")
        message = message if isinstance(message, dict) else {}
        said = text_of(message, "id") or content_digest(
            {key: message.get(key) for key in ("role", "content", "toolCalls", "toolCallId")}
        )
        name = digest("continue", session, said)
        seen[name] += 1
        content: Row = {key: row[key] for key in _KEPT if key in row}
        entries.append(Entry(name if seen[name] == 1 else f"{name}-{seen[name]}", content))
    return entries


def tell_items(telling: Telling, times: Mapping[str, list[int]]) -> None:
    """Tell a session's items; `times` are those of answers, by their text."""
    items = _Items(telling, times)
    for index, entry in enumerate(telling.entries):
        telling.turn_to(index)
        if isinstance(entry.content, dict):
            items.take(entry.content)


class _Items:
    """The walk through a session: its calls by the host's ids."""

    def __init__(self, telling: Telling, times: Mapping[str, list[int]]) -> None:
        self._telling = telling
        self._times = {text: iter(found) for text, found in times.items()}
        self._calls: dict[str, Call] = {}
        self._answered: set[str] = set()

    def take(self, item: Row) -> None:
        message = item.get("message")
        message = message if isinstance(message, dict) else {}
        text = message_text(message.get("content"))
        match message.get("role"):
            case "user":
                self._telling.say("user", "prompt", text, None)
            case "assistant":
                self._assistant(item, message, text)
            case "thinking":
                self._telling.say("assistant", "reply", "", _begun(item), thinking=text)
            case "tool":
                self._tool(text_of(message, "toolCallId"), text)
            case "system":
                pass
            case role:
                self._telling.skip(f"unknown row kind: {str(role)[:80]}")
        if summary := text_of(item, "conversationSummary"):
            self._telling.say("system", "summary", summary, None)

    def _assistant(self, item: Row, message: Row, text: str) -> None:
        states = rows_of(item.get("toolCallStates"))
        if isinstance(single := item.get("toolCallState"), dict):
            states.append(single)
        made = rows_of(message.get("toolCalls")) or [
            call for state in states if isinstance(call := state.get("toolCall"), dict)
        ]
        calls = [self._call(call, place) for place, call in enumerate(made)]
        usage = message.get("usage")
        model = text_of(usage, "model") if isinstance(usage, dict) else None
        if model:
            self._telling.fields["model"] = model
        at = _begun(item) or next(self._times.get(text.strip(), iter(())), None)
        reasoning = item.get("reasoning")
        thinking = text_of(reasoning, "text") or "" if isinstance(reasoning, dict) else ""
        self._telling.say("assistant", "reply", text, at, thinking=thinking, calls=calls, model=model)
        for state in states:
            self._state(state)

    def _call(self, made: Row, place: int) -> Call:
        function = made.get("function")
        function = function if isinstance(function, dict) else {}
        said, name = text_of(made, "id"), text_of(function, "name") or "unknown"
        call = Call(self._telling.call_id(said, place), name, _given(function.get("arguments")), kind_of(name))
        self._calls[said or call.call_id] = call
        return call

    def _state(self, state: Row) -> None:
        call = self._calls.get(text_of(state, "toolCallId") or "")
        status = text_of(state, "status")
        if call is None or status not in _OVER:
            return
        output, said = output_of(state.get("output"))
        if not output and status == "done":
            return  # the answer stands in an item of its own
        self._answer(call, output, said, status)

    def _tool(self, call_id: str | None, text: str) -> None:
        call = self._calls.get(call_id or "")
        if call is not None and call.call_id not in self._answered:
            self._answer(call, text, "", "done")

    def _answer(self, call: Call, output: str, said: str, status: str) -> None:
        self._answered.add(call.call_id)
        came = outcome(call.name, call.given, output, said, state=status)
        self._telling.result(call, came, output, None, part=f"{self._telling.session}:{call.call_id}")


def message_text(content: Json) -> str:
    """Return the text of a message: a string, or parts of text and images."""
    if isinstance(content, str):
        return content
    texts = []
    for part in rows_of(content):
        if part.get("type") == "imageUrl":
            texts.append("[image]")
        elif text := text_of(part, "text"):
            texts.append(text)
    return "\n\n".join(texts)


def _begun(item: Row) -> int | None:
    reasoning = item.get("reasoning")
    return time_ms(reasoning.get("startAt")) if isinstance(reasoning, dict) else None


def _given(arguments: Json) -> Json:
    """Return a call's input, which is JSON in a string; what is no JSON is kept as it is."""
    if not isinstance(arguments, str):
        return arguments
    try:
        value: Json = orjson.loads(arguments)
    except orjson.JSONDecodeError:
        return arguments
    return value


def step_entries(session: str, timeline: Json) -> list[Entry]:
    """Return the steps of a session in the format of 2023, which Continue's newer versions hide but do not delete."""
    seen: Counter[str] = Counter()
    entries = []
    for node in rows_of(timeline):
        step = node.get("step")
        if isinstance(step, dict) and node.get("deleted") is not True and step.get("hide") is not True:
            content: Row = {key: step.get(key) for key in ("name", "user_input", "description")}
            name = digest("continue", session, content_digest(content))
            seen[name] += 1
            entries.append(Entry(name if seen[name] == 1 else f"{name}-{seen[name]}", content))
    return entries


def tell_steps(telling: Telling) -> None:
    """Tell the steps: what has an input of the user's is theirs, what has a description is the answer."""
    for index, entry in enumerate(telling.entries):
        telling.turn_to(index)
        step = entry.content if isinstance(entry.content, dict) else {}
        if words := text_of(step, "user_input"):
            telling.say("user", "prompt", words, None)
        elif text := text_of(step, "description"):
            is_users = text_of(step, "name") in ("User Input", "UserInputStep")
            telling.say("user" if is_users else "assistant", "prompt" if is_users else "reply", text, None)
