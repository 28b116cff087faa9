"""What a doctor is told of the hook in Claude Code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memd_hooks import claude_code
from memd_hooks.claude_code import EVENTS, Version, plan_install
from memd_hooks.claude_code_status import installed_version, managed_settings, status

NEWEST: Version = (2, 1, 332)
COMMAND = "/usr/bin/python3 -I -S /home/ada/.local/share/memd/bin/memd-hook claude_code 2>/dev/null || true"


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    path = tmp_path / "home" / "settings.json"
    claude_code.apply(plan_install(path, COMMAND, version=NEWEST), tmp_path / "state")
    return path


def add(settings: Path, **members: object) -> None:
    settings.write_text(json.dumps(json.loads(settings.read_bytes()) | members))


def test_a_registered_hook_works(settings: Path) -> None:
    found = status(settings, COMMAND, version=NEWEST)
    assert found.works
    assert found.registered == tuple(EVENTS)


def test_an_absent_file_has_nothing_registered(tmp_path: Path) -> None:
    found = status(tmp_path / "settings.json", COMMAND, version=NEWEST)
    assert (found.works, found.registered, found.missing) == (False, (), tuple(EVENTS))


def test_another_command_is_stale(settings: Path) -> None:
    found = status(settings, COMMAND.replace("/usr", "/opt"), version=NEWEST)
    assert (found.works, found.stale) == (False, tuple(EVENTS))


def test_an_entry_in_a_second_file_is_a_double(settings: Path, tmp_path: Path) -> None:
    other = tmp_path / "project.json"
    ours = json.loads(settings.read_bytes())["hooks"]["Stop"]
    other.write_text(json.dumps({"hooks": {"Stop": ours}}))
    found = status(settings, COMMAND, version=NEWEST, others=(other, tmp_path / "absent.json"))
    assert (found.works, found.doubles) == (False, ("Stop",))


def test_the_switch_that_disables_all_hooks_is_named(settings: Path) -> None:
    add(settings, disableAllHooks=True)
    found = status(settings, COMMAND, version=NEWEST)
    assert (found.works, found.disabled_by) == (False, settings)


def test_the_organisations_switch_is_named(settings: Path, tmp_path: Path) -> None:
    managed = tmp_path / "managed-settings.json"
    managed.write_text('{"allowManagedHooksOnly": true}')
    found = status(settings, COMMAND, version=NEWEST, others=(managed,))
    assert (found.works, found.managed_only_by) == (False, managed)
    assert all(path.is_absolute() for platform in ("linux", "darwin") for path in managed_settings(platform))


def test_the_plugin_is_enough(settings: Path) -> None:
    add(settings, enabledPlugins={"memd@memd": True, "other@x": True})
    assert status(settings, COMMAND, version=NEWEST).plugin
    settings.write_text('{"enabledPlugins": {"memd@memd": true}}')
    assert status(settings, COMMAND, version=NEWEST).works
    settings.write_text('{"enabledPlugins": {"memd@memd": false}}')
    assert not status(settings, COMMAND, version=NEWEST).works


def test_an_unreadable_file_says_why(settings: Path) -> None:
    settings.write_bytes(b"{")
    found = status(settings, COMMAND)
    assert not found.works
    assert found.unreadable is not None
    assert "line 1" in found.unreadable


def test_a_version_is_read_from_the_native_installers_folder(tmp_path: Path) -> None:
    version = tmp_path / "share/claude/versions/2.1.197"
    version.parent.mkdir(parents=True)
    version.write_bytes(b"")
    (tmp_path / "claude").symlink_to(version)
    assert installed_version(tmp_path / "claude") == (2, 1, 197)


def test_a_version_is_read_from_npms_folder(tmp_path: Path) -> None:
    package = tmp_path / "node_modules/@anthropic-ai/claude-code"
    (package / "bin").mkdir(parents=True)
    (package / "bin" / "claude.exe").write_bytes(b"")
    (package / "package.json").write_text('{"name": "@anthropic-ai/claude-code", "version": "2.0.76"}')
    (tmp_path / "claude").symlink_to(package / "bin" / "claude.exe")
    assert installed_version(tmp_path / "claude") == (2, 0, 76)


@pytest.mark.parametrize("package", ['{"name": "claude", "version": "9.9.9"}', "{", "[]", None])
def test_an_unknown_program_has_no_version(tmp_path: Path, package: str | None) -> None:
    (tmp_path / "claude").write_bytes(b"")
    if package is not None:
        (tmp_path / "package.json").write_text(package)
    assert installed_version(tmp_path / "claude") is None
    assert installed_version(tmp_path / "absent") is None
    assert installed_version(None) is None
