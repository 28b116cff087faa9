"""Who speaks in a Claude Code user row: the person, a command the person ran, or the harness.

The rows of all versions are alike in this: what the harness says is wrapped in tags of its own or begins with words of
its own (`<command-name>`, `<bash-input>`, `<task-notification>`, "[Request interrupted by user"). Reminders and editor
context stand inside the person's own text in older versions and are taken out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from memd.text.noise import strip_noise

Speaker: TypeAlias = Literal["prompt", "command", "output", "notice", "summary", "nothing"]


@dataclass(frozen=True, slots=True)
class Said:
    """What a user row says once the harness's wrapping is off. `output` belongs to the command before it."""

    kind: Speaker
    text: str = ""


NOTHING: Final = Said("nothing")

_CAVEATS: Final = ("<local-command-caveat>", "Caveat: The messages below were generated")
_COMMANDS: Final = ("<command-name>", "<command-message>", "<command-args>")
_OUTPUTS: Final = ("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<bash-stderr>")
_NOTICES: Final = (
    "[Request interrupted by user",
    "Another Claude session sent a message:",
    "<teammate-message",
    "<channel",
    "<cross-session-message",
)
_SUMMARY: Final = "This session is being continued from a previous conversation"

_CONTEXT: Final = re.compile(
    r"(?:<(system-reminder|ide_opened_file|ide_selection|session-start-hook|user-prompt-submit-hook)>.*?</\1>\s*)+",
    re.DOTALL,
)
"""What the harness puts before the text it stands in, whoever speaks there."""
_OUTPUT: Final = re.compile(r"<((?:local-command|bash)-std(?:out|err))>(.*?)(?:</\1>|\Z)", re.DOTALL)
_NAME: Final = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_MESSAGE: Final = re.compile(r"<command-message>(.*?)</command-message>", re.DOTALL)
_ARGS: Final = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_BASH: Final = re.compile(r"<bash-input>(.*?)(?:</bash-input>|\Z)", re.DOTALL)
_REMEMBER: Final = re.compile(r"<user-memory-input>(.*?)(?:</user-memory-input>|\Z)", re.DOTALL)
_TASK_PARTS: Final = re.compile(r"<(summary|result)>(.*?)</\1>", re.DOTALL)
_TAG: Final = re.compile(r"</?[a-z][a-z-]*>")
_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def tell(text: str) -> Said:
    """Return what the text of a user row says and who says it; looks at the text alone."""
    text = text.strip()
    if not text:
        return NOTHING
    if text[0] not in "<[ACT":
        return Said("prompt", _own_words(text))
    before = _CONTEXT.match(text)
    if before:
        return tell(text[before.end() :])
    harness = _tell_harness(text)
    if harness is not None:
        return harness
    words = _own_words(text)
    if words != text:
        return tell(words)
    return Said("prompt", words)


def _tell_harness(text: str) -> Said | None:
    """Return what the harness says, or None when the text does not begin as its own does."""
    if text.startswith(_CAVEATS):
        return NOTHING
    if text.startswith(_COMMANDS):
        return Said("command", _command(text))
    if text.startswith("<bash-input>"):
        return Said("command", "! " + _first(_BASH, text))
    if text.startswith(_OUTPUTS):
        return Said("output", "\n".join(part for found in _OUTPUT.findall(text) if (part := plain(found[1]))))
    if text.startswith("<user-memory-input>"):
        return Said("prompt", _first(_REMEMBER, text))
    if text.startswith("<task-notification>"):
        parts = [part for _, part in _TASK_PARTS.findall(text)] or [_TAG.sub("", text)]
        return Said("notice", "\n".join(part.strip() for part in parts))
    if text.startswith(_NOTICES):
        return Said("notice", _TAG.sub("", text).strip())
    if text.startswith(_SUMMARY):
        return Said("summary", text)
    return None


def _command(text: str) -> str:
    name = _first(_NAME, text) or _first(_MESSAGE, text)
    args = _first(_ARGS, text)
    return f"{name} {args}" if args else name


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1].strip() if found else ""


def _own_words(text: str) -> str:
    return strip_noise(text).strip() if "<" in text or "\x1b" in text else text


def plain(text: str) -> str:
    """Return terminal output without its colour codes and outer blank space."""
    return _ANSI.sub("", text).strip() if "\x1b" in text else text.strip()
