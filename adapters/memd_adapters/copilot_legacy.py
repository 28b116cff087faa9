"""Copilot CLI's sessions up to 0.0.342: one JSON file each, written anew with every entry of its timeline.

`history-session-state/session_<id>_<ms>.json` holds `{sessionId, startTime, chatMessages, timeline, selectedModel}`.
The timeline is what the person saw: `user`, `copilot`, `error`, `info`, and calls of tools, of which the completed one
takes the place and id of the requested one. `chatMessages` say the same once more, for the model. Later versions take
such a file into their own, as one event (`session.import_legacy`): its entries are the same there, and count once.
(Source: the schemas in the program's own code, 0.0.340 and 0.0.343.)
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from memd.adapter import Event
from memd.text.noise import strip_noise
from memd_adapters.copilot_tools import exit_code_in, kind_of, planned_changes
from memd_adapters.json_entries import Entry, Ledger
from memd_adapters.json_file import parse_file
from memd_adapters.json_telling import Call, Outcome, Telling, rows_of
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import clean, moment, text_of

FILE: Final = re.compile(r"session_([0-9A-Za-z-]{8,80})_[0-9]{10,16}\.json")
_HEAD: Final = re.compile(
    rb'\s*\{\s*"sessionId"\s*:\s*"([0-9A-Za-z-]{8,80})"\s*,\s*"startTime"\s*:\s*"[^"]{10,40}"\s*,\s*"chatM'
)
_FOLDER: Final = re.compile(
    r"^(?:\* )?(?:Current working directory|Changed working directory to): (/[^\n]{1,4096})$", re.MULTILINE
)
_QUIET: Final = ("info",)


def legacy_session(head: bytes) -> str | None:
    """Return the session whose file begins with `head`; None for any other file."""
    if found := _HEAD.match(head):
        return found[1].decode()
    value, _ = parse_file(head, Counter()) if head.lstrip().startswith(b"{") else (None, False)
    is_one = isinstance(value, dict) and isinstance(value.get("timeline"), list) and "chatMessages" in value
    return text_of(value, "sessionId") if isinstance(value, dict) and is_one else None


def tell(session: str, value: Row, ledger: Ledger, batch_bytes: int, *, whole: bool) -> Telling:
    """Return what is new of a session's file; `whole` when it did not break off."""
    rows = rows_of(value.get("timeline"))
    entries = [Entry(f"{session}/{text_of(row, 'id') or place}", row) for place, row in enumerate(rows)]
    news = ledger.news(entries, batch_bytes, whole=whole)
    telling = Telling(session, ledger, news, entries)
    telling.fields |= _fields(value, rows)
    for place, row in enumerate(rows):
        telling.turn_to(place)
        _tell_row(telling, row, place)
    return telling


def imported(session: str, value: Row) -> tuple[Event, ...]:
    """Return all that a session's file told, out of the event by which a later version took it in."""
    return tell(session, value, Ledger(session), 1 << 62, whole=True).told()


def _tell_row(telling: Telling, row: Row, place: int) -> None:
    text, at = text_of(row, "text") or "", moment(row.get("timestamp"))
    match row.get("type"):
        case "user":
            telling.say("user", "prompt", strip_noise(text).strip(), at)
        case "copilot":
            telling.say("assistant", "reply", text, at)
        case "error":
            telling.say("system", "notice", text, at)
        case "tool_call_requested" | "tool_call_completed":
            _tell_call(telling, row, place, at)
        case kind:
            if kind not in _QUIET:
                telling.skip(f"unknown row kind: {str(kind)[:80]}")


def _tell_call(telling: Telling, row: Row, place: int, at: int | None) -> None:
    name = text_of(row, "name") or text_of(row, "toolTitle") or "tool"
    call = Call(telling.call_id(text_of(row, "callId"), place), name, row.get("arguments"), kind_of(name))
    telling.say("assistant", "reply", "", at, calls=(call,))
    result = row.get("result")
    if not isinstance(result, dict):
        return
    output, exit_code = text_of(result, "log") or "", None
    if call.kind == "shell":
        output, exit_code = exit_code_in(output)
    ok = result.get("type") == "success" and exit_code in (None, 0)
    telling.result(call, Outcome(ok, exit_code, planned_changes(name, call.given) if ok else ()), output, at)


def _fields(value: Row, rows: list[Row]) -> dict[str, str | int]:
    fields: dict[str, str | int] = {}
    began = moment(value.get("startTime"))
    if began is not None:
        fields["started_at"] = began
    if model := text_of(value, "selectedModel"):
        fields["model"] = clean(model)
    texts = [
        _content(row.get("content")) for row in rows_of(value.get("chatMessages")) if row.get("role") != "assistant"
    ]
    texts += [text_of(row, "text") or "" for row in rows if row.get("type") == "info"]
    if found := next((found for text in texts if (found := _FOLDER.search(text))), None):
        fields["cwd"] = clean(found[1].strip())
    return fields


def _content(content: Json) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(text_of(part, "text") or "" for part in rows_of(content))
