"""The wheel, installed into an environment of its own and used from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

import memd


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel in it; what memd needs is lent by the one of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=True, with_pip=False)
    python = folder / "bin" / "python"
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"]
    subprocess.run([*install, "--no-deps", "--no-index", str(wheel)], check=True)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    # A folder named in a .pth file is searched last, and .pth files in it (the editable memd) are not read.
    (site_packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return folder


def run(tmp_path: Path, *argv: str) -> str:
    home = tmp_path / "home"
    home.mkdir()
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_tells_its_version(environment: Path, tmp_path: Path) -> None:
    assert memd.__version__ in run(tmp_path, str(environment / "bin" / "memd"), "version")


def test_the_module_runs_isolated_as_the_service_does(environment: Path, tmp_path: Path) -> None:
    python = str(environment / "bin" / "python")

    assert memd.__version__ in run(tmp_path, python, "-I", "-m", "memd", "version")


@pytest.mark.parametrize("package", ["memd", "memd_adapters", "memd_hooks", "memd_service"])
def test_the_installed_packages_are_those_of_the_wheel(package: str, environment: Path, tmp_path: Path) -> None:
    code = f"import {package}; print({package}.__file__)"
    where = run(tmp_path, str(environment / "bin" / "python"), "-I", "-c", code)

    assert Path(where.strip()).is_relative_to(environment)
