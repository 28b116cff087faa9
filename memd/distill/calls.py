"""The tool calls of a session in order, each with the command line it ran, if it ran one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import orjson

from memd.distill.shell import Simple, simple_commands
from memd.model import Message, ToolCall, Transcript

_MAX_INPUT: Final = 200_000  # a shell or web call longer than this holds data, not a command


@dataclass(frozen=True, slots=True)
class Run:
    """A command line that was run: the call, the position of its message, the text as recorded, its parts."""

    call: ToolCall
    position: int
    command: str
    parts: tuple[Simple, ...]

    @property
    def ok(self) -> bool | None:
        """Whether it succeeded; None where the host does not tell."""
        if self.call.exit_code is not None:
            return self.call.exit_code == 0
        return self.call.ok


def living(transcript: Transcript) -> tuple[Message, ...]:
    """Return the messages that were not abandoned by a rewind."""
    return tuple(message for message in transcript.messages if not message.abandoned)


def runs(messages: tuple[Message, ...]) -> tuple[Run, ...]:
    """Return the command lines that were run, in order."""
    return tuple(_runs(messages))


def _runs(messages: tuple[Message, ...]) -> Iterator[Run]:
    for position, message in enumerate(messages):
        if message.kind == "command" and message.text.startswith("! "):
            yield _typed(position, message.text)
        for call in message.tool_calls:
            if call.kind != "shell":
                continue
            command = command_of(call)
            if command:
                yield Run(call, position, command, simple_commands(command))


def _typed(position: int, text: str) -> Run:
    """Return the shell line that a person typed: `! line`, an empty line, its output; nothing tells how it ended."""
    command, _, output = text.removeprefix("! ").partition("\n\n")
    call = ToolCall("", "shell", "shell", "", output=output, output_chars=len(output))
    return Run(call, position, command.strip(), simple_commands(command))


def command_of(call: ToolCall) -> str:
    """Return the command line of a shell call ("" when it has none), whatever the host calls the field."""
    data = arguments(call)
    if isinstance(data, str):
        return data.strip()
    for key in ("command", "cmd", "commands", "script", "CommandLine"):
        value = data.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, list) and value:
            words = [str(word) for word in value]
            if len(words) == 3 and words[1] in ("-c", "-lc", "-Command"):
                return words[2].strip()
            return (" " if key != "commands" else " && ").join(words).strip()
    return ""


def arguments(call: ToolCall) -> dict[str, object] | str:
    """Return the arguments of a call: an object where its input is one, else the input as it stands."""
    if len(call.input) > _MAX_INPUT:
        return {}
    try:
        data = orjson.loads(call.input)
    except orjson.JSONDecodeError:
        return {} if call.input.lstrip().startswith("{") else call.input
    if isinstance(data, dict):
        return data
    return data if isinstance(data, str) else {}
