"""Uninstall: everything that install put on the machine, taken off again, and nothing else."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from memd.errors import MemdError
from memd.paths import Paths
from memd_service import files, folders
from memd_service.choose import choose
from memd_service.environment import Environment
from memd_service.hosts import registered_parts
from memd_service.install import Failure
from memd_service.mcp_part import McpPart
from memd_service.parts import CommandPart, Part, ServicePart, ShimPart

# What is about a daemon that is no more, or a registration that is no more.
_STATE_TRACES = ("daemon.lock", "clean_shutdown.json", "memd.log*", "service.log", "installed.json")


@dataclass(frozen=True, slots=True)
class Removal:
    """What an uninstall removed, what it kept and where, and what it could not remove."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]
    failed: tuple[Failure, ...]


def uninstall(environment: Environment, *, purge: bool) -> Removal:
    """Take memd off the machine: hosts first, then the daemon, then its files, at last the program itself.

    The memory (database, backups, spooled events, configuration) is kept unless `purge`. A part that fails does
    not keep the others from going; it is reported, and another uninstall tries it again. Removes the environment
    that the caller runs in when `make install` made it, so afterwards the caller can import nothing any more.
    """
    removed: list[str] = []
    failed: list[Failure] = []
    parts: tuple[Part, ...] = (
        *registered_parts(environment),
        # By the hook client a command knows that memd is here and starts the daemon: it must not while that ends.
        ShimPart(environment),
        ServicePart(environment, choose(environment)),
        McpPart(environment),
    )
    _remove_parts(parts, removed, failed)
    kept = [_program(environment)] if environment.own_folder is None else []
    if failed:
        # The daemon may still run, and trying again takes the command and the notes of what was installed where.
        kept.append(f"everything else, in {environment.paths.data_dir} and {environment.paths.state_dir}")
        return Removal(tuple(removed), tuple(kept), tuple(failed))
    try:
        removed += CommandPart(environment).remove()
        removed += _remove_files(environment, purge=purge)
    except OSError as error:
        failed.append(Failure("files", str(error)))
    if not purge:
        kept += [what for what, folder in _memory(environment.paths) if folder.exists()]
    return Removal(tuple(removed), tuple(kept), tuple(failed))


def folders_of(paths: Paths) -> tuple[Path, ...]:
    """Return the folders that a purge empties, those that are there, without those inside of another."""
    there = [path for path in dict.fromkeys(_own_folders(paths)) if path.exists()] or [paths.data_dir]
    return tuple(path for path in there if not any(other in path.parents for other in there))


def unregister(environment: Environment, hosts: Collection[str]) -> Removal:
    """Take memd out of these hosts and leave everything else as it is."""
    removed: list[str] = []
    failed: list[Failure] = []
    _remove_parts(registered_parts(environment, hosts), removed, failed)
    return Removal(tuple(removed), (), tuple(failed))


def _remove_parts(parts: tuple[Part, ...], removed: list[str], failed: list[Failure]) -> None:
    for part in parts:
        try:
            removed += part.remove()
        except (MemdError, OSError) as error:
            failed.append(Failure(part.name, str(error)))


def _program(environment: Environment) -> str:
    return (
        f"the program itself in {environment.python.parent.parent}: remove it with the tool that installed it"
        " (`pip uninstall memd-daemon`, `pipx uninstall memd-daemon`)"
    )


def _memory(paths: Paths) -> tuple[tuple[str, Path], ...]:
    return (
        (f"what memd remembers, in {paths.data_dir}", paths.data_dir),
        (f"your configuration, in {paths.config_dir}", paths.config_dir),
        (f"what hooks have told and nobody has read yet, in {paths.spool_dir}", paths.spool_dir),
    )


def _remove_files(environment: Environment, *, purge: bool) -> list[str]:
    paths = environment.paths
    made = folders.made(paths)
    if not environment.is_moved:  # these have memd's name, whoever made them first
        made = (*made, *(path for path in _own_folders(paths) if path not in made))
    removed: list[str] = []
    own = environment.own_folder
    paths.socket.unlink(missing_ok=True)
    paths.mcp_socket.unlink(missing_ok=True)
    for pattern in _STATE_TRACES:
        for trace in paths.state_dir.glob(pattern):
            trace.unlink()
    removed += _remove_folder(paths.cache_dir, made, ())
    if own is not None:
        shutil.rmtree(own)
        removed.append(str(own))
    if purge:
        for folder, known in _known(paths):
            removed += _remove_folder(folder, made, known)
    for folder in (paths.runtime_dir, paths.spool_dir, paths.state_dir, paths.config_dir):
        if folder.is_dir() and files.remove_if_empty(folder):
            removed.append(str(folder))
    # Innermost first: what memd made on the way there, where nothing of anybody is left in it.
    for folder in reversed(made):
        if folder != paths.data_dir:
            files.remove_if_empty(folder)
    return removed


def _own_folders(paths: Paths) -> tuple[Path, ...]:
    return (paths.data_dir, paths.state_dir, paths.cache_dir, paths.config_dir)


def _known(paths: Paths) -> tuple[tuple[Path, tuple[str, ...]], ...]:
    """Give the folders of memd, innermost first, with the names that memd gives to what is in them."""
    return (
        (paths.state_dir, ("spool", "before", *_STATE_TRACES)),
        (paths.config_dir, (paths.config_file.name,)),
        (paths.data_dir, (f"{paths.database.name}*", "backups", "notes", "bin", "venv", "folders.txt")),
    )


def _remove_folder(folder: Path, made: tuple[Path, ...], known: tuple[str, ...]) -> list[str]:
    """Remove a folder that memd made; from one that was there before, only what memd put into it."""
    if not folder.is_dir():
        return []
    if folder in made:
        shutil.rmtree(folder)
        return [str(folder)]
    removed: list[str] = []
    for pattern in known:
        for path in folder.glob(pattern):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
            removed.append(str(path))
    return removed
