"""Codex runs a hook only once it is trusted; the doctor reads what Codex remembers of that."""

from __future__ import annotations

from pathlib import Path

import pytest

from memd.errors import SettingsError
from memd_hooks import codex
from memd_hooks.codex import EVENTS, untrusted
from tests.contract.hooks.place import Machine

SNAKE = ("session_start", "user_prompt_submit", "pre_compact", "post_compact", "stop", "subagent_stop", "session_end")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine.at(tmp_path)
    hooks = tmp_path / ".codex" / "hooks.json"
    hooks.parent.mkdir()
    hooks.write_text('{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}}')
    machine.install(codex.HOST)
    return machine


def remember(machine: Machine, *keys: str, more: str = "") -> None:
    """Write what Codex writes once the person has said yes."""
    hooks = codex.hooks_file(machine.place)
    tables = [f'[hooks.state."{hooks}:{key}"]\ntrusted_hash = "sha256:00"\n{more}' for key in keys]
    hooks.with_name("config.toml").write_text('model = "x"\n' + "\n".join(tables))


def test_nothing_is_trusted_at_first(machine: Machine) -> None:
    assert sorted(untrusted(machine.place)) == sorted(EVENTS)
    (obstacle,) = codex.HOST.obstacles(machine.place)
    assert "/hooks" in obstacle.fix


def test_what_is_trusted_is_told_by_file_event_and_place(machine: Machine) -> None:
    remember(machine, *(f"{event}:{1 if event == 'stop' else 0}:0" for event in SNAKE))
    assert untrusted(machine.place) == ()
    assert codex.HOST.obstacles(machine.place) == ()


def test_the_trust_in_somebody_elses_hook_is_not_ours(machine: Machine) -> None:
    remember(machine, *(f"{event}:0:0" for event in SNAKE))
    assert untrusted(machine.place) == ("Stop",)


def test_a_hook_that_was_switched_off_does_not_run(machine: Machine) -> None:
    remember(machine, *(f"{event}:1:0" for event in SNAKE), "session_start:0:0", more="enabled = false\n")
    assert "SessionStart" in untrusted(machine.place)


@pytest.mark.parametrize("switch", ["hooks", "codex_hooks"])
def test_hooks_that_are_switched_off_altogether_are_an_obstacle(machine: Machine, switch: str) -> None:
    codex.hooks_file(machine.place).with_name("config.toml").write_text(f"[features]\n{switch} = false\n")
    (obstacle,) = codex.HOST.obstacles(machine.place)
    assert "features" in obstacle.detail


def test_a_configuration_that_cannot_be_read_is_said_so(machine: Machine) -> None:
    codex.hooks_file(machine.place).with_name("config.toml").write_text("[features\n")
    with pytest.raises(SettingsError, match="TOML"):
        untrusted(machine.place)
    (obstacle,) = codex.HOST.obstacles(machine.place)
    assert "config.toml" in obstacle.detail


def test_without_a_registration_nothing_waits_for_trust(tmp_path: Path) -> None:
    assert untrusted(Machine.at(tmp_path).place) == ()
