"""Tasks: what the daemon asks workers for, and what they answer. Nothing here loads a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd.store.code_changes import FileRow

READING: Final = 4
"""The number of the way in which sources are read. Raised when the same source gives other facts or edges than before:
what is kept of a project is then made anew when a session works in it next. A test tells when it has to be raised."""
UPDATE_TASK: Final = "memd.codegraph.stored:update_files"
RESOLVE_TASK: Final = "memd.codegraph.stored:resolve_files"
COMMITS_TASK: Final = "memd.codegraph.commits:commits_of"
NEVER_ENDS: Final = "took too long or too much memory"
"""Why a file was passed over that ended or hung its worker."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A file whose content is the one that is known."""

    path: str


@dataclass(frozen=True, slots=True)
class Update:
    """Files to look at: those of `paths` below `root`, of a project in the database at `database`."""

    database: Path
    project: int
    root: Path
    paths: tuple[str, ...]
    again: bool = False
    """Read also those that are as they were."""


@dataclass(frozen=True, slots=True)
class Updated:
    """A file that is new or other than what is kept. `changed` are the names that mean something else now.

    `same`: its content is the one that is known; it was only read anew.
    """

    row: FileRow
    changed: frozenset[str]
    same: bool = False


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that is kept and is no longer there, or no longer a source."""

    path: str
    digest: bytes
    changed: frozenset[str]
    reason: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A file that gives no facts and of which none are kept."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Resolve:
    """Files whose references are to be resolved."""

    database: Path
    project: int
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Committed:
    """A project of which files wait for the commit that made them; `gone` are paths of those that are no more."""

    database: Path
    project: int
    root: Path
    gone: tuple[str, ...]
