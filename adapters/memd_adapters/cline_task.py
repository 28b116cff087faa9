"""A Cline task's `api_conversation_history.json`: what was sent to the model and what it answered.

A list of messages as the Anthropic API has them, with `ts` (milliseconds) and `modelInfo` in later versions; Roo adds
`isSummary` where a conversation was condensed. The rows have no ids: a row is known by its role and time, or by its
content where it has no time; equal ones are counted.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from memd_adapters.cline_tools import TALKING, calls_in_text, kind_of, outcome, shell_output
from memd_adapters.cline_words import Said, block_texts, result_body, tell
from memd_adapters.json_entries import Entry, content_digest, digest
from memd_adapters.json_telling import Call, Telling, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import text_of

_THINKING: Final = re.compile(r"<thinking>(.*?)(?:</thinking>|\Z)", re.DOTALL)
_VANISHED: Final = re.compile(r"\[response interrupted by .{0,60}\]|Response interrupted by .{0,80}", re.IGNORECASE)


def task_entries(session: str, rows: list[Row]) -> list[Entry]:
    """Return the entries of a task's history."""
    seen: Counter[str] = Counter()
    entries = []
    for row in rows:
        at = time_ms(row.get("ts"))
        name = digest(session, text_of(row, "role") or "", str(at) if at is not None else content_digest(row))
        seen[name] += 1
        entries.append(Entry(name if seen[name] == 1 else f"{name}-{seen[name]}", row))
    return entries


def tell_task(telling: Telling, times: Mapping[int, int]) -> None:
    """Tell a task's messages; `times` are those of rows that have none of their own, by place."""
    task = _Task(telling)
    for index, entry in enumerate(telling.entries):
        telling.turn_to(index)
        row = entry.content
        if isinstance(row, dict):
            task.take(row, time_ms(row.get("ts")) or times.get(index))


class _Task:
    """The walk through a task: the calls that wait for their results."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._open: list[Call] = []
        self._spoken = False

    def take(self, row: Row, at: int | None) -> None:
        if at is not None:
            self._telling.fields.setdefault("started_at", at)
        if row.get("isTruncationMarker") is True:
            return
        if row.get("isSummary") is True:
            text = "\n\n".join(block_texts(row.get("content")))
            self._telling.say("system", "summary", text, at)
            return
        match row.get("role"):
            case "user":
                self._user(row, at)
            case "assistant":
                self._assistant(row, at)
            case role:
                self._telling.skip(f"unknown row kind: {str(role)[:80]}")

    def _user(self, row: Row, at: int | None) -> None:
        content = row.get("content")
        texts: list[str] = []
        native: list[Row] = []
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                native.append(block)
            else:
                texts += block_texts([block])
        images = texts.count("[image]")
        said = tell([text for text in texts if text != "[image]"], first=not self._spoken)
        self._spoken = True
        for block in native:
            self._native_result(block, said, at)
        for result in said.results:
            self._result(self._asked(result.tool), result.tool, result.body, at)
        if said.cwd:
            self._telling.fields.setdefault("cwd", said.cwd)
        if said.words:
            self._telling.say("user", "prompt", "\n\n".join([*said.words, *["[image]"] * images]), at)
        if said.notices:
            self._telling.say("system", "notice", "\n\n".join(said.notices), at)

    def _native_result(self, block: Row, said: Said, at: int | None) -> None:
        tool, body = result_body("\n".join(block_texts(block.get("content"))))
        call_id = text_of(block, "tool_use_id")
        call = next((call for call in self._open if call.call_id == call_id), None)
        name = call.name if call else tool or ""
        said.hear_result(name, body)
        failed = True if block.get("is_error") is True else None
        self._result(
            call or (Call(call_id, name, None, kind_of(name)) if call_id else None), name, body, at, failed=failed
        )

    def _result(self, call: Call | None, tool: str, body: str, at: int | None, *, failed: bool | None = None) -> None:
        if call is None:
            return
        self._open = [other for other in self._open if other is not call]
        if tool not in TALKING:
            came = outcome(call.name, call.given, body, failed=failed)
            self._telling.result(call, came, shell_output(body) if kind_of(call.name) == "shell" else body, at)

    def _asked(self, tool: str) -> Call | None:
        """Return the call that a result in words answers: the first of this tool that waits."""
        return next((call for call in self._open if call.name == tool), None)

    def _assistant(self, row: Row, at: int | None) -> None:
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[Call] = []
        content = row.get("content")
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, str):
                self._text(block, texts, thoughts, calls)
            elif isinstance(block, dict):
                self._block(block, texts, thoughts, calls)
        self._open = [*calls]
        model = _model(row)
        if model:
            self._telling.fields["model"] = model
        self._telling.say(
            "assistant",
            "reply",
            "\n\n".join(texts),
            at,
            thinking="\n\n".join(thoughts),
            calls=[call for call in calls if call.name not in TALKING],
            model=model,
        )

    def _block(self, block: Row, texts: list[str], thoughts: list[str], calls: list[Call]) -> None:
        match block.get("type"):
            case "text":
                self._text(text_of(block, "text") or "", texts, thoughts, calls)
            case "tool_use":
                self._call(text_of(block, "id"), text_of(block, "name") or "unknown", block.get("input"), texts, calls)
            case "thinking" | "reasoning":
                if thought := text_of(block, "thinking") or text_of(block, "text"):
                    thoughts.append(thought)
            case _:
                pass

    def _text(self, text: str, texts: list[str], thoughts: list[str], calls: list[Call]) -> None:
        thoughts += [thought for found in _THINKING.finditer(text) if (thought := found[1].strip())]
        words, written = calls_in_text(_THINKING.sub("", text))
        words = _VANISHED.sub("", words).strip()
        if words:
            texts.append(words)
        for name, given in written:
            self._call(None, name, given, texts, calls)

    def _call(self, call_id: str | None, name: str, given: Json, texts: list[str], calls: list[Call]) -> None:
        calls.append(Call(self._telling.call_id(call_id, len(calls)), name, given, kind_of(name)))
        if name in TALKING and isinstance(given, dict) and (words := text_of(given, TALKING[name])):
            texts.append(words.strip())


def _model(row: Row) -> str | None:
    info = row.get("modelInfo")
    return text_of(info, "modelId") if isinstance(info, dict) else None
