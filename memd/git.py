"""Git: the one way in which memd asks git anything. What a repository says is never run, and nothing in it is written.

A repository's configuration and index may be anybody's, an archive's that was unpacked. Turned off are the file system
monitor and hooks, which are programs; fetching of missing objects, which runs whatever the configuration names as ssh
or as transport (an index alone can ask for an object that is missing); and every transport, for git before 2.39.4,
which does not know the former.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

_GIT: Final = ("git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_QUIET: Final = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",  # git would refresh the index
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}


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
    # A daemon started from a hook of git would look into that repository otherwise.
    inherited = {name: value for name, value in env.items() if not name.startswith("GIT_")}
    try:
        done = subprocess.run(
            [*_GIT, "-C", str(root), *question],
            input=given,
            env={**inherited, **_QUIET},
            capture_output=True,
            timeout=deadline_s,
            check=False,
            cwd="/",
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode in statuses else None
