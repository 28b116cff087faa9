"""Kilo Code, which has had two cores.

Up to 5.x it kept task folders as Roo Code does, of the editor extension and of its CLI. From April 2026 on it has
OpenCode's core and keeps a database and JSON files as that does. Both are one host, and a machine may hold both.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from memd.adapter import Adapter, Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd_adapters.cline_host import ClineHost
from memd_adapters.opencode import OpenCode

_NAME: Final = "kilo"
_TITLE: Final = "Kilo Code"

TASKS: Final = ClineHost(
    name=_NAME,
    title=_TITLE,
    extension="kilocode.kilo-code",
    setting="kilo-code.customStoragePath",
    sign=b".kilocode/",
    homes=(".kilocode/cli/global/tasks",),
)
CORE: Final = OpenCode(_NAME, _TITLE, "kilo", data_folder="KILO_DIR")


class Kilo:
    """The adapter of both generations; it holds nothing."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The host's word in memd."""
        return _NAME

    @property
    def title(self) -> str:
        """The product's name."""
        return _TITLE

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        """Return where either generation writes."""
        return tuple(dict.fromkeys((*TASKS.roots(env), *CORE.roots(env))))

    def classify(self, root: Root, path: Path) -> Source | None:
        """Return the task, the database or the session's file that a path is."""
        return TASKS.classify(root, path) or CORE.classify(root, path)

    def recognise(self, path: Path, head: bytes) -> Source | None:
        """Return a source when the file begins as one of either generation does."""
        return TASKS.recognise(path, head) or CORE.recognise(path, head)

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        """Read on; see `memd.adapter.Adapter.read`."""
        return _generation(source.path).read(source, cursor, limits)

    def live(self, _: Root) -> tuple[LiveProcess, ...]:
        """Return nothing: neither generation keeps a list of its processes."""
        return ()


def _generation(path: Path) -> Adapter:
    """Return what reads a file: the new core's are its database, and JSON files in `session/<project>/`."""
    is_task = path.suffix == ".json" and path.parent.parent.name != "session"
    return TASKS if is_task else CORE


ADAPTER: Final = Kilo()
