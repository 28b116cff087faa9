"""Append-only line files: read on from a cursor, whatever became of the file meanwhile.

Lines end at b"\\n" and nowhere else (hosts write U+2028, U+0085 and the like raw inside strings). A last line without
its newline is torn: it is handed out apart and stays after the cursor. A line longer than `ReadLimits.line_bytes` is
never held whole; its long strings are cut while it streams past.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memd.adapter import Cursor, ReadLimits
from memd.errors import TranscriptError
from memd_adapters.cutting import whole_head

LINE_TOO_LONG: Final = "line too long"
STRINGS_CUT: Final = "long strings cut"

HEAD_BYTES: Final = 64 << 10
"""How much is given of an oversized line of which only the head is wanted."""

_PRINT_BYTES: Final = 4096
"""How much of a file's start, and of what lies just before the cursor, is digested."""
_CHUNK_BYTES: Final = 1 << 20
_STRING_BYTES: Final = 64 << 10
"""A string of an oversized line keeps this much of its start..."""
_TIGHT_STRING_BYTES: Final = 2 << 10
"""... and this much once half of the line's allowance is used up."""
_STRING_CONTENT: Final = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Lines:
    """What one read of a line file gave: line `i` begins at byte `offsets[i]`, its newline is taken off."""

    lines: list[bytes]
    offsets: list[int]
    cursor: Cursor
    """Where to read on; `state` is left empty for the adapter."""
    more: bool
    restarted: bool
    skipped: Counter[str] = field(default_factory=Counter)
    torn: bytes = b""
    """The last line while it has no newline; it begins at `cursor.offset` and will be read again."""
    unchanged: bool = False
    """True when nothing happened to the file since the cursor."""


def read_lines(
    path: Path,
    cursor: Cursor | None,
    limits: ReadLimits,
    ignored: tuple[bytes, ...] = (),
    beheaded: re.Pattern[bytes] | None = None,
) -> Lines:
    """Return the complete lines after the cursor, about `limits.batch_bytes` of them and at least one.

    Starts at byte 0 when there is no cursor, or when the file is no longer the one the cursor speaks of (`restarted`):
    another inode, shorter, or other bytes where its digests were taken. An oversized line that begins with one of
    `ignored` is not worked on: it comes whole where it was read whole anyway, and else not at all. Of an oversized line
    whose start matches `beheaded` the first `HEAD_BYTES` come, and the rest is passed over unseen.

    Raises OSError when the file cannot be read and TranscriptError when it is no regular file.
    """
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        status = os.fstat(fd)
        if not stat.S_ISREG(status.st_mode):
            raise TranscriptError(path, "is not a regular file")
        if cursor is not None and _untouched(cursor, status):
            return Lines([], [], cursor, more=False, restarted=False, unchanged=True)
        start = cursor.offset if cursor is not None and _still_true(fd, cursor, status) else 0
        restarted = cursor is not None and cursor.offset > 0 and start == 0
        return _read(fd, status, start, limits, _Special(ignored, beheaded), restarted=restarted)
    finally:
        os.close(fd)


@dataclass(frozen=True, slots=True)
class _Special:
    """Which oversized lines are not worked on, and of which only the head is given."""

    ignored: tuple[bytes, ...]
    beheaded: re.Pattern[bytes] | None

    def head(self, line: bytes) -> bytes:
        return line[:HEAD_BYTES] if self.beheaded is not None and self.beheaded.match(line) else b""


def _read(
    fd: int, status: os.stat_result, start: int, limits: ReadLimits, special: _Special, *, restarted: bool
) -> Lines:
    skipped: Counter[str] = Counter()
    block = _pread(fd, max(limits.batch_bytes, 1), start)
    end = block.rfind(b"\n") + 1
    while end == 0 and len(block) <= limits.line_bytes:
        want = min(max(len(block), 4096), limits.line_bytes + 1 - len(block))
        addition = _pread(fd, want, start + len(block))
        if not addition:
            break
        block += addition
        end = block.find(b"\n") + 1
        block = block[:end] or block
    torn = b""
    if end:
        lines, offsets = _split(block, end, start, limits, special, skipped)
        torn, stop, seen = block[end:], start + end, start + len(block)
    elif len(block) > limits.line_bytes:
        line, stop = _stream(fd, start, limits, special, skipped)
        lines, offsets = ([line], [start]) if line else ([], [])
        seen = stop if stop > start else status.st_size
    else:
        lines, offsets, torn, stop, seen = [], [], block, start, start + len(block)
    more = seen < status.st_size
    cursor = _cursor(fd, status, stop, seen if more else max(seen, status.st_size))
    return Lines(lines, offsets, cursor, more, restarted, skipped, b"" if more else torn)


def _split(
    block: bytes, end: int, start: int, limits: ReadLimits, special: _Special, skipped: Counter[str]
) -> tuple[list[bytes], list[int]]:
    """Split a block that ends in a newline into its lines and their offsets."""
    lines = block[: end - 1].split(b"\n")
    offsets = []
    offset = start
    for index, line in enumerate(lines):
        offsets.append(offset)
        offset += len(line) + 1
        if len(line) > limits.line_bytes and not line.startswith(special.ignored):
            lines[index] = special.head(line) or shortened(line, limits, skipped)
    return lines, offsets


def _stream(fd: int, start: int, limits: ReadLimits, special: _Special, skipped: Counter[str]) -> tuple[bytes, int]:
    """Read an oversized line in chunks; return it shortened (empty: passed over) and the offset after its newline.

    The offset is `start` while the line has no newline yet.
    """
    shortener: LineShortener | None = LineShortener(limits.line_bytes)
    head = b""
    offset = start
    while chunk := _pread(fd, _CHUNK_BYTES, offset):
        if offset == start and (chunk.startswith(special.ignored) or (head := special.head(chunk))):
            shortener = None
        newline = chunk.find(b"\n")
        if shortener is not None:
            shortener.feed(chunk if newline < 0 else chunk[:newline])
        if newline >= 0:
            return (shortener.close(skipped) if shortener is not None else head), offset + newline + 1
        offset += len(chunk)
    return b"", start


def shortened(line: bytes, limits: ReadLimits, skipped: Counter[str]) -> bytes:
    """Return an oversized line with its long strings cut; empty when it cannot be made small enough."""
    shortener = LineShortener(limits.line_bytes)
    shortener.feed(line)
    return shortener.close(skipped)


class LineShortener:
    """Cuts the long strings of one JSON line that is fed to it in pieces.

    What comes out is valid JSON when the line was, and at most about `limit` bytes; a line that cannot be made that
    small comes out empty and is counted.
    """

    __slots__ = ("_cut", "_escaped", "_in_string", "_kept", "_length", "_limit", "_out", "_size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._out: list[bytes] = []
        self._size = 0
        self._in_string = False
        self._escaped = False
        self._kept = bytearray()
        self._length = 0
        self._cut = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next piece of the line."""
        position = 0
        while position < len(chunk) and self._size <= self._limit:
            if not self._in_string:
                quote = chunk.find(b'"', position)
                stop = len(chunk) if quote < 0 else quote + 1
                self._emit(chunk[position:stop])
                self._in_string = quote >= 0
                position = stop
            else:
                position = self._inside(chunk, position)

    def _inside(self, chunk: bytes, position: int) -> int:
        """Consume string content from a position; return where to go on."""
        begin = position
        if self._escaped:
            self._escaped = False
            position += 1
        stop = _string_stop(chunk, position)
        ends = chunk.startswith(b'"', stop)
        if not ends and chunk.startswith(b"\\", stop):  # only the chunk's last byte: its partner is in the next chunk
            self._escaped = True
            stop += 1
        self._keep(chunk, begin, stop)
        if ends:
            self._finish()
            stop += 1
        return stop

    def _keep(self, chunk: bytes, begin: int, stop: int) -> None:
        room = self._allowance() - len(self._kept)
        if room > 0:
            self._kept += chunk[begin : min(stop, begin + room)]
        self._length += stop - begin

    def _allowance(self) -> int:
        return _STRING_BYTES if self._size * 2 < self._limit else _TIGHT_STRING_BYTES

    def _finish(self) -> None:
        if self._length > len(self._kept):
            self._cut += 1
            self._emit(_whole_characters(whole_head(bytes(self._kept))) + b" [cut: %d bytes in all]" % self._length)
        else:
            self._emit(bytes(self._kept))
        self._emit(b'"')
        self._kept.clear()
        self._length = 0
        self._in_string = False

    def _emit(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= self._limit:
            self._out.append(piece)

    def close(self, skipped: Counter[str]) -> bytes:
        """Return the shortened line and count what was cut or passed over."""
        if self._size > self._limit:
            skipped[LINE_TOO_LONG] += 1
            return b""
        skipped[STRINGS_CUT] += self._cut
        return b"".join([*self._out, bytes(self._kept)])


def _string_stop(chunk: bytes, position: int) -> int:
    """Return where string content ends: at its closing quote, at the chunk's end, or at a last lone backslash."""
    quote = chunk.find(b'"', position)
    stop = len(chunk) if quote < 0 else quote
    if chunk.find(b"\\", position, stop) < 0:
        return stop
    content = _STRING_CONTENT.match(chunk, position)
    return content.end() if content else position


def _whole_characters(head: bytes) -> bytes:
    """Take half a character or half an escape off the end of cut-off JSON string content."""
    escape = head.find(b"\\", max(len(head) - 12, 0))
    if escape >= 0:
        head = head[:escape]
    if (len(head) - len(head.rstrip(b"\\"))) % 2:
        head = head[:-1]
    lead = len(head) - 1
    while lead > 0 and head[lead] & 0xC0 == 0x80:
        lead -= 1
    try:
        head[lead:].decode()
    except UnicodeDecodeError:
        return head[:lead]
    return head


def _untouched(cursor: Cursor, status: os.stat_result) -> bool:
    """Tell whether the file is exactly what it was when a read last saw its end."""
    return (cursor.size, cursor.inode, cursor.mtime_ns) == (status.st_size, status.st_ino, status.st_mtime_ns)


def _still_true(fd: int, cursor: Cursor, status: os.stat_result) -> bool:
    if cursor.inode != status.st_ino or cursor.offset > status.st_size:
        return False
    return (cursor.head, cursor.tail) == _prints(fd, cursor.offset)


def _cursor(fd: int, status: os.stat_result, offset: int, seen: int) -> Cursor:
    head, tail = _prints(fd, offset)
    return Cursor(offset, seen, status.st_ino, status.st_mtime_ns, head, tail)


def _prints(fd: int, offset: int) -> tuple[str, str]:
    size = min(offset, _PRINT_BYTES)
    return _digest(_pread(fd, size, 0)), _digest(_pread(fd, size, offset - size))


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=12).hexdigest() if content else ""


def _pread(fd: int, size: int, offset: int) -> bytes:
    """Read up to `size` bytes; fewer only at the end of the file."""
    block = os.pread(fd, size, offset)
    while block and len(block) < size:
        rest = os.pread(fd, size - len(block), offset + len(block))
        if not rest:
            break
        block += rest
    return block
