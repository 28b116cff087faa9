"""A turn of an aider session: what the user said, and all that aider and the model answered until the next word.

Messages have no ids: one is known by its session, the number of its turn, and its place in it. A turn that is still
going on is told again as it grows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import orjson

from memd.adapter import ChangeOp, Event, FileChange, MessageKind, MessagePart, Role, ToolResult, ToolUse
from memd_adapters.aider_edits import Block, blocks_of, same_file
from memd_adapters.shaping import clean, input_text, line_count

_APPLIED: Final = re.compile(r"Applied edit to (.+?)\s*\Z")
_COMMIT: Final = re.compile(r"Commit ([0-9a-f]{7,40})\b ?(.*)\Z")
_RUNNING: Final = re.compile(r"Running (.+?)\s*\Z")
_OUTPUT_FROM: Final = re.compile(r"Output from (.+?)\s*\Z")
_CREATE: Final = re.compile(r"(?:Create new file|Allow creation of new file)\b.*[:?] ?y(?:es)?\s*\Z", re.IGNORECASE)
TROUBLE: Final = re.compile(
    r"(?:#+ ?\d+ SEARCH/REPLACE block|#+ ?SearchReplace|UnifiedDiff|litellm\.|Traceback |The LLM did not conform|"
    r"Failed to apply|\^C|Unable to |Error\b|.{0,60}Error: |Removed: |Can't |No filename provided|Skipping edits)"
)
_DONE: Final = re.compile(
    r"(?:Tokens: |Applied |Commit |Running |Added |Run shell |Add |Create new |You can use /undo|https?://)"
)
_ASKED: Final = re.compile(r"/(?:ask|code|architect|context|help) +(\S.*)\Z", re.DOTALL)
_OLD_PROMPT: Final = re.compile(r"\A>\s+")
_RUN: Final = re.compile(r"(?:/run|/test|!) *(.*)\Z", re.DOTALL)
_COMMAND: Final = re.compile(r"/[a-z][a-z-]{1,30}(?:\s|\Z)")
_OLD_APPLIED: Final = re.compile(r"([0-9a-f]{7}) aider: (.+)\Z")
_MOST_MESSAGES: Final = 1000


@dataclass(slots=True)
class Part:
    """A message of a turn in the making."""

    role: Role
    kind: MessageKind
    lines: list[str] = field(default_factory=list)
    calls: list[tuple[ToolUse, ToolResult | None]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """What it says, without empty lines around it."""
        return "\n".join(self.lines).strip("\n").rstrip()


@dataclass(slots=True)
class Turn:
    """The turn at hand."""

    session: str
    number: int
    model: str | None = None
    said: list[str] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    _created: set[str] = field(default_factory=set)
    _last_tool: str = ""
    _typed: str = ""
    _gap: int = 0

    def user(self, line: str) -> None:
        """Take a line of the user's. The oldest versions began a prompt with ">"; further on it marks a quotation."""
        self.said.append(line if self.said else _OLD_PROMPT.sub("", line).rstrip() if line.startswith("> ") else line)

    def goes_on(self, *, formatted: bool) -> bool:
        """Whether a further line of the user's belongs to this turn; a formatter puts empty lines between them."""
        if self.parts or self._last_tool:
            return False
        return not self._gap or (formatted and not self.said[0].startswith("/"))

    def words(self) -> tuple[MessageKind, str]:
        """Return what the user said, as a prompt or a command."""
        text = "\n".join(self.said).strip()
        if found := _RUN.match(text):
            return "command", f"! {found[1].strip()}"
        if found := _ASKED.match(text):
            return "prompt", found[1].strip()
        return ("command" if _COMMAND.match(text) else "prompt"), text if text != "<blank>" else ""

    def text(self, line: str) -> None:
        """Take a line of the model's."""
        part = self.parts[-1] if self.parts else None
        if part is None or part.kind != "reply" or part.calls:
            part = Part("assistant", "reply")
            self.parts.append(part)
            self._gap = 0
        part.lines += [""] * self._gap + [line]
        self._gap = 0

    def blank(self) -> None:
        """Take an empty line."""
        self._gap += 1

    def tool(self, said: str, *, continued: bool) -> None:
        """Take a line of aider's own."""
        self._gap = 0
        if found := _APPLIED.match(said):
            self._edit(found[1])
        elif found := _COMMIT.match(said) or _OLD_APPLIED.match(said):
            self._commit(said, found[2])
        elif (found := _RUNNING.match(said) or _OUTPUT_FROM.match(said)) and found[1] != self._typed_command():
            self._call("shell", "shell", {"command": found[1]}, None)
        elif _CREATE.match(said):
            self._created.add(self._last_tool)
        elif self._notices and (continued or TROUBLE.match(said)):
            self.parts[-1].lines.append(said)
        elif TROUBLE.match(said):
            self.parts.append(Part("system", "notice", [said]))
        self._last_tool = said

    @property
    def _notices(self) -> bool:
        return bool(self.parts) and self.parts[-1].kind == "notice"

    def _typed_command(self) -> str:
        kind, text = self.words()
        return text.removeprefix("! ") if kind == "command" else ""

    def _reply(self) -> Part:
        """Return the answer that a call belongs to: the last one of the turn, or one without words."""
        for part in reversed(self.parts):
            if part.kind == "reply":
                return part
        part = Part("assistant", "reply")
        self.parts.append(part)
        return part

    def _edit(self, path: str) -> None:
        reply = self._reply()
        done = sum(same_file(path, change.path) for part in self.parts for change in _changes(part))
        blocks = [block for block in blocks_of(reply.text) if same_file(block.path, path)] if not done else []
        op: ChangeOp = "create" if path in self._created or _is_new(blocks) else "update"
        added = sum(line_count(block.new) for block in blocks) if blocks else None
        removed = sum(line_count(block.old) for block in blocks) if blocks else None
        given = {
            "file_path": path,
            "old_string": "\n".join(block.old for block in blocks),
            "new_string": "\n".join(block.new for block in blocks),
        }
        self._call("edit", "edit", given if blocks else {"file_path": path}, FileChange(path, op, added, removed))

    def _commit(self, said: str, subject: str) -> None:
        """A commit that aider made by itself, as the command that makes it."""
        command = f"git commit -m {orjson.dumps(subject).decode()}"
        self._call("auto_commit", "shell", {"command": command}, None, output=said)

    def _call(self, name: str, kind: str, given: dict[str, str], change: FileChange | None, output: str = "") -> None:
        reply = self._reply()
        place = self.parts.index(reply) + 1
        call_id = f"{self.number}.{place}.{len(reply.calls)}"
        use = ToolUse(call_id, name, "edit" if kind == "edit" else "shell", clean(input_text({**given})))
        result = None
        if change is not None or output:
            change = FileChange(clean(change.path), change.op, change.added, change.removed) if change else None
            result = ToolResult(
                session=self.session,
                call_id=call_id,
                part=f"{self.session}:{call_id}",
                seq=self._seq(place),
                ok=True,
                output=clean(output),
                changes=(change,) if change else (),
                output_chars=len(output),
            )
        reply.calls.append((use, result))

    def _seq(self, place: int) -> int:
        return self.number * _MOST_MESSAGES + min(place, _MOST_MESSAGES - 1)

    def events(self, at: int | None) -> Iterator[Event]:
        """Yield what the turn tells; `at` is when the user spoke."""
        kind, text = self.words()
        if text:
            yield self._message(0, Part("user", kind, text.split("\n")), at)
        for place, part in enumerate(self.parts[: _MOST_MESSAGES - 1], 1):
            if part.text.strip("-") or part.calls:
                yield self._message(place, part, None)
                yield from (result for _, result in part.calls if result is not None)

    def _message(self, place: int, part: Part, at: int | None) -> MessagePart:
        key = f"{self.session}:{self.number}.{place}"
        return MessagePart(
            session=self.session,
            message=f"{self.number}.{place}",
            part=key,
            seq=self._seq(place),
            role=part.role,
            kind=part.kind,
            at=at,
            text=clean(part.text),
            tool_calls=tuple(use for use, _ in part.calls),
            model=self.model if part.kind == "reply" else None,
            replace=True,
        )


def _changes(part: Part) -> Iterator[FileChange]:
    for _, result in part.calls:
        if result is not None:
            yield from result.changes


def _is_new(blocks: list[Block]) -> bool:
    return bool(blocks) and all(not block.old.strip() for block in blocks)
