"""Messages that are handed in are looked through for facts, or kept word for word."""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter
from memd.operations.catalog import OPERATIONS
from memd.operations.fact_answers import MessagesAnswer
from tests.unit.operations.conftest import FIRST, Harbor


async def add(harbor: Harbor, *messages: tuple[str, str], **params: object) -> MessagesAnswer:
    said = [{"role": role, "content": content} for role, content in messages]
    answer = await OPERATIONS["messages.add"].call(harbor.memory, {"messages": said, **params})
    assert isinstance(answer, MessagesAnswer)
    return answer


async def facts(harbor: Harbor) -> int:
    def read(conn: Any) -> int:
        return int(conn.execute("SELECT count(*) FROM facts").fetchone()[0])

    return await harbor.memory.readers.run(read)


async def test_each_fact_of_the_users_messages_comes_with_what_became_of_it(harbor: Harbor) -> None:
    first = await add(
        harbor,
        ("user", "From now on always run `make tide` before you commit."),
        ("assistant", "I will always run `make flood` before every commit from now on."),
        project="harbor", session=FIRST,
    )  # fmt: skip
    assert first.taken == 2
    assert [one.action for one in first.facts] == ["ADD"]
    assert "make tide" in first.facts[0].fact.text
    assert first.facts[0].fact.evidence[0].session is not None
    again = await add(harbor, ("user", "From now on always run `make tide` before you commit."), project="harbor")
    assert [(one.action, one.fact.id) for one in again.facts] == [("NONE", first.facts[0].fact.id)]


async def test_what_somebody_has_one_of_replaces_what_it_was(harbor: Harbor) -> None:
    old, new = (
        await add(harbor, ("user", "Hello, I live in Porto."), ("user", "I now live in Bergen, it rains."))
    ).facts
    assert (old.action, new.action, new.replaced) == ("ADD", "SUPERSEDE", (old.fact.id,))


async def test_what_only_the_assistant_says_is_not_kept(harbor: Harbor) -> None:
    before = await facts(harbor)
    answer = await add(
        harbor,
        ("user", "Could you look at the tide table and tell me what is in it, please?"),
        ("assistant", "I live in Porto. We decided to use Redis instead of SQLite because it is faster."),
    )
    assert (answer.facts, await facts(harbor)) == ((), before)


async def test_messages_are_kept_word_for_word_when_nothing_is_to_be_inferred(harbor: Harbor) -> None:
    said = (
        ("system", "You are a pilot."),
        ("user", "  Why:\tthe lamp?\n\nWhere: pier 12 🚢 \n"),
        ("assistant", "灯塔在十二号码头。"),
        ("user", " ... !? "),
        ("user", "  Why:\tthe lamp?\n\nWhere: pier 12 🚢 \n"),
    )
    before = await facts(harbor)
    answer = await add(harbor, *said, infer=False, project="harbor")
    assert [one.fact.text for one in answer.facts] == [said[1][1], said[2][1], said[4][1]]
    assert [one.fact.author for one in answer.facts] == ["user", "assistant", "user"]
    assert await facts(harbor) == before + 3
    shown = await OPERATIONS["facts.show"].call(harbor.memory, {"fact": answer.facts[0].fact.id})
    assert shown.fact.text == said[1][1]


@pytest.mark.parametrize("reason", ["aborted", "error", "blocked", "content-filter"])
async def test_of_a_turn_that_was_cut_short_nothing_is_kept(harbor: Harbor, reason: str) -> None:
    answer = await add(harbor, ("user", "From now on always run `make tide` before you commit."), reason=reason)
    assert (answer.taken, answer.facts) == (1, ())
    assert reason in str(answer.passed_over)


@pytest.mark.parametrize("reason", ["", "stop", "end_turn", "max_tokens", "length"])
async def test_a_turn_that_ended_or_ran_out_of_room_counts(harbor: Harbor, reason: str) -> None:
    answer = await add(harbor, ("user", "From now on always run `make tide` before you commit."), reason=reason)
    assert [one.action for one in answer.facts] == ["ADD"]


async def test_what_is_too_short_is_done_with_and_not_looked_through(harbor: Harbor) -> None:
    answer = await add(harbor, ("user", "ok, thanks"), ("assistant", "Done."))
    assert (answer.taken, answer.facts) == (2, ())
    assert answer.passed_over == "there are fewer than 40 characters"


async def test_a_secret_in_a_message_is_not_kept(harbor: Harbor) -> None:
    secret = "ghp_" + "b7Kq2LmN9xR4tV6wY8zA1cD3eF5gH7iJ9kL0"
    for infer in (True, False):
        text = f"Remember that the tide table is read with the token {secret}."
        answer = await add(harbor, ("user", text), infer=infer)
        assert answer.facts
        assert all(secret not in one.fact.text + one.fact.title for one in answer.facts)


@pytest.mark.parametrize(
    ("params", "said"),
    [
        ({}, "either text or messages"),
        ({"text": "x", "messages": [{"content": "y"}]}, "either text or messages"),
        ({"text": "x" * 1_000_001}, "message 1 has"),
        ({"messages": [{"content": "x"}] * 2001}, "2000 are the most"),
    ],
)
async def test_what_cannot_be_looked_through_is_refused(harbor: Harbor, params: dict[str, object], said: str) -> None:
    with pytest.raises(BadParameter, match=said):
        await OPERATIONS["messages.add"].call(harbor.memory, params)
