from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memd.errors import DamagedDatabase, StoreError
from memd.store.backup import Backup, backups, check, drop_unfinished, restoring, rotate, take
from memd.store.connection import connect_writer
from memd.store.recovery import recover_if_damaged

_NOW = 1_900_000_000_000
_DAY = 86_400_000


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "memd.db"
    with closing(connect_writer(path)) as conn:
        conn.execute("CREATE TABLE t (n INTEGER, text TEXT)")
        conn.executemany("INSERT INTO t VALUES (?, ?)", ((n, "word " * 50) for n in range(5_000)))
    return path


def _rows(path: Path) -> int:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as conn:
        return int(conn.execute("SELECT count(*) FROM t").fetchone()[0])


def _damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(8192)
        file.write(b"\xff" * 65_536)


def test_a_backup_is_whole_private_and_stands_alone(database: Path, tmp_path: Path) -> None:
    backup = take(database, tmp_path / "backups", _NOW)
    assert _rows(backup.path) == 5_000
    assert backup.path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in (tmp_path / "backups").iterdir()] == [backup.path.name]


def test_a_backup_taken_while_rows_are_written_is_consistent(database: Path, tmp_path: Path) -> None:
    stop = threading.Event()

    def write() -> None:
        with closing(connect_writer(database)) as conn:
            while not stop.is_set():
                conn.execute("BEGIN IMMEDIATE")
                conn.executemany("INSERT INTO t VALUES (?, 'x')", ((n,) for n in range(100)))
                conn.execute("COMMIT")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        backup = take(database, tmp_path / "backups", _NOW)
    finally:
        stop.set()
        writer.join()
    assert check(backup.path, full=True) is None
    assert _rows(backup.path) % 100 == 0


def test_a_damaged_database_makes_no_backup(database: Path, tmp_path: Path) -> None:
    _damage(database)
    with pytest.raises(DamagedDatabase):
        take(database, tmp_path / "backups", _NOW)
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_copy_that_was_not_finished_goes_and_a_backup_stays(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    assert drop_unfinished(database, folder) == ()
    backup = take(database, folder, _NOW)
    left = (folder / f"memd-{_NOW + 1}.partial", folder / f"memd-{_NOW + 1}.partial-journal", restoring(database))
    for path in left:
        path.write_bytes(b"SQLite format 3\0")
    assert set(drop_unfinished(database, folder)) == set(left)
    assert set(folder.iterdir()) == {backup.path}
    assert database.exists()


def test_rotation_keeps_the_newest_and_one_of_each_week(tmp_path: Path) -> None:
    for day in range(40):
        (tmp_path / f"memd-{_NOW + day * _DAY}.db").touch()
    (tmp_path / "notes.txt").touch()
    rotate(tmp_path, keep_recent=3, keep_weekly=3)
    days = sorted((backup.at - _NOW) // _DAY for backup in backups(tmp_path))
    assert days[-3:] == [37, 38, 39]
    assert len(days) < 7
    assert days[0] in range(20, 33)
    assert (tmp_path / "notes.txt").exists()


def test_rotation_keeps_the_newest_two_copies_that_migrations_made(tmp_path: Path) -> None:
    for version in (14, 15, 17, 19):
        (tmp_path / f"memd-before-migration-v{version}-{_NOW + version}.db").touch()
    (tmp_path / f"memd-{_NOW}.db").touch()
    rotate(tmp_path, keep_recent=3, keep_weekly=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        f"memd-{_NOW}.db",
        f"memd-before-migration-v17-{_NOW + 17}.db",
        f"memd-before-migration-v19-{_NOW + 19}.db",
    ]


def test_a_good_or_missing_database_is_left_alone(database: Path, tmp_path: Path) -> None:
    assert recover_if_damaged(database, tmp_path / "backups", _NOW) is None
    assert recover_if_damaged(tmp_path / "none.db", tmp_path / "backups", _NOW) is None


def test_a_damaged_database_is_set_aside_and_the_newest_good_backup_restored(database: Path, tmp_path: Path) -> None:
    take(database, tmp_path / "backups", _NOW)
    newer = take(database, tmp_path / "backups", _NOW + 1)
    _damage(newer.path)
    _damage(database)
    recovery = recover_if_damaged(database, tmp_path / "backups", _NOW + 2)
    assert recovery is not None
    assert recovery.restored is not None
    assert recovery.restored.at == _NOW
    assert recovery.moved_to.exists()
    assert str(recovery.moved_to) in recovery.sentence
    assert "deleted for good stays deleted" in recovery.sentence
    assert _rows(database) == 5_000
    assert database.stat().st_mode & 0o777 == 0o600


def test_the_copy_of_before_a_migration_is_restored_where_no_backup_is_newer(database: Path, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    take(database, folder, _NOW)
    kept = take(database, tmp_path / "other", _NOW + 1).path.rename(folder / f"memd-before-migration-v15-{_NOW + 1}.db")
    _damage(database)
    recovery = recover_if_damaged(database, folder, _NOW + 2)
    assert recovery is not None
    assert recovery.restored == Backup(kept, _NOW + 1)
    assert _rows(database) == 5_000
    assert [backup.at for backup in backups(folder)] == [_NOW]


def test_without_a_good_backup_memd_begins_anew_and_says_so(database: Path, tmp_path: Path) -> None:
    _damage(database)
    recovery = recover_if_damaged(database, tmp_path / "backups", _NOW)
    assert recovery is not None
    assert recovery.restored is None
    assert not database.exists()
    assert "anew" in recovery.sentence
    assert "deleted for good stays deleted" in recovery.sentence


def test_an_empty_file_where_there_are_backups_is_damage(database: Path, tmp_path: Path) -> None:
    os.truncate(database, 0)
    assert recover_if_damaged(database, tmp_path / "none", _NOW) is None
    database.unlink()
    with closing(connect_writer(database)) as conn:
        conn.execute("CREATE TABLE t (n INTEGER, text TEXT)")
    take(database, tmp_path / "backups", _NOW)
    os.truncate(database, 0)
    recovery = recover_if_damaged(database, tmp_path / "backups", _NOW + 1)
    assert recovery is not None
    assert recovery.restored is not None
    assert _rows(database) == 0


@pytest.mark.parametrize("name", ["SQLITE_IOERR_SHMSIZE", "SQLITE_IOERR_WRITE", "SQLITE_IOERR_LOCK", "SQLITE_FULL"])
def test_a_full_disk_or_a_lock_is_no_damage(
    name: str, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode, error.sqlite_errorname = getattr(sqlite3, name), name
        raise error

    before = database.read_bytes()
    monkeypatch.setattr("memd.store.backup.sqlite3.connect", refuse)
    with pytest.raises(StoreError):
        recover_if_damaged(database, tmp_path / "backups", _NOW)
    monkeypatch.undo()
    assert database.read_bytes() == before
    assert list(tmp_path.glob("*.damaged-*")) == []


def test_a_damaged_database_stays_where_it_is_when_there_is_no_room_for_the_backup(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    take(database, tmp_path / "backups", _NOW)
    _damage(database)
    with monkeypatch.context() as context:
        context.setattr("memd.store.recovery.shutil.copy2", full)
        with pytest.raises(OSError, match="No space"):
            recover_if_damaged(database, tmp_path / "backups", _NOW + 1)
    assert list(tmp_path.glob("*.damaged-*")) == []
    recovery = recover_if_damaged(database, tmp_path / "backups", _NOW + 2)
    assert recovery is not None
    assert recovery.moved_to.exists()
    assert _rows(database) == 5_000
