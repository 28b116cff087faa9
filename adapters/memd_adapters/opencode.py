"""OpenCode, and Kilo's new core, which is the same: a database below the data folder, JSON files in older versions.

    opencode.db, opencode-<channel>.db      from 1.2 on; rows may live in the -wal alone
    storage/session/<project>/<id>.json     up to 1.1, see `memd_adapters.opencode_storage`

The data folder is `$XDG_DATA_HOME/opencode`, by default `~/.local/share/opencode`, on every system.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Final

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.errors import TranscriptError
from memd_adapters.json_file import parse_file
from memd_adapters.opencode_database import is_ours, read_database
from memd_adapters.opencode_storage import read_session
from memd_adapters.shaping import text_of
from memd_adapters.sqlite_source import MAGIC, main_file

_FIRST: Final = "opencode"
_KILO: Final = "kilo"
_SESSION: Final = re.compile(r"ses_[A-Za-z0-9]{1,64}")


class OpenCode:
    """The adapter of OpenCode or of a host with its core; it holds nothing but its names."""

    __slots__ = ("_databases", "_folder", "_name", "_title", "_variables")

    def __init__(self, name: str, title: str, folder: str, *, database: str = "", data_folder: str = "") -> None:
        """Name the host, its data folder, and the variables that move its database or its data folder."""
        self._name = name
        self._title = title
        self._folder = folder
        self._variables = (database, data_folder)
        self._databases = re.compile(rf"{folder}(?:-[A-Za-z0-9._-]{{1,64}})?\.db")

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return self._name

    @property
    def title(self) -> str:
        """The product's name."""
        return self._title

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return the data folder, the database that a variable names, and the extra roots as they are given."""
        xdg = env.env.get("XDG_DATA_HOME", "")
        folders = [(Path(xdg) if Path(xdg).is_absolute() else env.home / ".local/share") / self._folder]
        database, data_folder = self._variables
        moved = Path(env.env.get(data_folder, ""))
        if moved.is_absolute():
            folders.insert(0, moved)
        named = Path(env.env.get(database, ""))
        if named.is_absolute():
            folders.append(named)
        elif named.name and named.name != ":memory:":
            folders += [folder / named for folder in folders]
        folders += env.extra_roots
        return tuple(Root(self.name, path) for path in dict.fromkeys(folders))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the database that a path is, or is the -wal of, or the session of the old store."""
        main = main_file(path)
        if main is None:
            return None
        if main == root.path or (main.parent == root.path and self._databases.fullmatch(main.name)):
            return Source(self.name, main) if main.suffix == ".db" else None
        try:
            parts = path.relative_to(root.path).parts
        except ValueError:
            return None
        if parts[:1] == ("storage",):
            parts = parts[1:]
        elif root.path.name != "storage":
            return None
        return self._session(path) if len(parts) == 3 and parts[0] == "session" else None

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source for a database with OpenCode's tables, or the file of a session in a `storage` folder."""
        if head.startswith(MAGIC):
            main = main_file(path)
            return Source(self.name, path) if main == path and self._is_named(path) and is_ours(path) else None
        if path.parent.parent.name != "session" or not head.lstrip().startswith(b"{"):
            return None
        value, _ = parse_file(head, Counter())
        if not isinstance(value, dict) or text_of(value, "id") != path.stem or "projectID" not in value:
            return None
        return self._session(path) if self._is_named(path) else None

    def _is_named(self, path: Path) -> bool:
        """Hosts with one core have one form and are told apart by their names; OpenCode takes what has none."""
        if self._folder == _FIRST:
            return _KILO not in path.parts and not path.name.startswith(_KILO)
        return self._folder in path.parts or self._databases.fullmatch(path.name) is not None

    def _session(self, path: Path) -> Source | None:
        found = _SESSION.fullmatch(path.stem)
        return Source(self.name, path, session=path.stem) if found and path.suffix == ".json" else None

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        if source.path.suffix == ".json":
            return read_session(source, cursor, limits)
        if not source.path.is_file() and source.path.exists():
            raise TranscriptError(source.path, "is not a regular file")
        return read_database(source, cursor, limits)

    def live(self, _: Root) -> tuple[LiveProcess, ...]:
        """Return nothing: the host keeps no list of its processes."""
        return ()


ADAPTER: Final = OpenCode(
    "opencode",
    "OpenCode",
    _FIRST,
    database="OPENCODE_DB",
    data_folder="OPENCODE_DATA_DIR",  # known to other readers of its history, not to the program itself
)
