"""What a Codex row says in words: the person's own text, and what the host put around it or in its place.

Rows of role `user` hold prompts and the host's own texts alike. The host's begin with tags or headings of its own; the
editor extension wraps a prompt into a description of what is open.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memd.text.noise import strip_noise
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import text_of

_HOST_STARTS: Final = (
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<permissions instructions>",
    "<skills_instructions>",
    "<skill>",
    "<collaboration_mode>",
    "<multi_agent_mode>",
    "<recommended_plugins>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<user_shell_command>",
    "<goal_context>",
    "<hook_prompt",
    "<personality_spec>",
    "<model_switch>",
    "<apps_instructions>",
    "<plugins_instructions>",
    "<memd-context>",
    "# AGENTS.md instructions for ",
    "# Instructions\n",
    "Warning: The maximum number of unified exec processes",
)
"""How the texts begin that the host writes in the user's name."""

_REQUEST: Final = re.compile(r"^#{2,3} My request for Codex:[ \t]*\n?", re.MULTILINE)
_IDE_START: Final = "# Context from my IDE setup:"
_CWD: Final = re.compile(r"<cwd>([^<\n]{1,4096})</cwd>|^Current working directory: ([^\n]{1,4096})$", re.MULTILINE)
_SHELL: Final = re.compile(
    r"<user_shell_command>\s*<command>\n?(.*?)\n?</command>\s*<result>\n?(.*?)\n?</result>", re.DOTALL
)
_RESULT_HEAD: Final = re.compile(r"\A(?:Exit code: -?\d+\n|Duration: [^\n]*\n)*Output:\n?")
_IMAGE_MARKS: Final = frozenset(("<image>", "</image>"))


@dataclass(frozen=True, slots=True)
class ShellLine:
    """A shell line that a person typed in Codex, with its output."""

    command: str
    output: str


def is_host_text(text: str) -> bool:
    """Tell whether a text of role `user` is the host's."""
    return text.lstrip().startswith(_HOST_STARTS)


def prompt_text(text: str) -> str:
    """Return a person's own words from what the host recorded as their message; empty when there are none."""
    if text.startswith(_IDE_START) and (found := _REQUEST.search(text)):
        text = text[found.end() :]
    if is_host_text(text):
        return ""
    return strip_noise(text).strip()


def folder_in(text: str) -> str | None:
    """Return the working folder that an environment text names."""
    if not text.startswith("<environment_context>") or not (found := _CWD.search(text)):
        return None
    return (found[1] or found[2]).strip() or None


def shell_line(text: str) -> ShellLine | None:
    """Return the line a person ran with `!`, as the row for the model tells it."""
    if not text.startswith("<user_shell_command>") or not (found := _SHELL.match(text)):
        return None
    return ShellLine(found[1].strip(), _RESULT_HEAD.sub("", found[2]).strip())


def content_text(content: Json) -> str:
    """Return the text of a message's or an output's content; images become a mark."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [text for part in parts if (text := _part_text(part)) and text not in _IMAGE_MARKS]
    return "".join(text if text.endswith("\n") else f"{text}\n" for text in texts[:-1]) + "".join(texts[-1:])


def _part_text(part: Json) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    match part.get("type"):
        case "image" | "input_image" | "local_image":
            return "[image]"
        case "audio" | "input_audio" | "local_audio":
            return "[audio]"
        case "resource" | "encrypted_content":
            return ""
        case _:
            return text_of(part, "text") or ""


def summary_text(row: Row) -> str:
    """Return what a reasoning row tells in clear: its summary, and its content where that is written."""
    texts = [content_text(row.get("summary")), content_text(row.get("content"))]
    return "\n".join(text for text in texts if text)
