"""Material: what the store holds for a project's next session, in the order of importance."""

from __future__ import annotations

import re
from typing import Final

from memd.inject.open_ends import still_open
from memd.inject.put_aside import put_aside, without
from memd.inject.wakeup import Material
from memd.model import Fact, FactKind, Project
from memd.store import blocks, foremost, handoffs, injections, summaries
from memd.store.facts import Connection

INSTRUCTIONS: Final[tuple[FactKind, ...]] = ("preference", "convention")
DECISIONS: Final[tuple[FactKind, ...]] = ("decision", "architecture")
GOTCHAS: Final[tuple[FactKind, ...]] = ("config", "discovery", "bugfix", "learning")
NOTES: Final[tuple[FactKind, ...]] = ("note",)
TASKS: Final[tuple[FactKind, ...]] = ("task", "open_question")
EACH: Final = 16
SESSIONS: Final = 4
_USEFUL: Final = 8
_ASKS: Final = re.compile(r"[?？]\W*$|(?:多少|什么|哪[个里些]|谁|几[个点]|怎么样?)[^。！，,；;]{0,4}$")
_TELLS_BEFORE: Final = re.compile(r"[.!;:。！；：]\s*\S")
_OFTEN: Final = 5
"""Sessions that have to have been given a fact before it counts that none used it."""
# Of the labelled sessions' facts, four in five above this are worth a teammate's attention, below it two in five.
SURE: Final = 0.65


def gather(conn: Connection, project: Project | None, identity: str = "") -> Material:
    """Return what a session in this project should know; without a project only what holds everywhere."""
    number = None if project is None else project.id
    kept = tuple((block.label, block.value) for block in blocks.visible(conn, number))
    instructions = foremost.newest(conn, number, INSTRUCTIONS, EACH, sure=SURE)
    if project is None:
        return Material(None, identity=identity, blocks=kept, instructions=instructions)
    latest = summaries.latest(conn, project.id, SESSIONS)
    last = latest[0] if latest else None
    handoff = handoffs.to_tell(conn, project.id, 0 if last is None else last.session.started_at or 0)
    decisions = foremost.newest(conn, project.id, DECISIONS, EACH, sure=SURE)
    notes = by_hand(foremost.newest(conn, project.id, NOTES, EACH))
    gotchas = foremost.newest(conn, project.id, GOTCHAS, EACH, sure=SURE)
    asked = frozenset(fact.id for fact in (*decisions, *gotchas) if _only_asks(fact))
    aside = asked | put_aside((*instructions, *decisions, *notes, *gotchas))
    return Material(
        project.name,
        identity=identity,
        blocks=kept,
        instructions=without(instructions, aside),
        open_ends=still_open([one.summary for one in latest]),
        tasks=foremost.newest(conn, project.id, TASKS, EACH, sure=SURE, everywhere=False),
        decisions=_proven(conn, without(decisions, aside)),
        gotchas=(*without(notes, aside), *_proven(conn, without(gotchas, aside))),
        last=last.summary if last else None,
        handoff="" if handoff is None else handoff.text,
        useful=foremost.useful(conn, project.id, _USEFUL),
    )


def _only_asks(fact: Fact) -> bool:
    """Return whether a fact is nothing but a question; what came of one stands in its parts or is a fact of its own."""
    body = fact.body.strip()
    return not fact.parts and _ASKS.search(body) is not None and _TELLS_BEFORE.search(body) is None


def by_hand(notes: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Return those notes that somebody had memd remember. What agents note for themselves their hosts tell them."""
    return tuple(note for note in notes if note.origin == "user")


def _proven(conn: Connection, found: tuple[Fact, ...]) -> tuple[Fact, ...]:
    """Put facts that many sessions were given and none has used behind the others."""
    known = injections.record_of(conn, [fact.id for fact in found])
    idle = {fact for fact, (times, used) in known.items() if times >= _OFTEN and not used}
    return tuple(sorted(found, key=lambda fact: fact.id in idle))
