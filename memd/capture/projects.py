"""Projects: which body of work a folder belongs to.

From the folder a session was started in, never from a host's name for it:

1. the nearest git repository above it. A linked worktree is its main checkout; a submodule is a project of its own; a
   bare repository is one too;
2. without git, the nearest folder with a file that marks a project (pyproject.toml, package.json, ...);
3. else the folder itself.

A folder that a person made a project of its own (`projects.split`) goes before the repository it lies in.

A path of another system is looked for where this machine has that folder: `C:\\Users\\ada` of Windows is
`/mnt/c/Users/ada` below WSL, `\\\\wsl.localhost\\Ubuntu\\home\\ada` is `/home/ada`, and `/workspaces/shop` of a
development container is the one project called `shop` that is known here.

The home folder, the folders above it, `/` and the folders for temporary files are no project, whatever lies in them
(many people keep their settings in a repository at home): a session there belongs to none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memd import git
from memd.capture.folders import Folders
from memd.store.projects import SPLIT

MARKERS: Final = (
    *("pyproject.toml", "setup.py", "package.json", "deno.json", "Cargo.toml", "go.mod", "pom.xml", "build.gradle"),
    *("build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "CMakeLists.txt", "pubspec.yaml", "Package.swift"),
    *(".hg", ".svn", ".jj"),
)
_DRIVE: Final = re.compile(r"([A-Za-z]):([\\/].*)?", re.DOTALL)
_SHARE: Final = re.compile(r"[\\/]{2}wsl(?:\.localhost|\$)[\\/]+[^\\/]+([\\/].*)?", re.DOTALL | re.IGNORECASE)
_MOUNTED_PARTS: Final = 3
IDENTITY_DEADLINE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Place:
    """A project as it is found from a folder. `aliases` are other folders that mean the same: its worktrees' tops."""

    root: Path
    aliases: tuple[Path, ...] = ()
    git: bool = False

    @property
    def name(self) -> str:
        """The folder's name, which is what people call the project."""
        name = self.root.name
        return name.removesuffix(".git") or str(self.root)


def locate(
    cwd: Path, folders: Folders, *, home: Path, temporary: frozenset[Path], known: Mapping[Path, Path]
) -> Place | None:
    """Return the project of a session's folder, None when it has none.

    `known` maps every root and alias seen before to its root. It decides for a folder that is gone: by the folder
    itself, else by what still stands above it, else by the nearest known one above it.
    """
    if "\0" in str(cwd):
        return None  # no path at all: whoever asked the system for it later would be refused
    if not cwd.is_absolute() or str(cwd).startswith("//"):
        there = _of_windows(str(cwd))
        if there is None or folders.kind(there) != "folder":
            return Place(cwd) if there is not None or "\\" in str(cwd) else None  # written by a host on Windows
        cwd = there
    here = folders.real(Path(os.path.normpath(cwd)))
    barriers = _barriers(home, temporary, folders)
    if here in barriers:
        return None
    exists = folders.kind(here) == "folder"
    if not exists and here in known:
        return Place(known[here])
    above = [folder for folder in (here, *here.parents) if folder not in barriers]
    found = _repository(above, folders, barriers)
    split = next((folder for folder in above if Path(f"{SPLIT}{folder}") in known), None)
    if split is not None and (found is None or not found.root.is_relative_to(split) or found.root == split):
        return Place(known[Path(f"{SPLIT}{split}")])
    if found is not None:
        return found
    if not exists and (mounted := _mounted(here, folders, known)) is not None:
        return mounted
    if not exists:
        return Place(next((known[folder] for folder in above if folder in known), here))
    marked = (folder for folder in above if any(folders.kind(folder / marker) for marker in MARKERS))
    return Place(next(marked, here))


def _of_windows(path: str) -> Path | None:
    """Return where WSL has a path of Windows, drive or share; None for any other text."""
    if found := _DRIVE.fullmatch(path):
        return Path("/mnt", found[1].lower(), *_steps(found[2] or ""))
    if found := _SHARE.fullmatch(path):
        return Path("/", *_steps(found[1] or ""))
    return None


def _steps(path: str) -> list[str]:
    return [step for step in path.replace("\\", "/").split("/") if step not in ("", ".", "..")]


def _mounted(folder: Path, folders: Folders, known: Mapping[Path, Path]) -> Place | None:
    """Return the project that a development container has below `/workspaces`, by its folder's name.

    VS Code mounts a local folder there under its own name. Where several projects have it, nothing is guessed.
    """
    if folder.parts[1:2] != ("workspaces",) or len(folder.parts) < _MOUNTED_PARTS:
        return None
    inside = Path(*folder.parts[:_MOUNTED_PARTS])
    roots = {root for root in known.values() if root.name == inside.name and folders.kind(root) == "folder"}
    return Place(roots.pop(), (inside,)) if len(roots) == 1 else None


def _barriers(home: Path, temporary: frozenset[Path], folders: Folders) -> frozenset[Path]:
    homes = {home, folders.real(home)}
    above = {folder for base in homes for folder in base.parents}
    return frozenset({Path("/"), *homes, *above, *temporary, *map(folders.real, temporary)})


def _repository(above: list[Path], folders: Folders, barriers: frozenset[Path]) -> Place | None:
    for folder in above:
        found = _checkout(folder, folders) or _bare(folder, folders)
        if found is not None and found.root not in barriers:
            return found
    return None


def _checkout(folder: Path, folders: Folders) -> Place | None:
    """Return the project whose work tree has its top here (gitrepository-layout(5), gitfile)."""
    dot_git = folder / ".git"
    match folders.kind(dot_git):
        case "folder":
            return Place(folder, git=True) if folders.kind(dot_git / "HEAD") else None
        case "file":
            return _linked(folder, dot_git, folders)
        case None:
            return None


def _linked(folder: Path, dot_git: Path, folders: Folders) -> Place | None:
    """Return the project of a work tree whose `.git` is a file: a worktree's main checkout, else the tree itself."""
    label, _, target = (folders.text(dot_git) or "").partition(":")
    if label != "gitdir" or not target.strip() or "\0" in target:
        return None
    git_dir = Path(os.path.normpath(folder / target.strip()))
    common = folders.text(git_dir / "commondir")
    if common is not None and "\0" not in common:
        shared = folders.real(Path(os.path.normpath(git_dir / common)))
    elif git_dir.parent.name == "worktrees" and folders.kind(git_dir) is None:
        shared = git_dir.parent.parent  # the main checkout was moved or removed: its path is still its name
    else:
        return Place(folder, git=True)  # a submodule, or a repository kept apart with --separate-git-dir
    # `.git` and the like (`.bare`) lie in the folder they belong to; a bare `shop.git` is the project itself.
    root = shared.parent if shared.name.startswith(".") else shared
    return Place(root, (folder,) if folder != root else (), git=True)


def _bare(folder: Path, folders: Folders) -> Place | None:
    parts = {"HEAD": "file", "objects": "folder", "refs": "folder"}
    if any(folders.kind(folder / name) != kind for name, kind in parts.items()):
        return None
    root = folder.parent if folder.name.startswith(".") else folder  # inside `.git` itself
    return Place(root, git=True)


def is_unborn(root: Path, folders: Folders) -> bool:
    """Return whether a repository has no commit yet, as far as its files tell (gitrepository-layout(5), HEAD)."""
    label, _, branch = (folders.text(root / ".git" / "HEAD") or "").partition(":")
    branch = branch.strip()
    if label != "ref" or not branch or "\0" in branch or branch.endswith(".invalid"):  # a commit, or kept in a reftable
        return False
    places = (root / ".git" / branch, root / ".git" / "packed-refs")
    return not any(folders.kind(place) for place in places)


def history_identity(root: Path, env: Mapping[str, str], deadline_s: float = IDENTITY_DEADLINE_S) -> str | None:
    """Return the id of the oldest commit of a repository, which a moved folder keeps; None when it cannot be had.

    Runs git for at most `deadline_s`; blocks. A shallow clone has no oldest commit that stays the same.
    """
    if (root / ".git" / "shallow").exists():
        return None
    told = git.ask(root, ("rev-list", "--max-parents=0", "HEAD"), env, deadline_s)
    commits = list(_hashes((told or b"").decode("ascii", "replace")))
    return commits[-1] if commits else None


def _hashes(text: str) -> Iterator[str]:
    return (word for word in text.split() if len(word) in {40, 64} and all(c in "0123456789abcdef" for c in word))
