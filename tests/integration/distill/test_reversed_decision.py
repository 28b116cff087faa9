"""Three sessions of a project decide, reverse and rely: one decision stands, with its reason and the chain behind."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import orjson
import pytest

from memd.adapter import SessionUpdate
from memd.distill import settling
from memd.distill.distill import distill
from memd.model import Candidate, Fact, Project, Transcript
from memd.store import facts, projects, sessions
from memd.store.facts import FactFilter
from tests.unit.distill.talk import Talk
from tests.unit.store.rows import HOST, NOW, database, prompt, store

SHARED = Path(__file__).resolve().parents[4] / "shared" / "eval" / "distill"
DAY_MS = 86_400_000

CHOSEN = (
    Talk()
    .user("The keepers light the same lamp twice when the radio drops. Where do we keep which lamp is lit?")
    .reply("Two ways: A, a kelp key per lamp with a time to live. B, a row per lamp in tern.")
    .user("ok go with A, kelp. it runs for the queue already. answer 409 while a lamp is being lit")
    .edited("lamps/state.py", "Done: a kelp key `lamp:<number>` with a day to live, 409 while it is being lit.")
    .ran("make test", "12 passed", text="All green.")
)
REVERSED = (
    Talk()
    .user("Last night three lamps were lit twice. Find out why.")
    .ran("kelp-cli info memory", "maxmemory_policy: allkeys-lru", text="Looking at kelp.")
    .reply("Root cause: kelp runs with `allkeys-lru`, the nightly charts fill it and the lamp keys are evicted.")
    .user(
        "tern then. i know i said kelp in spring, that was wrong, a cache can drop things whenever it likes and this is"
        " fire. keep the lamp states in a table in tern"
    )
    .edited("lamps/state.py", "Moved: table `lamp_state` in tern, unique per lamp.")
    .user("and kill the whole 409 branch, a second keeper just waits for the row")
    .edited("lamps/views.py", "Removed the 409 branch and its test.")
    .ran("make test", "11 passed", text="All green.")
)
RELIED_ON = (
    Talk()
    .user("Relight lamps by themselves when the wind blows them out, three times at most.")
    .reply("The worker takes a row of `lamp_state` for each attempt, so that no attempt lights twice.")
    .user("good. three attempts, one minute apart")
    .edited("lamps/relight.py", "Done.")
    .ran("make test", "14 passed", text="All green.")
)


@dataclass(frozen=True, slots=True)
class Told:
    """What is known after sessions were read in an order."""

    facts: tuple[Fact, ...]

    def current(self) -> list[str]:
        return [fact.body for fact in self.facts if fact.status == "current"]

    def of(self, words: str) -> Fact:
        (found,) = (fact for fact in self.facts if words in fact.body and fact.status != "retracted")
        return found

    def by_uid(self, uid: str | None) -> Fact:
        (found,) = (fact for fact in self.facts if fact.uid == uid)
        return found


def later(transcript: Transcript, days: int) -> Transcript:
    messages = tuple(replace(one, at=(one.at or 0) + days * DAY_MS) for one in transcript.messages)
    return Transcript(transcript.session, messages)


def read(told: Sequence[tuple[str, tuple[Candidate, ...]]]) -> Told:
    """Read sessions in the order given, as the distiller does."""
    with closing(database()) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        for name, candidates in told:
            settle(conn, project, name, candidates)
        return Told(facts.list_facts(conn, FactFilter(project.id, status=None), -1))


def settle(conn: sqlite3.Connection, project: Project, name: str, candidates: tuple[Candidate, ...]) -> None:
    store(conn, name, [SessionUpdate(name), prompt(name, f"{name}-p", 1)])
    known = sessions.by_native(conn, HOST, name)
    assert known is not None
    sessions.set_project(conn, known.id, project.id)
    # The messages of the transcript are not in this store: quotes alone are kept.
    said = [
        replace(one, evidence=tuple(replace(place, message=0, session=0) for place in one.evidence))
        for one in candidates
    ]
    settling.settle(conn, known.id, settling.prepare(conn, sessions.get(conn, known.id), said), NOW)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_the_decision_that_was_reversed_is_history_in_whatever_order_it_is_read(order: tuple[int, ...]) -> None:
    talks = (("chosen", CHOSEN), ("reversed", REVERSED), ("relied on", RELIED_ON))
    told = [(name, distill(later(talk.transcript(), days)).candidates) for days, (name, talk) in enumerate(talks)]
    known = read([told[place] for place in order])

    old, new = known.of("go with A, kelp"), known.of("i know i said kelp")
    assert (old.status, new.status) == ("superseded", "current")
    assert old.superseded_by == new.uid
    assert old.valid_to == new.valid_from
    assert "a cache can drop things" in new.body
    assert any("that was wrong" in one.quote for one in new.evidence)
    assert not any("go with A, kelp" in text for text in known.current())


def ledger() -> Iterator[tuple[str, tuple[Candidate, ...]]]:
    from tests.eval.distill_gold import labelled, transcript

    known = {one.id: one for one in labelled(SHARED)}
    document = orjson.loads((SHARED / "supersession.json").read_bytes())
    for name in document["projects"][0]["sessions"]:
        yield name, distill(transcript(known[name])).candidates


@pytest.mark.skipif(not SHARED.exists(), reason="the labelled sessions are not beside the checkout")
def test_the_labelled_sessions_that_reverse_a_decision_end_with_the_new_one() -> None:
    told = list(ledger())
    known = read(told)
    assert read(told[::-1]).current() == known.current()
    (old,) = (
        fact for fact in known.facts if fact.kind == "decision" and "redis" in fact.title and fact.status != "current"
    )
    new = known.by_uid(old.superseded_by)
    assert new.status == "current"
    assert "postgres" in new.body
    assert "that was wrong" in new.body
