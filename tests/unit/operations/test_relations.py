"""Relations in a closed vocabulary, with their times, and what they lead to."""

from __future__ import annotations

from typing import Any

import pytest

from memd.distill.vocabulary import RELATIONS
from memd.errors import BadParameter, NotFound
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_remember import count, do, remember


async def link(harbor: Harbor, source: str, relation: str, target: str, **params: object) -> Any:
    given = {"source": source, "relation": relation, "target": target, "create": True, **params}
    return await do(harbor, "relations.link", **given)


async def told(harbor: Harbor, **params: object) -> list[str]:
    found = (await do(harbor, "relations.list", **params)).relations
    return sorted(f"{one.source_label} {one.relation} {one.target_label}" for one in found)


@pytest.mark.parametrize("relation", list(RELATIONS))
async def test_every_relation_is_accepted_once_for_two_nodes(harbor: Harbor, relation: str) -> None:
    first = await link(harbor, "Tern", relation, "Kelp", strength=0.3)
    again = await link(harbor, "Tern", relation, "Kelp", strength=0.9)
    assert (again.id, again.strength, again.origin) == (first.id, 0.9, "manual")


async def test_other_words_are_folded_and_turned_round(harbor: Harbor) -> None:
    await link(harbor, "Tern", "replaces", "Kelp")
    await link(harbor, "Lamp", "Used By", "Keeper")
    assert await told(harbor) == ["Keeper uses Lamp", "Tern supersedes Kelp"]


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({"relation": "eats"}, "there are: .*depends_on"),
        ({"strength": 1.5}, "from 0 to 1"),
        ({"target": "Tern"}, "nothing is related to itself"),
        ({"since": "soon"}, "is no date"),
    ],
    ids=str,
)
async def test_what_cannot_be_is_refused_and_nothing_is_written(
    harbor: Harbor, params: dict[str, object], said: str
) -> None:
    given = {"source": "Tern", "relation": "uses", "target": "Kelp", **params}
    with pytest.raises(BadParameter, match=said):
        await do(harbor, "relations.link", create=True, **given)
    assert (await count(harbor, "edges"), await count(harbor, "entities")) == (0, 0)


async def test_nothing_dangles(harbor: Harbor) -> None:
    await do(harbor, "entities.add", name="Tern")
    with pytest.raises(NotFound, match="Kelp"):
        await link(harbor, "Tern", "uses", "Kelp", create=False)
    saved = await remember(harbor, "Lamp states live in tern", kind="decision")
    await link(harbor, "Tern", "related_to", saved.fact.id)
    await do(harbor, "facts.forget", fact=saved.fact.id, apply=True)
    assert await count(harbor, "edges") == 0


async def test_a_relation_that_ended_answers_for_its_time_and_may_come_back(harbor: Harbor) -> None:
    await link(harbor, "Tern", "runs_on", "Pier", since="2026-01-01")
    ended = await do(
        harbor,
        "relations.invalidate",
        source="Tern",
        relation="runs on",
        target="Pier",
        at="2026-03-01T00:00:00Z",
        reason="moved",
    )
    assert ended.valid_to == "2026-03-01T00:00:00.000Z"
    assert await told(harbor) == []
    assert await told(harbor, as_of="2026-02-01") == ["Tern runs_on Pier"]
    await link(harbor, "Tern", "runs_on", "Pier", since="2026-06-01")
    assert (await do(harbor, "relations.list", status="all")).total == 2
    assert await told(harbor, as_of="2026-02-01") == ["Tern runs_on Pier"]
    assert await told(harbor, as_of="2026-04-01") == []
    assert await told(harbor, status="superseded") == ["Tern runs_on Pier"]
    with pytest.raises(NotFound):
        await do(harbor, "relations.invalidate", source="Tern", relation="uses", target="Pier")


async def test_many_are_linked_at_once_and_what_is_skipped_is_counted(harbor: Harbor) -> None:
    links = [
        {"source": "Tern", "relation": "uses", "target": "Rope"},
        {"source": "Tern", "relation": "uses", "target": "Rope"},
        {"source": "Tern", "relation": "eats", "target": "Rope"},
        {"source": "Tern", "relation": "uses", "target": "Tern"},
    ]
    done = await do(harbor, "relations.link_many", links=links, origin="survey")
    assert (done.linked, done.known, sum(done.skipped.values())) == (1, 1, 2)
    await link(harbor, "Tern", "uses", "Oil")
    gone = await do(harbor, "relations.unlink", origin="survey")
    assert (gone.unlinked, await told(harbor)) == (1, ["Tern uses Oil"])
    gone = await do(harbor, "relations.unlink", source="Tern", relation="uses", target="Oil")
    assert (gone.unlinked, await told(harbor, status="all")) == (1, [])
    with pytest.raises(BadParameter, match="an origin alone"):
        await do(harbor, "relations.unlink", source="Tern")


async def test_ten_thousand_links_are_loaded_in_one_go_and_those_that_cannot_be_are_counted_by_reason(
    harbor: Harbor,
) -> None:
    good = [{"source": f"Quay {n % 400}", "relation": "uses", "target": f"Boat {n}"} for n in range(10_000)]
    bad = [
        *({"source": f"Quay {n}", "relation": "swallows", "target": "Boat 1"} for n in range(30)),
        *({"source": f"Boat {n}", "relation": "uses", "target": f"Boat {n}"} for n in range(20)),
        *({"source": "fact:00000000", "relation": "uses", "target": f"Boat {n}"} for n in range(10)),
    ]
    done = await do(harbor, "relations.link_many", links=[*good, *bad, *good[:40]], project="harbor")
    assert (done.linked, done.known) == (10_000, 40)
    assert sorted(done.skipped.values()) == [10, 20, 30]
    assert (await do(harbor, "relations.list", project="harbor", limit=1)).total == 10_000


async def test_what_can_be_reached_is_told_with_the_way_and_a_cap(harbor: Harbor) -> None:
    for one, other in (("A", "B"), ("B", "C"), ("C", "A"), ("C", "D"), ("X", "A")):
        await link(harbor, f"Node {one}", "calls", f"Node {other}")
    await link(harbor, "Node A", "uses", "Node U")
    out = await do(harbor, "relations.traverse", start="Node A", direction="out", depth=3, relations=["calls"])
    assert [(one.label, one.depth) for one in out.nodes] == [("Node B", 1), ("Node C", 2), ("Node D", 3)]
    assert not out.capped
    back = await do(harbor, "relations.traverse", start="Node A", direction="in", depth=1)
    assert sorted(one.label for one in back.nodes) == ["Node C", "Node X"]
    both = await do(harbor, "relations.traverse", start="Node A", depth=5, most=2)
    assert (len(both.nodes), both.capped) == (2, True)
    with pytest.raises(BadParameter):
        await do(harbor, "relations.traverse", start="Node A", depth=0)


async def test_entities_are_found_by_any_part_of_any_name(harbor: Harbor) -> None:
    for name in ("Lamp store", "Lamp shed", "潮汐服务", "Pier"):
        await do(harbor, "entities.add", name=name, kind="component", aliases=[f"{name} of old"])
    found = await do(harbor, "entities.search", query="lamp", limit=1)
    assert ([one.name for one in found.entities], found.total, found.truncated) == (["Lamp shed"], 2, True)
    assert [one.name for one in (await do(harbor, "entities.search", query="汐服")).entities] == ["潮汐服务"]
    with pytest.raises(BadParameter, match=r"there are: .*concept"):
        await do(harbor, "entities.search", kind="seabird")


async def test_named_entities_are_opened_with_their_relations_and_nothing_changes(harbor: Harbor) -> None:
    await link(harbor, "Lamp", "uses", "Oil")
    tables = ("entities", "edges", "entity_aliases", "facts", "statements")
    before = [await count(harbor, table) for table in tables], written(harbor)
    opened = await do(harbor, "entities.open", names=["lamp", "Oil", "Moon"])
    assert ([one.name for one in opened.entities], opened.missing) == (["Lamp", "Oil"], ("Moon",))
    assert [(one.source_label, one.target_label) for one in opened.relations] == [("Lamp", "Oil")]
    assert ([await count(harbor, table) for table in tables], written(harbor)) == before


def written(harbor: Harbor) -> list[tuple[str, int, int]]:
    """The files of the database, with how long they are and when they were written last."""
    database = harbor.memory.paths.database
    found = ((path.name, path.stat()) for path in sorted(database.parent.glob(f"{database.name}*")))
    return [(name, stat.st_size, stat.st_mtime_ns) for name, stat in found if not name.endswith("-shm")]


async def test_two_spellings_are_one_entity(harbor: Harbor) -> None:
    await link(harbor, "Postgres", "runs_on", "Pier")
    await link(harbor, "Lamp", "uses", "PG")
    await do(harbor, "entities.alias", entity="Postgres", alias="PG")
    assert await told(harbor, node="pg") == ["Lamp uses Postgres", "Postgres runs_on Pier"]


async def test_pages_cover_every_relation_once(harbor: Harbor) -> None:
    links = [{"source": "Hub", "relation": "uses", "target": f"Part {number}"} for number in range(7)]
    await do(harbor, "relations.link_many", links=links)
    seen, offset = [], 0
    while offset is not None:
        page = await do(harbor, "relations.list", limit=3, offset=offset)
        seen += [one.id for one in page.relations]
        offset = page.next_offset
    assert len(seen) == len(set(seen)) == 7
    summary = await do(harbor, "relations.summary")
    assert (summary.relations, summary.entities, summary.origins) == ({"uses": 7}, {"concept": 8}, {"manual": 7})


async def test_the_oldest_of_what_ended_goes_and_what_holds_stays(harbor: Harbor) -> None:
    for month in range(1, 6):
        await link(harbor, "Tern", "runs_on", f"Pier {month}", since=f"2026-0{month}-01")
        await do(
            harbor, "relations.invalidate", source="Tern", relation="runs_on", target=f"Pier {month}",
            at=f"2026-0{month}-02",
        )  # fmt: skip
    await link(harbor, "Tern", "runs_on", "Pier 9")
    assert (await do(harbor, "relations.prune", keep=2)).unlinked == 3
    assert (await do(harbor, "relations.list", status="all")).total == 6
    await do(harbor, "relations.prune", keep=2, apply=True)
    assert await told(harbor, status="superseded") == ["Tern runs_on Pier 4", "Tern runs_on Pier 5"]
    assert await told(harbor) == ["Tern runs_on Pier 9"]
    left = {one.name for one in (await do(harbor, "entities.search", limit=100)).entities}
    assert left == {"Tern", "Pier 4", "Pier 5", "Pier 9"}


async def test_what_a_saved_fact_tells_of_is_related_with_its_sentence(harbor: Harbor) -> None:
    saved = await remember(harbor, "The lamp worker depends on Tern.", kind="architecture", project="harbor")
    (edge,) = (await do(harbor, "relations.list", origin="distill", project="harbor")).relations
    assert (edge.source_label, edge.relation, edge.target_label) == ("lamp worker", "depends_on", "Tern")
    assert (edge.fact, edge.quote) == (saved.fact.id, "The lamp worker depends on Tern.")


async def test_the_vocabulary_is_told(harbor: Harbor) -> None:
    told_of = await do(harbor, "relations.vocabulary")
    assert "requires" in told_of.relations["depends_on"]
    assert "<used_by" in told_of.relations["uses"]
    assert "concept" in told_of.entity_kinds


async def test_pages_hold_every_node_once_and_the_summary_counts_just_those(harbor: Harbor) -> None:
    for number in range(23):
        await do(harbor, "entities.add", name=f"Pier {number}", kind=("tool", "host", "concept")[number % 3])
    await do(harbor, "relations.link_many", links=[
        {"source": f"Pier {n}", "relation": "uses", "target": f"Pier {n + 1}"} for n in range(9)
    ])  # fmt: skip
    seen: list[str] = []
    while True:
        page = await do(harbor, "entities.search", limit=5, offset=len(seen))
        seen += [one.id for one in page.entities]
        if not page.truncated:
            break
    summary = await do(harbor, "relations.summary")
    assert len(set(seen)) == len(seen) == page.total == sum(summary.entities.values())
    ledger = await do(harbor, "relations.list", limit=1)
    assert ledger.total == sum(summary.relations.values()) == sum(summary.origins.values())
