"""The systemd units, read by systemd itself where it is there."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from memd_service import lockfile, systemd
from memd_service.environment import Environment
from memd_service.errors import CommandFailed, ServiceError
from memd_service.manager import Running, Stopped
from memd_service.systemd import Systemd
from tests.unit.service.scripted_machine import ScriptedMachine

ANALYZE = shutil.which("systemd-analyze")


def parsed(unit: str) -> configparser.RawConfigParser:
    reader = configparser.RawConfigParser()
    reader.optionxform = str  # type: ignore[assignment,method-assign]
    reader.read_string(unit)
    return reader


def test_the_socket_is_private_and_named_and_absolute() -> None:
    socket = parsed(systemd.render_socket(Path("/run/user/1000/memd/memd.sock")))["Socket"]

    assert socket["ListenStream"] == "/run/user/1000/memd/memd.sock"
    assert socket["SocketMode"] == "0600"
    assert socket["DirectoryMode"] == "0700"
    assert socket["FileDescriptorName"] == "memd"


def test_the_service_tells_when_it_is_ready_and_is_watched() -> None:
    service = parsed(systemd.render_service(Path("/home/ada/venv/bin/python")))["Service"]

    assert service["Type"] == "notify"
    assert service["ExecStart"] == '"/home/ada/venv/bin/python" -I -m memd up --service'
    assert service["WatchdogSec"] == "60"
    assert service["Restart"] == "on-failure"
    assert service["UMask"] == "0077"
    assert "RuntimeDirectory" not in service


def test_the_variables_that_move_folders_reach_the_service() -> None:
    unit = systemd.render_service(Path("/venv/bin/python"), variables={"MEMD_DATA_DIR": "/home/ada/my 100% $data"})

    assert 'Environment="MEMD_DATA_DIR=/home/ada/my 100%% $data"\n' in unit


def test_odd_characters_in_a_path_are_quoted_for_systemd() -> None:
    unit = systemd.render_service(Path("/home/ada/a 5% $c/bin/python"))

    assert 'ExecStart="/home/ada/a 5%% $c/bin/python" -I' in unit


@pytest.mark.parametrize("sign", ['"', "'", "\\"])
def test_a_path_that_systemd_would_refuse_is_refused_in_one_sentence(sign: str) -> None:
    with pytest.raises(ServiceError, match="quote or backslash"):
        systemd.render_service(Path(f"/home/ada/{sign}/python"))


def test_a_line_break_in_a_path_is_refused() -> None:
    with pytest.raises(ServiceError, match="line break"):
        systemd.render_socket(Path("/home/ada/a\nExecStart=b"))


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not here")
@pytest.mark.parametrize("folder", ["plain", "odd name 5% $HOME"])
def test_systemd_finds_nothing_wrong_with_the_units(
    folder: str, home: Path, make_environment: Callable[..., Environment]
) -> None:
    assert ANALYZE is not None
    program = home / folder / "bin" / "python"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    here = make_environment({"MEMD_DATA_DIR": str(home / folder)}, python=program)
    units = Systemd(here).unit_files()
    for unit in units:
        unit.path.parent.mkdir(parents=True, exist_ok=True)
        unit.path.write_bytes(unit.content)

    done = subprocess.run(
        [ANALYZE, "verify", "--user", "--man=no", *(str(unit.path) for unit in units)],
        capture_output=True,
        text=True,
        check=False,
        env={"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "PATH": "/usr/bin:/bin"},
    )

    complaints = [line for line in done.stderr.splitlines() if here.instance in line]
    assert done.returncode == 0, done.stderr
    assert complaints == []


def test_install_writes_both_units_and_enables_and_starts_them(
    environment: Environment, machine: ScriptedMachine
) -> None:
    Systemd(environment).install()

    assert all(unit.is_current() for unit in Systemd(environment).unit_files())
    told = [call[2:] for call in machine.calls]
    assert told[0] == ("daemon-reload",)
    assert told[1] == ("enable", "memd.socket", "memd.service")
    assert told[-1] == ("start", "memd.socket", "memd.service")


def test_uninstall_leaves_no_unit_even_when_systemd_is_silent(
    environment: Environment, machine: ScriptedMachine
) -> None:
    service = Systemd(environment)
    service.install()
    folder = systemd.unit_folder(environment)
    wanted = folder / "default.target.wants"
    wanted.mkdir()
    (wanted / "memd.service").symlink_to(folder / "memd.service")
    machine.answer("systemctl", status=1, output="Failed to connect to bus")

    service.uninstall()

    assert list(folder.iterdir()) == []


def test_a_systemd_of_another_home_is_told_nothing(environment: Environment, machine: ScriptedMachine) -> None:
    machine.answer("systemctl", "--user", "show", output="/home/grace/.config/systemd/user\n")

    Systemd(environment).uninstall()

    assert {call[2] for call in machine.calls} == {"show-environment", "show"}


def test_a_refusal_of_systemd_is_told_with_where_to_look(environment: Environment, machine: ScriptedMachine) -> None:
    machine.answer("systemctl", "--user", "start", status=1, output="Job failed.\n")

    with pytest.raises(CommandFailed, match=r"Job failed\.; `journalctl --user -u memd"):
        Systemd(environment).start()


def test_down_also_closes_the_socket_that_would_start_the_daemon_again(
    environment: Environment, machine: ScriptedMachine
) -> None:
    Systemd(environment).stop()

    assert machine.calls == [("systemctl", "--user", "stop", "memd.socket", "memd.service")]


def test_a_restart_keeps_the_socket_open(environment: Environment, machine: ScriptedMachine) -> None:
    Systemd(environment).restart()

    stops = [call for call in machine.calls if "stop" in call]
    assert stops == [("systemctl", "--user", "stop", "memd.service")]


def test_the_state_tells_of_enabled_units_and_of_the_daemon(environment: Environment, machine: ScriptedMachine) -> None:
    machine.answer("systemctl", "--user", "is-enabled", status=1, output="disabled\n")
    before = Systemd(environment).state()
    environment.paths.state_dir.mkdir(parents=True)
    environment.paths.lock_file.write_bytes(lockfile.render("1.2.3"))
    machine.answer("systemctl", "--user", "is-enabled", output="enabled\n")
    after = Systemd(environment).state()

    assert (before.registered, before.daemon) == (False, Stopped())
    assert after.registered
    assert isinstance(after.daemon, Running)


def test_it_is_available_only_where_it_reads_the_units_of_this_home(
    environment: Environment, machine: ScriptedMachine
) -> None:
    ours = str(systemd.unit_folder(environment))
    manager = ("systemctl", "--user", "show-environment")
    unit_path = ("systemctl", "--user", "show", "--property=UnitPath", "--value")

    machine.answer(*manager, output=f"LANG=C.UTF-8\nHOME={environment.home}\n")
    assert systemd.available(environment)
    machine.answer(*manager, output="HOME=/home/grace\nNOTHING\n")
    machine.answer(*unit_path, output="/etc/systemd/user /home/grace/.config/systemd/user\n")
    assert not systemd.available(environment)
    machine.answer(*unit_path, output=f"/etc/systemd/user {ours}\n")
    assert systemd.available(environment)
    machine.answer(*manager, status=1)
    assert not systemd.available(environment)


@pytest.mark.parametrize(("output", "status", "expected"), [("yes\n", 0, True), ("no\n", 0, False), ("", 1, None)])
def test_lingering_is_asked_from_logind(
    output: str, status: int, expected: bool | None, machine: ScriptedMachine
) -> None:
    machine.answer("loginctl", status=status, output=output)

    assert systemd.lingers(machine, 1000) is expected
