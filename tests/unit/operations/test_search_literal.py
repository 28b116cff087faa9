"""A text is found as it stands, in what was said and in what tools were given and put out; hits are cut to size."""

from __future__ import annotations

import orjson
import pytest

from memd.adapter import SessionUpdate
from memd.doors.mcp.shape import prune
from memd.errors import BadParameter
from memd.operations.answers import SearchAnswer
from memd.operations.search import search_all
from tests.unit.operations.conftest import Harbor, _part, _store


async def find(harbor: Harbor, query: str, **params: object) -> SearchAnswer:
    return await search_all.call(harbor.memory, {"query": query, **params})


async def test_what_a_tool_put_out_is_found_as_it_stands_and_is_nobodys_words(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, "BARNACLE not", mode="exact")).hits

    assert (hit.text, hit.role, hit.tool) == ("barnacle not found", "tool", "Bash")


async def test_what_a_tool_was_given_is_found_as_a_person_would_write_it(harbor: Harbor) -> None:
    await harbor.memory.writer.run(
        lambda conn: conn.execute("UPDATE tool_calls SET input = ?", ('{"command": "grep \\"tide: 4\\" docs"}',))
    )

    (hit,) = (await find(harbor, 'grep "tide: 4"', mode="exact")).hits

    assert (hit.text, hit.role, hit.tool) == ('Bash: grep "tide: 4" docs', "assistant", "Bash")


async def test_a_pattern_is_matched_in_what_tools_put_out_too(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, r"barna\w+ not", mode="regex")).hits

    assert hit.tool == "Bash"


async def test_a_match_in_a_long_output_is_shown_with_its_lines_and_not_from_the_beginning(harbor: Harbor) -> None:
    long = "all is well\n" * 400 + "E4711: the sluice is stuck\nat gate 7\n" + "bye\n" * 400
    await harbor.memory.writer.run(lambda conn: conn.execute("UPDATE tool_calls SET output = ?", (long,)))

    (hit,) = (await find(harbor, "sluice is", mode="exact", chars=100)).hits

    assert hit.text.startswith("E4711: the sluice is stuck\nat gate 7")
    assert hit.sentence == "E4711: the sluice is stuck"
    assert (len(hit.text) <= 100, hit.chars) == (True, len(long))


async def test_a_role_is_that_of_people_so_that_no_output_is_found_with_it(harbor: Harbor) -> None:
    assert (await find(harbor, "barnacle not", mode="exact", role="assistant")).hits == ()
    assert (await find(harbor, "copy it every night", mode="exact", role="user")).hits != ()


async def test_an_exact_text_is_looked_for_within_scope_and_kinds(harbor: Harbor) -> None:
    assert (await find(harbor, "barnacle", mode="exact", scope="tools")).hits != ()
    assert (await find(harbor, "SQLite it is", mode="exact", scope="tools")).hits == ()
    assert {hit.kind for hit in (await find(harbor, "sqlite", mode="exact", kinds=["facts"])).hits} == {"decision"}


async def test_in_a_search_by_words_the_output_of_a_tool_is_labelled_as_such(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, "barnacle")).hits

    assert (hit.role, hit.tool) == ("tool", "Bash")


async def test_compact_hits_are_a_line_each(harbor: Harbor) -> None:
    await harbor.memory.writer.run(
        lambda conn: conn.execute("UPDATE facts SET body = body || char(10) || ?", ("More of it.\n" * 30,))
    )
    whole = await find(harbor, "sqlite tide table")
    compact = await find(harbor, "sqlite tide table", compact=True)

    assert [hit.id for hit in compact.hits] == [hit.id and hit.id[-10:] for hit in whole.hits]
    for hit in compact.hits:
        assert "\n" not in hit.text
        assert 0 < len(hit.text) <= 120
        assert (hit.sentence, hit.lanes, hit.project) == ("", (), None)
        assert set(prune(orjson.loads(orjson.dumps(hit)))) <= {
            "text",
            "session",
            "score",
            "at",
            "kind",
            "id",
            "role",
            "message",
            "chars",
        }
    assert compact.hits[0].chars > 300
    assert compact.chars == sum(len(hit.text) for hit in compact.hits) < whole.chars


@pytest.mark.parametrize("budget", [1, 60, 100, 10_000])
async def test_hits_are_never_larger_than_their_budget(harbor: Harbor, budget: int) -> None:
    whole = await find(harbor, "sqlite tide table")
    answer = await find(harbor, "sqlite tide table", budget=budget)

    assert answer.chars == sum(len(hit.text) for hit in answer.hits) <= budget
    assert answer.left == len(whole.hits) - len(answer.hits)
    assert (answer.left == 0) == (budget == 10_000)


async def test_a_sentence_that_is_found_can_bring_the_whole_that_it_stands_in_once_and_within_the_budget(
    harbor: Harbor,
) -> None:
    told = "The gauge is read hourly. " * 30 + "The sluice keeper is called Ines. " + "Nobody else may turn it. " * 30
    await harbor.memory.writer.run(
        lambda conn: _store(conn, "long", SessionUpdate("long"), _part("long", "g", 1, told))
    )

    (short, *_) = (await find(harbor, "sluice keeper Ines", chars=80)).hits
    hits = (await find(harbor, "sluice keeper Ines", chars=5_000)).hits
    (whole,) = [hit for hit in hits if hit.message == short.message]
    within = await find(harbor, "sluice keeper Ines", chars=5_000, budget=100)

    assert short.sentence == whole.sentence == "The sluice keeper is called Ines."
    assert (len(short.text) <= 80, short.chars) == (True, len(told))
    assert whole.sentence in whole.text
    assert len(whole.text) > 5 * len(short.text)
    assert within.chars <= 100


async def test_a_budget_of_nothing_is_refused(harbor: Harbor) -> None:
    with pytest.raises(BadParameter, match="budget must be 1 or more, not 0"):
        await find(harbor, "sqlite", budget=0)


async def test_a_category_that_was_guessed_wrong_hides_the_answer_only_where_it_is_a_filter(harbor: Harbor) -> None:
    boosted = await find(harbor, "sqlite tide table", category="bugfix")
    strict = await find(harbor, "sqlite tide table", category="bugfix", strict=True)
    right = await find(harbor, "sqlite tide table", category="decision", strict=True)

    assert boosted.hits[0].title == "SQLite for the tide table"
    assert strict.hits == ()
    assert [hit.kind for hit in right.hits] == ["decision"]


async def test_of_each_session_one_hit_is_given_the_best(harbor: Harbor) -> None:
    every = await find(harbor, "sqlite tide", limit=50)
    once = await find(harbor, "sqlite tide", limit=50, by_session=True)

    sessions = [hit.session for hit in once.hits]
    assert len(sessions) == len(set(sessions)) == len({hit.session for hit in every.hits})
    for hit in once.hits:
        assert hit.score == max(one.score for one in every.hits if one.session == hit.session)


async def test_every_hit_says_how_fresh_it_is(harbor: Harbor) -> None:
    answer = await find(harbor, "sqlite tide table")

    for hit in answer.hits:
        assert hit.fresh.age_days == 0.0
        known = (hit.fresh.maturity, hit.fresh.basis, hit.fresh.confidence, hit.fresh.uses)
        assert known == (("candidate", "extracted", 1.0, 0) if hit.kind == "decision" else (None, None, None, 0))


async def test_a_fact_is_as_old_as_what_was_said_and_not_as_what_memd_read(harbor: Harbor) -> None:
    week = 7 * 86_400_000
    await harbor.memory.writer.run(
        lambda conn: conn.execute(
            "UPDATE facts SET valid_from = valid_from - ?1, last_seen_at = last_seen_at - ?1", (week,)
        )
    )

    answer = await find(harbor, "sqlite tide table")

    assert [hit.fresh.age_days for hit in answer.hits if hit.kind == "decision"] == [7.0]


async def test_the_sentence_that_holds_what_was_asked_is_told_by_itself_in_chinese_too(harbor: Harbor) -> None:
    (hit,) = (await find(harbor, "潮汐表 本地")).hits

    assert hit.sentence == "潮汐表存放在本地。"
    assert hit.sentence in hit.text
