"""Questions to the code graph that much is asked of: what they read."""

from __future__ import annotations

import sqlite3

import pytest

from memd.store import code_graph


@pytest.mark.parametrize("at", [None, 5])
def test_who_leads_to_a_node_is_told_by_an_index_without_a_look_at_any_edge(
    conn: sqlite3.Connection, at: int | None
) -> None:
    asked: list[str] = []
    conn.set_trace_callback(asked.append)
    code_graph.sources(conn, [1, 2], ["calls"], at, 10)
    conn.set_trace_callback(None)
    plan = " ".join(str(step[3]) for step in conn.execute(f"EXPLAIN QUERY PLAN {asked[-1]}"))
    assert "USING COVERING INDEX code_edges_dst" in plan
