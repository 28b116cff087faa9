from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from memd.capture.watch import Watcher

# Folders made faster than watchdog can look are watched twice by it, which it says and which does no harm.
pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")


@asynccontextmanager
async def watching(*roots: Path, poll_always: bool = False) -> AsyncIterator[Watcher]:
    watcher = Watcher(roots, drain_s=0.02, check_s=0.05, poll_s=0.1, poll_always=poll_always)
    async with anyio.create_task_group() as group:
        await group.start(watcher.run)
        yield watcher
        group.cancel_scope.cancel()


async def seen(watcher: Watcher, *, paths: set[Path] = frozenset(), roots: set[Path] = frozenset()) -> None:  # type: ignore[assignment]
    """Wait until all of these were reported."""
    paths, roots = set(paths), set(roots)
    with anyio.fail_after(120):
        while paths or roots:
            changes = await watcher.changes()
            paths -= changes.paths
            roots -= changes.roots


async def mode(watcher: Watcher, wanted: str) -> None:
    with anyio.fail_after(120):
        while watcher.status()[0].mode != wanted:  # noqa: ASYNC110 - the watcher tells nobody of its modes
            await anyio.sleep(0.01)


async def test_every_root_is_reported_once_it_is_watched(tmp_path: Path) -> None:
    async with watching(tmp_path) as watcher:
        await seen(watcher, roots={tmp_path})
        assert [status.mode for status in watcher.status()] == ["native"]


async def test_a_new_file_an_append_and_a_deletion_are_reported(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    async with watching(tmp_path) as watcher:
        file.write_text("{}\n")
        await seen(watcher, paths={file})
        with file.open("a") as stream:
            stream.write("{}\n")
            stream.flush()
            await seen(watcher, paths={file})
        file.unlink()
        await seen(watcher, paths={file})


async def test_a_file_in_new_folders_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "deeper" / "a.jsonl"
    async with watching(tmp_path) as watcher:
        file.parent.mkdir(parents=True)
        file.write_text("{}\n")
        await seen(watcher, paths={file})


async def test_both_names_of_a_renamed_file_are_reported(tmp_path: Path) -> None:
    old, new = tmp_path / "old.jsonl", tmp_path / "new.jsonl"
    old.write_text("{}\n")
    async with watching(tmp_path) as watcher:
        await seen(watcher, roots={tmp_path})
        old.rename(new)
        await seen(watcher, paths={old, new})


async def test_a_moved_folder_has_its_root_looked_through(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "a.jsonl").write_text("{}\n")
    async with watching(tmp_path) as watcher:
        await seen(watcher, roots={tmp_path})
        (tmp_path / "one").rename(tmp_path / "two")
        await seen(watcher, paths={tmp_path / "two" / "a.jsonl"}, roots={tmp_path})


async def test_reading_a_file_is_no_change(tmp_path: Path) -> None:
    file, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    file.write_text("{}\n")
    async with watching(tmp_path) as watcher:
        await seen(watcher, roots={tmp_path})
        file.read_text()
        other.write_text("{}\n")
        changes = await watcher.changes()
        assert changes.paths == {other}


async def test_many_changes_come_together(tmp_path: Path) -> None:
    files = {tmp_path / f"{number}.jsonl" for number in range(500)}
    async with watching(tmp_path) as watcher:
        for file in files:
            file.write_text("{}\n")
        await seen(watcher, paths=files)


async def test_a_missing_root_is_watched_when_it_appears(tmp_path: Path) -> None:
    root = tmp_path / "later" / "projects"
    async with watching(root) as watcher:
        assert watcher.status()[0].mode == "absent"
        root.mkdir(parents=True)
        await seen(watcher, roots={root})
        (root / "a.jsonl").write_text("{}\n")
        await seen(watcher, paths={root / "a.jsonl"})


async def test_a_root_that_was_deleted_and_made_again_is_watched_again(tmp_path: Path) -> None:
    root = tmp_path / "projects"
    root.mkdir()
    async with watching(root) as watcher:
        await seen(watcher, roots={root})
        shutil.rmtree(root)
        await mode(watcher, "absent")
        root.mkdir()
        await mode(watcher, "native")
        (root / "a.jsonl").write_text("{}\n")
        await seen(watcher, paths={root / "a.jsonl"})


async def test_a_root_replaced_by_another_folder_is_watched_as_that(tmp_path: Path) -> None:
    root, other = tmp_path / "projects", tmp_path / "other"
    root.mkdir()
    other.mkdir()
    async with watching(root) as watcher:
        await seen(watcher, roots={root})
        root.rename(tmp_path / "aside")
        other.rename(root)
        await seen(watcher, roots={root})
        (root / "a.jsonl").write_text("{}\n")
        await seen(watcher, paths={root / "a.jsonl"})


async def test_a_root_that_is_a_link_keeps_its_own_spelling(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)
    async with watching(link) as watcher:
        (real / "a.jsonl").write_text("{}\n")
        await seen(watcher, paths={link / "a.jsonl"})


async def test_a_root_below_another_is_watched_once(tmp_path: Path) -> None:
    async with watching(tmp_path, tmp_path / "below") as watcher:
        assert [status.root for status in watcher.status()] == [tmp_path]


async def test_a_polled_root_is_looked_through_again_and_again(tmp_path: Path) -> None:
    async with watching(tmp_path, poll_always=True) as watcher:
        for _ in range(3):
            await seen(watcher, roots={tmp_path})
        assert watcher.status()[0].mode == "polling"


async def test_folders_without_a_watch_turn_their_root_to_polling(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    async with watching(tmp_path) as watcher:
        await watcher.expect({tmp_path: 2})
        assert watcher.status()[0].mode == "native"
        await watcher.expect({tmp_path: 10_000})
        status = watcher.status()[0]
        assert status.mode == "polling"
        assert "max_user_watches" in str(status.warning)
        for _ in range(2):
            await seen(watcher, roots={tmp_path})


def test_many_roots_are_no_trouble(tmp_path: Path) -> None:
    roots = [tmp_path / f"project{number}" / "src" for number in range(3000)]
    watcher = Watcher([*roots, tmp_path / "project7", roots[7] / "deeper"])
    assert len(watcher.status()) == 3000
    assert tmp_path / "project7" in {status.root for status in watcher.status()}
