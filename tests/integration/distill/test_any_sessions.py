"""Whole sessions that decide, change their mind and lay down rules: how they were read changes nothing.

From the host's rows over distillation to facts, as the daemon goes; only the worker processes are left out.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memd.adapter import Event, SessionUpdate
from memd.distill import settling
from memd.distill.distill import distill
from memd.store import facts, projects, sessions
from memd.store.facts import FactFilter
from tests.unit.store.rows import HOST, NOW, database, part, result, store, use
from tests.unit.store.test_judged import known, listed

DAY = 86_400_000
SAID = (
    "Let's use kelp for the lamp states, because it runs for the queue already.",
    "Let's use tern for the lamp states instead of kelp, because kelp drops things when it is full.",
    "tern then. i know i said kelp, that was wrong. keep the lamp states in a table in tern",
    "Forget tern, we go back to kelp for the lamp states after all.",
    "revert that, it is not worth a crash",
    "Never commit without running `make harbor` first, the release broke twice.",
    "Run the tests with `make tide` from now on, not with `make test`.",
    "Tests are run with `make test`, always.",
    "Always answer me in German, in all of my projects.",
    "From now on answer me in English, in all of my projects.",
    "Answer in French in this repository, the keepers read it.",
    "never touch `lamps/legacy.py`, the harbour office still imports it",
    "you can touch `lamps/legacy.py` again, the office moved off it",
    "灯的状态放在 kelp 里，队列已经在用它了。",
    "撤回 kelp 的改动，灯的状态还是放在 tern 里",
    "以后所有时间都存 UTC，不要用本地时间",
    "why are the lamps slow?",
    "yes, do it",
)
REPLIES = (
    "Agreed.",
    "Root cause: kelp runs with `allkeys-lru`, nightly charts evict the lamp keys. Fixed it by raising `maxmemory`.",
    "## Done\n\n- `lamps/state.py` writes the table `lamp_state` in tern now.\n- The kelp key is gone.",
    "We should decide where the states go: kelp or tern?",
    "灯的状态现在写到 tern 的表 `lamp_state` 里。",
)


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked and answered, and whether a command ran between."""

    asked: str
    answered: str
    ran: bool
    ok: bool


@dataclass(frozen=True, slots=True)
class Told:
    """A session: the day it began and what was said in it; `project` is one of two."""

    day: int
    project: int
    turns: tuple[Turn, ...]


TURNS = st.builds(Turn, st.sampled_from(SAID), st.sampled_from(REPLIES), st.booleans(), st.booleans())
STORIES = st.lists(
    st.builds(Told, st.integers(0, 20), st.integers(0, 1), st.lists(TURNS, min_size=1, max_size=4).map(tuple)),
    min_size=1,
    max_size=4,
)


def rows(name: str, told: Told) -> list[Event]:
    """The host's rows of a session; each turn has four."""
    found: list[Event] = []
    for number, turn in enumerate(told.turns):
        seq = number * 4
        at = NOW - 60 * DAY + told.day * DAY + seq * 60_000
        found.append(part(name, f"{name}-{seq}", seq, turn.asked, role="user", kind="prompt", at=at))
        if turn.ran:
            calls = (use(f"{name}-c{seq}", "make tide"),)
            found.append(part(name, f"{name}-{seq + 1}", seq + 1, calls=calls, at=at + 60_000))
            found.append(result(name, f"{name}-{seq + 2}", seq + 2, f"{name}-c{seq}", "lamp 4 is out", ok=turn.ok))
        found.append(part(name, f"{name}-{seq + 3}", seq + 3, turn.answered, at=at + 180_000))
    return found


def learn(conn: sqlite3.Connection, session: int) -> None:
    """Distill a session as far as it has come, as the distiller does."""
    transcript = sessions.to_distill(conn, session)
    prepared = settling.prepare(conn, transcript.session, distill(transcript).candidates)
    settling.settle(conn, session, prepared, NOW)


class House:
    """A store in which sessions are read and learnt from."""

    def __init__(self, conn: sqlite3.Connection) -> None:
        self.conn = conn
        self._places = [projects.resolve(conn, f"/home/ada/{name}", [], name, NOW) for name in ("harbor", "quay")]

    def read(self, name: str, told: Told, upto: int | None = None) -> int:
        """Store a session's rows, as far as it has come."""
        store(self.conn, name, [SessionUpdate(name), *rows(name, told)[:upto]])
        found = sessions.by_native(self.conn, HOST, name)
        assert found is not None
        sessions.set_project(self.conn, found.id, self._places[told.project].id)
        return found.id

    def comes_to(self) -> tuple[object, ...]:
        """What is known, where it holds, and what waits for review."""
        held = facts.list_facts(self.conn, FactFilter(status=None), -1)
        where = sorted(
            (fact.body, fact.status, fact.project.name if fact.project else "everywhere", fact.valid_from)
            for fact in held
            if fact.status != "retracted"
        )
        return known(self.conn), where, listed(self.conn)


def come_to(told: Sequence[Told], order: Sequence[int], *, growing: random.Random | None = None) -> tuple[object, ...]:
    with closing(database()) as conn:
        house = House(conn)
        if growing is not None:
            for number in order:
                for _ in range(2):
                    cut = growing.randrange(len(rows(f"s{number}", told[number])) + 1)
                    learn(conn, house.read(f"s{number}", told[number], cut))
        for number in order:
            learn(conn, house.read(f"s{number}", told[number]))
        return house.comes_to()


def stored(conn: sqlite3.Connection) -> list[str]:
    """All that is in the store, but how many lines were read of a file."""
    return [line for line in conn.iterdump() if "sqlite_" not in line and 'INTO "sources"' not in line]


@settings(max_examples=25, deadline=None)
@given(STORIES, st.randoms(use_true_random=False))
def test_the_order_in_which_sessions_are_read_changes_nothing(told: list[Told], chance: random.Random) -> None:
    order = list(range(len(told)))
    assert come_to(told, chance.sample(order, len(order))) == come_to(told, order)


@settings(max_examples=25, deadline=None)
@given(STORIES, st.randoms(use_true_random=False))
def test_sessions_that_are_distilled_as_they_grow_come_to_the_same(told: list[Told], chance: random.Random) -> None:
    order = list(range(len(told)))
    assert come_to(told, order, growing=chance) == come_to(told, order)


def plainly(day: int, project: int, *asked: str, answered: str = REPLIES[0]) -> Told:
    return Told(day, project, tuple(Turn(one, answered, False, False) for one in asked))


# What the second session says becomes part of another fact when the third one is read.
@example(
    [
        Told(0, 0, (Turn(SAID[0], REPLIES[1], False, False), Turn(SAID[1], REPLIES[2], False, False))),
        plainly(0, 0, SAID[1], answered=REPLIES[2]),
    ]
)
@example([plainly(0, 0, SAID[0]), plainly(2, 0, SAID[0], answered=REPLIES[1]), plainly(1, 0, SAID[1])])
@settings(max_examples=15, deadline=None)
@given(STORIES)
def test_sessions_that_are_read_and_distilled_again_write_nothing(told: list[Told]) -> None:
    with closing(database()) as conn:
        house = House(conn)
        ids = [house.read(f"s{number}", one) for number, one in enumerate(told)]
        for session in ids:
            learn(conn, session)
        before = stored(conn)
        for number, one in enumerate(told):
            house.read(f"s{number}", one)
        for session in reversed(ids):
            learn(conn, session)
        assert not set(stored(conn)) ^ set(before)


def test_what_a_grown_session_says_no_more_waits_for_no_decision() -> None:
    both = plainly(14, 1, SAID[1], SAID[14])
    with closing(database()) as conn:
        house = House(conn)
        learn(conn, house.read("s0", both, 2))
        learn(conn, house.read("s1", plainly(14, 1, SAID[0])))
        assert len(listed(conn)) == 1
        learn(conn, house.read("s0", both))
        assert listed(conn) == []


def test_the_sessions_do_change_their_mind() -> None:
    """Without that the others would show little."""
    told = [Told(day, 0, (Turn(text, "Agreed.", False, True),)) for day, text in enumerate(SAID)]
    with closing(database()) as conn:
        house = House(conn)
        for number, one in enumerate(told):
            learn(conn, house.read(f"s{number}", one))
        held = facts.list_facts(conn, FactFilter(status=None), -1)
        assert sum(fact.status == "superseded" for fact in held) >= 3
        assert sum(fact.status == "current" for fact in held) >= 5
