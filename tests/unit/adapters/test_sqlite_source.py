"""Reading a host's database: what a live, a killed and a closed host left, and that nothing of it is touched."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.errors import TranscriptError
from memd_adapters.sqlite_source import main_file, open_database, same_stamp, stamp, stamped

HOST = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA journal_mode=" + sys.argv[2]).fetchall()
conn.execute("PRAGMA busy_timeout=0")
for line in sys.stdin:
    try:
        print(conn.execute(line).fetchall(), flush=True)
    except sqlite3.Error as error:
        print(type(error).__name__, error, flush=True)
"""


class Host:
    """A process that has a database open, as a host does; it never waits for a lock."""

    def __init__(self, path: Path, mode: str = "wal") -> None:
        command = [sys.executable, "-c", HOST, str(path), mode]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, sql: str) -> str:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(sql + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def kill(self) -> None:
        self._process.kill()
        self.close()

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@contextmanager
def running_host(path: Path, mode: str = "wal") -> Iterator[Host]:
    host = Host(path, mode)
    try:
        yield host
    finally:
        host.close()


def looks(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.iterdir())}


def names(path: Path) -> list[object]:
    with open_database(path) as database:
        return [name for (name,) in database.rows("SELECT name FROM t ORDER BY rowid")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    folder = tmp_path / "host's folder #1 100%"
    folder.mkdir()
    return folder / "host.db"


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_a_live_hosts_rows_are_seen_and_nothing_is_touched(path: Path, mode: str) -> None:
    with running_host(path, mode) as host:
        host.run("CREATE TABLE t (name TEXT)")
        host.run("INSERT INTO t VALUES ('one')")
        before = looks(path.parent)
        assert names(path) == ["one"]
        assert looks(path.parent) == before
        assert host.run("INSERT INTO t VALUES ('two')") == "[]"
        before = looks(path.parent)
        assert names(path) == ["one", "two"]
        assert looks(path.parent) == before
        if mode == "wal":
            assert host.run("PRAGMA wal_checkpoint(TRUNCATE)") == "[(0, 0, 0)]"
            before = looks(path.parent)
            assert names(path) == ["one", "two"]
            assert looks(path.parent) == before


def test_a_host_is_never_kept_waiting_by_an_open_read(path: Path) -> None:
    with running_host(path) as host:
        host.run("CREATE TABLE t (name TEXT)")
        host.run("INSERT INTO t VALUES ('one')")
        with open_database(path) as database:
            first = database.row("SELECT count(*) FROM t")
            assert host.run("INSERT INTO t VALUES ('two')") == "[]"
            assert database.row("SELECT count(*) FROM t") == first
        assert names(path) == ["one", "two"]


def test_what_a_killed_host_left_in_the_wal_is_seen(path: Path) -> None:
    host = Host(path)
    host.run("CREATE TABLE t (name TEXT)")
    host.run("INSERT INTO t VALUES ('one')")
    host.kill()
    before = looks(path.parent)
    assert list(before) == ["host.db", "host.db-shm", "host.db-wal"]
    assert names(path) == ["one"]
    assert looks(path.parent) == before


def test_a_copy_without_shm_is_read_and_given_none(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy" / "host.db"
    copy.parent.mkdir()
    with running_host(path) as host:
        host.run("CREATE TABLE t (name TEXT)")
        host.run("INSERT INTO t VALUES ('one')")
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{path}{suffix}", f"{copy}{suffix}")
    before = looks(copy.parent)
    assert names(copy) == ["one"]
    assert looks(copy.parent) == before


@pytest.mark.parametrize("left", [[], ["-wal"], ["-shm"]])
def test_a_closed_database_is_read_without_a_wal_being_made(path: Path, left: list[str]) -> None:
    with running_host(path) as host:
        host.run("CREATE TABLE t (name TEXT)")
        host.run("INSERT INTO t VALUES ('one')")
    for suffix in left:
        Path(f"{path}{suffix}").write_bytes(b"")
    before = looks(path.parent)
    assert names(path) == ["one"]
    assert looks(path.parent) == before


def test_a_host_that_begins_to_write_meanwhile_makes_the_read_void(path: Path) -> None:
    with running_host(path) as host:
        host.run("CREATE TABLE t (name TEXT)")
    with running_host(path) as host, pytest.raises(BlockingIOError, match="changed while it was read"):
        with open_database(path):
            host.run("INSERT INTO t VALUES ('one')")


def test_a_locked_database_is_left_for_later(path: Path) -> None:
    with running_host(path, "delete") as host:
        host.run("CREATE TABLE t (name TEXT)")
        host.run("BEGIN EXCLUSIVE")
        with pytest.raises(OSError, match="cannot be read just now"):
            names(path)
        host.run("COMMIT")
        assert names(path) == []


def test_the_stamp_changes_with_the_wal_alone(path: Path) -> None:
    with running_host(path) as host:
        host.run("CREATE TABLE t (name TEXT)")
        before = stamp(path)
        main = path.stat().st_mtime_ns
        host.run("INSERT INTO t VALUES ('one')")
        assert path.stat().st_mtime_ns == main
        assert not same_stamp(stamp(path), before)
        assert same_stamp(stamped(before, 7, "{}", more=False), before)
        assert not same_stamp(stamped(before, 7, "{}", more=True), before)


def test_columns_are_those_of_tables_only(path: Path) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE t (name TEXT, b)")
        conn.execute("CREATE VIEW v AS SELECT name FROM t")
    conn.close()
    with open_database(path) as database:
        assert database.tables() == {"t"}
        assert database.columns("t") == {"name", "b"}
        assert database.columns("v") == database.columns("none") == frozenset()


def test_text_that_is_no_utf8_is_borne(path: Path) -> None:
    conn = sqlite3.connect(path)
    conn.execute("CREATE TABLE t (name TEXT)")
    conn.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))")
    conn.commit()
    conn.close()
    assert names(path) == ["a\ufffdb"]


def test_a_query_cannot_write(path: Path) -> None:
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE t (name TEXT)")
    conn.close()
    with pytest.raises(OSError, match="readonly"), open_database(path) as database:
        database.row("DELETE FROM t")


def test_what_is_no_database_is_refused(path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        names(path)
    for content, problem in ((b"", "is empty"), (b"{}" * 80, "is no SQLite database")):
        path.write_bytes(content)
        with pytest.raises(TranscriptError, match=problem):
            names(path)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=st.lists(st.tuples(st.integers(0, 16383), st.binary(min_size=1, max_size=60)), min_size=1, max_size=6))
def test_a_damaged_database_raises_nothing_else(tmp_path: Path, damage: list[tuple[int, bytes]]) -> None:
    path = tmp_path / "damaged.db"
    path.unlink(missing_ok=True)
    conn = sqlite3.connect(path)
    conn.execute("CREATE TABLE t (name TEXT PRIMARY KEY)")
    conn.executemany("INSERT INTO t VALUES (?)", [(f"{number} " * 40,) for number in range(40)])
    conn.commit()
    conn.close()
    content = bytearray(path.read_bytes())
    for at, bytes_ in damage:
        content[at : at + len(bytes_)] = bytes_
    path.write_bytes(content)
    with suppress(TranscriptError, OSError):
        names(path)
    assert [left.name for left in tmp_path.iterdir()] == ["damaged.db"]


def test_a_wal_belongs_to_its_database() -> None:
    assert main_file(Path("/home/ada/x.db-wal")) == Path("/home/ada/x.db")
    assert main_file(Path("/home/ada/x.db")) == Path("/home/ada/x.db")
    assert main_file(Path("/home/ada/x.db-shm")) is None
    assert main_file(Path("/home/ada/x.db-journal")) is None


def test_a_schema_with_functions_in_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "host.db"
    with running_host(path) as host:
        host.run("CREATE TABLE message(id TEXT, data TEXT)")
        host.run("CREATE INDEX roles ON message(id, json_extract(data, '$.role')) WHERE json_valid(data)")
        host.run("""INSERT INTO message VALUES('m', '{"role":"user"}')""")
        with open_database(path) as database:
            assert list(database.rows("SELECT id FROM message")) == [("m",)]
