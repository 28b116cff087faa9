"""Marking: facts that name what a later session changed or removed are marked with what changed."""

from __future__ import annotations

from collections.abc import Iterable

from memd.distill.staleness import Changed, asked, speaks_of
from memd.store import fact_marks, facts, sessions
from memd.text.tokens import match_query


def mark(conn: facts.Connection, session_id: int, changes: Iterable[Changed], now_ms: int) -> int:
    """Mark the facts of other sessions, learnt before, that name what a session changed; return how many marks.

    What the session marked before is forgotten first. Checked since, a fact is not marked. Raises NotFound.
    """
    fact_marks.forget_marks(conn, session_id)
    session = sessions.get(conn, session_id)
    if session.project is None:
        return 0
    marks = 0
    for change in changes:
        at = change.at or session.last_at or now_ms
        match = match_query(f'"{asked(change.name)}"')
        if not match:
            continue
        ids = fact_marks.naming(conn, session.project.id, at, match, not_from=session_id)
        for fact, text in fact_marks.texts(conn, ids).items():
            if speaks_of(text, change.name):
                fact_marks.mark_stale(conn, fact, change.name, change.change, at, session_id, change.detail)
                marks += 1
    return marks


def mark_learnt(conn: facts.Connection, ids: Iterable[int]) -> int:
    """Mark facts that name files which sessions read before, but held later, changed; return how many marks."""
    marks = 0
    for fact in facts.load(conn, ids):
        if fact.project is None or fact.status != "current":
            continue
        text = "\n".join((fact.title, fact.body, *(part.text for part in fact.parts)))
        for later in fact_marks.later_changes(conn, fact.id):
            if speaks_of(text, later.name):
                fact_marks.mark_stale(conn, fact.id, later.name, later.change, later.at, later.session, later.detail)
                marks += 1
    return marks
