"""What people type in Cursor, out of what Cursor wraps around it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Final, Literal, TypeAlias

from memd.text.noise import strip_noise

Speaker: TypeAlias = Literal["prompt", "notice", "nothing"]

_TIMESTAMP: Final = re.compile(
    r"\A\s*<timestamp>\s*(?:[A-Za-z]+,\s*)?([A-Za-z]{3})[a-z]*\.? (\d{1,2}), (\d{4}),? (?:at )?(\d{1,2}):(\d{2})"
    r"(?::\d{2})?\s*([AP]M)?\s*(?:\(?(?:UTC|GMT)([+-]\d{1,2})?(?::?(\d{2}))?\)?)?\s*</timestamp>\s*"
)
_ANY_TIMESTAMP: Final = re.compile(r"\A\s*<timestamp>[^<]{0,80}</timestamp>\s*")
_QUERY: Final = re.compile(r"<user_query>\n?(.*?)\n?</user_query>", re.DOTALL)
_BLOCK: Final = re.compile(r"<([a-z][a-z_-]{1,60})(?:\s[^<>]{0,400})?>.*?</\1>\s*", re.DOTALL)
_NOTICES: Final = ("system_notification", "task_notification", "background_task_notification")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_REDACTED: Final = re.compile(r"\s*\[REDACTED\]\s*")


def told_at(text: str) -> int | None:
    """Return the time that stands before a user's text, to the minute, in UTC epoch milliseconds."""
    found = _TIMESTAMP.match(text)
    if not found:
        return None
    month, day, year, hour, minute, half, offset_h, offset_m = found.groups()
    hours = int(hour) % 12 + 12 * (half == "PM") if half else int(hour)
    shift = timedelta(hours=int(offset_h or 0))
    shift += timedelta(minutes=int(offset_m or 0)) * (-1 if (offset_h or "").startswith("-") else 1)
    try:
        zone = timezone(shift) if shift else UTC
        when = datetime(int(year), _MONTHS.index(month) + 1, int(day), hours, int(minute), tzinfo=zone)
        return round(when.timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def unwrapped(text: str) -> tuple[Speaker, str]:
    """Return who speaks in a user row and what; what stands in `<user_query>` was typed, other blocks are Cursor's."""
    queries = _QUERY.findall(text)
    if queries:
        return "prompt", "\n\n".join(query.strip() for query in queries)
    text = _ANY_TIMESTAMP.sub("", text).strip()
    notice = text.removeprefix("<").startswith(_NOTICES)
    while found := _BLOCK.match(text):
        if notice:
            return "notice", strip_noise(re.sub(r"</?[a-z_-]+>", "", found[0])).strip()
        text = text[found.end() :]
    text = strip_noise(text).strip() if "<" in text or "\x1b" in text else text.strip()
    return ("prompt", text) if text else ("nothing", "")


def shown(text: str) -> str:
    """Return a reply without the marks where reasoning was taken out."""
    return _REDACTED.sub("\n\n", text).strip() if "[REDACTED]" in text else text.strip()


def squeezed(text: str) -> str:
    """Return the text as it is compared between stores, which keep blank space differently."""
    return " ".join(text.split())
