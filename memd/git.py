"""Git: the one way in which memd asks git anything. What a repository says is never run, and nothing in it is written.

A repository's configuration and index may be anybody's, an archive's that was unpacked. Turned off are the file system
monitor and hooks, which are programs; fetching of missing objects, which runs whatever the configuration names as ssh
or as transport (an index alone can ask for an object that is missing); and every transport, for git before 2.39.4,
which does not know the former.
"""

from __future__ import annotations

import os
import selectors
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
    try:
        done = subprocess.run(
            [*_GIT, "-C", str(root), *question],
            input=given,
            env=_quiet(env),
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
    try:
        process = subprocess.Popen(
            [*_GIT, "-C", str(root), *question],
            env=_quiet(env),
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


def _quiet(env: Mapping[str, str]) -> dict[str, str]:
    # A daemon started from a hook of git would look into that repository otherwise.
    return {**{name: value for name, value in env.items() if not name.startswith("GIT_")}, **_QUIET}
