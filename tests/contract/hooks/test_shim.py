"""The installed client and its command: any path works, and nothing that fails is ever noticed by the host."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memd.errors import PathError
from memd_hooks.shim import hook_command, render_client
from tests.contract.hooks.hook_run import CLEAN_ENV, event, silent
from tests.contract.hooks.stub_daemon import StubDaemon, answering

START = event("SessionStart", source="startup")
PYTHON = Path(sys.executable)


def run_in_shell(command: str, shell: str = "/bin/sh") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [shell, "-c", command], input=START, capture_output=True, env=CLEAN_ENV, timeout=150, check=False
    )


@pytest.mark.parametrize("name", ["plain", "two words", "it's", 'a"b', "$HOME;`id`", "café", "back\\slash", "-I"])
@pytest.mark.parametrize("shell", ["/bin/sh", "bash", "zsh"])
def test_the_command_works_with_any_path(room: Path, name: str, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not on this machine")
    folder = room / name
    folder.mkdir()
    shim = folder / "memd-hook"
    shim.write_bytes(render_client(folder / "s", folder / "spool").replace(b"DEADLINE_S = 0.22", b"DEADLINE_S = 20"))
    with StubDaemon(folder / "s", answering(b"{}\n")):
        result = run_in_shell(hook_command(PYTHON, shim, "claude_code"), shell)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"{}\n", b"")


def test_a_removed_shim_is_not_noticed(room: Path) -> None:
    """Python alone would end with status 2 here, which erases the prompt in Claude Code."""
    assert subprocess.run([PYTHON, room / "memd-hook"], capture_output=True, check=False).returncode == 2
    assert silent(run_in_shell(hook_command(PYTHON, room / "memd-hook", "claude_code")))


def test_a_removed_interpreter_is_not_noticed(room: Path) -> None:
    (room / "memd-hook").write_bytes(render_client(room / "s", room / "spool"))
    assert silent(run_in_shell(hook_command(room / "python3", room / "memd-hook", "claude_code")))


def test_a_shim_that_another_python_cannot_read_is_not_noticed(room: Path) -> None:
    (room / "memd-hook").write_text("this is not Python\n")
    assert silent(run_in_shell(hook_command(PYTHON, room / "memd-hook", "claude_code")))


def test_paths_that_are_not_utf8_are_filled_in() -> None:
    source = render_client(Path(os.fsdecode(b"/run/\xff'\n/s")), Path("/x"), Path("/usr/bin/python3"))
    assert source.startswith(b"#!/usr/bin/python3\n")
    assigned = {
        node.targets[0].id: node.value.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert assigned["SOCKET_PATH"] == b"/run/\xff'\n/s"
    assert assigned["SPOOL_FOLDER"] == b"/x"


def test_relative_paths_are_refused() -> None:
    with pytest.raises(PathError, match="run/s is relative"):
        render_client(Path("run/s"), Path("/x"))
    with pytest.raises(PathError, match="python3 is relative"):
        render_client(Path("/s"), Path("/x"), Path("python3"))
    with pytest.raises(PathError, match="python3 is relative"):
        hook_command(Path("python3"), Path("/x/memd-hook"), "claude_code")


def test_a_path_that_no_json_file_can_hold_is_refused() -> None:
    with pytest.raises(PathError, match="not valid UTF-8"):
        hook_command(PYTHON, Path(os.fsdecode(b"/\xff/memd-hook")), "claude_code")
