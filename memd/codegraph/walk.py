"""Walk: which files of a tree are sources. Reads names and sizes, no contents; never writes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from memd import git
from memd.codegraph.configs import cleaned
from memd.codegraph.registry import is_config, language_of
from memd.codegraph.regular import regular_file

MOST_FILES: Final = 100_000
LARGEST_BYTES: Final = 1 << 20
LARGEST_CONFIG_BYTES: Final = 256 << 10
_GIT_S: Final = 20.0

TOO_LARGE: Final = "too large"
LINK: Final = "symbolic link"
MINIFIED: Final = "minified"
VENDORED: Final = "in a folder of others' code"
BEYOND: Final = f"beyond {MOST_FILES} files"
UNREADABLE: Final = "unreadable"
UNNAMEABLE: Final = "a name that is not UTF-8"

# Never a project's own code, wherever they lie.
_FOREIGN: Final = frozenset(
    ".git .hg .svn .bzr .jj node_modules bower_components jspm_packages __pycache__ site-packages .venv .virtualenv"
    " .tox .nox .eggs .mypy_cache .ruff_cache .pytest_cache .gradle .mvn .idea .vscode .cache .next .nuxt .svelte-kit"
    " .terraform .yarn .pnpm-store third_party third-party thirdparty vendored _vendor".split()
)
# What tools make at the top of a tree; further down these are ordinary names.
_MADE: Final = frozenset("build dist out target vendor venv env coverage htmlcov Pods DerivedData".split())
_MINIFIED: Final = (".min.js", ".min.mjs", ".min.cjs", ".bundle.js", "-min.js")


@dataclass(slots=True)
class Found:
    """The sources of a tree, by their paths in it, sorted; what was passed over, by reason; the configurations."""

    files: list[str] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    configs: dict[str, bytes] = field(default_factory=dict)


def walk(root: Path, *, most_files: int = MOST_FILES) -> Found:
    """Return the source files below a folder.

    In a git work tree these are the files that git tracks or would (`.gitignore` holds), else all but those in folders
    that are nobody's own. Symbolic links are not followed, so that no loop can be run into. Raises OSError where the
    folder itself cannot be read.
    """
    found = Found()
    if not root.is_dir():
        raise NotADirectoryError(20, "is not a folder", str(root))
    for path, size in _candidates(root, found.skipped):
        name = path.rpartition("/")[2]
        if is_config(name) and size <= LARGEST_CONFIG_BYTES and _is_utf8(path):
            _take_config(root, path, found)
        if language_of(path) is None:
            continue
        if not _is_utf8(path):
            found.skipped[UNNAMEABLE] += 1
        elif name.endswith(_MINIFIED):
            found.skipped[MINIFIED] += 1
        elif size > LARGEST_BYTES:
            found.skipped[TOO_LARGE] += 1
        elif len(found.files) >= most_files:
            found.skipped[BEYOND] += 1
        else:
            found.files.append(path)
    found.files.sort()
    return found


def _is_utf8(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate stands for the byte
        return False
    return True


def included(root: Path, paths: Iterable[str]) -> list[str]:
    """Return those of some paths below a folder that `walk` would return, or that are no longer there, sorted."""
    found = [path for path in sorted(set(paths)) if _may_be_source(root, path)]
    ignored = _ignored(root, found) if found else frozenset()
    return [path for path in found if path not in ignored]


def _may_be_source(root: Path, path: str) -> bool:
    if language_of(path) is None or path.endswith(_MINIFIED) or _is_foreign(path):
        return False
    try:
        if _leads_away(root, path, {}):
            return False
        status = os.lstat(root / path)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False
    return (status.st_mode & 0o170000) == 0o100000 and status.st_size <= LARGEST_BYTES


def _ignored(root: Path, paths: list[str]) -> frozenset[str]:
    """Return those of some paths that git is told to ignore; none where git cannot tell."""
    if not (root / ".git").exists():
        return frozenset()
    # 1 says that none is ignored.
    listed = git.ask(
        root,
        ("check-ignore", "-z", "--stdin"),
        os.environ,
        _GIT_S,
        given=b"\0".join(os.fsencode(path) for path in paths),
        statuses=frozenset({0, 1}),
    )
    return frozenset(os.fsdecode(path) for path in (listed or b"").split(b"\0") if path)


def head_of(root: Path) -> str | None:
    """Return the commit that a work tree is at, None where there is none or git cannot tell."""
    if not (root / ".git").exists():
        return None
    told = git.ask(root, ("rev-parse", "--verify", "-q", "HEAD"), os.environ, _GIT_S)
    return (told or b"").decode("ascii", "replace").strip() or None


def _take_config(root: Path, path: str, found: Found) -> None:
    try:
        content = regular_file(root / path, LARGEST_CONFIG_BYTES)
    except OSError:
        found.skipped[UNREADABLE] += 1
        return
    if len(content) <= LARGEST_CONFIG_BYTES:
        found.configs[path] = cleaned(path, content)


def _candidates(root: Path, skipped: Counter[str]) -> Iterator[tuple[str, int]]:
    """Yield path and size of each regular file that may be one of the project's."""
    tracked = _by_git(root)
    if tracked is None:
        yield from _by_scan(root, "", skipped)
        return
    known: dict[str, bool] = {}
    for path in tracked:
        if _is_foreign(path):
            skipped[VENDORED] += language_of(path) is not None
            continue
        try:
            # An index may hold any path, and a folder that it knows may have become a link.
            if _leads_away(root, path, known):
                skipped[LINK] += language_of(path) is not None
                continue
            status = os.lstat(root / path)
        except OSError:
            continue  # deleted, and git not told yet
        if (status.st_mode & 0o170000) == 0o120000:
            skipped[LINK] += language_of(path) is not None
        elif (status.st_mode & 0o170000) == 0o100000:
            yield path, status.st_size


def _leads_away(root: Path, path: str, known: dict[str, bool]) -> bool:
    """Tell whether a path may lead out of the tree: by its own words, or through a folder that is a link.

    `known` keeps what was found out of folders.
    """
    folder = path.rpartition("/")[0]
    if not folder:
        return path in {"..", "."}
    if folder not in known:
        last = folder.rpartition("/")[2]
        here = last in {"..", ""} or os.path.islink(root / folder)  # noqa: PTH114 - a path of any bytes
        known[folder] = here or _leads_away(root, folder, known)
    return known[folder]


def _is_foreign(path: str) -> bool:
    folders = path.split("/")[:-1]
    return bool(folders) and (folders[0] in _MADE or not _FOREIGN.isdisjoint(folders))


def _by_git(root: Path) -> list[str] | None:
    """Return what git would track below a folder, None where that is no work tree or git cannot tell."""
    if not (root / ".git").exists():
        return None
    question = ("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    listed = git.ask(root, question, os.environ, _GIT_S)
    return None if listed is None else [os.fsdecode(path) for path in listed.split(b"\0") if path]


def _by_scan(root: Path, top: str, skipped: Counter[str]) -> Iterator[tuple[str, int]]:
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        try:
            entries = sorted(os.scandir(root / folder), key=lambda entry: entry.name)
        except OSError:
            skipped[UNREADABLE] += 1
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if entry.is_symlink():
                    skipped[LINK] += language_of(path) is not None
                elif entry.is_dir(follow_symlinks=False):
                    if entry.name in _FOREIGN or (not folder and entry.name in _MADE):
                        skipped[VENDORED] += 1
                    else:
                        waiting.append(path)
                elif entry.is_file(follow_symlinks=False):
                    yield path, entry.stat(follow_symlinks=False).st_size
            except OSError:
                skipped[UNREADABLE] += 1
