"""Marks of facts are written after they were found, when a fact may be gone already."""

from __future__ import annotations

import sqlite3

from memd.codegraph import aging
from memd.store import fact_marks, facts, projects
from memd.store.facts import NewFact
from tests.unit.store.rows import NOW


def test_a_fact_that_is_gone_is_passed_over_when_marks_are_written(conn: sqlite3.Connection) -> None:
    project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
    kept = facts.add(conn, NewFact("note", "Tides", "`parse_tide()` reads the table", "user", NOW, project.id), NOW)

    gone = aging.Mark(99, "f", "a.py::f", "removed", NOW)
    aging.mark(conn, (gone, aging.Mark(kept.id, "parse_tide", "a.py::p", "removed", NOW)), None)

    assert [(one.fact, one.name) for one in fact_marks.stale(conn, project.id)] == [(kept.id, "parse_tide")]
