"""JSON rows out of raw lines: every object that can be saved from a line, and why the rest could not.

orjson reads what is sound; the standard decoder, after invalid bytes were replaced, reads what it refuses (lone
surrogates, NaN, raw control characters, numbers of thousands of digits). Crashed hosts leave runs of NULs, lines
without their newline between them, and the beginning of one row followed by a whole other one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

import orjson

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Row: TypeAlias = dict[str, Json]

NO_OBJECT: Final = "line that is no object"
DAMAGED: Final = "damaged line"
SPLICED: Final = "spliced line"
NULS: Final = "NUL bytes"
BAD_UTF8: Final = "invalid UTF-8"
TOO_DEEP: Final = "line nested too deep"

_EDGES: Final = b"\0 \t\r\n\xef\xbb\xbf"
_SALVAGE_BYTES: Final = 32 << 20
"""How much decoding the search for a whole object in a damaged line may cost."""
_BIG_DIGITS: Final = 18
# A string that breaks off is one token as well: else each escaped quote in it would be tried as the beginning of one.
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|(?P<open>\\?\Z))|[\[\]{}]', re.DOTALL)
_CLOSING: Final[Mapping[bytes, bytes]] = MappingProxyType({b"{": b"}", b"[": b"]"})
_LAST_ESCAPE: Final = re.compile(rb"(\\+)(?:u[0-9a-fA-F]{0,3})?\Z")


def parse_line(line: bytes, skipped: Counter[str]) -> list[Row]:
    """Return the objects of a line, usually one; count in `skipped` what was passed over."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return _parse_odd_line(line, skipped)
    if type(value) is dict:
        return [value]
    skipped[NO_OBJECT] += 1
    return []


def parse_whole(line: bytes) -> Row | None:
    """Return the object that a line without its newline already is, or None while it is not complete."""
    line = line.strip(_EDGES)
    if not (line.startswith(b"{") and line.endswith(b"}")):
        return None
    found: Counter[str] = Counter()
    rows = parse_line(line, found)
    return rows[0] if len(rows) == 1 and not found[DAMAGED] else None


def first_rows(head: bytes, most: int = 50) -> list[Row]:
    """Return the rows that a file begins with; of one that goes on beyond `head`, what is seen of it."""
    *lines, last = head.split(b"\n")
    rows = [row for line in lines[:most] for row in parse_line(line, Counter())]
    if len(lines) < most and (row := parse_whole(last) or begun(last)) is not None:
        rows.append(row)
    return rows


def begun(line: bytes) -> Row | None:
    """Return the object that a line is the beginning of, with the string cut in which it breaks off.

    None where it breaks off anywhere else, or is no object.
    """
    line = line.lstrip(_EDGES)
    opened: list[bytes] = []
    breaks_off = False
    for token in _TOKEN.finditer(line):
        breaks_off = token["open"] is not None
        mark = token[0]
        if mark in _CLOSING:
            opened.append(_CLOSING[mark])
        elif mark in (b"}", b"]") and (not opened or opened.pop() != mark):
            return None
    if not (line.startswith(b"{") and opened and breaks_off):
        return None
    if (half := _LAST_ESCAPE.search(line)) and len(half[1]) % 2:
        line = line[: half.end(1) - 1]
    # A character may be cut as well, so the bytes are no UTF-8 at their end.
    whole = line.decode("utf-8", "ignore").encode() + b'"' + b"".join(reversed(opened))
    found: Counter[str] = Counter()
    rows = parse_line(whole, found)
    return rows[0] if len(rows) == 1 and not found[DAMAGED] else None


def _parse_odd_line(line: bytes, skipped: Counter[str]) -> list[Row]:
    inner = line.strip(_EDGES)
    if b"\0" in line:
        skipped[NULS] += 1
        inner = inner.replace(b"\0", b"")
    if not inner:
        return []
    try:
        value = orjson.loads(inner)
    except orjson.JSONDecodeError:
        return _decode_slowly(inner, skipped)
    if type(value) is dict:
        return [value]
    skipped[NO_OBJECT] += 1
    return []


def _decode_slowly(line: bytes, skipped: Counter[str]) -> list[Row]:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        skipped[BAD_UTF8] += 1
        text = line.decode("utf-8", "replace")
    try:
        values = _decode_all(text, skipped)
        rows = [row for value in values if isinstance(row := mend(value), dict)]
    except RecursionError:
        skipped[TOO_DEEP] += 1
        return []
    if len(rows) < len(values):
        skipped[NO_OBJECT] += len(values) - len(rows)
    return rows


def _decode_all(text: str, skipped: Counter[str]) -> list[Json]:
    """Decode the values that stand one after another; where one breaks off, go on at the next that is whole."""
    decoder = json.JSONDecoder(strict=False, parse_int=_number, parse_constant=_no_number)
    values: list[Json] = []
    position = 0
    broken = False
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except ValueError:
            broken = True
            found = _next_whole(decoder, text, position + 1)
            if found is None:
                break
            value, position = found
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n":
            position += 1
    if broken:
        skipped[DAMAGED] += 1
    elif len(values) > 1:
        skipped[SPLICED] += 1
    return values


def _next_whole(decoder: json.JSONDecoder, text: str, position: int) -> tuple[Json, int] | None:
    """Find the first object at or after a position that is whole and ends where the line ends.

    Objects nested in a row that broke off end earlier, so they are not taken for rows.
    """
    for _ in range(max(_SALVAGE_BYTES // len(text), 8)):
        position = text.find('{"', position)
        if position < 0:
            return None
        try:
            value, end = decoder.raw_decode(text, position)
        except ValueError:
            position += 1
            continue
        if end == len(text):
            return value, end
        position += 1
    return None


def mend(value: Json) -> Json:
    """Replace what cannot be written as UTF-8 (lone surrogates) in a decoded value."""
    if isinstance(value, str):
        return mend_text(value)
    if isinstance(value, list):
        return [mend(item) for item in value]
    if isinstance(value, dict):
        return {mend_text(key): mend(item) for key, item in value.items()}
    return value


def mend_text(text: str) -> str:
    """Return the text with surrogate pairs joined and lone surrogates replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _BIG_DIGITS else float("inf")


def _no_number(_: str) -> None:
    return None
