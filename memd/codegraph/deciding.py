"""Deciding: comments that say what was decided and why become facts, and hold as long as the code says so.

One fact stands for all comments of a project that have the same tag and words; where they stand is told with it. What
a person ruled on or had deleted stays as they left it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import orjson

from memd.model import Evidence
from memd.store import code_decisions, code_graph, fact_changes
from memd.store.code_changes import Cause
from memd.store.code_decisions import Kept, Placed
from memd.store.code_files import Connection
from memd.store.writer import Writer

TAGS: Final = ("DECISION", "WHY", "SAFETY")
"""The tags of such comments, what matters most first."""
MOST: Final = 500
"""Facts that the comments of one project may be."""
BEYOND: Final = f"reasons beyond the first {MOST}"

_READ: Final = 50_000
_TOLD: Final = 3
"""Places that the text of a fact names; the others are counted."""
_PLACES: Final = 20
_TITLE: Final = 100
_LEAST_WORDS: Final = 2
_WRITTEN_AT_ONCE: Final = 20
_CONFIDENCE: Final = 0.6
"""What one comment says by itself: less than what somebody told a session outright."""


@dataclass(frozen=True, slots=True)
class Stated:
    """What comments of the same tag and words say, and where they stand."""

    key: str
    tag: str
    text: str
    placed: Placed


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: facts to add, to place elsewhere and to let hold again, and those (row ids) that ended.

    `replaced` are row ids of facts by the keys of those that took their place in the code.
    """

    new: tuple[Stated, ...]
    moved: tuple[tuple[int, Stated], ...]
    back: tuple[tuple[int, Stated], ...]
    gone: tuple[int, ...]
    replaced: dict[str, int]
    left_off: int


def plan(conn: Connection, project: int) -> Plan:
    """Return what has to be done so that the facts of a project are what the comments in its code say."""
    stated, left_off = _stated(code_graph.all_reasons(conn, project, (), TAGS, _READ))
    known = code_decisions.kept(conn, project)
    current = code_decisions.current(conn, project)
    new = tuple(one for one in stated if one.key not in known)
    moved, back = [], []
    standing = set()
    for one in stated:
        before = known.get(one.key)
        if before is None or before.fact is None:
            continue
        standing.add(before.fact)
        if before.status == "current" and (before.body, before.metadata) != (one.placed.body, one.placed.metadata):
            moved.append((before.fact, one))
        elif before.status != "current" and before.ruling is None:
            back.append((before.fact, one))
    gone = current - standing
    replaced = _replaced(new, [one for one in known.values() if one.fact in gone])
    return Plan(new, tuple(moved), tuple(back), tuple(sorted(gone - set(replaced.values()))), replaced, left_off)


async def follow(writer: Writer, project: int, todo: Plan, cause: Cause) -> None:
    """Do what a plan says, in short transactions."""
    steps = [
        *(partial(_add, project=project, one=one, replaces=todo.replaced.get(one.key), cause=cause)
          for one in todo.new),
        *(partial(_move, project=project, fact=fact, one=one, cause=cause) for fact, one in todo.moved),
        *(partial(_bring_back, project=project, fact=fact, one=one, cause=cause) for fact, one in todo.back),
        *(partial(_end, project=project, fact=fact, cause=cause) for fact in todo.gone),
    ]  # fmt: skip
    for start in range(0, len(steps), _WRITTEN_AT_ONCE):

        def write(conn: Connection, some: Sequence[partial[None]] = steps[start : start + _WRITTEN_AT_ONCE]) -> None:
            for step in some:
                step(conn)

        await writer.run(write, background=True)


def _stated(reasons: Iterable[code_graph.Reason]) -> tuple[list[Stated], int]:
    found: dict[tuple[str, str], list[code_graph.Reason]] = {}
    for one in reasons:
        if len(one.text.split()) >= _LEAST_WORDS:
            found.setdefault((one.tag, one.text), []).append(one)
    ranked = sorted(found, key=lambda said: TAGS.index(said[0]))  # in the order of files within a tag
    return [_as_one(tag, text, found[tag, text]) for tag, text in ranked[:MOST]], max(0, len(ranked) - MOST)


def _as_one(tag: str, text: str, reasons: Sequence[code_graph.Reason]) -> Stated:
    nodes = tuple(dict.fromkeys(f"code:{one.node}" for one in reasons[:_PLACES]))
    places = tuple(f"{one.node.partition('::')[0]}:{one.line}" for one in reasons[:_PLACES])
    told = ", ".join(_told(one) for one in reasons[:_TOLD])
    more = f" and {len(reasons) - _TOLD} more places" if len(reasons) > _TOLD else ""
    quotes = tuple(f"{place}: {tag}: {text}" for place in places[:_TOLD])
    metadata = orjson.dumps({"tag": tag, "node": nodes[0]}).decode()
    key = hashlib.sha256(f"{tag}\n{text}".encode()).hexdigest()[:32]
    return Stated(key, tag, text, Placed(f"{text} ({tag} in {told}{more})", places, quotes, nodes, metadata))


def _told(reason: code_graph.Reason) -> str:
    path, _, qualname = reason.node.partition("::")
    return f"{path}:{reason.line} {qualname}".rstrip()


def _replaced(new: Sequence[Stated], gone: Sequence[Kept]) -> dict[str, int]:
    """Return which fact each new one takes the place of: the only one with its tag that left the same node."""
    left: dict[str, list[int]] = {}
    for before in gone:
        if before.fact is not None:
            left.setdefault(before.metadata, []).append(before.fact)
    came: dict[str, list[str]] = {}
    for one in new:
        came.setdefault(one.placed.metadata, []).append(one.key)
    return {keys[0]: left[where][0] for where, keys in came.items() if len(keys) == 1 and len(left.get(where, ())) == 1}


def _add(conn: Connection, *, project: int, one: Stated, replaces: int | None, cause: Cause) -> None:
    placed = one.placed
    fact = fact_changes.add(
        conn,
        fact_changes.NewFact(
            kind="decision", title=_title(one.text), body=placed.body, origin=code_decisions.ORIGIN,
            valid_from=cause.at, project_id=project, parts=code_decisions.parts_of(placed.places),
            evidence=tuple(Evidence(0, 0, quote, cause.at) for quote in placed.quotes),
            tags=("code", one.tag.lower()), confidence=_CONFIDENCE, metadata=placed.metadata,
        ),
        cause.at,
        "stands in the code",
    )  # fmt: skip
    code_decisions.note(conn, project, one.key, fact.uid, cause.at)
    code_decisions.relate(conn, project, fact.id, fact.uid, placed.nodes, cause.at)
    if replaces is not None:
        old = fact_changes.supersede(
            conn, replaces, fact.id, cause.at, "the code says so instead", session_id=cause.session
        )
        code_decisions.relate(conn, project, old.id, old.uid, (), cause.at)


def _move(conn: Connection, *, project: int, fact: int, one: Stated, cause: Cause) -> None:
    code_decisions.place(conn, project, fact, one.placed, cause.at)


def _bring_back(conn: Connection, *, project: int, fact: int, one: Stated, cause: Cause) -> None:
    fact_changes.restore(conn, fact, cause.at, "stands in the code again", session_id=cause.session)
    code_decisions.place(conn, project, fact, one.placed, cause.at)


def _end(conn: Connection, *, project: int, fact: int, cause: Cause) -> None:
    old = fact_changes.retract(conn, fact, cause.at, "no longer stands in the code", session_id=cause.session)
    code_decisions.relate(conn, project, old.id, old.uid, (), cause.at)


def _title(text: str) -> str:
    if len(text) <= _TITLE:
        return text
    head = text[:_TITLE]
    return (head.rpartition(" ")[0] or head) + " …"
