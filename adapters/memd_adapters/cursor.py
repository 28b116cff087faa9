"""Cursor: the editor's databases, the CLI's chat stores and the transcripts of agents, which tell of the same sessions.

    <User>/globalStorage/state.vscdb, <User>/workspaceStorage/<hash>/state.vscdb   `cursor_database`
    ~/.cursor/chats/<digest>/<id>/store.db, ~/.cursor/acp-sessions/<id>/store.db   `cursor_chats`
    ~/.cursor/projects/<slug>/agent-transcripts/                                   `cursor_transcript`, `cursor_plain`

`<User>` is `$XDG_CONFIG_HOME/Cursor/User` on Linux and `~/Library/Application Support/Cursor/User` on macOS; of an
editor on the Windows side of WSL it lies below `/mnt/c/Users`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd_adapters.cursor_chats import is_chat_store, read_chat
from memd_adapters.cursor_database import holds_conversations, read_state
from memd_adapters.cursor_plain import read_text
from memd_adapters.cursor_transcript import FOLDER, is_transcript_row, read_transcript
from memd_adapters.jsonl_rows import first_rows
from memd_adapters.sqlite_source import MAGIC, main_file, open_database

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,127}")
_STATE: Final = "state.vscdb"
_CHAT: Final = "store.db"
_SUFFIXES: Final = (".jsonl", ".txt")
_TEXT_HEAD: Final = re.compile(rb"\Auser:[ \t\r]*\n[\s\S]*^(?:assistant|A):[ \t\r]*$", re.MULTILINE)
_TEXT_MARK: Final = re.compile(rb"^\[(?:Thinking|Tool call|Tool result)\]", re.MULTILINE)
_WINDOWS_USERS: Final = Path("/mnt/c/Users")


class CursorHost:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "cursor"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Cursor"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return where the editor keeps its databases, where the CLI and the agents write, and the extra roots."""
        xdg = env.env.get("XDG_CONFIG_HOME", "")
        config = Path(xdg) if Path(xdg).is_absolute() else env.home / ".config"
        if env.platform == "darwin":
            users = [env.home / "Library/Application Support/Cursor/User"]
        else:
            users = [config / "Cursor/User"]
        if env.env.get("WSL_DISTRO_NAME"):
            users += _windows_users()
        given = Path(env.env.get("CURSOR_CONFIG_DIR", ""))
        homes = [given] if given.is_absolute() else []
        homes += [env.home / ".cursor", config / "cursor"]
        paths = [user / folder for user in users for folder in ("globalStorage", "workspaceStorage", "profiles")]
        paths += [home / folder for home in homes for folder in ("projects", "chats", "acp-sessions")]
        paths += env.extra_roots
        return tuple(Root(self.name, path) for path in dict.fromkeys(paths))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the database or transcript that a path is; its last folders decide."""
        main = main_file(path)
        if main is None or not main.is_relative_to(root.path):
            return None
        folders = main.parts[:-1]
        if main.name == _STATE:
            known = folders[-1:] == ("globalStorage",) or folders[-2:-1] == ("workspaceStorage",)
            return Source(self.name, main) if known else None
        if main.name == _CHAT:
            known = folders[-3:-2] == ("chats",) or folders[-2:-1] == ("acp-sessions",)
            return Source(self.name, main, session=folders[-1]) if known and _ID.fullmatch(folders[-1]) else None
        return self._transcript(path) if FOLDER in folders and path.suffix in _SUFFIXES else None

    def _transcript(self, path: Path) -> Source | None:
        """Return the session or subagent of a transcript by its place below the folder of transcripts."""
        parts = path.parts
        place = len(parts) - parts[::-1].index(FOLDER) if FOLDER in parts else len(parts) - 1
        below = parts[place:]
        if not _ID.fullmatch(path.stem):
            return None
        match below:
            case (_,):
                return Source(self.name, path, session=path.stem)
            case (session, _) if path.stem == session:
                return Source(self.name, path, session=session)
            case (session, "subagents", _) if _ID.fullmatch(session):
                return Source(self.name, path, session=path.stem, parent=session)
            case _:
                return None

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source for a database with Cursor's tables, or a transcript by its first rows or lines."""
        if head.startswith(MAGIC):
            return self._database(path) if main_file(path) == path else None
        if path.suffix == ".txt":
            is_ours = b"<user_query>" in head or _TEXT_MARK.search(head) or "agent-transcripts" in path.parts
            return self._transcript(path) if _TEXT_HEAD.search(head) and is_ours else None
        ours = [is_transcript_row(row) for row in first_rows(head)]
        if path.suffix != ".jsonl" or not any(ours) or sum(ours) * 2 < len(ours):
            return None
        return self._transcript(path) or Source(self.name, path, session=path.stem)

    def _database(self, path: Path) -> Source | None:
        try:
            with open_database(path) as database:
                if is_chat_store(database):
                    folder = path.parent.name
                    return Source(self.name, path, session=folder if _ID.fullmatch(folder) else None)
                return Source(self.name, path) if holds_conversations(database) else None
        except (OSError, TranscriptError):
            return None

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        path = source.path
        if path.suffix == ".jsonl":
            return read_transcript(source, cursor, limits)
        if path.suffix == ".txt":
            return read_text(source, cursor)
        if path.exists() and not path.is_file():
            raise TranscriptError(path, "is not a regular file")
        is_chat = path.name == _CHAT
        if path.name not in (_CHAT, _STATE):
            with open_database(path) as database:
                is_chat = is_chat_store(database)
        return read_chat(source, cursor, limits) if is_chat else read_state(source, cursor, limits)

    def live(self, _: Root) -> tuple[LiveProcess, ...]:
        """Return nothing: the host keeps no list of its processes."""
        return ()


def _windows_users() -> list[Path]:
    try:
        return sorted(_WINDOWS_USERS.glob("*/AppData/Roaming/Cursor/User"))
    except OSError:
        return []


ADAPTER: Final = CursorHost()
