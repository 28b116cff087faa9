"""Brief and handoff: a project in a few lines, and what somebody who takes over has to know."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from memd.clock import local_day
from memd.inject.framing import fact_line, item_lines, text_lines
from memd.inject.material import gather
from memd.inject.packing import Bundle, Line, Section, pack
from memd.inject.past import gathered_then, held
from memd.inject.wakeup import sections_of
from memd.model import FactKind, Project
from memd.store import foremost, handoffs, overview, summaries
from memd.store.facts import Connection

BRIEF_TOKENS: Final = 260
HANDOFF_TOKENS: Final = 1_200
_DECISIONS: Final[tuple[FactKind, ...]] = ("decision", "architecture")
_SESSIONS: Final = 3
_FILES: Final = 5
_CONCEPTS: Final = 6


def brief(conn: Connection, project: Project, at_ms: int | None = None) -> Bundle:
    """Return a project in about 200 tokens: its figures, what is much spoken of, decisions, latest sessions and files,
    or those of a time.

    It is made of what the store holds at the moment, so nothing has to be kept fresh.
    """
    known = overview.of_project(conn, project.id, at_ms)
    figures = f"{_counted(known.sessions, 'session')}, {_counted(known.facts, 'fact')}"
    if known.stale:
        figures += f", {known.stale} of them about something that was changed since"
    if known.last_at is not None:
        figures += f"; last worked on {local_day(known.last_at)}"
    if known.gaps:
        figures += f"; {_counted(known.gaps, 'question')} found nothing"
    about = overview.concepts(conn, project.id, _CONCEPTS, at_ms)
    files = [_file(path, times, project) for path, times in overview.busiest_files(conn, project.id, _FILES, at_ms)]
    latest = [one.summary.title for one in summaries.latest(conn, project.id, _SESSIONS, until_ms=at_ms)]
    if at_ms is None:
        decisions = foremost.newest(conn, project.id, _DECISIONS, _SESSIONS, everywhere=False)
    else:
        decisions = held(conn, project.id, _DECISIONS, at_ms, everywhere=False)[:_SESSIONS]
    sections = (
        Section("In figures", 0.2, _texts(item_lines([figures]))),
        Section("Much spoken of", 0.1, _texts(item_lines([", ".join(about)] if about else []))),
        Section("Decisions", 0.4, tuple((fact_line(fact), fact.id) for fact in decisions)),
        Section("Latest sessions", 0.2, _texts(item_lines(latest))),
        Section("Files worked on most", 0.2, _texts(item_lines([", ".join(files)]) if files else [])),
    )
    return pack(project.name, sections, BRIEF_TOKENS)


def handoff(conn: Connection, project: Project, at_ms: int | None = None) -> Bundle:
    """Return what somebody who takes over a project, or took it over at a time, has to know.

    That is what was left for him, and a fuller wakeup.
    """
    left = [(one.text, one.at) for one in handoffs.newest(conn, project.id) if at_ms is None or one.at <= at_ms]
    notes = [line for text, at in left for line in text_lines(text, local_day(at))]
    # What was left is told here whole, whether something happened since or not.
    known = gather(conn, project) if at_ms is None else gathered_then(conn, project, at_ms)
    material = replace(known, handoff="")
    sections = (Section("Handed over", 0.4, _texts(notes), cut=True), *sections_of(material))
    return pack(project.name, sections, HANDOFF_TOKENS)


def _file(path: str, times: int, project: Project) -> str:
    return f"`{path.removeprefix(f'{project.root}/')}` ({times})"


def _texts(lines: list[str]) -> tuple[Line, ...]:
    return tuple((line, None) for line in lines)


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
