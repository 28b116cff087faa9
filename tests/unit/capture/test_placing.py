from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import anyio
import pytest

from memd.capture.placing import IDENTITY_PREFIX, Placing
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


async def test_a_known_root_is_not_asked_for_its_identity(checkout: Path) -> None:
    found = placing()
    found.refresh({checkout: checkout})
    assert (await placed(found, checkout)).identity is None


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
