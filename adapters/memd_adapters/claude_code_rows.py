"""The lines of a Claude Code file: conversation rows are told on, the host's notes about itself are sifted."""

from __future__ import annotations

from typing import Final

from memd_adapters.claude_code_chain import ConversationRow
from memd_adapters.claude_code_reading import Reading
from memd_adapters.jsonl_rows import Row, parse_line
from memd_adapters.shaping import moment, text_of

NO_KIND: Final = "row without a type"

IGNORED_KINDS: Final = frozenset((
    "agent-color", "agent-name", "agent-setting", "api-request", "api-request-blob", "api-request-resumed",
    "api-request-shape", "atis-latch", "attribution-snapshot", "bridge-session", "content-replacement", "continued-in",
    "cost-state", "derived-from", "dev-mods", "ended-by-model", "file-history-delta", "file-history-snapshot",
    "fork-context-ref", "frame-link", "history-suppression", "host-row", "isolation-latch", "last-prompt",
    "memory-mode", "mode", "observer-ref", "permission-mode", "pr-link", "repl-mode", "resume-head-vouch",
    "session-owner", "summary", "tag", "tools-used", "worktree-state",
))  # fmt: skip
"""Notes that hold nothing to keep. A `summary` (1.0.x) speaks of another session than its file's."""

_IGNORED_FAMILIES: Final = ("artifact-", "data-flow-", "api-request")
_TYPE_START: Final = b'{"type":"'


def take_line(reading: Reading, line: bytes, offset: int) -> None:
    """Take a line that begins at a byte offset."""
    state = reading.state
    if line.startswith(_TYPE_START):
        end = line.find(b'"', 9, 64)
        if line[9:end].decode("ascii", "replace") in IGNORED_KINDS:
            state.rows += 1
            return
    elif not line or line.isspace():
        return
    for index, row in enumerate(parse_line(line, reading.skipped)):
        state.rows += 1
        take_row(reading, row, offset + index, line)


def take_row(reading: Reading, row: Row, seq: int, line: bytes) -> None:
    """Take a row; `line` is where it stands, for rows without an id of their own."""
    state = reading.state
    if state.warm_up:
        return
    match row.get("type"):
        case "assistant":
            ConversationRow(reading, row, seq, line).assistant()
        case "user":
            ConversationRow(reading, row, seq, line).user()
        case "attachment":
            ConversationRow(reading, row, seq, line).attachment()
        case "system":
            ConversationRow(reading, row, seq, line).system()
        case "progress":  # its agent_progress repeats a subagent's messages
            ConversationRow(reading, row, seq, line).link()
        case str(kind):
            _take_note(reading, kind, row)
        case _:
            reading.skipped[NO_KIND] += 1
    if state.begun and state.pending:
        reading.tell_session()


def _take_note(reading: Reading, kind: str, row: Row) -> None:
    """Take a row that stands outside the conversation."""
    state = reading.state
    match kind:
        case "custom-title":
            if title := text_of(row, "customTitle"):
                reading.learn("title", title)
                reading.learn("title_by_user", True)
        case "ai-title":
            if (title := text_of(row, "aiTitle")) and "title_by_user" not in state.known:
                reading.learn("title", title)
        case "relocated":
            if cwd := text_of(row, "relocatedCwd"):
                reading.learn("cwd", cwd)
        case "queue-operation":
            if state.own_at is None and not state.begun and "started_at" not in state.known:
                state.own_at = moment(row.get("timestamp"))
        case _:
            if kind not in IGNORED_KINDS and not kind.startswith(_IGNORED_FAMILIES):
                reading.skipped[f"unknown row kind: {kind[:80]}"] += 1
