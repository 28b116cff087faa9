"""Past: what the store held for a project's next session at an earlier time.

Of what changes without a trace nothing is told: how often facts had been of use by then, and the user's own file about
himself. A session counts when its last message was said by then.
"""

from __future__ import annotations

from collections.abc import Sequence

from memd.inject.material import DECISIONS, EACH, GOTCHAS, INSTRUCTIONS, NOTES, SESSIONS, SURE, TASKS, by_hand
from memd.inject.open_ends import still_open
from memd.inject.wakeup import Material
from memd.model import Fact, FactKind, Project
from memd.store import blocks, fact_views, handoffs, summaries
from memd.store.facts import Connection, FactFilter, list_facts


def gathered_then(conn: Connection, project: Project | None, at_ms: int) -> Material:
    """Return what a session that started at a time (UTC milliseconds) would have known of what is known by now."""
    number = None if project is None else project.id
    kept = tuple((block.label, block.value) for block in blocks.visible_at(conn, number, at_ms))
    if project is None:
        return Material(None, blocks=kept, instructions=held(conn, None, INSTRUCTIONS, at_ms))
    latest = summaries.latest(conn, project.id, SESSIONS, until_ms=at_ms)
    last = latest[0] if latest else None
    left = handoffs.to_tell(conn, project.id, 0 if last is None else last.session.started_at or 0, at_ms)
    return Material(
        project.name,
        blocks=kept,
        instructions=held(conn, project.id, INSTRUCTIONS, at_ms),
        open_ends=still_open([one.summary for one in latest]),
        tasks=held(conn, project.id, TASKS, at_ms, everywhere=False),
        decisions=held(conn, project.id, DECISIONS, at_ms),
        gotchas=(*by_hand(held(conn, project.id, NOTES, at_ms)), *held(conn, project.id, GOTCHAS, at_ms)),
        last=last.summary if last else None,
        handoff="" if left is None else left.text,
    )


def held(
    conn: Connection, project_id: int | None, kinds: Sequence[FactKind], at_ms: int, *, everywhere: bool = True
) -> tuple[Fact, ...]:
    """Return the facts that held at a time, in their words of then, those that are sure first."""
    chosen = FactFilter(project_id, everywhere, tuple(kinds), as_of=at_ms, sure=SURE)
    found = (one for one in list_facts(conn, chosen, 2 * EACH) if one.origin != "code")
    if project_id is None:
        found = (one for one in found if one.project is None)
    return tuple(fact_views.as_of(conn, one, at_ms) for one in found)[:EACH]
