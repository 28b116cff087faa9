"""Projects that are renamed and made one, indexes built anew, space given back."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from memd.distill import recomparing
from memd.errors import BadParameter, NotFound
from memd.operations import rejudging
from memd.operations.catalog import OPERATIONS
from tests.unit.operations.conftest import NOW, Harbor


async def ask(harbor: Harbor, op: str, **params: object) -> Any:
    return await OPERATIONS[op].call(harbor.memory, params)


async def roots(harbor: Harbor) -> dict[str, Any]:
    return {one.name: one for one in await ask(harbor, "projects.list")}


async def test_a_project_is_listed_and_renamed(harbor: Harbor) -> None:
    before = (await roots(harbor))["harbor"]

    renamed = await ask(harbor, "projects.rename", project=str(harbor.root), name="port")

    assert asdict(renamed) == {**asdict(before), "name": "port"}
    assert "harbor" not in await roots(harbor)
    with pytest.raises(BadParameter, match="no name"):
        await ask(harbor, "projects.rename", project="port", name=" - ")
    for name in ("two\nlines", "x\0", "x" * 201):
        with pytest.raises(BadParameter, match="no name of one line"):
            await ask(harbor, "projects.rename", project="port", name=name)
    with pytest.raises(NotFound):
        await ask(harbor, "projects.rename", project="nowhere", name="x")


async def test_two_projects_become_one_only_when_told(harbor: Harbor, tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name in ("projects", "notes"):
        (store / name).mkdir(parents=True)
    (store / "projects" / "lighthouse.md").write_text("The lamp turns left.\n")
    await ask(harbor, "import", path=str(store), dry_run=False)
    before = await roots(harbor)

    counted = await ask(harbor, "projects.merge", source="lighthouse", into="harbor")
    assert await roots(harbor) == before
    merged = await ask(harbor, "projects.merge", source="lighthouse", into="harbor", apply=True)

    assert counted.facts == 1
    assert merged.facts == before["harbor"].facts + 1
    assert "lighthouse" not in await roots(harbor)
    with pytest.raises(BadParameter, match="same project"):
        await ask(harbor, "projects.merge", source="harbor", into=str(harbor.root), apply=True)


async def test_what_two_projects_that_become_one_knew_is_judged_together(
    harbor: Harbor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    for name in ("projects", "notes"):
        (store / name).mkdir(parents=True)
    (store / "projects" / "lighthouse.md").write_text("The lamp turns left.\n")
    await ask(harbor, "import", path=str(store), dry_run=False)
    for number, project in ((3, "lighthouse"), (5, "harbor")):
        monkeypatch.setattr(type(harbor.memory.clock), "now_ms", lambda _, at=NOW + 60_000 * number: at)
        text = f"The retry limit of the beacon is {number}"
        await ask(harbor, "facts.remember", text=text, kind="config", project=project)
    await rejudging.go_on(harbor.memory)
    await ask(harbor, "projects.merge", source="lighthouse", into="harbor", apply=True)

    assert await harbor.memory.readers.run(recomparing.place) == recomparing.Place("features"), "a job goes on"
    await rejudging.go_on(harbor.memory)

    facts = await ask(harbor, "facts.list", project="harbor")
    assert [fact.text for fact in facts if "beacon" in fact.text] == ["The retry limit of the beacon is 5"]


async def test_only_a_folder_below_a_project_is_split_off(harbor: Harbor) -> None:
    for folder, error, said in (
        ("below", BadParameter, "no absolute folder"),
        (f"{harbor.root}/../x", BadParameter, "no absolute folder"),
        (str(harbor.root), BadParameter, "a project already"),
        ("/nowhere/at/all", NotFound, "nowhere"),
    ):
        with pytest.raises(error, match=said):
            await ask(harbor, "projects.split", folder=folder, apply=True)
    before = await roots(harbor)
    counted = await ask(harbor, "projects.split", folder=str(harbor.root / "below"))
    assert (counted.name, counted.sessions) == ("below", 0)
    assert await roots(harbor) == before


async def test_a_folder_whose_name_is_a_secret_is_never_written(harbor: Harbor) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    before = await roots(harbor)
    with pytest.raises(BadParameter, match="nothing secret") as refused:
        await ask(harbor, "projects.split", folder=str(harbor.root / secret), apply=True)
    assert secret not in str(refused.value)
    for odd in ("a\0b", "two\nlines"):
        with pytest.raises(BadParameter, match="no absolute folder"):
            await ask(harbor, "projects.split", folder=str(harbor.root / odd), apply=True)
    assert await roots(harbor) == before


async def test_an_index_that_is_built_anew_finds_what_it_found(harbor: Harbor) -> None:
    before = await ask(harbor, "index.status")
    found = await ask(harbor, "search", query="sqlite")

    begun = await ask(harbor, "index.rebuild", steps=1)
    done = await ask(harbor, "index.rebuild", steps=None)

    assert begun.waiting
    assert done == before
    assert [hit.text for hit in (await ask(harbor, "search", query="sqlite")).hits] == [hit.text for hit in found.hits]
    with pytest.raises(BadParameter, match="no index"):
        await ask(harbor, "index.rebuild", index="tides")


async def test_sessions_are_distilled_anew(harbor: Harbor) -> None:
    assert (await ask(harbor, "sessions.distill")).waiting > 0


async def test_vectors_go_with_what_they_are_of_and_their_space_is_given_back(harbor: Harbor) -> None:
    def plant(conn: Any) -> None:
        for message, session in conn.execute("SELECT id, session_id FROM messages").fetchall():
            conn.execute(
                "INSERT INTO vectors (message_id, session_id, reply, model, signs, code) VALUES (?, ?, 0, 'm', ?, ?)",
                (message, session, bytes(32), bytes(100_000)),
            )
        for (fact,) in conn.execute("SELECT id FROM facts").fetchall():
            conn.execute(
                "INSERT INTO fact_vectors (fact_id, model, signs, code) VALUES (?, 'm', ?, ?)",
                (fact, bytes(32), bytes(100_000)),
            )

    def left(conn: Any) -> tuple[int, ...]:
        return tuple(
            conn.execute(f"SELECT count(*) FROM {vectors} WHERE {whose} NOT IN (SELECT id FROM {table})").fetchone()[0]
            + 1000 * conn.execute(f"SELECT count(*) FROM {vectors}").fetchone()[0]
            for vectors, whose, table in (
                ("vectors", "message_id", "messages"), ("fact_vectors", "fact_id", "facts"),
            )
        )  # fmt: skip

    await harbor.memory.writer.run(plant)
    before = await harbor.memory.readers.run(left)
    for fact in await ask(harbor, "facts.list", all=True):
        await ask(harbor, "facts.forget", fact=fact.id, apply=True)
    await harbor.memory.writer.run(lambda conn: conn.execute("DELETE FROM messages WHERE kind = 'reply'"))
    kept = await harbor.memory.readers.run(left)

    compacted = await ask(harbor, "database.compact")

    assert 0 < kept[0] < before[0]
    assert (kept[0] % 1000, kept[1]) == (0, 0)
    assert compacted.freed == compacted.before - compacted.after > 50_000
