"""Every operation that reads answers for an earlier time, or it is said here why no time applies to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Final

import pytest

from memd.clock import iso
from memd.distill import graphing
from memd.errors import BadParameter
from memd.operations.catalog import OPERATIONS
from memd.operations.memory import Memory
from memd.store import fact_marks, facts
from memd.store.facts import Connection
from tests.unit.operations.conftest import FIRST, NOW, Harbor
from tests.unit.operations.test_carried_over import DAY, Ticking, ask

_DAEMON: Final = "tells how the daemon fares now, not what is known"
_LOG: Final = "is a log whose lines have their times; it is asked by days or since when"
_CODE: Final = "weighs the code as it is now; what calls and reaches what can be asked of a time"
TIMELESS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("status", "health", "jobs.list", "config.show", "index.status", "code.status"), _DAEMON),
    **dict.fromkeys(("traces.list", "injections.list", "search.gaps"), _LOG),
    **dict.fromkeys(
        ("code.hubs", "code.bridges", "code.subsystems", "code.gaps", "code.reasons", "code.check", "code.why"), _CODE
    ),
    "operations.list": "lists what this version of memd can do",
    "resources.list": "lists under which names things can be read",
    "relations.vocabulary": "lists the words of this version",
    "whoami": "tells where one is",
    "projects.list": "projects have no end; what there was in one is asked of its sessions and facts",
    "entities.search": "names have no time; what was said of them is asked with entities.open",
    "facts.topic": "makes a key out of a title",
    "facts.diff": "names the versions it compares; facts.versions tells those of a time",
    "facts.export": "gives everything, with its times",
    "facts.unused": "uses are counted, not dated",
}
TIMED: Final = sorted(name for name, one in OPERATIONS.items() if one.reads and name not in TIMELESS)
EARLY, LATE = NOW - 30 * DAY, NOW - 10 * DAY
WORD: Final = "Barnacle"
"""Stands in all that came late, and in nothing that was there early."""
FACT: Final = "$FACT"
PARAMS: Final[Mapping[str, Mapping[str, object]]] = {
    "search": {"query": "lamp", "kinds": ["facts"]},
    "sessions.show": {"session": FIRST},
    **{name: {"fact": FACT} for name in ("facts.show", "facts.versions", "facts.timeline", "facts.page")},
    "facts.timeline": {"fact": FACT, "scope": "project"},
    "facts.list": {"project": "harbor"},
    "facts.parts": {"part": "rejected"},
    "entities.open": {"names": ["Lamp"], "project": "harbor"},
    "relations.list": {"project": "harbor"},
    "relations.traverse": {"start": "Lamp", "project": "harbor"},
    **{name: {"project": "harbor"} for name in ("wakeup", "brief", "handoff", "blocks.list", "prompts.list")},
    **{name: {"project": "harbor"} for name in ("relations.hubs", "relations.bridges", "relations.groups")},
    "relations.gaps": {"project": "harbor", "limit": 500},
    "blocks.get": {"label": "watch", "project": "harbor"},
    **{name: {"symbol": "moor", "project": "harbor"} for name in ("code.find", "code.callers", "code.callees")},
    **{name: {"symbol": "moor", "project": "harbor"} for name in ("code.impact", "code.traverse")},
    "code.path": {"source": "moor", "target": "tide", "project": "harbor"},
}
COUNTED: Final = {"relations.summary", "facts.stale", "facts.contradictions", "sessions.show", "sessions.list"}
"""These have tests of their own below; what they tell early holds no word that could be looked for."""


def test_every_operation_that_reads_takes_a_time_or_says_why_not() -> None:
    reading = {name: one for name, one in OPERATIONS.items() if one.reads}
    timed = {name for name, one in reading.items() if any(field.name == "as_of" for field in fields(one.params))}
    assert timed & set(TIMELESS) == set()
    assert timed | set(TIMELESS) == set(reading)


@dataclass(frozen=True, slots=True)
class Aged:
    """A project of which much was said early, and more, with a word of its own, late; `fact` was said and reworded."""

    memory: Memory
    fact: str

    async def told(self, op: str, **more: object) -> Any:
        given = {**PARAMS.get(op, {}), **more}
        return await ask(self.memory, op, {name: self.fact if said == FACT else said for name, said in given.items()})


@pytest.fixture
async def aged(harbor: Harbor) -> Aged:
    clock = Ticking(EARLY)
    memory = replace(harbor.memory, clock=clock)
    lamp = {"project": "harbor", "kind": "decision", "rejected": ["oil"]}
    said = await ask(memory, "facts.remember", {**lamp, "text": "The lamp is lit at dusk by the keeper"})
    fact = said["fact"]["id"]
    await ask(memory, "facts.remember", {**lamp, "text": "Hulls are painted in June"})
    for source, target in (("Lamp", "Wick"), ("Wick", "Oil"), ("Oil", "Barrel")):
        await ask(memory, "relations.link", _link(source, target))
    await ask(memory, "blocks.set", {"label": "watch", "value": "mind the ebb", "project": "harbor"})
    await ask(memory, "handoff.leave", {"project": "harbor", "text": "Paint the hull"})
    await ask(memory, "prompts.save", {"project": "harbor", "text": "Where is the key?"})
    clock.at = LATE
    await ask(memory, "facts.edit", {"fact": fact, "text": f"The {WORD} lamp is lit at dusk by a timer"})
    await ask(
        memory, "facts.remember", {**lamp, "text": f"{WORD} hulls are scraped in May", "rejected": [f"{WORD} paint"]}
    )
    for source, target in (("Lamp", WORD), (WORD, f"{WORD} paint"), (f"{WORD} paint", "Hull")):
        await ask(memory, "relations.link", _link(source, target))
    await ask(memory, "blocks.set", {"label": "watch", "value": f"mind the {WORD}", "project": "harbor"})
    await ask(memory, "handoff.leave", {"project": "harbor", "text": f"The {WORD} waits"})
    await ask(memory, "prompts.save", {"project": "harbor", "text": f"Where is the {WORD}?"})
    clock.at = NOW
    return Aged(memory, fact)


def _link(source: str, target: str) -> dict[str, object]:
    return {"source": source, "target": target, "relation": "uses", "create": True, "project": "harbor"}


@pytest.mark.parametrize("op", [op for op in TIMED if op not in COUNTED and not op.startswith("code.")])
async def test_a_read_of_an_earlier_time_tells_nothing_of_what_came_later(op: str, aged: Aged) -> None:
    now, then = json.dumps(await aged.told(op)), json.dumps(await aged.told(op, as_of=iso(LATE - DAY)))
    assert WORD in now
    assert WORD not in then
    told = any(word in then for word in ("amp", "ebb", "hull", "key", "oil"))
    assert told or op == "relations.groups", "four things in a row are no group yet"


TELLING: Final[Mapping[str, Mapping[str, object]]] = {
    "search": {"query": "beacon", "kinds": ["facts"]},
    "facts.list": {"project": "harbor"},
    "facts.parts": {"part": "because", "project": "harbor"},
    "facts.timeline": {"fact": FACT, "scope": "project", "before": 50, "after": 50},
    "facts.stale": {"project": "harbor"},
    "relations.list": {"project": "harbor", "relation": "uses"},
    "relations.traverse": {"start": "beacon", "project": "harbor"},
    "entities.open": {"names": ["beacon"], "project": "harbor"},
    "wakeup": {"project": "harbor"},
}
"""The reads that tell facts which nobody named, and relations that they tell of."""


@pytest.mark.parametrize("op", TELLING)
async def test_every_read_tells_what_held_at_a_time_and_nothing_that_was_never_true(op: str, aged: Aged) -> None:
    clock, told = aged.memory.clock, {}
    assert isinstance(clock, Ticking)
    for end, oil in (("ended", "diesel"), ("gone", "paraffin"), ("never", "kerosene")):
        clock.at = EARLY
        text = f"We decided that the beacon uses {oil} because the {oil} depot is near"
        said = {"project": "harbor", "kind": "decision", "text": text, "because": f"the {oil} depot is near"}
        told[end] = (await ask(aged.memory, "facts.remember", {**said, "again": True}))["fact"]["id"]
    clock.at = LATE

    def marked(conn: Connection) -> None:
        for uid in told.values():
            fact = facts.find(conn, uid)
            fact_marks.mark_stale(conn, fact.id, "beacon.py", "removed", LATE - 2 * DAY, None, "deleted")
            graphing.derive(conn, (fact.id,), LATE)
        gone = facts.retract(conn, facts.find(conn, told["gone"]).id, LATE, "no longer stands there")
        graphing.derive(conn, (gone.id,), LATE)

    await aged.memory.writer.run(marked)
    await ask(aged.memory, "facts.invalidate", {"fact": told["ended"], "reason": "it is electric now"})
    await ask(aged.memory, "facts.retract", {"fact": told["never"], "reason": "a tale"})

    params = {name: aged.fact if value == FACT else value for name, value in TELLING[op].items()}
    then = json.dumps(await ask(aged.memory, op, {**params, "as_of": iso(LATE - DAY)}))
    assert {oil: oil in then for oil in ("diesel", "paraffin", "kerosene")} == {
        "diesel": True, "paraffin": True, "kerosene": False,
    }  # fmt: skip
    now = json.dumps(await ask(aged.memory, op, params))
    assert "kerosene" not in now
    assert "paraffin" not in now
    statuses = {}
    for end, uid in told.items():
        statuses[end] = (await ask(aged.memory, "facts.show", {"fact": uid, "as_of": iso(LATE - DAY)}))["fact"][
            "status"
        ]
    assert statuses == {"ended": "current", "gone": "current", "never": "retracted"}


@pytest.mark.parametrize("op", TIMED)
async def test_a_time_that_is_none_is_refused_by_every_read(op: str, aged: Aged) -> None:
    with pytest.raises(BadParameter, match="is no date"):
        await aged.told(op, as_of="when the tide comes in")


async def test_sessions_are_told_as_far_as_they_had_come(aged: Aged) -> None:
    whole = await aged.told("sessions.show")
    assert [message["text"] for message in whole["messages"] if message["at"] <= iso(NOW + 2)]
    begun = await aged.told("sessions.show", as_of=iso(NOW + 2))
    assert 0 < len(begun["messages"]) < len(whole["messages"])
    assert begun["session"]["messages"] == len(begun["messages"])
    assert (begun["session"]["ended"], begun["session"]["state"], begun["summary"]) == (None, "idle", None)
    assert (whole["session"]["state"], whole["summary"] is None) == ("ended", False)
    assert await aged.told("sessions.list", as_of=iso(LATE)) == []
    listed = {one["native_id"]: one["messages"] for one in await aged.told("sessions.list", as_of=iso(NOW + 2))}
    assert listed[FIRST] == len(begun["messages"])


async def test_what_contradicts_what_is_told_as_it_was_known_and_decided(aged: Aged) -> None:
    clock = aged.memory.clock
    assert isinstance(clock, Ticking)
    ends = []
    for at, port in ((LATE, "8080"), (LATE + DAY, "9090")):
        clock.at = at
        text = {"text": f"The tide service listens on port {port}", "project": "harbor", "kind": "config"}
        ends.append((await ask(aged.memory, "facts.remember", text))["fact"]["id"])
    await aged.memory.writer.run(lambda conn: _contradict(conn, ends, LATE + 2 * DAY))
    clock.at = LATE + 4 * DAY
    await ask(aged.memory, "facts.resolve", {"keep": ends[1], "other": ends[0], "reason": "it was moved"})

    async def known(at: int, *, decided: bool = False) -> list[str | None]:
        found = await aged.told("facts.contradictions", as_of=iso(at), all=decided)
        return [one["verdict"] for one in found["contradictions"]]

    assert await known(LATE + DAY) == []
    assert await known(LATE + 3 * DAY) == [None]
    assert await known(LATE + 3 * DAY, decided=True) == [None]
    assert await known(LATE + 5 * DAY) == []
    assert len([verdict for verdict in await known(LATE + 5 * DAY, decided=True) if verdict]) == 1


def _contradict(conn: Connection, ends: list[str], at: int) -> None:
    one, other = sorted(facts.find(conn, uid).id for uid in ends)
    conn.execute("DELETE FROM contradictions")
    conn.execute(
        "INSERT INTO contradictions (one, other, reason, found_at) VALUES (?, ?, 'two ports', ?)", (one, other, at)
    )


async def test_what_was_changed_since_is_told_from_when_it_was_changed(aged: Aged) -> None:
    await aged.memory.writer.run(
        lambda conn: fact_marks.mark_stale(
            conn, facts.find(conn, aged.fact).id, "lamp.py", "removed", LATE, None, "deleted"
        )
    )
    assert (await aged.told("facts.stale", as_of=iso(LATE - DAY)))["stale"] == []
    (mark,) = (await aged.told("facts.stale", as_of=iso(LATE)))["stale"]
    assert (mark["fact"]["id"], mark["change"]) == (aged.fact, "removed")


async def test_the_graph_is_counted_as_it_was(aged: Aged) -> None:
    then, now = await aged.told("relations.summary", as_of=iso(LATE - DAY)), await aged.told("relations.summary")
    assert (then["relations"]["uses"], now["relations"]["uses"]) == (3, 6)
