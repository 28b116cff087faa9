"""Of what is given together, what a later statement says otherwise is left out, and what only shares words stays."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memd.inject.put_aside import put_aside, without
from memd.model import Evidence, Fact, FactKind
from tests.unit.inject.facts import fact

DAY = 86_400_000


def said(number: int, body: str, kind: FactKind = "decision", *, session: int | None = None) -> Fact:
    """A statement of a day and a session of its own."""
    proof = (Evidence(number, number if session is None else session, body, number * DAY),)
    return replace(fact(number, body, kind), valid_from=number * DAY, evidence=proof)


@pytest.mark.parametrize(
    ("before", "later"),
    [
        ("the tide board should listen on 5180", "5180 is taken by the pilots, move the tide board to 5195"),
        ("cache the depths for 24 hours", "24 hours is too long, cache the depths for 2 hours"),
        ("the chart grid has 64 cells a side", "64 cells are too coarse, the chart grid has 128 cells a side now"),
        ("pictures are stored as PNG", "store pictures as WebP from now on, not PNG"),
        ("ask Beatriz about the gauge feed", "Beatriz has left; ask Tomas about the gauge feed"),
        ("测试用 `make test-all` 跑", "以后测试用 `task test` 跑，`make test-all` 不用了"),
        ("日志保留 30 天", "日志只保留 7 天，30 天太占磁盘"),
    ],
)
def test_what_a_later_session_says_otherwise_is_put_aside(before: str, later: str) -> None:
    assert put_aside([said(1, before), said(2, later)]) == {1}
    assert put_aside([said(2, before), said(1, later)]) == frozenset()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploy staging with `make stage`", "deploys to staging now need a word from Grace"),
        ("use Postgres advisory locks for the payout worker", "the payout worker now runs twice a day"),
        ("the lamps of pier 12 burn diesel", "the lamps of pier 12 burn all night"),
        ("commit messages are in English", "no customer's name in commit messages"),
    ],
)
def test_what_is_about_the_same_and_takes_nothing_back_stands_beside_it(one: str, other: str) -> None:
    assert put_aside([said(1, one), said(2, other)]) == frozenset()


def test_what_one_session_says_of_a_thing_stands_together_and_so_do_tasks() -> None:
    before, later = "the tide board should listen on 5180", "5180 is taken, move the tide board to 5195"
    assert put_aside([said(1, before, session=7), said(2, later, session=7)]) == frozenset()
    assert put_aside([said(1, before, "task"), said(2, later)]) == frozenset()


def test_what_is_put_aside_is_left_out_in_its_order() -> None:
    every = [said(number, f"Statement {number}") for number in range(4)]
    assert [one.id for one in without(every, frozenset({1, 2}))] == [0, 3]
