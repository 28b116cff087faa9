"""A memory that has grown with other rules knows in the end what one knows that reads the same sessions today."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from memd.distill import recomparing, redistilling
from memd.schedule import jobs
from memd.store.connection import connect_writer
from memd.store.migrate import migrate, migrations
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_deleting import LATE, OTHER, WORD, decided, learnt, read, said
from tests.unit.operations.test_remember import do


async def upgraded(harbor: Harbor) -> None:
    """What the daemon does by itself some time after its start."""
    (rules,) = [job for job in jobs(harbor.memory) if job.name == "rules"]
    await rules.body()


def _as_by_rules_that_found_nothing(conn: sqlite3.Connection) -> None:
    conn.execute("DELETE FROM facts")
    conn.execute("DELETE FROM claims")
    conn.execute("DELETE FROM statements")
    conn.execute("DELETE FROM meta WHERE key = 'distill_rules'")


async def test_sessions_of_which_earlier_rules_learnt_nothing_are_distilled_once_more(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await read(harbor, OTHER, said(OTHER, "o1", 9, "From now on never push to main without a review."))
    known = _of_sessions(await learnt(harbor))
    assert len(known) >= 3
    await upgraded(harbor)
    await learnt(harbor)
    await harbor.memory.writer.run(_as_by_rules_that_found_nothing)
    assert await learnt(harbor) == []
    await upgraded(harbor)
    assert _of_sessions(await learnt(harbor)) == known
    ruled = next(one for one in await do(harbor, "facts.list") if "review" in one.text)
    await do(harbor, "facts.retract", fact=ruled.id)
    await harbor.memory.writer.run(lambda conn: conn.execute("DELETE FROM meta WHERE key = 'distill_rules'"))
    await upgraded(harbor)
    await learnt(harbor)
    assert [one.status for one in await do(harbor, "facts.list", all=True) if "review" in one.text] == ["retracted"]


def _of_sessions(facts: list[str]) -> set[str]:
    """What the two sessions say; the harbour was given other facts without a session that says them."""
    return {fact for fact in facts if WORD in fact or "make tide" in fact or "review" in fact}


def test_a_new_memory_has_nothing_to_do_once_more_and_a_grown_one_has(tmp_path: Path) -> None:
    fresh, grown = tmp_path / "fresh.db", tmp_path / "grown.db"
    migrate(fresh, tmp_path, 0)
    migrate(grown, tmp_path, 0, migrations()[:1])
    with closing(connect_writer(grown)) as conn:
        conn.execute("INSERT INTO sessions (uid, host, native_id, seen_at) VALUES ('u', 'quill', 's', 1)")
    migrate(grown, tmp_path, 0)
    found = {}
    for path in (fresh, grown):
        with closing(connect_writer(path)) as conn:
            redistilling.note_new(conn)
            recomparing.note_new(conn)
            found[path] = (redistilling.is_due(conn), recomparing.place(conn))
    assert found == {fresh: (False, None), grown: (True, None)}
