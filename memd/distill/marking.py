"""Marking: facts that name what a later session changed or removed are marked with what changed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memd.distill.staleness import Changed, asked, speaks_of
from memd.model import Fact
from memd.store import fact_marks, facts, sessions
from memd.store.fact_marks import Later
from memd.text.tokens import match_query

_FILE: Final = re.compile(r"\w\.[a-z]\w{0,5}\b|\w/\w")


@dataclass(frozen=True, slots=True)
class Mark:
    """What a later session (row id) did to something that a fact (row id) names."""

    fact: int
    later: Later


def changed_by(conn: facts.Connection, session_id: int, changes: Iterable[Changed], now_ms: int) -> tuple[Mark, ...]:
    """Return which facts of other sessions, learnt or checked before, name what a session changed. Reads only.

    Raises NotFound.
    """
    session = sessions.get(conn, session_id)
    if session.project is None:
        return ()
    marks = []
    for change in changes:
        at = change.at or session.last_at or now_ms
        match = match_query(f'"{asked(change.name)}"')
        if not match:
            continue
        later = Later(change.name, change.change, at, session_id, change.detail)
        ids = fact_marks.naming(conn, session.project.id, at, match, not_from=session_id)
        texts = fact_marks.texts(conn, ids)
        marks += [Mark(fact, later) for fact, text in texts.items() if speaks_of(text, change.name)]
    return tuple(marks)


def changed_since(conn: facts.Connection, ids: Iterable[int]) -> tuple[Mark, ...]:
    """Return how files that facts name were changed by sessions that were held after the facts were learnt. Reads only.

    Sessions may be read in any order: what came later may have been read before.
    """
    naming = [fact for fact in facts.load(conn, ids) if fact.project is not None and fact.status == "current"]
    texts = {fact.id: "\n".join((fact.title, fact.body, *(part.text for part in fact.parts))) for fact in naming}
    naming = [fact for fact in naming if _FILE.search(texts[fact.id])]
    marks = []
    for project in {fact.project.id for fact in naming if fact.project is not None}:
        own = [fact for fact in naming if fact.project is not None and fact.project.id == project]
        for later in fact_marks.later_changes(conn, project, min(fact.valid_from for fact in own)):
            marks += [Mark(fact.id, later) for fact in own if _concerns(fact, later, texts[fact.id])]
    return tuple(marks)


def write(conn: facts.Connection, session_id: int, marks: Iterable[Mark]) -> None:
    """Keep marks; what a session, which was read anew, marked before is forgotten."""
    fact_marks.forget_marks(conn, session_id)
    for mark in marks:
        later = mark.later
        fact_marks.mark_stale(conn, mark.fact, later.name, later.change, later.at, later.session, later.detail)


def _concerns(fact: Fact, later: Later, text: str) -> bool:
    return (
        later.at > max(fact.valid_from, fact.verified_at or 0)
        and asked(later.name) in text
        and all(one.session != later.session for one in fact.evidence)
        and speaks_of(text, later.name)
    )
