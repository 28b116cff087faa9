"""What is in the wheel and in the sdist."""

from __future__ import annotations

import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

PACKAGES = {
    "memd": "memd",
    "memd_adapters": "adapters/memd_adapters",
    "memd_hooks": "hooks/memd_hooks",
    "memd_service": "service/memd_service",
}
NOT_SHIPPED = {".pyc", ".pyo"}


def contents(wheel: Path) -> dict[str, bytes]:
    with ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_wheel_has_the_four_packages_and_nothing_else(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in contents(wheel)}

    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert len(tops) == len(PACKAGES) + 1


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_of_a_package_is_in_the_wheel(package: str, wheel: Path, checkout: Path) -> None:
    folder = checkout / PACKAGES[package]
    sources = {
        f"{package}/{path.relative_to(folder).as_posix()}"
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in NOT_SHIPPED
    }

    assert {name for name in contents(wheel) if name.startswith(f"{package}/")} == sources
    assert f"{package}/py.typed" in sources


def test_the_migrations_are_in_the_wheel(wheel: Path) -> None:
    migrations = [name for name in contents(wheel) if name.startswith("memd/store/migrations/")]

    assert any(name.endswith(".sql") for name in migrations)


def test_the_plugin_templates_are_in_the_wheel(wheel: Path) -> None:
    manifests = [name for name in contents(wheel) if name.endswith("plugin.json")]

    assert any(name.startswith("memd_hooks/") for name in manifests)


def test_no_test_is_in_the_wheel(wheel: Path) -> None:
    names = [name for name in contents(wheel) if not name.endswith("METADATA")]

    assert [name for name in names if "test" in Path(name).parts or "tests" in Path(name).parts] == []
    assert [name for name in names if Path(name).name.startswith(("test_", "conftest"))] == []


def test_the_license_and_the_command_are_in_the_wheel(wheel: Path) -> None:
    files = {name.split("/", 1)[-1]: content for name, content in contents(wheel).items()}

    assert b"MIT" in files["licenses/LICENSE"]
    assert b"memd = memd.doors.cli.main:main" in files["entry_points.txt"]


def test_the_sdist_builds_the_same_wheel(wheel: Path, wheel_from_sdist: Path) -> None:
    assert contents(wheel_from_sdist) == contents(wheel)


def test_the_sdist_brings_the_tests_and_the_commands(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[-1] for name in archive.getnames()}

    assert {"Makefile", "service/bootstrap.py", "tests/packaging/conftest.py", "README.md", "MEASURED.md"} <= names
