"""Records of a JSON file of any size, one after the other: a list of objects, or an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from json.decoder import WHITESPACE  # type: ignore[attr-defined]
from pathlib import Path
from typing import Any, Final, TextIO

_CHUNK: Final = 1 << 22


def records(path: Path, *, chunk: int = _CHUNK) -> Iterator[dict[str, Any]]:
    """Give the objects of a file while it is read; no more than one of them, and so many characters, is held.

    Raises ValueError, with the number of the record, where the file is neither.
    """
    with path.open("r", encoding="utf-8-sig") as file:
        begin = file.read(1)
        while begin.isspace():
            begin = file.read(1)
        if begin == "[":
            yield from _of_list(file, path, chunk)
            return
        file.seek(0)
        for number, line in enumerate(file, 1):
            if line.strip("\ufeff \t\r\n"):
                try:
                    yield json.loads(line.lstrip("\ufeff"))
                except ValueError as error:
                    raise ValueError(f"{path.name}, record {number}: {error}") from None


def _of_list(file: TextIO, path: Path, chunk: int) -> Iterator[dict[str, Any]]:
    decoder, held, number, more = json.JSONDecoder(), "", 0, True
    while True:
        at = WHITESPACE.match(held, 0).end()
        if held[at : at + 1] == ",":
            at = WHITESPACE.match(held, at + 1).end()
        if held[at : at + 1] == "]":
            return
        try:
            record, end = decoder.raw_decode(held, at)
        except ValueError as error:
            if not more:
                raise ValueError(f"{path.name}, record {number + 1}: {error}") from None
            # Read as much again as is held: a record is looked at from its beginning no more than a few times.
            read = file.read(max(chunk, len(held)))
            held, more = held[at:] + read, bool(read)
            continue
        number, held = number + 1, held[end:]
        yield record
