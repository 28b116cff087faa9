"""Lineage: what the judge found of facts, as relations between them: which one supersedes or contradicts which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from memd.model import Fact, Project
from memd.store import edges, fact_marks, facts
from memd.store.edges import NewEdge

ORIGIN: Final = "judge"
_NO_LONGER: Final = "the judge finds so no longer"


def draw(conn: facts.Connection, ids: Iterable[int], now_ms: int) -> None:
    """Let the relations that the judge found of facts of row ids be just those that hold now."""
    for fact in facts.load(conn, ids):
        replaced = facts.replaced_by(conn, fact.id)
        wanted = {(f"fact:{old.uid}", "supersedes"): old.valid_to or now_ms for old in replaced}
        # What holds everywhere may have replaced what one project had: no other one is told of that.
        own = {f"fact:{old.uid}": old.project for old in replaced if old.project is not None}
        for other, found_at in fact_marks.opponents(conn, fact.id):
            wanted[f"fact:{other}", "contradicts"] = found_at
        node = f"fact:{fact.uid}"
        for edge in edges.tied(conn, node, ORIGIN):
            mine = edge.src == node
            if mine and (edge.dst, edge.rel) in wanted:
                del wanted[edge.dst, edge.rel]
            elif mine:
                edges.end(conn, edge, now_ms, _NO_LONGER)
        for (other_node, relation), since in sorted(wanted.items()):
            _tie(conn, fact, own.get(other_node, fact.project), relation, other_node, since, now_ms)
        if fact.status != "superseded":
            _untie_successors(conn, node, now_ms)


def _tie(
    conn: facts.Connection, fact: Fact, project: Project | None, relation: str, node: str, since: int, now_ms: int
) -> None:
    new = NewEdge(
        f"fact:{fact.uid}", relation, node, ORIGIN, strength=1.0, project_id=None if project is None else project.id,
        valid_from=since,
    )  # fmt: skip
    edges.link(conn, new, now_ms)


def _untie_successors(conn: facts.Connection, node: str, now_ms: int) -> None:
    for edge in edges.tied(conn, node, ORIGIN):
        if edge.dst == node and edge.rel == "supersedes":
            edges.end(conn, edge, now_ms, _NO_LONGER)
