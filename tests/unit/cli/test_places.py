from __future__ import annotations

from pathlib import Path

import pytest

from memd.doors.cli.places import locate, project_word
from memd.errors import ConfigError, PathError
from memd.paths import resolve


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path)}


def configure(env: dict[str, str], text: str) -> None:
    path = resolve(env).config_file
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_the_option_wins_over_the_environment_which_wins_over_the_configuration(
    home: dict[str, str], tmp_path: Path
) -> None:
    configure(home, f'data_dir = "{tmp_path}/configured"\n')
    env = home | {"MEMD_DATA_DIR": str(tmp_path / "environment")}

    assert locate(env, str(tmp_path / "option")).paths.data_dir == tmp_path / "option"
    assert locate(env, None).paths.data_dir == tmp_path / "environment"
    assert locate(home, None).paths.data_dir == tmp_path / "configured"


def test_whoever_is_started_with_the_environment_finds_the_same_folders(home: dict[str, str], tmp_path: Path) -> None:
    configure(home, f'data_dir = "{tmp_path}/configured"\n')

    for places in (locate(home, None), locate(home, str(tmp_path / "option"))):
        assert locate(places.env, None).paths == places.paths


def test_the_configuration_that_moves_the_data_stays_where_it_is(home: dict[str, str], tmp_path: Path) -> None:
    configure(home, f'data_dir = "{tmp_path}/configured"\n')

    assert locate(home, None).paths.config_file == resolve(home).config_file


def test_a_relative_folder_of_the_option_is_taken_from_here(
    home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert locate(home, "mine").paths.data_dir == tmp_path / "mine"


def test_a_configuration_that_is_no_toml_is_named(home: dict[str, str]) -> None:
    configure(home, "data_dir = \n")

    with pytest.raises(ConfigError, match=r"config\.toml: is not valid TOML"):
        locate(home, None)


def test_a_relative_data_dir_in_the_configuration_is_refused(home: dict[str, str]) -> None:
    configure(home, 'data_dir = "somewhere"\n')

    with pytest.raises(PathError, match="data_dir must be an absolute path"):
        locate(home, None)


def test_a_project_is_told_by_its_folder_or_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop").mkdir()
    monkeypatch.chdir(tmp_path)

    assert project_word("shop") == str(tmp_path / "shop")
    assert project_word("elsewhere") == "elsewhere"
    assert project_word(None) is None
