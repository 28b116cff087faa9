from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from memd.capture.folders import DiskFolders, temporary_roots
from memd.capture.projects import Place, history_identity, locate

HOME = Path("/home/ada")


class Tree:
    """A file system made of a list: a name that ends in a slash is a folder, a text makes a file of it."""

    def __init__(self, *folders: str, files: dict[str, str] | None = None) -> None:
        self._files = {Path(name): text for name, text in (files or {}).items()}
        named = {Path(folder) for folder in folders} | {path.parent for path in self._files}
        self._folders = named | {parent for folder in named for parent in folder.parents}

    def kind(self, path: Path) -> str | None:
        return "folder" if path in self._folders else "file" if path in self._files else None

    def text(self, path: Path) -> str | None:
        return self._files.get(path)

    def real(self, path: Path) -> Path:
        return path


def repo(path: str) -> dict[str, str]:
    return {f"{path}/.git/HEAD": "ref: refs/heads/main"}


def place(cwd: str, tree: Tree, known: dict[str, str] | None = None) -> Place | None:
    roots = {Path(path): Path(root) for path, root in (known or {}).items()}
    return locate(Path(cwd), tree, home=HOME, temporary=temporary_roots({}), known=roots)  # type: ignore[arg-type]


def test_the_nearest_repository_is_the_project() -> None:
    tree = Tree("/home/ada/shop/src/cart", files=repo("/home/ada/shop"))
    found = place("/home/ada/shop/src/cart", tree)
    assert found == Place(Path("/home/ada/shop"), git=True)
    assert found is not None
    assert found.name == "shop"


def test_a_worktree_is_its_main_checkout() -> None:
    tree = Tree(
        files={
            **repo("/home/ada/shop"),
            "/home/ada/shop-fix/.git": "gitdir: /home/ada/shop/.git/worktrees/shop-fix",
            "/home/ada/shop/.git/worktrees/shop-fix/commondir": "../..",
        }
    )
    expected = Place(Path("/home/ada/shop"), (Path("/home/ada/shop-fix"),), git=True)
    assert place("/home/ada/shop-fix", tree) == expected
    assert place("/home/ada/shop-fix/src", tree) == expected


def test_a_worktree_inside_its_own_checkout_is_the_checkout() -> None:
    inner = "/home/ada/shop/.claude/worktrees/calm"
    tree = Tree(
        files={
            **repo("/home/ada/shop"),
            f"{inner}/.git": "gitdir: /home/ada/shop/.git/worktrees/calm",
            "/home/ada/shop/.git/worktrees/calm/commondir": "../..",
        }
    )
    assert place(inner, tree) == Place(Path("/home/ada/shop"), (Path(inner),), git=True)


def test_a_worktree_whose_checkout_is_gone_still_names_it() -> None:
    tree = Tree(files={"/home/ada/fix/.git": "gitdir: /home/ada/shop/.git/worktrees/fix"})
    assert place("/home/ada/fix", tree) == Place(Path("/home/ada/shop"), (Path("/home/ada/fix"),), git=True)


@pytest.mark.parametrize(
    ("common", "root"),
    [("/home/ada/shop/.bare", "/home/ada/shop"), ("/home/ada/shop.git", "/home/ada/shop.git")],
    ids=["in a hidden folder", "beside"],
)
def test_worktrees_of_a_bare_repository_are_one_project(common: str, root: str) -> None:
    tree = Tree(
        files={
            "/home/ada/shop/main/.git": f"gitdir: {common}/worktrees/main",
            f"{common}/worktrees/main/commondir": "../..",
        }
    )
    found = place("/home/ada/shop/main/src", tree)
    assert found == Place(Path(root), (Path("/home/ada/shop/main"),), git=True)
    assert found is not None
    assert found.name == "shop"


def test_a_bare_repository_is_a_project() -> None:
    tree = Tree("/srv/shop.git/objects", "/srv/shop.git/refs", files={"/srv/shop.git/HEAD": "ref: refs/heads/main"})
    assert place("/srv/shop.git/refs", tree) == Place(Path("/srv/shop.git"), git=True)


def test_a_submodule_is_a_project_of_its_own() -> None:
    tree = Tree(
        "/home/ada/shop/.git/modules/pay",
        files={**repo("/home/ada/shop"), "/home/ada/shop/pay/.git": "gitdir: ../.git/modules/pay"},
    )
    assert place("/home/ada/shop/pay/src", tree) == Place(Path("/home/ada/shop/pay"), git=True)


def test_a_git_folder_without_a_head_and_a_broken_git_file_are_no_repository() -> None:
    assert place("/home/ada/a", Tree("/home/ada/a/.git")) == Place(Path("/home/ada/a"))
    assert place("/home/ada/a", Tree(files={"/home/ada/a/.git": "nonsense"})) == Place(Path("/home/ada/a"))


def test_without_git_a_marked_folder_above_is_the_project() -> None:
    tree = Tree("/home/ada/notes/src/deep", files={"/home/ada/notes/pyproject.toml": ""})
    assert place("/home/ada/notes/src/deep", tree) == Place(Path("/home/ada/notes"))


def test_without_git_and_marks_the_folder_itself_is_the_project() -> None:
    assert place("/home/ada/letters/2026", Tree("/home/ada/letters/2026")) == Place(Path("/home/ada/letters/2026"))


@pytest.mark.parametrize("cwd", ["/", "/home", "/home/ada", "/home/ada/x/..", "/tmp", "/var/tmp", "relative"])
def test_shared_folders_are_no_project_whatever_lies_in_them(cwd: str) -> None:
    tree = Tree("/home/ada", "/tmp", "/var/tmp", files={**repo("/home/ada"), **repo("/tmp"), **repo("/")})
    assert place(cwd, tree) is None


def test_a_repository_at_home_does_not_swallow_what_lies_below() -> None:
    tree = Tree("/home/ada/letters", files={**repo("/home/ada"), "/home/ada/package.json": "{}"})
    assert place("/home/ada/letters", tree) == Place(Path("/home/ada/letters"))


def test_a_folder_below_a_temporary_one_can_be_a_project() -> None:
    assert place("/tmp/try/src", Tree(files=repo("/tmp/try"))) == Place(Path("/tmp/try"), git=True)


def test_a_folder_that_is_gone_is_what_it_was_known_as() -> None:
    known = {"/home/ada/fix": "/home/ada/shop", "/home/ada/shop": "/home/ada/shop"}
    assert place("/home/ada/fix", Tree("/home/ada"), known) == Place(Path("/home/ada/shop"))


def test_a_folder_that_is_gone_belongs_to_the_repository_that_still_stands_above_it() -> None:
    assert place("/home/ada/shop/old", Tree(files=repo("/home/ada/shop"))) == Place(Path("/home/ada/shop"), git=True)


def test_a_folder_that_is_gone_belongs_to_the_nearest_known_project_above() -> None:
    known = {"/home/ada/shop": "/home/ada/shop", "/home/ada/shop/pay": "/home/ada/shop/pay"}
    assert place("/home/ada/shop/pay/src", Tree("/home/ada"), known) == Place(Path("/home/ada/shop/pay"))
    assert place("/home/ada/other", Tree("/home/ada"), known) == Place(Path("/home/ada/other"))


def test_a_path_of_windows_stands_for_itself() -> None:
    assert place(r"C:\Users\ada\shop", Tree()) == Place(Path(r"C:\Users\ada\shop"))


@pytest.mark.parametrize(
    ("cwd", "root"),
    [
        (r"C:\Users\ada\shop\src", "/mnt/c/Users/ada/shop"),
        ("d:/work/pier", "/mnt/d/work/pier"),
        (r"\\wsl.localhost\Ubuntu\home\ada\loom", "/home/ada/loom"),
        ("//wsl$/Ubuntu-24.04/home/ada/loom/src", "/home/ada/loom"),
        (r"E:\nowhere", r"E:\nowhere"),
        ("e:/nowhere", "e:/nowhere"),
        (r"\\wsl.localhost\Ubuntu\home\bob\x", r"\\wsl.localhost\Ubuntu\home\bob\x"),
    ],
)
def test_a_path_of_windows_is_the_folder_that_wsl_has_for_it(cwd: str, root: str) -> None:
    folders = ("/mnt/c/Users/ada/shop/src", "/mnt/d/work/pier", "/home/ada/loom/src")
    files = {**repo("/mnt/c/Users/ada/shop"), **repo("/mnt/d/work/pier"), **repo("/home/ada/loom")}
    found = place(cwd, Tree(*folders, files=files))
    assert found is not None
    assert found.root == Path(root)


def test_a_folder_that_was_split_off_goes_before_the_repository_it_lies_in() -> None:
    tree = Tree("/home/ada/shop/page/src", files={**repo("/home/ada/shop"), **repo("/home/ada/shop/page/vendor/sub")})
    known = {"/home/ada/shop": "/home/ada/shop", "split:/home/ada/shop/page": "/home/ada/shop/page"}
    for below in ("/home/ada/shop/page", "/home/ada/shop/page/src"):
        assert place(below, tree, known) == Place(Path("/home/ada/shop/page"))
    assert place("/home/ada/shop/pages", tree, known) == Place(Path("/home/ada/shop"), git=True)
    nested = Place(Path("/home/ada/shop/page/vendor/sub"), git=True)
    assert place("/home/ada/shop/page/vendor/sub", tree, known) == nested
    merged = {**known, "split:/home/ada/shop/page": "/home/ada/shop"}
    assert place("/home/ada/shop/page/src", tree, merged) == Place(Path("/home/ada/shop"))


def test_a_path_of_a_development_container_is_the_one_project_of_that_name() -> None:
    tree = Tree(files={**repo("/home/ada/shop"), **repo("/srv/loom"), **repo("/home/ada/loom")})
    known = {root: root for root in ("/home/ada/shop", "/srv/loom", "/home/ada/loom", "/gone/pier")}
    mounted = Place(Path("/home/ada/shop"), (Path("/workspaces/shop"),))
    assert place("/workspaces/shop", tree, known) == mounted
    assert place("/workspaces/shop/src/cart", tree, known) == mounted
    for unsure in ("/workspaces/loom", "/workspaces/pier", "/workspaces/new"):
        assert place(unsure, tree, known) == Place(Path(unsure))
    inside = Tree(files=repo("/workspaces/shop"))
    assert place("/workspaces/shop", inside, known) == Place(Path("/workspaces/shop"), git=True)


def git(*arguments: str, cwd: Path) -> None:
    settings = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "protocol.file.allow=always"]
    subprocess.run(["git", *who, *arguments], cwd=cwd, check=True, capture_output=True, env={**os.environ, **settings})


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "shop"
    root.mkdir()
    git("init", "-q", cwd=root)
    (root / "a.txt").write_text("a")
    git("add", ".", cwd=root)
    git("commit", "-q", "-m", "first", cwd=root)
    return root


def really(cwd: Path) -> Place | None:
    return locate(cwd, DiskFolders(), home=HOME, temporary=temporary_roots({}), known={})


def test_a_real_worktree_and_a_real_submodule_are_told_apart(checkout: Path) -> None:
    git("worktree", "add", "-q", "../fix", cwd=checkout)
    git("submodule", "add", "-q", str(checkout), "inner", cwd=checkout)
    assert really(checkout) == Place(checkout, git=True)
    assert really(checkout.parent / "fix") == Place(checkout, (checkout.parent / "fix",), git=True)
    assert really(checkout / "inner") == Place(checkout / "inner", git=True)


def test_a_link_to_a_checkout_is_the_checkout(checkout: Path) -> None:
    link = checkout.parent / "link"
    link.symlink_to(checkout)
    assert really(link) == Place(checkout, git=True)


def test_a_moved_repository_keeps_its_identity_and_another_has_its_own(checkout: Path) -> None:
    before = history_identity(checkout, os.environ, 30)
    assert before is not None
    moved = checkout.rename(checkout.parent / "store")
    assert history_identity(moved, os.environ, 30) == before
    git("commit", "-q", "--allow-empty", "-m", "second", cwd=moved)
    assert history_identity(moved, os.environ, 30) == before


def test_what_is_no_repository_has_no_identity(tmp_path: Path) -> None:
    assert history_identity(tmp_path, os.environ, 30) is None
    assert history_identity(tmp_path / "none", os.environ, 30) is None


def test_a_commit_that_is_missing_is_not_fetched_by_what_a_repository_names(checkout: Path, tmp_path: Path) -> None:
    mark, fetcher = tmp_path / "ran", tmp_path / "fetcher"
    fetcher.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    fetcher.chmod(0o755)
    shutil.rmtree(checkout / ".git" / "objects")
    (checkout / ".git" / "objects").mkdir()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": "ssh://harbor.example/tides",
        "remote.origin.promisor": "true",
        "core.sshCommand": str(fetcher),
    }
    for name, value in settings.items():
        git("config", name, value, cwd=checkout)
    assert history_identity(checkout, os.environ, 30) is None
    assert not mark.exists()


def test_a_named_pipe_called_git_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".git")
    assert really(tmp_path) == Place(tmp_path)


def test_what_is_no_path_is_no_project() -> None:
    tree = Tree("/w/harbor", files={"/w/harbor/.git": "gitdir: /w/main\0/.git/worktrees/x"})
    assert place("/w/har\0bor", tree) is None
    assert place("/w/harbor", tree) == Place(Path("/w/harbor"))
