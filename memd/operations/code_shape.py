"""The shape of a project's code: what is busiest, what holds it together, what parts it has, what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from memd.codegraph.shape import SHAPE_TASK, Shape, Whole
from memd.model import Project
from memd.operations import code_walks
from memd.operations.code_answers import (
    BridgeAnswer,
    BridgesAnswer,
    CodeGapsAnswer,
    HubAnswer,
    HubsAnswer,
    SubsystemAnswer,
    SubsystemsAnswer,
    UnresolvedAnswer,
)
from memd.operations.code_given import bounded, known_project
from memd.operations.code_params import CodeShapeParams
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.store import code_graph
from memd.store.facts import Connection
from memd.workers.turns import Priority

_SHAPE_S: Final = 60.0


@operation("code.hubs", reads=True)
async def hubs(memory: Memory, params: CodeShapeParams) -> HubsAnswer:
    """List the symbols that most others lead to or come from (god nodes).

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    project, shape, names = await _shape(memory, params, "code.hubs")
    listed = tuple(HubAnswer(names[one.node], one.incoming, one.outgoing) for one in shape.hubs[: params.limit])
    return HubsAnswer(project.name, listed)


@operation("code.bridges", reads=True)
async def bridges(memory: Memory, params: CodeShapeParams) -> BridgesAnswer:
    """List the symbols that alone hold parts of the code together.

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    project, shape, names = await _shape(memory, params, "code.bridges")
    listed = tuple(BridgeAnswer(names[one.node], one.parts, one.cut_off) for one in shape.bridges[: params.limit])
    return BridgesAnswer(project.name, listed)


@operation("code.subsystems", reads=True)
async def subsystems(memory: Memory, params: CodeShapeParams) -> SubsystemsAnswer:
    """List the parts that a project falls into: symbols that have most to do with each other.

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    project, shape, names = await _shape(memory, params, "code.subsystems")
    listed = tuple(
        SubsystemAnswer(one.name, one.size, one.cohesion, tuple(names[node] for node in one.nodes), one.files)
        for one in shape.subsystems[: params.limit]
    )
    return SubsystemsAnswer(project.name, listed)


@operation("code.gaps", reads=True)
async def gaps(memory: Memory, params: CodeShapeParams) -> CodeGapsAnswer:
    """List what the code graph does not tell: references without grounds, and symbols that nothing uses.

    Tests and what starts a program are left out of the latter: nothing in the code is there to use them.
    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    project, shape, names = await _shape(memory, params, "code.gaps")
    count, listed = await memory.readers.run(lambda conn: code_graph.unresolved(conn, project.id, params.limit, 0))
    return CodeGapsAnswer(
        project.name,
        count,
        tuple(UnresolvedAnswer(f"code:{node}", name, line, reason) for node, name, line, reason in listed),
        tuple(_own(names, shape.unused))[: params.limit],
        tuple(_own(names, shape.loose))[: params.limit],
    )


async def _shape(memory: Memory, params: CodeShapeParams, name: str) -> tuple[Project, Shape, dict[int, str]]:
    bounded(name, params.limit)

    def read(conn: Connection) -> tuple[Project, Whole]:
        project = known_project(conn, params.project)
        nodes, edges = code_graph.whole(conn, project.id)
        return project, Whole(tuple(nodes), tuple(edges))

    project, whole = await memory.readers.run(read)
    shape: Shape = await memory.workers.run(SHAPE_TASK, whole, deadline_s=_SHAPE_S, priority=Priority.FOREGROUND)
    return project, shape, {node: f"code:{name}" for node, name, _ in whole.nodes}


def _own(names: Mapping[int, str], nodes: Iterable[int]) -> Iterator[str]:
    """Give the names of those nodes that only the project itself could use."""
    return (names[node] for node in nodes if not code_walks.is_used_from_outside(names[node]))
