"""Projects under their root and all the other paths that mean the same."""

from __future__ import annotations

import sqlite3

import pytest

from memd.adapter import SessionUpdate
from memd.errors import BadParameter, NotFound
from memd.store import edges, entities, projects, sessions
from memd.store.sessions import SessionFilter
from tests.unit.store.rows import NOW, prompt, store

HARBOR = "/home/ada/harbor"


def test_a_project_is_made_once_and_found_by_every_path(conn: sqlite3.Connection) -> None:
    project = projects.resolve(conn, HARBOR, ["/home/ada/harbor-wt", HARBOR], "harbor", NOW)
    assert projects.resolve(conn, HARBOR, [], "other name", NOW) == project
    assert projects.resolve(conn, "/home/ada/harbor-wt", [], "harbor-wt", NOW) == project
    for name in (HARBOR, "/home/ada/harbor-wt", "harbor", project.uid):
        assert projects.find(conn, name) == project
    assert projects.paths(conn) == {HARBOR: HARBOR, "/home/ada/harbor-wt": HARBOR}
    assert projects.by_path(conn, f"{HARBOR}/src") is None
    assert projects.get(conn, project.id) == project


def test_a_worktree_seen_before_its_main_checkout_becomes_an_alias(conn: sqlite3.Connection) -> None:
    first = projects.resolve(conn, "/home/ada/harbor-wt", [], "harbor-wt", NOW)
    moved = projects.resolve(conn, HARBOR, ["/home/ada/harbor-wt"], "harbor", NOW)
    assert (moved.id, moved.root, moved.name) == (first.id, HARBOR, "harbor")
    assert projects.aliases(conn, moved.id) == ("/home/ada/harbor-wt",)


def test_projects_that_turn_out_to_be_one_are_merged(conn: sqlite3.Connection) -> None:
    tree = projects.resolve(conn, "/home/ada/harbor-wt", ["/home/ada/old"], "harbor-wt", NOW)
    main = projects.resolve(conn, HARBOR, [], "harbor", NOW)
    store(conn, "s", [SessionUpdate("s"), prompt("s", "a", 1)])
    (session,) = sessions.list_sessions(conn, SessionFilter())
    sessions.set_project(conn, session.id, tree.id)
    assert projects.resolve(conn, HARBOR, ["/home/ada/harbor-wt"], "harbor", NOW) == main
    (counts,) = projects.list_projects(conn)
    assert (counts.project, counts.sessions, counts.facts, counts.last_at) == (main, 1, 0, 1001)
    assert projects.aliases(conn, main.id) == ("/home/ada/harbor-wt", "/home/ada/old")
    projects.merge(conn, main.id, into=main.id)
    assert projects.find(conn, HARBOR) == main


@pytest.mark.parametrize("first", [False, True], ids=["at once", "most of it before"])
def test_what_both_projects_know_is_one_thing_when_they_are_merged(conn: sqlite3.Connection, first: bool) -> None:
    tree = projects.resolve(conn, "/home/ada/harbor-wt", [], "harbor-wt", NOW)
    main = projects.resolve(conn, HARBOR, [], "harbor", NOW)

    def entity(name: str, project: int, origin: str = "distill") -> entities.Entity:
        return entities.add(conn, name, "concept", project, origin, NOW)[0]

    crane, quay = entity("Crane", tree.id, "manual"), entity("Quay", tree.id)
    kept, pier = entity("crane", main.id), entity("Pier", main.id)
    entities.add_alias(conn, crane, "the yellow one")
    edges.link(conn, edges.NewEdge(crane.node, "depends_on", quay.node, "manual", project_id=tree.id), NOW)
    edges.link(conn, edges.NewEdge(kept.node, "depends_on", pier.node, "manual", project_id=main.id), NOW)

    while first and projects.give_some(conn, tree.id, into=main.id, most=10):
        pass
    projects.merge(conn, tree.id, into=main.id)

    found, _ = edges.list_edges(conn, edges.EdgeFilter(project_id=main.id), 10)
    assert {(edge.src, edge.dst) for edge in found} == {(kept.node, quay.node), (kept.node, pier.node)}
    one = entities.find(conn, "the yellow one", main.id)
    assert (one and one.uid, one and one.origin) == (kept.uid, "manual")
    assert entities.find(conn, "Quay", main.id) is not None


def test_a_moved_project_keeps_a_name_that_somebody_gave_it(conn: sqlite3.Connection) -> None:
    project = projects.resolve(conn, HARBOR, [], "harbor", NOW)
    projects.rename(conn, project.id, "Tide tables")
    moved = projects.move(conn, project.id, "/srv/port")
    assert (moved.root, moved.name) == ("/srv/port", "Tide tables")
    assert projects.by_path(conn, HARBOR) == moved
    assert projects.move(conn, project.id, HARBOR).root == HARBOR
    projects.add_alias(conn, project.id, "/mnt/harbor")
    assert projects.aliases(conn, project.id) == ("/mnt/harbor", "/srv/port")


def test_a_project_is_found_by_what_lists_show_of_its_id(conn: sqlite3.Connection) -> None:
    harbor = projects.resolve(conn, HARBOR, [], "harbor", NOW)
    other = projects.resolve(conn, "/srv/harbor", [], "harbor", NOW + 1)
    for project in (harbor, other):
        listed = project.uid[-10:]
        for piece in (listed, listed[:8], project.uid[-8:], project.uid[:-1]):
            assert projects.find(conn, piece) == project
    with pytest.raises(BadParameter, match=r"/home/ada/harbor, /srv/harbor"):
        projects.find(conn, harbor.uid[:6])
    for nothing in ("", harbor.uid[-3:], f"%{harbor.uid[-8:]}"):
        with pytest.raises(NotFound):
            projects.find(conn, nothing)


def test_a_name_of_several_projects_asks_for_the_path(conn: sqlite3.Connection) -> None:
    projects.resolve(conn, HARBOR, [], "harbor", NOW)
    projects.resolve(conn, "/srv/harbor", [], "harbor", NOW)
    with pytest.raises(BadParameter, match=r"/home/ada/harbor, /srv/harbor"):
        projects.find(conn, "harbor")
    with pytest.raises(NotFound):
        projects.find(conn, "nowhere")
    with pytest.raises(NotFound):
        projects.get(conn, 99)
