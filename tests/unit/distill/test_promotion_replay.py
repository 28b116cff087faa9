"""Promotion is replayed on a copy and compared with what came of the facts later."""

from __future__ import annotations

import hashlib
import json
import sys
from contextlib import closing
from pathlib import Path

import pytest

from memd.adapter import MessagePart
from memd.distill.promotion import WEIGHTS, Evidenced, Thresholds
from memd.model import Evidence
from memd.store import facts
from memd.store.connection import connect_writer
from memd.store.facts import NewFact
from memd.store.migrate import migrate
from tests.eval import promotion
from tests.eval.promotion import Weighed, copied, figures, replay, weighed
from tests.unit.store import rows

DAY = 86_400_000
AT = 1_790_000_000_000
OPENERS = ("Light the lamp", "Paint the mole", "Where is tern?", "Count the piers", "Oil the crane")
OFTEN = Evidenced(5, 10, 10, OPENERS, 0.0, 20, "use `tern` because it is sure")
ONCE = Evidenced(1, 0, 10, OPENERS[:1], 300.0, 1, "hm")
TWICE = Evidenced(2, 10, 10, OPENERS[:2], 0.0, 2, "use `tern` because it is sure")


def test_what_would_have_been_promoted_is_held_against_what_proved_itself() -> None:
    every = (Weighed("a", OFTEN, True), Weighed("b", TWICE, False), Weighed("c", ONCE, True), Weighed("d", ONCE, False))

    found = figures(every, Thresholds())

    assert (found.facts, found.promoted, found.proved) == (4, 2, 2)
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)
    assert figures((), Thresholds()).f1 == 0.0


def test_without_a_signal_its_weight_is_spread_over_the_others() -> None:
    found = replay((Weighed("b", TWICE, True),), Thresholds(score=0.62))

    assert found.without.keys() == WEIGHTS.keys()
    assert found.figures.promoted == 1
    # It is relevance that carried it: frequency, diversity and places are low.
    assert found.without["relevance"].promoted == 0
    assert found.without["frequency"].promoted == 1
    assert found.promoted == ("b",)


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A store with a fact of two sessions of which a third one speaks later, and one that nobody came back to."""
    path = tmp_path / "memd.db"
    migrate(path, tmp_path / "backups", AT)
    with closing(connect_writer(path)) as conn:
        said = {}
        for number, name in enumerate(("first", "second", "later")):
            part = MessagePart(
                name, name, name, 1, "user", "prompt", AT + (number * 10 - 20) * DAY, f"{name}: light the lamp by tern"
            )
            rows.store(conn, name, [part])
            said[name] = conn.execute("SELECT id, session_id, at FROM messages WHERE key = ?", (name,)).fetchone()
        for body, names in (("use `tern` for the lamp", ("first", "second", "later")), ("paint the mole", ("first",))):
            proof = tuple(Evidence(said[one][0], said[one][1], body, said[one][2]) for one in names)
            facts.add(conn, NewFact("decision", body, body, "distill", AT - 20 * DAY, evidence=proof), AT)
    return path


def test_facts_are_weighed_by_what_was_said_up_to_then_and_judged_by_what_was_said_later(database: Path) -> None:
    with copied(database) as conn:
        tern, mole = weighed(conn, AT - 5 * DAY)
        later, _ = weighed(conn, AT + DAY)
        (labelled,) = weighed(conn, AT, {mole.fact: True})

    assert (tern.found.sessions, tern.found.items, tern.proved) == (2, 2, True)
    assert (mole.found.sessions, mole.proved) == (1, False)
    assert (later.found.sessions, later.proved) == (3, False)
    assert (labelled.fact, labelled.proved) == (mole.fact, True)


def test_a_replay_leaves_the_database_as_it_is_and_tells_what_differs_from_a_snapshot(
    database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def state() -> dict[str, str]:
        return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in database.parent.glob("memd.db*")}

    def run(*arguments: str) -> list[str]:
        day = "2026-09-19"  # five days before AT
        monkeypatch.setattr(sys, "argv", ["promotion", str(database), "--at", day, *arguments])
        promotion.main()
        return capsys.readouterr().out.splitlines()

    before, snapshot = state(), str(tmp_path / "snapshot.json")
    one = json.loads(run("--json", "--score", "0.3", "--snapshot", snapshot)[0])
    two = run("--score", "0.99", "--against", snapshot)

    assert state() == before
    assert (one["figures"]["promoted"], one["figures"]["precision"]) == (1, 1.0)
    assert two[-1] == f"promoted then and not now: {one['promoted']}"
    assert two[2] == "| all signals | 0 | 0.00 | 0.00 | 0.00 |"
