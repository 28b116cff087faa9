"""What no session made is told with the commit that did: real git repositories in temporary folders."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import pytest

from memd.codegraph import commits
from memd.codegraph.commits import find
from memd.git import pieces
from memd.store.code_files import UNCOMMITTED
from tests.unit.codegraph.places import PROJECT, Place, placed

SHIPS = "class Ship:\n    def sail(self): ...\n"
PORT = "from ships import Ship\n\ndef leave():\n    Ship().sail()\n"


def git(root: Path, *words: str) -> str:
    """Run git in a repository, as somebody would whose own settings are empty, and return what it prints."""
    told = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    env = {**told, "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"}
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgSign=false")
    done = subprocess.run(["git", *who, "-C", str(root), *words], env=env, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(root: Path, **files: str | None) -> str:
    """Write files (`port__py` is port.py; None deletes one), commit them and return the commit."""
    if not (root / ".git").exists():
        git(root, "init", "-q", "-b", "main")
    for name, text in files.items():
        path = root / name.replace("__", ".")
        path.unlink() if text is None else path.write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", "A commit")
    return git(root, "rev-parse", "HEAD")


def found(root: Path, *gone: str) -> dict[str, str]:
    """Return what is told of the files of a tree as they are, and of some that are gone."""
    there = {path.relative_to(root).as_posix(): path for path in root.rglob("*.py")}
    return find(root, {name: hashlib.sha256(path.read_bytes()).digest() for name, path in there.items()}, gone)


async def made(place: Place, of: str) -> list[tuple[str | None, str | None, str | None]]:
    """Return session, commit and the commit it ended in of the calls from a node, the first first."""
    return await place.rows(
        """SELECT t.uid, e.made_in, e.ended_in FROM code_edges e JOIN code_nodes n ON n.id = e.src
           LEFT JOIN sessions t ON t.id = e.session_id WHERE n.node = ? AND e.kind = 'calls' ORDER BY e.id""",
        of,
    )


async def test_an_edge_has_the_commit_that_made_the_file_what_it_is_and_what_is_in_none_says_so(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        commit(place.root, ships__py=SHIPS)
        second = commit(place.root, port__py=PORT)
        place.write({"pier.py": PORT.replace("leave", "wait")})
        await place.index()
        assert set(await made(place, "port.py::leave")) == {(None, second, None)}
        assert set(await made(place, "pier.py::wait")) == {(None, UNCOMMITTED, None)}


async def test_what_was_in_no_commit_is_told_with_the_one_that_took_it_in(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        commit(place.root, ships__py=SHIPS)
        place.write({"port.py": PORT})
        await place.index()
        taken_in = commit(place.root)
        assert (await place.index()).changed == 0
        assert set(await made(place, "port.py::leave")) == {(None, taken_in, None)}
        symbols = "SELECT DISTINCT s.made_in FROM code_symbols s JOIN code_files f ON f.id = s.file_id WHERE f.path = ?"
        assert await place.rows(symbols, "port.py") == [(taken_in,)]


async def test_an_edge_keeps_its_commit_and_ends_with_the_one_that_no_longer_shows_it(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        first = commit(place.root, ships__py=SHIPS + "    def moor(self): ...\n", port__py=PORT)
        await place.index()
        second = commit(place.root, port__py=PORT.replace("sail", "moor"))
        await place.index()
        ship, sail, moor = (None, first, None), (None, first, second), (None, second, None)
        assert set(await made(place, "port.py::leave")) == {ship, sail, moor}
        third = commit(place.root, port__py=None)
        await place.index()
        assert {ended for *_, ended in await made(place, "port.py::leave")} == {second, third}


async def test_what_comes_or_goes_because_another_file_changed_has_the_commit_of_that_one(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        first = commit(place.root, ships__py=SHIPS.replace("sail", "steam"), port__py=PORT)
        await place.index()
        second = commit(place.root, ships__py=SHIPS)
        await place.index()
        assert await made(place, "port.py::leave") == [(None, first, None), (None, second, None)]


async def test_what_a_session_made_has_the_session_and_no_commit(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        commit(place.root, ships__py=SHIPS)
        await place.index()
        session = """INSERT INTO sessions (id, uid, host, native_id, project_id, seen_at)
            VALUES (7, 'cc-7', 'claude_code', 'n', ?, 0)"""
        await place.writer.run(lambda conn: conn.execute(session, (PROJECT,)).close())
        place.write({"port.py": PORT})
        await place.indexer.look_at(PROJECT, place.root, ["port.py"], 7)
        commit(place.root)
        await place.index()
        assert set(await made(place, "port.py::leave")) == {("cc-7", None, None)}


async def test_without_git_and_before_the_first_commit_nothing_is_made_up(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"ships.py": SHIPS, "port.py": PORT})
        await place.index()
        assert set(await made(place, "port.py::leave")) == {(None, None, None)}
        git(place.root, "init", "-q")
        place.write({"port.py": PORT.replace("leave", "go")})
        await place.index()
        assert set(await made(place, "port.py::go")) == {(None, UNCOMMITTED, None)}


def test_nothing_that_a_repository_names_is_run(tmp_path: Path) -> None:
    trap, sprung = tmp_path / "trap.sh", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    root = tmp_path / "harbor"
    root.mkdir()
    last = commit(root, ships__py=SHIPS)
    for name in (
        "gpg.program", "diff.external", "core.pager", "pager.log", "filter.evil.clean", "filter.evil.process",
        "diff.evil.textconv", "diff.evil.command", "core.fsmonitor", "core.sshCommand", "core.editor",
    ):  # fmt: skip
        git(root, "config", name, str(trap))
    git(root, "config", "log.showSignature", "true")
    (root / ".gitattributes").write_text("*.py filter=evil diff=evil\n")
    (root / ".git/hooks").mkdir(exist_ok=True)
    (root / ".git/hooks/post-checkout").symlink_to(trap)
    os.utime(root / "ships.py", (1, 1))  # the index has to be compared with the file, if anybody did
    assert found(root, "gone.py") == {"ships.py": last}
    assert not sprung.exists()


def test_a_merge_is_told_only_where_it_made_what_neither_side_had(tmp_path: Path) -> None:
    first = commit(tmp_path, a__py="a = 1\n", b__py="b = 1\n")
    git(tmp_path, "checkout", "-q", "-b", "side")
    side = commit(tmp_path, a__py="a = 2\n", b__py="b = 2\n")
    git(tmp_path, "checkout", "-q", "main")
    commit(tmp_path, b__py="b = 3\n", c__py="c = 1\n")
    git(tmp_path, "merge", "-q", "-s", "ours", "--no-commit", "side")
    git(tmp_path, "checkout", "side", "--", "a.py")
    merged = commit(tmp_path, b__py="b = 4\n")
    assert first != merged
    assert {name: found(tmp_path)[name] for name in ("a.py", "b.py")} == {"a.py": side, "b.py": merged}


@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_content_is_named_as_the_repository_does_with_the_line_ends_it_keeps(tmp_path: Path, form: str) -> None:
    git(tmp_path, "init", "-q", "-b", "main", f"--object-format={form}")
    git(tmp_path, "config", "core.autocrlf", "true")
    (tmp_path / "a.py").write_bytes(b"a = 1\r\nb = 2\r\n")
    last = commit(tmp_path, b__py="b = 1\n")
    assert found(tmp_path) == {"a.py": last, "b.py": last}


def test_a_file_that_is_gone_has_the_commit_it_went_in_unless_that_is_to_come(tmp_path: Path) -> None:
    commit(tmp_path, a__py="a = 1\n", b__py="b = 1\n")
    last = commit(tmp_path, a__py=None)
    commit(tmp_path, c__py="c = 1\n")
    (tmp_path / "b.py").unlink()
    told = found(tmp_path, "a.py", "b.py", "never.py")
    assert (told["a.py"], told["b.py"], told.get("never.py")) == (last, UNCOMMITTED, None)


def test_history_that_was_cut_off_is_not_taken_for_the_commit_that_made_a_file(tmp_path: Path) -> None:
    far, near = tmp_path / "far", tmp_path / "near"
    far.mkdir()
    commit(far, a__py="a = 1\n")
    commit(far, b__py="b = 1\n")
    last = commit(far, c__py="c = 1\n")
    subprocess.run(["git", "clone", "-q", "--depth=2", f"file://{far}", str(near)], check=True, capture_output=True)
    assert found(near) == {"c.py": last}


def test_of_a_history_longer_than_is_looked_at_the_rest_stays_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit(tmp_path, a__py="a = 1\n")
    last = [commit(tmp_path, b__py=f"b = {number}\n") for number in range(4)][-1]
    monkeypatch.setattr(commits, "_LOG_BYTES", 1)  # what comes at once is looked at, and no more is waited for
    monkeypatch.setattr("memd.git._AT_ONCE", 200)
    assert found(tmp_path) == {"b.py": last}


def test_a_file_that_has_another_content_by_now_is_left_open(tmp_path: Path) -> None:
    commit(tmp_path, a__py="a = 1\n")
    assert find(tmp_path, {"a.py": b"of another content", "gone.py": b""}, ()) == {}


@pytest.mark.parametrize("name", [":100 D.py", ":!port.py", "[id].py", "*.py", '"quoted".py', "two\nlines.py"])
def test_a_file_is_looked_for_under_its_name_whatever_git_takes_that_for(tmp_path: Path, name: str) -> None:
    made_in = commit(tmp_path, **{name: PORT})

    assert found(tmp_path) == {name: made_in}


def test_where_git_cannot_say_what_a_commit_holds_nothing_is_said_to_be_in_none(tmp_path: Path) -> None:
    commit(tmp_path, ships__py=SHIPS)
    tree = git(tmp_path, "rev-parse", "HEAD^{tree}")
    (tmp_path / ".git" / "objects" / tree[:2] / tree[2:]).unlink()  # as in a clone that left the trees out

    assert found(tmp_path) == {}


def test_git_is_ended_in_time_also_while_it_goes_on_telling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(tmp_path, long__py="x\0" * 200_000)
    times = iter((0.0, 1.0))  # when it begins, and as it is waited for first
    monkeypatch.setattr("memd.git.time", SimpleNamespace(monotonic=lambda: next(times, 99.0)))

    told = 0
    for _ in pieces(tmp_path, ("cat-file", "blob", "HEAD:long.py"), os.environ, 60.0, most_bytes=1 << 20):
        if not told:
            sleep(0.3)  # so that there is more to be had
        told += 1

    assert 0 < told <= 1 << 15  # what was read in one go
