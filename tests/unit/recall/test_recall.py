"""Recall puts what answers a question first, in a real store, by words, by meaning and by time."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memd.recall import embedding, fusion, question
from memd.recall.near import Asked, Indexes, Near, NearRequest
from memd.recall.recall import Recalled, recall
from memd.store import messages, postings, projects, sessions, vectors
from memd.store.chosen import Chosen
from tests.unit.store.rows import database, part, prompt, store

NOW = int(datetime(2026, 11, 30, 9, tzinfo=UTC).timestamp() * 1000)
DAY_MS = 86_400_000
MEANING = pytest.mark.skipif(embedding.missing() is not None, reason=f"no embedding: {embedding.missing()}")


@pytest.fixture
def conn() -> Iterator[sqlite3.Connection]:
    conn = database()
    yield conn
    conn.close()


def ask(conn: sqlite3.Connection, query: str, chosen: Chosen | None = None, near: Near | None = None) -> Recalled:
    return recall(conn, question.read(query, NOW, UTC), chosen or Chosen(), 20, near=near)


def texts(conn: sqlite3.Connection, found: Recalled) -> list[str]:
    known = messages.by_ids(conn, [one.message for one in found.messages])
    return [known[one.message][1].text for one in found.messages]


def embed(conn: sqlite3.Connection) -> Indexes:
    while (step := vectors.next_step(conn, embedding.MODEL, 100)) is not None:
        codes = embedding.encode([due.text for due in step.due])
        made = [vectors.Vector(due, signs, code) for due, (signs, code) in zip(step.due, codes, strict=True)]
        vectors.add(conn, embedding.MODEL, step, made)
    index = Indexes()
    index.refresh(conn)
    return index


def test_words_are_found_in_another_form(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The retries were failing at night"), prompt("s", "b", 2, "Paint the boat")])

    assert texts(conn, ask(conn, "retry failed")) == ["The retries were failing at night"]


def test_a_session_that_holds_all_of_a_question_comes_before_one_that_repeats_a_word(conn: sqlite3.Connection) -> None:
    store(
        conn,
        "s",
        [prompt("s", "a", 1, "We keep the tide table in a file"), prompt("s", "b", 2, "The lighthouse reads it")],
    )
    store(conn, "t", [prompt("t", "c", 1, "tide tide tide tide"), prompt("t", "d", 2, "tide again")])

    first = ask(conn, "tide table lighthouse").messages[0]

    assert first.session == ask(conn, "lighthouse").messages[0].session


def test_what_was_asked_counts_more_than_a_long_reply(conn: sqlite3.Connection) -> None:
    long = "There are many ways to moor a boat, " * 30 + "one is a buoy."
    store(conn, "s", [part("s", "a", 1, long)])
    store(conn, "t", [prompt("t", "b", 1, "Where is the buoy?")])

    assert texts(conn, ask(conn, "buoy"))[0] == "Where is the buoy?"


def test_the_time_a_question_names_decides_between_equals(conn: sqlite3.Connection) -> None:
    for name, ago in (("old", 60), ("meant", 14), ("new", 1)):
        store(conn, name, [part(name, name, 1, f"We changed the mooring: {name}", at=NOW - ago * DAY_MS)])

    assert texts(conn, ask(conn, "what mooring did we change two weeks ago"))[0] == "We changed the mooring: meant"
    assert texts(conn, ask(conn, "两周前 mooring"))[0] == "We changed the mooring: meant"


def test_the_parts_of_a_score_add_up_to_it(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", f"m{n}", n, f"tide {n} table " * n) for n in range(1, 5)])

    found = ask(conn, "tide table").messages

    assert len(found) == 3
    for one in found:
        assert one.score == pytest.approx(sum(one.parts.values()), abs=1e-3)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_common_words_alone_find_the_newest_that_hold_them_all(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_COMMON", 5)
    monkeypatch.setattr(postings, "_NEWEST", 6)
    store(conn, "s", [prompt("s", f"m{n}", n, "tide" if n % 2 else "tide table") for n in range(40)])

    found = ask(conn, "tide table")

    assert texts(conn, found)[0] == "tide table"
    assert set(texts(conn, found)) == {"tide table"}


def test_a_rare_word_is_found_among_common_ones_whatever_the_budget(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postings, "_COMMON", 5)
    store(conn, "s", [prompt("s", "old", 0, "the sextant table")])
    store(conn, "t", [prompt("t", f"m{n}", n, f"table of tides {n}") for n in range(1, 40)])

    assert texts(conn, ask(conn, "table of the sextant"))[0] == "the sextant table"


def test_a_filter_comes_before_the_cut(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_COMMON", 5)
    monkeypatch.setattr(postings, "_NEWEST", 3)
    store(conn, "s", [prompt("s", "mine", 0, "the tide table")])
    store(conn, "t", [part("t", f"m{n}", n, "the tide table") for n in range(1, 40)])
    mine = conn.execute("SELECT session_id FROM messages WHERE key = 'mine'").fetchone()[0]

    assert len(ask(conn, "tide table", Chosen(session_id=mine)).messages) == 1
    assert len(ask(conn, "tide table", Chosen(role="user")).messages) == 1
    assert len(ask(conn, "tide table", Chosen(until=1001)).messages) == 1
    assert ask(conn, "tide table", Chosen(host="nobody")).messages == ()


def test_where_many_messages_are_found_the_best_are_looked_at_and_come_in_the_same_order(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in range(12):
        said = [prompt(f"s{name}", f"{name}-{n}", n, f"tide {n} of pier {name}") for n in range(8)]
        store(conn, f"s{name}", [*said, prompt(f"s{name}", f"{name}-x", 9, "tide table" if name % 3 else "table")])
    store(conn, "best", [prompt("best", "best", 1, "tide table sextant")])
    whole = ask(conn, "tide table sextant")

    monkeypatch.setattr(postings, "_KEPT", 20)
    some = ask(conn, "tide table sextant")

    assert texts(conn, some)[:5] == texts(conn, whole)[:5]
    assert texts(conn, some)[0] == "tide table sextant"
    assert some.share == whole.share
    scanned = postings.scan(conn, [('"tide"',), ('"table"',)], Chosen())
    assert len(scanned.session_of) == 20
    assert 9 <= scanned.of[0].sessions <= 13


def test_the_best_are_looked_for_within_a_project(conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "_KEPT", 5)
    for name in ("here", "there"):
        store(conn, name, [prompt(name, f"{name}-{n}", n, f"tide table {name}") for n in range(10)])
    here = conn.execute("SELECT session_id FROM messages WHERE key = 'here-1'").fetchone()[0]
    project = projects.resolve(conn, "/home/ada/pier", [], "pier", 1)
    sessions.set_project(conn, here, project.id)

    found = ask(conn, "tide table", Chosen(project_id=project.id))

    assert {one.session for one in found.messages} == {here}


def test_what_nothing_holds_is_told(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The tide table")])

    assert ask(conn, "tide sextant").lacking == (1,)
    assert ask(conn, "unicorn").messages == ()


def test_recency_halves_in_thirty_days_down_to_a_tenth() -> None:
    assert fusion.recency(0) == 1.0
    assert fusion.recency(30) == pytest.approx(0.5)
    assert fusion.recency(4000) == 0.1


@MEANING
def test_a_question_in_other_words_finds_what_means_the_same(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "My car would not start this morning, the battery was flat")])
    store(conn, "t", [prompt("t", "b", 1, "We painted the kitchen blue")])
    index = embed(conn)

    near = index.search(conn, NearRequest(Path(), "vehicle engine trouble"))
    found = ask(conn, "vehicle engine trouble", near=near)

    assert texts(conn, found)[0].startswith("My car")
    assert found.lanes_of[found.messages[0].message] == ("semantic",)


@MEANING
def test_vectors_follow_what_is_stored_and_filters_hold_for_them(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep"), part("s", "b", 2, "x" * 500)])
    index = embed(conn)
    assert vectors.how_many(conn, embedding.MODEL) == 1

    store(conn, "t", [prompt("t", "c", 3, "The harbour is shallow")])
    embed(conn)
    index.refresh(conn)
    found = index.search(conn, NearRequest(Path(), "harbour"))
    assert len(found.messages) == 2
    session = found.messages[0][1]
    assert {one[1] for one in index.search(conn, NearRequest(Path(), "harbour", (session,))).messages} == {session}
    assert len(index.search(conn, NearRequest(Path(), "harbour", since=1002)).messages) == 1
    assert index.search(conn, NearRequest(Path(), "harbour", replies=True)).messages == ()

    conn.execute("DELETE FROM messages WHERE key = 'c'")
    assert len(index.search(conn, NearRequest(Path(), "harbour")).messages) == 1


@MEANING
def test_a_text_that_changes_gets_its_vector_anew(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep"), prompt("s", "b", 2, "Lighthouse keeper")])
    embed(conn)
    before = dict(conn.execute("SELECT message_id, code FROM vectors"))

    conn.execute("UPDATE messages SET text = 'Bread and butter' WHERE key = 'a'")
    assert vectors.how_many(conn, embedding.MODEL) == 1
    embed(conn)

    after = dict(conn.execute("SELECT message_id, code FROM vectors"))
    assert before.keys() == after.keys()
    assert sum(before[row] != after[row] for row in before) == 1


@MEANING
def test_vectors_of_another_model_are_made_anew(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep")])
    embed(conn)
    conn.execute("UPDATE vectors SET model = 'older:64'")
    conn.execute("UPDATE vector_models SET model = 'older:64'")

    assert not vectors.tidy(conn, [embedding.MODEL])
    assert conn.execute("SELECT count(*) FROM vectors").fetchall() == [(0,)]
    embed(conn)
    assert vectors.how_many(conn, embedding.MODEL) == 1


@MEANING
def test_the_same_text_has_the_same_vector_and_strange_texts_have_one_too() -> None:
    assert embedding.encode(["tide"]) == embedding.encode(["tide"])
    assert len(embedding.encode(["", "\ud800 half", "潮汐", "a\x00b"])) == 4


@MEANING
def test_another_process_that_can_reach_nothing_makes_the_same_vectors() -> None:
    texts = ["tide", "潮汐表", "call useAuthToken before the socket opens"]
    program = (
        "import socket, sys\n"
        "def refuse(*given, **more): raise OSError('there is no network')\n"
        "socket.socket = socket.create_connection = refuse\n"
        "from memd.recall import embedding\n"
        "sys.stdout.write(repr(embedding.encode(sys.argv[1:])))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, *texts], capture_output=True, check=True, timeout=150, text=True
    )
    assert ran.stdout == repr(embedding.encode(texts))


@MEANING
@pytest.mark.parametrize("dimensions", [64, 100, 256, 384, 1536])
def test_vectors_of_any_length_are_found_as_by_comparing_all_of_them(conn: sqlite3.Connection, dimensions: int) -> None:
    import numpy as np

    store(conn, "s", [prompt("s", f"m{number}", number, f"Message number {number}") for number in range(900)])
    rows = np.random.default_rng(7).standard_normal((900, dimensions)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    codes = iter(embedding.signs_and_codes(rows))
    while (step := vectors.next_step(conn, "other", 1000)) is not None:
        vectors.add(conn, "other", step, [vectors.Vector(due, *next(codes)) for due in step.due])
    index = Indexes("other")
    index.refresh(conn)
    place = {
        message: row for row, message in enumerate(sorted(id for (id,) in conn.execute("SELECT id FROM messages")))
    }

    asked = rows[17] + 0.3 * rows[400]
    asked /= np.linalg.norm(asked)
    found = index.search(conn, NearRequest(Path(), "", asked=Asked("other", asked.tobytes(), 0.5)))

    exact = (rows @ asked - 0.5) / 0.5
    assert place[max(found.messages, key=lambda one: one[2])[0]] == int(exact.argmax()) == 17
    assert all(cosine == pytest.approx(float(exact[place[row]]), abs=0.03) for row, _, cosine in found.messages)


@MEANING
def test_a_text_that_changes_while_its_vector_is_made_stays_due(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep"), prompt("s", "b", 2, "Lighthouse keeper")])
    embed(conn)
    conn.execute("UPDATE messages SET text = 'The harbour is shallow' WHERE key = 'a'")
    step = vectors.next_step(conn, embedding.MODEL, 100)
    assert step is not None
    conn.execute("UPDATE messages SET text = 'The harbour is dry' WHERE key = 'a'")

    vectors.add(conn, embedding.MODEL, step, [vectors.Vector(step.due[0], b"\0" * 32, b"\1" * 256)])

    assert vectors.how_many(conn, embedding.MODEL) == 1
    again = vectors.next_step(conn, embedding.MODEL, 100)
    assert again is not None
    assert [due.text for due in again.due] == ["The harbour is dry"]


@MEANING
def test_a_text_that_changes_is_due_for_every_model(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep")])
    embed(conn)
    step = vectors.next_step(conn, "other", 100)
    assert step is not None
    vectors.add(conn, "other", step, [vectors.Vector(step.due[0], b"\0" * 8, b"\1" * 64)])
    assert vectors.share_done(conn, "other") == 1.0

    conn.execute("UPDATE messages SET text = 'Bread and butter' WHERE key = 'a'")

    for model in ("other", embedding.MODEL):
        due = vectors.next_step(conn, model, 100)
        assert due is not None
        assert [one.text for one in due.due] == ["Bread and butter"]


@MEANING
def test_a_message_that_has_become_another_sessions_is_not_found_in_its_former_one(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1, "The harbour is deep"), prompt("s", "b", 2, "The harbour is wide")])
    store(conn, "t", [prompt("t", "c", 3, "Paint the boat")])
    index = embed(conn)
    (former, later) = (id for (id,) in conn.execute("SELECT id FROM sessions ORDER BY id"))
    conn.execute("UPDATE messages SET session_id = ?, seq = 9 WHERE key = 'a'", (later,))

    asked = NearRequest(Path(), "how deep is the harbour?", sessions=(former,))
    found = {message for message, _, _ in index.search(conn, asked).messages}

    assert found == {id for (id,) in conn.execute("SELECT id FROM messages WHERE key = 'b'")}
