"""Which manager runs the daemon where, and how the environment is named."""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memd.paths import resolve
from memd_service.choose import choose, managers
from memd_service.environment import Environment, run_command
from memd_service.errors import UnsupportedPlatform
from memd_service.mcp_part import render_pump
from tests.unit.service.scripted_machine import ScriptedMachine


def test_systemd_is_chosen_where_it_answers(environment: Environment, machine: ScriptedMachine) -> None:
    machine.answer("systemctl", "--user", "show-environment", output=f"HOME={environment.home}\n")

    choice = choose(environment)

    assert choice.manager.name == "systemd"
    assert "at login" in choice.why


def test_launchd_is_chosen_on_a_mac(make_environment: Callable[..., Environment]) -> None:
    assert choose(make_environment(platform="darwin")).manager.name == "launchd"


@pytest.mark.parametrize("platform", ["linux", "darwin", "freebsd14"])
def test_a_plain_process_is_chosen_where_nobody_looks_after_the_user(
    platform: str, make_environment: Callable[..., Environment], machine: ScriptedMachine
) -> None:
    machine.answer("systemctl", status=127)
    machine.answer("launchctl", status=127)

    assert choose(make_environment(platform=platform)).manager.name == "plain"


def test_windows_is_refused_in_one_sentence(make_environment: Callable[..., Environment]) -> None:
    with pytest.raises(UnsupportedPlatform, match=r"^memd does not run on Windows itself; .* WSL\.$"):
        choose(make_environment(platform="win32"))


def test_all_managers_are_asked_when_memd_leaves(
    make_environment: Callable[..., Environment], machine: ScriptedMachine
) -> None:
    machine.answer("systemctl", status=1)

    assert [m.name for m in managers(make_environment())] == ["plain", "systemd"]
    assert [m.name for m in managers(make_environment(platform="darwin"))] == ["launchd", "plain"]


def test_only_what_moves_folders_is_handed_to_the_service(
    home: Path, make_environment: Callable[..., Environment]
) -> None:
    usual = make_environment({"XDG_DATA_HOME": str(home / "data"), "SOME_API_KEY": "k"})
    moved = make_environment({"MEMD_DATA_DIR": str(home / "moved")})

    assert usual.folder_variables == {"XDG_DATA_HOME": str(home / "data")}
    assert moved.folder_variables == {"MEMD_DATA_DIR": str(home / "moved")}


def test_a_moved_memd_has_a_name_of_its_own_however_it_was_moved(
    home: Path, make_environment: Callable[..., Environment]
) -> None:
    by_variable = make_environment({"MEMD_DATA_DIR": str(home / "moved")})
    by_option = make_environment(paths=resolve({}, home=home, platform="linux", data_dir=home / "moved"))

    assert make_environment().instance == "memd"
    assert by_variable.instance == by_option.instance != "memd"
    assert by_option.folder_variables == by_variable.folder_variables


def test_detect_looks_at_this_machine(home: Path) -> None:
    env = {"HOME": str(home)}
    here = Environment.detect(resolve(env), version="1.2.3", env=env)

    assert (here.home, here.uid, here.platform) == (home, os.getuid(), sys.platform)
    assert here.python == Path(sys.executable)


def test_commands_tell_how_they_ended() -> None:
    assert run_command(("sh", "-c", "echo out; echo err >&2; exit 3")).status == 3
    assert run_command(("sh", "-c", "echo out; echo err >&2")).output == "out\nerr\n"
    assert run_command(("memd-has-no-such-program",)).status == 127


@pytest.mark.parametrize("variables", [{}, {"XDG_RUNTIME_DIR": "/run/user/1000", "XDG_STATE_HOME": "/srv/state"}])
def test_a_daemon_that_the_pump_starts_listens_where_the_pump_looks(home: Path, variables: dict[str, str]) -> None:
    """Codex, for one, gives what it runs no XDG_RUNTIME_DIR."""
    env = {"HOME": str(home), **variables}
    here = Environment.detect(resolve(env), version="1.2.3", env=env)
    blanks = dict(re.findall(r"^(DAEMON_SOCKET|START_ENV) = (.*)$", render_pump(here).decode(), re.MULTILINE))
    given = {name.decode(): value.decode() for name, value in ast.literal_eval(blanks["START_ENV"]).items()}
    assert os.fsencode(resolve({"HOME": str(home), **given}).socket) == ast.literal_eval(blanks["DAEMON_SOCKET"])
