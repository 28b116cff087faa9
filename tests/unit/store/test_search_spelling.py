"""A word that is nowhere stands for one that is a letter away."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memd.store import spelling
from tests.unit.store.rows import part, store

LETTERS = st.text("abcdefghij", min_size=4, max_size=8)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("databse", "database"),
        ("databasse", "database"),
        ("lighthuose", "lighthouse"),
        ("ligthhouse", "lighthouse"),
        ("confguration", "configuration"),
        ("pemission", "permission"),
        ("adtabase", "database"),
        ("ddatabase", "database"),
    ],
)
def test_one_edit_is_seen_through(conn: sqlite3.Connection, typed: str, meant: str) -> None:
    store(conn, "s", [part("s", "a", 1, "database lighthouse configuration permission denied evening")])

    found = spelling.alike(conn, typed)

    assert [spelling.stem(word) for word in found] == [spelling.stem(meant)]


def test_other_words_short_ones_and_names_are_left_alone(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, "every data base table")])

    assert spelling.alike(conn, "evening") == ()
    assert spelling.alike(conn, "dats") == ()
    assert spelling.alike(conn, "tabl3s") == ()
    assert spelling.alike(conn, "数据库数据") == ()


@pytest.mark.parametrize("word", ["aings", "eings", "oings", "ooing"])
def test_a_word_that_is_hardly_more_than_its_ending_stands_for_nothing(conn: sqlite3.Connection, word: str) -> None:
    store(conn, "s", [part("s", "a", 1, "every ending")])

    assert spelling.alike(conn, word) == ()


@given(LETTERS, st.integers(1, 7), st.sampled_from("abcxyz"))
def test_an_edit_behind_the_first_letter_is_one_edit(word: str, place: int, letter: str) -> None:
    place = min(place, len(word) - 1)
    edited = {
        word[:place] + letter + word[place:],
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place + 1 :],
        word[:place] + word[place + 1 : place + 2] + word[place] + word[place + 2 :],
    }
    assert edited - {word} <= set(spelling.edits(word))
    assert word not in spelling.edits(word)
    assert word + "kk" not in spelling.edits(word)


@pytest.mark.parametrize("word", ["database", "permission", "configuration", "timeout", "deployment", "retries"])
def test_what_stands_in_for_a_word_is_found_when_asked_for(conn: sqlite3.Connection, word: str) -> None:
    store(conn, "s", [part("s", "a", 1, f"the {word} there")])

    (found,) = spelling.alike(conn, word[:3] + word[4:])

    rows = conn.execute("SELECT count(*) FROM messages_fts WHERE messages_fts MATCH ?", (f'"{found}"',))
    assert rows.fetchone() == (1,)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("databse", "database"),
        ("databasse", "database"),
        ("ddatabase", "database"),
        ("lighthuose", "lighthouse"),
        ("lighrhouse", "lighthouse"),
        ("pemission", "permission"),
        ("fundrasier", "fundraiser"),
    ],
)
def test_a_slip_of_the_hand_is_one_among_other_words_too(conn: sqlite3.Connection, typed: str, meant: str) -> None:
    store(conn, "s", [part("s", "a", 1, "database lighthouse permission fundraiser")])

    found = spelling.alike(conn, typed, only_slips=True)

    assert [spelling.stem(word) for word in found] == [spelling.stem(meant)]


@pytest.mark.parametrize(
    ("word", "other"),
    [("writing", "white"), ("painting", "point"), ("grandpa", "grandma"), ("mother", "other"), ("store", "stove")],
)
def test_another_word_that_is_spelled_well_is_no_slip(conn: sqlite3.Connection, word: str, other: str) -> None:
    store(conn, "s", [part("s", "a", 1, f"the {other} there")])

    assert spelling.alike(conn, word)
    assert spelling.alike(conn, word, only_slips=True) == ()


@given(LETTERS, st.integers(1, 12))
def test_letters_that_change_places_or_double_are_slips_and_any_edit_may_be_asked_about(
    typed: str, length: int
) -> None:
    for other in spelling.edits(typed):
        spelling.is_slip(typed, other, length)
        spelling.is_slip(other, typed, length)
    swapped = typed[:1] + typed[2:3] + typed[1:2] + typed[3:]
    assert swapped == typed or spelling.is_slip(typed, swapped, length)
    assert spelling.is_slip(typed, typed + typed[-1], length)


def test_a_very_long_word_is_read_as_no_other_and_costs_nothing(
    conn: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(word: str) -> list[str]:
        raise AssertionError(f"{len(word)} letters would be edited")

    store(conn, "s", [part("s", "a", 1, "every data base table")])
    monkeypatch.setattr(spelling, "edits", refused)
    assert spelling.alike(conn, "database" * 1_000) == ()
