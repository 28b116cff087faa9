"""Pages: the Markdown file of a project in which memd keeps one section, "Recent activity", and nothing else.

memd keeps it current where somebody asked for it once (`sessions.close`). What stands outside of its two marks is the
person's, byte for byte; a file from which the marks were taken out is left alone.
"""

from __future__ import annotations

import errno
import logging
import stat
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.clock import local_day
from memd.errors import StoreFull, StoreReadOnly
from memd.operations.memory import Memory
from memd.store import files_written, projects, summaries
from memd.store.facts import Connection
from memd.store.summaries import Summarised
from memd_service.files import write as write_whole

logger = logging.getLogger(__name__)

BEGIN: Final = "<!-- memd: recent activity -->"
END: Final = "<!-- memd: end -->"
_SESSIONS: Final = 10
_CHARS: Final = 160


def section(latest: Iterable[Summarised]) -> str:
    """Return what is told of a project's latest sessions, the newest first."""
    lines = [f"- {local_day(one.session.last_at)} {_line(one)}" for one in latest if one.session.last_at is not None]
    return "\n".join(("## Recent activity", "", *(lines or ["Nothing was done yet."])))


def with_section(page: str, told: str) -> str:
    """Return a page with the section told anew; where it has none it is added at the end.

    A page with one mark, or with them the wrong way round, is returned as it is.
    """
    start, end = page.find(BEGIN), page.find(END)
    block = f"{BEGIN}\n{told}\n{END}"
    if start < 0 and end < 0:
        gap = "" if not page else "\n" if page.endswith("\n") else "\n\n"
        return f"{page}{gap}{block}\n"
    if not 0 <= start < end:
        return page
    return f"{page[:start]}{block}{page[end + len(END) :]}"


def without_section(page: str) -> str:
    """Return a page without the section and its marks."""
    start, end = page.find(BEGIN), page.find(END)
    return page if not 0 <= start < end else f"{page[:start]}{page[end + len(END) :]}"


def told(conn: Connection, project_id: int) -> str:
    """Return the section of a project as it is now."""
    return section(summaries.latest(conn, project_id, _SESSIONS))


async def refresh(memory: Memory) -> None:
    """Bring the files that are kept current up to date. A job.

    Of a project that was deleted the section goes, and the file is kept no more; nor is one that is gone.
    """

    def read(conn: Connection) -> list[tuple[str, Path, str | None]]:
        there = {one.project.uid: one.project.id for one in projects.list_projects(conn)}
        return [
            (uid, path, told(conn, there[uid]) if uid in there else None)
            for uid, path in files_written.pages(conn).items()
        ]

    for uid, path, now in await memory.readers.run(read):
        try:
            await to_thread.run_sync(update, path, now)
        except OSError as error:
            logger.warning("event=page_not_written error=%s", error.strerror)
        if now is None or not await to_thread.run_sync(path.exists):
            with suppress(StoreFull, StoreReadOnly):
                await memory.writer.run(partial(files_written.keep_page, project_uid=uid, path=None))


def update(path: Path, now: str | None) -> bool:
    """Let a file that is there hold just that section, none for None; tell whether it changed. Raises OSError."""
    page = read(path)
    if page is None or BEGIN not in page:
        return False  # somebody took it away, or the section out of it
    new = without_section(page) if now is None else with_section(page, now)
    if new != page:
        write(path, new)
    return new != page


def read(path: Path) -> str | None:
    """Return what a person's file holds, byte for byte; None where there is none.

    Raises OSError, also for what is no file (a folder, or a pipe that nobody writes to).
    """
    try:
        kind = path.stat().st_mode
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(kind):
        raise OSError(errno.EINVAL, "that is no file", str(path))
    return path.read_bytes().decode("utf-8", "surrogateescape")


def write(path: Path, text: str) -> None:
    """Write a person's file whole or not at all, with the rights it had; a new one is for its owner only.

    Raises OSError.
    """
    path = path.resolve()
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    write_whole(path, text.encode("utf-8", "surrogateescape"), mode=mode)


def _line(one: Summarised) -> str:
    title = " ".join((one.summary.title or one.session.title or "A session").split())
    left = "; ".join(" ".join(end.split()) for end in one.summary.open_ends)
    line = f"{title} (left open: {left})" if left else title
    line = line if len(line) <= _CHARS else f"{line[: _CHARS - 1]}…"
    return line.replace("<!--", "<!- -")  # a mark that somebody spoke of is none
