from __future__ import annotations

import os
from pathlib import Path

import pytest

from memd.adapter import Batch, Cursor, HostEnv, LiveProcess, ReadLimits, Root, Source
from memd.capture.scan import Stamp, scan, stamp_of


class JsonlFiles:
    """Every *.jsonl file is a source of this host."""

    name = "lines"
    title = "Lines"

    def roots(self, env: HostEnv) -> tuple[Root, ...]:
        return (Root(self.name, env.home),)

    def classify(self, root: Root, path: Path) -> Source | None:
        return Source(root.host, path, path.stem) if path.suffix == ".jsonl" else None

    def recognise(self, path: Path, head: bytes) -> Source | None:
        return None

    def read(self, source: Source, cursor: Cursor | None, limits: ReadLimits) -> Batch:
        raise NotImplementedError

    def live(self, root: Root) -> tuple[LiveProcess, ...]:
        return ()


def write(path: Path, *, at_s: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (at_s, at_s))
    return path


def read_stamp(path: Path) -> Stamp:
    stamp = stamp_of(path)
    assert stamp is not None
    return stamp


def test_new_files_come_newest_first(tmp_path: Path) -> None:
    old = write(tmp_path / "a" / "old.jsonl", at_s=1_000)
    new = write(tmp_path / "b" / "c" / "new.jsonl", at_s=3_000)
    middle = write(tmp_path / "middle.jsonl", at_s=2_000)
    write(tmp_path / "notes.txt", at_s=4_000)
    found = scan(JsonlFiles(), Root("lines", tmp_path), {})
    assert [entry.source.path for entry in found.dirty] == [new, middle, old]
    assert (found.sources, found.bytes_total, found.directories) == (3, 9, 4)
    assert found.newest_mtime_ns == 3_000 * 10**9


def test_a_file_as_it_was_read_is_not_dirty(tmp_path: Path) -> None:
    file = write(tmp_path / "a.jsonl", at_s=1_000)
    found = scan(JsonlFiles(), Root("lines", tmp_path), {file: read_stamp(file)})
    assert found.dirty == ()
    assert found.sources == 1


def test_growth_a_rewrite_and_another_inode_are_dirty(tmp_path: Path) -> None:
    grown, rewritten, replaced = (write(tmp_path / f"{name}.jsonl", at_s=1_000) for name in "abc")
    known = {path: read_stamp(path) for path in (grown, rewritten, replaced)}
    with grown.open("a") as stream:
        stream.write("{}\n")
    os.utime(rewritten, (2_000, 2_000))
    write(tmp_path / "c.tmp", at_s=1_000).rename(replaced)
    found = scan(JsonlFiles(), Root("lines", tmp_path), known)
    assert {entry.source.path for entry in found.dirty} == {grown, rewritten, replaced}


def test_a_known_file_that_is_gone_has_vanished(tmp_path: Path) -> None:
    gone = tmp_path / "gone.jsonl"
    elsewhere = tmp_path.parent / "elsewhere.jsonl"
    known = {gone: Stamp(1, 1, 1), elsewhere: Stamp(1, 1, 1)}
    assert scan(JsonlFiles(), Root("lines", tmp_path), known).vanished == (gone,)


def test_a_missing_root_has_nothing_and_its_files_have_vanished(tmp_path: Path) -> None:
    root = tmp_path / "none"
    found = scan(JsonlFiles(), Root("lines", root), {root / "a.jsonl": Stamp(1, 1, 1)})
    assert not found.exists
    assert found.vanished == (root / "a.jsonl",)


def test_a_root_may_be_a_file(tmp_path: Path) -> None:
    file = write(tmp_path / "one.jsonl", at_s=1_000)
    found = scan(JsonlFiles(), Root("lines", file), {})
    assert [entry.source.path for entry in found.dirty] == [file]


def test_linked_folders_are_not_entered_and_loops_end(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "a.jsonl", at_s=1_000)
    root = tmp_path / "root"
    inside = write(root / "b.jsonl", at_s=1_000)
    (root / "out").symlink_to(outside.parent)
    (root / "loop").symlink_to(root)
    (root / "nowhere").symlink_to(tmp_path / "none")
    found = scan(JsonlFiles(), Root("lines", root), {})
    assert [entry.source.path for entry in found.dirty] == [inside]


def test_a_root_that_is_a_link_is_entered(tmp_path: Path) -> None:
    write(tmp_path / "real" / "a.jsonl", at_s=1_000)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "real")
    found = scan(JsonlFiles(), Root("lines", link), {})
    assert [entry.source.path for entry in found.dirty] == [link / "a.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_folder_that_may_not_be_read_is_told_and_nothing_counts_as_vanished(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    write(closed / "a.jsonl", at_s=1_000)
    closed.chmod(0)
    try:
        found = scan(JsonlFiles(), Root("lines", tmp_path), {closed / "a.jsonl": Stamp(1, 1, 1)})
    finally:
        closed.chmod(0o700)
    assert found.unreadable == {closed: "Permission denied"}
    assert found.vanished == ()


def test_a_root_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    root = tmp_path / ("x" * 300)
    found = scan(JsonlFiles(), Root("lines", root), {root / "a.jsonl": Stamp(1, 1, 1)})
    assert found.unreadable == {root: "File name too long"}
    assert found.vanished == ()


def test_thousands_of_files_are_found(tmp_path: Path) -> None:
    for number in range(40):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        for other in range(75):
            (folder / f"{other}.jsonl").touch()
    found = scan(JsonlFiles(), Root("lines", tmp_path), {})
    assert found.sources == 3000
    known = {entry.source.path: entry.stamp for entry in found.dirty}
    assert scan(JsonlFiles(), Root("lines", tmp_path), known).dirty == ()


def test_the_wal_of_a_database_is_part_of_it(tmp_path: Path) -> None:
    database, wal = tmp_path / "rows.jsonl", tmp_path / "rows.jsonl-wal"
    database.write_bytes(b"main")
    wal.write_bytes(b"rows")
    os.utime(database, ns=(1, 1_000_000_000))
    os.utime(wal, ns=(1, 2_000_000_000))
    stamp = stamp_of(database)
    assert stamp == Stamp(8, 2_000_000_000, database.stat().st_ino)
    found = scan(JsonlFiles(), Root("lines", tmp_path), {})
    assert [(entry.source.path, entry.stamp) for entry in found.dirty] == [(database, stamp)]
    assert scan(JsonlFiles(), Root("lines", tmp_path), {database: stamp}).dirty == ()
    wal.write_bytes(b"more rows")
    assert [entry.source.path for entry in scan(JsonlFiles(), Root("lines", tmp_path), {database: stamp}).dirty] == [
        database
    ]


def test_a_wal_without_its_database_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl-wal").write_bytes(b"rows")
    assert scan(JsonlFiles(), Root("lines", tmp_path), {}).sources == 0


def test_a_loop_of_links_is_no_file(tmp_path: Path) -> None:
    link = tmp_path / "loop.jsonl"
    link.symlink_to("loop.jsonl")
    assert stamp_of(link) is None
    assert stamp_of(Path("a\0b")) is None
    assert stamp_of(tmp_path / ("x" * 5000)) is None
