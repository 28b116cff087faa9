"""Facts that name what changed in the code or is gone: real database, real workers, a tree in a temporary folder."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

from memd.inject.framing import fact_line
from memd.model import Fact
from memd.store import facts
from tests.unit.codegraph.places import PROJECT, Place, placed

TIDES = "def read_tide(text):\n    return text\n\ndef low(): ...\n\nclass Table:\n    def write(self): ...\n"


async def _learn(place: Place, *said: str) -> None:
    now = place.clock.now_ms()
    for words in said:
        new = facts.NewFact("decision", words, words, "user", now, project_id=PROJECT)
        await place.writer.run(partial(facts.add, new=new, now_ms=now))


def _git(root: Path, *words: str) -> str:
    who = ("-c", "user.name=ada", "-c", "user.email=ada@harbor.example")
    return subprocess.run(("git", "-C", str(root), *who, *words), check=True, capture_output=True, text=True).stdout


async def _all(place: Place) -> list[Fact]:
    found = await place.readers.run(lambda conn: facts.list_facts(conn, facts.FactFilter(project_id=PROJECT)))
    return sorted(found, key=lambda fact: fact.title)


async def _doubts(place: Place) -> dict[str, list[tuple[str, str, str]]]:
    """What each fact may be out of date for, by its title."""
    return {
        fact.title: [(one.name, one.change, one.detail) for one in fact.doubts]
        for fact in await _all(place)
        if fact.doubts
    }


async def test_a_fact_is_in_doubt_when_the_function_that_it_names_changes(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"tides.py": TIDES})
        await place.index()
        await _learn(place, "read_tide keeps the text as it is", "The tides are low in the morning")
        place.write({"tides.py": TIDES.replace("return text", "return text.strip()")})
        await place.index()
        told = "code:tides.py::read_tide was changed"
        assert await _doubts(place) == {"read_tide keeps the text as it is": [("read_tide", "changed", told)]}


async def test_a_fact_learnt_after_the_change_is_in_no_doubt(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"tides.py": TIDES})
        await place.index()
        place.write({"tides.py": TIDES.replace("return text", "return text.strip()")})
        await place.index()
        await _learn(place, "read_tide strips the text")
        place.write({"tides.py": TIDES.replace("return text", "return text.strip()") + "\nx = 1\n"})
        await place.index()
        assert await _doubts(place) == {}


async def test_a_function_of_a_name_that_several_have_says_of_no_fact_that_it_changed(tmp_path: Path) -> None:
    async with placed(tmp_path) as place:
        place.write({"tides.py": TIDES, "other.py": "def read_tide(): ...\n"})
        await place.index()
        await _learn(place, "read_tide keeps the text as it is")
        place.write({"tides.py": TIDES.replace("return text", "return text.strip()")})
        await place.index()
        assert await _doubts(place) == {}


async def test_what_is_gone_is_told_with_the_commit_at_which_that_was_seen_and_wherever_the_fact_is_given(
    tmp_path: Path,
) -> None:
    async with placed(tmp_path) as place:
        place.write({"tides.py": TIDES})
        _git(place.root, "init", "-q")
        await place.index()
        await _learn(place, "Only the keeper calls Table.write")
        place.write({"tides.py": TIDES.replace("    def write(self): ...\n", "    def read(self): ...\n")})
        _git(place.root, "add", "-A")
        _git(place.root, "commit", "-q", "-m", "No more writing")
        commit = _git(place.root, "rev-parse", "HEAD")
        await place.index()
        told = f"code:tides.py::Table.write is no longer there (seen at commit {commit[:12]})"
        assert await _doubts(place) == {"Only the keeper calls Table.write": [("write", "removed", told)]}
        (fact,) = await _all(place)
        assert "may be out of date: write was removed on 2026-" in fact_line(fact)
