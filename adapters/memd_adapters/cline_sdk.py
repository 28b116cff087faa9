"""A session of Cline's SDK (CLI from 3.0, editors from 4.0): `<id>/<id>.messages.json` and the manifest `<id>.json`.

Messages have ids; a copy of a session (after a crash of the hub) keeps them, so a part is known by them. Subagents have
`agent_<ms>_<rand>.messages.json` in the folder of the session that started them.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from memd.adapter import SessionUpdate
from memd_adapters.cline_tools import TALKING, kind_of, planned_changes
from memd_adapters.cline_words import TALK, block_texts, persons, tell
from memd_adapters.json_entries import Entry, content_digest, digest
from memd_adapters.json_file import parse_file
from memd_adapters.json_telling import Call, Outcome, Telling, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import moment, text_of

_EXIT: Final = re.compile(r"\bexit(?:ed)?(?: with)?(?: code)?:? ?(-?\d{1,10})\b", re.IGNORECASE)
_EXIT_LINE: Final = re.compile(r"\A\[Command exited with code \d+\]\n*")
_OVER: Final = ("completed", "failed", "cancelled")
ALIVE: Final = ("running", "idle", "pending")


def sdk_entries(rows: list[Row]) -> list[Entry]:
    """Return the entries of a session."""
    seen: Counter[str] = Counter()
    entries = []
    for row in rows:
        said = text_of(row, "id")
        name = digest("sdk", said, str(row.get("ts"))) if said else digest("sdk", content_digest(row))
        seen[name] += 1
        entries.append(Entry(name if seen[name] == 1 else f"{name}-{seen[name]}", row))
    return entries


def tell_sdk(telling: Telling) -> None:
    """Tell a session's messages."""
    session = _Session(telling)
    for index, entry in enumerate(telling.entries):
        telling.turn_to(index)
        if isinstance(entry.content, dict):
            session.take(entry.content)


class _Session:
    """The walk through a session: each call by its id, split where it holds several commands."""

    def __init__(self, telling: Telling) -> None:
        self._telling = telling
        self._calls: dict[str, tuple[Call, ...]] = {}

    def take(self, row: Row) -> None:
        at = time_ms(row.get("ts"))
        if at is not None:
            self._telling.fields.setdefault("started_at", at)
            self._telling.last_at = max(self._telling.last_at, at)
        match row.get("role"):
            case "user":
                self._user(row.get("content"), at)
            case "assistant":
                self._assistant(row, at)
            case role:
                self._telling.skip(f"unknown row kind: {str(role)[:80]}")

    def _user(self, content: Json, at: int | None) -> None:
        texts: list[str] = []
        words: list[str] = []
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and block.get("type") == "tool_result":
                words += self._results(block, at)
            else:
                texts += block_texts([block])
        said = [word for text in texts for word in _own_words(text)]
        words = [*said, *words]
        self._telling.say("user", "prompt", "\n\n".join(words), at)

    def _results(self, block: Row, at: int | None) -> list[str]:
        """Tell what came back from a call; return what the person said by it."""
        call_id = text_of(block, "tool_use_id")
        calls = self._calls.get(call_id or "", ())
        name = calls[0].name if calls else text_of(block, "name") or "unknown"
        answers = _answers(block.get("content"))
        if name in TALK:
            return [text for text, _ in answers if text]
        failed = block.get("is_error") is True
        for place, call in enumerate(calls or ((Call(call_id, name, None, kind_of(name)),) if call_id else ())):
            mine = answers[place : place + 1] if len(calls) > 1 else answers
            text = "\n".join(text for text, _ in mine)
            came = _outcome(call, text, failed=failed or any(ok is False for _, ok in mine))
            self._telling.result(call, came if mine else Outcome(None), _EXIT_LINE.sub("", text), at)
        return []

    def _assistant(self, row: Row, at: int | None) -> None:
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[Call] = []
        content = row.get("content")
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, str):
                texts.append(block)
            elif isinstance(block, dict):
                match block.get("type"):
                    case "text":
                        texts.append(text_of(block, "text") or "")
                    case "thinking" | "reasoning":
                        thoughts.append(text_of(block, "thinking") or text_of(block, "text") or "")
                    case "tool_use":
                        calls += self._called(block, texts)
                    case _:
                        pass
        info = row.get("modelInfo")
        model = text_of(info, "id") if isinstance(info, dict) else None
        if model:
            self._telling.fields["model"] = model
        text = "\n\n".join(text for text in texts if text)
        thinking = "\n\n".join(thought for thought in thoughts if thought)
        self._telling.say("assistant", "reply", text, at, thinking=thinking, calls=calls, model=model)

    def _called(self, block: Row, texts: list[str]) -> tuple[Call, ...]:
        """Return the calls that a block makes: one for each command, so that each has its own outcome."""
        said, name, given = text_of(block, "id"), text_of(block, "name") or "unknown", block.get("input")
        call_id = self._telling.call_id(said, len(self._calls))
        calls: tuple[Call, ...] = (Call(call_id, name, given, kind_of(name)),)
        commands = given.get("commands") if isinstance(given, dict) else None
        if name == "run_commands" and isinstance(commands, list) and commands:
            lines = [_command(command) for command in commands]
            ids = [call_id] if len(lines) == 1 else [f"{call_id}#{place}" for place in range(1, len(lines) + 1)]
            calls = tuple(Call(one, name, {"command": line}, "shell") for one, line in zip(ids, lines, strict=True))
        self._calls[said or call_id] = calls
        if name in TALKING:
            words = text_of(given, TALKING[name]) if isinstance(given, dict) else None
            texts.append(words or "")
            return ()
        return calls


def _own_words(text: str) -> list[str]:
    """Return what the person, or the agent that called this one, says in a text; the host's words are tagged."""
    words = tell([text], first=True).words
    if not words and not text.lstrip().startswith("<"):
        words = [text]
    return [said for one in words if (said := persons(one))]


def _command(command: Json) -> str:
    if isinstance(command, dict):
        return text_of(command, "command") or ""
    return command if isinstance(command, str) else ""


def _answers(content: Json) -> list[tuple[str, bool | None]]:
    """Return what came back: a text for each thing that was asked for, and whether it went well where that is said."""
    if isinstance(content, str):
        value = parse_file(content.encode(), Counter()) if content.lstrip().startswith(("{", "[")) else (None, True)
        if value[0] is None or value[1]:
            return [(content, None)]
        content = value[0]
    items = content if isinstance(content, list) else [content]
    return [_answer(item) for item in items]


def _answer(item: Json) -> tuple[str, bool | None]:
    if not isinstance(item, dict):
        return (item, None) if isinstance(item, str) else ("", None)
    ok = item.get("success")
    text = next((text for key in ("result", "text", "output") if (text := text_of(item, key))), "")
    error = text_of(item, "error")
    if error and not _EXIT.search(text):
        text = f"[{error}]\n{text}" if _EXIT.search(error) else f"{text}\n{error}".strip()
    return text, ok if isinstance(ok, bool) else None


def _outcome(call: Call, text: str, *, failed: bool) -> Outcome:
    if kind_of(call.name) == "shell":
        found = _EXIT.search(text[:400]) if failed else None
        return Outcome(not failed, int(found[1]) if found else None if failed else 0, ())
    changes = () if failed else planned_changes(call.name, call.given, created=text.startswith("Created "))
    return Outcome(not failed, None, changes)


def manifest_fields(manifest: Row) -> dict[str, str | int]:
    """Return what a session's manifest tells of it."""
    metadata = manifest.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    fields: dict[str, str | int] = {}
    named = {
        "cwd": text_of(manifest, "cwd") or text_of(manifest, "workspace_root"),
        "model": text_of(manifest, "model"),
        "title": text_of(metadata, "title"),
        "branch": _inner(metadata, "git", "branch"),
        "version": _inner(metadata, "sessionHistoryOrigin", "version"),
        "forked_from": _inner(metadata, "legacyTask", "id") or _inner(metadata, "legacyTask", "taskId"),
    }
    fields |= {name: value for name, value in named.items() if value}
    if (started := moment(manifest.get("started_at"))) is not None:
        fields["started_at"] = started
    status = text_of(manifest, "status")
    if status in _OVER and (ended := moment(manifest.get("ended_at"))) is not None:
        fields |= {"ended_at": ended, "end_reason": status}
    return fields


def _inner(row: Row, key: str, inner: str) -> str | None:
    value = row.get(key)
    return text_of(value, inner) if isinstance(value, dict) else None


def manifest_update(session: str, manifest: Row) -> SessionUpdate:
    """Return what a manifest tells as an update."""
    return SessionUpdate(session, **manifest_fields(manifest))  # type: ignore[arg-type]  # names are those of the fields
