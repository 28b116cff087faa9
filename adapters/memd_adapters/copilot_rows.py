"""The events of a Copilot CLI session: `{type, data, id, timestamp, parentId}`, from `session.start` to
`session.shutdown`, and again from `session.resume` on when the session goes on later.

What an agent of the session says bears the call that started it (`parentToolCallId`) and is told as a session of its
own. Lines are put together by `copilot_lines`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Final

import orjson

from memd.adapter import (
    ChainLink,
    Event,
    FileChange,
    MessageKind,
    MessagePart,
    Role,
    SessionUpdate,
    ToolResult,
    ToolUse,
)
from memd.text.noise import strip_noise
from memd_adapters.copilot_legacy import imported
from memd_adapters.copilot_lines import rows_in
from memd_adapters.copilot_state import Call, State
from memd_adapters.copilot_tools import committed_changes, exit_code_in, kind_of, planned_changes, result_text
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import OUTPUT_CHARS, clean, head_and_tail, input_text, moment, text_of

_QUIET_FAMILIES: Final = (
    "session.", "hook.", "assistant.", "tool.", "permission.", "skill.", "subagent.", "system.", "user_input.",
    "elicitation.", "external_tool.", "command.", "commands.", "exit_plan_mode.", "mcp.", "sampling.",
    "pending_messages.", "capabilities.", "auto_mode_switch.", "agent.", "human_response.", "mcp_app.", "model.",
    "prompt_cache_break", "sandbox.", "session_limits_exhausted.", "tool_search.", "ui.", "workflow.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Place:
    """Whose an event is and where it stands."""

    session: str
    part: str
    parent: str | None
    at: int | None
    seq: int


@dataclass(slots=True)
class Reading:
    """What the events of one read are told to."""

    state: State
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)

    def take_line(self, line: bytes, offset: int) -> None:
        """Take a line that begins at a byte offset."""
        for row, seq in rows_in(line, offset, self.state, self.skipped):
            self.take(row, seq)

    def take(self, row: Row, seq: int) -> None:
        """Take an event that stands at a byte offset."""
        state = self.state
        state.rows += 1
        kind, part = text_of(row, "type"), text_of(row, "id")
        data = row.get("data")
        data = data if isinstance(data, dict) else {}
        if kind is None:
            self.skipped["row without a type"] += 1
            return
        if not state.session:
            state.session = clean(text_of(data, "sessionId") or "")
        place = self._place(row, data, clean(part or f"{state.session}@{seq}"), seq)
        told = len(self.events)
        self._dispatch(kind, data, place)
        if not any(isinstance(event, MessagePart | ToolResult) for event in self.events[told:]):
            self.events.append(ChainLink(place.session, place.part, seq, place.parent))
        if state.begun:
            self._tell_session()

    def _place(self, row: Row, data: Row, part: str, seq: int) -> _Place:
        parent = text_of(row, "parentId")
        session = self.state.session
        if agent_call := self._agent_call(row, data):
            session = f"{session}:{clean(agent_call)}"
            if agent_call not in self.state.agents or self.state.agents[agent_call]:
                name = self.state.agents.get(agent_call) or None
                self._note_agent(agent_call, "")
                cwd = self.state.known.get("cwd")
                where = cwd if isinstance(cwd, str) else None
                update = SessionUpdate(session, kind="subagent", parent=self.state.session, agent=name, cwd=where)
                self.events.append(update)
        return _Place(session, part, clean(parent) if parent else None, moment(row.get("timestamp")), seq)

    def _agent_call(self, row: Row, data: Row) -> str | None:
        """Return the call that started the agent whose event this is; its first ones bear only the agent's id."""
        agent = text_of(row, "agentId")
        if agent is None:
            return text_of(data, "parentToolCallId")
        if row.get("type") == "subagent.started" and (call := text_of(data, "toolCallId")):
            self.state.remember_agent(clean(agent), clean(call))
            return None
        return text_of(data, "parentToolCallId") or self.state.agent_calls.get(clean(agent))

    def _note_agent(self, call: str, name: str) -> None:
        self.state.agents[call] = name
        if len(self.state.agents) > 100:
            del self.state.agents[next(iter(self.state.agents))]

    def _dispatch(self, kind: str, data: Row, place: _Place) -> None:
        match kind:
            case "user.message":
                self._prompt(data, place)
            case "assistant.message":
                self._answer(data, place)
            case "tool.execution_start":
                self._call(data, place)
            case "tool.execution_complete":
                self._result(data, place)
            case "subagent.started":
                self._agent_started(data)
            case "abort":
                self._tell(place, "system", "notice", f"[Turn ended early: {text_of(data, 'reason') or 'aborted'}]")
            case _:
                self._of_session(kind, data, place)

    def _of_session(self, kind: str, data: Row, place: _Place) -> None:
        match kind:
            case "session.start" | "session.resume" | "session.context_changed" | "session.model_change":
                self._learn(kind, data, place)
            case "session.shutdown":
                self._shut_down(data, place)
            case "session.import_legacy":
                self._import(data)
            case "session.title_changed":
                title = text_of(data, "title")
                self.state.learn("title", clean(title) if title else None)
            case "session.compaction_complete":
                self._tell(place, "system", "summary", text_of(data, "summaryContent") or "")
            case "session.error" | "session.warning":
                self._tell(place, "system", "notice", text_of(data, "message") or "")
            case _:
                if not kind.startswith(_QUIET_FAMILIES):
                    self.skipped[f"unknown row kind: {kind[:80]}"] += 1

    def _import(self, data: Row) -> None:
        legacy = data.get("legacySession")
        if isinstance(legacy, dict) and (told := imported(self.state.session, legacy)):
            self.state.begun = True
            self.events += told

    def _agent_started(self, data: Row) -> None:
        if call := text_of(data, "toolCallId"):
            call = clean(call)
            name = text_of(data, "agentName") or text_of(data, "agentDisplayName")
            self._note_agent(call, clean(name or "agent"))
            if call in self.state.calls:
                self.state.calls[call].child = f"{self.state.session}:{call}"

    def _learn(self, kind: str, data: Row, place: _Place) -> None:
        state = self.state
        if place.session != state.session:
            return
        context = data.get("context")
        context = context if isinstance(context, dict) else data
        cwd, branch = text_of(context, "cwd"), text_of(context, "branch")
        state.learn("cwd", clean(cwd) if cwd else None)
        state.learn("branch", clean(branch) if branch and branch != "HEAD" else None)
        state.learn("version", text_of(data, "copilotVersion"))
        state.learn("model", text_of(data, "newModel") or text_of(data, "selectedModel"))
        if kind == "session.start" and "started_at" not in state.known:
            started = moment(data.get("startTime"))
            state.learn("started_at", place.at if started is None else started)
        if kind in ("session.start", "session.resume"):
            state.files.clear()

    def _prompt(self, data: Row, place: _Place) -> None:
        content = text_of(data, "content") or ""
        source = text_of(data, "source")
        words = strip_noise(content).strip()
        is_task = place.session != self.state.session
        if not is_task and (
            (source is not None and source not in ("user", "cli")) or data.get("isAutopilotContinuation") is True
        ):
            self._tell(place, "system", "notice", words)
            return
        listed = data.get("attachments")
        items = listed if isinstance(listed, list) else []
        images = sum(isinstance(item, dict) and item.get("type") == "image" for item in items)
        self._tell(place, "user", "prompt", "\n\n".join([*([words] if words else []), *["[image]"] * min(images, 20)]))

    def _answer(self, data: Row, place: _Place) -> None:
        listed = data.get("toolRequests")
        requests = [request for request in listed if isinstance(request, dict)] if isinstance(listed, list) else []
        calls = tuple(use for request in requests if (use := self._use(request)) is not None)
        model = text_of(data, "model")
        if place.session == self.state.session:
            self.state.learn("model", model)
        self._tell(
            place,
            "assistant",
            "reply",
            text_of(data, "content") or "",
            text_of(data, "reasoningText") or "",
            calls,
            model=model,
            key=text_of(data, "messageId"),
        )

    def _use(self, request: Row) -> ToolUse | None:
        call_id, name = text_of(request, "toolCallId"), text_of(request, "toolName") or text_of(request, "name")
        if call_id is None or name is None:
            return None
        server = text_of(request, "mcpServerName")
        given = _arguments(request.get("arguments"))
        kind = kind_of(name, server)
        call_id = clean(call_id)
        self.state.remember_call(call_id, Call(kind, list(planned_changes(name, given))))
        return ToolUse(call_id, clean(name), kind, input_text(given))

    def _call(self, data: Row, place: _Place) -> None:
        """Take a call that starts; most were told with the message that asked for them."""
        call_id = text_of(data, "toolCallId")
        if call_id is not None and clean(call_id) not in self.state.calls and (use := self._use(data)) is not None:
            self._tell(place, "assistant", "reply", "", calls=(use,))

    def _result(self, data: Row, place: _Place) -> None:
        call_id = text_of(data, "toolCallId")
        if call_id is None:
            return
        call_id = clean(call_id)
        call = self.state.calls.pop(call_id, None) or Call("other")
        success = data.get("success")
        output, exit_code = result_text(data), None
        if call.kind == "shell":
            output, exit_code = exit_code_in(output)
            shell = data.get("shellExecution")
            said = shell.get("exitCode") if isinstance(shell, dict) else None
            exit_code = said if type(said) is int else exit_code
        ok = exit_code == 0 if exit_code is not None else success if isinstance(success, bool) else None
        changes = committed_changes(data.get("fileEdits"), tuple(call.changes), ok=ok)
        self.state.remember_files(changes)
        self._begin(place)
        self.events.append(
            ToolResult(
                session=place.session,
                call_id=call_id,
                part=place.part,
                seq=place.seq,
                ok=ok,
                output=clean(head_and_tail(output, OUTPUT_CHARS)),
                at=place.at,
                exit_code=exit_code,
                changes=changes,
                child=call.child or None,
                parent=place.parent,
                output_chars=len(output),
            )
        )

    def _shut_down(self, data: Row, place: _Place) -> None:
        """Tell that the process ended, and which files it changed that no call told of."""
        changed = data.get("codeChanges")
        listed = changed.get("filesModified") if isinstance(changed, dict) else None
        paths = [path for path in listed if isinstance(path, str) and path] if isinstance(listed, list) else []
        untold = tuple(FileChange(clean(path), "update") for path in paths if not self._was_told(path))[:200]
        if untold and self.state.begun:
            use = ToolUse(place.part, "session.shutdown", "other", "{}")
            self._tell(place, "system", "notice", "[Files changed in this session]", calls=(use,))
            result = ToolResult(
                place.session, place.part, f"{place.part}#2", place.seq, None, "", at=place.at, changes=untold
            )
            self.events.append(result)
        self.state.learn("model", text_of(data, "currentModel"))
        if self.state.begun:
            self._tell_session()
            reason = text_of(data, "shutdownType")
            update = SessionUpdate(self.state.session, ended_at=place.at, end_reason=clean(reason) if reason else None)
            self.events.append(update)

    def _was_told(self, path: str) -> bool:
        return path in self.state.files or any(told.endswith(f"/{path}") for told in self.state.files)

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
        key: str | None = None,
    ) -> None:
        if not (text or thinking or calls):
            return
        self._begin(place)
        self.events.append(
            MessagePart(
                session=place.session,
                message=clean(key or place.part),
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
            )
        )

    def _begin(self, place: _Place) -> None:
        if place.session == self.state.session:
            self.state.begun = True
            self._tell_session()

    def _tell_session(self) -> None:
        pending = self.state.pending
        if pending:
            self.events.append(SessionUpdate(self.state.session, **pending))  # type: ignore[arg-type]  # by field name
            pending.clear()


def _arguments(value: Json) -> Json:
    if not isinstance(value, str):
        return {} if value is None else value
    try:
        given: Json = orjson.loads(value)
    except orjson.JSONDecodeError:
        return {"arguments": value}
    return {} if given is None else given
