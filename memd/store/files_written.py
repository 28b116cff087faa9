"""Files written: which files of a person's folders memd writes to, so that what is deleted goes from there too."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_KEEP_PAGE: Final = """
    INSERT INTO pages (project, path) VALUES (?, ?) ON CONFLICT (project) DO UPDATE SET path = excluded.path
"""
_DROP_PAGE: Final = "DELETE FROM pages WHERE project = ?"
_PAGES: Final = "SELECT project, path FROM pages ORDER BY project"
_KEEP_FOLDER: Final = """
    INSERT INTO closed_folders (folder, session, by_hand) VALUES (?, ?, ?)
    ON CONFLICT (folder) DO UPDATE SET session = excluded.session, by_hand = excluded.by_hand
"""
_DROP_FOLDER: Final = "DELETE FROM closed_folders WHERE folder = ? AND session = ?"
_FOLDERS: Final = "SELECT folder, session, by_hand FROM closed_folders ORDER BY folder"


@dataclass(frozen=True, slots=True)
class ClosedFolder:
    """A folder with the files of a session (uid); `by_hand`: the handoff among them is in somebody's own words."""

    folder: Path
    session: str
    by_hand: bool


def keep_page(conn: sqlite3.Connection, project_uid: str, path: Path | None) -> None:
    """Note in which file a project's section is kept, in none for None."""
    if path is None:
        conn.execute(_DROP_PAGE, (project_uid,))
    else:
        conn.execute(_KEEP_PAGE, (project_uid, str(path)))


def pages(conn: sqlite3.Connection) -> dict[str, Path]:
    """Return the files in which a section is kept, by the project's uid."""
    return {project: Path(path) for project, path in conn.execute(_PAGES)}


def keep_folder(conn: sqlite3.Connection, one: ClosedFolder) -> None:
    """Note that a folder has the files of a session, and no longer those of another."""
    conn.execute(_KEEP_FOLDER, (str(one.folder), one.session, one.by_hand))


def drop_folder(conn: sqlite3.Connection, one: ClosedFolder) -> None:
    """Note that a folder has the files of a session no more."""
    conn.execute(_DROP_FOLDER, (str(one.folder), one.session))


def folders(conn: sqlite3.Connection) -> tuple[ClosedFolder, ...]:
    """Return the folders that have files of sessions."""
    return tuple(
        ClosedFolder(Path(folder), session, bool(by_hand)) for folder, session, by_hand in conn.execute(_FOLDERS)
    )
