"""Gemini CLI: chats below `tmp/<project>/chats/`, as JSON lines (from 0.3x on) or one JSON object (before).

    <home>/.gemini/tmp/<project>/chats/session-<time>-<8 digits of the id>.jsonl | .json
    <home>/.gemini/tmp/<project>/chats/<session>/<agent>.jsonl                   a subagent
    <home>/.gemini/tmp/<project>/.project_root                                   the project's folder
    <home>/.gemini/projects.json                                                 folder -> project

The project's name is a slug, or the SHA-256 of its folder; a chat's own words about its folder come first.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

import orjson

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd_adapters.gemini_rows import Reading
from memd_adapters.gemini_state import State
from memd_adapters.jsonl import read_lines
from memd_adapters.jsonl_batch import RowReader
from memd_adapters.jsonl_rows import Json, first_rows, mend, parse_line
from memd_adapters.shaping import small_json

TORN: Final = "file that is not whole"

_CHAT: Final = re.compile(r"session-[0-9T:.-]+-[0-9a-zA-Z]{4,40}\.jsonl?")
_AGENT: Final = re.compile(r"[0-9A-Za-z_-]{1,80}\.jsonl?")
_ID: Final = re.compile(rb'"sessionId":\s*"([^"\\]{1,200})"')
_SPEAKERS: Final = ("user", "gemini")
_FILE_BYTES: Final = 128 << 20
"""A chat in one JSON object is read whole; a longer file is left out, and counted."""


class Gemini:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "gemini"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Gemini CLI"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the `tmp` folder that holds the projects, and the extra roots."""
        given = env.env.get("GEMINI_CLI_HOME", "").strip()
        homes = [*([Path(given)] if given and Path(given).is_absolute() else []), env.home]
        paths = [home / ".gemini" / "tmp" for home in homes]
        return tuple(Root(self.name, path) for path in dict.fromkeys([*paths, *env.extra_roots]))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the chat at a path; the id of its session stands in the file."""
        return chat_source(self.name, path)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when the file begins with a chat's head, or with rows of a chat that has lost it."""
        return recognised_chat(self.name, path, head) or _headless(self.name, path, head)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        return read_chat(source, cursor, limits)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return nothing: the host keeps no list of its processes."""
        return ()


def chat_source(host: str, path: Path) -> Source | None:
    """Return the chat at a path below a `chats` folder."""
    if _CHAT.fullmatch(path.name) and path.parent.name == "chats":
        return Source(host, path)
    if path.parent.parent.name == "chats" and _AGENT.fullmatch(path.name):
        return Source(host, path, parent=path.parent.name)
    return None


def recognised_chat(host: str, path: Path, head: bytes) -> Source | None:
    """Return the chat in a file that lies anywhere."""
    start = head.lstrip(b"\0 \t\r\n\xef\xbb\xbf")[:2000]
    if not (start.startswith(b"{") and b'"projectHash"' in start and b'"startTime"' in start):
        return None
    found = _ID.search(start)
    parent = path.parent.name if path.parent.parent.name == "chats" else None
    return Source(host, path, session=found[1].decode("utf-8", "replace"), parent=parent) if found else None


def _headless(host: str, path: Path, head: bytes) -> Source | None:
    for row in first_rows(head):
        changed = row.get("$set")
        listed = changed.get("messages") if isinstance(changed, dict) else [row]
        if any(_is_message(message) for message in (listed if isinstance(listed, list) else ())):
            return Source(host, path)
    return None


def _is_message(row: Json) -> bool:
    return isinstance(row, dict) and {"id", "timestamp", "content"} <= row.keys() and row.get("type") in _SPEAKERS


def read_chat(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read a chat of either form; raises as `memd.adapter.Adapter.read` does."""
    if source.path.suffix == ".json":
        return _read_whole(source, cursor)
    lines = read_lines(source.path, cursor, limits)
    return Batch((), lines.cursor) if lines.unchanged else _ROWS.read(source, cursor, lines)


def _read_whole(source: Source, cursor: Cursor | None) -> Batch:
    """Read a chat in one object. It is written anew each time, so that a read may see it half done: then it waits."""
    fd = os.open(source.path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    with os.fdopen(fd, "rb") as file:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise TranscriptError(source.path, "is not a regular file")
        now = Cursor(0, status.st_size, status.st_ino, status.st_mtime_ns)
        if cursor is not None and replace(cursor, state="", offset=0) == now:
            return Batch((), cursor)
        content = file.read(_FILE_BYTES + 1)
    if len(content) > _FILE_BYTES:
        return Batch((), now, skipped={"file too large": 1})
    reading = _reading(source, State())
    try:
        value = mend(orjson.loads(content.strip(b"\0 \t\r\n\xef\xbb\xbf")))
    except orjson.JSONDecodeError:
        if content and not content.lstrip().startswith(b"{"):
            raise TranscriptError(source.path, "is no chat of this host: it is no JSON object") from None
        return Batch((), now, skipped={TORN: 1} if content else {})
    if not isinstance(value, dict):
        raise TranscriptError(source.path, "is no chat of this host: it is no JSON object")
    reading.take(value, 0)
    return Batch(tuple(reading.events), now, skipped=+Counter(reading.skipped), lines=1)


def _reading(source: Source, state: State) -> Reading:
    state.session = state.session or source.session or ""
    if source.parent and "parent" not in state.known:
        state.learn("kind", "subagent")
        state.learn("parent", source.parent)
    folder = None if state.begun or "cwd" in state.known else _folder_beside(source.path)
    return Reading(state, folder, source.path.stem)


def _take(reading: Reading, line: bytes, offset: int) -> None:
    for index, row in enumerate(parse_line(line, reading.skipped) if line.strip() else ()):
        reading.take(row, offset + index)


_ROWS: Final = RowReader("chat of this host", lambda source, state: _reading(source, State.load(state)), _take)


def _folder_beside(path: Path) -> str | None:
    """Return the project's folder as the files beside its chats tell."""
    chats = next((folder for folder in path.parents if folder.name == "chats"), None)
    if chats is None:
        return None
    try:
        with (chats.parent / ".project_root").open(encoding="utf-8") as file:
            said = file.read(4097).strip()
    except (OSError, UnicodeDecodeError):
        said = ""
    if said and len(said) <= 4096:
        return said
    projects = small_json(chats.parent.parent.parent / "projects.json").get("projects")
    for folder, name in projects.items() if isinstance(projects, dict) else ():
        if name == chats.parent.name:
            return folder
    return None


ADAPTER: Final = Gemini()
