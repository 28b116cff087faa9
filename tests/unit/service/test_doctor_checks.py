"""What the doctor says of a machine where systemd runs the daemon, and of one where nothing works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memd_service import lockfile
from memd_service.check import Check
from memd_service.doctor import service_checks
from memd_service.environment import Environment
from memd_service.manager import UnitFile
from memd_service.mcp_part import McpPart
from memd_service.systemd import Systemd
from tests.unit.service.scripted_machine import ScriptedMachine


@pytest.fixture
def with_systemd(environment: Environment, machine: ScriptedMachine) -> Environment:
    machine.answer("systemctl", "--user", "show-environment", output=f"HOME={environment.home}\n")
    return environment


def written(unit: UnitFile) -> None:
    unit.path.parent.mkdir(parents=True, exist_ok=True)
    unit.path.write_bytes(unit.content)


def found(environment: Environment) -> dict[str, Check]:
    return {check.name: check for check in service_checks(environment)}


def test_units_that_are_missing_or_old_are_named(with_systemd: Environment) -> None:
    socket, service = Systemd(with_systemd).unit_files()
    written(socket)
    written(replace(service, content=b"[Service]\n"))

    check = found(with_systemd)["service"]

    assert not check.ok
    assert str(service.path) in check.detail
    assert str(socket.path) not in check.detail


def test_units_that_nobody_has_enabled_are_told(with_systemd: Environment, machine: ScriptedMachine) -> None:
    for unit in Systemd(with_systemd).unit_files():
        written(unit)
    machine.answer("systemctl", "--user", "is-enabled", status=1, output="disabled\n")
    assert "at login" in found(with_systemd)["service"].detail

    machine.answer("systemctl", "--user", "is-enabled", output="enabled\n")
    assert found(with_systemd)["service"].ok


@pytest.mark.parametrize(("answer", "hint"), [("no\n", True), ("yes\n", False)], ids=["off", "on"])
def test_not_lingering_is_a_hint_and_no_fault(
    answer: str, hint: bool, with_systemd: Environment, machine: ScriptedMachine
) -> None:
    machine.answer("loginctl", output=answer)

    check = found(with_systemd)["linger"]

    assert check.ok
    assert ("enable-linger" in check.detail) is hint


def test_a_daemon_that_runs_but_does_not_answer_is_a_fault(with_systemd: Environment) -> None:
    with_systemd.paths.state_dir.mkdir(parents=True)
    with_systemd.paths.lock_file.write_bytes(lockfile.render("1.2.3"))

    check = found(with_systemd)["daemon"]

    assert not check.ok
    assert "does not answer" in check.detail


def test_a_python_that_has_gone_is_a_fault(with_systemd: Environment) -> None:
    gone = replace(with_systemd, python=with_systemd.home / "gone" / "bin" / "python")

    assert found(gone)["interpreter"].fix == "run `make install` again"


def test_a_socket_path_that_cannot_be_bound_is_a_fault(with_systemd: Environment) -> None:
    far = replace(with_systemd.paths, runtime_dir=Path("/tmp") / ("x" * 120))

    assert not found(replace(with_systemd, paths=far))["socket path"].ok


def test_an_unsupported_system_is_the_one_thing_to_say(make_environment: Callable[..., Environment]) -> None:
    (check,) = service_checks(make_environment(platform="win32"))

    assert not check.ok
    assert "WSL" in check.detail


def test_a_pump_that_is_missing_or_of_another_version_is_told(environment: Environment) -> None:
    McpPart(environment).install()
    assert found(environment)["MCP pump"].ok

    environment.paths.mcp_shim.write_text("of another version")
    stale = found(environment)["MCP pump"]
    McpPart(environment).remove()
    missing = found(environment)["MCP pump"]

    assert not stale.ok
    assert "not as this version wants it" in stale.detail
    assert not missing.ok
    assert "missing" in missing.detail
