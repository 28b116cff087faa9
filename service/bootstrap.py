"""Bootstrap: make the environment that memd runs in, with nothing but Python and this checkout.

    python3 service/bootstrap.py install [ARGUMENTS]   memd's own environment, then `memd install --yes ARGUMENTS`
    python3 service/bootstrap.py install --plan        say what this would change, and change nothing
    python3 service/bootstrap.py develop               ./.venv with memd (editable) and the tools of its developers

Both may be run again at any time. Everything that pip is told by PIP_* and its configuration keeps working. This
file is not part of the package: it runs before there is one.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import subprocess
import sys
import tempfile
import tomllib
import urllib.error
import urllib.request
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

CHECKOUT = Path(__file__).resolve().parent.parent
# What is used of them here needs no more than Python.
_PACKAGES = [str(CHECKOUT), str(CHECKOUT / "service"), str(CHECKOUT / "hooks")]
_PIP_ZIPAPP = "https://bootstrap.pypa.io/pip/pip.pyz"
_DEBIAN_WHEELS = Path("/usr/share/python-wheels")


class BootstrapFailed(Exception):
    """The environment could not be made; the sentence says what to do."""


def main(words: Sequence[str]) -> int:
    """Do what the first word says; give the exit status."""
    try:
        match words:
            case ["install", *arguments] if "--plan" in arguments:
                return plan(arguments)
            case ["install", *arguments]:
                return install(arguments)
            case ["develop"]:
                develop(CHECKOUT / ".venv")
                return 0
            case _:
                say(__doc__ or "", sys.stderr)
                return 2
    except BootstrapFailed as error:
        say(f"memd: {error}", sys.stderr)
        return 1


def install(arguments: Sequence[str]) -> int:
    """Put memd into its own environment, apart from this checkout, and let it install itself."""
    sys.path[:0] = _PACKAGES
    from memd.doors.cli.places import locate
    from memd.errors import MemdError
    from memd_service import folders
    from memd_service.environment import MARKER

    try:
        paths = locate(os.environ, None).paths
        folders.make(paths, paths.data_dir, private=True)
    except (MemdError, OSError) as error:
        raise BootstrapFailed(str(error)) from error
    folder = paths.data_dir / "venv"
    say(f"==> Installing memd into its own environment, {folder}")
    python = make_environment(folder)
    (folder / MARKER).write_text("made by `make install` of memd; removed by `memd uninstall`\n")
    try:
        pip(python, "install", f"{CHECKOUT}[semantic]")
    except BootstrapFailed:
        say("==> Without search by meaning: its packages could not be installed; memd works without them")
        pip(python, "install", str(CHECKOUT))
    say("==> Setting memd up")
    return subprocess.run([python, "-I", "-m", "memd", "install", "--yes", *arguments], check=False).returncode


def plan(arguments: Sequence[str]) -> int:
    """Say what an install of this checkout would change. Nothing is written, not even the environment."""
    sys.path[:0] = _PACKAGES
    sys.dont_write_bytecode = True
    from memd.doors.cli.invocation import Invocation
    from memd.doors.cli.parser import build
    from memd.doors.cli.plan import say as say_plan
    from memd.doors.cli.service import chosen_guidance, chosen_hosts, environment
    from memd.doors.cli.terminal import Terminal
    from memd.errors import MemdError
    from memd_service.install import plan_install

    env = dict(os.environ)
    terminal = Terminal.of_process(env)
    try:
        invocation = Invocation(build().parse_args(["install", *arguments]), env, terminal)
        places = invocation.places()
        python = places.paths.data_dir / "venv" / "bin" / "python"
        here = dataclasses.replace(environment(places), python=python, to_be_made=True)
        what = f"environment: {'bring up to date' if python.exists() else 'make'} {python.parent.parent}"
        given = invocation.given
        say_plan(plan_install(here, chosen_hosts(given.host), chosen_guidance(given)), terminal, what)
    except MemdError as error:
        terminal.error(str(error))
        return error.exit_status
    return 0


def develop(folder: Path) -> None:
    """Put memd, editable, and the `dev` group of pyproject.toml into `folder`."""
    python = make_environment(folder)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))
    # `pip install --group` needs pip 25.1; reading the group here works with every pip.
    pip(python, "install", "--editable", str(CHECKOUT), *project["dependency-groups"]["dev"])


def make_environment(folder: Path) -> Path:
    """Have a virtual environment with a working pip in `folder`; give its interpreter.

    One that is there and works is kept; one whose Python has gone is made anew. Raises BootstrapFailed.
    """
    python = folder / "bin" / "python"
    if works(python, "import sys, pip; sys.exit(sys.version_info < (3, 11))"):
        return python
    # Debian splits ensurepip off into python3-venv; without it pip has to come from elsewhere.
    complete = importlib.util.find_spec("ensurepip") is not None
    try:
        venv.create(folder, clear=folder.exists(), symlinks=True, with_pip=complete)
    except subprocess.CalledProcessError:
        venv.create(folder, clear=True, symlinks=True, with_pip=False)
    except OSError as error:
        raise BootstrapFailed(f"{folder} cannot be made: {error}.") from error
    if not works(python, "import pip"):
        bring_pip(python)
    return python


def bring_pip(python: Path) -> None:
    """Put pip into an environment that has none: from the system's pip, Debian's wheel, or the network."""
    if works(Path(sys.executable), "import pip"):
        command = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "pip"]
        if succeeds(command):
            return
    for wheel in sorted(_DEBIAN_WHEELS.glob("pip-*.whl"), reverse=True):
        if succeeds([str(python), f"{wheel}/pip", "install", "--quiet", "--no-index", str(wheel)]):
            return
    with tempfile.TemporaryDirectory() as scratch:
        zipapp = Path(scratch) / "pip.pyz"
        try:
            with urllib.request.urlopen(_PIP_ZIPAPP, timeout=60) as answer:
                zipapp.write_bytes(answer.read())
        except (urllib.error.URLError, OSError) as error:
            raise BootstrapFailed(no_pip(str(error))) from error
        if not succeeds([str(python), str(zipapp), "install", "--quiet", "pip"]):
            raise BootstrapFailed(no_pip("pip could not install itself"))


def no_pip(reason: str) -> str:
    """Say in one sentence what to do where this Python cannot make a whole environment."""
    package = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
    return (
        f"{sys.executable} comes without ensurepip and pip could not be fetched ({reason}); run"
        f" `sudo apt install {package}` and then the same command again."
    )


def pip(python: Path, *words: str) -> None:
    """Run the environment's pip, quietly unless it fails."""
    command = [str(python), "-I", "-m", "pip", "--disable-pip-version-check", *words, "-qq"]
    # PIP_USER=1, which some distributions set, cannot work inside an environment.
    if subprocess.run(command, check=False, env={**os.environ, "PIP_USER": "0"}).returncode != 0:
        raise BootstrapFailed(
            "pip could not install what memd needs (see above); nothing that ran before was"
            " touched, so try again once the network or the package index answers."
        )


def works(python: Path, code: str) -> bool:
    """Tell whether this interpreter runs `code` to a good end."""
    return succeeds([str(python), "-I", "-c", code])


def succeeds(command: Sequence[str]) -> bool:
    """Run a command silently; tell whether it could be run and ended well."""
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return False
    return done.returncode == 0


def say(line: str, stream: TextIO = sys.stdout) -> None:
    """Tell the person something now."""
    print(line, file=stream, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
