"""Cursor's chat stores: `~/.cursor/chats/<digest of the folder>/<id>/store.db`, of the CLI, one for each session.

`blobs` holds values under their SHA-256: messages as JSON, and roots, which are protobuf: field 1 is the ordered list
of messages, field 9 the folder as a URI. `meta` names the newest root. An older root knows messages that a compaction
dropped since; what no root names, and what an older root has beyond the point where the newest goes another way, was
taken back. Nothing has a time. `meta.json` beside it tells folder, title and times of the session.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, ReadLimits, SessionUpdate, Source
from memd.errors import TranscriptError
from memd_adapters.cursor_composer import folder_of, time_ms
from memd_adapters.cursor_pieces import Piece, Progress, dumped, tell_whole
from memd_adapters.cursor_text import shown, told_at, unwrapped
from memd_adapters.cursor_tools import TOLD_BY_CHAT, Call, Result, call_of, object_in, planned, text_result
from memd_adapters.jsonl_rows import Json, Row, parse_line
from memd_adapters.shaping import text_of
from memd_adapters.sqlite_source import HostDatabase, open_database, same_stamp, stamp, stamped

ENCRYPTED: Final = "blob that cannot be read"
_DIGEST_BYTES: Final = 32
_ROW_BYTES: Final = 64 << 20
_SMALL_FILE_BYTES: Final = 1 << 20
_MESSAGES_FIELD: Final = 1
_FOLDER_FIELD: Final = 9


def read_chat(source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
    """Read a chat store as a whole whenever it changed, and tell what is new; see `memd.adapter.Adapter.read`."""
    now = stamp(source.path)
    carried = (object_in(cursor.state) if cursor is not None else None) or {}
    same_file = cursor is None or cursor.inode == now.inode
    if cursor is not None and same_stamp(cursor, now) and not carried.get("more"):
        return Batch((), cursor)
    with open_database(source.path) as database:
        if not is_chat_store(database):
            raise TranscriptError(source.path, "is no chat store of Cursor: it has no blobs and meta")
        store = _Store(database)
    session = source.session or text_of(store.meta, "agentId") or source.path.parent.name
    about = _meta_beside(source.path)
    cwd = text_of(about, "cwd") or text_of(store.meta, "workspacePath") or store.folder
    model = text_of(store.meta, "lastUsedModel")
    pieces = store.pieces(cwd)
    progress = Progress.load(carried.get("progress")) if same_file else Progress()
    first = not progress.count
    events, spent, done = tell_whole(session, pieces, progress, max(limits.batch_bytes, 1))
    update = SessionUpdate(
        session,
        kind="main",
        cwd=cwd,
        model=None if model == "default" else model,
        title=text_of(about, "title") or text_of(store.meta, "name"),
        started_at=time_ms(about.get("createdAtMs")) or time_ms(store.meta.get("createdAt")),
    )
    offset = spent + (cursor.offset if cursor is not None and same_file else 0)
    state = dumped({"progress": progress.dump(), "more": not done})
    return Batch(
        events=(update, *events) if pieces else (),
        cursor=stamped(now, offset, state, more=not done),
        more=not done,
        restarted=not same_file,
        skipped=+store.skipped if first else {},
        lines=len(events),
    )


def is_chat_store(database: HostDatabase) -> bool:
    """Tell whether a database has the tables of a chat store."""
    return database.columns("blobs") >= {"id", "data"} and database.columns("meta") >= {"key", "value"}


class _Store:
    """What a chat store holds: its messages by id, and the roots in the order they were written."""

    def __init__(self, database: HostDatabase) -> None:
        self.skipped: Counter[str] = Counter()
        self.meta = _meta(database)
        self.folder: str | None = None
        self._messages: dict[str, Row] = {}
        roots: dict[str, list[str]] = {}
        sql = "SELECT id, CASE WHEN length(data) <= ? THEN CAST(data AS BLOB) END FROM blobs ORDER BY rowid"
        for blob, raw in database.rows(sql, (_ROW_BYTES,)):
            if not isinstance(blob, str):
                continue
            if isinstance(raw, bytes) and raw.lstrip().startswith(b"{"):
                found = parse_line(raw, self.skipped)
                if len(found) == 1 and "role" in found[0]:
                    self._messages[blob] = found[0]
            elif isinstance(raw, bytes) and (fields := _fields(raw)) is not None:
                if members := [value.hex() for field, value in fields if field == _MESSAGES_FIELD]:
                    roots[blob] = members
                    folders = [value for field, value in fields if field == _FOLDER_FIELD]
                    self.folder = folder_of(folders[0].decode("utf-8", "replace")) if folders else self.folder
            else:
                self.skipped[ENCRYPTED] += 1
        newest = text_of(self.meta, "latestRootBlobId") or ""
        latest = roots.pop(newest, None)
        self._roots = list(roots.values())
        self._latest = latest if latest is not None else self._roots.pop() if self._roots else []

    def pieces(self, cwd: str | None) -> list[Piece]:
        """Return what is said in the order it was said, with what was taken back marked."""
        order = list(dict.fromkeys(message for root in (*self._roots, self._latest) for message in root))
        gone = self._taken_back()
        unnamed = [message for message in self._messages if message not in set(order)]
        written = {message: number for number, message in enumerate(self._messages)}
        for message in unnamed:  # blobs are in the order they were written in
            later = (place for place, other in enumerate(order) if written.get(other, -1) > written[message])
            order.insert(next(later, len(order)), message)
        gone.update(unnamed)
        results = self._results()
        return [
            replace(piece, gone=message in gone) for message in order for piece in self._of(message, results, cwd)
        ]  # fmt: skip

    def _taken_back(self) -> set[str]:
        """Return the messages that older roots have after those they share with the newest.

        A root that begins with a summary shares only its end, and what went before was not taken back.
        """
        newest = set(self._latest)
        gone: set[str] = set()
        for root in self._roots:
            if any(_is_summary(self._messages.get(message)) for message in newest.difference(root)):
                continue
            shared = [place for place, message in enumerate(root) if message in newest]
            if any(self._is_talk(root[place]) for place in shared):
                gone.update(root[shared[-1] + 1 :])
        return gone - newest

    def _is_talk(self, message: str) -> bool:
        return (self._messages.get(message) or {}).get("role") in ("assistant", "tool")

    def _results(self) -> dict[str, tuple[Row, Row]]:
        """Return the results by call, each with the message that it stands in."""
        found: dict[str, tuple[Row, Row]] = {}
        for row in self._messages.values():
            content = row.get("content")
            for block in content if isinstance(content, list) else []:
                if isinstance(block, dict) and block.get("type") == "tool-result":
                    call = text_of(block, "toolCallId") or text_of(row, "id")
                    if call:
                        found[call] = (block, row)
        return found

    def _of(self, message: str, results: dict[str, tuple[Row, Row]], cwd: str | None) -> Iterator[Piece]:
        row = self._messages.get(message)
        if row is None:
            self.skipped[ENCRYPTED] += 1
            return
        content, role = row.get("content"), row.get("role")
        blocks: list[Json] = [{"type": "text", "text": content}] if isinstance(content, str) else []
        if isinstance(content, list):
            blocks = content
        if role == "user":
            yield from self._prompt(row, blocks)
        elif role == "assistant":
            model = text_of(_own(row), "modelName")
            for block in blocks:
                if isinstance(block, dict):
                    yield from self._replied(block, model, results, cwd)
        elif role not in ("system", "tool"):
            self.skipped[f"unknown role: {role}"] += 1

    def _prompt(self, row: Row, blocks: list[Json]) -> Iterator[Piece]:
        texts: list[str] = []
        at: int | None = None
        for block in blocks:
            if isinstance(block, dict) and block.get("type") == "image":
                texts.append("[image]")
                continue
            text = text_of(block, "text") if isinstance(block, dict) else None
            speaker, said = unwrapped(text or "")
            at = at or told_at(text or "")
            if speaker == "prompt":
                texts.append(said)
            elif speaker == "notice":
                yield Piece("notice", said)
        if texts:
            yield Piece("summary" if _is_summary(row) else "prompt", "\n\n".join(texts), at)

    def _replied(
        self, block: Row, model: str | None, results: dict[str, tuple[Row, Row]], cwd: str | None
    ) -> Iterator[Piece]:
        match block.get("type"):
            case "text":
                if said := shown(text_of(block, "text") or ""):
                    yield Piece("text", said, model=model)
            case "reasoning":
                if thought := (text_of(block, "text") or "").strip():
                    yield Piece("thinking", thought, model=model)
            case "tool-call":
                call = call_of(text_of(block, "toolName") or "unknown", block.get("args"))
                found = results.get(text_of(block, "toolCallId") or "")
                yield Piece("call", model=model, call=call, result=_result(call, *found, cwd) if found else None)
            case "redacted-reasoning" | "image" | "file":
                pass
            case kind:
                self.skipped[f"unknown block: {kind}" if isinstance(kind, str) else "block without a type"] += 1


def _result(call: Call, block: Row, row: Row, cwd: str | None) -> Result:
    said = block.get("result")
    if isinstance(said, list):
        said = "\n".join(text for item in said if isinstance(item, dict) and (text := text_of(item, "text")))
    failed = block.get("isError") is True
    result = text_result(said if isinstance(said, str) else dumped(said), failed=failed, kind=call.kind)
    details = _own(row).get("highLevelToolCallResult")
    output = details.get("output") if isinstance(details, dict) else None
    success = output.get("success") if isinstance(output, dict) else None
    code = success.get("exitCode") if isinstance(success, dict) else None
    if call.kind == "shell" and type(code) is int and abs(code) < 1 << 31:
        result = replace(result, exit_code=code, ok=code == 0)
    return replace(result, changes=planned(call, cwd) if result.ok else (), rank=TOLD_BY_CHAT)


def _own(row: Row) -> Row:
    options = row.get("providerOptions")
    own = options.get("cursor") if isinstance(options, dict) else None
    return own if isinstance(own, dict) else {}


def _is_summary(row: Row | None) -> bool:
    return row is not None and _own(row).get("isSummary") is True


def _meta(database: HostDatabase) -> Row:
    """Return the store's own description: JSON, mostly written as hexadecimal digits."""
    row = database.row("SELECT CAST(value AS TEXT) FROM meta WHERE key = '0'")
    text = row[0] if row is not None and isinstance(row[0], str) else ""
    try:
        return object_in(bytes.fromhex(text).decode("utf-8", "replace")) or {}
    except ValueError:
        return object_in(text) or {}


def _meta_beside(path: Path) -> Row:
    try:
        with path.with_name("meta.json").open("rb") as file:
            return object_in(file.read(_SMALL_FILE_BYTES).decode("utf-8", "replace")) or {}
    except OSError:
        return {}


def _fields(raw: bytes) -> list[tuple[int, bytes]] | None:
    """Return the length-delimited fields of a protobuf message; None when it is none (protobuf.dev, encoding)."""
    fields: list[tuple[int, bytes]] = []
    at = 0
    while at < len(raw):
        tag, at = _varint(raw, at)
        match tag & 7:
            case 0:
                _, at = _varint(raw, at)
            case 1:
                at += 8
            case 5:
                at += 4
            case 2:
                size, at = _varint(raw, at)
                fields.append((tag >> 3, raw[at : at + size]))
                at += size
            case _:
                return None
        if at > len(raw) or not tag >> 3:
            return None
    if any(len(value) != _DIGEST_BYTES for field, value in fields if field == _MESSAGES_FIELD):
        return None
    return fields


def _varint(raw: bytes, at: int) -> tuple[int, int]:
    """Return a variable-length number and where it ends; beyond the end of the bytes when it breaks off."""
    value = shift = 0
    while at < len(raw) and shift < 70:
        byte = raw[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at
    return value, len(raw) + 1
