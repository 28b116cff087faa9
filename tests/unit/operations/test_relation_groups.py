"""The groups of facts and entities: what is said in them, and what is told while they are found anew."""

from __future__ import annotations

from typing import Any

import pytest

from memd.codegraph.shape import GROUPS_TASK
from memd.errors import WorkerFailed
from memd.operations import relation_groups
from memd.schedule import jobs
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_relations import link
from tests.unit.operations.test_remember import do


@pytest.fixture
async def two_groups(harbor: Harbor) -> Harbor:
    """Four facts that rest on each other, and four things that nothing links to them."""
    said = [
        (await do(harbor, "facts.remember", text=text, kind="decision", project="harbor", again=True)).fact.id
        for text in (
            "The gauge of pier four drifts in winter", "Cold lets a gauge drift", "Gauges are read at noon",
            "The harbour office trusts no gauge below zero",
        )
    ]  # fmt: skip
    for one in said[1:]:
        await do(harbor, "relations.link", source=said[0], relation="builds_on", target=one)
    for source, target in (("Lamp", "Oil"), ("Lamp", "Wick"), ("Lamp", "Keeper"), ("Oil", "Wick")):
        await link(harbor, source, "uses", target, project="harbor")
    return harbor


async def test_a_group_names_its_members_what_they_say_and_the_facts_that_say_it(two_groups: Harbor) -> None:
    told = await do(two_groups, "relations.groups", project="harbor")
    (gauges,) = (one for one in told.groups if "The gauge of pier four drifts in winter" in one.labels)
    assert (gauges.size, len(gauges.nodes)) == (4, 4)
    assert gauges.nodes[0] == f"fact:{gauges.evidence[0]}"  # the one that most hang on is told first
    for fact, sentence in zip(gauges.evidence, gauges.summary.split(" / "), strict=True):
        assert sentence in (await do(two_groups, "facts.show", fact=fact)).fact.text
    assert len(gauges.evidence) == 3
    assert len(gauges.summary) <= 400
    (lamps,) = (one for one in told.groups if "Lamp" in one.labels)
    assert (set(lamps.labels), lamps.summary, lamps.evidence) == ({"Lamp", "Oil", "Wick", "Keeper"}, "", ())


async def test_of_entities_the_sentences_are_told_that_relate_them(harbor: Harbor) -> None:
    texts = "The lamp worker depends on Tern.", "The lamp worker depends on Kelp.", "The lamp worker uses Postgres."
    saved = [
        await do(harbor, "facts.remember", text=text, kind="architecture", project="harbor", again=True)
        for text in texts
    ]
    told = await do(harbor, "relations.groups", project="harbor")
    (group,) = (one for one in told.groups if "Tern" in one.labels)
    assert set(texts) >= set(group.summary.split(" / ")) != set()
    assert set(group.evidence) <= {one.fact.id for one in saved}


async def test_after_a_write_groups_are_told_as_they_were_and_found_anew_by_a_job_alone(
    two_groups: Harbor, worked: list[str]
) -> None:
    async def told() -> Any:
        return await do(two_groups, "relations.groups", project="harbor")

    first = await told()
    assert (first.stale, worked) == (False, [GROUPS_TASK])
    await link(two_groups, "Lamp", "uses", "Mirror", project="harbor")
    later = await told()
    assert (later.stale, later.groups, worked) == (True, first.groups, [GROUPS_TASK])

    (job,) = (one for one in jobs(two_groups.memory) if one.name == "groups")
    await job.body()
    assert worked == [GROUPS_TASK] * 2
    fresh = await told()
    assert (fresh.stale, worked) == (False, [GROUPS_TASK] * 2)
    assert any("Mirror" in one.labels for one in fresh.groups)
    await relation_groups.find_anew(two_groups.memory)
    assert worked == [GROUPS_TASK] * 2


async def test_what_was_forgotten_since_is_not_told_of_a_group_as_it_was(two_groups: Harbor) -> None:
    first = await do(two_groups, "relations.groups", project="harbor")
    (gauges,) = (one for one in first.groups if one.evidence)
    await do(two_groups, "facts.forget", fact=gauges.evidence[0], apply=True)
    later = await do(two_groups, "relations.groups", project="harbor")
    assert later.stale
    assert all(gauges.evidence[0] not in (*one.evidence, *"".join(one.nodes)) for one in later.groups)
    assert not any(f"fact:{gauges.evidence[0]}" in one.nodes for one in later.groups)


async def test_one_that_cannot_be_found_anew_keeps_no_other_from_it_and_takes_nothing_away(
    two_groups: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def told(**params: object) -> Any:
        return await do(two_groups, "relations.groups", **params)

    asked: tuple[dict[str, Any], ...] = ({"project": "harbor"}, {"project": "harbor", "automatic": True}, {})
    first = [await told(**one) for one in asked]
    await link(two_groups, "Lamp", "uses", "Mirror", project="harbor")
    assert [(await told(**one)).stale for one in asked] == [True] * 3
    find = relation_groups._find
    tried: list[object] = []

    async def failing(*given: Any) -> Any:
        tried.append(given)
        if len(tried) == 1:
            raise WorkerFailed(GROUPS_TASK, "took too long")
        return await find(*given)

    monkeypatch.setattr(relation_groups, "_find", failing)
    with pytest.raises(WorkerFailed):
        await relation_groups.find_anew(two_groups.memory)

    later = [await told(**one) for one in asked]
    assert [one.stale for one in later] == [True, False, False]
    assert later[0].groups == first[0].groups
    await relation_groups.find_anew(two_groups.memory)
    assert not (await told(**asked[0])).stale
