"""The launchd agent, read back by plistlib and driven through launchctl's words."""

from __future__ import annotations

import plistlib
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from typing_extensions import override

from memd_service import launchd
from memd_service.environment import Completed, Environment
from memd_service.errors import CommandFailed
from memd_service.launchd import Launchd
from tests.unit.service.scripted_machine import ScriptedMachine


@pytest.fixture
def mac(make_environment: Callable[..., Environment]) -> Environment:
    return make_environment(platform="darwin")


def test_the_plist_reads_back_as_what_launchd_wants() -> None:
    agent = plistlib.loads(
        launchd.render_plist(
            Path("/Users/ada/venv/bin/python"),
            output=Path("/Users/ada/service.log"),
            variables={"MEMD_DATA_DIR": "/Users/ada/Ö & <memd>"},
        )
    )

    assert agent["Label"] == "dev.memd"
    assert agent["ProgramArguments"][0] == "/Users/ada/venv/bin/python"
    assert agent["ProgramArguments"][1:] == ["-I", "-m", "memd", "up", "--service"]
    assert agent["RunAtLoad"] is True
    assert agent["KeepAlive"] == {"SuccessfulExit": False}
    assert agent["Umask"] == 63
    assert agent["StandardOutPath"] == agent["StandardErrorPath"] == "/Users/ada/service.log"
    assert agent["EnvironmentVariables"]["MEMD_DATA_DIR"] == "/Users/ada/Ö & <memd>"
    assert "Sockets" not in agent


def test_a_second_memd_gets_a_label_of_its_own(mac: Environment, make_environment: Callable[..., Environment]) -> None:
    other = make_environment({"MEMD_DATA_DIR": str(mac.home / "other")}, platform="darwin")

    first, second = (Launchd(each).unit_files()[0].path.name for each in (mac, other))

    assert first == "dev.memd.plist"
    assert second.startswith("dev.memd-")


class LaunchdOfAda(ScriptedMachine):
    """A launchd that remembers what is loaded; a loaded memd answers at `path`."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path
        self.loaded = False
        self.door: socket.socket | None = None

    @override
    def __call__(self, argv: tuple[str, ...]) -> Completed:
        self.calls.append(argv)
        match argv[1:]:
            case ("print", target) if target.endswith("dev.memd"):
                return Completed(0 if self.loaded else 113, "")
            case ("bootstrap", *_):
                self.loaded = True
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self.door = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self.door.bind(str(self.path))
                self.door.listen()
            case ("bootout", *_):
                self.loaded = False
                self.close()
            case _:
                pass
        return Completed(0, "")

    def close(self) -> None:
        if self.door is not None:
            self.door.close()
            self.path.unlink()
            self.door = None


def test_install_load_and_uninstall_again(make_environment: Callable[..., Environment]) -> None:
    ada = LaunchdOfAda(make_environment(platform="darwin").paths.socket)
    mac = make_environment(platform="darwin", run=ada)
    agent = Launchd(mac)

    agent.install()
    assert agent.state().registered
    assert agent.unit_files()[0].is_current()
    assert launchd.output_file(mac.paths).stat().st_mode & 0o777 == 0o600
    agent.install()  # again: unloaded and loaded, never loaded twice
    assert [call[1] for call in ada.calls].count("bootstrap") == 2
    agent.start()  # loaded already: only woken
    assert ada.calls[-1][1] == "kickstart"

    agent.uninstall()
    assert not agent.state().registered
    assert not agent.unit_files()[0].path.exists()


def test_a_refusal_of_launchd_is_told(mac: Environment, machine: ScriptedMachine) -> None:
    machine.answer("launchctl", "print", f"gui/{mac.uid}/dev.memd", status=113)
    machine.answer("launchctl", "bootstrap", status=5, output="Input/output error\n")

    with pytest.raises(CommandFailed, match="status 5: Input/output error"):
        Launchd(mac).start()


def test_without_a_desktop_the_domain_of_the_user_is_used(mac: Environment, machine: ScriptedMachine) -> None:
    machine.answer("launchctl", "print", f"gui/{mac.uid}", status=125)
    machine.answer("launchctl", "print", f"user/{mac.uid}/dev.memd", status=113)

    assert not Launchd(mac).state().registered
    assert machine.calls[-1] == ("launchctl", "print", f"user/{mac.uid}/dev.memd")


def test_it_is_available_only_for_the_home_of_the_account(
    mac: Environment, make_environment: Callable[..., Environment]
) -> None:
    assert launchd.available(mac)
    assert not launchd.available(make_environment(platform="linux"))
    assert not launchd.available(make_environment(platform="darwin", account_home=Path("/Users/grace")))


def test_a_launchd_of_another_home_is_told_nothing(
    make_environment: Callable[..., Environment], machine: ScriptedMachine
) -> None:
    Launchd(make_environment(platform="darwin", account_home=Path("/Users/grace"))).uninstall()

    assert machine.calls == []
