"""A composer: a conversation as Cursor's editor keeps it, in each of its forms, as pieces.

`composerData` lists the conversation's bubbles in `fullConversationHeadersOnly`; the bubbles are rows of their own, or
stand in it (`conversation`, `conversationMap`). A bubble says something, thinks (`thinking`) or calls a tool
(`toolFormerData`; in the first form `bubbleDataMap`). What a rewind dropped from the list stays as a row: an orphan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

from memd.adapter import SessionUpdate
from memd_adapters.cursor_pieces import Piece
from memd_adapters.cursor_text import shown, squeezed, told_at, unwrapped
from memd_adapters.cursor_tools import Result, call_of, object_in, structured_result
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import moment, text_of

NO_BUBBLE: Final = "bubble without content"
Bubbles: TypeAlias = Callable[[str], "Row | None"]

_USER: Final = 1
_EARLIEST_MS: Final = 946_684_800_000
_LATEST_MS: Final = 1 << 42
_FINISHED: Final = ("completed", "error", "cancelled", "rejected")
_RESTING: Final = ("completed", "aborted", "none", "error", "")
_TASK: Final = "task-"


@dataclass(frozen=True, slots=True)
class Composer:
    """A conversation's own row."""

    id: str
    data: Row

    def order(self) -> list[str]:
        """Return the ids of its bubbles in their order."""
        headers = self.data.get("fullConversationHeadersOnly")
        if not isinstance(headers, list) or not headers:
            headers = self.data.get("conversation")
        found = [header for header in headers if isinstance(header, dict)] if isinstance(headers, list) else []
        return [bubble for header in found if (bubble := text_of(header, "bubbleId"))]

    def inline(self) -> dict[str, Row]:
        """Return the bubbles that stand in the row itself."""
        found: dict[str, Row] = {}
        listed, mapped = self.data.get("conversation"), self.data.get("conversationMap")
        for bubble in listed if isinstance(listed, list) else []:
            if isinstance(bubble, dict) and (key := text_of(bubble, "bubbleId")):
                found[key] = bubble
        for key, bubble in mapped.items() if isinstance(mapped, dict) else ():
            if isinstance(bubble, dict):
                found.setdefault(key, bubble)
        return found

    def is_resting(self) -> bool:
        """Tell whether nothing is being written to it now."""
        return (text_of(self.data, "status") or "") in _RESTING

    def first_tools(self) -> dict[str, Row]:
        """Return the tool calls of the first form by bubble."""
        found: dict[str, Row] = {}
        capabilities = self.data.get("capabilities")
        for capability in capabilities if isinstance(capabilities, list) else []:
            data = capability.get("data") if isinstance(capability, dict) and capability.get("type") == 15 else None
            tools = object_in(text_of(data, "bubbleDataMap") or "") if isinstance(data, dict) else None
            found |= {bubble: tool for bubble, tool in (tools or {}).items() if isinstance(tool, dict)}
        return found

    def update(self, header: Row, cwd: str | None) -> SessionUpdate:
        """Return what the row, and its header in the table of headers, tell of the session."""
        data = self.data
        about = data.get("subagentInfo")
        parent = text_of(about, "parentComposerId") if isinstance(about, dict) else None
        worktree = data.get("gitWorktree")
        model = data.get("modelConfig")
        name = text_of(model, "modelName") if isinstance(model, dict) else None
        return SessionUpdate(
            self.id,
            kind="subagent" if parent or self.id.startswith(_TASK) or header.get("isSubagent") else "main",
            parent=parent,
            cwd=workspace_of(data, header) or cwd,
            branch=text_of(worktree, "branchName") if isinstance(worktree, dict) else None,
            model=None if name == "default" else name,
            agent=text_of(about, "subagentType") if isinstance(about, dict) else None,
            title=text_of(data, "name") or text_of(header, "name"),
            started_at=time_ms(data.get("createdAt")) or time_ms(header.get("createdAt")),
        )


def workspace_of(data: Row, header: Row) -> str | None:
    """Return the folder that a conversation belongs to."""
    for row in (data, header):
        identifier = row.get("workspaceIdentifier")
        if isinstance(identifier, dict) and (folder := folder_of(identifier.get("uri"))):
            return folder
    worktree, repos = data.get("gitWorktree"), data.get("trackedGitRepos")
    if isinstance(worktree, dict) and (path := text_of(worktree, "worktreePath")):
        return path
    first = repos[0] if isinstance(repos, list) and repos else None
    return text_of(first, "repoPath") if isinstance(first, dict) else None


def folder_of(uri: Json) -> str | None:
    """Return the folder of a `file:` or remote URI, as text or as the editor's object."""
    if isinstance(uri, dict):
        return text_of(uri, "fsPath") or folder_of(uri.get("external")) or text_of(uri, "path")
    if not isinstance(uri, str):
        return None
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme not in ("file", "vscode-remote") or not path:
        return None
    if parts.scheme == "file" and parts.netloc:
        return f"//{unquote(parts.netloc)}{path}"
    return path[1:] if path[2:3] == ":" else path


def time_ms(value: Json) -> int | None:
    """Return a time in UTC epoch milliseconds, from a number or ISO text; None for what is relative."""
    if isinstance(value, str):
        value = moment(value)
    return int(value) if type(value) in (int, float) and _EARLIEST_MS <= value < _LATEST_MS else None  # type: ignore[operator, arg-type]


class Conversation:
    """The pieces of a composer. `bubble` gives a bubble by its id, None where its row is gone or empty."""

    def __init__(self, composer: Composer, cwd: str | None, bubble: Bubbles, skipped: Counter[str]) -> None:
        self._composer = composer
        self._cwd = cwd
        self._bubble = bubble
        self._skipped = skipped
        self._tools = composer.first_tools()
        children = composer.data.get("subagentComposerIds")
        self._children = (
            {child for child in children if isinstance(child, str)} if isinstance(children, list) else set()
        )

    def pieces(self, orphans: Mapping[str, bool]) -> list[Piece]:
        """Return what is said, with what was taken back marked and where it stood.

        While the last bubble is being written it is left out: what it says is not yet what it will say. An orphan is
        given with whether the list was written after it; a new bubble is written before the list that will name it.
        """
        told: list[Piece] = []
        newest = 0
        order = self._composer.order()
        last = None if self._composer.is_resting() else order[-1:]
        for bubble_id in order:
            bubble = self._bubble(bubble_id)
            if bubble is None:
                self._skipped[NO_BUBBLE] += 1
            elif not self._is_growing(bubble) and not (last == [bubble_id] and bubble.get("type") != _USER):
                told += self._of(bubble_id, bubble)
                newest = max(newest, bubble_time(bubble) or 0)
            else:
                break
        found = ((bubble_id, self._bubble(bubble_id), earlier) for bubble_id, earlier in orphans.items())
        dropped = [
            (bubble_id, bubble)
            for bubble_id, bubble, earlier in found
            if bubble is not None and (earlier or (bubble_time(bubble) or newest) < newest)
        ]
        dropped.sort(key=lambda orphan: bubble_time(orphan[1]) or 0)
        gone = [replace(piece, gone=True) for bubble_id, bubble in dropped for piece in self._of(bubble_id, bubble)]
        return _numbered(_merged(told, gone))

    def _is_growing(self, bubble: Row) -> bool:
        tool = bubble.get("toolFormerData")
        busy = isinstance(tool, dict) and text_of(tool, "status") not in _FINISHED
        return busy and not self._composer.is_resting()

    def _of(self, bubble_id: str, bubble: Row) -> Iterator[Piece]:
        at, model = bubble_time(bubble), _model_of(bubble)
        text = text_of(bubble, "text") or text_of(bubble, "rawText") or ""
        if bubble.get("type") in (_USER, "user"):
            speaker, said = unwrapped(text)
            if speaker != "nothing":
                yield Piece(speaker, said, at or told_at(text))
            return
        thinking = bubble.get("thinking")
        thought = text_of(thinking, "text") if isinstance(thinking, dict) else thinking
        if isinstance(thought, str) and thought.strip():
            yield Piece("thinking", thought.strip(), at, model)
        if said := shown(text):
            yield Piece("text", said, at, model)
        tool = bubble.get("toolFormerData") or self._tools.get(bubble_id)
        if isinstance(tool, dict) and text_of(tool, "name"):
            yield self._called(tool, at, model)

    def _called(self, tool: Row, at: int | None, model: str | None) -> Piece:
        name = text_of(tool, "name") or "unknown"
        call = call_of(name, _given(tool))
        status = text_of(tool, "status")
        result: Result | None = None
        if status in _FINISHED:
            failed = status != "completed" or text_of(tool, "userDecision") == "rejected"
            error = tool.get("error")
            if isinstance(error, dict):
                error = text_of(error, "clientVisibleErrorMessage") or text_of(error, "message")
            said = tool.get("result")
            result = structured_result(call, said if said else error, failed=failed, cwd=self._cwd)
        return Piece("call", at=at, model=model, call=call, result=self._with_child(tool, result))

    def _with_child(self, tool: Row, result: Result | None) -> Result | None:
        """Name the session that a task started: it is called after the call."""
        child = f"{_TASK}{text_of(tool, 'toolCallId')}"
        if result is None or child not in self._children:
            return result
        return replace(result, child=child)


def _given(tool: Row) -> Json:
    """Return a call's input: what the model wrote, or what the editor made of it where that is no whole JSON."""
    params, raw = text_of(tool, "params"), text_of(tool, "rawArgs")
    for text in (raw, params):
        if text and (found := object_in(text)) is not None:
            return found
    return params or raw or {}


def bubble_time(bubble: Row) -> int | None:
    """Return when a bubble was made."""
    at = time_ms(bubble.get("createdAt"))
    timing = bubble.get("timingInfo")
    if at is None and isinstance(timing, dict):
        names = ("clientRpcSendTime", "clientSettleTime", "clientEndTime")
        at = next((found for name in names if (found := time_ms(timing.get(name)))), None)
    return at


def _model_of(bubble: Row) -> str | None:
    info = bubble.get("modelInfo")
    name = text_of(info, "modelName") if isinstance(info, dict) else text_of(bubble, "modelType")
    return None if name == "default" else name


def _merged(told: list[Piece], gone: list[Piece]) -> list[Piece]:
    """Put what was taken back where it stood: at the end of the turn in which it was said, without a time at the start.

    A prompt that was taken back opens a turn of its own.
    """
    if not gone:
        return told
    merged: list[Piece] = []
    waiting = gone
    for piece in told:
        if piece.kind == "prompt" and piece.at is not None:
            ready = [earlier for earlier in waiting if (earlier.at or 0) < piece.at]
            merged += ready
            waiting = waiting[len(ready) :]
        elif not merged:
            ready = [earlier for earlier in waiting if earlier.at is None]
            merged += ready
            waiting = waiting[len(ready) :]
        merged.append(piece)
    return merged + waiting


def _numbered(pieces: list[Piece]) -> list[Piece]:
    """Number the prompts of the same words, whether they were taken back or not, so that neither changes its key."""
    counts: Counter[str] = Counter()
    numbered: list[Piece] = []
    for piece in pieces:
        if piece.kind == "prompt":
            counts[squeezed(piece.text)] += 1
            piece = replace(piece, occurrence=counts[squeezed(piece.text)])
        numbered.append(piece)
    return numbered
