"""A session under construction, for the tests of distillation."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from memd.adapter import MessageKind, Role, SessionKind
from memd.model import ChangedFile, Message, Session, ToolCall, Transcript


@dataclass(slots=True)
class Talk:
    """A session under construction: what was said and done, in order."""

    kind: SessionKind = "main"
    title: str | None = None
    cwd: str = "/home/ada/harbor"
    messages: list[Message] = field(default_factory=list)

    def _say(
        self, role: Role, kind: MessageKind, text: str, calls: tuple[ToolCall, ...] = (), abandoned: bool = False
    ) -> Talk:
        at = len(self.messages)
        message = Message(at + 1, f"m{at}", at, role, kind, 1_790_000_000_000 + at * 60_000, text, tool_calls=calls)
        if abandoned:
            message = Message(
                at + 1,
                f"m{at}",
                at,
                role,
                kind,
                1_790_000_000_000 + at * 60_000,
                text,
                tool_calls=calls,
                abandoned=True,
            )
        self.messages.append(message)
        return self

    def user(self, text: str, abandoned: bool = False) -> Talk:
        return self._say("user", "prompt", text, abandoned=abandoned)

    def notice(self, text: str) -> Talk:
        return self._say("system", "notice", text)

    def reply(self, text: str, *calls: ToolCall, abandoned: bool = False) -> Talk:
        return self._say("assistant", "reply", text, calls, abandoned)

    def shell_line(self, line: str, output: str = "") -> Talk:
        return self._say("user", "command", f"! {line}\n\n{output}")

    def ran(
        self, command: str, output: str = "", ok: bool | None = True, exit_code: int | None = None, text: str = ""
    ) -> Talk:
        call = ToolCall(
            f"c{len(self.messages)}",
            "Bash",
            "shell",
            json.dumps({"command": command}),
            ok,
            exit_code,
            output,
            len(output),
        )
        return self.reply(text, call)

    def edited(self, path: str, text: str = "") -> Talk:
        call = ToolCall(f"c{len(self.messages)}", "Edit", "edit", "{}", True, changes=(ChangedFile(path, "update"),))
        return self.reply(text, call)

    def transcript(self) -> Transcript:
        session = Session(1, "uid", "claude_code", "s1", kind=self.kind, title=self.title, cwd=self.cwd)
        return Transcript(session, tuple(self.messages))
