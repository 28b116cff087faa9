"""The program behind `make install` and `make test`, where Python comes with less than it should."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import venv
from pathlib import Path
from types import ModuleType

import pytest

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture
def bootstrap() -> ModuleType:
    spec = importlib.util.spec_from_file_location("memd_bootstrap", CHECKOUT / "service" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def without_ensurepip(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A Python as Debian ships it without python3-venv, on a machine without any pip or network."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "ensurepip" else find_spec(name))
    monkeypatch.setattr(bootstrap, "_DEBIAN_WHEELS", CHECKOUT / "no-such-folder")
    monkeypatch.setattr(bootstrap, "_PIP_ZIPAPP", "http://127.0.0.1:9/pip.pyz")
    works = bootstrap.works
    monkeypatch.setattr(bootstrap, "works", lambda python, code: python != Path(sys.executable) and works(python, code))
    return bootstrap


def test_where_no_pip_can_be_had_one_sentence_says_what_to_install(
    without_ensurepip: ModuleType, tmp_path: Path
) -> None:
    minor = sys.version_info.minor

    with pytest.raises(without_ensurepip.BootstrapFailed, match=rf"`sudo apt install python3\.{minor}-venv`"):
        without_ensurepip.make_environment(tmp_path / "venv")


def test_a_wheel_of_the_distribution_is_enough(
    without_ensurepip: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import ensurepip

    bundled = Path(ensurepip.__file__).parent / "_bundled"
    if not list(bundled.glob("pip-*.whl")):
        pytest.skip("this Python keeps no pip wheel where the distribution's would be")
    monkeypatch.setattr(without_ensurepip, "_DEBIAN_WHEELS", bundled)

    python = without_ensurepip.make_environment(tmp_path / "venv")

    assert without_ensurepip.works(python, "import pip")


def test_an_environment_that_works_is_kept(bootstrap: ModuleType, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", symlinks=True, with_pip=False)
    (site_packages,) = (tmp_path / "venv").glob("lib/python*/site-packages")
    (site_packages / "pip.py").touch()
    (tmp_path / "venv" / "kept").touch()

    bootstrap.make_environment(tmp_path / "venv")

    assert (tmp_path / "venv" / "kept").exists()


def test_an_environment_whose_python_has_gone_is_made_anew(bootstrap: ModuleType, tmp_path: Path) -> None:
    broken = tmp_path / "venv" / "bin" / "python"
    broken.parent.mkdir(parents=True)
    broken.symlink_to(tmp_path / "an earlier python")

    python = bootstrap.make_environment(tmp_path / "venv")

    assert bootstrap.works(python, "import pip")


@pytest.mark.parametrize("words", [[], ["uninstall"], ["develop", "more"]])
def test_an_unknown_word_shows_what_there_is(
    words: list[str], bootstrap: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bootstrap.main(words) == 2
    assert "bootstrap.py install" in capsys.readouterr().err


def test_a_plan_tells_what_would_change_and_writes_nothing(tmp_path: Path) -> None:
    settings = tmp_path / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    bare = [sys.executable, "-I", "-S", str(CHECKOUT / "service" / "bootstrap.py"), "install", "--plan"]

    done = subprocess.run(
        bare, env={"HOME": str(tmp_path), "PATH": "/usr/bin"}, capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert f"environment: make {tmp_path}" in " ".join(done.stdout.split())
    assert f"command: link {tmp_path}/.local/bin/memd" in " ".join(done.stdout.split())
    assert "SessionStart" in done.stdout
    assert sorted(tmp_path.rglob("*")) == [settings.parent, settings]
    assert settings.read_text() == "{}"


def test_a_plan_that_cannot_be_says_why(tmp_path: Path) -> None:
    bare = [sys.executable, "-I", "-S", str(CHECKOUT / "service" / "bootstrap.py"), "install", "--plan"]

    done = subprocess.run(
        [*bare, "--host", "abacus"], env={"HOME": str(tmp_path)}, capture_output=True, text=True, check=False
    )

    assert done.returncode == 2
    assert "abacus" in done.stderr
