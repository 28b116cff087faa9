from __future__ import annotations

import os
from pathlib import Path

import pytest

from memd.errors import PathError
from memd.paths import check_socket_path, make_private, resolve, socket_path_limit

_HOME = Path("/home/ada")


def test_linux_follows_the_xdg_folders() -> None:
    env = {"XDG_DATA_HOME": "/d", "XDG_STATE_HOME": "/s", "XDG_CONFIG_HOME": "/c", "XDG_RUNTIME_DIR": "/run/user/7"}
    paths = resolve(env, home=_HOME, platform="linux")
    assert paths.database == Path("/d/memd/memd.db")
    assert paths.log_file == Path("/s/memd/memd.log")
    assert paths.config_file == Path("/c/memd/config.toml")
    assert paths.socket == Path("/run/user/7/memd/memd.sock")


def test_without_xdg_variables_everything_lies_below_the_home_folder() -> None:
    paths = resolve({}, home=_HOME, platform="linux")
    assert paths.data_dir == _HOME / ".local/share/memd"
    assert paths.socket == _HOME / ".local/state/memd/run/memd.sock"


def test_a_relative_xdg_value_is_ignored() -> None:
    assert resolve({"XDG_DATA_HOME": "data"}, home=_HOME, platform="linux").data_dir == _HOME / ".local/share/memd"


def test_macos_uses_its_own_library() -> None:
    paths = resolve({}, home=Path("/Users/ada"), platform="darwin")
    assert paths.data_dir == Path("/Users/ada/Library/Application Support/memd")
    assert paths.cache_dir == Path("/Users/ada/Library/Caches/memd")
    everything = (paths.data_dir, paths.state_dir, paths.cache_dir, paths.config_dir, paths.runtime_dir)
    assert all(folder.is_relative_to("/Users/ada/Library") for folder in everything)


def test_macos_ignores_what_xdg_says_and_linux_what_macos_has() -> None:
    env = {"XDG_DATA_HOME": "/x/data", "XDG_CONFIG_HOME": "/x/config", "XDG_RUNTIME_DIR": "/x/run"}
    assert resolve(env, home=_HOME, platform="darwin") == resolve({}, home=_HOME, platform="darwin")
    assert "Library" not in str(resolve(env, home=_HOME, platform="linux"))


@pytest.mark.parametrize(("platform", "limit"), [("linux", 107), ("darwin", 103), ("freebsd14", 103)])
def test_a_socket_path_may_be_as_long_as_the_system_takes_it(platform: str, limit: int) -> None:
    longest = Path("/" + "x" * (limit - 1))
    check_socket_path(longest, platform)
    with pytest.raises(PathError, match=str(limit)):
        check_socket_path(longest.with_name(longest.name + "x"), platform)
    for size in range(60, 120):
        home = Path("/Users") / ("a" * size)
        check_socket_path(resolve({}, home=home, platform=platform).socket, platform)


def test_one_variable_moves_all_data_and_the_option_wins_over_it() -> None:
    paths = resolve({"MEMD_DATA_DIR": "/srv/memd"}, home=_HOME)
    assert {paths.data_dir, paths.state_dir.parent, paths.cache_dir.parent} == {Path("/srv/memd")}
    chosen = resolve({"MEMD_DATA_DIR": "/srv/memd"}, home=_HOME, data_dir=Path("/opt/m"))
    assert chosen.data_dir == Path("/opt/m")


def test_a_relative_data_folder_is_refused() -> None:
    with pytest.raises(PathError, match="MEMD_DATA_DIR"):
        resolve({"MEMD_DATA_DIR": "here"}, home=_HOME)


def test_a_long_data_folder_still_gets_a_socket_that_can_be_bound() -> None:
    paths = resolve({"MEMD_DATA_DIR": "/srv/" + "x" * 200}, home=_HOME)
    check_socket_path(paths.socket)
    assert str(os.getuid()) in str(paths.socket)
    again = resolve({"MEMD_DATA_DIR": "/srv/" + "x" * 200}, home=_HOME)
    other = resolve({"MEMD_DATA_DIR": "/srv/" + "x" * 201}, home=_HOME)
    assert paths.socket == again.socket != other.socket


def test_a_socket_path_that_is_too_long_is_named_with_the_limit() -> None:
    with pytest.raises(PathError, match=str(socket_path_limit())):
        check_socket_path(Path("/" + "y" * 200))


def test_private_folders_are_for_the_owner_only_also_when_they_were_open_before(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True, mode=0o755)
    folder.chmod(0o755)
    make_private(folder)
    assert folder.stat().st_mode & 0o777 == 0o700
