"""Codex CLI: JSONL rollouts below `sessions/`, one file for each thread, dated by its start.

Reads what versions 0.2 to 0.171 write. Layouts below `$CODEX_HOME` (`~/.codex`):

    sessions/YYYY/MM/DD/rollout-<time>-<thread>.jsonl             a thread; resumed in place
    sessions/YYYY/MM/DD/rollout-<time>-<thread>_<segment>.jsonl   the same thread after a revert
    archived_sessions/rollout-<time>-<thread>.jsonl[.zst]         put away; the keys of its rows stay the same
    session_index.jsonl                                           names that were given to threads
    thread-writer-locks/<thread>.lock                             while a process has the thread open
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, SessionUpdate, Source
from memd_adapters.codex_archive import read_archive, unpacked_head
from memd_adapters.codex_reading import Reading
from memd_adapters.codex_rows import COMPACTED, take_line
from memd_adapters.codex_state import State
from memd_adapters.jsonl import Lines, read_lines
from memd_adapters.jsonl_batch import RowReader
from memd_adapters.jsonl_rows import Row, first_rows, parse_line, parse_whole
from memd_adapters.shaping import clean, text_of

_UUID: Final = r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_ROLLOUT: Final = re.compile(rf"rollout-[0-9T:-]+-({_UUID})(?:_{_UUID})?\.jsonl(?:\.zst)?")
_LOCK: Final = re.compile(rf"({_UUID})\.lock")
_INDEX: Final = "session_index.jsonl"
_PACKED: Final = ".zst"
_PACKED_START: Final = b"\x28\xb5\x2f\xfd"
_LOCKS: Final = "thread-writer-locks"
_KERNEL_LOCKS: Final = Path("/proc/locks")
_HEAD_LINE: Final = re.compile(
    rb'\{"timestamp":\s?"[^"]{1,64}",\s?(?:"ordinal":\s?\d+,\s?)?"type":\s?"(?:session_meta|compacted)",\s?"payload":\s?\{'
    rb'|\{"id":\s?"[0-9a-fA-F-]{36}",\s?"timestamp":\s?"[^"]{1,64}",\s?"(?:instructions|git)":'
)
_ID: Final = re.compile(rb'"id":\s?"([0-9a-fA-F-]{36})"')
_ENVELOPES: Final = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")


class Codex:
    """The adapter; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return "codex"

    @property
    def title(self) -> str:
        """The product's name."""
        return "Codex CLI"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the folders of threads and of archived ones, the file of names, and the extra roots."""
        given = env.env.get("CODEX_HOME", "").strip()
        homes = [Path(given)] if given and Path(given).is_absolute() else []
        homes.append(env.home / ".codex")
        paths = [home / name for home in homes for name in ("sessions", "archived_sessions", _INDEX)]
        return tuple(Root(self.name, path) for path in dict.fromkeys([*paths, *env.extra_roots]))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the thread at a path, or the file of names; their own names decide."""
        if path.name == _INDEX:
            return Source(self.name, path)
        found = _ROLLOUT.fullmatch(path.name)
        return Source(self.name, path, session=found[1].lower()) if found else None

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when the first line is the head of a rollout, packed or not, or a line of the name file."""
        named = _ROLLOUT.fullmatch(path.name)
        if head.startswith(_PACKED_START):
            unpacked = unpacked_head(head)
            if unpacked == b"" and named:
                return Source(self.name, path, session=named[1].lower())
            head = unpacked or b""
        first = head[: head.find(b"\n")] if b"\n" in head else head
        first = first.lstrip(b"\0 \t\r\n\xef\xbb\xbf")
        if _HEAD_LINE.match(first):
            said = _ID.search(first)
            session = said[1].decode() if said else named[1] if named else path.stem
            return Source(self.name, path, session=session.lower())
        if first.startswith(b'{"id":') and (row := parse_whole(first)) is not None:
            return Source(self.name, path) if row.keys() == {"id", "thread_name", "updated_at"} else None
        return _by_rows(path, head, named[1].lower() if named else None)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        if source.path.suffix == _PACKED:
            lines = read_archive(source.path, cursor, limits, COMPACTED)
        else:
            lines = read_lines(source.path, cursor, limits, beheaded=COMPACTED)
        if lines.unchanged:
            return Batch((), lines.cursor)
        if source.session is None:
            return _names(lines)
        return _ROWS.read(source, cursor, lines)

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        """Return the processes that hold the locks of threads, as far as the lock or the kernel's list names them."""
        try:
            paths = sorted((root.path.parent / _LOCKS).iterdir())
        except OSError:
            return ()
        holders = _lock_holders() if paths else {}
        found = []
        for path in paths:
            named = _LOCK.fullmatch(path.name)
            pid = _holder(path, holders) if named else None
            if named and pid:
                found.append(LiveProcess(named[1].lower(), pid, None))
        return tuple(found)


def _names(lines: Lines) -> Batch:
    """Return the names given to threads; of several the last counts."""
    skipped: Counter[str] = Counter()
    events = []
    for line in lines.lines:
        rows: list[Row] = parse_line(line, skipped) if line.strip() else []
        for row in rows:
            session, title = text_of(row, "id"), text_of(row, "thread_name")
            if session and title:
                events.append(SessionUpdate(clean(session).lower(), title=clean(title), title_by_user=True))
    return Batch(tuple(events), lines.cursor, lines.more, lines.restarted, +(skipped + lines.skipped), len(lines.lines))


def _holder(path: Path, holders: dict[int, int]) -> int | None:
    """Return the process that holds a lock file: the one written in it, else the one the kernel lists."""
    try:
        with path.open("rb") as file:
            said = file.read(64).strip()
        inode = path.stat().st_ino
    except OSError:
        return None
    if said.isdigit() and len(said) <= 10:
        return int(said) or None
    return holders.get(inode)


def _lock_holders() -> dict[int, int]:
    """Return which process holds a lock on which inode; empty where the kernel does not list them (macOS)."""
    try:
        text = _KERNEL_LOCKS.read_text()
    except (OSError, UnicodeDecodeError):
        return {}
    holders: dict[int, int] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) >= 6 and words[4].isdigit() and ":" in words[5]:
            inode = words[5].rsplit(":", 1)[1]
            if inode.isdigit():
                holders[int(inode)] = int(words[4])
    return holders


def _begin(source: Source, carried: str) -> Reading:
    reading = Reading(State.load(carried))
    reading.state.session = source.session or reading.state.session
    return reading


_ROWS: Final = RowReader("transcript of Codex", _begin, lambda reading, line, _: take_line(reading, line))


def _by_rows(path: Path, head: bytes, named: str | None) -> Source | None:
    """Return the rollout whose first line is damaged, or ordered in another way, by its name or by most of its rows."""
    rows = first_rows(head)
    payloads = [
        (row["type"], payload)
        for row in rows
        if "timestamp" in row and row.get("type") in _ENVELOPES and isinstance(payload := row.get("payload"), dict)
    ]
    metas = [payload for kind, payload in payloads if kind == "session_meta"]
    first = rows[0].keys() if rows else frozenset()
    if {"id", "timestamp"} < first and first & {"instructions", "git"} and "type" not in first:
        metas = [rows[0]]
    elif not named and (not payloads or 2 * len(payloads) < len(rows)):
        return None
    session = next((text.lower() for meta in metas if (text := text_of(meta, "id"))), named or path.stem)
    return Source("codex", path, session=session) if rows else None


ADAPTER: Final = Codex()
