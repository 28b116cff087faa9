"""Walks through the code graph. Functions of a reader's connection."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from memd.clock import iso
from memd.errors import BadParameter, NotFound
from memd.model import Project
from memd.operations.code_answers import (
    ImpactAnswer,
    PathAnswer,
    StepAnswer,
    SymbolAnswer,
    WalkAnswer,
)
from memd.store import code_graph
from memd.store.code_files import UNCOMMITTED
from memd.store.code_graph import CodeEdge, Direction, Node
from memd.store.facts import Connection

RELATIONS: Final = ("calls", "imports", "inherits")
USUAL_IMPACT: Final = 3
_CANDIDATES: Final = 10
_MOST_EDGES: Final = 20_000
_MOST_SOURCES: Final = 100_000
_MOST_MEMBERS: Final = 2_000
_TEST: Final = re.compile(r"(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)|(?:Test|Tests|Spec)\.\w+$")
_STARTS: Final = frozenset(("main", "init"))


class NotThen(NotFound):
    """A symbol that is known, and was not there at the time asked for."""

    def __init__(self, word: str, at: int, began: int, ended: int | None) -> None:
        super().__init__("symbol", word)
        until = f" until {iso(ended)}" if ended is not None else ""
        self.args = (f"{word!r} was not there at {iso(at)}; it is known from {iso(began)}{until}.",)


class NoSymbol(NotFound):
    """A name that no symbol has, beside those that have one like it."""

    def __init__(self, word: str, near: Sequence[str]) -> None:
        super().__init__("symbol", word)
        if near:
            self.args = (f"There is no symbol {word!r}; there is {', '.join(near)}.",)


def symbol(node: Node, made_by: str | None = None) -> SymbolAnswer:
    """Return a node as an answer."""
    return SymbolAnswer(
        f"code:{node.node}",
        node.kind,
        node.line,
        node.end_line,
        node.signature,
        node.doc,
        iso(node.valid_from),
        iso(node.valid_to) if node.valid_to is not None else None,
        iso(node.changed_at),
        made_by,
    )


def makers(conn: Connection, made: Sequence[Node | CodeEdge]) -> Iterator[str | None]:
    """Yield what made each of some nodes or edges: a session, a commit, or that it is uncommitted; None: not known."""
    known = code_graph.sessions(conn, (one.session for one in made))
    for one in made:
        if one.session is not None:
            yield f"session {known[one.session]}"
        elif one.commit is not None and one.commit != UNCOMMITTED:
            yield f"commit {one.commit}"
        else:
            yield one.commit


def the_one(conn: Connection, project: Project, word: str, at: int | None, name: str) -> Node:
    """Return the node that a word means; raises NotFound, and BadParameter where several have the name."""
    found = code_graph.find(conn, project.id, word, at, _CANDIDATES + 1)
    if not found and at is not None:
        now = code_graph.find(conn, project.id, word, None, 1)
        other = now[0] if now else code_graph.last_known(conn, project.id, word)
        if other is not None:
            raise NotThen(word, at, code_graph.began(conn, other.id), other.valid_to)
    if not found:
        near = [node.node for node in code_graph.like(conn, project.id, word.rpartition(".")[2], at, 3)]
        raise NoSymbol(word, near)
    if len(found) > 1:
        listed = ", ".join(node.node for node in found[:_CANDIDATES])
        rest = ", ..." if len(found) > _CANDIDATES else ""
        raise BadParameter(name, f"{word!r} can mean any of: {listed}{rest}; name one of them")
    return found[0]


def walk(
    conn: Connection,
    project: Project,
    start: Node,
    directions: Sequence[Direction],
    relations: Sequence[str],
    depth: int,
    at: int | None,
    limit: int,
) -> WalkAnswer:
    """Return what can be reached from a node, nearer things first."""
    seen = {start.id}
    front = {start.id}
    taken: list[tuple[CodeEdge, int]] = []
    known: set[tuple[int, int, str]] = set()
    for level in range(1, depth + 1):
        reached: set[int] = set()
        for direction in directions:
            for edge in code_graph.edges(conn, front, direction, relations, at, _MOST_EDGES):
                if (edge.src, edge.dst, edge.kind) not in known:
                    known.add((edge.src, edge.dst, edge.kind))
                    taken.append((edge, level))
                    reached.add(edge.dst if direction == "out" else edge.src)
        front = reached - seen
        seen |= front
        if not front or len(taken) > limit:
            break
    names = code_graph.by_ids(conn, {end for edge, _ in taken[:limit] for end in (edge.src, edge.dst)}, at)
    steps = _steps(conn, taken[:limit], names)
    return WalkAnswer(project.name, made(conn, start), steps, len(seen) - 1, len(taken) > limit)


def _steps(conn: Connection, taken: list[tuple[CodeEdge, int]], names: dict[int, Node]) -> tuple[StepAnswer, ...]:
    """Return edges, each with how far away it is, as steps; those of nodes that were not there are left out."""
    known = [(edge, depth) for edge, depth in taken if edge.src in names and edge.dst in names]
    return tuple(
        StepAnswer(
            f"code:{names[edge.src].node}", edge.kind, f"code:{names[edge.dst].node}", edge.line, edge.confidence,
            depth, iso(edge.valid_from), made_by,
        )
        for (edge, depth), made_by in zip(known, makers(conn, [edge for edge, _ in known]), strict=True)
    )  # fmt: skip


def made(conn: Connection, node: Node) -> SymbolAnswer:
    """Return a node as an answer, with what made it."""
    return symbol(node, next(makers(conn, [node])))


def impact(conn: Connection, project: Project, start: Node, depth: int, at: int | None, limit: int) -> ImpactAnswer:
    """Return who would feel a change of a node: whoever calls or inherits it or its members, and so on.

    Of a file everybody counts who calls what is in it or imports it.
    """
    own = {start.id, *code_graph.members(conn, project.id, start.node, at, _MOST_MEMBERS)}
    seen = set(own)
    front = own
    levels: list[list[int]] = []
    for level in range(depth):
        relations = RELATIONS if level == 0 and start.kind == "file" else ("calls", "inherits")
        front = code_graph.sources(conn, front, relations, at, _MOST_SOURCES) - seen
        seen |= front
        if not front:
            break
        levels.append(sorted(front))
    felt = [node for nodes in levels for node in nodes]
    names = code_graph.names(conn, felt, at)
    shown = set(felt[:limit])
    by_depth = {
        str(number): tuple(sorted(f"code:{names[node]}" for node in nodes if node in shown and node in names))
        for number, nodes in enumerate(levels, start=1)
    }
    files = tuple(sorted({name.partition("::")[0] for name in names.values()}))
    tests = tuple(f"code:{name}" for name in sorted(filter(is_test, names.values())))[:limit]
    return ImpactAnswer(
        project.name, made(conn, start), {key: value for key, value in by_depth.items() if value}, files[:limit], tests,
        len(felt), len(felt) > limit,
    )  # fmt: skip


def path(conn: Connection, project: Project, source: Node, target: Node, at: int | None) -> PathAnswer:
    """Return the shortest way between two nodes, breadth first."""
    came: dict[int, CodeEdge] = {}
    front = {source.id}
    seen = {source.id}
    while front and target.id not in seen:
        reached: set[int] = set()
        for edge in code_graph.edges(conn, front, "out", RELATIONS, at, _MOST_EDGES):
            if edge.dst not in seen:
                seen.add(edge.dst)
                reached.add(edge.dst)
                came[edge.dst] = edge
        front = reached
    way: list[CodeEdge] = []
    node = target.id
    while node in came:
        way.append(came[node])
        node = came[node].src
    way.reverse()
    names = code_graph.by_ids(conn, {end for edge in way for end in (edge.src, edge.dst)}, at)
    steps = _steps(conn, [(edge, number) for number, edge in enumerate(way, start=1)], names)
    return PathAnswer(project.name, f"code:{source.node}", f"code:{target.node}", steps)


def is_test(path: str) -> bool:
    """Tell whether a path or what stands in it is a test, by its name."""
    # Most names hold neither, and seeing that takes a fraction of the search.
    return ("est" in path or "pec" in path) and _TEST.search(path) is not None


def is_used_from_outside(node: str) -> bool:
    """Tell whether something is there for others than the project to call: a test, a start, a method of Python's."""
    path, _, qualname = node.removeprefix("code:").partition("::")
    name = qualname.rpartition(".")[2]
    return name in _STARTS or name.startswith("__") or is_test(path)
