"""Carrying over: facts of memd's own export become what they were where they were exported, ids and history included.

In two goes, each of which may be done again: the facts, then what leads from one to another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import orjson

from memd.distill import graphing, stating
from memd.errors import MemdError
from memd.importers.model import Dispute, Imported, Kept
from memd.model import Evidence, Fact, FactPart, Project
from memd.store import carried, erasing, fact_changes, fact_marks, facts, imports, judged, sessions
from memd.store.carried import Noted
from memd.store.fact_changes import Change, NewFact
from memd.store.facts import Connection
from memd.store.judged import State

FORGOTTEN: Final = "facts that were deleted here"
_LATER: Final = "was changed later in another memd"
_UID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True, slots=True, order=True)
class Agreed:
    """What two memories have to agree on of a fact, in an order that is the same everywhere."""

    valid_from: int
    valid_to: int
    status: str
    title: str
    body: str
    kind: str
    topic: str
    epistemic: str
    visibility: str
    evergreen: bool
    author: str
    domain: str
    basis: str
    tags: tuple[str, ...]
    parts: tuple[tuple[str, str], ...]


def is_deleted(conn: Connection, item: Imported) -> bool:
    """Return whether it is a fact that somebody had deleted here; it stays so."""
    return item.kept is not None and erasing.erased(conn, item.key)


def is_here(conn: Connection, item: Imported) -> bool:
    """Return whether it is a fact that is here under its own id."""
    return item.kept is not None and carried.find(conn, item.key) is not None


def known(conn: Connection, item: Imported, project: int | None, keys: frozenset[str]) -> str | None:
    """Return the uid of the fact that it is here already: the very same, or one in the same words.

    `keys` are those of all that comes with it: what is one of these itself is another fact, whatever it says.
    """
    if is_here(conn, item):
        return item.key
    found = imports.same_fact(conn, item.title, item.body, project, item.status)
    return None if item.kept is not None and (item.status != "current" or found in keys) else found


def add(conn: Connection, item: Imported, kept: Kept, project: Project | None, now_ms: int) -> str:
    """Add a fact as it is there, judged against nothing, and return its uid, which is the one it has there."""
    new = _new(conn, item, kept, project, now_ms)
    fact = fact_changes.add(conn, new, now_ms, carried.IMPORTED)
    carried.add_evidence(
        conn, fact.id, (Evidence(0, _session(conn, one.session) or 0, one.quote, one.at_ms) for one in kept.evidence)
    )
    stating.pin(conn, fact.id)
    if not kept.by_hand:
        carried.mark_learnt(conn, fact.id)
    state = _state(item, new.valid_from)
    noted = _noted(kept, state)
    created_at = now_ms if noted.created_at is None else noted.created_at
    carried.put(conn, fact.id, state, replace(noted, created_at=created_at, seen_at=noted.seen_at or new.valid_from))
    for mark in kept.marks:
        fact_marks.mark_stale(conn, fact.id, mark.name, mark.change, mark.at_ms, None, mark.detail)
    graphing.derive(conn, (fact.id,), now_ms)
    return fact.uid


def is_newer(conn: Connection, item: Imported) -> bool:
    """Return whether a fact that is here, too, was changed there since it was changed here last.

    Of two that were changed at the same time the same one stands wherever they are compared.
    """
    kept = item.kept
    fact_id = None if kept is None else carried.find(conn, item.key)
    if kept is None or fact_id is None or kept.changed_at is None:
        return False
    here, old = carried.changed_at(conn, fact_id), facts.get(conn, fact_id)
    if here is not None and here > kept.changed_at:
        return False
    new = _new(conn, item, kept, old.project, old.valid_from)
    ours, theirs = agreed(old, State(old.status, old.valid_to)), agreed(new, _state(item, new.valid_from))
    return ours != theirs and (here is None or kept.changed_at > here or theirs < ours)


def follow(conn: Connection, item: Imported, kept: Kept, now_ms: int) -> None:
    """Let a fact that is here, too, say and be what it does there, where it was changed last."""
    old = facts.get(conn, carried.find(conn, item.key) or 0)
    new = _new(conn, item, kept, old.project, now_ms)
    state = _state(item, new.valid_from)
    stating.pin(conn, old.id)
    _note_what_was(conn, old, new, state, kept, now_ms)
    carried.rewrite(conn, old.id, new, state, _noted(kept, state), now_ms)
    stating.say_as_it_is(conn, old.id)
    graphing.derive(conn, (old.id,), now_ms)


def _note_what_was(conn: Connection, old: Fact, new: NewFact, state: State, kept: Kept, now_ms: int) -> None:
    """Keep what a fact said or was here until it was changed there, where no line that comes along tells of it."""
    at = (kept.changed_at or now_ms) + 1  # after the line of the change itself, where that comes along
    told = any((line.old_title, line.old_text) == (old.title, old.body) for line in kept.history)
    if (old.title, old.body) != (new.title, new.body):
        if not told:
            fact_changes.note(conn, old.id, at, "UPDATE", _LATER, old=old)
    elif not kept.history:
        action = "UPDATE" if old.status == state.status else judged.ACTIONS[state.status]
        fact_changes.note(conn, old.id, at, action, _LATER, old=None if action == "UPDATE" else old)


def agreed(fact: Fact | NewFact, state: State) -> Agreed:
    """Return what two memories have to agree on of a fact that is in a state."""
    return Agreed(
        valid_from=fact.valid_from,
        valid_to=state.until or 0,
        status=state.status,
        title=fact.title,
        body=fact.body,
        kind=fact.kind,
        topic=fact.topic or "",
        epistemic=fact.epistemic,
        visibility=fact.visibility,
        evergreen=fact.evergreen,
        author=fact.author or "",
        domain=fact.domain or "",
        basis=fact.basis,
        tags=tuple(sorted(fact.tags)),
        parts=tuple((part.name, part.text) for part in fact.parts),
    )


def _new(conn: Connection, item: Imported, kept: Kept, project: Project | None, now_ms: int) -> NewFact:
    noted = kept.noted
    return NewFact(
        kind=item.kind, title=item.title or item.body[:120], body=item.body, origin=kept.origin,
        valid_from=now_ms if item.at_ms is None else item.at_ms, project_id=None if project is None else project.id,
        slot=noted.slot, parts=tuple(FactPart(name, text) for name, text in item.parts), tags=item.tags,
        topic=item.topic, epistemic=item.epistemic, confidence=item.confidence, evergreen=item.evergreen,
        author=item.author, session_id=_session(conn, kept.session),
        basis="inferred" if item.inferred else "extracted", visibility=noted.visibility, domain=noted.domain,
        metadata=_json(kept.metadata), uid=item.key if _UID.fullmatch(item.key) else None,
    )  # fmt: skip


def _noted(kept: Kept, state: State) -> Noted:
    """Return what was noted of a fact there; one that holds no more needs no ruling."""
    return kept.noted if state.until is None else replace(kept.noted, ruling="closed")


def _state(item: Imported, since: int) -> State:
    if item.status == "current":
        return State("current")
    return State(item.status, since if item.status == "retracted" else max(since, item.ended_at_ms or since))


def fill(conn: Connection, uid: str, item: Imported, kept: Kept) -> None:
    """Note of a fact that is here already what somebody noted of it there, where nothing else was noted here."""
    fact_id = carried.find(conn, uid)
    if fact_id is None or uid == item.key:
        return
    said = carried.Said(item.topic, item.author, item.epistemic, item.evergreen, _json(kept.metadata))
    carried.fill(conn, fact_id, said, kept.noted)


def tie(conn: Connection, system: str, items: Sequence[Imported]) -> None:
    """Give facts that are here now the history they have there, and the facts that took their place."""
    for item in items:
        fact = _taken(conn, system, item.key)
        if item.kept is None or fact is None or fact.uid != item.key:
            continue
        lines = (
            Change(one.at_ms, one.action, one.reason, one.old_title, one.old_text, _uid(conn, system, one.other), None)
            for one in item.kept.history
        )
        carried.add_history(conn, fact.id, lines)
        successor = _uid(conn, system, item.kept.successor)
        if successor is not None:
            carried.succeed(conn, fact.id, successor)


def dispute(conn: Connection, system: str, given: Sequence[Dispute], refused: Counter[str]) -> None:
    """Keep which facts cannot both hold and what was decided, where both of them are here."""
    for one in given:
        ends = [_taken(conn, system, key) for key in (one.one, one.other)]
        if ends[0] is None or ends[1] is None or ends[0].id == ends[1].id:
            refused["contradictions: there is no such fact"] += 1
            continue
        carried.dispute(
            conn,
            fact_marks.Contradiction(ends[0].id, ends[1].id, one.reason, one.found_ms, one.verdict, one.why),
        )


def _json(metadata: Mapping[str, object]) -> str:
    return orjson.dumps(metadata, option=orjson.OPT_SORT_KEYS).decode()


def _session(conn: Connection, named: tuple[str, str] | None) -> int | None:
    found = None if named is None else sessions.by_native(conn, *named)
    return None if found is None else found.id


def _uid(conn: Connection, system: str, key: str | None) -> str | None:
    taken = None if key is None else _taken(conn, system, key)
    return None if taken is None else taken.uid


def _taken(conn: Connection, system: str, key: str) -> Fact | None:
    """Return the fact that something of another memd became here."""
    taken = imports.get(conn, system, key)
    try:
        return None if taken is None or taken.fact is None else facts.find(conn, taken.fact)
    except MemdError:
        return None  # somebody has deleted it
