"""`memd complete KIND`: values for a shell's completion, one a line, behind a tab what each means.

Nobody types it, so it is in no help. A shell asks while somebody types: it is quick, starts nothing, and says nothing
where memd does not run or something is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

import msgspec

from memd.doors.cli import client
from memd.doors.cli.invocation import Invocation
from memd.errors import MemdError

_DEADLINE_S: Final = 1.0
_MOST: Final = 50
_SHOWN: Final = 10
_DAYS: Final = 7
_TEXT: Final = 60


def run(invocation: Invocation) -> int:
    """Print the values of a kind."""
    words = invocation.given.words
    if len(words) != 1:
        return 0
    if words[0] == "dates":
        invocation.terminal.say_all(_dates(datetime.now().astimezone()))
        return 0
    ask = _ASKED.get(words[0])
    if ask is None:
        return 0
    op, params, told = ask
    try:
        answer = client.call(invocation.places().paths.socket, op, params, deadline_s=_DEADLINE_S)
        invocation.terminal.say_all(told(msgspec.json.decode(answer)))
    except (MemdError, OSError, msgspec.MsgspecError, KeyError, TypeError):
        return 0
    return 0


def _dates(now: datetime) -> Iterator[str]:
    yield from ("today", "yesterday")
    for days in range(2, _DAYS + 1):
        day = now - timedelta(days=days)
        yield f"{day:%Y-%m-%d}\t{days} days ago, {day:%A}"


def _projects(found: list[dict[str, Any]]) -> Iterator[str]:
    names = [project["name"] for project in found]
    for project in found:
        unique = names.count(project["name"]) == 1
        yield _line(project["name"] if unique else project["root"], project["root"] if unique else project["name"])


def _ids(found: list[dict[str, Any]]) -> Iterator[str]:
    for one in found:
        yield _line(one["id"][-_SHOWN:], one.get("title") or one.get("native_id") or "")


def _jobs(found: list[dict[str, Any]]) -> Iterator[str]:
    for job in found:
        yield _line(job["name"], "paused" if job["paused"] else "")


def _line(value: str, meaning: str) -> str:
    shown = " ".join(meaning.split())
    return f"{' '.join(value.split())}\t{shown if len(shown) <= _TEXT else shown[:_TEXT] + '…'}"


_Told = Callable[[list[dict[str, Any]]], Iterable[str]]
_ASKED: Final = MappingProxyType[str, tuple[str, dict[str, object], _Told]](
    {
        "projects": ("projects.list", {}, _projects),
        "sessions": ("sessions.list", {"limit": _MOST, "subagents": False, "empty": False}, _ids),
        "facts": ("facts.list", {"limit": _MOST}, _ids),
        "jobs": ("jobs.list", {}, _jobs),
    }
)
