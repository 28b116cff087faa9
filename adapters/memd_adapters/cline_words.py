"""Who speaks in a Cline user message: the person, the host, or a tool that gives its result.

A message is a list of text blocks. What the person said stands in tags of the host's (`<task>`, `<feedback>`,
`<answer>`, `<user_message>`, `<user_input>`); a result begins with `[tool for 'x'] Result:`, its text may follow as the
next block; `<environment_details>` and everything else is the host's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from memd_adapters.jsonl_rows import Json

_ENVIRONMENT: Final = re.compile(r"<environment_details>.*?(?:</environment_details>|\Z)", re.DOTALL)
_TAGGED: Final = re.compile(
    r"<(?P<tag>task|feedback|answer|user_message|user_input)(?: [^<>\n]*)?>(?P<words>.*?)</(?P=tag)>", re.DOTALL
)
_RESULT: Final = re.compile(r"\[(?P<tool>[A-Za-z][\w.-]{0,80})(?: .{0,20000}?)?\] Result:[ \t]*(?:\n|\Z)", re.DOTALL)
_RESULT_IN_LINE: Final = re.compile(r"\[(?P<tool>[A-Za-z][\w.-]{0,80})(?: [^\n]{0,2000}?)?\] Result: ")
_MENTIONED: Final = re.compile(
    r"<(?P<tag>file_content|folder_content|url_content|final_file_content|workspace_diagnostics|git_working_state"
    r"|git_commit|terminal_output|explicit_instructions|hook_context)\b[^<>\n]*>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL,
)
"""What the host puts in for what the person mentioned."""
_FEEDBACK: Final = re.compile(
    r"(?:following feedback|feedback on the results|guide you)[^\n<]*\n?\s*<(?:feedback|user_message)>(.*?)"
    r"</(?:feedback|user_message)>",
    re.DOTALL,
)
_OLD_TASK: Final = re.compile(r'\ATask: ?\n?"?(.*?)"?\Z', re.DOTALL)
_CWD: Final = re.compile(r"^# Current (?:Working|Workspace) Directory \((.+)\) Files$", re.MULTILINE)
_RESUMED_IN: Final = re.compile(r"The current working directory is now '?(.+?)'?\. If the task")
_HOST_STARTS: Final = ("<", "#", "[", "Task resumption:", "Current time:")

TALK: Final = frozenset((
    "ask_followup_question", "ask_question", "attempt_completion", "condense", "new_task", "plan_mode_respond",
    "plan_mode_response", "report_bug", "summarize_task",
))  # fmt: skip
"""Tools by which the model speaks to the person: what comes back is the person's."""

RESUMED: Final = ("[cline-legacy-resume-warning:", "Warning: this is a legacy conversation, which means")
"""How Cline warns the model of what comes before: a task of before its SDK."""
_ASKED_BY_CLINE: Final = (*RESUMED, "<cline_internal_prompt ", "[TASK RESUMPTION]")
_GO_ON: Final = "The user approved switching to act mode. Continue with the approved plan now."
_MODE_NOTICE: Final = re.compile(r"<mode_notice\b[^<>]*>.*?</mode_notice>", re.DOTALL)


@dataclass(slots=True)
class TextResult:
    """What came back from a tool, as text."""

    tool: str
    body: str


@dataclass(slots=True)
class Said:
    """What a user message holds."""

    words: list[str] = field(default_factory=list)
    """What the person said."""
    notices: list[str] = field(default_factory=list)
    """What the host said, as far as it is worth keeping."""
    results: list[TextResult] = field(default_factory=list)
    cwd: str | None = None

    def hear_result(self, tool: str, body: str) -> None:
        """Note what the person said along with a result."""
        pattern = _TAGGED if tool in TALK else _FEEDBACK
        self.words += [words for found in pattern.finditer(body) if (words := found[found.re.groups].strip())]


def tell(texts: Iterable[str], *, first: bool) -> Said:
    """Return what the text blocks of a user message hold; the `first` message of a task is the person's own."""
    said = Said()
    waiting = False
    for text in texts:
        if found := _CWD.search(text) or _RESUMED_IN.search(text):
            said.cwd = found[1]
        text = _ENVIRONMENT.sub("", text).strip()
        if not text:
            continue
        if found := _result_start(text):
            body = text[found.end() :].strip("\n")
            said.results.append(TextResult(found["tool"], body))
            waiting = not body
        elif waiting:
            said.results[-1].body = text
            waiting = False
        else:
            _hear(said, text, first=first)
    for result in said.results:
        said.hear_result(result.tool, result.body)
    return said


def _result_start(text: str) -> re.Match[str] | None:
    return _RESULT.match(text) or _RESULT_IN_LINE.match(text)


def _hear(said: Said, text: str, *, first: bool) -> None:
    text = _MENTIONED.sub("", text).strip()
    words = [words for found in _TAGGED.finditer(text) if (words := found["words"].strip())]
    if words:
        said.words += words
    elif first and (old := _OLD_TASK.match(text)):
        said.words.append(old[1].strip())
    elif text and first and not text.startswith(_HOST_STARTS):
        said.words.append(text)
    elif text and not text.startswith(_HOST_STARTS) and not _TAGGED.search(text):
        said.notices.append(text)


def persons(words: str) -> str:
    """Return what a person said of a prompt; empty where Cline asks in their place to go on."""
    words = _MODE_NOTICE.sub("", words).strip()
    return "" if words.startswith(_ASKED_BY_CLINE) or words == _GO_ON else words


def result_body(text: str) -> tuple[str | None, str]:
    """Return the tool that a result's text names, if it does, and what came back."""
    text = _ENVIRONMENT.sub("", text).strip()
    found = _result_start(text)
    return (found["tool"], text[found.end() :].strip("\n")) if found else (None, text)


def block_texts(content: Json) -> list[str]:
    """Return the texts of a message's or a result's content; an image is told by name."""
    if isinstance(content, str):
        return [content]
    texts = []
    for block in content if isinstance(content, list) else ():
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            if block.get("type") == "image":
                texts.append("[image]")
            elif isinstance(text := block.get("text"), str):
                texts.append(text)
    return texts
