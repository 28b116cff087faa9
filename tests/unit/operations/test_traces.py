"""How questions went is kept for a while, and nothing of what was asked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memd.config import TraceConfig
from memd.errors import BadParameter
from memd.operations.catalog import OPERATIONS
from memd.operations.tracing import Traces, outline
from memd.store import traces
from tests.unit.operations.conftest import NOW, FrozenClock, Harbor

DAY_MS = 86_400_000


async def ask(harbor: Harbor, **params: object) -> Any:
    return await OPERATIONS["traces.list"].call(harbor.memory, params)


def note(of: Traces, op: str = "search", error: str | None = None, **params: object) -> None:
    of.note(op, OPERATIONS[op].params if op in OPERATIONS else None, "cli", params, ms=1.5, size=80, error=error)


def test_of_what_was_given_no_text_is_kept() -> None:
    told = outline(
        OPERATIONS["search"].params,
        {"query": "where is the key", "limit": 3, "mode": "regex", "explain": True, "host": None, "since": "today"},
    )

    assert told == {
        "query": "16 chars",
        "limit": 3,
        "mode": "regex",
        "explain": True,
        "host": None,
        "since": "5 chars",
    }
    assert outline(OPERATIONS["facts.batch"].params, {"facts": [{"text": "x"}], "a name made up": 1}) == {
        "facts": "1 items"
    }


async def test_a_question_is_listed_with_how_it_went(harbor: Harbor) -> None:
    note(harbor.memory.traces, query="tide")
    note(harbor.memory.traces, "sessions.show", error="not_found", session="zz")
    note(harbor.memory.traces, "a secret that was typed as a name", error="unknown_operation", x=1)

    unknown, refused, well = await ask(harbor)

    assert (well.op, well.door, well.params, well.error) == ("search", "cli", {"query": "4 chars"}, None)
    assert (well.ms, well.bytes) == (1.5, 80)
    assert (refused.op, refused.error) == ("sessions.show", "not_found")
    assert (unknown.op, unknown.params) == ("", {})
    assert await ask(harbor, failed=True) == (unknown, refused)
    assert await ask(harbor, op="search", door="cli", since="2026-11-29") == (well,)
    assert await ask(harbor, limit=1) == (unknown,)
    with pytest.raises(BadParameter, match="at least 1"):
        await ask(harbor, limit=0)


async def test_what_went_well_goes_after_a_week_and_refusals_after_a_month(harbor: Harbor) -> None:
    kept = [
        traces.Trace(NOW - days * DAY_MS, "mcp", f"{days}", 1.0, 2, json.dumps({}), error)
        for days in (1, 8, 31)
        for error in (None, "usage")
    ]
    await harbor.memory.writer.run(lambda conn: traces.add(conn, kept))

    gone = await harbor.memory.traces.drop_old(harbor.memory.writer)

    assert gone == 3
    assert {(one.op, one.error) for one in await ask(harbor)} == {("1", None), ("1", "usage"), ("8", "usage")}


async def test_what_is_not_to_be_kept_is_not_gathered(harbor: Harbor) -> None:
    nothing = Traces(TraceConfig(days=0, error_days=0), FrozenClock())
    note(nothing)
    note(nothing, error="usage")

    await nothing.flush(harbor.memory.writer)

    assert await ask(harbor) == ()
