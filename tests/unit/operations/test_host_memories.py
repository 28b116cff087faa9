"""What an agent notes for itself is taken over once, again where it has changed, and bears the path it comes from."""

from __future__ import annotations

import json
from pathlib import Path

from memd.distill import stating
from memd.importers import host_memory
from memd.model import Fact
from memd.operations import host_memories
from memd.operations.catalog import OPERATIONS
from memd.operations.taking_in import NOT_SEEN
from memd.store import facts
from tests.unit.operations.conftest import NOW, Harbor

TIDES = """---
name: Tides
description: how tides are kept
type: feedback
---
Ada wants the tides in SQLite.

## Units

Heights are in centimetres.
```sh
# no heading: make tides
```
"""


def notes(harbor: Harbor, *, slug: str = "-work-harbor", cwd: Path | None = None) -> Path:
    """Write a folder of notes as Claude Code does, with a transcript beside it that tells the project."""
    folder = harbor.home / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    row = {"type": "user", "sessionId": "s", "cwd": str(cwd or harbor.root)}
    (folder.parent / "0a11ce00-0000-4000-8000-00000000000f.jsonl").write_text(json.dumps(row) + "\n")
    (folder / "MEMORY.md").write_text("# Memory\n\n- [Tides](tides.md) — how tides are kept\n")
    (folder / "tides.md").write_text(TIDES)
    return folder


async def taken(harbor: Harbor) -> dict[str, Fact]:
    await host_memories.absorb(harbor.memory)
    found = await harbor.memory.readers.run(lambda conn: facts.list_facts(conn, facts.FactFilter(status=None), -1))
    return {fact.title: fact for fact in found if fact.origin == "import"}


async def test_each_section_is_a_fact_of_its_project_with_its_path(harbor: Harbor) -> None:
    folder = notes(harbor)
    found = await taken(harbor)
    assert sorted(found) == ["Tides", "Tides – Units"]
    tides = found["Tides"]
    assert (tides.kind, tides.body) == ("preference", "Ada wants the tides in SQLite.")
    assert "# no heading: make tides" in found["Tides – Units"].body
    assert str(folder / "tides.md") in (tides.metadata or "")
    assert {fact.project.root for fact in found.values() if fact.project} == {str(harbor.root)}


async def test_what_has_not_changed_is_not_taken_over_again_and_what_has_is_said_anew(harbor: Harbor) -> None:
    folder = notes(harbor)
    before = await taken(harbor)
    assert await taken(harbor) == before
    (folder / "tides.md").write_text(TIDES.replace("centimetres", "metres"))
    after = await taken(harbor)
    assert after["Tides"] == before["Tides"]
    assert after["Tides – Units"].uid == before["Tides – Units"].uid
    assert "in metres" in after["Tides – Units"].body
    assert len(after) == 2


async def test_notes_whose_project_is_not_told_hold_nowhere(harbor: Harbor) -> None:
    folder = notes(harbor)
    for transcript in folder.parent.glob("*.jsonl"):
        transcript.unlink()
    assert await taken(harbor) == {}


async def test_notes_of_a_project_that_is_not_known_yet_wait_and_are_counted(harbor: Harbor, tmp_path: Path) -> None:
    folder = notes(harbor, cwd=tmp_path / "unheard").parent.parent
    assert await taken(harbor) == {}
    for dry_run in (True, False):
        params = {"path": str(folder), "system": host_memory.NAME, "dry_run": dry_run}
        told = await OPERATIONS["import"].call(harbor.memory, params)
        assert (told.found, told.added, told.skipped[NOT_SEEN]) == (2, 0, 2)


async def test_a_note_that_somebody_has_forgotten_does_not_come_back(harbor: Harbor) -> None:
    folder = notes(harbor)
    found = await taken(harbor)
    await harbor.memory.writer.run(lambda conn: stating.forget(conn, found["Tides"].id, NOW))
    (folder / "tides.md").write_text(TIDES.replace("SQLite", "SQLite and nowhere else"))
    assert sorted(await taken(harbor)) == ["Tides – Units"]


async def test_a_secret_in_a_note_is_not_kept(harbor: Harbor) -> None:
    folder = notes(harbor)
    secret = "ghp_" + "aB3dE6gH9jK2" * 3
    (folder / "tides.md").write_text(f"The token is {secret}, for the tide server.\n")
    found = await taken(harbor)
    assert found
    assert not any(secret in fact.body + fact.title for fact in found.values())
