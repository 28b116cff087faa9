"""The README and what it leads to tell the truth: every command, option and setting stands there."""

from __future__ import annotations

import re
import tomllib
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
SETTINGS, FIGURES = README.parent / "CONFIGURATION.md", README.parent / "MEASURED.md"
SELF_EXPLAINING = {"--help", "-h", "--json", "--limit", "--lines", "--follow"}


@pytest.fixture(scope="module")
def readme() -> str:
    return README.read_text("utf-8")


@pytest.fixture(scope="module")
def settings() -> str:
    return SETTINGS.read_text("utf-8")


@pytest.mark.parametrize("name", [command.name for command in COMMANDS])
def test_every_command_is_in_the_readme(name: str, readme: str) -> None:
    assert f"`memd {name}" in readme


def test_the_table_of_commands_has_those_that_the_help_lists_and_no_other(readme: str) -> None:
    rows = [line.split(" | ")[0] for line in readme.splitlines() if line.startswith("| `memd")]
    told = {name for row in rows for name in re.findall(r"`memd ([a-z]+)", row)}

    assert told == {command.name for command in COMMANDS}


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
def test_every_setting_is_told_with_its_default_and_meaning(name: str, settings: str) -> None:
    section, _, key = name.rpartition(".")
    value = getattr(Config(), section) if section else Config()
    (help_text,) = [entry.metadata["help"] for entry in fields(value) if entry.name == key]
    default = msgspec.json.encode(getattr(value, key)).decode()

    assert f"| `{name}` | `{default}` | {help_text} |" in settings


@pytest.mark.parametrize("adapter", ADAPTERS.values(), ids=lambda adapter: adapter.name)
def test_every_agent_is_in_the_readme(adapter: Adapter, readme: str) -> None:
    assert f"| {adapter.title} (`{adapter.name}`)" in readme


@pytest.mark.parametrize("page", [README, SETTINGS, FIGURES], ids=lambda page: page.name)
def test_every_place_that_a_page_links_to_is_there(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)", page.read_text("utf-8"))

    assert links
    assert [link for link, anchor in links if not leads_somewhere(page, link, anchor)] == []


def leads_somewhere(page: Path, link: str, anchor: str) -> bool:
    to = page.parent / link if link else page
    return to.exists() and (not anchor or anchor in headings(to))


def headings(page: Path) -> set[str]:
    """The names under which a page's headings are linked to."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_figures_that_the_readme_gives_in_short_are_those_that_were_measured(readme: str) -> None:
    table = readme.partition("## How good it is")[2].partition("| asked |")[2].partition("\n\n")[0]
    told = re.findall(r"\d[\d.]*(?= %)", table)

    assert len(told) > 5
    measured = FIGURES.read_text("utf-8")
    assert [figure for figure in told if not re.search(rf"(?<![\d.]){re.escape(figure)}(?![\d.]*\d)", measured)] == []


def test_the_settings_that_the_readme_shows_are_settings(readme: str) -> None:
    shown = tomllib.loads(readme.partition("## Configuration")[2].partition("```toml\n")[2].partition("```")[0])

    assert shown
    assert {f"{section}.{key}" for section, values in shown.items() for key in values} <= set(entries(Config()))


def test_no_setting_is_told_that_there_is_not(settings: str) -> None:
    named = set(re.findall(r"^\| `([a-z_]+(?:\.[a-z_]+)?)` \|", settings, re.MULTILINE))

    assert named == set(entries(Config()))
    assert all(f"# {name.rpartition('.')[2]} = " in template() for name in named)


def test_the_example_of_make_help_selects_tests() -> None:
    makefile = (README.parent / "Makefile").read_text("utf-8")
    (folder, word), *_ = re.findall(r'^test:.*ARGS="(\S+) -k (\w+)"', makefile, re.MULTILINE)

    assert [path for path in (README.parent / folder).glob("test_*.py") if word in path.stem]
