"""Sessions become claims, claims become facts: in any order, at once or as they grow, once or again."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memd.adapter import SessionUpdate
from memd.distill import settling, stating
from memd.model import Candidate, Evidence, Fact, FactPart, Project
from memd.store import claims, facts, judged, projects, sessions
from memd.store.facts import FactFilter, NewFact
from tests.unit.store.rows import HOST, NOW, database, prompt, store

WORDS = (
    "keep drop use redis postgres cache keys retries payout lamp pier tide table revert mmap tabs never not test"
    " pnpm npm `make check` `make test` 潮汐 表 撤回 缓存 不要 port 8080 8081 v1.2 v1.3"
).split()


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


def candidate(text: str, at: int | None = 1000, *, quote: str = "", slot: str | None = None) -> Candidate:
    evidence = (Evidence(1, 0, quote or text, at),)
    return Candidate("decision", text[:60], text, (FactPart("decided", text),), evidence, 0.8, at, slot=slot)


def says(conn: sqlite3.Connection, said_in: int, *said: Candidate, now: int = NOW) -> judged.Applied:
    prepared = settling.prepare(conn, sessions.get(conn, said_in), said)
    return settling.settle(conn, said_in, prepared, now)


def texts(conn: sqlite3.Connection, project: Project, status: str | None = "current") -> list[str]:
    chosen = FactFilter(project.id, status=status)  # type: ignore[arg-type]
    return sorted(fact.body for fact in facts.list_facts(conn, chosen, -1))


def known(conn: sqlite3.Connection) -> list[tuple[object, ...]]:
    """All facts that hold or held, without ids: what a reader of the store can tell apart."""
    found = [fact for fact in facts.list_facts(conn, FactFilter(status=None), -1) if fact.status != "retracted"]
    words = {fact.uid: fact.body for fact in found}
    return sorted(
        (
            fact.body, fact.title, fact.kind, fact.status, fact.valid_from,
            -1 if fact.valid_to is None else fact.valid_to,
            words[fact.superseded_by] if fact.superseded_by else "", fact.confidence, fact.slot or "", fact.tags,
            tuple(sorted((one.quote, one.at or 0) for one in fact.evidence)),
        )
        for fact in found
    )  # fmt: skip


def listed(conn: sqlite3.Connection) -> list[list[str]]:
    """The contradictions that wait, by the words of both sides."""
    rows = conn.execute(
        "SELECT a.body, b.body FROM contradictions c JOIN facts a ON a.id = c.one JOIN facts b ON b.id = c.other"
        " WHERE verdict IS NULL"
    )
    return sorted(sorted(row) for row in rows)


@st.composite
def histories(draw: st.DrawFn) -> list[list[Candidate]]:
    """What several sessions say, each in the order of its time."""
    told = []
    for number in range(draw(st.integers(1, 5))):
        said = []
        for place in range(draw(st.integers(0, 4))):
            text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=2, max_size=7)))
            slot = draw(st.sampled_from((None, None, "command:test", "choice:keys")))
            at = draw(st.integers(0, 40)) * 100 + place
            said.append(replace(candidate(text, at, quote=f"{number}.{place}", slot=slot), confidence=0.6 + place / 10))
        told.append(said)
    return told


def read(told: Sequence[Sequence[Candidate]], order: Sequence[int], *, growing: random.Random | None = None) -> tuple[
    list[tuple[object, ...]], list[list[str]]
]:  # fmt: skip
    """What is known when sessions are read in an order; `growing`: each is distilled several times as it grows."""
    with closing(database()) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        ids = {number: session(conn, project, f"s{number}") for number in sorted(order)}
        if growing is not None:
            cuts = [(number, growing.randrange(len(told[number]) + 1)) for number in order for _ in range(2)]
            growing.shuffle(cuts)
            for number, cut in cuts:
                says(conn, ids[number], *told[number][:cut])
        for number in order:
            says(conn, ids[number], *told[number])
        assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
        return known(conn), listed(conn)


@settings(max_examples=60, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_the_order_of_sessions_changes_nothing(told: list[list[Candidate]], chance: random.Random) -> None:
    order = list(range(len(told)))
    mixed = list(order)
    chance.shuffle(mixed)
    assert read(told, mixed) == read(told, order)


@settings(max_examples=50, deadline=None)
@given(histories(), st.randoms(use_true_random=False))
def test_distilled_at_once_or_as_it_grows_is_the_same(told: list[list[Candidate]], chance: random.Random) -> None:
    order = list(range(len(told)))
    assert read(told, order, growing=chance) == read(told, order)


@settings(max_examples=40, deadline=None)
@given(histories())
def test_replaying_every_session_writes_nothing(told: list[list[Candidate]]) -> None:
    with closing(database()) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        ids = [session(conn, project, f"s{number}") for number in range(len(told))]
        for said_in, said in zip(ids, told, strict=True):
            says(conn, said_in, *said)
        before = list(conn.iterdump())
        for said_in, said in zip(ids, told, strict=True):
            says(conn, said_in, *said, now=NOW + 5)
        assert list(conn.iterdump()) == before


def test_distilling_a_session_again_adds_nothing(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    assert len(says(conn, said_in, candidate("Cork"), candidate("Tin")).added) == 2
    before = facts.list_facts(conn, FactFilter())
    again = says(conn, said_in, candidate("Cork"), candidate("Tin"), now=NOW + 9)
    assert (again.added, again.updated, again.retracted) == ((), (), ())
    assert facts.list_facts(conn, FactFilter()) == before
    assert all(fact.evidence == (Evidence(1, said_in, fact.title, 1000),) for fact in before)


def test_a_session_that_no_longer_says_something_takes_it_back(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("Cork"), candidate("Tin"))
    says(conn, second, candidate("tin", 2000, quote="tin, as ever"))
    gone = says(conn, first)
    assert len(gone.retracted) == 1
    assert (texts(conn, project), texts(conn, project, "retracted")) == (["tin"], ["Cork"])
    (tin,) = facts.known(conn, project.id)
    assert [one.quote for one in tin.evidence] == ["tin, as ever"]
    assert says(conn, first, candidate("Cork")).added == ()
    assert texts(conn, project) == ["Cork", "tin"]


def test_what_several_sessions_say_is_one_surer_fact_with_all_evidence(
    conn: sqlite3.Connection, project: Project
) -> None:
    for place, name in enumerate("abc"):
        says(conn, session(conn, project, name), candidate("Buoys are of cork", 1000 + place, quote=name))
    (fact,) = facts.known(conn, project.id)
    assert [one.quote for one in fact.evidence] == ["a", "b", "c"]
    assert fact.confidence > 0.8
    assert (fact.valid_from, fact.last_seen_at) == (1000, 1002)
    assert [line.action for line in facts.history(conn, fact.id)] == ["ADD", "NONE", "NONE"]


def test_every_decision_is_in_the_history_with_its_reason(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project, "a"), candidate("keep the keys in redis", 1000, slot="choice:keys"))
    says(conn, session(conn, project, "b"), candidate("keep the keys in postgres", 2000, slot="choice:keys"))
    (old,) = facts.list_facts(conn, FactFilter(project.id, status="superseded"))
    (new,) = facts.known(conn, project.id)
    (_, change) = facts.history(conn, old.id)
    assert (change.action, change.reason, change.other) == ("SUPERSEDE", "another value for the same thing", new.uid)
    assert (old.valid_to, old.superseded_by) == (2000, new.uid)


def test_a_replaced_fact_holds_again_when_its_successor_is_taken_back(
    conn: sqlite3.Connection, project: Project
) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("Cork", slot="float"))
    says(conn, second, candidate("Kapok", 2000, slot="float"))
    assert texts(conn, project) == ["Kapok"]
    says(conn, second)
    assert texts(conn, project) == ["Cork"]
    (cork,) = facts.known(conn, project.id)
    assert (cork.valid_to, cork.superseded_by) == (None, None)
    assert [line.action for line in facts.history(conn, cork.id)] == ["ADD", "SUPERSEDE", "RESTORE"]


def test_values_of_a_slot_follow_each_other_in_whatever_order_they_are_read(
    conn: sqlite3.Connection, project: Project
) -> None:
    for name, text, at in (("a", "Foam", 3000), ("b", "Cork", 1000), ("c", "Kapok", 2000)):
        says(conn, session(conn, project, name), candidate(text, at, slot="float"))
    chain = {fact.body: fact for fact in facts.list_facts(conn, FactFilter(project.id, status=None))}
    assert (chain["Cork"].superseded_by, chain["Cork"].valid_to) == (chain["Kapok"].uid, 2000)
    assert (chain["Kapok"].superseded_by, chain["Foam"].status) == (chain["Foam"].uid, "current")
    for at, then in ((1500, ["Cork"]), (2500, ["Kapok"]), (9000, ["Foam"])):
        assert [fact.body for fact in facts.list_facts(conn, FactFilter(project.id, as_of=at))] == then


def test_a_session_without_a_project_gives_only_what_holds_everywhere(conn: sqlite3.Connection) -> None:
    said_in = session(conn, None)
    done = says(conn, said_in, candidate("Cork"), replace(candidate("English"), everywhere=True))
    assert (len(done.added), done.homeless) == (1, 1)
    assert [fact.body for fact in facts.known(conn, None)] == ["English"]


def test_what_a_project_says_does_not_replace_what_holds_everywhere(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project, "a"), replace(candidate("answer in German", slot="talk"), everywhere=True))
    says(conn, session(conn, project, "b"), candidate("answer in English here", 2000, slot="talk"))
    assert len(texts(conn, project)) == 2


def test_projects_have_no_say_in_each_others_facts(conn: sqlite3.Connection, project: Project) -> None:
    other = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)
    says(conn, session(conn, project, "a"), candidate("keep the keys in redis", 1000, slot="choice:keys"))
    says(conn, session(conn, other, "b"), candidate("keep the keys in postgres", 2000, slot="choice:keys"))
    assert (texts(conn, project), texts(conn, other)) == (["keep the keys in redis"], ["keep the keys in postgres"])


def test_a_host_that_tells_no_times_still_has_an_order(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    says(conn, said_in, candidate("Cork", None, slot="float"), candidate("Kapok", None, slot="float"))
    assert texts(conn, project) == ["Kapok"]


def test_facts_from_before_there_were_claims_are_taken_over(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    old = [
        facts.add(
            conn,
            NewFact("decision", text, text, "distill", 1000, project.id, evidence=(Evidence(1, said_in, text, 1000),)),
            NOW,
        )
        for text in ("Cork", "Tin")
    ]
    says(conn, said_in, replace(candidate("Cork"), parts=()))
    assert facts.get(conn, old[0].id).status == "current"
    assert facts.get(conn, old[0].id).evidence == (Evidence(1, said_in, "Cork", 1000),)
    assert facts.get(conn, old[1].id).status == "retracted"
    assert len(facts.list_facts(conn, FactFilter(status=None))) == 2


def told(conn: sqlite3.Connection, project: Project, text: str, at: int = 1000, **more: object) -> stating.Stated:
    new = NewFact("decision", text[:60], text, "user", at, project.id)
    return stating.state(conn, replace(new, **more), NOW)  # type: ignore[arg-type]


def only(conn: sqlite3.Connection, project: Project, status: str = "current") -> Fact:
    (fact,) = facts.list_facts(conn, FactFilter(project.id, status=status))  # type: ignore[arg-type]
    return fact


@pytest.mark.parametrize("before", [True, False], ids=["read before", "read after"])
def test_what_a_person_took_back_is_not_learnt_again(conn: sqlite3.Connection, project: Project, before: bool) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("keep the keys in redis for a day"))
    stating.retract(conn, only(conn, project).id, NOW, "never said that")
    says(conn, first, candidate("keep the keys in redis for a day"))
    if before:
        says(conn, first)
    says(conn, second, candidate("keep the keys in redis", 5000))
    assert texts(conn, project) == []
    assert len(texts(conn, project, None)) == 1


def test_what_was_forgotten_leaves_no_word_and_stays_forgotten(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    said = (candidate("the barnacle key is under the mat", quote="under the mat"), candidate("Tin"))
    says(conn, said_in, *said)
    (fact,) = (one for one in facts.known(conn, project.id) if "barnacle" in one.body)
    stating.forget(conn, fact.id, NOW)
    left = "\n".join(line for line in conn.iterdump() if "messages" not in line)
    assert "barnacle" not in left
    assert "under the mat" not in left
    says(conn, said_in, *said)
    assert texts(conn, project) == ["Tin"]
    told(conn, project, "the barnacle key is under the mat")
    assert len(texts(conn, project)) == 2


def test_what_was_purged_is_named_by_its_history_alone(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    says(conn, said_in, candidate("Cork"))
    fact = only(conn, project)
    stating.purge(conn, fact.id, NOW, "was purged")
    says(conn, said_in, candidate("Cork"))
    assert texts(conn, project, None) == []
    lines = conn.execute("SELECT action, old_body FROM fact_history WHERE fact_uid = ? ORDER BY id", (fact.uid,))
    assert lines.fetchall() == [("ADD", None), ("PURGE", "Cork")]


def test_a_revised_fact_has_an_end_and_a_successor_whatever_is_read_again(
    conn: sqlite3.Connection, project: Project
) -> None:
    said_in = session(conn, project)
    says(conn, said_in, candidate("keep the keys in redis"))
    old, new = stating.replace_with(
        conn, only(conn, project).id, "Keys", "the keys live in postgres", 5000, NOW, "redis lost some"
    )
    says(conn, said_in, candidate("keep the keys in redis"))
    for _ in range(2):
        old, new = facts.get(conn, old.id), facts.get(conn, new.id)
        assert (old.status, old.valid_to, old.superseded_by, new.status) == ("superseded", 5000, new.uid, "current")
        says(conn, session(conn, project, "t"), candidate("keep the keys in redis", 4000))
    assert [fact.body for fact in facts.list_facts(conn, FactFilter(project.id, as_of=4500))] == [
        "keep the keys in redis"
    ]


def test_a_restored_fact_stays_whatever_is_said_against_it(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("keep the keys in redis", slot="choice:keys"))
    says(conn, second, candidate("keep the keys in postgres", 2000, slot="choice:keys"))
    stating.restore(conn, only(conn, project, "superseded").id, NOW, "postgres was a trial")
    assert len(texts(conn, project)) == 2
    assert len(listed(conn)) == 1
    says(conn, second, candidate("keep the keys in postgres", 2000, slot="choice:keys"), candidate("Tin", 2001))
    assert len(texts(conn, project)) == 3


@pytest.mark.parametrize(
    ("verdict", "left"),
    [("supersede", ["Cork"]), ("retract", ["Cork"]), ("both", ["Cork", "Kapok"])],
)
def test_what_a_person_decided_stays_decided(
    conn: sqlite3.Connection, project: Project, verdict: stating.Verdict, left: list[str]
) -> None:
    for name, text in (("a", "Cork"), ("b", "Kapok")):
        said = candidate(text, None, slot="float")
        sessions_id = session(conn, project, name)
        conn.execute("UPDATE sessions SET started_at = NULL, last_at = NULL")
        says(conn, sessions_id, said)
    assert listed(conn) == [["Cork", "Kapok"]]
    ids = {fact.body: fact.id for fact in facts.known(conn, project.id)}
    stating.resolve(conn, ids["Cork"], ids["Kapok"], verdict, NOW, "cork floats")
    for name in "ab":
        known_session = sessions.by_native(conn, HOST, name)
        assert known_session is not None
        says(conn, known_session.id, candidate("Cork" if name == "a" else "Kapok", None, slot="float"))
    assert texts(conn, project) == left
    assert listed(conn) == []


def test_folding_makes_facts_one_and_they_stay_one(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("buoys float on cork", quote="one"))
    says(conn, second, candidate("cork is what carries our buoys", 2000, quote="two"))
    ids = {fact.body: fact.id for fact in facts.known(conn, project.id)}
    stating.fold(conn, ids["buoys float on cork"], ids["cork is what carries our buoys"], NOW)
    for _ in range(2):
        fact = only(conn, project)
        assert [one.quote for one in fact.evidence] == ["one", "two"]
        says(conn, first, candidate("buoys float on cork", quote="one"))


def test_what_is_told_is_judged_against_what_was_read(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project), candidate("keep the keys in redis", slot="choice:keys"))
    done = told(conn, project, "keep the keys in postgres", 2000, slot="choice:keys")
    assert (done.action, [fact.body for fact in done.replaced]) == ("SUPERSEDE", ["keep the keys in redis"])
    again = told(conn, project, "Keep the keys in  postgres", 3000, slot="choice:keys")
    assert (again.action, again.fact.id, again.fact.repeats) == ("NONE", done.fact.id, 1)
    longer = told(conn, project, "keep the keys in postgres, in the table of payouts", 4000, slot="choice:keys")
    assert (longer.action, longer.fact.id, longer.fact.revision) == ("UPDATE", done.fact.id, 2)
    near = told(conn, project, "keep the lamps in postgres and the keys of the pier", 5000)
    assert (near.action, near.similar[0][0].id) == ("ADD", done.fact.id)
    twin = told(conn, project, "keep the keys in postgres", 6000)
    assert twin.action == "NONE"


def test_a_note_with_another_value_takes_the_place_of_the_one_before(
    conn: sqlite3.Connection, project: Project
) -> None:
    told(conn, project, "The retry limit is 3", kind="note")
    done = told(conn, project, "The retry limit is 5", 2000, kind="note")
    assert (done.action, [one.body for one in done.replaced]) == ("SUPERSEDE", ["The retry limit is 3"])
    assert texts(conn, project) == ["The retry limit is 5"]


def test_a_claim_is_found_by_whatever_it_can_be_linked_to(conn: sqlite3.Connection, project: Project) -> None:
    said_in = session(conn, project)
    says(
        conn,
        said_in,
        candidate("Buoys are made of cork"),
        candidate("Feathers", slot="float"),
        candidate("Something else"),
    )
    asked = settling.claim_features(candidate("Buoys are made of cork and foam", slot="float"))
    found = settling.links_of(conn, asked, project.id, "float")
    assert sorted(kind for _, kind in found) == ["same", "slot"]
    assert settling.links_of(conn, asked, None, "float") == []
    assert claims.newest_statement(conn) == 3


def test_projects_that_become_one_are_judged_as_one_once_read_again(conn: sqlite3.Connection, project: Project) -> None:
    other = projects.resolve(conn, "/home/ada/quay", [], "quay", NOW)
    said = {"a": ("keep the keys in redis", 1000), "b": ("keep the keys in postgres", 2000)}
    ids = {"a": session(conn, project, "a"), "b": session(conn, other, "b")}
    for name, said_in in ids.items():
        says(conn, said_in, candidate(*said[name], slot="choice:keys"))
    taken_back = told(conn, other, "the pier is haunted by a captain")
    stating.retract(conn, taken_back.fact.id, NOW, "a tale")
    projects.merge(conn, other.id, into=project.id)
    assert len(texts(conn, project)) == 2
    for name, said_in in ids.items():
        says(conn, said_in, candidate(*said[name], slot="choice:keys"))
    says(conn, session(conn, project, "c"), candidate("the pier is haunted by a captain", 3000))
    assert texts(conn, project) == ["keep the keys in postgres"]
    assert conn.execute("PRAGMA foreign_key_check").fetchall() == []
