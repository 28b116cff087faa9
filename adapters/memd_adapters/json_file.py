"""Files that are one JSON value and are written anew as a whole, in place or by renaming.

A reader meets them torn (a host truncates and writes), longer than their value (a shorter one was written over it) and
of hundreds of megabytes. What is whole is given; of a torn file the members and messages that were complete are given
and `torn` says so, so that nobody takes what is missing for taken back. The host's next write changes the file and its
stamp, so a torn read is always followed by another.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import orjson

from memd.adapter import Cursor
from memd.errors import TranscriptError
from memd_adapters.jsonl import LineShortener
from memd_adapters.jsonl_rows import BAD_UTF8, Json, mend

TORN: Final = "torn file"
TRAILING: Final = "text after the file's end"
MOST_BYTES: Final = 32 << 20
"""The long strings of a larger file are cut while it streams past."""

_CHUNK_BYTES: Final = 1 << 20
_EDGES: Final = b"\0 \t\r\n\xef\xbb\xbf"
# A string that breaks off is one token as well: what is said in it is no structure.
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSING: Final = {ord("{"): b"}", ord("["): b"]"}
_BIG_DIGITS: Final = 18
_ITEM_LEVELS: Final = (b"[", b"{", b"{[")
"""Where a torn file may be cut: between a list's items or an object's members, or the items of a member's list."""


@dataclass(frozen=True, slots=True)
class WholeFile:
    """What a file holds; `value` is None while it holds nothing that can be read."""

    value: Json
    cursor: Cursor
    """Size, inode and mtime of the file, and the digest of its content as `head`; `state` is left to the adapter."""
    unchanged: bool = False
    """True when the content is what it was at the cursor; `value` is None then, and the cursor's `state` is kept."""
    torn: bool = False
    """True when the file broke off: `value` is what was whole of it."""
    skipped: Counter[str] = field(default_factory=Counter)


def read_json_file(path: Path, cursor: Cursor | None) -> WholeFile:
    """Return the value of a JSON file, or that it is unchanged since a cursor.

    Raises OSError when the file cannot be read, TranscriptError when it is no regular file or holds no JSON.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise TranscriptError(path, "is not a regular file")
        size, inode, mtime_ns = status.st_size, status.st_ino, status.st_mtime_ns
        if cursor is not None and (cursor.size, cursor.inode, cursor.mtime_ns) == (size, inode, mtime_ns):
            return WholeFile(None, cursor, unchanged=True)
        skipped: Counter[str] = Counter()
        content, digest = _content(fd, skipped)
    finally:
        os.close(fd)
    if cursor is not None and cursor.head == digest:
        return WholeFile(None, replace(cursor, size=size, inode=inode, mtime_ns=mtime_ns), unchanged=True)
    value, torn = parse_file(content, skipped)
    if value is None and not torn and content.strip(_EDGES):
        raise TranscriptError(path, "holds no JSON")
    return WholeFile(value, Cursor(size, size, inode, mtime_ns, digest), torn=torn, skipped=+skipped)


def parse_file(content: bytes, skipped: Counter[str]) -> tuple[Json, bool]:
    """Return the value in a file's content and whether it broke off; (None, False) when there is none."""
    try:
        return orjson.loads(content), False
    except orjson.JSONDecodeError:
        pass
    content = content.strip(_EDGES)
    if not content:
        return None, False
    if not _is_utf8(content):
        skipped[BAD_UTF8] += 1
        content = content.decode("utf-8", "replace").encode()
    try:
        return _decoded(content), False
    except ValueError:
        return _salvage(content, skipped)


def _decoded(content: bytes) -> Json:
    """Decode what orjson refuses although it is whole: lone surrogates, NaN, raw control characters, huge numbers."""
    decoder = json.JSONDecoder(strict=False, parse_int=_number, parse_constant=lambda _: None)
    try:
        return mend(decoder.decode(content.decode()))
    except RecursionError:
        raise ValueError("nested too deep") from None


def _salvage(content: bytes, skipped: Counter[str]) -> tuple[Json, bool]:
    """Take the value before what was left over behind it, or the items that are whole of one that broke off."""
    opened = bytearray()
    cut = 0
    closing = b""
    for token in _TOKEN.finditer(content):
        mark = content[token.start()]
        if mark in b"[{":
            opened.append(mark)
        elif mark in b"]}":
            if not opened or _CLOSING[opened.pop()][0] != mark:
                break
            if not opened:
                skipped[TRAILING] += 1
                return _attempt(content[: token.end()]), False
        if mark in b",]}" and bytes(opened) in _ITEM_LEVELS:
            cut = token.start() if mark == ord(",") else token.end()
            closing = bytes(_CLOSING[bracket][0] for bracket in reversed(opened))
    if not content.startswith((b"{", b"[")):
        return None, False
    skipped[TORN] += 1
    return _attempt(content[:cut] + closing), True


def _attempt(content: bytes) -> Json:
    try:
        return _decoded(content)
    except ValueError:
        return None


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _BIG_DIGITS else float("inf")


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _content(fd: int, skipped: Counter[str]) -> tuple[bytes, str]:
    """Read a file to its end; return its bytes, with long strings cut when there are too many, and their digest."""
    digest = hashlib.blake2b(digest_size=12)
    chunks: list[bytes] = []
    size = 0
    shortener: LineShortener | None = None
    while chunk := os.read(fd, _CHUNK_BYTES):
        digest.update(chunk)
        size += len(chunk)
        if shortener is not None:
            shortener.feed(chunk)
            continue
        chunks.append(chunk)
        if size > MOST_BYTES:
            shortener = LineShortener(MOST_BYTES)
            for earlier in chunks:
                shortener.feed(earlier)
            chunks.clear()
    content = b"".join(chunks) if shortener is None else shortener.close(skipped)
    return content, digest.hexdigest()
