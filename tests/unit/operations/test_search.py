from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.errors import BadParameter
from memd.model import Message, ToolCall
from memd.operations.answers import SearchAnswer
from memd.operations.search import search_all
from memd.operations.snippet import snippet
from memd.text.tokens import terms
from tests.unit.operations.conftest import Harbor


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


async def test_no_more_is_given_than_asked_for(harbor: Harbor) -> None:
    assert len((await find(harbor, "sqlite", limit=2)).hits) == 2
    with pytest.raises(BadParameter, match="limit must be from 1 to 500"):
        await find(harbor, "sqlite", limit=0)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
async def test_no_query_is_ever_an_error(harbor: Harbor, query: str) -> None:
    assert isinstance(await find(harbor, query), SearchAnswer)


def message(text: str, *outputs: str) -> Message:
    calls = tuple(ToolCall("c", "Bash", "shell", "{}", output=output) for output in outputs)
    return Message(1, "k", 1, "assistant", "reply", None, text, tool_calls=calls)


def test_a_snippet_begins_with_the_sentence_that_holds_most() -> None:
    long = "Something else entirely. " * 40 + "The tide table is in SQLite. It is copied nightly. " + "More. " * 200

    found = snippet(message(long), frozenset(terms("sqlite tide")))

    assert found.startswith("The tide table is in SQLite. It is copied nightly.")
    assert len(found) <= 480


def test_a_snippet_of_what_holds_nothing_is_the_beginning() -> None:
    assert snippet(message("The sea. " * 100), frozenset({"unicorn"})).startswith("The sea.")
    assert snippet(message(""), frozenset({"unicorn"})) == ""


@given(st.text(max_size=2000), st.lists(st.text(max_size=300), max_size=2))
def test_a_snippet_is_never_long(text: str, outputs: list[str]) -> None:
    assert len(snippet(message(text, *outputs), frozenset({"a", "the"}))) <= 480
