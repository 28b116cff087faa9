"""Git: the one way in which memd asks git anything. What a repository says is never run, and nothing in it is written.

A repository's configuration and index may be anybody's, an archive's that was unpacked. Turned off are the file system
monitor and hooks, which are programs; fetching of missing objects, which runs whatever the configuration names as ssh
or as transport (an index alone can ask for an object that is missing); and every transport, for git before 2.39.4,
which does not know the former. Nothing is asked where a pipe or device lies in the place of a file that git would wait
for, and git does not look above the folder it is asked about: an empty `.git` is not that of the repository around it.
"""

from __future__ import annotations

import os
import selectors
import stat
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

_GIT: Final = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_QUIET: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",  # git would refresh the index
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
_AT_ONCE: Final = 1 << 16
# What git reads whatever it is asked (gitrepository-layout(5)); one look at each costs nothing beside starting git.
_READ_FIRST: Final = (
    *("HEAD", "config", "config.worktree", "index", "packed-refs", "shallow", "commondir", "gitdir", "refs", "objects"),
    *("info/exclude", "info/attributes", "info/grafts", "objects/info/alternates", "refs/heads", "refs/heads/main"),
    *("refs/heads/master", "../.gitignore", "../.gitattributes"),
)
_ORDINARY: Final = (stat.S_IFREG, stat.S_IFDIR)


def ask(
    root: Path,
    question: Sequence[str],
    env: Mapping[str, str],
    deadline_s: float,
    *,
    given: bytes = b"",
    statuses: frozenset[int] = frozenset({0}),
) -> bytes | None:
    """Return what git prints about the repository at a folder; None when it cannot tell.

    `question` are git's words, `given` its standard input, `statuses` those that are an answer. Blocks for at most
    `deadline_s`.
    """
    if not _may_be_asked(root):
        return None
    try:
        done = subprocess.run(
            [*_GIT, "-C", str(root), *question],
            input=given,
            env=_quiet(env, root),
            capture_output=True,
            timeout=deadline_s,
            check=False,
            cwd="/",
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode in statuses else None


def pieces(
    root: Path, question: Sequence[str], env: Mapping[str, str], deadline_s: float, *, most_bytes: int
) -> Iterator[bytes]:
    """Yield what git prints about the repository at a folder between NULs, as it comes; less where it takes too long.

    Git is ended when nobody asks for more, after `deadline_s`, and after `most_bytes`; what it was at then is left out.
    Nothing is yielded where it cannot tell.
    """
    if not _may_be_asked(root):
        return
    try:
        process = subprocess.Popen(
            [*_GIT, "-C", str(root), *question],
            env=_quiet(env, root),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
        )
    except (OSError, ValueError):
        return
    with process, selectors.DefaultSelector() as waiting:
        assert process.stdout is not None
        output = process.stdout.fileno()
        waiting.register(output, selectors.EVENT_READ)
        until, taken, rest = time.monotonic() + deadline_s, 0, b""
        try:
            while taken < most_bytes and (left := until - time.monotonic()) > 0 and waiting.select(left):
                got = os.read(output, _AT_ONCE)
                if not got:
                    break
                taken += len(got)
                *whole, rest = (rest + got).split(b"\0")
                yield from whole
        finally:
            process.kill()


def _may_be_asked(root: Path) -> bool:
    """Return whether nothing that git reads first is a pipe or device, which it would wait for until its deadline."""
    top = root / ".git"
    return all(_is_ordinary(top / name) for name in _READ_FIRST) and _is_ordinary(top)


def _is_ordinary(path: Path) -> bool:
    try:
        return stat.S_IFMT(path.stat().st_mode) in _ORDINARY
    except (OSError, ValueError):
        return True  # nothing lies there


def _quiet(env: Mapping[str, str], root: Path) -> dict[str, str]:
    # A daemon started from a hook of git would look into that repository otherwise.
    kept = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    return {**kept, **_QUIET, "GIT_CEILING_DIRECTORIES": str(root.resolve().parent)}
