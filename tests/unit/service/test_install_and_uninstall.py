"""What install puts into a home folder, and that uninstall takes just that away."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memd.errors import PathError, SettingsError
from memd_service import folders
from memd_service.check import Check
from memd_service.choose import Choice
from memd_service.doctor import service_checks
from memd_service.environment import MARKER, Environment
from memd_service.install import Plan, apply, plan_install
from memd_service.manager import Stopped, daemon_of, end_daemon
from memd_service.parts import Part, ServicePart
from memd_service.plain import Plain
from memd_service.uninstall import uninstall
from tests.unit.service.scripted_machine import ScriptedMachine

# A `memd` package whose `up` does what matters of the daemon here, for the interpreter that install starts.
PROGRAM = """
import os, signal, socket, sys, time
sys.path[:0] = {path!r}
from memd.paths import resolve, make_private
from memd_service import lockfile
paths = resolve(os.environ)
make_private(paths.runtime_dir)
if paths.socket.exists():
    paths.socket.unlink()
with socket.socket(socket.AF_UNIX) as door:
    door.bind(str(paths.socket))
    paths.lock_file.write_bytes(lockfile.render("1.2.3"))
    door.listen()
    while True:
        door.accept()[0].close()
"""


def everything_in(folder: Path) -> dict[str, bytes]:
    """Take down every path below a folder, with what is in the files."""
    found: dict[str, bytes] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = os.fsencode(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = b"(folder)"
    return found


@pytest.fixture
def ada(make_environment: Callable[..., Environment], machine: ScriptedMachine) -> Iterator[Environment]:
    """Ada, whose machine has no service manager and whose memd has an environment of its own."""
    machine.answer("systemctl", status=1)
    here = make_environment()
    (here.home / ".profile").write_text("# Ada's\n")
    yield here
    end_daemon(here)


def with_own_environment(environment: Environment) -> Environment:
    """Do what `make install` has done before `memd install` runs."""
    folder = environment.paths.data_dir / "venv"
    folders.make(environment.paths, environment.paths.data_dir, private=True)
    (folder / "bin").mkdir(parents=True)
    (folder / MARKER).touch()
    for name, code in (("python", program()), ("memd", "#!/bin/sh\n")):
        (folder / "bin" / name).write_text(code)
        (folder / "bin" / name).chmod(0o755)
    return replace(environment, python=folder / "bin" / "python")


def program() -> str:
    return f"#!{sys.executable}\n" + PROGRAM.format(path=[p for p in sys.path if p])


def settings_of(environment: Environment) -> Path:
    return environment.home / ".claude" / "settings.json"


def write_settings(environment: Environment, text: str) -> bytes:
    settings_of(environment).parent.mkdir(exist_ok=True)
    settings_of(environment).write_text(text)
    return settings_of(environment).read_bytes()


def test_a_plan_writes_nothing(ada: Environment) -> None:
    before = everything_in(ada.home)

    plan = plan_install(ada)

    assert everything_in(ada.home) == before
    assert [step.part for step in plan.steps if step.changes] == [
        "folders",
        "hook client",
        "MCP pump",
        "service",
        "Claude Code",
    ]


def test_a_socket_path_that_is_too_long_is_refused_before_anything_is_done(ada: Environment) -> None:
    before = everything_in(ada.home)
    far = replace(ada.paths, runtime_dir=ada.home / ("x" * 120))

    with pytest.raises(PathError, match="bytes"):
        plan_install(replace(ada, paths=far))
    assert everything_in(ada.home) == before


def test_install_then_purge_leaves_the_home_as_it_was(ada: Environment) -> None:
    before = everything_in(ada.home)
    here = with_own_environment(ada)

    report = apply(plan_install(here))
    assert report.failed is None
    assert (ada.home / ".local/bin/memd").resolve() == (ada.paths.data_dir / "venv/bin/memd").resolve()
    assert here.paths.hook_shim.stat().st_mode & 0o777 == 0o700
    here.paths.database.write_bytes(b"memory")

    removal = uninstall(here, purge=True)

    assert removal.failed == ()
    assert removal.kept == ()
    assert daemon_of(here) == Stopped()
    assert everything_in(ada.home) == before


def test_nothing_says_that_memd_is_here_while_uninstall_ends_its_daemon(
    ada: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    end, seen = ServicePart.remove, list[bool]()

    def ending(part: ServicePart) -> tuple[str, ...]:
        seen.append(here.paths.hook_shim.exists())
        return end(part)

    monkeypatch.setattr(ServicePart, "remove", ending)

    assert uninstall(here, purge=True).failed == ()
    assert seen == [False], "a command that reads would start it again"


def test_uninstall_keeps_the_memory_and_says_where(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    here.paths.database.write_bytes(b"memory")
    (here.paths.spool_dir / "1.event").write_bytes(b"not yet read")
    here.paths.clean_shutdown_file.write_bytes(b"as the daemon left it")

    removal = uninstall(here, purge=False)

    left = {name for name, content in everything_in(ada.home).items() if content != b"(folder)"}
    assert left == {
        ".profile",
        ".local/share/memd/memd.db",
        ".local/share/memd/folders.txt",
        ".local/state/memd/spool/1.event",
    }
    assert removal.kept == (
        f"what memd remembers, in {here.paths.data_dir}",
        f"what hooks have told and nobody has read yet, in {here.paths.spool_dir}",
    )


def test_after_keeping_the_memory_another_install_and_purge_still_leaves_nothing(ada: Environment) -> None:
    before = everything_in(ada.home)
    here = with_own_environment(ada)
    apply(plan_install(here))
    here.paths.database.write_bytes(b"memory")
    uninstall(here, purge=False)

    again = with_own_environment(ada)
    assert apply(plan_install(again)).failed is None
    uninstall(again, purge=True)

    assert everything_in(ada.home) == before


def test_install_again_changes_no_file(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    lock = str(here.paths.lock_file.relative_to(ada.home))
    first = everything_in(ada.home)

    second_plan = plan_install(here)
    assert [step.part for step in second_plan.steps if step.changes] == ["service"]
    assert apply(second_plan).failed is None

    second = everything_in(ada.home)
    assert {**second, lock: b""} == {**first, lock: b""}


def test_a_purge_spares_what_others_keep_in_a_folder_that_was_there_before(
    make_environment: Callable[..., Environment], machine: ScriptedMachine, home: Path
) -> None:
    machine.answer("systemctl", status=1)
    shared = home / "shared"
    (shared / "state").mkdir(parents=True)
    (shared / "photos.zip").write_bytes(b"Ada's")
    (shared / "state" / "game.save").write_bytes(b"Ada's")
    before = everything_in(home)
    here = with_own_environment(make_environment({"MEMD_DATA_DIR": str(shared)}))
    apply(plan_install(here))
    here.paths.database.write_bytes(b"memory")
    here.paths.config_file.write_bytes(b"")

    assert uninstall(here, purge=True).failed == ()

    assert everything_in(home) == before


def test_a_purge_takes_the_usual_folders_though_a_daemon_made_them_before_any_install(ada: Environment) -> None:
    for folder in (ada.paths.data_dir, ada.paths.state_dir, ada.paths.cache_dir):
        folder.mkdir(parents=True)
        (folder / "of a later version").touch()

    uninstall(ada, purge=True)

    assert not ada.paths.data_dir.exists()
    assert not ada.paths.state_dir.exists()
    assert not ada.paths.cache_dir.exists()


def test_a_command_that_is_not_memds_is_left_alone(ada: Environment) -> None:
    link = ada.home / ".local" / "bin" / "memd"
    link.parent.mkdir(parents=True)
    link.write_text("another program")
    here = with_own_environment(ada)

    report = apply(plan_install(here))
    uninstall(here, purge=True)

    assert any("leave" in line and str(link) in line for line in report.done)
    assert link.read_text() == "another program"


def test_an_environment_of_somebody_else_is_left_and_named(ada: Environment) -> None:
    removal = uninstall(ada, purge=True)

    assert Path(sys.executable).exists()
    assert any("pip uninstall" in line for line in removal.kept)


def test_uninstalling_what_is_not_there_is_fine(ada: Environment) -> None:
    before = everything_in(ada.home)

    removal = uninstall(ada, purge=True)

    assert (removal.removed, removal.failed) == ((), ())
    assert everything_in(ada.home) == before


def test_a_part_that_fails_is_named_and_doing_it_again_goes_on(ada: Environment) -> None:
    here = with_own_environment(ada)
    good = plan_install(here)
    broken = replace(here, python=here.python.with_name("gone"))
    silent = ServicePart(here, Choice(Plain(broken), "to see it fail"))
    parts: tuple[Part, ...] = tuple(silent if part.name == "service" else part for part in good.parts)

    report = apply(Plan(parts, good.steps))

    assert report.failed is not None
    assert report.failed.part == "service"
    assert here.paths.hook_shim.is_file()
    assert apply(plan_install(here)).failed is None


def test_the_doctor_has_nothing_to_say_after_an_install_and_much_before(ada: Environment) -> None:
    here = with_own_environment(ada)
    before = service_checks(here)
    apply(plan_install(here))
    after = service_checks(here)

    assert {check.name for check in before if not check.ok} == {
        *("folders", "daemon", "hook client", "MCP pump", "Claude Code"),
    }
    assert all(check.fix for check in before if not check.ok)
    assert [check for check in after if not check.ok] == []


def test_the_doctor_sees_an_old_daemon_and_an_old_hook_client(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    here.paths.hook_shim.write_bytes(b"of an earlier version")

    found = {check.name: check for check in service_checks(replace(here, version="1.3.0"))}

    assert not found["hook client"].ok
    assert found["daemon"].detail == "version 1.2.3 runs, but 1.3.0 is installed"
    assert found["daemon"].fix == "memd restart"


def test_the_doctor_sees_a_folder_that_is_open_to_others(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    here.paths.state_dir.chmod(0o755)

    found = {check.name: check for check in service_checks(here)}

    assert not found["folders"].ok
    assert found["folders"].fix == f"chmod 700 '{here.paths.state_dir}'"


def test_the_hooks_come_into_the_settings_and_leave_them_as_they_were(ada: Environment) -> None:
    mine = write_settings(ada, '{"model":  "opus",\n "hooks": {} }\n')
    here = with_own_environment(ada)

    apply(plan_install(here))
    registered = json.loads(settings_of(ada).read_text())["hooks"]
    assert len(registered["SessionStart"]) == 1
    assert str(here.paths.hook_shim) in json.dumps(registered["SessionStart"])

    uninstall(here, purge=False)
    assert settings_of(ada).read_bytes() == mine


def test_hooks_are_taken_out_of_the_settings_they_were_put_into(
    ada: Environment, make_environment: Callable[..., Environment]
) -> None:
    elsewhere = ada.home / "claude"
    elsewhere.mkdir()
    (elsewhere / "settings.json").write_text("{}\n")
    here = make_environment({"CLAUDE_CONFIG_DIR": str(elsewhere)})
    apply(plan_install(with_own_environment(here)))
    assert "memd-hook" in (elsewhere / "settings.json").read_text()

    removal = uninstall(ada, purge=True)

    assert f"memd's hooks in {elsewhere / 'settings.json'}" in removal.removed
    assert (elsewhere / "settings.json").read_text() == "{}\n"


def test_settings_that_cannot_be_read_stop_an_install_before_anything_is_done(ada: Environment) -> None:
    write_settings(ada, '{"hooks": ')
    before = everything_in(ada.home)

    with pytest.raises(SettingsError, match=r"settings\.json"):
        plan_install(ada)
    assert everything_in(ada.home) == before


def test_settings_that_cannot_be_read_do_not_keep_the_rest_from_leaving(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    good = settings_of(ada).read_bytes()
    write_settings(ada, '{"hooks": ')

    first = uninstall(here, purge=True)
    (failure,) = first.failed
    assert failure.part == "Claude Code"
    assert "mend it and run the same command again" in failure.reason
    assert "install" not in failure.reason
    assert daemon_of(here) == Stopped()
    assert here.paths.manifest_file.exists()
    assert (ada.home / ".local" / "bin" / "memd").is_symlink()

    settings_of(ada).write_bytes(good)
    assert uninstall(here, purge=True).failed == ()
    assert not settings_of(ada).exists()
    assert not here.paths.data_dir.exists()


def test_the_doctor_sees_what_keeps_the_hooks_from_running(ada: Environment) -> None:
    here = with_own_environment(ada)
    apply(plan_install(here))
    good = json.loads(settings_of(ada).read_text())

    def found(settings: dict[str, object]) -> Check:
        write_settings(ada, json.dumps(settings))
        return next(check for check in service_checks(here) if check.name == "Claude Code")

    groups = good["hooks"]["Stop"]
    assert found(good).ok
    assert "disableAllHooks" in found({**good, "disableAllHooks": True}).fix
    assert "organisation" in found({**good, "allowManagedHooksOnly": True}).detail
    assert "more than once for Stop" in found({"hooks": {**good["hooks"], "Stop": groups * 2}}).detail
    assert "not registered for SessionStart" in found({}).detail
    write_settings(ada, "{")
    assert "mend it" in next(check.fix for check in service_checks(here) if check.name == "Claude Code")
