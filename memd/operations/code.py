"""Code: who calls, imports and inherits what in a project, what a change would touch, and why it is as it is."""

from __future__ import annotations

from pathlib import Path

from memd.clock import iso
from memd.codegraph.comparing import compare
from memd.errors import BadParameter, NotFound
from memd.operations import code_walks, code_why
from memd.operations.code_answers import (
    CodeCheckAnswer,
    CodeIndexAnswer,
    CodeReasonsAnswer,
    CodeStatusAnswer,
    FoundAnswer,
    ImpactAnswer,
    IssueAnswer,
    LanguageAnswer,
    PathAnswer,
    ReasonAnswer,
    WalkAnswer,
    WhyAnswer,
)
from memd.operations.code_given import MOST, bounded, known_project
from memd.operations.code_params import (
    CodeCheckParams,
    CodeFindParams,
    CodeIndexParams,
    CodePathParams,
    CodeReasonsParams,
    CodeStatusParams,
    CodeTraverseParams,
    CodeWalkParams,
    CodeWhyParams,
)
from memd.operations.fact_params import time_given
from memd.operations.founding import founded
from memd.operations.memory import Memory
from memd.operations.registry import operation
from memd.operations.scope import project_named
from memd.store import code_files, code_graph
from memd.store.facts import Connection
from memd.workers.turns import Priority


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
        project = project_named(conn, params.project)
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
    bounded("code.find", params.limit)
    as_of = time_given(params.as_of, "code.find")

    def read(conn: Connection) -> FoundAnswer:
        project = known_project(conn, params.project)
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
    bounded("code.traverse", params.limit, params.depth)
    as_of = time_given(params.as_of, "code.traverse")
    directions: tuple[code_graph.Direction, ...] = ("out", "in") if params.direction == "both" else (params.direction,)

    def read(conn: Connection) -> WalkAnswer:
        project = known_project(conn, params.project)
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
    bounded("code.impact", params.limit, params.depth)
    as_of = time_given(params.as_of, "code.impact")

    def read(conn: Connection) -> ImpactAnswer:
        project = known_project(conn, params.project)
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
        project = known_project(conn, params.project)
        source = code_walks.the_one(conn, project, params.source, as_of, "code.path")
        target = code_walks.the_one(conn, project, params.target, as_of, "code.path")
        return code_walks.path(conn, project, source, target, as_of)

    return await memory.readers.run(read)


@operation("code.why", reads=True)
async def why(memory: Memory, params: CodeWhyParams) -> WhyAnswer:
    """Show why a symbol is as it is: reasons in the code, facts, sessions, errors and tests that it has to do with.

    Raises NotFound for an unknown project or symbol, BadParameter for a name that several have or a bound out of range.
    """
    bounded("code.why", params.limit)

    def read(conn: Connection) -> WhyAnswer:
        project = known_project(conn, params.project)
        found = code_graph.find(conn, project.id, params.symbol, None, 2)
        gone = code_graph.last_known(conn, project.id, params.symbol) if not found else None
        if gone is None:
            gone = code_walks.the_one(conn, project, params.symbol, None, "code.why")
        return code_why.why(conn, project, gone, params.limit)

    return await memory.readers.run(read)


@operation("code.reasons", reads=True)
async def reasons(memory: Memory, params: CodeReasonsParams) -> CodeReasonsAnswer:
    """List the comments in the code that give reasons (WHY, DECISION, HACK, TODO, ...), by file and line.

    Raises NotFound for an unknown project, BadParameter for a limit out of range.
    """
    bounded("code.reasons", params.limit)

    def read(conn: Connection) -> CodeReasonsAnswer:
        project = known_project(conn, params.project)
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
    project = await memory.readers.run(lambda conn: known_project(conn, params.project))
    try:
        compared = await compare(memory.readers, project.id, Path(project.root))
    except OSError as error:
        raise NotFound("folder", project.root) from error
    waiting, dangling = await memory.readers.run(
        lambda conn: (code_files.waiting(conn, project.id), code_graph.dangling(conn, project.id, MOST))
    )
    by_issue = {**compared.issues, "waiting": waiting, "dangling": dangling}
    issues = tuple(IssueAnswer(issue, f"code:{node}") for issue, nodes in by_issue.items() for node in nodes)
    counts = {issue: len(nodes) for issue, nodes in by_issue.items() if nodes}
    return CodeCheckAnswer(project.name, compared.files, not issues, counts, issues[:MOST])


async def _walk(
    memory: Memory, params: CodeWalkParams, name: str, direction: code_graph.Direction, relations: tuple[str, ...]
) -> WalkAnswer:
    bounded(name, params.limit, params.depth)
    as_of = time_given(params.as_of, name)

    def read(conn: Connection) -> WalkAnswer:
        project = known_project(conn, params.project)
        start = code_walks.the_one(conn, project, params.symbol, as_of, name)
        return code_walks.walk(conn, project, start, (direction,), relations, params.depth, as_of, params.limit)

    return await memory.readers.run(read)
