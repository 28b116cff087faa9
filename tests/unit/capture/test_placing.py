from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from memd.capture.placing import IDENTITY_PREFIX, Placing
from memd.capture.projects import history_identity
from memd.store.capturing import ProjectAt

HOME = Path("/home/ada")


def git(*arguments: str, cwd: Path) -> None:
    settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True, env={**os.environ, **settings})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "shop"
    root.mkdir()
    git("init", "-q", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=root)
    return root


def placing() -> Placing:
    return Placing(HOME, os.environ)


async def placed(found: Placing, cwd: Path) -> ProjectAt:
    return (await found.of([str(cwd)]))[str(cwd)]


async def test_a_new_repository_has_an_identity_that_goes_with_it(checkout: Path) -> None:
    place = await placed(placing(), checkout)
    assert (place.root, place.name, place.aliases, place.moved_from) == (checkout, "shop", (), None)
    assert place.identity is not None
    assert place.identity.startswith(IDENTITY_PREFIX)


async def test_a_root_whose_identity_the_store_knows_is_not_asked_for_it(checkout: Path) -> None:
    found = placing()
    found.refresh({checkout: checkout, Path(f"{IDENTITY_PREFIX}0123"): checkout})
    assert (await placed(found, checkout)).identity is None


async def test_who_gave_up_waiting_does_not_cost_a_repository_its_identity(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tells_late(root: Path, env: Mapping[str, str]) -> str | None:
        late.wait(30)
        return history_identity(root, env)

    late = threading.Event()
    monkeypatch.setattr("memd.capture.placing.history_identity", tells_late)
    found = placing()
    with anyio.move_on_after(0.05) as waiting:
        await found.of([str(checkout)])
    assert waiting.cancelled_caught
    late.set()
    inner = checkout / "inner"
    inner.mkdir()
    assert (await placed(found, checkout)).identity is not None
    assert (await placed(found, inner)).identity is not None


async def test_a_moved_repository_is_known_also_when_somebody_asked_of_it_before_its_session(checkout: Path) -> None:
    found = placing()
    before = await placed(found, checkout)
    moved = Path(await anyio.Path(checkout).rename(checkout.parent / "store"))
    found.refresh({checkout: checkout, Path(str(before.identity)): checkout})
    assert await found.root_of(str(moved), 30) == checkout
    inner = moved / "inner"
    inner.mkdir()
    assert (await placed(found, inner)).moved_from == checkout


async def test_a_repository_has_its_identity_from_its_first_commit_on(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git("init", "-q", cwd=tmp_path)
    found = placing()
    assert (await placed(found, tmp_path)).identity is None
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=tmp_path)
    found.refresh({tmp_path: tmp_path})
    identity = (await placed(found, tmp_path)).identity
    assert identity is not None
    git("pack-refs", "--all", cwd=tmp_path)
    again = placing()
    again.refresh({tmp_path: tmp_path})
    assert (await placed(again, tmp_path)).identity == identity


async def test_a_moved_repository_is_known_by_its_identity(checkout: Path) -> None:
    found = placing()
    before = await placed(found, checkout)
    moved = await anyio.Path(checkout).rename(checkout.parent / "store")
    found.refresh({checkout: checkout, Path(str(before.identity)): checkout})
    place = await placed(found, Path(moved))
    assert (place.root, place.moved_from, place.identity) == (Path(moved), checkout, before.identity)


async def test_a_second_clone_is_a_project_of_its_own(checkout: Path) -> None:
    found = placing()
    await placed(found, checkout)
    git("clone", "-q", str(checkout), "../clone", cwd=checkout)
    assert (await placed(found, checkout.parent / "clone")).moved_from is None


async def test_a_folder_is_looked_up_once_until_refreshed(checkout: Path) -> None:
    found = placing()
    inner = checkout / "inner"
    inner.mkdir()
    assert (await placed(found, inner)).root == checkout
    git("init", "-q", cwd=inner)
    assert (await placed(found, inner)).root == checkout
    found.refresh({})
    assert (await placed(found, inner)).root == inner


async def test_folders_without_a_project_are_left_out(checkout: Path) -> None:
    found = await placing().of(["/", str(HOME), str(checkout)])
    assert list(found) == [str(checkout)]


async def test_who_cannot_wait_is_told_the_root_the_store_knows(checkout: Path) -> None:
    found = placing()
    identity = (await placed(found, checkout)).identity
    moved = Path(await anyio.Path(checkout).rename(checkout.parent / "store"))
    found.refresh({checkout: checkout, Path(str(identity)): checkout})
    assert await found.root_of(str(moved), 30) == checkout
    assert await found.root_of("/", 30) is None


async def test_who_has_no_time_at_all_is_told_the_root_on_disk(checkout: Path) -> None:
    assert await placing().root_of(str(checkout), 0) == checkout
    assert await placing().root_of("/", 0) is None


async def test_what_stands_where_a_project_was_moved_away_is_another_one(checkout: Path) -> None:
    found = placing()
    moved = Path(await anyio.Path(checkout).rename(checkout.parent / "store"))
    git("init", "-q", "shop", cwd=checkout.parent)
    found.refresh({moved: moved, checkout: moved})
    place = await placed(found, checkout)
    assert (place.root, place.apart) == (checkout, True)
    assert await found.root_of(str(checkout), 30) is None
    found.refresh({moved: moved, checkout: checkout})
    assert await found.root_of(str(checkout), 30) == checkout
