"""The lines of an aider history, told apart: headers of sessions, the user's, aider's own, and the model's.

    # aider chat started at 2026-08-11 16:05:42       opens a session (local time); cecli and 2023's Aider likewise
    #### text··                                       the user's, one line of theirs each, ended by two spaces
    > text··                                          aider's own, ended by two spaces; `_text_··` in 2023
    anything else                                     the model's, also `#### Heading` and `> quotation`

A formatter that ran over the file takes the spaces away. The first `####` line of a session tells: without the spaces
all `####` lines outside of fences are the user's and all quotations aider's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

LineKind: TypeAlias = Literal["header", "user", "tool", "text", "blank"]

HEADER: Final = re.compile(r"# (?:aider|Aider|cecli|aider-ce) chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*\Z")
HEADER_ANYWHERE: Final = re.compile(
    rb"^# (?:aider|Aider|cecli|aider-ce) chat started at \d{4}-\d\d-\d\d ", re.MULTILINE
)
_OLD_TOOL: Final = re.compile(r"_(.*)_  \Z")
_KNOWN_WORDS: Final = re.compile(
    r"(?:Applied edit to |Commit [0-9a-f]{7,40} |Tokens: |Added |Removed |Running |Run shell command|Add these files|"
    r"Add file to the chat|Add command output|Create new file|Allow edits to |Aider v\d|Models?: |Main model: |"
    r"Weak model|Git repo: |Repo-map: |Dropping all files|Failed to apply|The LLM did not conform|Use /help|\^C |"
    r"https?://|litellm\.)"
)
"""What aider says of its own accord."""
_ASKED: Final = re.compile(r"[A-Z][^\n]{2,200}\? \(Y\)es/\(N\)o\S*(?: [^\n\[]{0,40})?\[(?:Yes|No)\]:(?: \w+)?\s*\Z")
"""A question of aider's with its answer, which stands among the user's lines where the answer was typed as a word."""
MANY_LINES: Final = re.compile(
    r"(?:#+ ?\d+ SEARCH/REPLACE block|#+ ?SearchReplace|UnifiedDiff|litellm\.|Traceback |Can't initialize|"
    r"The LLM did not conform|Output from )"
)
"""What aider says in several lines, of which the first begins with `>` and the last ends in two spaces."""


@dataclass(slots=True)
class Reader:
    """Tells lines apart. All it has to remember between two reads fits into a few words."""

    formatted: bool | None = None
    """Whether a formatter took the two spaces away; None until the session's first user line."""
    begun: bool = False
    """Whether aider has said anything yet: its first line is the command line, which may have line breaks in it."""
    many: bool = False
    """Within something that aider says in several lines."""
    fenced: bool = False
    close: bool = False
    """Whether the line before was aider's or the user's; between these and the model's is always an empty one."""

    @property
    def goes_on(self) -> bool:
        """Whether a line that is nobody's by its marks is aider's."""
        return self.many or (self.close and self.formatted is False)

    def tell(self, line: str) -> tuple[LineKind, str]:
        """Return what a line is and what it says without its marks."""
        kind, said = self._tell(line)
        self.close = kind in ("user", "tool")
        return kind, said

    def _tell(self, line: str) -> tuple[LineKind, str]:
        if found := HEADER.match(line):
            self.formatted, self.begun, self.many, self.fenced = None, False, False, False
            return "header", found[1]
        if self.many:
            return self._continued(line)
        if line.startswith("####") and (said := self._user(line)) is not None:
            self.begun = True
            if _ASKED.match(said):
                return "tool", said
            self.fenced = False
            return "user", said
        if line.startswith(">") and (said := self._tool(line)) is not None:
            self.begun = True
            return "tool", said
        if found := _OLD_TOOL.match(line):
            return "tool", found[1]
        if not line.strip():
            return "blank", ""
        if self.goes_on:
            return self._continued(line)
        if line.lstrip().startswith("```"):
            self.fenced = not self.fenced
        return "text", line

    def _continued(self, line: str) -> tuple[LineKind, str]:
        ends = line.endswith("  ")
        if not ends and (line.startswith("> ") and _KNOWN_WORDS.match(line[2:])):
            ends = True
        self.many = not ends
        return "tool", line.removeprefix("> ").rstrip()

    def _user(self, line: str) -> str | None:
        exact = line.startswith("#### ") and line.endswith("  ") and len(line) >= len("####   ")
        if self.formatted is None and (exact or line.startswith("#### ")):
            self.formatted = not exact
        if exact:
            return line[5:-2]
        if self.formatted and not self.fenced and line.startswith("#### "):
            return line[5:].rstrip()
        return None

    def _tool(self, line: str) -> str | None:
        said = line[1:].strip()
        if line.endswith("  "):
            return said
        if self.formatted:
            return None if self.fenced else said
        if not line.startswith("> "):
            return None
        if self.goes_on or MANY_LINES.match(said) or not self.begun:
            self.many = True
            return said
        return said if self.formatted is None and _KNOWN_WORDS.match(said) else None
