"""What the store notes of injections, jobs and itself."""

from __future__ import annotations

import sqlite3
import uuid

from memd.store import facts, injections, jobs, meta, projects, sessions
from memd.store.facts import NewFact
from memd.store.injections import Given, Injection, InjectionStats
from memd.store.jobs import JobLog
from memd.store.uid import uuid7
from tests.unit.store.rows import HOST, NOW, prompt, store


def test_a_session_is_given_a_fact_once_until_it_is_rearmed(conn: sqlite3.Connection) -> None:
    cork, tin = (facts.add(conn, NewFact("note", name, name, "user", 1), NOW).id for name in ("Cork", "Tin"))
    injections.record(conn, Injection(HOST, "s", "wakeup", {cork: None, 99: None}, 40), NOW)
    injections.record(conn, Injection(HOST, "s", "prompt", {cork: 0.9, tin: 0.4}, 20, extra=("pier.py",)), NOW + 1)
    injections.record(conn, Injection(HOST, "t", "wakeup", {}, 5), NOW + 2)
    assert injections.given(conn, HOST, "s") == Given(
        frozenset({cork, tin}), frozenset({"wakeup", "prompt"}), frozenset({"pier.py"})
    )
    injections.mark_used(conn, HOST, "s", [cork])
    injections.rearm(conn, HOST, "s")
    assert injections.given(conn, HOST, "s") == Given(frozenset(), frozenset())
    assert injections.given(conn, HOST, "t").events == {"wakeup"}
    assert injections.stats(conn) == (
        InjectionStats("prompt", 1, 20, NOW + 1, 2, used=1, judged=1),
        InjectionStats("wakeup", 2, 45, NOW + 2, 1, used=1, judged=1),
    )
    assert conn.execute("SELECT count(*) FROM injected_facts WHERE used").fetchone() == (2,)


def test_a_job_remembers_its_last_runs(conn: sqlite3.Connection) -> None:
    jobs.started(conn, "backup", 1)
    jobs.failed(conn, "backup", 1, 2, "no space")
    assert jobs.all_jobs(conn) == (JobLog("backup", 1, 2, None, "no space", 2, 1, 1),)
    jobs.finished(conn, "backup", 3, 4)
    jobs.finished(conn, "rescan", 5, 6)
    assert jobs.all_jobs(conn) == (
        JobLog("backup", 3, 4, 4, None, None, 2, 1),
        JobLog("rescan", 5, 6, 6, None, None, 1, 0),
    )


def test_notes_are_kept_replaced_and_removed(conn: sqlite3.Connection) -> None:
    assert meta.get(conn, "greeting") is None
    meta.put(conn, "greeting", "ahoy")
    meta.put(conn, "greeting", "ahoy there")
    assert meta.get(conn, "greeting") == "ahoy there"
    meta.put(conn, "greeting", None)
    assert meta.get(conn, "greeting") is None


def test_counts_are_of_everything(conn: sqlite3.Connection) -> None:
    assert meta.counts(conn).sessions == 0
    store(conn, "s", [prompt("s", "a", 1), prompt("s", "b", 2)])
    store(conn, "t", [prompt("t", "c", 3)])
    session = sessions.by_native(conn, HOST, "s")
    assert session is not None
    sessions.mark_idle(conn, session.id)
    projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
    kept, gone = (facts.add(conn, NewFact("note", name, name, "user", 1), NOW) for name in ("Cork", "Tin"))
    facts.retract(conn, gone.id, NOW, "no")
    assert kept.status == "current"
    counts = meta.counts(conn)
    assert (counts.sessions, counts.messages, counts.facts, counts.projects, counts.undistilled) == (2, 3, 1, 1, 1)
    assert counts.hosts == (meta.HostCounts(HOST, 2, 3, 1003),)


def test_uids_are_version_7_and_sort_by_time() -> None:
    early, late = uuid7(NOW), uuid7(NOW + 1)
    assert early < late
    parsed = uuid.UUID(early)
    assert (parsed.version, parsed.variant, parsed.int >> 80) == (7, uuid.RFC_4122, NOW)
    assert uuid7(NOW) != early
