"""Rows of a Claude Code transcript, as the client writes them."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class Talk:
    """A session being written to its file."""

    path: Path
    cwd: Path
    at: str = "2026-11-02T09:00"
    _last: str | None = None
    _count: int = field(default=0)

    def user(self, text: str) -> None:
        """The person says something."""
        self._write("user", {"role": "user", "content": text}, origin={"kind": "human"}, promptSource="typed")

    def model(self, text: str, thinking: str = "") -> None:
        """The model answers."""
        thought = [{"type": "thinking", "thinking": thinking, "signature": "c2lnbmVk"}] if thinking else []
        message: dict[str, object] = {
            "id": f"msg_{self.path.stem}_{self._count}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [*thought, {"type": "text", "text": text}],
            "stop_reason": "end_turn",
        }
        self._write("assistant", message)

    def tool(self, name: str, given: dict[str, object], output: str, *, failed: bool = False) -> None:
        """The model calls a tool and the host answers."""
        call = f"toolu_{self.path.stem}_{self._count}"
        message: dict[str, object] = {
            "id": f"msg_{self.path.stem}_{self._count}",
            "role": "assistant",
            "model": "claude-opus-5-5",
            "content": [{"type": "tool_use", "id": call, "name": name, "input": given}],
            "stop_reason": "tool_use",
        }
        self._write("assistant", message)
        result = {"type": "tool_result", "tool_use_id": call, "content": output, "is_error": failed}
        details: object = f"Error: {output}" if failed else {"stdout": output, "stderr": "", "interrupted": False}
        self._write("user", {"role": "user", "content": [result]}, toolUseResult=details)

    def note(self, kind: str, **fields: object) -> None:
        """The client notes something outside the conversation."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"type": kind, "sessionId": self.path.stem, **fields}) + "\n")

    def _write(self, kind: str, message: dict[str, object], **more: object) -> None:
        row = {
            "parentUuid": self._last,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"{self.path.stem}/{self._count}")),
            "timestamp": f"{self.at}:{self._count % 60:02}.000Z",
            "userType": "external",
            "cwd": str(self.cwd),
            "sessionId": self.path.stem,
            "version": "2.1.332",
            "gitBranch": "main",
            **more,
        }
        self._last = str(row["uuid"])
        self._count += 1
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")
