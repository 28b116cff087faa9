from __future__ import annotations

import orjson
import pytest

from memd.errors import BadParameter, NotFound
from memd.operations.facts import list_facts, show_fact
from tests.unit.operations.conftest import Harbor


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
