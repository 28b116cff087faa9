"""The README tells the truth: every command, option and setting stands in it."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from memd.adapter import Adapter
from memd.config import Config, entries, template
from memd.doors.cli.commands import COMMANDS
from memd.doors.cli.completable import completables
from memd_adapters import ADAPTERS

README = Path(__file__).parents[3] / "README.md"
SELF_EXPLAINING = {"--help", "-h", "--json", "--limit", "--lines", "--follow"}


@pytest.fixture(scope="module")
def readme() -> str:
    return README.read_text("utf-8")


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_is_in_the_readme(name: str, readme: str) -> None:
    assert f"`memd {name}" in readme


@pytest.mark.parametrize("command", completables(), ids=lambda command: command.name)
def test_every_option_of_a_command_is_in_its_row(command: object, readme: str) -> None:
    name = command.name  # type: ignore[attr-defined]
    rows = [line for line in readme.splitlines() if line.startswith("| `memd")]
    told = "\n".join(line for line in rows if re.search(rf"`memd {name}(?= |`)", line.split(" | ")[0]))

    assert told
    if "] ...`" in told:  # only those that matter most
        return
    for option in command.options:  # type: ignore[attr-defined]
        if option.name not in SELF_EXPLAINING:
            assert option.name in told


@pytest.mark.parametrize("name", list(entries(Config())))
def test_every_setting_is_in_the_readme_with_its_default_and_meaning(name: str, readme: str) -> None:
    section, _, key = name.rpartition(".")
    value = getattr(Config(), section) if section else Config()
    (help_text,) = [entry.metadata["help"] for entry in fields(value) if entry.name == key]
    default = msgspec.json.encode(getattr(value, key)).decode()

    assert f"| `{name}` | `{default}` | {help_text} |" in readme


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=lambda adapter: adapter.name)
def test_every_agent_is_in_the_readme(adapter: Adapter, readme: str) -> None:
    assert f"| {adapter.title} (`{adapter.name}`)" in readme


def test_every_file_that_the_readme_links_to_is_there(readme: str) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", readme)

    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_the_readme_names_no_setting_that_there_is_not(readme: str) -> None:
    named = set(re.findall(r"^\| `([a-z_]+(?:\.[a-z_]+)?)` \|", readme, re.MULTILINE))

    assert named == set(entries(Config()))
    assert all(f"# {name.rpartition('.')[2]} = " in template() for name in named)


def test_the_example_of_make_help_selects_tests() -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    (folder, word), *_ = re.findall(r'^test:.*ARGS="(\S+) -k (\w+)"', makefile, re.MULTILINE)

    assert [path for path in (README.parent / folder).glob("test_*.py") if word in path.stem]
