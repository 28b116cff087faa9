"""One row of a Claude Code conversation: what it says and who says it.

Rows with `uuid` and `parentUuid` form the conversation's tree: user, assistant, system, attachment and (2.1.2 to
2.1.9x) progress. One API message is written as one row per content block; the rows share `message.id`.
"""

from __future__ import annotations

import hashlib
from typing import Final

from memd.adapter import ChainLink, MessageKind, MessagePart, Role, ToolResult, ToolUse
from memd_adapters.claude_code_origin import learn_session, name_agent, session_of
from memd_adapters.claude_code_reading import Reading, agent_session, content_of, prompt_digest
from memd_adapters.claude_code_state import Call
from memd_adapters.claude_code_text import NOTHING, Said, Speaker, tell
from memd_adapters.claude_code_tools import kind_of, outcome, own_words, planned_change
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import clean, input_text, moment, text_of

WARM_UP: Final = "warm-up of a subagent"
NO_MESSAGE: Final = "row without a message"

_LINK_SUBTYPES: Final = frozenset((
    "agents_killed", "api_error", "api_metrics", "away_summary", "bridge_status", "compact_boundary", "file_snapshot",
    "informational", "local_command", "memory_saved", "microcompact_boundary", "permission_retry",
    "scheduled_task_fire", "stop_hook_summary", "thinking", "turn_duration",
))  # fmt: skip
"""Subtypes of `system` that hold nothing to keep, or nothing when they have no content."""


class ConversationRow:
    """One row of the conversation's tree."""

    __slots__ = ("_at", "_copied_from", "_made", "_parent", "_part", "_reading", "_row", "_seq", "_session")

    def __init__(self, reading: Reading, row: Row, seq: int, line: bytes) -> None:
        self._reading = reading
        self._row = row
        self._seq = seq
        self._made = 0
        self._at = moment(row.get("timestamp"))
        self._parent = text_of(row, "parentUuid")
        self._copied_from: str | None = None
        part = text_of(row, "uuid")
        forked = row.get("forkedFrom")
        if isinstance(forked, dict):
            self._copied_from = text_of(forked, "sessionId")
            part = text_of(forked, "messageUuid") or part
        if not reading.state.session:
            name_agent(reading, row)
        self._part = part or f"{reading.state.session}:{hashlib.blake2b(line, digest_size=12).hexdigest()}"
        self._session = session_of(reading, row, self._part, self._at)

    def user(self) -> None:
        """A prompt, a command, a notice, a summary, or the results of tool calls."""
        content = content_of(self._row)
        if content is None:
            self._reading.skipped[NO_MESSAGE] += 1
            self.link()
            return
        self._learn()
        results = [b for b in content if isinstance(b, dict) and b.get("type") == "tool_result"] if content else []
        said = self._tell_user(content, has_results=bool(results))
        if self._reading.agent is not None and not self._reading.state.begun and said.text == "Warmup":
            self._reading.state.warm_up = True
            self._reading.skipped[WARM_UP] += 1
            return
        for block in results:
            self._result(block)
        self._say(said)
        if not self._made:
            self.link()

    def _tell_user(self, content: str | list[Json], *, has_results: bool) -> Said:
        row = self._row
        blocks = [content] if isinstance(content, str) else content
        saids = [self._tell_block(block) for block in blocks]
        saids = [said for said in saids if said.kind != "nothing"]
        if not saids:
            return NOTHING
        text = "\n\n".join(said.text for said in saids)
        if row.get("isCompactSummary") is True:
            return Said("summary", text)
        if row.get("isMeta") is True:
            return NOTHING
        first: Speaker = next((said.kind for said in saids if said.kind != "prompt"), "prompt")
        if first == "prompt" and (has_results or self._from_harness()):
            return Said("notice", text)
        return Said(first, text)

    def _tell_block(self, block: Json) -> Said:
        if isinstance(block, str):
            return tell(block)
        if not isinstance(block, dict):
            return NOTHING
        match block.get("type"):
            case "text":
                return tell(text) if isinstance(text := block.get("text"), str) else NOTHING
            case "image":
                return Said("prompt", "[image]")
            case "document":
                return Said("prompt", "[document]")
            case _:
                return NOTHING

    def _from_harness(self) -> bool:
        """Tell whether a row that looks like a prompt says itself that no person wrote it."""
        source = self._row.get("promptSource")
        if source in ("typed", "sdk"):
            return False
        origin = self._row.get("origin")
        kind = origin.get("kind") if isinstance(origin, dict) else None
        return source == "system" or kind not in (None, "human")

    def _say(self, said: Said) -> None:
        state = self._reading.state
        match said.kind:
            case "nothing":
                return
            case "prompt":
                state.prompted = True
                self._message("user", "prompt", said.text)
            case "command":
                self._message("user", "command", said.text)
                state.command, state.command_key = text_of(self._row, "uuid") or "", self._part
            case "output":
                follows = bool(state.command) and self._parent == state.command
                if said.text or follows:
                    self._message("user", "command", said.text, key=state.command_key if follows else None)
            case "notice":
                self._message("system", "notice", said.text)
            case "summary":
                self._message("system", "summary", said.text)

    def assistant(self) -> None:
        """One content block (older versions: several) of a model's message."""
        content = content_of(self._row)
        if content is None:
            self._reading.skipped[NO_MESSAGE] += 1
            self.link()
            return
        self._learn()
        message = self._row.get("message")
        message = message if isinstance(message, dict) else {}
        texts: list[str] = []
        thoughts: list[str] = []
        calls: list[ToolUse] = []
        results: list[Row] = []
        if isinstance(content, str):
            texts.append(content)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                self._take_block(block, texts, thoughts, calls, results)
        model = text_of(message, "model")
        if model == "<synthetic>" or self._row.get("isApiErrorMessage") is True:
            text = "\n\n".join(texts)
            if text and text != "No response requested.":
                self._message("system", "notice", text)
        elif texts or thoughts or calls:
            self._reply(message, "\n\n".join(texts), "\n\n".join(thoughts), tuple(calls), model)
        for result in results:
            self._result(result)
        if not self._made:
            self.link()

    def _take_block(
        self, block: Row, texts: list[str], thoughts: list[str], calls: list[ToolUse], results: list[Row]
    ) -> None:
        match block.get("type"):
            case "text":
                if text := text_of(block, "text"):
                    texts.append(text)
            case "thinking":
                if text := text_of(block, "thinking"):
                    thoughts.append(text)
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                call_id, name = text_of(block, "id"), text_of(block, "name")
                if call_id and name:
                    calls.append(self._call(call_id, name, block.get("input")))
            case str(kind) if kind.endswith("_tool_result"):
                results.append(block)
            case "image":
                texts.append("[image]")
            case _:
                pass

    def _call(self, call_id: str, name: str, given: Json) -> ToolUse:
        kind = kind_of(name)
        prompt = given.get("prompt") if kind == "agent" and isinstance(given, dict) else None
        digest = prompt_digest(prompt) if isinstance(prompt, str) else ""
        self._reading.state.remember_call(call_id, Call(kind, planned_change(name, given), digest))
        return ToolUse(call_id, name, kind, input_text(given))

    def _reply(self, message: Row, text: str, thinking: str, calls: tuple[ToolUse, ...], model: str | None) -> None:
        """Tell a part of a model's message.

        Gateways may give every answer the same id; an id that comes again after a prompt is taken for another message.
        """
        state = self._reading.state
        message_id = text_of(message, "id")
        if message_id is None:
            key = self._part
        elif self._session == state.session:
            if message_id != state.message_id:
                state.message_key = message_id
            elif state.prompted:
                state.message_key = self._part
            state.message_id = message_id
            state.prompted = False
            key = state.message_key
        else:
            key = message_id
        if model and self._session == state.session:
            self._reading.learn("model", model)
        self._message("assistant", "reply", text, key=key, thinking=thinking, calls=calls, model=model)

    def system(self) -> None:
        """A local command and its output, a recap, a notice; all else is a link."""
        subtype = text_of(self._row, "subtype") or ""
        content = text_of(self._row, "content")
        match subtype:
            case "local_command" if content:
                self._learn()
                self._say(tell(content))
            case "informational" | "away_summary" if content:
                self._learn()
                self._message("system", "notice", content)
            case _:
                if subtype and subtype not in _LINK_SUBTYPES:
                    self._reading.skipped[f"unknown row kind: system/{subtype[:80]}"] += 1
        if not self._made:
            self.link()

    def attachment(self) -> None:
        """What the harness adds to a turn: a link, but for a prompt that was typed while the model was at work."""
        attachment = self._row.get("attachment")
        if isinstance(attachment, dict) and attachment.get("type") == "queued_command":
            self._learn()
            prompt = attachment.get("prompt")
            blocks = prompt if isinstance(prompt, list) else [prompt]
            saids = [said for block in blocks if (said := self._tell_block(block)).kind != "nothing"]
            if saids:
                self._say(_queued(attachment.get("commandMode"), saids))
        if not self._made:
            self.link()

    def link(self) -> None:
        """Keep the row's place in the tree."""
        self._reading.events.append(ChainLink(self._session, self._part, self._seq, self._parent))

    def _learn(self) -> None:
        if self._session == self._reading.state.session:
            self._copied_from = learn_session(self._reading, self._row, self._at, self._copied_from)

    def _next_part(self) -> tuple[str, str | None]:
        """Return key and parent for the next thing this row gives; the first has the row's own."""
        self._made += 1
        if self._made == 1:
            return self._part, self._parent
        return f"{self._part}#{self._made}", None

    def _message(
        self,
        role: Role,
        kind: MessageKind,
        text: str,
        *,
        key: str | None = None,
        thinking: str = "",
        calls: tuple[ToolUse, ...] = (),
        model: str | None = None,
    ) -> None:
        if self._session == self._reading.state.session:
            self._reading.begin()
        part, parent = self._next_part()
        self._reading.events.append(
            MessagePart(
                session=self._session,
                message=key or part,
                part=part,
                seq=self._seq,
                role=role,
                kind=kind,
                at=self._at,
                text=clean(text),
                thinking=clean(thinking),
                tool_calls=calls,
                model=model,
                parent=parent,
                copied_from=self._copied_from,
            )
        )

    def _result(self, block: Row) -> None:
        call_id = text_of(block, "tool_use_id")
        if call_id is None:
            return
        call = self._reading.state.calls.pop(call_id, None)
        details = self._row.get("toolUseResult")
        came = outcome(block, details, call.kind if call else None, call.change if call else None)
        child = (call.child or None) if call else None
        if isinstance(details, dict) and (agent := text_of(details, "agentId")):
            child = agent_session(agent, self._reading.state.parent or self._reading.state.session)
        if self._session == self._reading.state.session:
            self._reading.begin()
        part, parent = self._next_part()
        self._reading.events.append(
            ToolResult(
                session=self._session,
                call_id=call_id,
                part=part,
                seq=self._seq,
                ok=came.ok,
                output=clean(came.output),
                at=self._at,
                exit_code=came.exit_code,
                changes=came.changes,
                child=child,
                parent=parent,
                output_chars=came.output_chars,
            )
        )
        if words := own_words(details, block):
            self._say(Said("prompt", words))


def _queued(mode: Json, saids: list[Said]) -> Said:
    """Return what was queued while the model was at work: a prompt, a shell line or the news of a task."""
    text = "\n\n".join(said.text for said in saids)
    if mode == "bash":
        return Said("command", f"! {text}")
    if mode in (None, "prompt") and saids[0].kind in ("prompt", "command"):
        return Said(saids[0].kind, text)
    return Said("notice", text)
