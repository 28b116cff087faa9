"""Compressed rollouts: Codex packs archived threads as `.jsonl.zst` (Zstandard) and unpacks them when they are resumed.

A cursor counts bytes of the unpacked text. A packed file never grows; one that changed at all is read from its start.
"""

from __future__ import annotations

import hashlib
import io
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import zstandard

from memd.adapter import Cursor, ReadLimits
from memd.errors import TranscriptError
from memd_adapters.jsonl import HEAD_BYTES, Lines, LineShortener

_CHUNK_BYTES: Final = 1 << 20
_BATCH_BYTES: Final = 16 << 20
"""At least this much is read at a time, because each read unpacks the file again from its start."""
_PRINT_BYTES: Final = 4096


def unpacked_head(head: bytes) -> bytes | None:
    """Return what the first bytes of a packed file say, as far as they can be unpacked; None when they are not packed.

    Packing works in blocks of up to 128 KiB, so that it may be nothing yet.
    """
    try:
        return zstandard.ZstdDecompressor().decompressobj().decompress(head)[:HEAD_BYTES]
    except zstandard.ZstdError:
        return None


def read_archive(path: Path, cursor: Cursor | None, limits: ReadLimits, beheaded: re.Pattern[bytes]) -> Lines:
    """Return the lines after the cursor, as `memd_adapters.jsonl.read_lines` does for plain files.

    Raises OSError when the file cannot be read and TranscriptError when it is not packed soundly from its start.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise TranscriptError(path, "is not a regular file")
        known = cursor is not None and (cursor.inode, cursor.mtime_ns) == (status.st_ino, status.st_mtime_ns)
        print_now = hashlib.blake2b(file.read(_PRINT_BYTES), digest_size=12).hexdigest()
        known = known and cursor is not None and cursor.head == print_now
        if known and cursor is not None and cursor.size == status.st_size:
            return Lines([], [], cursor, more=False, restarted=False, unchanged=True)
        start = cursor.offset if known and cursor is not None else 0
        file.seek(0)
        walk = _Walk(_chunks(path, file), start, max(limits.batch_bytes, _BATCH_BYTES), limits.line_bytes, beheaded)
        walk.run()
    after = Cursor(
        walk.stop, walk.stop if walk.more else status.st_size, status.st_ino, status.st_mtime_ns, print_now, ""
    )
    if walk.more and after.size == status.st_size:  # not yet the whole, whatever the sizes happen to be
        after = Cursor(after.offset, status.st_size + 1, after.inode, after.mtime_ns, after.head, "")
    restarted = cursor is not None and cursor.offset > 0 and start == 0
    return Lines(walk.lines, walk.offsets, after, walk.more, restarted, walk.skipped, walk.torn)


def _chunks(path: Path, file: io.BufferedReader) -> Iterator[bytes]:
    reader = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    begun = False
    while True:
        try:
            chunk = reader.read(_CHUNK_BYTES)
        except zstandard.ZstdError as error:
            if begun:
                return  # the rest is damaged; what came before it counts
            raise TranscriptError(path, "is not packed with Zstandard, or damaged from its start") from error
        if not chunk:
            return
        begun = True
        yield chunk


class _Walk:
    """Splits unpacked text into lines from an offset on, holding no long line whole."""

    def __init__(
        self, chunks: Iterator[bytes], start: int, batch_bytes: int, line_bytes: int, beheaded: re.Pattern[bytes]
    ) -> None:
        self._chunks = chunks
        self._offset = 0
        self._start = start
        self._batch_bytes = batch_bytes
        self._line_bytes = line_bytes
        self._beheaded = beheaded
        self._kept = 0
        self._line = bytearray()
        self._shortener: LineShortener | None = None
        self._is_cut = False
        self.lines: list[bytes] = []
        self.offsets: list[int] = []
        self.skipped: Counter[str] = Counter()
        self.stop = start
        self.more = False
        self.torn = b""

    def run(self) -> None:
        """Take chunks until the batch is full or the text ends."""
        for chunk in self._chunks:
            position = max(self._start - self._offset, 0)
            while position < len(chunk):
                newline = chunk.find(b"\n", position)
                end = len(chunk) if newline < 0 else newline
                self._add(chunk[position:end])
                position = end + 1
                if newline >= 0:
                    self._end(self._offset + newline + 1)
                    if self._kept >= self._batch_bytes:
                        self.more = True
                        return
            self._offset += len(chunk)
        if self._shortener is None and not self._is_cut:
            self.torn = bytes(self._line)

    def _add(self, piece: bytes) -> None:
        if self._is_cut:
            return
        if self._shortener is not None:
            self._shortener.feed(piece)
            return
        self._line += piece
        if len(self._line) > self._line_bytes:
            if self._beheaded.match(self._line):
                self._is_cut = True
                del self._line[HEAD_BYTES:]
            else:
                self._shortener = LineShortener(self._line_bytes)
                self._shortener.feed(bytes(self._line))
                self._line.clear()

    def _end(self, stop: int) -> None:
        line = self._shortener.close(self.skipped) if self._shortener is not None else bytes(self._line)
        self.lines.append(line)
        self.offsets.append(self.stop)
        self.stop = stop
        self._kept += len(line)
        self._line.clear()
        self._shortener = None
        self._is_cut = False
