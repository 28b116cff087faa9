from __future__ import annotations

import sqlite3
from contextlib import closing
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

import pytest

from memd.errors import NewerDatabase, NotOurDatabase, StoreError, StoreFull
from memd.store.connection import connect_writer
from memd.store.migrate import Migration, migrate, migrations, schema, statements

_NOW = 1_900_000_000_000


def _schema(path: Path) -> str:
    with closing(connect_writer(path)) as conn:
        return schema(conn)


def test_a_fresh_database_has_the_schema_that_is_written_down(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    migrate(path, tmp_path / "backups", _NOW)
    snapshot = resources.files("memd.store").joinpath("schema.sql").read_text("utf-8")
    assert _schema(path) == snapshot, "run `python -m memd.store.schema` to write the snapshot anew"


def test_migrating_twice_is_the_same_as_once(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    first = migrate(path, tmp_path / "backups", _NOW)
    second = migrate(path, tmp_path / "backups", _NOW)
    assert (first.before, first.backup) == (0, None)
    assert second.before == second.after == first.after
    assert second.backup is None


@pytest.mark.parametrize("start", range(1, len(migrations()) + 1))
def test_an_old_database_becomes_the_same_as_a_fresh_one(tmp_path: Path, start: int) -> None:
    old, fresh = tmp_path / "old.db", tmp_path / "fresh.db"
    steps = migrations()
    migrate(old, tmp_path / "backups", _NOW, steps[:start])
    migrate(old, tmp_path / "backups", _NOW)
    migrate(fresh, tmp_path / "backups", _NOW)
    assert _schema(old) == _schema(fresh)


def test_a_newer_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    migrate(path, tmp_path / "backups", _NOW)
    with closing(connect_writer(path)) as conn:
        conn.execute("PRAGMA user_version = 9999")
        conn.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with pytest.raises(NewerDatabase, match="9999"):
        migrate(path, tmp_path / "backups", _NOW)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("CREATE TABLE bookmarks (url TEXT)")
    before = path.read_bytes()
    with pytest.raises(NotOurDatabase):
        migrate(path, tmp_path / "backups", _NOW)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    path.write_text("Dear diary, " * 1000)
    with pytest.raises(NotOurDatabase):
        migrate(path, tmp_path / "backups", _NOW)
    assert path.read_text().startswith("Dear diary, ")


def test_a_backup_is_taken_before_a_migration(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    steps = migrations()
    migrate(path, tmp_path / "backups", _NOW)
    more = (*steps, Migration(steps[-1].number + 1, "more", "CREATE TABLE more (n INTEGER) STRICT;"))
    result = migrate(path, tmp_path / "backups", _NOW, more)
    assert result.backup is not None
    assert result.backup.stat().st_mode & 0o777 == 0o600
    assert "more" not in _schema(result.backup)
    assert "CREATE TABLE more" in _schema(path)


def test_without_room_for_the_backup_nothing_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, steps = tmp_path / "memd.db", migrations()
    migrate(path, tmp_path / "backups", _NOW, steps[:1])
    before = path.read_bytes()
    monkeypatch.setattr("memd.store.migrate.shutil.disk_usage", lambda _: SimpleNamespace(free=path.stat().st_size))
    with pytest.raises(StoreFull):
        migrate(path, tmp_path / "backups", _NOW, steps)
    assert path.read_bytes() == before
    assert list((tmp_path / "backups").iterdir()) == []


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    steps = migrations()
    migrate(path, tmp_path / "backups", _NOW)
    before = _schema(path)
    number = steps[-1].number
    bad = (*steps, Migration(number + 1, "good", "CREATE TABLE good (n);"), Migration(number + 2, "bad", "NONSENSE;"))
    with pytest.raises(StoreError):
        migrate(path, tmp_path / "backups", _NOW, bad)
    assert _schema(path) == before
    assert migrate(path, tmp_path / "backups", _NOW).before == number


def test_a_migration_that_leaves_rows_pointing_nowhere_is_undone(tmp_path: Path) -> None:
    path = tmp_path / "memd.db"
    steps = migrations()
    migrate(path, tmp_path / "backups", _NOW)
    sql = "INSERT INTO project_aliases VALUES ('/home/ada/old', 77);"
    bad = (*steps, Migration(steps[-1].number + 1, "dangling", sql))
    with pytest.raises(StoreError, match="not there"):
        migrate(path, tmp_path / "backups", _NOW, bad)


def test_no_two_migrations_have_one_number() -> None:
    numbers = [step.number for step in migrations()]
    assert numbers == sorted(set(numbers))


def test_a_script_is_split_into_its_statements() -> None:
    sql = "CREATE TABLE a (b TEXT DEFAULT ';'); -- one;\nCREATE TRIGGER t AFTER INSERT ON a BEGIN\n SELECT 1;\nEND;\n"
    parts = [part.strip() for part in statements(sql)]
    assert len(parts) == 2
    assert parts[1].startswith("CREATE TRIGGER")
