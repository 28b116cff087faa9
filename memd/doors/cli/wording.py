"""Wording: numbers, times, sizes and paths as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memd.doors.cli.columns import cut, one_line

if TYPE_CHECKING:
    from memd.operations.answers import DoubtAnswer

_SHORT: Final = 10
MESSAGE_CHARS: Final = 10
"""So much of a message's id is shown, its beginning; it is enough to say which."""
_SPANS: Final = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))
_PROJECT_COLUMNS: Final = 18
_SIZES: Final = ("B", "kB", "MB", "GB", "TB")


def short(uid: str) -> str:
    """Return what people type for a uid: its last characters, since the first ones of a UUIDv7 only tell the time."""
    return uid[-_SHORT:]


def span(seconds: float) -> str:
    """Return a length of time by its two largest units: `3 h 12 min`."""
    left = max(int(seconds), 0)
    parts = []
    for size, unit in _SPANS:
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
        elif parts:
            break
    return " ".join(parts[:2]) or "0 s"


def ago(at: str | None, now: datetime) -> str:
    """Return how long ago a time of an answer was; `never` for none."""
    if at is None:
        return "never"
    seconds = (now - _time(at)).total_seconds()
    return "just now" if seconds < 1 else f"{span(seconds).split(' ')[0]} {span(seconds).split(' ')[1]} ago"


def local(at: str | None) -> str:
    """Return a time of an answer to the minute, where this machine is."""
    return "?" if at is None else _time(at).astimezone().strftime("%Y-%m-%d %H:%M")


def size(count: float) -> str:
    """Return bytes as `41 MB`."""
    value = float(count)
    for unit in _SIZES[:-1]:
        if value < 1000:
            return f"{value:.1f} {unit}" if 0 < value < 10 and unit != "B" else f"{value:.0f} {unit}"
        value /= 1000
    return f"{value:.1f} {_SIZES[-1]}"


def counted(count: int, word: str, many: str = "") -> str:
    """Return `1 session`, `1,204 sessions`."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def counted_as(count: int, many: str) -> str:
    """Return `1 session`, `2 entities`, of what is named as several."""
    return counted(count, f"{many[:-3]}y" if many.endswith("ies") else many.removesuffix("s"), many)


def home_short(path: str, env: Mapping[str, str]) -> str:
    """Return a path with the home folder as `~`."""
    home = env.get("HOME", "")
    if home and home != "/" and (path == home or path.startswith(home + "/")):
        return "~" + path[len(home) :]
    return path


def project_name(root: str | None) -> str:
    """Return what people call a project; `-` for none."""
    return "-" if root is None else Path(root).name or root


def project_cell(root: str | None, *, uncut: bool) -> str:
    """Return what a list calls a project, cut where lines have to fit a page."""
    name = one_line(project_name(root))
    return name if uncut else cut(name, _PROJECT_COLUMNS)


def doubtful(doubt: DoubtAnswer) -> str:
    """Return why a fact may be out of date: what became of what it names, when, and who did it."""
    who = f" in session {short(doubt.session)}" if doubt.session else ""
    return one_line(f"{doubt.name} was {doubt.change} {local(doubt.at)}{who} ({doubt.detail})")


def suggestion(given: str, names: Iterable[str]) -> str:
    """Return which of the names may be meant, or all of them, as the end of a sentence."""
    listed = sorted(names)
    folded = given.strip().lower().replace("-", "_").replace(" ", "_")
    near = get_close_matches(folded, listed, 1, 0.5) or [name for name in listed if folded and folded in name][:1]
    return f"did you mean {near[0]}?" if near else f"there are {', '.join(listed)}."


def now() -> datetime:
    """Return the present time, for `ago`."""
    return datetime.now(UTC)


def _time(at: str) -> datetime:
    return datetime.fromisoformat(at)
