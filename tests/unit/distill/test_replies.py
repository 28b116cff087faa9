"""The few words that answer a question decide, and are told with what they answer."""

from __future__ import annotations

import pytest

from memd.distill import replies
from memd.distill.distill import distill
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

ENGINE = "Which engine should hold the tide events: SQLite, DuckDB or Parquet files?"
LISTED = "Which store for the tides?\n\n- SQLite: already a dependency\n- DuckDB: columnar, fast for sums"


def told(asked: str, answer: str, *, worked: bool = True) -> list[str | None]:
    talk = Talk().user("we need a place for the tide events").reply(asked).user(answer)
    talk = talk.edited("src/tides.py", "Done.") if worked else talk.reply("I see.")
    return [draft.wording for draft in replies.find(Thread(talk.transcript()))]


@pytest.mark.parametrize(
    ("asked", "answer", "option"),
    [
        (ENGINE, "duckdb", "duckdb"),
        (ENGINE, "ok, duckdb please", "duckdb"),
        (ENGINE, "parquet files. and one per pier, please", "parquet files. and one per pier"),
        ("Should the berths be kept in Redis, or in the database?", "in the database", "in the database"),
        ("Should tokens expire after 15 minutes or after a day?", "15 min", "15 min"),
        ("Which port shall the gauge listen on?", "8099", "8099"),
        ("潮汐缓存放在哪里：Redis、内存还是 SQLite？", "内存", "内存"),
        ("Welche Datenbank soll es sein, SQLite oder DuckDB?", "duckdb", "duckdb"),
        ("Two options: sessionStorage, or the URL query. I'd take the URL.", "url. no store", "url. no store"),
    ],
)
def test_an_answer_is_told_with_its_question(asked: str, answer: str, option: str) -> None:
    (found,) = told(asked, answer)
    assert found is not None
    assert found.startswith(f"{option} (")


def test_an_answer_that_names_an_item_of_the_list_is_told_by_it() -> None:
    talk = Talk().user("tides please").reply(LISTED).user("duckdb").edited("src/tides.py")
    (draft,) = replies.find(Thread(talk.transcript()))
    assert draft.wording == "DuckDB: columnar, fast for sums (Which store for the tides?)"
    assert [(part.name, part.text) for part in draft.parts] == [
        ("decided", "DuckDB: columnar, fast for sums"),
        ("rejected", "SQLite: already a dependency"),
    ]


def test_a_yes_makes_what_was_proposed_the_persons() -> None:
    assert told("Should I keep the berths in Redis so that they survive a restart?", "yes") == [
        "keep the berths in Redis so that they survive a restart"
    ]


@pytest.mark.parametrize(
    ("asked", "answer", "worked"),
    [
        (ENGINE, "what would you take?", True),
        (ENGINE, "you choose", True),
        (ENGINE, "no", True),
        (ENGINE, "never mind", True),
        (ENGINE, "/clear", True),
        (ENGINE, "both", True),
        (ENGINE, "the gauge is red", False),  # of something else
        ("The tides are in SQLite now.", "duckdb", True),  # nothing was asked
        ("Should I run the tests of the tide table before anything else?", "yes", True),  # a step
        ("Should I keep the berths in Redis so that they survive a restart?", "yes", False),
        ("Want me to commit it?", "thanks", True),
        (ENGINE, "commit it", True),
        ("What should I do next?", "the lamp page", True),  # an order for now
        (ENGINE, "duckdb\nand then the long story of how the gauge came to the north pier", True),
    ],
)
def test_what_is_no_answer_decides_nothing(asked: str, answer: str, worked: bool) -> None:
    assert told(asked, answer, worked=worked) == []


def test_what_was_answered_is_kept() -> None:
    talk = Talk().user("we need a place for the tide events").reply(ENGINE).user("duckdb").edited("src/tides.py")
    assert any(one.title.startswith("duckdb (") for one in distill(talk.transcript()).candidates)


def test_the_reason_of_an_answer_goes_with_it() -> None:
    asked = "Cron or systemd timers would both do; what do you prefer?"
    talk = Talk().user("how is the backup run").reply(asked).user("systemd timers, so that logs go to journald")
    (draft,) = replies.find(Thread(talk.edited("deploy/backup.timer").transcript()))
    assert [part.name for part in draft.parts] == ["decided", "because"]
