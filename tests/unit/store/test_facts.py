"""Facts come, change, are found and taken back, and each change is written down."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memd.adapter import SessionUpdate
from memd.doors.cli.wording import short
from memd.errors import BadParameter, NotFound
from memd.model import Candidate, Evidence, Fact, FactPart, Judgement, Project, Verdict
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


def candidate(title: str, at: int | None = 1000, *, quote: str = "", slot: str | None = None) -> Candidate:
    evidence = (Evidence(1, 0, quote or title, at),)
    return Candidate("decision", title, f"{title}.", (FactPart("decided", title),), evidence, 0.8, at, slot=slot)


def judged(verdict: Verdict, said: Candidate, target: Fact | None = None) -> Judgement:
    return Judgement(verdict, said, target, "said so")


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
    assert [line.action for line in facts.history(conn, fact.id)] == ["ADD", "RETRACT", "UPDATE"]


def test_use_and_verification_are_counted(conn: sqlite3.Connection, project: Project) -> None:
    fact = facts.add(conn, new("Cork", project), NOW)
    facts.mark_used(conn, [fact.id, fact.id], NOW + 5)
    facts.mark_verified(conn, fact.id, NOW + 6)
    seen = facts.get(conn, fact.id)
    assert (seen.uses, seen.last_used_at, seen.verified_at) == (2, NOW + 5, NOW + 6)


def apply(conn: sqlite3.Connection, said_in: int, judgements: Sequence[Judgement]) -> facts.Applied:
    return facts.apply(conn, said_in, judgements, NOW)


def test_distilling_a_session_again_adds_nothing(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    judgements = [judged("ADD", candidate("Cork")), judged("ADD", candidate("Tin"))]
    assert len(apply(conn, said_in, judgements).added) == 2
    before = facts.list_facts(conn, FactFilter())
    again = apply(conn, said_in, judgements)
    assert (again.added, again.known, again.retracted) == ((), 2, ())
    assert facts.list_facts(conn, FactFilter()) == before
    assert all(fact.evidence == (Evidence(1, said_in, fact.title, 1000),) for fact in before)


def test_a_session_that_no_longer_says_something_takes_it_back(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    apply(conn, first, [judged("ADD", candidate("Cork")), judged("ADD", candidate("Tin"))])
    (tin,) = (fact for fact in facts.known(conn, project.id) if fact.title == "Tin")
    apply(conn, second, [judged("NONE", candidate("Tin", quote="tin, as ever"), tin)])
    gone = apply(conn, first, [])
    assert len(gone.retracted) == 1
    assert (titles(conn, project), titles(conn, project, "retracted")) == (["Tin"], ["Cork"])
    assert [one.quote for one in facts.get(conn, tin.id).evidence] == ["tin, as ever"]
    assert apply(conn, first, [judged("ADD", candidate("Cork"))]).added == ()
    assert titles(conn, project) == ["Cork", "Tin"]


def test_what_a_person_took_back_is_not_distilled_again(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    (cork,) = apply(conn, said_in, [judged("ADD", candidate("Cork"))]).added
    facts.retract(conn, cork, NOW, "never said that")
    assert apply(conn, said_in, [judged("ADD", candidate("Cork"))]).added == ()
    assert titles(conn, project) == []


def test_a_replaced_fact_holds_again_when_its_successor_is_taken_back(
    conn: sqlite3.Connection, project: Project
) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    (cork,) = apply(conn, first, [judged("ADD", candidate("Cork"))]).added
    apply(conn, second, [judged("SUPERSEDE", candidate("Kapok", 2000), facts.get(conn, cork))])
    assert titles(conn, project) == ["Kapok"]
    apply(conn, second, [])
    assert titles(conn, project) == ["Cork"]


def test_a_successor_that_is_said_otherwise_hands_on_what_it_replaced(
    conn: sqlite3.Connection, project: Project
) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    (cork,) = apply(conn, first, [judged("ADD", candidate("Cork"))]).added
    (kapok,) = apply(conn, second, [judged("SUPERSEDE", candidate("Kapok", 2000), facts.get(conn, cork))]).added
    (foam,) = apply(conn, second, [judged("SUPERSEDE", candidate("Foam", 3000), facts.get(conn, kapok))]).added
    assert (titles(conn, project), titles(conn, project, "retracted")) == (["Foam"], ["Kapok"])
    assert facts.get(conn, cork).superseded_by == facts.get(conn, foam).uid


def test_one_candidate_may_replace_several_and_be_replaced_itself(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    old = [facts.add(conn, new(title, project), NOW) for title in ("Cork", "Tin")]
    newest = facts.add(conn, new("Steel", project, valid_from=9000), NOW)
    kapok = candidate("Kapok", 5000)
    done = apply(
        conn,
        said_in,
        [judged("SUPERSEDED", kapok, newest), *(judged("SUPERSEDE", kapok, fact) for fact in old)],
    )
    assert (len(done.added), len(done.superseded)) == (1, 3)
    between = facts.get(conn, done.added[0])
    assert (between.status, between.valid_to, between.superseded_by) == ("superseded", 9000, newest.uid)
    assert {facts.get(conn, fact.id).superseded_by for fact in old} == {between.uid}
    assert titles(conn, project) == ["Steel"]


def test_values_of_a_slot_follow_each_other_in_whatever_order_they_are_read(
    conn: sqlite3.Connection, project: Project
) -> None:
    said_in = [session(conn, project, name) for name in ("a", "b", "c")]
    (last,) = apply(conn, said_in[0], [judged("ADD", candidate("Foam", 3000, slot="float"))]).added
    foam = facts.get(conn, last)
    apply(conn, said_in[1], [judged("SUPERSEDED", candidate("Cork", 1000, slot="float"), foam)])
    apply(conn, said_in[2], [judged("SUPERSEDED", candidate("Kapok", 2000, slot="float"), foam)])
    chain = {fact.title: fact for fact in facts.list_facts(conn, FactFilter(project.id, status=None))}
    assert (chain["Cork"].superseded_by, chain["Cork"].valid_to) == (chain["Kapok"].uid, 2000)
    assert (chain["Kapok"].superseded_by, chain["Foam"].status) == (foam.uid, "current")


def test_an_update_takes_the_words_and_the_earlier_time(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    fact = facts.add(conn, new("Cork", project, valid_from=2000), NOW)
    done = apply(conn, said_in, [judged("UPDATE", candidate("Cork for buoys", 1500), fact)])
    seen = facts.get(conn, fact.id)
    assert (done.updated, seen.title, seen.valid_from, len(seen.evidence)) == ((fact.id,), "Cork for buoys", 1500, 1)
    assert apply(conn, said_in, [judged("UPDATE", candidate("Cork for buoys", 1500), seen)]).updated == ()


def test_a_session_without_a_project_gives_only_what_holds_everywhere(conn: sqlite3.Connection) -> None:
    said_in = session(conn, None)
    done = apply(
        conn, said_in, [judged("ADD", candidate("Cork")), judged("ADD", replace(candidate("English"), everywhere=True))]
    )
    assert (len(done.added), done.homeless) == (1, 1)
    assert [fact.title for fact in facts.known(conn, None)] == ["English"]


def test_the_judge_is_given_what_a_candidate_may_concern(conn: sqlite3.Connection, project: Project) -> None:
    other = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)
    by_words = facts.add(conn, new("Buoys are of cork", project), NOW)
    by_slot = facts.add(conn, new("Feathers", project, slot="float"), NOW)
    replaced = facts.add(conn, new("Buoys are of kapok", project), NOW)
    facts.supersede(conn, replaced.id, by_words.id, NOW, "dear")
    facts.add(conn, new("Buoys are of tin", other), NOW)
    facts.retract(conn, facts.add(conn, new("Buoys are of glass", project), NOW).id, NOW, "no")
    facts.add(conn, new("Quite another thing", project, body="unrelated"), NOW)
    near = facts.alike(conn, project.id, [candidate("Buoys: foam", slot="float")])
    assert [fact.id for fact in near] == [by_words.id, by_slot.id, replaced.id]
    assert facts.alike(conn, project.id, [replace(candidate("..."), body="")]) == ()
