"""The shim: the hook client as it is installed, and the shell command by which hosts run it.

The command ends in `|| true` for a reason. A session that is already running keeps the command it has read; when memd
is uninstalled meanwhile, Python ends with status 2 because the script is gone, and 2 means "block" to Claude Code: the
person's prompt would be erased. So whatever fails (no shim, no interpreter, an interpreter that an upgrade broke), the
shell says nothing and ends with 0, and uninstall can remove the shim at once. The price is one fork of the shell.
"""

from __future__ import annotations

import os
import shlex
import sys
from importlib import resources
from pathlib import Path

from memd.errors import PathError

HOOK_NAME = "memd-hook"
"""The file name of the installed client; registrations are recognised by it."""

MCP_NAME = "memd-mcp"
"""The file name of the installed MCP pump; it lies beside the client, and registrations are recognised by it."""


def render_client(socket_path: Path, spool_dir: Path, interpreter: Path | None = None) -> bytes:
    """The text of the hook client for one installation: to be written to `<data>/bin/memd-hook` with mode 0700.

    The first line names the interpreter (this one, unless another is given), for the plugin, which is the same file
    for everybody. Raises PathError for a path that is not absolute: the hook is run from the folders people work in.
    """
    python = interpreter or Path(sys.executable)
    if not python.is_absolute():
        raise PathError(f"The hook needs absolute paths, but {python} is relative.")
    source = b"#!%b\n" % os.fsencode(python) + resources.files("memd_hooks").joinpath("client.py").read_bytes()
    for name, path in ((b"SOCKET_PATH", socket_path), (b"SPOOL_FOLDER", spool_dir)):
        if not path.is_absolute():
            raise PathError(f"The hook needs absolute paths, but {path} is relative.")
        blank = name + b' = b""\n'
        if source.count(blank) != 1:
            raise AssertionError(f"client.py has no single blank for {name.decode()}")
        # The repr of bytes is ASCII and valid Python for every file name there can be.
        source = source.replace(blank, b"%b = %b\n" % (name, repr(os.fsencode(path)).encode()))
    return source


def hook_command(interpreter: Path, shim: Path, host: str, event: str = "") -> str:
    """The command, for a POSIX shell, that runs the shim for `host` and ends with status 0 whatever happens.

    `event` is for hosts that do not tell a hook what has happened.
    Raises PathError for a path that is not absolute or cannot be written in a JSON file.
    """
    for path in (interpreter, shim):
        if not path.is_absolute():
            raise PathError(f"The hook needs absolute paths, but {path} is relative.")
        try:
            os.fspath(path).encode()
        except UnicodeEncodeError as error:
            raise PathError(f"{path!r} is not valid UTF-8, so no settings file can name it.") from error
    # -I: nothing of the environment or the working folder is imported. -S: no site packages are searched for.
    program = f"{shlex.quote(os.fspath(interpreter))} -I -S {shlex.quote(os.fspath(shim))}"
    named = f" {event}" if event else ""
    return f"{program} {host}{named} 2>/dev/null || true"
