"""Facts come, change, are found and taken back, and each change is written down."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from memd.adapter import SessionUpdate
from memd.doors.cli.wording import short
from memd.errors import BadParameter, NotFound
from memd.model import Evidence, FactPart, Project
from memd.store import facts, projects, sessions
from memd.store.facts import FactFilter, NewFact
from tests.unit.store.rows import HOST, NOW, found, prompt, store


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


def session(conn: sqlite3.Connection, project: Project | None, name: str = "s") -> int:
    """A session of the project, with one prompt."""
    store(conn, name, [SessionUpdate(name), prompt(name, f"{name}-p", 1)])
    known = sessions.by_native(conn, HOST, name)
    assert known is not None
    sessions.set_project(conn, known.id, None if project is None else project.id)
    return known.id


def new(title: str, project: Project | None, **more: object) -> NewFact:
    fact = NewFact("decision", title, f"{title} because it floats", "user", 1000, project.id if project else None)
    return replace(fact, **more)  # type: ignore[arg-type]


def titles(conn: sqlite3.Connection, project: Project, status: str | None = "current") -> list[str]:
    chosen = FactFilter(project.id, status=status)  # type: ignore[arg-type]
    return sorted(fact.title for fact in facts.list_facts(conn, chosen))


def test_a_fact_is_kept_whole(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    parts = (FactPart("decided", "cork"), FactPart("because", "it floats"))
    evidence = (Evidence(1, said_in, "use cork", 900),)
    fact = facts.add(
        conn, new("Cork", project, parts=parts, evidence=evidence, tags=("b", "a"), session_id=said_in, slot="m"), NOW
    )
    assert (fact.parts, fact.evidence, fact.tags, fact.project) == (parts, evidence, ("a", "b"), project)
    assert (fact.session, fact.status, fact.slot) == (sessions.get(conn, said_in).uid, "current", "m")
    assert facts.get(conn, fact.id) == fact == facts.by_slot(conn, project.id, "m")
    for name in (fact.uid, fact.uid[-6:], short(fact.uid)[:6]):
        assert facts.find(conn, name) == fact
    assert facts.by_slot(conn, None, "m") is None


def test_names_that_mean_no_fact_or_several_are_refused(conn: sqlite3.Connection, project: Project) -> None:
    first, second = facts.add(conn, new("Cork", project), NOW), facts.add(conn, new("Tin", project), NOW)
    shared = first.uid[:8]
    assert second.uid.startswith(shared)
    with pytest.raises(BadParameter, match="Cork"):
        facts.find(conn, shared)
    for unknown in ("nothing", "99", "ab"):
        with pytest.raises(NotFound):
            facts.find(conn, unknown)
    with pytest.raises(NotFound):
        facts.retract(conn, 99, NOW, "why not")


def test_an_update_is_found_by_its_new_words_only(conn: sqlite3.Connection, project: Project) -> None:
    fact = facts.add(conn, new("Cork", project, parts=(FactPart("because", "barnacles"),)), NOW)
    changed = facts.update(conn, fact.id, NOW + 1, "said better", title="Kapok", body="Kapok floats", parts=())
    assert (changed.title, changed.parts, changed.updated_at) == ("Kapok", (), NOW + 1)
    assert [found(conn, word, "facts") for word in ("cork", "barnacles", "kapok")] == [0, 0, 1]
    assert facts.update(conn, fact.id, NOW + 2, "again", title="Kapok", body="Kapok floats") == changed
    assert [(line.action, line.old_title) for line in facts.history(conn, fact.id)] == [
        ("ADD", None),
        ("UPDATE", "Cork"),
    ]


def test_what_is_replaced_still_answers_for_its_time(conn: sqlite3.Connection, project: Project) -> None:
    old = facts.add(conn, new("Cork", project), NOW)
    successor = facts.add(conn, new("Kapok", project, valid_from=2000), NOW)
    replaced = facts.supersede(conn, old.id, successor.id, NOW, "cork is dear")
    assert (replaced.status, replaced.valid_to, replaced.superseded_by) == ("superseded", 2000, successor.uid)
    assert facts.supersede(conn, old.id, successor.id, NOW + 9, "again") == replaced
    assert titles(conn, project) == ["Kapok"]
    then = facts.list_facts(conn, FactFilter(project.id, as_of=1500))
    assert [fact.title for fact in then] == ["Cork"]
    (_, change) = facts.history(conn, old.id)
    assert (change.action, change.reason, change.other) == ("SUPERSEDE", "cork is dear", successor.uid)


def test_lists_keep_projects_apart(conn: sqlite3.Connection, project: Project) -> None:
    other = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)
    for fact in (new("Cork", project, tags=("hull",)), new("Tin", other), new("English", None, kind="preference")):
        facts.add(conn, fact, NOW)
    assert titles(conn, project) == ["Cork", "English"]
    own = facts.list_facts(conn, FactFilter(project.id, everywhere=False))
    assert [fact.title for fact in own] == ["Cork"]
    assert [fact.title for fact in facts.known(conn, other.id)] == ["Tin", "English"]
    assert [fact.title for fact in facts.known(conn, None)] == ["English"]
    preferences = facts.list_facts(conn, FactFilter(kinds=("preference", "task")))
    assert [fact.title for fact in preferences] == ["English"]
    assert [fact.title for fact in facts.list_facts(conn, FactFilter(tag="hull"))] == ["Cork"]
    assert len(facts.list_facts(conn, FactFilter(), limit=2)) == 2


def test_a_fact_taken_back_is_kept_and_can_come_back(conn: sqlite3.Connection, project: Project) -> None:
    fact = facts.add(conn, new("Cork", project), NOW)
    assert facts.retract(conn, fact.id, NOW, "wrong").status == "retracted"
    assert facts.retract(conn, fact.id, NOW, "wrong").status == "retracted"
    assert titles(conn, project) == []
    assert facts.restore(conn, fact.id, NOW, "right after all").valid_to is None
    assert facts.restore(conn, fact.id, NOW, "yes").status == "current"
    assert [line.action for line in facts.history(conn, fact.id)] == ["ADD", "RETRACT", "RESTORE"]


def test_use_and_verification_are_counted(conn: sqlite3.Connection, project: Project) -> None:
    fact = facts.add(conn, new("Cork", project), NOW)
    facts.mark_used(conn, [fact.id, fact.id], NOW + 5)
    facts.mark_verified(conn, fact.id, NOW + 6)
    seen = facts.get(conn, fact.id)
    assert (seen.uses, seen.last_used_at, seen.verified_at) == (2, NOW + 5, NOW + 6)


@pytest.mark.parametrize("kind", ["opinion", "", "Decision"])
def test_a_kind_that_there_is_not_is_refused_by_the_database_itself(conn: sqlite3.Connection, kind: str) -> None:
    values = (kind, "uid", "Lamps", "Lamps are lit at dusk", "user", 1.0, NOW, NOW, NOW)
    with pytest.raises(sqlite3.IntegrityError, match="CHECK"):
        conn.execute(
            "INSERT INTO facts (kind, uid, title, body, origin, confidence, valid_from, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            values,
        )
