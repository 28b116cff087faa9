"""The lines of a Copilot CLI session, which is known to be damaged: raw line ends inside an event (one event in several
lines), the beginning of an event before a whole one, NULs. What is begun waits in the state for its next line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import orjson

from memd_adapters.copilot_state import State
from memd_adapters.jsonl_rows import DAMAGED, NO_OBJECT, Row, parse_line

_FRAGMENT_CHARS: Final = 16 << 10


def rows_in(line: bytes, offset: int, state: State, skipped: Counter[str]) -> Iterator[tuple[Row, int]]:
    """Yield the events that a line completes, each with the byte offset at which it begins."""
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = None
    if isinstance(row, dict):
        _drop_fragment(state, skipped)
        yield row, offset
    elif row is None or state.fragment:
        yield from _odd_line(line, offset, state, skipped)
    else:
        skipped[NO_OBJECT] += 1


def _odd_line(line: bytes, offset: int, state: State, skipped: Counter[str]) -> Iterator[tuple[Row, int]]:
    """Yield what a line that is no JSON gives: a piece of an event, a damaged one, or bytes of a crash."""
    if state.fragment:
        joined = f"{state.fragment}\n{line.decode('utf-8', 'replace')}"
        found: Counter[str] = Counter()
        rows = parse_line(joined.encode("utf-8", "replace"), found)
        if len(rows) == 1 and not found[DAMAGED]:
            state.fragment = ""
            yield rows[0], state.fragment_at
            return
        if not line.startswith(b'{"type"') and len(joined) <= _FRAGMENT_CHARS:
            state.fragment = joined
            return
        _drop_fragment(state, skipped)
    found = Counter()
    rows = parse_line(line, found)
    if not rows and line.startswith(b'{"') and len(line) <= _FRAGMENT_CHARS:
        state.fragment, state.fragment_at = line.decode("utf-8", "replace"), offset
        return
    skipped.update(found)
    yield from ((row, offset + index) for index, row in enumerate(rows))


def _drop_fragment(state: State, skipped: Counter[str]) -> None:
    if state.fragment:
        skipped[DAMAGED] += 1
        state.fragment = ""
