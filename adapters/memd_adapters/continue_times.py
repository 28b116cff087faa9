"""What lies beside Continue's sessions: their list with the times they began, and the times of answers.

`sessions/sessions.json` lists the sessions; `dev_data/<version>/chatInteraction.jsonl` has a line for each answer, and
is the only place where the time of a turn is written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import orjson

from memd_adapters.jsonl_rows import Row
from memd_adapters.shaping import moment, text_of

INDEX: Final = "sessions.json"
_MOST_BYTES: Final = 8 << 20
_VERSIONS: Final = ("0.2.0", "0.1.0")


def listed(session_file: Path, session: str) -> Row:
    """Return a session's item in the list beside its file; empty where there is none."""
    try:
        with session_file.with_name(INDEX).open("rb") as file:
            items = orjson.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError):
        return {}
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return next((row for row in rows if session in (row.get("sessionId"), row.get("session_id"))), {})


def answer_times(session_file: Path, session: str) -> dict[str, list[int]]:
    """Return when each answer of a session was complete, by its text, in order; only the newest lines are looked at."""
    times: dict[str, list[int]] = {}
    for version in _VERSIONS:
        path = session_file.parent.parent / "dev_data" / version / "chatInteraction.jsonl"
        for line in _lines(path):
            if session.encode() not in line:
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(row, dict) and row.get("sessionId") == session:
                answer, at = text_of(row, "completion"), moment(row.get("timestamp"))
                if answer and at is not None:
                    times.setdefault(answer.strip(), []).append(at)
    return times


def _lines(path: Path) -> list[bytes]:
    try:
        with path.open("rb") as file:
            end = file.seek(0, 2)
            file.seek(max(end - _MOST_BYTES, 0))
            return file.read(_MOST_BYTES).split(b"\n")
    except OSError:
        return []
