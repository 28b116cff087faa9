"""The rows of a Qwen Code chat: a tree by `uuid` and `parentUuid`, as Claude Code's, with Gemini's parts in it.

`type` is user, assistant, tool_result or system; the subtypes of system tell of slash commands, compressions, titles
and of the host's own affairs. A rewind leaves its rows in place: the next prompt answers an older row.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final

from memd.adapter import ChainLink, Event, MessageKind, MessagePart, Role, SessionUpdate, ToolResult, ToolUse
from memd_adapters.gemini_state import State
from memd_adapters.gemini_tools import (
    SUMMARY_STARTS,
    folder_in,
    kind_of,
    outcome,
    own_words,
    parts_text,
    response_text,
    responses_in,
)
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail, input_text, moment, text_of

_QUIET: Final = frozenset((
    "agent_bootstrap", "agent_launch_prompt", "at_command", "attribution_snapshot", "cron", "file_history_snapshot",
    "goal_state", "parent_session", "session_artifact_event", "session_artifact_snapshot", "session_model",
    "ui_telemetry",
))  # fmt: skip
"""Subtypes of `system` that hold nothing to keep."""
_HOOK_TAG: Final = "qwen:user-prompt-submit-context"


@dataclass(frozen=True, slots=True)
class _Place:
    """Whose a row is and where it stands."""

    session: str
    part: str
    parent: str | None
    at: int | None
    seq: int
    copied_from: str | None


@dataclass(slots=True)
class Reading:
    """What the rows of one read are told to. Calls wait in `State.ids`: call -> tool."""

    state: State
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def take(self, row: Row, seq: int) -> None:
        """Take a row that begins at a byte offset."""
        self.state.rows += 1
        part = text_of(row, "uuid")
        if part is None or not isinstance(row.get("type"), str):
            self.skipped["row of unknown form"] += 1
            return
        place = self._place(row, clean(part), seq)
        told = len(self.events)
        match row.get("type"):
            case "user":
                self._user(row, place)
            case "assistant":
                self._answer(row, place)
            case "tool_result":
                self._results(row, place)
            case "system":
                self._system(row, place)
            case kind:
                self.skipped[f"unknown row kind: {str(kind)[:80]}"] += 1
        if not any(isinstance(event, MessagePart | ToolResult) for event in self.events[told:]):
            self.events.append(ChainLink(place.session, place.part, seq, place.parent))

    def _place(self, row: Row, part: str, seq: int) -> _Place:
        state = self.state
        state.session = state.session or clean(text_of(row, "sessionId") or "")
        at = moment(row.get("timestamp"))
        forked = row.get("forkedFrom")
        copied_from = None
        if isinstance(forked, dict):
            copied_from = text_of(forked, "sessionId")
            part = clean(text_of(forked, "messageUuid") or part)
            if "kind" not in state.known:
                state.learn("kind", "fork")
            state.learn("forked_from", copied_from)
        session = self._session_of(row, at)
        if session == state.session and copied_from is None:
            for name, key in (("cwd", "cwd"), ("version", "version"), ("branch", "gitBranch")):
                value = text_of(row, key)
                if value and value != "HEAD":
                    state.learn(name, clean(value))
            if at is not None and "started_at" not in state.known:
                state.learn("started_at", at)
        parent = text_of(row, "parentUuid")
        return _Place(session, part, clean(parent) if parent else None, at, seq, copied_from)

    def _session_of(self, row: Row, at: int | None) -> str:
        """Return the session of a row; those of an agent may stand among its parent's."""
        state = self.state
        agent = text_of(row, "agentId") or ("side" if row.get("isSidechain") is True else None)
        if agent is None or state.session.endswith(agent):
            return state.session
        session = f"{state.session}:{clean(agent)}"
        if f"agent:{agent}"[:80] not in state.known:
            state.known[f"agent:{agent}"[:80]] = 1
            self.events.append(
                SessionUpdate(session, kind="subagent", parent=state.session, cwd=text_of(row, "cwd"), started_at=at)
            )
        return session

    def _user(self, row: Row, place: _Place) -> None:
        text = parts_text(_own_parts(row))
        self.state.learn("cwd", None if "cwd" in self.state.known else folder_in(text))
        if row.get("subtype") in ("cron", "notification"):
            self._tell(place, "system", "notice", text.strip())
        elif text.lstrip().startswith(SUMMARY_STARTS):
            self._tell(place, "system", "summary", text.strip())
        elif words := own_words(text):
            if self.state.rewound is not None:
                place = replace(place, parent=self.state.rewound)
                self.state.rewound = None
            self._tell(place, "user", "prompt", words)

    def _answer(self, row: Row, place: _Place) -> None:
        parts = _parts(row)
        model = text_of(row, "model")
        if place.session == self.state.session:
            self.state.learn("model", model)
        listed = parts if isinstance(parts, list) else []
        thoughts = [text for part in listed if isinstance(part, dict) and (text := _thought(part))]
        calls = tuple(use for part in listed if isinstance(part, dict) and (use := _use(part)) is not None)
        for call in calls:
            self.state.remember(call.call_id, call.name)
            self.state.ids[call.call_id] = call.name[:200]
        self._tell(
            place, "assistant", "reply", parts_text(parts).strip(), "\n".join(thoughts).strip(), calls, model=model
        )

    def _results(self, row: Row, place: _Place) -> None:
        details = row.get("toolCallResult")
        details = details if isinstance(details, dict) else {}
        responses = responses_in(_parts(row))
        for number, response in enumerate(responses):
            call_id = text_of(response, "id") or (text_of(details, "callId") if len(responses) == 1 else None)
            if call_id is not None:
                self._result(clean(call_id), response, details, place, number)

    def _result(self, call_id: str, response: Row, details: Row, place: _Place, number: int) -> None:
        name = text_of(response, "name") or self.state.ids.get(call_id, "")
        self.state.ids.pop(call_id, None)
        inner = response.get("response")
        failed = isinstance(inner, dict) and "error" in inner and "output" not in inner
        status = text_of(details, "status") or ("error" if failed else "success")
        came = outcome(name, None, status, response_text(inner), details.get("resultDisplay"))
        self._begin(place)
        self.events.append(
            ToolResult(
                session=place.session,
                call_id=call_id,
                part=f"{place.part}#{number}" if number else place.part,
                seq=place.seq,
                ok=came.ok,
                output=clean(head_and_tail(came.output, OUTPUT_CHARS)),
                at=place.at,
                exit_code=came.exit_code,
                changes=came.changes,
                parent=place.parent,
                output_chars=len(came.output),
            )
        )

    def _system(self, row: Row, place: _Place) -> None:
        payload = row.get("systemPayload")
        payload = payload if isinstance(payload, dict) else {}
        match row.get("subtype"):
            case "slash_command":
                if payload.get("phase") != "result" and (command := text_of(payload, "rawCommand")):
                    self._tell(place, "user", "command", command)
            case "mid_turn_user_message":
                text = text_of(payload, "text") or text_of(payload, "message") or parts_text(_own_parts(row))
                self._tell(place, "user", "prompt", own_words(text))
            case "custom_title":
                title = text_of(payload, "customTitle") or text_of(payload, "title")
                self.state.learn("title", clean(title) if title else None)
                if self.state.begun:
                    self._tell_session()
            case "chat_compression":
                if text := _compressed(payload.get("compressedHistory")):
                    self._tell(place, "system", "summary", text)
            case "rewind":
                self.state.rewound = place.parent
            case "notification":
                self._tell(place, "system", "notice", text_of(payload, "displayText") or text_of(payload, "text") or "")
            case subtype:
                if subtype is not None and not (isinstance(subtype, str) and subtype in _QUIET):
                    self.skipped[f"unknown row kind: system/{str(subtype)[:80]}"] += 1

    def _tell(
        self,
        place: _Place,
        role: Role,
        kind: MessageKind,
        text: str,
        thinking: str = "",
        calls: tuple[ToolUse, ...] = (),
        *,
        model: str | None = None,
    ) -> None:
        if not (text or thinking or calls):
            return
        self._begin(place)
        self.events.append(
            MessagePart(
                session=place.session,
                message=place.part,
                part=place.part,
                seq=place.seq,
                role=role,
                kind=kind,
                at=place.at,
                text=clean(text),
                thinking=clean(thinking),
                tool_calls=calls,
                model=model,
                parent=place.parent,
                copied_from=place.copied_from,
            )
        )

    def _begin(self, place: _Place) -> None:
        if place.session == self.state.session:
            self.state.begun = True
            self._tell_session()

    def _tell_session(self) -> None:
        pending = self.state.pending
        if pending:
            told: dict[str, str | int | bool] = {**pending, **({"title_by_user": True} if "title" in pending else {})}
            self.events.append(SessionUpdate(self.state.session, **told))  # type: ignore[arg-type]  # by field name
            pending.clear()


def _parts(row: Row) -> Json:
    message = row.get("message")
    return message.get("parts", message.get("content")) if isinstance(message, dict) else None


def _own_parts(row: Row) -> Json:
    """Return the parts without those that hooks added to a prompt, each a block of its own with escaped brackets."""
    parts = _parts(row)
    return [part for part in parts if not _is_from_hook(part)] if isinstance(parts, list) else parts


def _is_from_hook(part: Json) -> bool:
    text = (text_of(part, "text") or "").strip() if isinstance(part, dict) else ""
    return text.startswith(f"<{_HOOK_TAG}>") and text.endswith(f"</{_HOOK_TAG}>")


def _thought(part: Row) -> str:
    return (text_of(part, "text") or "") if part.get("thought") is True else ""


def _use(part: Row) -> ToolUse | None:
    call = part.get("functionCall")
    if not isinstance(call, dict):
        return None
    call_id, name = text_of(call, "id"), text_of(call, "name")
    if call_id is None or name is None:
        return None
    given = call.get("args")
    return ToolUse(clean(call_id), clean(name), kind_of(name), input_text({} if given is None else given))


def _compressed(history: Json) -> str:
    """Return the summary in a compressed history: its first content, where that is one."""
    for content in history if isinstance(history, list) else ():
        text = parts_text(content.get("parts")).strip() if isinstance(content, dict) else ""
        if text.startswith(SUMMARY_STARTS):
            return text
    return ""
