"""The lines of a Codex rollout, in its three generations.

(a) up to 0.31: a head line without a type, then bare items without times, and no working folder but the one in the
    environment text. A prompt is a user message that is not the host's.
(b) from 0.32: `{timestamp, type, payload}`; a prompt is the event `user_message`.
(c) paginated (from 0.14x): every line has an `ordinal`; a prompt is the completed item `UserMessage`.

Answers, calls and outputs stand as `response_item` in (b) and (c) and as the bare lines of (a), the same through a
migration from (b) to (c); what events say of them besides is how commands ended and which files they changed.
"""

from __future__ import annotations

import re
from typing import Final

import orjson

from memd_adapters.codex_calls import take_call, take_end, take_output
from memd_adapters.codex_meta import learn_folder, take_meta
from memd_adapters.codex_reading import Place, Reading
from memd_adapters.codex_text import content_text, folder_in, is_host_text, prompt_text, shell_line, summary_text
from memd_adapters.jsonl_rows import Json, Row, parse_line
from memd_adapters.shaping import head_of, moment, text_of

COMPACTED: Final = re.compile(rb'\{"timestamp":\s?"[^"]{1,64}",\s?(?:"ordinal":\s?\d+,\s?)?"type":\s?"compacted"')
"""How a line starts that repeats the whole history after a compaction; such lines grow to many gigabytes."""

_HEAD: Final = re.compile(
    rb'\{"timestamp":"([^"]{1,64})",(?:"ordinal":(\d{1,15}),)?"type":"(\w{1,64})","payload":\{(?:"type":"(\w{1,64})")?'
)
_SUMMARY: Final = re.compile(rb'"payload":\s?\{\s?"message":\s?("(?:[^"\\]|\\.)*+"?)', re.DOTALL)
NO_PAYLOAD: Final = "row without a payload"
_SUMMARY_CHARS: Final = 32_000

_IGNORED_ROWS: Final = frozenset((
    "world_state", "token_usage_record", "ghost_snapshot", "inter_agent_communication_metadata", "state", "compaction",
    "session_state", "turn_diff",
))  # fmt: skip
_IGNORED_ITEMS: Final = frozenset((
    "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "compaction_trigger", "other",
    "additional_tools",
))  # fmt: skip
_IGNORED_EVENTS: Final = frozenset((
    "token_count", "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break",
    "agent_message_delta", "context_compacted", "plan_update", "turn_diff", "thread_settings_applied", "warning",
    "entered_review_mode", "exited_review_mode", "undo_completed", "undo_started", "item_started", "session_configured",
    "background_event", "stream_error", "deprecation_notice", "model_reroute", "model_verification", "guardian_warning",
    "exec_command_begin", "patch_apply_begin", "mcp_tool_call_begin", "web_search_begin", "view_image_tool_call",
    "collab_agent_spawn_begin", "collab_agent_interaction_begin", "collab_agent_interaction_end", "shutdown_complete",
    "collab_waiting_begin", "collab_waiting_end", "collab_close_begin", "collab_close_end", "collab_resume_begin",
    "collab_resume_end", "mcp_startup_update", "mcp_startup_complete", "image_generation_end", "image_generation_begin",
    "thread_goal_updated", "dynamic_tool_call_request", "dynamic_tool_call_response", "request_user_input",
    "skills_update_available", "hook_started", "hook_completed", "user_input_recorded",
))  # fmt: skip
_ENDS: Final = frozenset((
    "exec_command_end", "patch_apply_end", "mcp_tool_call_end", "web_search_end", "collab_agent_spawn_end",
    "sub_agent_activity",
))  # fmt: skip
_ENDED_ITEMS: Final = frozenset((
    "CommandExecution", "FileChange", "McpToolCall", "WebSearch", "CollabAgentToolCall",
))  # fmt: skip
_IGNORED_ENDED: Final = frozenset((
    "AgentMessage", "Reasoning", "ContextCompaction", "Plan", "ImageView", "ImageGeneration", "TodoList", "HookPrompt",
    "EnteredReviewMode", "ExitedReviewMode", "DynamicToolCall", "Sleep", "SubAgentActivity",
))  # fmt: skip
_CALLS: Final = frozenset((
    "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call",
    "image_generation_call",
))  # fmt: skip
_OUTPUTS: Final = frozenset((
    "function_call_output", "custom_tool_call_output", "mcp_tool_call_output", "tool_search_output",
))  # fmt: skip
_TURN_ENDS: Final = frozenset(("task_complete", "turn_complete", "turn_aborted"))
_TURN_STARTS: Final = frozenset(("task_started", "turn_started"))


_NO_EVENTS: Final = frozenset(kind.encode() for kind in _IGNORED_EVENTS)
_NO_ROWS: Final = frozenset(kind.encode() for kind in _IGNORED_ROWS)
_NO_ITEMS: Final = frozenset(kind.encode() for kind in _IGNORED_ITEMS)


def take_line(reading: Reading, line: bytes) -> None:
    """Take a line; those that hold nothing to keep are passed over unparsed."""
    if not line or line.isspace():
        return
    head = _HEAD.match(line)
    if head is not None and _is_nothing(head[3], head[4]) and line.endswith(b"}"):
        reading.state.rows += 1
        if head[2] is not None and reading.state.between:
            reading.link(Place(moment(head[1].decode("ascii", "replace")), int(head[2])))
        return
    if (head is None or head[3] == b"compacted") and COMPACTED.match(line):
        reading.state.rows += 1
        _take_compacted(reading, line)
        return
    for row in parse_line(line, reading.skipped):
        reading.state.rows += 1
        take_row(reading, row)


def _is_nothing(kind: bytes, inner: bytes | None) -> bool:
    if kind == b"event_msg":
        return inner in _NO_EVENTS
    return kind in _NO_ROWS or (kind == b"response_item" and inner in _NO_ITEMS)


def _take_compacted(reading: Reading, line: bytes) -> None:
    """Keep the summary of a compaction, from the line's first bytes; the history after it is never looked at."""
    head = line[: 64 << 10]
    if not (found := _SUMMARY.search(head, 0, 400 + len(head))):
        return
    text = _cut_string(found[1])
    time = re.match(rb'\{"timestamp":\s?"([^"]{1,64})"', head)
    if text.strip():
        place = Place(moment(time[1].decode("ascii", "replace")) if time else None)
        reading.say("system", "summary", head_of(text, _SUMMARY_CHARS), place)


def _cut_string(quoted: bytes) -> str:
    """Decode JSON string content that may be cut off at its end."""
    for end in range(len(quoted), max(len(quoted) - 16, 0), -1):
        piece = quoted[:end]
        try:
            value = orjson.loads(piece if end == len(quoted) and piece.endswith(b'"') else piece + b'"')
        except orjson.JSONDecodeError:
            continue
        return value if isinstance(value, str) else ""
    return ""


def take_row(reading: Reading, row: Row) -> None:
    """Take a row of any generation."""
    payload = row.get("payload")
    kind = row.get("type")
    if not isinstance(payload, dict):
        _take_bare(reading, row)
        return
    reading.state.shape = reading.state.shape or "envelope"
    ordinal = row.get("ordinal")
    place = Place(moment(row.get("timestamp")), ordinal if type(ordinal) is int and 0 <= ordinal < 1 << 53 else None)
    reading.watch_replay(place.at)
    inner = text_of(payload, "type") or ""
    if reading.state.between and inner not in _TURN_STARTS:
        reading.link(place)
    match kind:
        case "response_item":
            _take_item(reading, payload, place, bare=False)
        case "event_msg":
            _take_event(reading, inner, payload, place)
        case "session_meta":
            take_meta(reading, payload, place)
        case "turn_context":
            _take_context(reading, payload)
        case "compacted":
            if text := text_of(payload, "message"):
                reading.say("system", "summary", head_of(text, _SUMMARY_CHARS), place)
        case _:
            if not (isinstance(kind, str) and kind in _IGNORED_ROWS):
                _unknown(reading, kind)
    if reading.state.begun and reading.state.pending:
        reading.tell_session()


def _take_bare(reading: Reading, row: Row) -> None:
    """Take a line of the first generation."""
    kind = row.get("type")
    state = reading.state
    if state.shape == "envelope":  # a piece of a damaged line
        reading.skipped[NO_PAYLOAD] += 1
        return
    state.shape = "bare"
    if kind is None and "record_type" in row:
        return
    if kind is None and text_of(row, "id") and "timestamp" in row:
        take_meta(reading, row, Place(moment(row.get("timestamp"))))
    elif isinstance(kind, str):
        _take_item(reading, row, Place(None), bare=True)
    else:
        _unknown(reading, None)


def _take_context(reading: Reading, context: Row) -> None:
    """Learn what holds for a turn."""
    if turn := text_of(context, "turn_id"):
        reading.begin_turn(turn)
    learn_folder(reading, text_of(context, "cwd"))
    if (model := text_of(context, "model")) and not reading.state.origin:
        reading.learn("model", model)


def _take_event(reading: Reading, kind: str, event: Row, place: Place) -> None:
    """Take what happened: prompts, turns and how calls ended."""
    state = reading.state
    if kind in _IGNORED_EVENTS:
        return
    if kind in _ENDS:
        take_end(reading, kind, event, place)
    elif kind in _TURN_STARTS:
        reading.link(place)
        reading.begin_turn(text_of(event, "turn_id") or "")
    elif kind in _TURN_ENDS:
        if kind == "turn_aborted":
            reason = text_of(event, "reason") or "interrupted"
            reading.say("system", "notice", f"[Turn ended early: {reason}]", place)
        if not state.between:
            reading.link(place)
        state.between = True
        state.reply = ""
    else:
        _take_other_event(reading, kind, event, place)


def _take_other_event(reading: Reading, kind: str, event: Row, place: Place) -> None:
    match kind:
        case "user_message":
            if event.get("kind") in (None, "plain"):
                images = event.get("images"), event.get("local_images")
                marks = sum(len(listed) for listed in images if isinstance(listed, list))
                _take_prompt(reading, text_of(event, "message") or "", marks, place)
        case "item_completed":
            item = event.get("item")
            if isinstance(item, dict):
                _take_completed(reading, item, event, place)
        case "thread_rolled_back":
            _roll_back(reading, event.get("num_turns"))
        case "thread_name_updated":
            if title := text_of(event, "thread_name"):
                reading.learn("title", title)
        case "error":
            if text := text_of(event, "message"):
                reading.say("system", "notice", text, place)
        case _:
            _unknown(reading, f"event_msg/{kind}")


def _take_prompt(reading: Reading, text: str, images: int, place: Place) -> None:
    words = prompt_text(text)
    words = "\n\n".join([*([words] if words else []), *["[image]"] * min(images, 20)])
    if words:
        reading.prompt(words, place)


def _take_completed(reading: Reading, item: Row, event: Row, place: Place) -> None:
    """Take an item of a paginated file that is complete."""
    kind = text_of(item, "type") or ""
    if kind == "UserMessage":
        reading.begin_turn(text_of(event, "turn_id") or "")
        content = item.get("content")
        parts = content if isinstance(content, list) else [content]
        texts = [text for part in parts if (text := content_text([part])) and text != "[image]"]
        images = sum(isinstance(part, dict) and part.get("type") in ("image", "local_image") for part in parts)
        _take_prompt(reading, "\n".join(texts), images, place)
    elif kind in _ENDED_ITEMS:
        take_end(reading, kind, item, place)
    elif kind not in _IGNORED_ENDED:
        _unknown(reading, f"item_completed/{kind}")


def _roll_back(reading: Reading, turns: Json) -> None:
    """Take back the last turns that had a prompt, with what lies between them."""
    state = reading.state
    left = turns if type(turns) is int and turns > 0 else 0
    state.end_turn("")
    while left and state.turns:
        turn, messages, prompted = state.turns.pop()
        left -= prompted
        reading.withdraw(turn, messages)


def _take_item(reading: Reading, item: Row, place: Place, *, bare: bool) -> None:
    """Take an item of the conversation with the model."""
    kind = text_of(item, "type") or ""
    if kind == "message":
        _take_message(reading, item, place, bare=bare)
    elif kind == "reasoning":
        if text := summary_text(item):
            reading.reply(place, thinking=text)
    elif kind in _CALLS:
        take_call(reading, kind, item, place)
    elif kind in _OUTPUTS:
        take_output(reading, item, place)
    elif kind == "agent_message":
        text = content_text(item.get("content"))
        if text and not text.rstrip().endswith("Payload:"):
            reading.say("system", "notice", text, place)
    elif kind not in _IGNORED_ITEMS:
        _unknown(reading, f"response_item/{kind}" if kind else None)


def _take_message(reading: Reading, item: Row, place: Place, *, bare: bool) -> None:
    content = item.get("content")
    match item.get("role"):
        case "assistant":
            if text := content_text(content):
                reading.reply(place, text=text, model=_model(reading))
        case "user":
            texts = [content_text([part]) for part in content] if isinstance(content, list) else [content_text(content)]
            for text in texts:
                learn_folder(reading, folder_in(text))
                if line := shell_line(text):
                    words = f"! {line.command}\n\n{line.output}" if line.output else f"! {line.command}"
                    reading.say("user", "command", words, place)
            own = [text for text in texts if text and not is_host_text(text)]
            if bare and own:
                _take_prompt(reading, "\n".join(text for text in own if text != "[image]"), own.count("[image]"), place)
        case _:
            pass


def _model(reading: Reading) -> str | None:
    model = reading.state.known.get("model")
    return model if isinstance(model, str) else None


def _unknown(reading: Reading, kind: Json) -> None:
    name = kind[:80] if isinstance(kind, str) and kind else None
    reading.skipped[f"unknown row kind: {name}" if name else "row without a type"] += 1
