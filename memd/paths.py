"""Paths: where memd keeps what is its own.

XDG folders on Linux, `~/Library` on macOS. `MEMD_DATA_DIR` (or `--data-dir`) moves everything but the configuration
below one folder, so that a second, fully separate memd can run beside the first.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from memd.errors import PathError

_SUN_PATH = {"linux": 108}
"""Bytes of a socket's path with its closing NUL, where it is not the 104 of macOS and the BSDs (sys/un.h)."""


@dataclass(frozen=True, slots=True)
class Paths:
    """Every place memd reads its own files from and writes them to."""

    data_dir: Path
    state_dir: Path
    cache_dir: Path
    config_dir: Path
    runtime_dir: Path

    @property
    def database(self) -> Path:
        """The one SQLite file."""
        return self.data_dir / "memd.db"

    @property
    def backups_dir(self) -> Path:
        """Rotating copies of the database."""
        return self.data_dir / "backups"

    @property
    def notes_dir(self) -> Path:
        """Notes as Markdown files, which their owner may edit."""
        return self.data_dir / "notes"

    @property
    def hook_shim(self) -> Path:
        """The hook client that hosts run; its path never changes with a version."""
        return self.data_dir / "bin" / "memd-hook"

    @property
    def mcp_shim(self) -> Path:
        """The pump that hosts run to speak MCP; its path never changes with a version."""
        return self.data_dir / "bin" / "memd-mcp"

    @property
    def greetings_dir(self) -> Path:
        """What every client of MCP is told as it comes, as another one was told it."""
        return self.cache_dir / "mcp"

    @property
    def config_file(self) -> Path:
        """The user's configuration."""
        return self.config_dir / "config.toml"

    @property
    def spool_dir(self) -> Path:
        """What hooks leave while the daemon is down."""
        return self.state_dir / "spool"

    @property
    def log_file(self) -> Path:
        """The daemon's rotating log."""
        return self.state_dir / "memd.log"

    @property
    def clean_shutdown_file(self) -> Path:
        """How the database was when the daemon last let go of it."""
        return self.state_dir / "clean_shutdown.json"

    @property
    def lock_file(self) -> Path:
        """Held by flock for as long as a daemon lives; contains its pid, start time and version."""
        return self.state_dir / "daemon.lock"

    @property
    def manifest_file(self) -> Path:
        """What install wrote outside these folders, so that uninstall can take it back."""
        return self.state_dir / "installed.json"

    @property
    def socket(self) -> Path:
        """The daemon's unix socket."""
        return self.runtime_dir / "memd.sock"

    @property
    def mcp_socket(self) -> Path:
        """The unix socket at which MCP is spoken, as long as somebody does."""
        return self.runtime_dir / "mcp.sock"


def resolve(
    env: Mapping[str, str],
    *,
    home: Path | None = None,
    platform: str = sys.platform,
    data_dir: Path | None = None,
) -> Paths:
    """Return the folders for this user and environment; nothing is created.

    `data_dir` (from `--data-dir`) wins over `MEMD_DATA_DIR`, which wins over the platform's own place.
    Raises PathError when there is no home folder or a given folder is not absolute.
    """
    base = home or home_of(env)
    config_dir = _absolute(env.get("MEMD_CONFIG_DIR"), "MEMD_CONFIG_DIR")
    chosen = data_dir or _absolute(env.get("MEMD_DATA_DIR"), "MEMD_DATA_DIR")
    if chosen is not None:
        if not chosen.is_absolute():
            chosen = Path.cwd() / chosen
        return Paths(
            data_dir=chosen,
            state_dir=chosen / "state",
            cache_dir=chosen / "cache",
            config_dir=config_dir or chosen / "config",
            runtime_dir=_short(chosen / "run", platform),
        )
    if platform == "darwin":
        library = base / "Library"
        support = library / "Application Support" / "memd"
        return Paths(
            data_dir=support,
            state_dir=support / "state",
            cache_dir=library / "Caches" / "memd",
            config_dir=config_dir or support / "config",
            runtime_dir=_short(support / "run", platform),
        )
    runtime = _xdg(env, "XDG_RUNTIME_DIR")
    state = _xdg(env, "XDG_STATE_HOME") or base / ".local" / "state"
    return Paths(
        data_dir=(_xdg(env, "XDG_DATA_HOME") or base / ".local" / "share") / "memd",
        state_dir=state / "memd",
        cache_dir=(_xdg(env, "XDG_CACHE_HOME") or base / ".cache") / "memd",
        config_dir=config_dir or (_xdg(env, "XDG_CONFIG_HOME") or base / ".config") / "memd",
        runtime_dir=_short(runtime / "memd" if runtime else state / "memd" / "run", platform),
    )


def socket_path_limit(platform: str = sys.platform) -> int:
    """Return how many bytes the path of a socket may have."""
    return _SUN_PATH.get(platform, 104) - 1


def check_socket_path(socket: Path, platform: str = sys.platform) -> None:
    """Raise PathError when the operating system cannot bind a socket at this path."""
    size, limit = len(os.fsencode(socket)), socket_path_limit(platform)
    if size > limit:
        raise PathError(
            f"The socket path {socket} has {size} bytes, but the system allows {limit}; choose a shorter data folder."
        )


def make_private(folder: Path) -> None:
    """Create a folder, parents included, that only its owner may enter (mode 0700)."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def _short(runtime_dir: Path, platform: str) -> Path:
    """Return the folder, or a short one derived from it where a socket in it could not be bound."""
    if len(os.fsencode(runtime_dir / "memd.sock")) <= socket_path_limit(platform):
        return runtime_dir
    digest = hashlib.blake2b(os.fsencode(runtime_dir), digest_size=6).hexdigest()
    return Path("/tmp") / f"memd-{os.getuid()}-{digest}"  # 0700, owner checked at bind


def home_of(env: Mapping[str, str]) -> Path:
    """Return the user's home folder; raises PathError when there is none."""
    given = env.get("HOME")
    if given and Path(given).is_absolute():
        return Path(given)
    try:
        return Path.home()  # noqa: TID251 - the one look-up
    except RuntimeError as error:
        raise PathError("There is no home folder; set HOME or MEMD_DATA_DIR.") from error


def _xdg(env: Mapping[str, str], name: str) -> Path | None:
    # The XDG base directory specification: a relative value is to be ignored.
    value = env.get(name)
    return Path(value) if value and Path(value).is_absolute() else None


def _absolute(value: str | None, name: str) -> Path | None:
    if not value:
        return None
    path = Path(value)
    if not path.is_absolute():
        raise PathError(f"{name} must be an absolute path, not {value!r}.")
    return path
