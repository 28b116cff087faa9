from __future__ import annotations

from pathlib import Path

import pytest

from memd.inject import identity


@pytest.mark.parametrize("name", ["identity.md", "Identity.md", "IDENTITY.MD"])
def test_the_file_is_found_whatever_the_case_of_its_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("Ada, keeper of the light.\n")
    assert identity.read(tmp_path) == "Ada, keeper of the light."


def test_what_is_changed_is_read_anew(tmp_path: Path) -> None:
    (tmp_path / "identity.md").write_text("Ada")
    assert identity.read(tmp_path) == "Ada"
    (tmp_path / "identity.md").write_text("Grace")
    assert identity.read(tmp_path) == "Grace"


def test_where_there_is_none_nobody_is_told_of(tmp_path: Path) -> None:
    assert identity.read(None) == ""
    assert identity.read(tmp_path) == ""
    assert identity.read(tmp_path / "nowhere") == ""
    (tmp_path / "identity.md").mkdir()
    assert identity.read(tmp_path) == ""


def test_secrets_in_it_are_not_told(tmp_path: Path) -> None:
    secret = "sk-ant-" + "api03-" + "Zt9wQ4mK7xP2vB8nL5rT1yU6oI3aS0dF"
    (tmp_path / "identity.md").write_text(f"Ada, her key is {secret}")
    assert secret not in identity.read(tmp_path)


def test_who_said_nothing_of_himself_is_asked_once_and_again_when_the_marker_is_removed(tmp_path: Path) -> None:
    assert str(tmp_path / "identity.md") in identity.ask_once(tmp_path)
    assert identity.ask_once(tmp_path) == ""
    (tmp_path / "identity.asked").unlink()
    assert identity.ask_once(tmp_path) != ""


def test_who_has_said_it_or_declined_is_not_asked(tmp_path: Path) -> None:
    (tmp_path / "identity.md").write_text("Ada")
    assert identity.ask_once(tmp_path) == ""
    (tmp_path / "identity.md").unlink()
    (tmp_path / "identity.asked").touch()
    assert identity.ask_once(tmp_path) == ""
    assert identity.ask_once(tmp_path / "nowhere") == ""
    assert not (tmp_path / "nowhere").exists()
