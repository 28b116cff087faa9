from __future__ import annotations

from typing import Any

import orjson
import pytest

from memd.errors import BadParameter, NotFound
from memd.operations.facts import list_facts, show_fact
from tests.unit.operations.conftest import FIRST, Harbor
from tests.unit.operations.test_remember import do, remember


async def titles(harbor: Harbor, **params: object) -> list[str]:
    return sorted(fact.title for fact in await list_facts.call(harbor.memory, params))


async def test_what_holds_is_listed_and_what_was_replaced_only_when_asked_for(harbor: Harbor) -> None:
    assert await titles(harbor) == ["Lint first", "SQLite for the tide table"]
    assert await titles(harbor, all=True) == ["Lint first", "Postgres", "SQLite for the tide table"]
    assert len(await titles(harbor, limit=1)) == 1


async def test_facts_are_listed_by_project_and_by_kind_in_anybodys_words(harbor: Harbor) -> None:
    assert await titles(harbor, project="harbor", kind="adr") == ["SQLite for the tide table"]
    assert await titles(harbor, kind="instruction") == ["Lint first"]


async def test_a_kind_that_there_is_not_is_named_with_those_there_are(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match=r"there is no kind 'opinion' .*decision"):
        await titles(harbor, kind="opinion")


async def test_the_json_of_a_fact_is_as_documented(harbor: Harbor) -> None:
    (fact,) = [one for one in await list_facts.call(harbor.memory, {}) if one.kind == "decision"]
    told = orjson.loads(orjson.dumps(fact))

    assert {key: told[key] for key in ("kind", "title", "text", "project", "status", "evidence", "parts")} == {
        "kind": "decision",
        "title": "SQLite for the tide table",
        "text": "Use SQLite instead of Postgres for the tide table",
        "project": str(harbor.root),
        "status": "current",
        "evidence": [
            {
                "quote": "Let's use SQLite instead of Postgres",
                "session": told["session"],
                "at": "2026-11-29T10:00:00.000Z",
            }
        ],
        "parts": {"because": "the office has no server"},
    }
    assert len(told["id"]) == len(told["session"]) == 36


async def test_what_holds_everywhere_has_no_project(harbor: Harbor) -> None:
    (fact,) = await list_facts.call(harbor.memory, {"kind": "preference"})

    assert (fact.project, fact.session, fact.evidence) == (None, None, ())


async def test_a_fact_is_shown_with_what_became_of_it(harbor: Harbor) -> None:
    (old,) = [one for one in await list_facts.call(harbor.memory, {"all": True}) if one.title == "Postgres"]

    shown = await show_fact.call(harbor.memory, {"fact": old.id[-10:]})

    assert shown.fact.status == "superseded"
    assert [change.action for change in shown.history] == ["ADD", "SUPERSEDE"]
    assert shown.history[-1].reason == "SQLite was chosen instead"
    assert shown.history[-1].other == shown.fact.superseded_by


async def test_a_fact_that_there_is_not_is_named(harbor: Harbor) -> None:
    with pytest.raises(NotFound, match="There is no fact 'zz'"):
        await show_fact.call(harbor.memory, {"fact": "zz"})


async def test_who_looks_at_a_fact_uses_it_once_and_who_lists_or_finds_it_does_not(harbor: Harbor) -> None:
    fact = (await remember(harbor, "The lamp of pier 12 is lit at dusk", project="harbor")).fact.id
    for op, params in (("facts.list", {}), ("facts.export", {}), ("search", {"query": "lamp pier"}),
                       ("facts.timeline", {"fact": fact}), ("facts.versions", {"fact": fact})):  # fmt: skip
        await do(harbor, op, **params)
    assert (await listed_one(harbor, fact)).uses == 0
    await do(harbor, "facts.show", fact=fact)
    one = await listed_one(harbor, fact)
    assert (one.uses, one.last_used is None) == (1, False)
    await do(harbor, "facts.show", fact=fact)
    assert (await listed_one(harbor, fact)).uses == 2


async def listed_one(harbor: Harbor, fact: str) -> Any:
    (one,) = [one for one in await do(harbor, "facts.list", all=True) if one.id == fact]
    return one


async def test_what_one_session_taught_is_told_around_a_fact_and_nothing_of_another(harbor: Harbor) -> None:
    ids = [
        (await remember(harbor, f"Watch {n} of the lamp was kept", session=FIRST, since=f"2026-01-0{n}")).fact.id
        for n in range(1, 8)
    ]
    await remember(harbor, "Watch 4 of the pump was kept", project="harbor", since="2026-01-04T06:00:00Z")
    told = await do(harbor, "facts.timeline", fact=ids[3], before=2, after=2)
    assert [one.id for one in (*told.before, told.fact, *told.after)] == ids[1:6]
    assert (told.earlier, told.later) == (True, True)


async def test_values_of_ones_own_are_filtered_by_before_the_limit_cuts(harbor: Harbor) -> None:
    wanted = [
        (await remember(harbor, f"Berth {n} has a ladder", metadata={"quay": {"no": n % 2}, "n": n})).fact.id
        for n in range(12)
    ]
    found = await do(harbor, "facts.list", where={"quay": {"no": 1}}, limit=6)
    assert {one.id for one in found} == set(wanted[1::2])
    assert [one.id for one in await do(harbor, "facts.list", where={"n": 3}, limit=1)] == [wanted[3]]
    assert found[0].metadata["quay"] == {"no": 1}
