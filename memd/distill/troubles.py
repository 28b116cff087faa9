"""Troubles: errors that no command line shows: of other tools, of a terminal that a person pasted from, of the host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memd.distill.calls import arguments
from memd.distill.errorlines import first_sentence, telling_line
from memd.distill.pasted import pasted_errors
from memd.model import ErrorSeen, Message, ToolCall

_PATHS: Final = ("file_path", "filePath", "path", "target_file", "filename")
_OF_THE_HOST: Final = re.compile(
    r"^(?:# \d+ SEARCH/REPLACE blocks? failed to match|The LLM did not conform to the edit format"
    r"|(?:[a-z]\w*\.)+\w*(?:Error|Exception)\b: )[^\n]*",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Trouble:
    """An error with the position of the message it was seen at."""

    position: int
    error: ErrorSeen


def troubles(messages: tuple[Message, ...]) -> Iterator[Trouble]:
    """Yield the errors of tools that run no command, those a person pasted, and those the host reported."""
    for position, message in enumerate(messages):
        yield from _of_tools(messages, position)
        if message.role == "user" and message.kind == "prompt":
            for text in pasted_errors(message.text):
                yield Trouble(position, seen_only(text, messages, position))
        elif message.role == "system" and message.kind == "notice":
            found = [match[0] for match in _OF_THE_HOST.finditer(message.text)]
            if found:
                telling = next((text for text in found if text.startswith("#")), found[0])
                yield Trouble(position, seen_only(telling, messages, position))


def _of_tools(messages: tuple[Message, ...], position: int) -> Iterator[Trouble]:
    for call in messages[position].tool_calls:
        if call.ok is not False or call.kind not in ("edit", "write", "read"):
            continue
        line, path = telling_line(call.output), _path(call)
        if line is not None:
            again = any(
                later.ok and ((path in later.input) if path else later.kind == call.kind)
                for message in messages[position + 1 :]
                for later in message.tool_calls
            )
            yield Trouble(position, ErrorSeen(line, again, None))


def _path(call: ToolCall) -> str:
    data = arguments(call)
    found = (data.get(key) for key in _PATHS) if isinstance(data, dict) else ()
    return next((value for value in found if isinstance(value, str)), "")


def seen_only(text: str, messages: tuple[Message, ...], position: int) -> ErrorSeen:
    """Return an error that no command shows, fixed when files were changed after it and it was not seen again."""
    later = messages[position + 1 :]
    again = any(text in message.text for message in later if message.role != "assistant")
    changed = any(call.changes and call.ok is not False for message in later for call in message.tool_calls)
    fix = next((first_sentence(one.text) for one in later if one.role == "assistant" and one.text.strip()), None)
    fixed = changed and not again
    return ErrorSeen(text, fixed, fix if fixed else None)
