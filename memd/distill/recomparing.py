"""Recomparing: when the rules of comparing change, what is known is compared and judged anew by them.

A statement keeps what it is compared by as it was worked out when it was first said, and its links for good; without
this they would be those of the rules that wrote them. It goes on in steps, first what each statement is compared by,
then what it is to the others, then what comes of it, and takes up after a restart where it was. Between steps anything
may be stored: what comes meanwhile has a later row id and is gone through as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from memd.distill.comparing import lookup_terms, packed, unpacked
from memd.distill.settling import claim_features, links_of, ordered, rejudge
from memd.model import LinkKind
from memd.store import meta, statements
from memd.store.facts import Connection
from memd.store.statements import Compared, Statement

RULES: Final = 9
"""Raised whenever `comparing` says something else of the same statements: all of them are then gone through once."""
_NOTE: Final = "judge_rules"
_STEP: Final = 20
_LINKED: Final = 4
_STAGES: Final = ("features", "links", "facts")

Stage: TypeAlias = Literal["features", "links", "facts"]


@dataclass(frozen=True, slots=True)
class Place:
    """How far it has come: the stage, and the row id of the last statement that was gone through in it."""

    stage: Stage
    statement: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """One step, worked out and still to be written."""

    place: Place
    then: Place | None
    """Where it goes on; None: it is done."""
    features: tuple[Compared, ...] = ()
    links: tuple[tuple[int, dict[int, LinkKind]], ...] = ()
    seeds: tuple[int, ...] = ()


def begin(conn: Connection) -> None:
    """Let everything be gone through, whatever the rules."""
    _keep(conn, Place("features"))


def note_new(conn: Connection) -> None:
    """Where nothing has been stated yet, note that all that will be is compared by the rules of now."""
    if not statements.after(conn, 0, 1):
        meta.put(conn, _NOTE, str(RULES))


def place(conn: Connection) -> Place | None:
    """Return how far it has come, None when all there is was compared by the rules of now."""
    note = meta.get(conn, _NOTE)
    if note == str(RULES):
        return None
    rules, _, at = (note or "").partition(" ")
    stage, _, statement = at.partition(" ")
    if rules != str(RULES) or stage not in _STAGES or not statement.isdigit():
        return Place("features")
    return Place(stage, int(statement))  # type: ignore[arg-type]  # mypy does not narrow by `in`


def next_step(conn: Connection, at: Place) -> Step:
    """Work out the next step. Reads only."""
    found = statements.after(conn, at.statement, _LINKED if at.stage == "links" else _STEP)
    if not found:
        stages = _STAGES[_STAGES.index(at.stage) + 1 :]
        return Step(at, Place(stages[0]) if stages else None)  # type: ignore[arg-type]  # a tuple of stages
    step = Step(at, replace(at, statement=found[-1].id))
    if at.stage == "features":
        return replace(step, features=tuple(_compared(one) for one in found))
    if at.stage == "links":
        return replace(step, links=tuple((one.id, _links(conn, one)) for one in found))
    return replace(step, seeds=tuple(one.id for one in found))


def write(conn: Connection, step: Step, now_ms: int) -> Place | None:
    """Write a step down and return where it goes on, None when it is done."""
    statements.rewrite(conn, step.features)
    for statement, links in step.links:
        statements.relink(conn, statement, links)
    if step.seeds:
        rejudge(conn, step.seeds, now_ms, derive_all=True)
    _keep(conn, step.then)
    return step.then


def _keep(conn: Connection, at: Place | None) -> None:
    meta.put(conn, _NOTE, str(RULES) if at is None else f"{RULES} {at.stage} {at.statement}")


def _compared(one: Statement) -> Compared:
    said = claim_features(one.said)
    return Compared(one.id, len(said.words), said.identifiers, lookup_terms(said), packed(said))


def _links(conn: Connection, one: Statement) -> dict[int, LinkKind]:
    """Return what earlier statements are to one, each pair as it is stored."""
    found = links_of(conn, unpacked(one.features), one.project, one.said.slot)
    return {other: ordered(one.id, other, kind)[2] for other, kind in found if other < one.id}
