"""What is distilled is looked through for secrets once more; what slipped in does not get any further."""

from __future__ import annotations

from typing import Any

import pytest

from memd.distill.audit import secrets_in
from memd.distill.distiller import Distiller
from memd.operations.catalog import OPERATIONS
from memd.store import sessions
from tests.unit.operations.conftest import HOST, Harbor
from tests.unit.operations.test_deleting import said
from tests.unit.operations.test_project_deleting import read
from tests.unit.operations.test_remember import do

OTHER = "0a11ce00-0000-4000-8000-0000000000f2"
SECRET = "ghp_" + "b7Kq2LmN9xR4tV6wY8zA1cD3eF5gH7iJ9kL0"
RULE = f"From now on always call the pilot service with the key {SECRET}."
"""Stands in the store as if redaction had not known such keys when it was read."""


async def waits(harbor: Harbor) -> bool:
    def look(conn: Any) -> bool:
        found = sessions.by_native(conn, HOST, OTHER)
        assert found is not None
        return found.id in sessions.due(conn)

    return await harbor.memory.readers.run(look)


async def learnt(harbor: Harbor) -> str:
    def look(conn: Any) -> str:
        tables = ("facts", "evidence", "statements", "session_summaries", "session_events", "facts_fts_docsize")
        return "".join(str(row) for table in tables for row in conn.execute(f"SELECT * FROM {table}"))

    return await harbor.memory.readers.run(look)


async def test_a_secret_that_slipped_in_stops_the_session_is_named_by_its_rule_and_it_is_tried_again(
    harbor: Harbor,
) -> None:
    await harbor.memory.distiller.run_due()
    kept = said(OTHER, "f2-1", 7_000, "Always copy the tide table every night, the office lost it once.")
    await read(harbor, OTHER, kept, said(OTHER, "f2-2", 7_100, RULE))
    before = await learnt(harbor)
    await harbor.memory.distiller.run_due()

    assert await waits(harbor)
    assert await learnt(harbor) == before
    (told,) = [line for line in (await do(harbor, "status")).degraded if OTHER in line]
    assert "github" in told
    assert SECRET not in told
    fresh = Distiller(harbor.memory.workers, harbor.memory.writer, harbor.memory.readers, harbor.memory.clock)
    await fresh.run_due()
    assert (await waits(harbor), fresh.last_error is None) == (True, False)

    (message,) = [one for one in (await do(harbor, "sessions.show", session=OTHER)).messages if SECRET in one.text]
    await OPERATIONS["messages.forget"].call(harbor.memory, {"message": message.id, "apply": True})

    assert not await waits(harbor)
    assert "tide table every night" in await learnt(harbor)
    assert not [line for line in (await do(harbor, "status")).degraded if OTHER in line]


@pytest.mark.parametrize("text", ["nothing to see", "see [redacted:github] there", "password = get_password()"])
def test_what_was_redacted_or_is_none_is_left_alone(text: str) -> None:
    assert secrets_in((text, frozenset({text}), 7, None)) == ()


async def test_a_refused_session_that_is_deleted_is_named_no_more(harbor: Harbor) -> None:
    await read(harbor, OTHER, said(OTHER, "f2-2", 7_100, RULE))
    await harbor.memory.distiller.run_due()
    assert harbor.memory.distiller.last_error is not None
    await do(harbor, "sessions.forget", session=OTHER, apply=True)
    await harbor.memory.distiller.run_due()
    assert harbor.memory.distiller.last_error is None
