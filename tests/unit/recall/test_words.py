"""Words weigh as the formula says, in ten thousand messages as in ten, in any script."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from memd.recall import question
from memd.recall.diversity import diverse
from memd.recall.recall import by_words, recall
from memd.store import messages
from memd.store.chosen import Chosen
from tests.unit.store.rows import database, part, prompt, store

NOW = int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000)
MANY = 10_000


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    conn = database()
    yield conn
    conn.close()


@pytest.fixture(scope="module")
def large() -> Iterator[sqlite3.Connection]:
    """Ten thousand messages about anything, and a few that are looked for."""
    conn = database()
    words = "harbour tide table depth gauge lamp mast rope sail wind".split()
    for block in range(MANY // 500):
        said = [
            prompt(f"s{block}", f"{block}-{n}", n, f"{words[n % 10]} {words[n // 10 % 10]} number {block * 500 + n}")
            for n in range(500)
        ]
        store(conn, f"s{block}", said)
    wanted = ("call useAuthToken before the socket opens", "数据库的连接池为什么会耗尽", "deploy 前要先跑数据迁移脚本",
              "潮位計は十分ごとに値を送る", "등대의 램프는 해질녘에 켜진다")  # fmt: skip
    store(conn, "wanted", [prompt("wanted", f"w{n}", n, text) for n, text in enumerate(wanted)])
    store(
        conn,
        "short",
        [prompt("short", f"x{n}", n, text) for n, text in enumerate(("Go it is", "CI is red", "k8 pods"))],
    )
    yield conn
    conn.close()


def texts(conn: sqlite3.Connection, query: str) -> list[str]:
    found = recall(conn, question.read(query, NOW, UTC), Chosen(), 5)
    known = messages.by_ids(conn, [one.message for one in found.messages])
    return [known[one.message][1].text for one in found.messages]


def test_a_message_weighs_what_bm25_says_with_rarity_over_sessions(conn: sqlite3.Connection) -> None:
    said = {
        "s": ["tide tide table", "the lamp burns oil all night long in the harbour", "table"],
        "t": ["tide of the night", "mast and rope"],
        "u": ["a table of tides and of lamps and of masts"],
    }
    for name, lines in said.items():
        store(conn, name, [prompt(name, f"{name}{n}", n, text) for n, text in enumerate(lines)])

    found = by_words(conn, question.read("tide table", NOW, UTC), Chosen())

    # tides has the stem of tide, as FTS5's porter tokenizer makes it.
    tokens = {text: [word.removesuffix("s") for word in text.split()] for lines in said.values() for text in lines}
    average = sum(map(len, tokens.values())) / len(tokens)
    known = messages.by_ids(conn, found.messages)
    assert len(known) == 4
    for row, (_, message) in known.items():
        expected = 0.0
        for term in ("tide", "table"):
            holding = sum(any(term in tokens[text] for text in lines) for lines in said.values())
            idf = math.log1p((len(said) - holding + 0.5) / (holding + 0.5))
            tf, length = tokens[message.text].count(term), len(tokens[message.text])
            expected += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length / average))
        assert found.messages[row] == pytest.approx(expected, abs=1e-6)


def test_of_two_words_as_rare_the_one_that_is_not_everyday_decides(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "the order of the day was bread")])
    store(conn, "t", [prompt("t", "b", 1, "the lamp of the mast was dark")])
    store(conn, "u", [prompt("u", "c", 1, "the order of the lot was rope")])
    store(conn, "v", [prompt("v", "d", 1, "the lamp of the pier was lit")])

    found = by_words(conn, question.read("order lamp", NOW, UTC), Chosen())

    ordinary, telling = found.rarity
    assert telling > ordinary > 0.5 * telling
    assert texts(conn, "order lamp")[0].startswith("the lamp")


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("useAuthToken", "call useAuthToken before the socket opens"),
        ("auth token", "call useAuthToken before the socket opens"),
        ("连接池耗尽", "数据库的连接池为什么会耗尽"),
        ("数据库", "数据库的连接池为什么会耗尽"),
        ("deploy 之前的迁移脚本", "deploy 前要先跑数据迁移脚本"),
        ("潮位計の値", "潮位計は十分ごとに値を送る"),
        ("등대 램프", "등대의 램프는 해질녘에 켜진다"),
        ("램프는 언제 켜지나요?", "등대의 램프는 해질녘에 켜진다"),
        ("Go", "Go it is"),
        ("CI", "CI is red"),
        ("k8", "k8 pods"),
    ],
)
def test_what_is_named_comes_first_among_ten_thousand(large: sqlite3.Connection, query: str, wanted: str) -> None:
    assert texts(large, query)[0] == wanted


def test_what_is_of_the_day_asked_for_does_not_come_before_what_holds_all_that_is_asked(
    conn: sqlite3.Connection,
) -> None:
    yesterday, long_ago = NOW - 86_400_000, NOW - 90 * 86_400_000
    store(conn, "s", [part("s", "a", 1, "the sextant is in the tower", at=long_ago)])
    store(conn, "t", [part("t", "b", 1, "bread and butter", at=yesterday)])

    assert texts(conn, "where was the sextant yesterday")[0] == "the sextant is in the tower"


def test_of_equals_the_newer_comes_first_unless_that_is_switched_off(conn: sqlite3.Connection) -> None:
    day = 86_400_000
    store(conn, "new", [part("new", "b", 1, "the lamp burns oil", at=NOW - day)])
    store(conn, "old", [part("old", "a", 1, "the lamp burns oil", at=NOW - 300 * day)])
    asked = question.read("lamp oil", NOW, UTC)

    by_age = recall(conn, asked, Chosen(), 5).messages
    plain = recall(conn, asked, Chosen(), 5, recent=False).messages

    assert by_age[0].score > by_age[1].score
    assert [round(one.parts["recency"] / 0.002, 1) for one in by_age] == [1.0, 0.1]
    assert plain[0].score == plain[1].score
    assert "recency" not in plain[0].parts


def test_near_duplicates_make_room_and_the_first_stays_first() -> None:
    alike = frozenset("tide table harbour depth lamp".split())
    others = [frozenset(f"word{n} other{n} third{n}".split()) for n in range(3)]

    order = diverse([1.0, 0.99, 0.98, 0.97, 0.8, 0.75, 0.7], [alike] * 4 + others)

    assert order[0] == 0
    assert set(order[1:4]) == {4, 5, 6}
    assert sorted(order) == list(range(7))
