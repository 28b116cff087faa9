"""Code: who calls, imports and inherits what in a project, what a change would touch, and why it is as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from memd.clock import iso
from memd.codegraph.shape import SHAPE_TASK, Shape, Whole
from memd.errors import BadParameter, MemdError, NotFound
from memd.model import Project
from memd.operations import code_walks, code_why
from memd.operations.code_answers import (
    BridgeAnswer,
    BridgesAnswer,
    CodeCheckAnswer,
    CodeCheckParams,
    CodeFindParams,
    CodeGapsAnswer,
    CodeIndexAnswer,
    CodeIndexParams,
    CodePathParams,
    CodeReasonsAnswer,
    CodeReasonsParams,
    CodeShapeParams,
    CodeStatusAnswer,
    CodeStatusParams,
    CodeTraverseParams,
    CodeWalkParams,
    CodeWhyParams,
    FoundAnswer,
    HubAnswer,
    HubsAnswer,
    ImpactAnswer,
    IssueAnswer,
    LanguageAnswer,
    PathAnswer,
    ReasonAnswer,
    SubsystemAnswer,
    SubsystemsAnswer,
    UnresolvedAnswer,
    WalkAnswer,
    WhyAnswer,
)
from memd.operations.fact_params import time_given
from memd.operations.founding import founded
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_of
from memd.store import code_files, code_graph
from memd.store.facts import Connection
from memd.workers.turns import Priority

_MOST: Final = 1000
_DEEPEST: Final = 10
_SHAPE_S: Final = 60.0


class NotIndexed(MemdError):
    """Nothing is known of a project's code yet."""

    exit_status = 3
    code = "not_indexed"

    def __init__(self, project: str) -> None:
        super().__init__(f"Nothing is known of the code of {project} yet; `memd graph index` reads it.")


@operation("code.index", writes=True)
async def index(memory: Memory, params: CodeIndexParams) -> CodeIndexAnswer:
    """Look through the code of a project now and bring its graph up to date.

    Raises NotFound for an unknown project or one whose folder is gone.
    """
    try:
        project = await founded(memory, params.project)
    except NotFound as error:
        if not Path(params.project).is_absolute():
            raise
        reason = f"{params.project} belongs to no project (it is gone, or a folder like home or /)"
        raise BadParameter("code.index", reason) from error
    root = Path(project.root)
    try:
        done = await memory.indexer.index(project.id, root, priority=Priority.NORMAL)
    except OSError as error:
        raise NotFound("folder", project.root) from error
    skipped = done.skipped or {}
    return CodeIndexAnswer(project.name, project.root, done.looked_at, done.changed, done.gone, done.resolved, skipped)


@operation("code.status", reads=True)
async def status(memory: Memory, params: CodeStatusParams) -> CodeStatusAnswer:
    """Say how far the code of a project is known, how much of it there is, and what was passed over.

    Raises NotFound for an unknown project.
    """

    def read(conn: Connection) -> CodeStatusAnswer:
        project = _project(conn, params.project)
        tree = code_files.tree(conn, project.id)
        symbols, relations = code_graph.counted(conn, project.id)
        unresolved, _ = code_graph.unresolved(conn, project.id, 0, 0)
        languages = tuple(
            LanguageAnswer(one.language, one.files, one.lines, one.waiting)
            for one in code_files.counts(conn, project.id)
        )
        return CodeStatusAnswer(
            project=project.name,
            root=project.root,
            looked_at=iso(tree.looked_at) if tree is not None and tree.looked_at is not None else None,
            head=tree.head if tree is not None else None,
            languages=languages,
            symbols=symbols,
            relations=relations,
            unresolved=unresolved,
            skipped=tree.skipped if tree is not None else {},
            working=memory.indexer.working_on == Path(project.root),
            error=memory.indexer.last_error,
        )

    return await memory.readers.run(read)


@operation("code.find", reads=True)
async def find(memory: Memory, params: CodeFindParams) -> FoundAnswer:
    """Find files and symbols by name, or a part of one.

    Raises BadParameter for a limit out of range or a date that is none, NotFound for an unknown project.
    """
    _bounded("code.find", params.limit)
    as_of = time_given(params.as_of, "code.find")

    def read(conn: Connection) -> FoundAnswer:
        project = _known(conn, params.project)
        found = code_graph.find(conn, project.id, params.symbol, as_of, params.limit)
        if len(found) < params.limit:
            known = {node.id for node in found}
            more = code_graph.like(conn, project.id, params.symbol, as_of, params.limit)
            found += [node for node in more if node.id not in known][: params.limit - len(found)]
        return FoundAnswer(project.name, tuple(code_walks.symbol(node) for node in found))

    return await memory.readers.run(read)


@operation("code.callers", reads=True)
async def callers(memory: Memory, params: CodeWalkParams) -> WalkAnswer:
    """Show who calls a symbol; with `depth` also who calls these.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    return await _walk(memory, params, "code.callers", "in", ("calls",))


@operation("code.callees", reads=True)
async def callees(memory: Memory, params: CodeWalkParams) -> WalkAnswer:
    """Show what a symbol calls; with `depth` also what these call.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    return await _walk(memory, params, "code.callees", "out", ("calls",))


@operation("code.traverse", reads=True)
async def traverse(memory: Memory, params: CodeTraverseParams) -> WalkAnswer:
    """Follow relations from a symbol, along those asked for, in one direction or both.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    _bounded("code.traverse", params.limit, params.depth)
    as_of = time_given(params.as_of, "code.traverse")
    directions: tuple[code_graph.Direction, ...] = ("out", "in") if params.direction == "both" else (params.direction,)

    def read(conn: Connection) -> WalkAnswer:
        project = _known(conn, params.project)
        start = code_walks.the_one(conn, project, params.symbol, as_of, "code.traverse")
        return code_walks.walk(
            conn,
            project,
            start,
            directions,
            params.relations or code_walks.RELATIONS,
            params.depth,
            as_of,
            params.limit,
        )

    return await memory.readers.run(read)


@operation("code.impact", reads=True)
async def impact(memory: Memory, params: CodeWalkParams) -> ImpactAnswer:
    """Show what a change of a symbol could break: callers and theirs, what inherits it, and which tests.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    _bounded("code.impact", params.limit, params.depth)
    as_of = time_given(params.as_of, "code.impact")

    def read(conn: Connection) -> ImpactAnswer:
        project = _known(conn, params.project)
        start = code_walks.the_one(conn, project, params.symbol, as_of, "code.impact")
        depth = params.depth if params.depth > 1 else code_walks.USUAL_IMPACT
        return code_walks.impact(conn, project, start, depth, as_of, params.limit)

    return await memory.readers.run(read)


@operation("code.path", reads=True)
async def path(memory: Memory, params: CodePathParams) -> PathAnswer:
    """Show the shortest way from one symbol to another along calls, imports and inheritance.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have.
    """
    as_of = time_given(params.as_of, "code.path")

    def read(conn: Connection) -> PathAnswer:
        project = _known(conn, params.project)
        source = code_walks.the_one(conn, project, params.source, as_of, "code.path")
        target = code_walks.the_one(conn, project, params.target, as_of, "code.path")
        return code_walks.path(conn, project, source, target, as_of)

    return await memory.readers.run(read)


@operation("code.why", reads=True)
async def why(memory: Memory, params: CodeWhyParams) -> WhyAnswer:
    """Show why a symbol is as it is: reasons in the code, facts, sessions, errors and tests that it has to do with.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    _bounded("code.why", params.limit)

    def read(conn: Connection) -> WhyAnswer:
        project = _known(conn, params.project)
        found = code_graph.find(conn, project.id, params.symbol, None, 2)
        gone = code_graph.last_known(conn, project.id, params.symbol) if not found else None
        if gone is None:
            gone = code_walks.the_one(conn, project, params.symbol, None, "code.why")
        return code_why.why(conn, project, gone, params.limit)

    return await memory.readers.run(read)


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


@operation("code.reasons", reads=True)
async def reasons(memory: Memory, params: CodeReasonsParams) -> CodeReasonsAnswer:
    """List the comments in the code that give reasons (WHY, DECISION, HACK, TODO, ...), by file and line.

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    _bounded("code.reasons", params.limit)

    def read(conn: Connection) -> CodeReasonsAnswer:
        project = _known(conn, params.project)
        found = code_graph.all_reasons(
            conn, project.id, params.query.split(), [tag.upper() for tag in params.tags], params.limit + 1
        )
        listed = tuple(ReasonAnswer(f"code:{one.node}", one.tag, one.text, one.line) for one in found[: params.limit])
        return CodeReasonsAnswer(project.name, listed, len(found) > params.limit)

    return await memory.readers.run(read)


@operation("code.check", reads=True)
async def check(memory: Memory, params: CodeCheckParams) -> CodeCheckAnswer:
    """Compare the code graph with the files as they are: stale, missing, vanished, waiting, dangling.

    Raises NotFound for an unknown project or one whose folder is gone.
    """
    project = await memory.readers.run(lambda conn: _known(conn, params.project))
    try:
        compared = await memory.indexer.compare(project.id, Path(project.root))
    except OSError as error:
        raise NotFound("folder", project.root) from error
    waiting, dangling = await memory.readers.run(
        lambda conn: (code_files.waiting(conn, project.id), code_graph.dangling(conn, project.id, _MOST))
    )
    by_issue = {**compared.issues, "waiting": waiting, "dangling": dangling}
    issues = tuple(IssueAnswer(issue, f"code:{node}") for issue, nodes in by_issue.items() for node in nodes)
    counts = {issue: len(nodes) for issue, nodes in by_issue.items() if nodes}
    return CodeCheckAnswer(project.name, compared.files, not issues, counts, issues[:_MOST])


async def _walk(
    memory: Memory, params: CodeWalkParams, name: str, direction: code_graph.Direction, relations: tuple[str, ...]
) -> WalkAnswer:
    _bounded(name, params.limit, params.depth)
    as_of = time_given(params.as_of, name)

    def read(conn: Connection) -> WalkAnswer:
        project = _known(conn, params.project)
        start = code_walks.the_one(conn, project, params.symbol, as_of, name)
        return code_walks.walk(conn, project, start, (direction,), relations, params.depth, as_of, params.limit)

    return await memory.readers.run(read)


async def _shape(memory: Memory, params: CodeShapeParams, name: str) -> tuple[Project, Shape, dict[int, str]]:
    _bounded(name, params.limit)

    def read(conn: Connection) -> tuple[Project, Whole]:
        project = _known(conn, params.project)
        nodes, edges = code_graph.whole(conn, project.id)
        return project, Whole(tuple(nodes), tuple(edges))

    project, whole = await memory.readers.run(read)
    shape: Shape = await memory.workers.run(SHAPE_TASK, whole, deadline_s=_SHAPE_S, priority=Priority.FOREGROUND)
    return project, shape, {node: f"code:{name}" for node, name, _ in whole.nodes}


def _own(names: Mapping[int, str], nodes: Iterable[int]) -> Iterator[str]:
    """Give the names of those nodes that only the project itself could use."""
    return (names[node] for node in nodes if not code_walks.is_used_from_outside(names[node]))


def _project(conn: Connection, word: str) -> Project:
    project = project_of(conn, word)
    if project is None:
        raise NotFound("project", word)
    return project


def _known(conn: Connection, word: str) -> Project:
    """Return a project whose code is known; raises NotFound or NotIndexed."""
    project = _project(conn, word)
    if not code_files.counts(conn, project.id):
        raise NotIndexed(project.name)
    return project


def _bounded(name: str, limit: int, depth: int = 1) -> None:
    if not 1 <= limit <= _MOST:
        raise BadParameter(name, f"limit must be 1 to {_MOST}, not {limit}")
    if not 1 <= depth <= _DEEPEST:
        raise BadParameter(name, f"depth must be 1 to {_DEEPEST}, not {depth}")
