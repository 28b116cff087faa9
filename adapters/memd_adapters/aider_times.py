"""When the user said what: `.aider.input.history` has a time for each line of input, in local time."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path
from typing import Final

_MOST_BYTES: Final = 4 << 20
_STAMP: Final = re.compile(r"# (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?)\s*")


def local_ms(text: str) -> int | None:
    """Return a time without a zone as UTC epoch milliseconds; it is the machine's own, as aider writes it."""
    try:
        return round(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None


def input_beside(history: Path) -> Path:
    """Return where the input is kept that belongs to a history."""
    name = history.name.replace("chat.history", "input.history")
    return history.with_name(name.removesuffix(".md"))


def input_times(path: Path) -> dict[str, list[int]]:
    """Return the times of each input by its text, in order; empty where there is no such file."""
    try:
        with path.open("rb") as file:
            file.seek(0, 2)
            file.seek(max(file.tell() - _MOST_BYTES, 0))
            lines = file.read(_MOST_BYTES).decode("utf-8", "replace").split("\n")
    except OSError:
        return {}
    times: dict[str, list[int]] = {}
    at: int | None = None
    said: list[str] = []
    for line in [*lines, "# "]:
        line = line.rstrip("\r")
        if line.startswith("+"):
            said.append(line[1:])
        elif line.startswith("# "):
            if at is not None and said:
                times.setdefault(plain("\n".join(said)), []).append(at)
            found = _STAMP.fullmatch(line)
            at, said = local_ms(found[1]) if found else None, []
    return times


def plain(text: str) -> str:
    """Return a text as it can be compared: without blanks at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.split("\n")).strip()
