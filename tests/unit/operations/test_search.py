"""Searching: what is found, in which order and lanes, and what is said of an answer."""

from __future__ import annotations

import dataclasses
import math
import re
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.config import SearchConfig
from memd.errors import BadParameter
from memd.operations import literal
from memd.operations.answers import SearchAnswer
from memd.operations.catalog import OPERATIONS
from memd.operations.gaps import list_gaps
from memd.operations.search import search_all
from memd.recall import embedding
from memd.recall.asking import NearProcess, Wanted
from memd.recall.near import Near
from memd.recall.semantic import StaticLane
from memd.store import facts
from memd.text.tokens import terms
from memd.workers.pool import Workers
from tests.unit.operations.conftest import NOW, FrozenClock, Harbor


@dataclasses.dataclass(frozen=True)
class After:
    """A clock that stands so many hours after that of the harbour."""

    hours: int

    def now_ms(self) -> int:
        return FrozenClock().now_ms() + self.hours * 3_600_000

    def monotonic_s(self) -> float:
        return 3600.0


async def find(harbor: Harbor, query: str, **params: object) -> SearchAnswer:
    return await search_all.call(harbor.memory, {"query": query, **params})


async def test_facts_and_messages_are_found_and_the_lanes_named(harbor: Harbor) -> None:
    answer = await find(harbor, "sqlite tide table")

    assert answer.lanes == ("facts", "messages", "calls")
    assert answer.hits[0].kind == "decision"
    assert {hit.kind for hit in answer.hits} == {"decision", "message"}
    assert [hit.score for hit in answer.hits] == sorted((hit.score for hit in answer.hits), reverse=True)
    assert all(hit.session for hit in answer.hits)


async def test_only_one_kind_is_searched_when_asked_for(harbor: Harbor) -> None:
    facts = await find(harbor, "sqlite", kinds=["facts"])
    messages = await find(harbor, "sqlite", kinds=["messages"])

    assert (facts.lanes, {hit.kind for hit in facts.hits}) == (("facts",), {"decision"})
    assert (messages.lanes, {hit.kind for hit in messages.hits}) == (("messages", "calls"), {"message"})


async def test_a_search_in_a_project_finds_nothing_of_others(harbor: Harbor) -> None:
    everywhere = await find(harbor, "tides work sqlite", kinds=["messages"])
    here = await find(harbor, "tides work sqlite", kinds=["messages"], project="harbor")

    assert None in {hit.project for hit in everywhere.hits}
    assert {hit.project for hit in here.hits} == {str(harbor.root)}


async def test_a_search_of_another_host_finds_nothing(harbor: Harbor) -> None:
    assert (await find(harbor, "sqlite", host="somebody_else")).hits == ()
    assert (await find(harbor, "sqlite", host="claude_code")).hits != ()


async def test_what_a_command_printed_is_found_with_its_message(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, "barnacle")).hits

    assert hit.lanes == ("calls",)
    assert "barnacle not found" in hit.text


async def test_two_chinese_characters_are_found(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, "本地")).hits

    assert "潮汐表存放在本地" in hit.text


async def test_nothing_is_found_for_a_query_that_says_nothing(harbor: Harbor) -> None:
    assert (await find(harbor, "?!")).hits == ()
    assert (await find(harbor, "unicorn")).hits == ()


async def test_of_a_long_query_what_says_most_is_looked_for_and_that_is_said(harbor: Harbor) -> None:
    log = "".join(f"2026-03-01 12:00:00 step {n} of the loading went on as before\n" for n in range(3_000))

    answer = await find(harbor, f"why is sqlite used for tides?\n{log}BarnacleError: barnacle not found\n")

    assert len(answer.query) <= 2_000
    assert {"sqlite", "barnacle"} <= set(terms(answer.query))
    assert answer.hits
    told = r"1\d\d,\d{3} characters long; looked for were [\d,]+ of them that say most"
    assert re.fullmatch(told, answer.notes["query"])
    assert "query" not in (await find(harbor, "why is sqlite used for tides?")).notes
    assert "query" not in (await find(harbor, log, mode="exact")).notes


async def test_no_more_is_given_than_asked_for(harbor: Harbor) -> None:
    assert len((await find(harbor, "sqlite", limit=2)).hits) == 2
    with pytest.raises(BadParameter, match="limit must be from 1 to 500"):
        await find(harbor, "sqlite", limit=0)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
async def test_no_query_is_ever_an_error(harbor: Harbor, query: str) -> None:
    assert isinstance(await find(harbor, query), SearchAnswer)


async def test_a_fact_is_not_shown_with_the_message_it_comes_from_again(harbor: Harbor) -> None:
    answer = await find(harbor, "sqlite instead of postgres tide table")

    assert answer.hits[0].kind == "decision"
    assert answer.hits[0].sentence == "Let's use SQLite instead of Postgres"
    assert not [hit for hit in answer.hits if hit.kind == "message" and "instead of Postgres" in hit.text]


async def test_scopes_look_through_what_they_are_about(harbor: Harbor) -> None:
    errors = await find(harbor, "barnacle", scope="errors")
    decisions = await find(harbor, "sqlite", scope="decisions")

    assert [hit.lanes for hit in errors.hits] == [("calls",)]
    assert {hit.kind for hit in decisions.hits} == {"decision"}
    assert decisions.lanes == ("facts",)
    assert (await find(harbor, "barnacle", scope="files")).hits == ()
    assert (await find(harbor, "barnacle", scope="tools")).hits != ()


async def test_a_text_is_found_exactly_as_it_stands(harbor: Harbor) -> None:
    exact = await find(harbor, "sqlite INSTEAD of", mode="exact")

    assert exact.lanes == ("exact",)
    assert [hit.role for hit in exact.hits] == ["user"]
    assert (await find(harbor, "instead sqlite of", mode="exact")).hits == ()
    assert len((await find(harbor, "本地", mode="exact")).hits) == 1


async def test_a_pattern_is_matched_and_what_is_none_is_taken_as_it_stands(harbor: Harbor) -> None:
    assert len((await find(harbor, r"SQLite\s+instead\b", mode="regex")).hits) == 1
    assert (await find(harbor, r"SQLite\s+Instead\d", mode="regex")).hits == ()

    broken = await find(harbor, "table[", mode="regex")

    assert "no valid regular expression" in broken.notes["regex"]


async def test_a_pattern_that_runs_for_ever_is_stopped(harbor: Harbor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(literal, "_PATTERN_S", 0.5)
    text = "a" * 60 + "!"
    await harbor.memory.writer.run(lambda conn: conn.execute("UPDATE messages SET text = ?", (text,)))

    answer = await find(harbor, "(a+)+$", mode="regex")

    assert answer.hits == ()
    assert "takes too long" in answer.notes["regex"]


async def test_a_pattern_that_takes_long_to_read_is_answered_too(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match="1000 characters"):
        await find(harbor, "a" * 1001, mode="regex")
    ranges = "".join(f"[{chr(0x100 + number)}-\U0010ffff]" for number in range(190))

    answer = await find(harbor, ranges, mode="regex")

    assert answer.hits == ()


@pytest.mark.parametrize("typed", ["posgres", "postgers", "popstgres", "psotgres"])
async def test_a_word_mistyped_by_a_letter_is_found_and_said(harbor: Harbor, typed: str) -> None:
    answer = await find(harbor, typed, kinds=["messages"])

    assert answer.read_as == {typed: ("postgr",)}
    assert answer.sure
    assert "Postgres" in answer.hits[0].text


async def test_a_word_that_is_only_nowhere_is_not_read_as_another_where_the_rest_is_found(harbor: Harbor) -> None:
    assert "emery" in (await find(harbor, "emery")).read_as
    assert (await find(harbor, "sqlite emery")).read_as == {}
    assert (await find(harbor, "sqlite nihgt")).read_as == {"nihgt": ("night",)}


async def test_the_parts_of_each_score_are_told_when_asked_for(harbor: Harbor) -> None:
    explained = await find(harbor, "sqlite tide", explain=True)

    for hit in explained.hits:
        parts = hit.why.values()
        whole = sum(parts) if "words" in hit.why else math.prod(parts)
        assert whole == pytest.approx(hit.score, abs=2e-3)
    assert all(not hit.why for hit in (await find(harbor, "sqlite tide")).hits)


async def test_a_category_comes_first_but_hides_nothing(harbor: Harbor) -> None:
    plain = await find(harbor, "always use sqlite linter", kinds=["facts"])
    turned = await find(harbor, "always use sqlite linter", kinds=["facts"], category=plain.hits[-1].kind)

    assert {hit.id for hit in plain.hits} == {hit.id for hit in turned.hits}
    assert turned.hits[-1].score <= plain.hits[0].score
    assert next(h.score for h in turned.hits if h.id == plain.hits[-1].id) > plain.hits[-1].score
    with pytest.raises(BadParameter, match="there is no kind 'nonsense'"):
        await find(harbor, "x", category="nonsense")


async def test_filters_by_session_role_and_time_hold_in_every_lane(harbor: Harbor) -> None:
    everything = await find(harbor, "sqlite")
    session = next(hit.session for hit in everything.hits if hit.kind == "message")

    assert session is not None
    assert {hit.session for hit in (await find(harbor, "sqlite", session=session)).hits} == {session}
    assert {hit.role for hit in (await find(harbor, "sqlite", role="assistant")).hits} == {"assistant"}
    assert (await find(harbor, "sqlite", since="2027-01-01")).hits == ()
    assert (await find(harbor, "sqlite", until="2020-01-01")).hits == ()


async def test_a_topic_holds_in_every_lane_and_leaves_out_what_has_none(harbor: Harbor) -> None:
    call = OPERATIONS["facts.remember"].call
    for topic in ("lamps/pier", "lamps/mole"):
        await call(harbor.memory, {"text": f"The lamp of {topic} uses Tern", "topic": topic, "project": "harbor"})

    answer = await find(harbor, "lamp Tern", topic="lamps/pier", limit=50)

    assert [hit.text for hit in answer.hits] == ["The lamp of lamps/pier uses Tern"]
    assert "messages" not in answer.lanes
    assert (await find(harbor, "sqlite", topic="lamps/pier")).hits == ()
    assert [hit.text for hit in (await find(harbor, "in November", topic="lamps/mole")).hits] == [
        "The lamp of lamps/mole uses Tern"
    ]
    for scope in ("decisions", "errors"):
        assert (await find(harbor, "lamp Tern", topic="lamps/pier", scope=scope)).hits == ()


async def test_a_tag_holds_in_every_lane_and_gives_just_what_has_it(harbor: Harbor) -> None:
    call = OPERATIONS["facts.remember"].call
    for pier, tags in (("north", ["lamps", "dusk"]), ("south", ["lamp"]), ("east", ["Lamps"]), ("west", [])):
        text = f"The lamp of the {pier} pier uses Tern and is said to be lamps, dusk"
        await call(harbor.memory, {"text": text, "tags": tags, "project": "harbor"})
    named = {"source": "Tern", "relation": "uses", "target": "Kelp", "create": True}
    await OPERATIONS["relations.link"].call(harbor.memory, named)

    for query in ("lamp pier Tern", "lamps", "in November", "sqlite Tern", "what breaks when Tern is down?"):
        answer = await find(harbor, query, tag="lamps", limit=50)
        assert [hit.text[:24] for hit in answer.hits] == ["The lamp of the north pi"], query
        assert "messages" not in answer.lanes
    assert (await find(harbor, "lamp pier Tern", tag="mole")).hits == ()
    assert (await find(harbor, "sqlite", tag="lamps")).hits == ()
    assert (await find(harbor, "lamp Tern", tag="lamps", topic="piers")).hits == ()


async def test_letters_are_looked_for_in_messages_alone_and_it_is_said_where_none_are_asked_for(harbor: Harbor) -> None:
    for mode in ("exact", "regex"):
        for narrower in (
            {"tag": "lamps"},
            {"topic": "piers"},
            {"kinds": ("facts",)},
            {"category": "decision", "strict": True},
        ):
            answer = await find(harbor, "sqlite INSTEAD of", mode=mode, **narrower)
            assert "looks through messages alone" in answer.notes[mode]
        assert mode not in (await find(harbor, "sqlite INSTEAD of", mode=mode)).notes


async def test_a_lane_that_cannot_run_is_named_with_its_reason(harbor: Harbor) -> None:
    class Broken:
        missing = "the package numpy is not installed"
        problem = None

        async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
            return None, self.missing

        async def embed_due(self) -> int:
            return 0

    memory = dataclasses.replace(harbor.memory, semantic=Broken())

    answer = await search_all.call(memory, {"query": "sqlite"})

    assert answer.notes == {"semantic": "the package numpy is not installed"}
    assert "semantic" not in answer.lanes
    assert answer.hits


@pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")
async def test_the_semantic_lane_finds_what_shares_no_word(harbor: Harbor) -> None:
    parts = harbor.memory
    async with Workers(1) as asking, anyio.create_task_group() as group:
        process = NearProcess(parts.paths.database, asking)
        lane = StaticLane(process, parts.workers, parts.writer, parts.readers)
        group.start_soon(process.serve)
        assert await lane.embed_due() > 0
        assert await lane.embed_due() == 0
        memory = dataclasses.replace(parts, semantic=lane)
        asked = {"query": "duplicate each evening", "kinds": ["messages"]}

        with anyio.fail_after(120):
            while "semantic" in (answer := await search_all.call(memory, asked)).notes:
                assert "still being made ready" in answer.notes["semantic"]
        again = await search_all.call(memory, asked)
        weighed = {}
        for percent in (100, 50, 0):
            config = dataclasses.replace(memory.config, search=SearchConfig(meaning_percent=percent))
            other = dataclasses.replace(memory, config=config)
            weighed[percent] = await search_all.call(other, {**asked, "explain": True})
        group.cancel_scope.cancel()

    assert answer == again
    assert answer.lanes == ("messages", "semantic", "calls")
    whole, half = (weighed[percent].hits[0].why["meaning"] for percent in (100, 50))
    assert half == pytest.approx(whole / 2, abs=1e-4)
    assert weighed[0].notes["semantic"] == "is switched off"
    assert "semantic" not in weighed[0].lanes
    assert "copy it every night" in answer.hits[0].text
    assert answer.hits[0].lanes == ("semantic",)


@pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")
async def test_for_nonsense_nothing_is_found_and_what_is_nearest_is_shown_as_such(harbor: Harbor) -> None:
    parts = harbor.memory
    async with Workers(1) as asking, anyio.create_task_group() as group:
        process = NearProcess(parts.paths.database, asking)
        lane = StaticLane(process, parts.workers, parts.writer, parts.readers)
        group.start_soon(process.serve)
        await lane.embed_due()
        memory = dataclasses.replace(parts, semantic=lane)

        async def ask(query: str) -> SearchAnswer:
            with anyio.fail_after(120):
                while "semantic" in (answer := await search_all.call(memory, {"query": query, "explain": True})).notes:
                    pass
            return answer

        nonsense, known = await ask("zorblax quuxified flumph wibbles"), await ask("sqlite tide table")
        gaps = (await list_gaps.call(memory, {})).gaps
        group.cancel_scope.cancel()

    assert (nonsense.found, nonsense.sure) == (False, False)
    assert nonsense.hits
    assert nonsense.grounds["share"] == 0.0
    assert (known.found, known.sure) == (True, True)
    assert [gap.query for gap in gaps] == ["zorblax quuxified flumph wibbles"]


@pytest.mark.skipif(embedding.missing() is not None, reason="no embedding")
async def test_a_fact_that_shares_no_word_is_found_by_what_it_means(harbor: Harbor) -> None:
    parts = harbor.memory
    remember = OPERATIONS["facts.remember"].call
    wanted = (await remember(parts, {"text": "Automobiles are parked behind the warehouse", "project": "harbor"})).fact
    await remember(parts, {"text": "Bread is baked at four in the morning", "project": "harbor"})
    async with Workers(1) as asking, anyio.create_task_group() as group:
        process = NearProcess(parts.paths.database, asking)
        lane = StaticLane(process, parts.workers, parts.writer, parts.readers)
        group.start_soon(process.serve)
        await lane.embed_due()
        memory = dataclasses.replace(parts, semantic=lane)
        asked = {"query": "vehicle lot", "kinds": ["facts"], "explain": True}

        with anyio.fail_after(120):
            while "semantic" in (answer := await search_all.call(memory, asked)).notes:
                pass
        told = await OPERATIONS["index.status"].call(memory, {})
        group.cancel_scope.cancel()

    assert answer.hits[0].id == wanted.id
    assert answer.hits[0].lanes == ("semantic",)
    assert answer.hits[0].score == pytest.approx(math.prod(answer.hits[0].why.values()), abs=2e-3)
    assert answer.lanes == ("facts", "semantic")
    assert set(told.fact_vectors.values()) == {told.indexed["facts"]}


class NearTo:
    """A lane that finds one fact near to whatever is asked, as near as anything is."""

    missing = problem = None

    def __init__(self, fact: int) -> None:
        self.fact = fact

    async def near(self, query: str, wanted: Wanted) -> tuple[Near | None, str | None]:
        return Near((), ((self.fact, 0.3),)), None

    async def embed_due(self) -> int:
        return 0


@pytest.mark.parametrize("query", ["barnacle", "BARNACLE not", "表"])
async def test_what_holds_a_few_typed_words_comes_before_what_is_only_near_and_answers_them(
    harbor: Harbor, query: str
) -> None:
    new = facts.NewFact("note", "Bread", "Bread is baked at four in the morning", "user", NOW)
    bread = await harbor.memory.writer.run(lambda conn: facts.add(conn, new, NOW))
    memory = dataclasses.replace(harbor.memory, semantic=NearTo(bread.id))

    answer = await search_all.call(memory, {"query": query, "explain": True})
    rambling = await search_all.call(memory, {"query": "tell me about the barnacle that grows under the pier at night"})

    first, *others = answer.hits
    assert query.casefold() in first.text.casefold()
    assert answer.sure
    (near,) = [hit for hit in others if hit.id == bread.uid]
    assert near.why.get("behind", 1) <= 1
    assert near.score == pytest.approx(math.prod(near.why.values()), abs=2e-3)
    assert near.score <= 0.95 * first.score + 1e-4
    assert rambling.hits[0].id == bread.uid


async def test_what_a_fact_answers_in_other_words_is_sure_and_what_nothing_answers_is_not(harbor: Harbor) -> None:
    said = "run the tests with pytest -q inside the container"
    new = facts.NewFact("convention", said, said, "user", NOW, project_id=None)
    await harbor.memory.writer.run(lambda conn: facts.add(conn, new, NOW))

    answered = await search_all.call(harbor.memory, {"query": "how do I start the test suite with coverage please?"})
    other = await search_all.call(harbor.memory, {"query": "how do I start the pension fund with dividends please?"})

    assert answered.sure
    assert not other.sure


async def test_a_search_as_of_a_day_finds_what_held_then_in_its_words(harbor: Harbor) -> None:
    async def do(name: str, **params: object) -> Any:
        return await OPERATIONS[name].call(harbor.memory, params)

    old = (await do("facts.remember", text="The lamp of pier 12 burns whale oil", since="2026-01-01")).fact
    await do("facts.revise", fact=old.id, text="The lamp of pier 12 burns diesel", since="2026-06-01")

    async def found(as_of: str | None) -> list[str]:
        answer = await do("search", query="lamp pier 12", kinds=["facts"], as_of=as_of)
        return [hit.text for hit in answer.hits]

    assert await found(None) == ["The lamp of pier 12 burns diesel"]
    assert await found("2026-03-01") == ["The lamp of pier 12 burns whale oil"]
    assert await found("2025-12-31") == []


async def test_a_search_as_of_a_time_gives_no_message_that_was_said_later(harbor: Harbor) -> None:
    call = OPERATIONS["search"].call
    later = await call(harbor.memory, {"query": "copy it every night", "kinds": ["messages"]})
    before = await call(
        harbor.memory, {"query": "copy it every night", "kinds": ["messages"], "as_of": "2026-11-29T10:00:00.002Z"}
    )
    assert "Keep SQLite, and copy it every night." in [hit.text for hit in later.hits]
    assert "Keep SQLite, and copy it every night." not in [hit.text for hit in before.hits]


async def test_of_two_facts_as_relevant_the_one_that_was_said_and_used_comes_first(harbor: Harbor) -> None:
    async def remember(text: str, **params: object) -> str:
        answer = await OPERATIONS["facts.remember"].call(harbor.memory, {"text": text, "again": True, **params})
        return str(answer.fact.id)

    async def found() -> list[Any]:
        params = {"query": "lamp pier diesel", "kinds": ["facts"], "explain": True}
        return list((await OPERATIONS["search"].call(harbor.memory, params)).hits)

    said = await remember("The lamp of pier 12 burns diesel")
    inferred = await remember("The lamp of pier 13 burns diesel", basis="inferred")
    assert [hit.id for hit in await found()] == [said, inferred]
    for _ in range(5):
        await OPERATIONS["facts.use"].call(harbor.memory, {"fact": inferred})
    first, second = await found()
    assert (first.id, second.id) == (inferred, said)
    assert (first.fresh.maturity, second.fresh.maturity) == ("established", "candidate")
    assert (first.fresh.basis, second.fresh.basis) == ("inferred", "extracted")
    assert first.why["standing"] > second.why["standing"]
    assert first.score == pytest.approx(math.prod(first.why.values()), rel=0.01)


async def test_an_evergreen_fact_keeps_its_score_however_long_nobody_uses_it(harbor: Harbor) -> None:
    text = "The lamp of pier 12 burns diesel"
    params = {"text": text, "since": "2025-11-29", "evergreen": True}
    fact = (await OPERATIONS["facts.remember"].call(harbor.memory, params)).fact

    async def score() -> float:
        answer = await OPERATIONS["search"].call(harbor.memory, {"query": text, "kinds": ["facts"]})
        return float(answer.hits[0].score)

    kept = await score()
    await OPERATIONS["facts.evergreen"].call(harbor.memory, {"fact": fact.id, "evergreen": False})
    assert await score() < kept
    # However long nobody used it, its own words find it first.
    for number in range(3):
        other = {"text": f"A lamp of pier {number} burns gas, and diesel is dear", "again": True}
        await OPERATIONS["facts.remember"].call(harbor.memory, other)
    answer = await OPERATIONS["search"].call(harbor.memory, {"query": text, "kinds": ["facts"]})
    assert answer.hits[0].id == fact.id


async def test_a_hit_says_when_it_was_used_and_checked_and_promotion_checks_it(harbor: Harbor) -> None:
    call = OPERATIONS
    (fact,) = [
        one for one in await call["facts.list"].call(harbor.memory, {"project": "harbor"}) if "SQLite" in one.title
    ]
    await call["facts.use"].call(harbor.memory, {"fact": fact.id})
    await call["facts.evergreen"].call(harbor.memory, {"fact": fact.id})

    async def fresh(memory: Any) -> Any:
        (hit, *_) = (await call["search"].call(memory, {"query": "sqlite tide table", "kinds": ["facts"]})).hits
        return hit.fresh

    used = await fresh(harbor.memory)
    assert (used.uses, used.last_used, used.evergreen) == (1, "2026-11-29T11:00:00.000Z", True)
    assert (used.verified, used.verified_days) == (None, None)
    promote = {"project": "harbor", "score": 0.0, "sessions": 1, "openers": 1, "apply": True}
    assert (await call["facts.promote"].call(harbor.memory, promote)).promoted == 1
    day = dataclasses.replace(harbor.memory, clock=After(24))
    checked = await fresh(day)
    assert (checked.verified, checked.verified_days) == ("2026-11-29T11:00:00.000Z", 1.0)
    await call["facts.verify"].call(day, {"fact": fact.id})
    assert (await fresh(day)).verified_days == 0.0


async def test_messages_that_are_switched_off_are_kept_and_not_looked_through(harbor: Harbor) -> None:
    config = dataclasses.replace(harbor.memory.config, search=SearchConfig(messages=False))
    off = dataclasses.replace(harbor.memory, config=config)
    call = OPERATIONS["search"].call
    query = {"query": "SQLite tide table"}
    assert {hit.kind for hit in (await call(harbor.memory, query)).hits} == {"decision", "message"}
    answer = await call(off, query)
    assert {hit.kind for hit in answer.hits} == {"decision"}
    assert "search.messages is off" in answer.notes["messages"]
    for mode in ("words", "exact"):
        assert (await call(off, {**query, "kinds": ["messages"], "mode": mode})).hits == ()


async def test_a_message_of_thirty_characters_is_found_with_its_role_time_and_session(harbor: Harbor) -> None:
    hits = (
        await OPERATIONS["search"].call(harbor.memory, {"query": "copy it every night", "kinds": ["messages"]})
    ).hits
    hit = next(one for one in hits if "every night" in one.text)
    assert (hit.role, hit.at, hit.session is not None) == ("user", "2026-11-29T10:00:00.005Z", True)
