"""Qwen Code: chats below `projects/<folder's name>/chats/`, one file of rows for each session.

<home>/.qwen/projects/<slug>/chats/<session>.jsonl
<home>/.qwen/tmp/<project>/chats/session-*.json      versions that still wrote Gemini CLI's form
<home>/.qwen/sessions/<pid>.json                     what is running (its cross-session protocol, version 1)

QWEN_HOME stands for <home>/.qwen, and QWEN_RUNTIME_DIR for it where chats are concerned.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd_adapters.gemini import chat_source, read_chat
from memd_adapters.gemini_state import State
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_batch import RowReader
from memd_adapters.jsonl_rows import Row, first_rows, parse_line
from memd_adapters.pid_files import listed
from memd_adapters.qwen_rows import Reading
from memd_adapters.shaping import text_of

_CHAT: Final = re.compile(r"[0-9A-Za-z_-]{8,80}\.jsonl")
_TYPES: Final = ("user", "assistant", "tool_result", "system")


class Qwen:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "qwen"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Qwen Code"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the folders of projects, and the extra roots."""
        given = [Path(env.env.get(name, "").strip()) for name in ("QWEN_RUNTIME_DIR", "QWEN_HOME")]
        given = [env.home / path.relative_to("~") if path.parts[:1] == ("~",) else path for path in given]
        homes = [*(path for path in given if path.is_absolute()), env.home / ".qwen"]
        paths = [home / name for home in homes for name in ("projects", "tmp")]
        return tuple(Root(self.name, path) for path in dict.fromkeys([*paths, *env.extra_roots]))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the chat at a path; the file's name is the session's id."""
        if path.parent.name == "chats" and _CHAT.fullmatch(path.name) and not path.name.startswith("session-"):
            return Source(self.name, path, session=path.stem)
        return chat_source(self.name, path)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when one of the first lines is a row of Qwen Code's."""
        rows = [row for row in first_rows(head) if _is_ours(row)]
        if not rows:
            return None
        return Source(self.name, path, session=text_of(rows[0], "sessionId") or path.stem)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        if source.path.name.startswith("session-") or source.path.suffix == ".json":
            return read_chat(source, cursor, limits)
        lines = read_lines(source.path, cursor, limits)
        return Batch((), lines.cursor) if lines.unchanged else _ROWS.read(source, cursor, lines)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return what `sessions/<pid>.json` beside the root (or in it) tells."""
        return listed(root.path)


def _begin(source: Source, carried: str) -> Reading:
    state = State.load(carried)
    state.session = source.session or state.session
    return Reading(state)


def _take(reading: Reading, line: bytes, offset: int) -> None:
    for index, row in enumerate(parse_line(line, reading.skipped) if line.strip() else ()):
        reading.take(row, offset + index)


_ROWS: Final = RowReader("chat of Qwen Code", _begin, _take)


def _is_ours(row: Row) -> bool:
    if row.get("type") not in _TYPES or not {"uuid", "parentUuid", "sessionId"} <= row.keys():
        return False
    message = row.get("message")
    return "systemPayload" in row or (isinstance(message, dict) and "parts" in message)


ADAPTER: Final = Qwen()
