"""Commits: which commit gave files the content that they have, as git's own log of a work tree tells. Runs in a worker.

Git is asked what `HEAD` holds and for its log, nothing about the files themselves: to compare those it would run the
programs that a repository's configuration names for them. So their content is named here as git names it. The log is
read from the newest commit on until all is found, or for so long; a history longer than that leaves what is older open.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from memd import git
from memd.codegraph.regular import regular_file
from memd.codegraph.tasks import Committed
from memd.codegraph.walk import LARGEST_BYTES
from memd.store import code_files
from memd.store.code_files import UNCOMMITTED
from memd.store.connection import connect_reader

_GIT_S: Final = 20.0
_LOG_S: Final = 20.0
_LOG_BYTES: Final = 256 << 20
_NAMED: Final = 200
"""So many paths are asked for by name; of more, everything is told."""
_MARK: Final = b"\1"
_LOG: Final = (
    "-c", "log.showRoot=true", "log", "--raw", "-z", "-c", "--no-abbrev", "--no-renames", "--no-show-signature",
    "--no-notes", "--no-mailmap", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all",
    "--format=%x01%H%x01%P", "HEAD",
)  # fmt: skip


def commits_of(asked: Committed) -> dict[str, str]:
    """Return the commit of each file of a project that needs one, or that it is in none; what is not known is left out.

    These are the files that no session changed, as they are kept, and those that are gone.
    """
    with closing(connect_reader(asked.database)) as conn:
        digests = code_files.uncredited(conn, asked.project)
    return find(asked.root, digests, asked.gone)


def find(root: Path, digests: dict[str, bytes], gone: Sequence[str]) -> dict[str, str]:
    """Return the commits of files by their paths below a root; `digests` are the SHA-256 of the content they have.

    A file that has another content by now is left out.
    """
    state = _state(root) if (digests or gone) and (root / ".git").exists() else None
    if state is None:
        return {}
    there = _in_head(root, [*digests, *gone]) if state.head else {}
    if there is None:
        return {}
    found: dict[str, str] = {}
    # What is looked for in the log: of a file its content, of one that is gone that it went.
    wanted: dict[bytes, bytes] = {}
    for path in gone:
        if os.fsencode(path) in there:
            found[path] = UNCOMMITTED
        else:
            wanted[os.fsencode(path)] = b""
    for path, digest in digests.items():
        names = _names(root / path, digest, len(state.head) or 40)
        kept = there.get(os.fsencode(path))
        if kept is not None and kept in names:
            wanted[os.fsencode(path)] = kept
        elif names:
            found[path] = UNCOMMITTED
    if state.head and wanted:
        found.update(_in_log(root, wanted, shallow=state.shallow))
    return found


class _State(NamedTuple):
    head: str
    """The commit that the tree is at, empty before the first one."""
    shallow: bool
    """Whether history ends before it began: commits without a parent hold what others did."""


def _state(root: Path) -> _State | None:
    shallow = git.ask(root, ("rev-parse", "--is-shallow-repository"), os.environ, _GIT_S)
    if shallow is None:
        return None
    head = git.ask(root, ("rev-parse", "--verify", "-q", "HEAD"), os.environ, _GIT_S, statuses=frozenset({0, 1}))
    return None if head is None else _State(head.decode("ascii", "replace").strip(), shallow.strip() == b"true")


def _in_head(root: Path, paths: list[str]) -> dict[bytes, bytes] | None:
    """Return git's name of the content of files in the commit that a tree is at, by path; None where it cannot tell."""
    named = [path for path in paths if path] if len(paths) <= _NAMED else []
    question = ("--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", *named)
    listed = git.ask(root, question, os.environ, _GIT_S)
    if listed is None:
        return None  # in parts it would say that what it did not come to is in no commit
    return {
        path: words.split(b" ")[2] for words, _, path in (one.partition(b"\t") for one in listed.split(b"\0")) if path
    }


def _names(path: Path, digest: bytes, length: int) -> frozenset[bytes]:
    """Return what git may call the content of a file: as it is, or with the line ends that it is kept with."""
    try:
        content = regular_file(path, LARGEST_BYTES)
    except OSError:
        return frozenset()
    if hashlib.sha256(content).digest() != digest:
        return frozenset()
    kept = {content, content.replace(b"\r\n", b"\n")}
    made = hashlib.sha1 if length == 40 else hashlib.sha256
    return frozenset(made(b"blob %d\0" % len(one) + one).hexdigest().encode() for one in kept)


def _in_log(root: Path, wanted: dict[bytes, bytes], *, shallow: bool) -> Iterator[tuple[str, str]]:
    """Yield paths and the newest commit that gave a file its content, or in which it went."""
    commit, counts, meta = "", False, b""
    for piece in git.pieces(root, _LOG, os.environ, _LOG_S, most_bytes=_LOG_BYTES):
        words = piece.lstrip(b"\n")
        if meta:
            new, status = meta.split(b" ")[-2:]
            given = wanted.get(piece)
            if counts and given is not None and (given == new or (not given and set(status) == {ord("D")})):
                del wanted[piece]
                yield os.fsdecode(piece), commit
                if not wanted:
                    return
            meta = b""
        elif words.startswith(_MARK):
            name, _, parents = words[1:].partition(_MARK)
            commit, counts = name.decode("ascii", "replace"), bool(parents.strip()) or not shallow
        elif words.startswith(b":"):
            meta = words
