"""Changing a host's files: whole or not at all, with what they are kept as they are."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from memd.errors import SettingsError
from memd_hooks import files, manifest
from memd_hooks.jsonc import DocumentError
from memd_hooks.settings_json import Before


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "settings.json"
    change = files.change(path, lambda _: b"{}")
    assert (path.read_bytes(), mode(path), mode(path.parent)) == (b"{}", 0o600, 0o700)
    assert change == files.Change(None, b"{}", (tmp_path / "a", tmp_path / "a" / "b"))
    assert list(path.parent.iterdir()) == [path]


def test_mode_and_link_stay(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "claude.json"
    real.parent.mkdir()
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "settings.json"
    link.symlink_to("dotfiles/claude.json")
    files.change(link, lambda _: b"new")
    assert link.is_symlink()
    assert (real.read_bytes(), mode(real)) == (b"new", 0o640)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a file away")
def test_the_owner_stays_when_root_edits(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"old")
    os.chown(path, 12345, 12346)
    files.change(path, lambda _: b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 12346)


def test_a_file_that_is_right_already_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{}")
    before = path.stat()
    assert files.change(path, lambda data: data) == files.Change(b"{}", b"{}")
    assert (path.stat().st_ino, path.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_no_file_may_stay_no_file(tmp_path: Path) -> None:
    assert files.change(tmp_path / "x" / "settings.json", lambda data: data) == files.Change(None, None)
    assert not (tmp_path / "x").exists()


def test_a_file_can_be_removed(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{}")
    files.change(path, lambda _: None)
    assert not path.exists()


def test_what_another_program_writes_meanwhile_is_not_lost(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"one")
    seen: list[bytes | None] = []

    def edit(data: bytes | None) -> bytes:
        if not seen:
            path.write_bytes(b"two")
        seen.append(data)
        return (data or b"") + b"+ours"

    files.change(path, edit)
    assert seen == [b"one", b"two"]
    assert path.read_bytes() == b"two+ours"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_keeps_changing_is_given_up(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"")

    def edit(data: bytes | None) -> bytes:
        path.write_bytes((data or b"") + b"x")
        return b"ours"

    with pytest.raises(SettingsError, match=r"settings\.json: another program keeps changing it"):
        files.change(path, edit)
    assert list(tmp_path.iterdir()) == [path]


def test_a_refused_document_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{")

    def edit(_: bytes | None) -> bytes:
        raise DocumentError("it is not valid JSON: a string is missing (line 1, column 2)")

    with pytest.raises(SettingsError, match="line 1, column 2"):
        files.change(path, edit)
    assert path.read_bytes() == b"{"


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.json").mkdir()
    with pytest.raises(SettingsError, match="cannot be read"):
        files.change(tmp_path / "settings.json", lambda _: b"{}")


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(SettingsError, match="cannot be read"):
        files.change(tmp_path / "a", lambda _: b"{}")


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everything")
def test_a_write_protected_file_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"{}")
    path.chmod(0o444)
    with pytest.raises(SettingsError, match="write-protected"):
        files.change(path, lambda _: b"ours")
    assert path.read_bytes() == b"{}"


def test_a_file_in_a_folders_place_is_refused_and_no_folder_is_left(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"")
    with pytest.raises(SettingsError, match="cannot be written"):
        files.change(tmp_path / "home" / ".claude" / "settings.json", lambda _: b"{}")
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


def test_a_huge_file_is_no_settings_file(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    with path.open("wb") as stream:
        stream.truncate(files.SIZE_LIMIT + 1)
    with pytest.raises(SettingsError, match="larger than 8 MiB"):
        files.read(path)


def test_the_first_backup_is_kept_and_private(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    backup = files.keep_backup(path, b"first", tmp_path / "before")
    assert files.keep_backup(path, b"second", tmp_path / "before") == backup
    assert files.keep_backup(tmp_path / "other" / "settings.json", b"other", tmp_path / "before") != backup
    assert (backup.read_bytes(), mode(backup), mode(backup.parent)) == (b"first", 0o600, 0o700)


RECORD = manifest.FileRecord(
    path=Path("/home/ada/.claude/settings.json"),
    host="claude_code",
    sha256=manifest.digest(b"{}"),
    before=Before(absent=True, blank="", empties=((("hooks", "Stop"), "\r\n"), ((), " "))),
    folders=(Path("/home/ada/.claude"),),
    backup=Path("/home/ada/.local/state/memd/before/settings.json.0123456789ab"),
)


def test_a_manifest_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "state" / "installed.json"
    whole = manifest.Manifest().having(RECORD)
    manifest.save(path, whole)
    assert manifest.load(path) == whole
    assert mode(path) == 0o600
    assert whole.having(RECORD) == whole
    manifest.save(path, whole.without(RECORD.path))
    assert not path.exists()
    assert manifest.load(path) == manifest.Manifest()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"files": 5}', b"\xff", b"[" * 100_000], ids=range(6))
def test_a_damaged_manifest_is_empty_and_says_so(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "installed.json").write_bytes(data)
    assert manifest.load(tmp_path / "installed.json") == manifest.Manifest(damaged=True)


def test_the_readable_part_of_a_damaged_manifest_is_used(tmp_path: Path) -> None:
    path = tmp_path / "installed.json"
    manifest.save(path, manifest.Manifest((RECORD,)))
    path.write_bytes(path.read_bytes().replace(b'"files": [', b'"files": [ 7, {"path": 1},'))
    assert manifest.load(path) == manifest.Manifest((RECORD,), damaged=True)


def test_a_pipe_in_the_place_of_the_settings_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "settings.json")
    with pytest.raises(SettingsError, match="not a regular file"):
        files.read(tmp_path / "settings.json")
