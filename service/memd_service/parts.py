"""Parts: the things that install puts on the machine, each able to say, do and undo its own."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memd.paths import check_socket_path
from memd_hooks.shim import render_client
from memd_service import files, folders, launchd
from memd_service.choose import Choice, managers
from memd_service.environment import Environment
from memd_service.errors import ServiceError
from memd_service.manager import Running, daemon_of


@dataclass(frozen=True, slots=True)
class Step:
    """What one part would do now. `changes` is False when everything is as it should be already."""

    part: str
    what: str
    changes: bool


class Part(Protocol):
    """One thing on the machine. Every method may be called again; trouble is a MemdError or an OSError."""

    @property
    def name(self) -> str:
        """The word for it in messages."""

    def step(self) -> Step:
        """Say what install() would do, changing nothing; raise what would make it impossible."""

    def install(self) -> str:
        """Put it on the machine, or bring it up to date; say in a sentence what there is now."""

    def remove(self) -> tuple[str, ...]:
        """Take it off the machine; name what was removed."""


@dataclass(frozen=True, slots=True)
class FoldersPart:
    """The folders of memd itself. What is in them is removed by uninstall, which knows what shall be kept."""

    environment: Environment

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "folders"

    @property
    def _folders(self) -> tuple[Path, ...]:
        paths = self.environment.paths
        return (
            paths.data_dir,
            paths.state_dir,
            paths.spool_dir,
            paths.cache_dir,
            paths.config_dir,
            paths.runtime_dir,
        )

    def step(self) -> Step:
        """Say which are missing; raise PathError when the socket could not be bound in its folder."""
        check_socket_path(self.environment.paths.socket)
        missing = [str(folder) for folder in self._folders if not folder.is_dir()]
        what = f"make {', '.join(missing)}" if missing else f"use {self.environment.paths.data_dir}"
        return Step(self.name, what, bool(missing))

    def install(self) -> str:
        """Make them, for their owner only."""
        for folder in self._folders:
            folders.make(self.environment.paths, folder, private=True)
        return f"memd keeps its data in {self.environment.paths.data_dir}"

    def remove(self) -> tuple[str, ...]:
        """Remove nothing."""
        return ()


@dataclass(frozen=True, slots=True)
class ShimPart:
    """The hook client that the hosts run, with the paths of this installation in it."""

    environment: Environment

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "hook client"

    @property
    def _path(self) -> Path:
        return self.environment.paths.hook_shim

    def content(self) -> bytes:
        """Give what the file has to contain."""
        paths = self.environment.paths
        return render_client(paths.socket, paths.spool_dir)

    def is_current(self) -> bool:
        """Tell whether the file is there, as it has to be."""
        try:
            return self._path.read_bytes() == self.content()
        except OSError:
            return False

    def step(self) -> Step:
        """Say whether it has to be written."""
        current = self.is_current()
        return Step(self.name, f"{'keep' if current else 'write'} {self._path}", not current)

    def install(self) -> str:
        """Write it."""
        folders.make(self.environment.paths, self._path.parent, private=True)
        files.write(self._path, self.content(), mode=0o700)
        return f"the hook client is {self._path}"

    def remove(self) -> tuple[str, ...]:
        """Remove it. A session that still has it in its settings runs a command that then does nothing."""
        there = self._path.exists()
        self._path.unlink(missing_ok=True)
        files.remove_if_empty(self._path.parent)
        return (str(self._path),) if there else ()


@dataclass(frozen=True, slots=True)
class CommandPart:
    """The `memd` command: a link in ~/.local/bin to the one in memd's own environment.

    Where another tool (pipx, uv, pip) installed memd, that tool has put the command in its place.
    """

    environment: Environment

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "command"

    @property
    def link(self) -> Path:
        """Where the link belongs."""
        return self.environment.home / ".local" / "bin" / "memd"

    @property
    def _target(self) -> Path:
        return self.environment.python.with_name("memd")

    def _is_ours(self) -> bool:
        return self.link.is_symlink() and self.link.readlink() == self._target

    def step(self) -> Step:
        """Say whether the link has to be made."""
        if self.environment.own_folder is None:
            return Step(self.name, f"use {self._target}", False)
        if self.link.exists() and not self._is_ours():
            return Step(self.name, f"leave {self.link} alone, which is not memd's; use {self._target}", False)
        ours = self._is_ours()
        return Step(self.name, f"{'keep' if ours else 'link'} {self.link}", not ours)

    def install(self) -> str:
        """Make the link, unless something of somebody else is in its place."""
        step = self.step()
        if not step.changes:
            return f"the command: {step.what}"
        folders.make(self.environment.paths, self.link.parent, private=False)
        self.link.unlink(missing_ok=True)  # one that points nowhere
        self.link.symlink_to(self._target)
        searched = self.environment.variables.get("PATH", "").split(os.pathsep)
        hint = "" if str(self.link.parent) in searched else f" (add {self.link.parent} to your PATH to use it)"
        return f"the command is {self.link}{hint}"

    def remove(self) -> tuple[str, ...]:
        """Remove the link if it is memd's."""
        if not self._is_ours():
            return ()
        self.link.unlink()
        return (str(self.link),)


@dataclass(frozen=True, slots=True)
class ServicePart:
    """The daemon, run by whoever looks after this user's processes."""

    environment: Environment
    choice: Choice

    @property
    def name(self) -> str:
        """The word for it in messages."""
        return "service"

    def step(self) -> Step:
        """Say what is written and started; the daemon is always started anew, so that it runs this code."""
        manager = self.choice.manager
        stale = [str(unit.path) for unit in manager.unit_files() if not unit.is_current()]
        write = f"write {', '.join(stale)} and " if stale else ""
        again = "re" if isinstance(daemon_of(self.environment), Running) else ""
        return Step(self.name, f"{write}{again}start the daemon ({manager.name}: {self.choice.why})", True)

    def install(self) -> str:
        """Clear away what another manager has been told, and have the chosen one start the daemon."""
        manager = self.choice.manager
        for other in managers(self.environment)[1:]:
            if any(unit.path.exists() for unit in other.unit_files()):
                other.uninstall()
        for unit in manager.unit_files():
            folders.make(self.environment.paths, unit.path.parent, private=False)
        manager.install()
        daemon = daemon_of(self.environment)
        if not isinstance(daemon, Running):
            raise ServiceError(
                f"The daemon was started by {manager.name} but has ended again; `memd doctor` and"
                f" {self.environment.paths.log_file} say more."
            )
        return f"the daemon runs as process {daemon.pid} ({manager.name}: {self.choice.why})"

    def remove(self) -> tuple[str, ...]:
        """Stop the daemon, and remove what any manager has been told."""
        removed = [] if not isinstance(daemon_of(self.environment), Running) else ["the running daemon"]
        for manager in managers(self.environment):
            there = [str(unit.path) for unit in manager.unit_files() if unit.path.exists()]
            manager.uninstall()
            removed += there
        launchd.output_file(self.environment.paths).unlink(missing_ok=True)
        return tuple(removed)
