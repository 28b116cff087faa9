"""Continue: one JSON file for each session below `sessions/`, written anew as a whole.

~/.continue/sessions/<uuid>.json           a session of an editor extension or of the CLI
~/.continue/sessions/sessions.json         the list of all
~/.continue/dev_data/0.2.0/*.jsonl         what was measured; the only times of turns
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd_adapters.continue_items import item_entries, step_entries, tell_items, tell_steps
from memd_adapters.continue_times import INDEX, answer_times, listed
from memd_adapters.continue_tools import path_of
from memd_adapters.json_entries import Ledger
from memd_adapters.json_file import parse_file, read_json_file
from memd_adapters.json_telling import Telling, rows_of, time_ms
from memd_adapters.jsonl_rows import Json, Row
from memd_adapters.shaping import clean, text_of

_HEAD: Final = re.compile(
    rb'\A\s*\{\s*(?:"sessionId"\s*:\s*"[^"]{1,80}"[\s\S]*?"(?:history|workspaceDirectory)"\s*:'
    rb'|"history"\s*:\s*\[\s*\{\s*"(?:message|contextItems|editorState)"\s*:'
    rb'|"history"\s*:\s*\{\s*"timeline"\s*:'
    rb'|"title"\s*:[^\n]{0,2000}"workspaceDirectory"\s*:)'
)
_SESSION_KEYS: Final = frozenset({"sessionId", "session_info", "workspaceDirectory"})
_NAMELESS: Final = ("Untitled Session", "New Session", "[object Object]")


class Continue:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "continue"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Continue"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the folder of sessions, and the extra roots as they are given."""
        named = env.env.get("CONTINUE_GLOBAL_DIR")
        base = Path(named) if named and Path(named).is_absolute() else env.home / ".continue"
        paths = dict.fromkeys([base / "sessions", *env.extra_roots])
        return tuple(Root(self.name, path) for path in paths if path.is_absolute())

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the session of a file in a folder of sessions; the list of sessions is none."""
        if path.suffix != ".json" or path.name == INDEX or not path.is_relative_to(root.path):
            return None
        if path.parent.name != "sessions" and path.parent != root.path:
            return None
        return Source(self.name, path, session=path.stem)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when the file begins as a session does."""
        if path.name == INDEX or not (_HEAD.match(head) or _is_session(head)):
            return None
        return Source(self.name, path)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read what is new of a session; see `memd.adapter.Adapter.read`."""
        file = read_json_file(source.path, cursor)
        if file.unchanged:
            return Batch((), file.cursor)
        value = file.value
        if value is None or (file.torn and not (isinstance(value, dict) and "history" in value)):
            kept = replace(file.cursor, state=cursor.state if cursor else "")
            return Batch((), kept, skipped=file.skipped)
        if not isinstance(value, dict) or "history" not in value:
            raise TranscriptError(source.path, "is no session of Continue: it has no history")
        telling = _tell(source, value, Ledger.load(cursor, _session_of(source, value)), limits, whole=not file.torn)
        return Batch(
            events=telling.told(),
            cursor=telling.ledger.after(file.cursor, telling.news),
            more=telling.news.more,
            skipped=+(telling.skipped + file.skipped),
            lines=len(telling.news.places),
        )

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Continue keeps no list of its processes."""
        del root
        return ()


def _is_session(head: bytes) -> bool:
    """Return whether a file begins as a session whose members stand in another order."""
    value, _ = parse_file(head, Counter()) if head.lstrip().startswith(b"{") else (None, False)
    if not isinstance(value, dict) or not value.keys() & _SESSION_KEYS:
        return False
    history = value.get("history")
    return any("message" in item for item in rows_of(history)) or (isinstance(history, dict) and "timeline" in history)


def _session_of(source: Source, value: Row) -> str:
    """Return the session's id: the file's where its place tells it, else the one in the file."""
    if source.session:
        return source.session
    info = value.get("session_info")
    said = text_of(value, "sessionId") or (text_of(info, "session_id") if isinstance(info, dict) else None)
    return said or source.path.stem


def _tell(source: Source, value: Row, ledger: Ledger, limits: ReadLimits, *, whole: bool) -> Telling:
    session = ledger.session
    history = value.get("history")
    is_old = isinstance(history, dict)
    timeline: Json = history.get("timeline") if isinstance(history, dict) else None
    rows = rows_of(history)
    entries = step_entries(session, timeline) if is_old else item_entries(session, rows)
    condensed = any("conversationSummary" in row for row in rows)
    news = ledger.news(entries, limits.batch_bytes, whole=whole, condensed=condensed)
    telling = Telling(session, ledger, news, entries)
    telling.fields |= _fields(source.path, session, value)
    if is_old:
        tell_steps(telling)
    else:
        tell_items(telling, answer_times(source.path, session) if news.places else {})
    return telling


def _fields(path: Path, session: str, value: Row) -> dict[str, str | int]:
    item = listed(path, session)
    info = value.get("session_info")
    info = info if isinstance(info, dict) else {}
    fields: dict[str, str | int] = {}
    title = text_of(value, "title") or text_of(item, "title") or text_of(info, "title")
    if title and not title.startswith(_NAMELESS):
        fields["title"] = clean(title)
    where = text_of(value, "workspaceDirectory") or text_of(item, "workspaceDirectory")
    if where := where or text_of(info, "workspace_directory"):
        fields["cwd"] = clean(path_of(where))
    began = _number(item.get("dateCreated")) or _seconds(info.get("date_created"))
    if began is not None:
        fields["started_at"] = began
    return fields


def _number(value: Json) -> int | None:
    """Return a time in milliseconds that is written as a number or in a string."""
    return time_ms(int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 20 else value)


def _seconds(value: Json) -> int | None:
    """Return a time in seconds, as a number or in a string, in milliseconds."""
    try:
        return time_ms(float(value) * 1000) if isinstance(value, str | int | float) else None
    except ValueError:
        return None


ADAPTER: Final = Continue()
