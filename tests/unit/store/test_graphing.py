"""Relations that facts tell of hold while their facts hold, each with its sentence."""

from __future__ import annotations

import itertools
import sqlite3
from contextlib import closing

import pytest

from memd.distill import graphing, stating
from memd.model import Project, Related
from memd.store import edges, entities, facts, projects, traversal
from memd.store.edges import EdgeFilter
from memd.store.facts import FactFilter
from tests.unit.store.rows import NOW, database
from tests.unit.store.test_judged import candidate, says, session


@pytest.fixture
def project(conn: sqlite3.Connection) -> Project:
    return projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)


def told(conn: sqlite3.Connection, *, as_of: int | None = None) -> list[str]:
    found, _ = edges.list_edges(conn, EdgeFilter(origin="distill", as_of=as_of), 100)
    names = {one.node: one.name for one in entities.search(conn, "", None, None, 100, 0)[0]}
    return sorted(f"{names.get(edge.src, 'fact')} {edge.rel} {names.get(edge.dst, 'fact')}" for edge in found)


def test_a_fact_brings_its_relations_with_sentence_and_rules(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project), candidate("The tide table is stored in SQLite. It is small."))
    ((edge,), total) = edges.list_edges(conn, EdgeFilter(), 10)
    (fact,) = facts.known(conn, project.id)
    assert (edge.rel, edge.origin, edge.fact, edge.valid_from, total) == ("stores_in", "distill", fact.uid, 1000, 1)
    assert (edge.quote, edge.extractor, edge.confidence) == ("The tide table is stored in SQLite.", "phrases-1", 0.82)


def test_relations_end_with_their_fact_and_come_back_with_it(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("The lamp worker uses Kelp for the states", slot="choice:states"))
    says(conn, second, candidate("The lamp worker uses Tern for the states", 2000, slot="choice:states"))
    assert told(conn) == ["lamp worker uses Tern"]
    assert told(conn, as_of=1500) == ["lamp worker uses Kelp"]
    says(conn, second)
    assert told(conn) == ["lamp worker uses Kelp"]
    (fact,) = facts.known(conn, project.id)
    stating.retract(conn, fact.id, NOW, "never")
    assert told(conn) == []


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_a_thing_is_in_one_place_at_a_time_whatever_is_read_first(order: tuple[int, ...]) -> None:
    with closing(database()) as conn:
        project = projects.resolve(conn, "/home/ada/harbor", [], "harbor", NOW)
        texts = [
            "The tide table is stored in SQLite on the pier",
            "As of May the tide table is stored in Postgres for the office",
            "The gull list is stored in Kelp",
        ]
        for place in order:
            said = candidate(texts[place], 1000 * (place + 1))
            says(conn, session(conn, project, f"s{place}"), said)
        assert told(conn) == ["gull list stores_in Kelp", "tide table stores_in Postgres"]
        assert told(conn, as_of=1500) == ["tide table stores_in SQLite"]
        says(conn, session(conn, project, "s1"))
        assert told(conn) == ["gull list stores_in Kelp", "tide table stores_in SQLite"]


def test_deriving_again_gives_the_same_relations(conn: sqlite3.Connection, project: Project) -> None:
    said = (candidate("The lamp worker uses Kelp"), candidate("`LampView` inherits from `BaseView`", 1001))
    says(conn, session(conn, project), *said)
    before = list(conn.iterdump())
    graphing.derive(conn, [fact.id for fact in facts.list_facts(conn, FactFilter())], NOW + 9)
    assert list(conn.iterdump()) == before


def test_a_name_with_another_is_one_entity_and_keeps_its_relations(conn: sqlite3.Connection, project: Project) -> None:
    says(conn, session(conn, project), candidate("The lamp worker uses Postgres"), candidate("The pier uses PG", 1001))
    first, second = (entities.find(conn, name, project.id) for name in ("postgres", "pg"))
    assert first is not None
    assert second is not None
    edges.repoint(conn, second.node, first.node)
    entities.merge(conn, second, first)
    assert told(conn) == ["lamp worker uses Postgres", "pier uses Postgres"]
    found = entities.find(conn, "PG", project.id)
    assert found is not None
    assert found.id == first.id


def test_fifty_thousand_edges_are_traversed_with_a_cap(conn: sqlite3.Connection) -> None:
    conn.executemany(
        "INSERT INTO edges (uid, src, rel, dst, origin, valid_from, created_at)"
        " VALUES (?, ?, 'calls', ?, 'code', 0, 0)",
        ((str(n), f"code:f{n // 10}.py", f"code:f{(n * 7919 + 1) % 5000}.py") for n in range(50_000)
         if n // 10 != (n * 7919 + 1) % 5000),
    )  # fmt: skip
    asked = {"depth": 3, "relations": ("calls",), "as_of": None, "project_id": None, "most": 200}
    out = traversal.reach(conn, "code:f1.py", direction="out", **asked)  # type: ignore[arg-type]
    wide = {**asked, "most": 100_000, "depth": 10}
    back = traversal.reach(conn, "code:f1.py", direction="in", **wide)  # type: ignore[arg-type]
    assert out.capped
    assert len(out.paths) == 201
    assert not back.capped
    assert all(path[0] == "code:f1.py" for path in back.paths.values())


def test_what_the_judge_finds_of_facts_relates_them(conn: sqlite3.Connection, project: Project) -> None:
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate("keep the keys in redis", slot="choice:keys"))
    says(conn, second, candidate("keep the keys in postgres", 2000, slot="choice:keys"))
    old, new = (
        fact for status in ("superseded", "current") for fact in facts.list_facts(conn, FactFilter(status=status))
    )
    (edge,) = edges.tied(conn, f"fact:{new.uid}", "judge")
    assert (edge.rel, edge.dst, edge.valid_from) == ("supersedes", f"fact:{old.uid}", 2000)
    stating.restore(conn, old.id, NOW, "a trial")
    (edge, *_) = edges.tied(conn, f"fact:{new.uid}", "judge")
    assert {one.rel for one in edges.tied(conn, f"fact:{old.uid}", "judge")} == {"contradicts"}
    stating.resolve(conn, new.id, old.id, "supersede", NOW, "no trial")
    assert {one.rel for one in edges.tied(conn, f"fact:{new.uid}", "judge")} == {"supersedes"}


def test_what_a_model_relates_holds_as_long_as_its_fact_and_once(conn: sqlite3.Connection, project: Project) -> None:
    text = "The lamp worker reads its states from Kelp"
    first, second = session(conn, project), session(conn, project, "t")
    says(conn, first, candidate(text, slot="choice:states"))
    found = (Related(text, "lamp worker", "depends_on", "Kelp"), Related("said by nobody", "a", "uses", "b"))
    for _ in range(2):
        graphing.relate(conn, first, found, NOW)

    def held(as_of: int | None = None) -> list[str]:
        names = {one.node: one.name for one in entities.search(conn, "", None, None, 100, 0)[0]}
        found, _ = edges.list_edges(conn, EdgeFilter(origin="model", as_of=as_of), 100)
        return [f"{names[edge.src]} {edge.rel} {names[edge.dst]}" for edge in found]

    assert held() == ["lamp worker depends_on Kelp"]
    says(conn, second, candidate("The lamp worker reads its states from Tern", 2000, slot="choice:states"))
    assert (held(), held(1500)) == ([], ["lamp worker depends_on Kelp"])
    says(conn, second)
    assert held() == ["lamp worker depends_on Kelp"]
    (fact,) = facts.known(conn, project.id)
    stating.retract(conn, fact.id, NOW, "never")
    assert (held(), held(1500)) == ([], [])
