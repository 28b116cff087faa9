"""Environment: what this machine and this user are like, looked at once and passed down."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from memd.paths import Paths, resolve
from memd_service.errors import UnsupportedPlatform

# The variables that decide where memd and the hosts keep their folders. A service does not inherit the
# shell's, so these go into its unit; nothing else does, since the rest may hold keys.
FOLDER_VARIABLES = (
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "MEMD_CONFIG_DIR",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "GEMINI_CLI_HOME",
    "QWEN_HOME",
    "CLINE_DIR",
    "CLINE_DATA_DIR",
    "CLINE_SESSION_DATA_DIR",
    "CONTINUE_GLOBAL_DIR",
    "OPENCODE_DB",
)
# The file by which an environment that service/bootstrap.py made is told from somebody else's.
MARKER = ".made-by-memd"
_COMMAND_TIMEOUT_S = 120.0


@dataclass(frozen=True, slots=True)
class Completed:
    """How a command ended; 127 when there is no such program, 124 when it ran out of time."""

    status: int
    output: str


Runner: TypeAlias = Callable[[tuple[str, ...]], Completed]


def run_command(argv: tuple[str, ...]) -> Completed:
    """Run a program of the operating system to its end and give back all it said."""
    try:
        done = subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
            timeout=_COMMAND_TIMEOUT_S,
        )
    except OSError as error:
        return Completed(127, str(error))
    except subprocess.TimeoutExpired:
        return Completed(124, f"no answer within {_COMMAND_TIMEOUT_S:.0f} s")
    return Completed(done.returncode, done.stdout)


@dataclass(frozen=True, slots=True)
class Environment:
    """Everything the service functions know about where they are.

    `home` is the home folder in force ($HOME), `account_home` the one of the account: where they differ,
    the service manager of the account must be left alone. `python` is the interpreter that memd runs in,
    unresolved, so that it stays inside its virtual environment.
    """

    platform: str
    home: Path
    account_home: Path
    uid: int
    python: Path
    version: str
    paths: Paths
    variables: Mapping[str, str]
    run: Runner = run_command
    to_be_made: bool = False
    """`python` is in the environment that `make install` is about to make."""

    @classmethod
    def detect(cls, paths: Paths, *, version: str, env: Mapping[str, str]) -> Environment:
        """Look at this machine; `paths` and `env` are what the caller resolved its folders from.

        Raises UnsupportedPlatform on Windows.
        """
        if sys.platform == "win32":
            raise UnsupportedPlatform("Windows")
        import pwd  # not there on Windows

        account_home = Path(pwd.getpwuid(os.getuid()).pw_dir)
        return cls(
            platform=sys.platform,
            home=Path(env.get("HOME") or account_home),
            account_home=account_home,
            uid=os.getuid(),
            python=Path(sys.executable),
            version=version,
            paths=paths,
            variables=MappingProxyType(dict(env)),
        )

    @property
    def folder_variables(self) -> dict[str, str]:
        """The variables with which a daemon started from nothing finds the same folders."""
        chosen = {name: self.variables[name] for name in FOLDER_VARIABLES if self.variables.get(name)}
        if self.is_moved:
            chosen["MEMD_DATA_DIR"] = str(self.paths.data_dir)
        return chosen

    @property
    def instance(self) -> str:
        """The name of the service: "memd", or one of its own for a memd with a moved data folder."""
        if not self.is_moved:
            return "memd"
        digest = hashlib.blake2b(os.fsencode(self.paths.data_dir), digest_size=4).hexdigest()
        return f"memd-{digest}"

    @property
    def own_folder(self) -> Path | None:
        """The virtual environment that memd runs in, if `make install` made it for memd alone."""
        prefix = self.python.parent.parent
        ours = prefix == self.paths.data_dir / "venv" and (self.to_be_made or (prefix / MARKER).is_file())
        return prefix if ours else None

    @property
    def is_moved(self) -> bool:
        """Whether somebody has chosen the data folder, so that other things may be in it too."""
        unmoved = {name: value for name, value in self.variables.items() if name != "MEMD_DATA_DIR"}
        usual = resolve(unmoved, home=self.home, platform=self.platform)
        return usual.data_dir != self.paths.data_dir
