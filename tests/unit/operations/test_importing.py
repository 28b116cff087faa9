"""Importing: counted first, taken over once, nothing known overwritten, and where it comes from is kept."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec
import pytest

from memd.errors import BadParameter, ImportRefused, NotFound
from memd.model import Fact
from memd.operations.answers import ImportAnswer
from memd.operations.catalog import OPERATIONS
from memd.operations.importing import ImportParams
from memd.store import facts, projects
from tests.unit.importers.stores import STORES
from tests.unit.operations.conftest import Harbor


async def take(harbor: Harbor, path: Path, **more: object) -> ImportAnswer:
    answer = await OPERATIONS["import"].call(harbor.memory, {"path": str(path), **more})
    assert isinstance(answer, ImportAnswer)
    return answer


async def all_facts(harbor: Harbor) -> dict[str, Fact]:
    found = await harbor.memory.readers.run(lambda conn: facts.list_facts(conn, facts.FactFilter(status=None), -1))
    return {fact.uid: fact for fact in found}


@pytest.mark.parametrize("name", STORES)
async def test_what_was_counted_is_what_is_imported_and_only_once(harbor: Harbor, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "store"
    folder.mkdir()
    path = STORES[name][1](folder)
    before = await all_facts(harbor)

    counted = await take(harbor, path)
    assert await all_facts(harbor) == before
    done = await take(harbor, path, dry_run=False)
    again = await take(harbor, path, dry_run=False)
    recounted = await take(harbor, path)

    after = await all_facts(harbor)
    assert counted.added == done.added == done.found > 0
    assert (again.added, again.before) == (0, done.found)
    assert (recounted.added, recounted.before) == (0, done.found)
    assert len(after) == len(before) + done.added
    assert {uid: fact for uid, fact in after.items() if uid in before} == before


async def test_an_imported_fact_says_where_it_comes_from(harbor: Harbor, tmp_path: Path) -> None:
    before = await all_facts(harbor)
    await take(harbor, STORES["thoth database"][1](tmp_path), dry_run=False)

    new = [fact for uid, fact in (await all_facts(harbor)).items() if uid not in before]
    (decision,) = [fact for fact in new if fact.kind == "decision"]

    assert json.loads(decision.metadata)["imported"]["key"] == "obs-1"
    assert decision.origin == "import"
    assert decision.topic == "storage/tides"
    assert decision.project is not None
    assert decision.project.name == "harbor"
    assert {fact.project for fact in new if fact.kind == "convention"} == {None}


async def test_a_project_that_is_not_known_keeps_its_facts_to_itself(harbor: Harbor, tmp_path: Path) -> None:
    folder = tmp_path / "store"
    (folder / "projects").mkdir(parents=True)
    (folder / "decisions").mkdir()
    (folder / "projects" / "lighthouse.md").write_text("The lamp turns left.\n")

    await take(harbor, folder, dry_run=False)

    (fact,) = [fact for fact in (await all_facts(harbor)).values() if "lamp turns" in fact.body]
    assert fact.project is not None
    assert fact.project.name == "lighthouse"


async def test_what_ended_there_has_ended_here(harbor: Harbor, tmp_path: Path) -> None:
    await take(harbor, STORES["rawthink"][1](tmp_path), dry_run=False)

    (ended,) = [fact for fact in (await all_facts(harbor)).values() if fact.body == "Use files"]

    assert ended.status == "superseded"
    assert ended.valid_to is not None


async def test_what_is_known_word_for_word_is_not_added_again(harbor: Harbor, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps([{"id": "1", "memory": "The pilot keeps the key"}]))
    first = await take(harbor, path, dry_run=False)
    path.write_text(json.dumps([{"id": "2", "memory": "The pilot keeps the key"}]))
    second = await take(harbor, path, dry_run=False)
    in_a_project = await take(harbor, path, project=str(harbor.root))

    assert (first.added, first.known) == (1, 0)
    assert (second.added, second.known) == (0, 1)
    assert in_a_project.before == 1


async def test_memds_own_export_comes_back_whole(harbor: Harbor, tmp_path: Path) -> None:
    listed = await OPERATIONS["facts.list"].call(harbor.memory, {"all": True})
    path = tmp_path / "memd.json"
    document = {"memd_export": 1, "facts": msgspec.to_builtins(listed), "sessions": [{}], "relations": []}
    path.write_text(json.dumps(document))

    answer = await take(harbor, path)

    assert (answer.found, answer.added, answer.known) == (len(listed), 0, len(listed))


async def test_a_fact_that_is_here_makes_no_project_of_the_name_that_its_own_has_there(
    harbor: Harbor, tmp_path: Path
) -> None:
    listed = msgspec.to_builtins(await OPERATIONS["facts.list"].call(harbor.memory, {"all": True}))
    here = await harbor.memory.readers.run(projects.list_projects)
    path = tmp_path / "memd.json"
    document = {"memd_export": 1, "facts": [{**fact, "project": "/home/ada/quay"} for fact in listed], "relations": []}
    path.write_text(json.dumps(document))

    counted = await take(harbor, path)
    done = await take(harbor, path, dry_run=False)

    assert (counted.known, counted.added) == (done.known, done.added) == (len(listed), 0)
    assert await harbor.memory.readers.run(projects.list_projects) == here


async def test_wrong_words_are_refused_in_one_sentence(harbor: Harbor, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("words")

    with pytest.raises(BadParameter, match="absolute"):
        await take(harbor, Path("relative.db"))
    with pytest.raises(BadParameter, match="no system 'sqlite'"):
        await take(harbor, nothing, system="sqlite")
    with pytest.raises(ImportRefused, match="does not exist"):
        await take(harbor, tmp_path / "gone")
    with pytest.raises(ImportRefused, match="neither"):
        await take(harbor, nothing)
    with pytest.raises(NotFound):
        await take(harbor, STORES["mem0"][1](tmp_path), project="no-such-project")


def test_importing_is_a_dry_run_unless_told() -> None:
    assert ImportParams(path="/x").dry_run


async def test_relations_that_were_imported_are_those_that_were_counted_and_what_was_refused_is_said(
    harbor: Harbor, tmp_path: Path
) -> None:
    rows: list[dict[str, object]] = [
        {"type": "entity", "name": "Crane", "entityType": "machine", "observations": ["It lifts"]},
        {"type": "relation", "from": "Crane", "to": "Quay", "relationType": "depends_on"},
        {"type": "relation", "from": "Crane", "to": "Crane", "relationType": "depends_on"},
        {"type": "relation", "from": "Crane", "to": "Quay", "relationType": "is fond of"},
        {"type": "relation", "from": "Crane", "to": "Pier", "relationType": "is fond of"},
    ]
    path = tmp_path / "memory.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))

    counted = await take(harbor, path)
    done = await take(harbor, path, dry_run=False)

    assert counted.relations == done.relations == 1
    refused = {reason: count for reason, count in done.skipped.items() if reason.startswith("relations")}
    assert sorted(refused.values()) == [1, 2]
    assert "is fond of" in str(refused)
    assert {reason: count for reason, count in counted.skipped.items() if reason in refused} == refused
    listed = await OPERATIONS["relations.list"].call(harbor.memory, {})
    assert ("Crane", "depends_on", "Quay") in {
        (one.source_label, one.relation, one.target_label) for one in listed.relations
    }


def _whole(facts_of: list[dict[str, object]], **more: object) -> str:
    return json.dumps({"memd_export": 1, "facts": facts_of, **more})


async def test_all_that_an_export_holds_is_taken_over_once(harbor: Harbor, tmp_path: Path) -> None:
    """Ids are another memory's: entities are known by their names, facts by what they became here."""
    root = str(harbor.root)
    fact: dict[str, object] = {"id": "f-1", "kind": "decision", "title": "Lamps", "text": "Lamps are lit at dusk",
                               "project": root, "status": "current"}  # fmt: skip
    relations = [
        {"id": f"r-{number}", "source": f"entity:e-{number}", "source_label": f"Lamp {number}",
         "relation": "depends_on", "target": "fact:f-1", "target_label": "Lamps", "project": root, "strength": 0.9,
         "valid_from": "2026-01-01T00:00:00Z", "valid_to": "2026-02-01T00:00:00Z" if number == 7 else None}
        for number in range(150)
    ]  # fmt: skip
    path = tmp_path / "memd.json"
    path.write_text(_whole(
        [fact],
        entities=[{"id": "e-1", "name": "Lamp 1", "kind": "tool", "project": root, "aliases": ["the old lamp"],
                   "origin": "manual"}],
        relations=relations,
        blocks=[{"id": "b-1", "label": "watch", "value": "mind the ebb", "project": root, "limit": 500, "position": 0},
                {"id": "b-2", "label": "tone", "value": "be brief", "project": None}],
        handoffs=[{"id": "h-1", "text": "The crane waits", "project": root, "author": "ada",
                   "at": "2026-01-02T00:00:00Z"}],
        prompts=[{"id": "p-1", "text": "Where is the key?", "project": root, "at": "2026-01-03T00:00:00Z"}],
    ))  # fmt: skip

    counted = await take(harbor, path)
    done = await take(harbor, path, dry_run=False)
    again = await take(harbor, path, dry_run=False)

    assert counted.others == done.others == {"entities": 1, "blocks": 2, "handoffs": 1, "prompts": 1}
    assert counted.relations == done.relations == 150
    assert (again.others, again.relations) == ({}, 0)

    async def ask(name: str, **params: object) -> Any:
        return await OPERATIONS[name].call(harbor.memory, params)

    (lamps,) = [one for one in await ask("facts.list", project="harbor") if one.text == "Lamps are lit at dusk"]
    listed = await ask(
        "relations.list", node=lamps.id, relation="depends_on", project="harbor", status="all", limit=1000
    )
    assert (listed.total, {one.project for one in listed.relations}) == (150, {root})
    assert [one.source_label for one in listed.relations if one.valid_to is not None] == ["Lamp 7"]
    (opened,) = (await ask("entities.open", names=["the old lamp"], project="harbor")).entities
    assert (opened.name, opened.kind) == ("Lamp 1", "tool")
    shown = {one.label: (one.value, one.project) for one in await ask("blocks.list", project="harbor")}
    assert shown == {"watch": ("mind the ebb", root), "tone": ("be brief", None)}
    (left,) = (await ask("handoff", project="harbor")).left
    assert (left.text, left.author, left.at) == ("The crane waits", "ada", "2026-01-02T00:00:00.000Z")
    (prompt,) = await ask("prompts.list", project="harbor")
    assert (prompt.text, prompt.repeats) == ("Where is the key?", 0)


async def test_a_block_that_is_written_here_is_not_written_over(harbor: Harbor, tmp_path: Path) -> None:
    await OPERATIONS["blocks.set"].call(harbor.memory, {"label": "tone", "value": "be kind"})
    path = tmp_path / "memd.json"
    path.write_text(_whole([], blocks=[{"id": "b-2", "label": "tone", "value": "be brief", "project": None}]))

    done = await take(harbor, path, dry_run=False)

    assert done.skipped == {"blocks that are written already": 1}
    (block,) = await OPERATIONS["blocks.list"].call(harbor.memory, {})
    assert block.value == "be kind"


async def test_an_imported_fact_brings_the_relations_that_it_tells_of(harbor: Harbor, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_text(json.dumps([{"id": "1", "memory": "The tide table is stored in Pearlbase."}]))
    await take(harbor, path, dry_run=False)

    listed = await OPERATIONS["relations.list"].call(harbor.memory, {})
    assert "Pearlbase" in {one.target_label for one in listed.relations}


async def test_a_pipe_is_not_waited_for_and_a_file_that_cannot_be_read_is_named(harbor: Harbor, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "memory.json")
    with pytest.raises(ImportRefused, match="neither a file nor a folder"):
        await take(harbor, tmp_path / "memory.json")
    (tmp_path / "chunks").mkdir()
    os.mkfifo(tmp_path / "chunks" / "chunk-1.json.gz")
    assert (await take(harbor, tmp_path)).found == 0
    with pytest.raises(ImportRefused, match="cannot be read"):
        await take(harbor, Path("/proc/self/mem"))


async def test_a_project_told_from_somebodys_home_is_the_one_in_the_readers_home(
    harbor: Harbor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(harbor.root.parents[1]))
    told = {"id": "0a11", "kind": "decision", "title": "Lamps at dusk", "text": "Lamps are lit at dusk", "parts": {}}
    path = tmp_path / "memd.json"
    path.write_text(json.dumps({"memd_export": 1, "facts": [told | {"project": "~/work/harbor"}]}))

    done = await take(harbor, path, dry_run=False)

    assert done.projects == {str(harbor.root): 1}


async def test_a_project_of_an_export_that_lies_in_another_one_here_stays_one_of_its_own(
    harbor: Harbor, tmp_path: Path
) -> None:
    part = harbor.root / "sub" / "part"
    told: list[dict[str, object]] = [
        {"id": "0a11", "kind": "decision", "title": "Lamps", "text": "Lamps are lit at dusk", "project": str(part)},
        {"id": "0b22", "kind": "decision", "title": "Nets", "text": "Nets are dried", "project": str(harbor.root)},
    ]
    path = tmp_path / "memd.json"
    path.write_text(_whole(told))

    counted = await take(harbor, path)
    assert await harbor.memory.readers.run(lambda conn: projects.by_path(conn, part)) is None
    done = await take(harbor, path, dry_run=False)
    again = await take(harbor, path, dry_run=False)

    assert counted.projects == done.projects == {str(part): 1, str(harbor.root): 1}
    assert (again.added, again.before) == (0, 2)
    held = {fact.body: fact.project.root for fact in (await all_facts(harbor)).values() if fact.project is not None}
    assert held["Lamps are lit at dusk"] == str(part)
    known = await harbor.memory.readers.run(projects.paths)
    assert f"{projects.SPLIT}{part}" in known
