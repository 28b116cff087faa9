"""The records of a Gemini CLI chat: a log of messages that are written again whenever something about them changes.

    {"sessionId", "projectHash", "startTime", "kind", "directories"}     the head; again at each resume
    {"id", "timestamp", "type", "content", "toolCalls", ...}             a message; the last one of an id counts
    {"$set": {"messages": [...], ...}}                                   the model's context, at starts and compressions
    {"$rewindTo": id}                                                    that message and all after it are taken back

A context repeats messages in another form (calls among the parts, an answer's id also on the outputs that followed), so
that only those are taken from it that the log does not have.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

from memd.adapter import Event, MessageKind, MessagePart, Role, SessionUpdate, ToolResult, ToolUse, Withdrawn
from memd_adapters.gemini_state import State
from memd_adapters.gemini_tools import (
    SUMMARY_STARTS,
    calls_in,
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

_FINAL: Final = ("success", "error", "cancelled")


@dataclass(slots=True)
class Reading:
    """What the records of one read are told to."""

    state: State
    folder: str | None = None
    """The project's folder by the files beside the chat, where the chat itself does not tell."""
    name: str = ""
    """What a chat is called whose head is lost: by its file."""
    events: list[Event] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    in_context: bool = False
    """True while messages of a context are taken: what is stored of them already is the fuller word."""

    def take(self, row: Row, seq: int) -> None:
        """Take a record that stands at a place of the file."""
        self.state.rows += 1
        if "$rewindTo" in row:
            self._rewind(row.get("$rewindTo"))
        elif "$set" in row:
            changed = row.get("$set")
            if isinstance(changed, dict):
                self._take_head(changed)
                self.take_messages(changed.get("messages"), seq, is_context=True)
        elif text_of(row, "id") and isinstance(row.get("type"), str):
            self.take_message(row, seq)
        elif "sessionId" in row or "startTime" in row:
            self._take_head(row)
            self.take_messages(row.get("messages"), seq, is_context=False)
        else:
            self.skipped["row of unknown form"] += 1
        if self.state.begun:
            self._tell_session()

    def take_messages(self, messages: Json, seq: int, *, is_context: bool) -> None:
        """Take a list of messages: a context, of which only what is new counts, or all that a chat holds."""
        self.in_context = is_context
        for index, message in enumerate(messages if isinstance(messages, list) else ()):
            if not isinstance(message, dict):
                self.skipped["message that is no object"] += 1
            elif not is_context or text_of(message, "id") not in self.state.ids:
                self.take_message(message, seq + index)
        self.in_context = False

    def _take_head(self, head: Row) -> None:
        state = self.state
        if not state.session and (session := text_of(head, "sessionId")):
            state.session = clean(session)
        started = moment(head.get("startTime"))
        if started is not None and "started_at" not in state.known:
            state.learn("started_at", started)
        if head.get("kind") == "subagent":
            state.learn("kind", "subagent")
        folders = head.get("directories")
        if isinstance(folders, list) and folders and isinstance(folders[0], str) and "cwd" not in state.known:
            state.learn("cwd", clean(folders[0]))
        if title := text_of(head, "summary"):
            state.learn("title", clean(title))

    def take_message(self, message: Row, seq: int) -> None:
        """Take a message as it is by now."""
        kind = message.get("type")
        at = moment(message.get("timestamp"))
        key = clean(text_of(message, "id") or _digest(f"{kind}{at}{message.get('content')!r}"))
        match kind:
            case "user":
                self._user(message, key, at, seq)
            case "gemini":
                self._answer(message, key, at, seq)
            case "info" | "error" | "warning":
                if text := parts_text(message.get("content")).strip():
                    self._tell(key, "system", "notice", text, at, seq)
            case _:
                name = kind[:80] if isinstance(kind, str) else "none"
                self.skipped[f"unknown row kind: {name}"] += 1

    def _user(self, message: Row, key: str, at: int | None, seq: int) -> None:
        content = message.get("content")
        text = parts_text(content)
        if (folder := folder_in(text)) and "cwd" not in self.state.known:
            self.state.learn("cwd", clean(folder))
        shown = message.get("displayContent")
        words = own_words(parts_text(shown) if shown else text)
        if text.lstrip().startswith(SUMMARY_STARTS):
            self._tell(key, "system", "summary", text.strip(), at, seq)
        elif words and not responses_in(content):
            self._tell(key, "user", "command" if _is_command(words) else "prompt", words, at, seq)
        for response in responses_in(content):
            self._response(response, key, at, seq)

    def _answer(self, message: Row, key: str, at: int | None, seq: int) -> None:
        model = text_of(message, "model")
        self.state.learn("model", model)
        listed = message.get("toolCalls") or self._called(message.get("content"))
        calls = [call for call in listed if isinstance(call, dict)] if isinstance(listed, list) else []
        text = parts_text(message.get("content")).strip()
        thinking = _thoughts(message.get("thoughts"))
        if text or thinking:
            self._tell(key, "assistant", "reply", text, at, seq, thinking=thinking, model=model)
        for number, call in enumerate(calls):
            if (use := _use(call)) is not None:
                self._tell(key, "assistant", "reply", "", at, seq + number, call=use, model=model)
            self._result(call, key, seq + 1 + number)

    def _called(self, content: Json) -> list[Row]:
        """Return the calls among an answer's parts: all there is of them in a chat that has lost its beginning."""
        if self.state.session not in ("", self.name):
            return []
        calls = calls_in(content)
        for call in calls:
            if call_id := text_of(call, "id"):
                given = call.get("args")
                path = text_of(given, "file_path") if isinstance(given, dict) else None
                self.state.open[call_id] = [text_of(call, "name") or "", path or ""]
        return calls

    def _response(self, response: Row, key: str, at: int | None, seq: int) -> None:
        """Take what came back from a call among parts, the first time."""
        call_id, came = text_of(response, "id") or "", response.get("response")
        name, path = self.state.open.pop(call_id, ("", ""))
        if not name:
            return
        status = "error" if isinstance(came, dict) and "error" in came else "success"
        result: Row = {"id": call_id, "name": name, "status": status, "args": {"file_path": path}, "timestamp": None}
        result["result"] = [{"functionResponse": response}]
        self._result(result, key, seq, at)

    def _result(self, call: Row, key: str, seq: int, at: int | None = None) -> None:
        call_id, name, status = text_of(call, "id"), text_of(call, "name") or "", text_of(call, "status")
        if call_id is None or status not in _FINAL:
            return
        output = "\n".join(
            text for response in responses_in(call.get("result")) if (text := response_text(response.get("response")))
        )
        display = call.get("resultDisplay")
        came = outcome(name, call.get("args"), status, output or (display if isinstance(display, str) else ""), display)
        self.events.append(
            ToolResult(
                session=self.state.session,
                call_id=clean(call_id),
                part=f"{self.state.session}:{key}:{_digest(f'{call_id}{status}{output}')}",
                seq=seq,
                ok=came.ok,
                output=clean(head_and_tail(came.output, OUTPUT_CHARS)),
                at=moment(call.get("timestamp")) or at,
                exit_code=came.exit_code,
                changes=came.changes,
                child=text_of(call, "agentId"),
                output_chars=len(came.output),
            )
        )

    def _tell(
        self,
        key: str,
        role: Role,
        kind: MessageKind,
        text: str,
        at: int | None,
        seq: int,
        *,
        thinking: str = "",
        call: ToolUse | None = None,
        model: str | None = None,
    ) -> None:
        """Tell a message, or one call of it: a row of its own, because a message is written before its calls."""
        state = self.state
        if not state.begun:
            state.begun = True
            state.session = state.session or self.name
            if "cwd" not in state.known:
                state.learn("cwd", self.folder)
        self._tell_session()
        state.remember(key, kind)
        self.events.append(
            MessagePart(
                session=state.session,
                message=key,
                part=f"{state.session}:{key}:{call.call_id}" if call else f"{state.session}:{key}",
                seq=seq,
                role=role,
                kind=kind,
                at=at,
                text=clean(text),
                thinking=clean(thinking),
                tool_calls=(call,) if call else (),
                model=model,
                replace=not self.in_context,
            )
        )

    def _tell_session(self) -> None:
        pending = self.state.pending
        if pending:
            self.events.append(SessionUpdate(self.state.session, **pending))  # type: ignore[arg-type]  # by field name
            pending.clear()

    def _rewind(self, target: Json) -> None:
        """Take back a message and what follows it; all, where the message is unknown, as the host does."""
        ids = list(self.state.ids)
        start = ids.index(target) if isinstance(target, str) and target in self.state.ids else 0
        gone = ids[start:]
        if gone:
            self.events.append(Withdrawn(self.state.session, tuple(gone)))
        for message in gone:
            del self.state.ids[message]


def _is_command(words: str) -> bool:
    """Tell a slash command from a path that begins a prompt."""
    if not words.startswith(("/", "?")) or "\n" in words:
        return False
    name = words[1:].partition(" ")[0]
    return "/" not in name and name.replace("-", "").replace(":", "").isalnum()


def _use(call: Row) -> ToolUse | None:
    call_id, name = text_of(call, "id"), text_of(call, "name")
    if call_id is None or name is None:
        return None
    given = call.get("args")
    return ToolUse(clean(call_id), clean(name), kind_of(name), input_text({} if given is None else given))


def _thoughts(thoughts: Json) -> str:
    lines = []
    for thought in thoughts if isinstance(thoughts, list) else ():
        if isinstance(thought, dict):
            subject, text = text_of(thought, "subject"), text_of(thought, "description")
            lines.append(": ".join(part for part in (subject, text) if part))
    return "\n".join(line for line in lines if line)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
