"""The plugin: static files that find the installed client, or say nothing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memd_hooks import claude_code
from memd_hooks.claude_code import EVENTS, TIMEOUT_S, plan_install
from memd_hooks.claude_code_plugin import write_plugin
from memd_hooks.claude_code_status import PLUGIN_NAME
from memd_hooks.shim import hook_command, render_client
from tests.contract.hooks.hook_run import CLEAN_ENV, event, silent
from tests.contract.hooks.stub_daemon import StubDaemon, answering

START = event("SessionStart", source="startup")


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    write_plugin(tmp_path / "market place")
    return tmp_path / "market place" / PLUGIN_NAME


def run(plugin: Path, home: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    command = json.loads((plugin / "hooks/hooks.json").read_bytes())["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    env = {**CLEAN_ENV, "HOME": str(home), "CLAUDE_PLUGIN_ROOT": str(plugin), **env}
    return subprocess.run(
        ["/bin/sh", "-c", command], input=START, capture_output=True, env=env, timeout=150, check=False
    )


def install(data: Path, room: Path) -> Path:
    shim = data / "bin" / "memd-hook"
    shim.parent.mkdir(parents=True)
    python = room / "a python"
    python.symlink_to(sys.executable)
    source = render_client(room / "s", room / "spool", python)
    shim.write_bytes(source.replace(b"DEADLINE_S = 0.22", b"DEADLINE_S = 20"))
    return shim


@pytest.mark.parametrize("place", [".local/share/memd", "Library/Application Support/memd"])
def test_the_plugin_runs_the_installed_client(plugin: Path, room: Path, place: str) -> None:
    install(room / place, room)
    with StubDaemon(room / "s", answering(b"{}\n")):
        result = run(plugin, room)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"{}\n", b"")


@pytest.mark.parametrize(("variable", "below"), [("MEMD_DATA_DIR", ""), ("XDG_DATA_HOME", "memd")])
def test_the_plugin_finds_a_moved_data_folder(plugin: Path, room: Path, variable: str, below: str) -> None:
    install(room / "my data" / below, room)
    with StubDaemon(room / "s", answering(b"{}\n")):
        assert run(plugin, room, **{variable: str(room / "my data")}).stdout == b"{}\n"


def test_without_memd_the_plugin_says_nothing(plugin: Path, room: Path) -> None:
    assert silent(run(plugin, room))


def test_a_broken_client_is_not_noticed(plugin: Path, room: Path) -> None:
    install(room / ".local/share/memd", room).write_bytes(b"#!/no/python\n")
    assert silent(run(plugin, room))


def test_the_plugin_stands_down_where_the_settings_have_the_hook(plugin: Path, room: Path) -> None:
    shim = install(room / ".local/share/memd", room)
    plan = plan_install(room / ".claude/settings.json", hook_command(Path(sys.executable), shim, "claude_code"))
    claude_code.apply(plan, room / "state")
    with StubDaemon(room / "s", answering(b"{}\n")) as daemon:
        assert silent(run(plugin, room))
    assert daemon.heard == []


def test_the_plugin_registers_the_same_events_as_the_settings(plugin: Path) -> None:
    hooks = json.loads((plugin / "hooks/hooks.json").read_bytes())["hooks"]
    assert set(hooks) == set(EVENTS) - {"PostCompact"}
    assert {group["hooks"][0]["timeout"] for groups in hooks.values() for group in groups} == {TIMEOUT_S}


def test_the_marketplace_names_the_plugin(plugin: Path) -> None:
    market = json.loads((plugin.parent / ".claude-plugin/marketplace.json").read_bytes())
    manifest = json.loads((plugin / ".claude-plugin/plugin.json").read_bytes())
    assert [(entry["name"], entry["source"]) for entry in market["plugins"]] == [(PLUGIN_NAME, "./memd")]
    assert manifest["name"] == PLUGIN_NAME


def test_writing_it_again_changes_nothing(tmp_path: Path) -> None:
    written = write_plugin(tmp_path)
    assert write_plugin(tmp_path) == written
    assert {path.relative_to(tmp_path).as_posix() for path in written} == {
        ".claude-plugin/marketplace.json",
        "memd/.claude-plugin/plugin.json",
        "memd/.mcp.json",
        "memd/hooks/hooks.json",
        "memd/hooks/run.sh",
        "memd/mcp/run.sh",
        "memd/skills/memd/SKILL.md",
    }


def serve(plugin: Path, home: Path, said: bytes) -> subprocess.CompletedProcess[bytes]:
    server = json.loads((plugin / ".mcp.json").read_bytes())["mcpServers"]["memd"]
    command = [server["command"], *(one.replace("${CLAUDE_PLUGIN_ROOT}", str(plugin)) for one in server["args"])]
    env = {**CLEAN_ENV, "HOME": str(home)}
    return subprocess.run(command, input=said, capture_output=True, env=env, timeout=150, check=False)


def test_the_plugin_runs_the_installed_mcp_server(plugin: Path, room: Path) -> None:
    shim = install(room / ".local/share/memd", room)
    shim.with_name("memd-mcp").write_text("import sys\nsys.stdout.write(sys.stdin.read().upper())\n")
    assert serve(plugin, room, b"ping\n").stdout == b"PING\n"


def test_the_plugins_server_stands_down_where_claude_code_has_it_already(plugin: Path, room: Path) -> None:
    shim = install(room / ".local/share/memd", room)
    pump = shim.with_name("memd-mcp")
    pump.write_text("import sys\nsys.stdout.write(sys.stdin.read().upper())\n")
    servers = {"memd": {"command": "python", "args": ["-I", "-S", str(pump)]}}
    (room / ".claude.json").write_text(json.dumps({"mcpServers": servers}))
    assert silent(serve(plugin, room, b"ping\n"))


def test_without_memd_the_plugins_server_says_what_to_do(plugin: Path, room: Path) -> None:
    result = serve(plugin, room, b"ping\n")
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"memd install" in result.stderr


def test_claude_code_itself_finds_no_fault(plugin: Path, tmp_path: Path) -> None:
    claude = shutil.which("claude")
    if claude is None:
        pytest.skip("Claude Code is not on this machine")
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    for folder in (plugin.parent, plugin):
        subprocess.run([claude, "plugin", "validate", folder], env=env, check=True, timeout=150, capture_output=True)
