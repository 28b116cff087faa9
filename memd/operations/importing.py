"""Importing: transcripts that lie anywhere, and what other memories have kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

import orjson
from anyio import to_thread

from memd.distill import graphing, stating
from memd.distill.comparing import digest
from memd.errors import BadParameter, ImportRefused, MemdError
from memd.importers import transcripts
from memd.importers.model import Haul, Imported, ImportedEntity, Other
from memd.importers.registry import IMPORTERS, TASK, ReadRequest
from memd.importers.transcripts import Look, LookRequest
from memd.model import Fact, FactPart, Project
from memd.operations import carrying, taking_over
from memd.operations.answers import ImportAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import operation
from memd.operations.scope import project_of
from memd.operations.taking_over import Place, Took
from memd.registry import adapters
from memd.store import fact_changes, facts, imports
from memd.store.fact_changes import NewFact
from memd.store.facts import Connection
from memd.workers.turns import Priority

DEADLINE_S: Final = 600.0
_SHOWN: Final = 10


@dataclass(frozen=True, slots=True)
class ImportParams:
    """What to import."""

    path: str = field(metadata={"help": "a transcript, or another memory's database, export or folder"})
    system: str | None = field(
        default=None, metadata={"help": f"the memory it is of: {', '.join(IMPORTERS)}; none: it is recognised"}
    )
    host: str | None = field(
        default=None, metadata={"help": "the host that wrote a transcript; none: it is recognised"}
    )
    project: str | None = field(
        default=None, metadata={"help": "project of what names none (a folder, name or id); none: it holds everywhere"}
    )
    dry_run: bool = field(default=True, metadata={"help": "only count what would be imported"})


@dataclass(slots=True)
class _Count:
    added: int = 0
    known: int = 0
    before: int = 0
    changed: int = 0
    deleted: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    projects: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def add(self, item: Imported, project: str) -> None:
        self.added += 1
        self.kinds[item.kind] += 1
        self.projects[project] += 1
        if len(self.examples) < _SHOWN:
            self.examples.append(item.title)


@operation("import", writes=True)
async def import_all(memory: Memory, params: ImportParams) -> ImportAnswer:
    """Import a transcript, or what another memory has kept; first only counted, nothing known is overwritten.

    But for a fact that was changed later in another memd: it is here what it is there then, its history with it.

    Raises ImportRefused for what is neither, BadParameter for an unknown system or host, NotFound for an unknown
    project, TranscriptError and StoreError.
    """
    path = Path(params.path)
    if not path.is_absolute():
        raise BadParameter("import", f"path must be absolute, not {params.path!r}")
    if params.system is not None and params.system not in IMPORTERS:
        raise BadParameter("import", f"there is no system {params.system!r} (there are: {', '.join(IMPORTERS)})")
    if not await to_thread.run_sync(path.exists):
        raise ImportRefused(path, "does not exist")
    if not await to_thread.run_sync(lambda: path.is_file() or path.is_dir()):
        raise ImportRefused(path, "is neither a file nor a folder")  # a pipe would be waited for
    try:
        return await _imported(memory, params, path)
    except OSError as error:
        raise ImportRefused(path, f"cannot be read ({error.strerror or error})") from error


async def _imported(memory: Memory, params: ImportParams, path: Path) -> ImportAnswer:
    if params.host is None:
        request = ReadRequest(path, params.system)
        haul = await memory.workers.run(TASK, request, deadline_s=DEADLINE_S, priority=Priority.FOREGROUND)
        if haul is not None:
            assert isinstance(haul, Haul)
            return await _memory_of(memory, params, _allowed(memory, haul))
    return await _transcript(memory, params, path)


def _allowed(memory: Memory, haul: Haul) -> Haul:
    """Return what an agent's own notes give without those of folders of which nothing is to be kept."""
    if not IMPORTERS[haul.system].follows:
        return haul
    items = tuple(item for item in haul.items if not (item.project and memory.capture.excludes(Path(item.project))))
    return replace(haul, items=items)


async def _memory_of(memory: Memory, params: ImportParams, haul: Haul) -> ImportAnswer:
    count, took = _Count(), Took()
    now = memory.clock.now_ms()

    roots = await _roots(memory, haul)

    def place(conn: Connection, word: str | None) -> tuple[Project | None, str]:
        return _place(conn, roots.get(word, word) if word else word, params.project)

    keys = frozenset(item.key for item in haul.items)
    take_others = partial(taking_over.others, system=haul.system, place=place, now_ms=now, took=took, apply=True)
    if params.dry_run:

        def look(conn: Connection) -> None:
            _weigh(conn, haul, place, count, keys)
            taking_over.others(conn, haul.system, haul.others, place, now, took, apply=False)
            taking_over.links(conn, haul.system, haul.links, place, now, took, keys)

        await memory.readers.run(look)
    else:
        # Short transactions, so that what is said meanwhile is not kept waiting. Entities come first: facts name them.
        system, writer = haul.system, memory.writer
        entities: list[Other] = [one for one in haul.others if isinstance(one, ImportedEntity)]
        others: list[Other] = [one for one in haul.others if not isinstance(one, ImportedEntity)]

        def take(conn: Connection, some: Sequence[Imported]) -> None:
            _take(memory, system, some, place, count, keys, conn)

        await write_in_pieces(writer, entities, lambda conn, some: take_others(conn, given=some))
        await write_in_pieces(writer, haul.items, take)
        await write_in_pieces(writer, haul.items, lambda conn, some: carrying.tie(conn, system, some))
        await write_in_pieces(
            writer, haul.disputes, lambda conn, some: carrying.dispute(conn, system, some, took.refused)
        )
        await write_in_pieces(writer, others, lambda conn, some: take_others(conn, given=some))
        await write_in_pieces(
            writer, haul.links, lambda conn, some: taking_over.links(conn, system, some, place, now, took)
        )
    return ImportAnswer(
        path=params.path,
        what=IMPORTERS[haul.system].title,
        dry_run=params.dry_run,
        found=len(haul.items),
        added=count.added,
        known=count.known,
        before=count.before,
        changed=count.changed,
        kinds=dict(count.kinds),
        projects=dict(count.projects),
        relations=took.relations,
        others=dict(took.others),
        skipped=dict(Counter(haul.skipped) + took.refused + Counter({carrying.FORGOTTEN: count.deleted})),
        examples=tuple(count.examples),
    )


async def _roots(memory: Memory, haul: Haul) -> dict[str, str]:
    """Return what the folders that a haul names as projects are called here.

    What lies there is the project that sessions in it will be of; a folder that is no project's (a home) is but a word.
    """
    named = {one.project for one in (*haul.items, *haul.others, *haul.links) if one.project}
    roots: dict[str, str] = {}
    for name in named:
        folder = _folder(name)
        if folder.is_absolute():
            root = await memory.capture.project_root(folder)
            roots[name] = str(root) if root is not None else folder.name or "root"
    return roots


def _folder(name: str) -> Path:
    """Return the folder a name stands for: what was exported for others tells it from the reader's home."""
    return Path(name).expanduser() if name.startswith("~/") else Path(name)


def _weigh(conn: Connection, haul: Haul, place: Place, count: _Count, keys: frozenset[str]) -> None:
    seen: set[str] = set()
    for item in haul.items:
        project, name = place(conn, item.project)
        if _changed(conn, haul.system, item) is not None:
            count.add(item, name)
        elif carrying.is_newer(conn, item):
            count.changed += 1
        elif imports.get(conn, haul.system, item.key) is not None or item.key in seen:
            count.before += 1
        elif carrying.is_deleted(conn, item):
            count.deleted += 1
        elif _is_known(conn, item, project, name, keys):
            count.known += 1
        else:
            count.add(item, name)
        seen.add(item.key)


def _is_known(conn: Connection, item: Imported, project: Project | None, name: str, keys: frozenset[str]) -> bool:
    if project is None and name != "everywhere":
        return False  # its project is to be made yet
    return carrying.known(conn, item, None if project is None else project.id, keys) is not None


def _take(
    memory: Memory,
    system: str,
    items: Sequence[Imported],
    place: Place,
    count: _Count,
    keys: frozenset[str],
    conn: Connection,
) -> None:
    now_ms = memory.clock.now_ms()
    for item in items:
        project, name = place(conn, item.project)
        if (changed := _changed(conn, system, item)) is not None:
            count.add(item, name)
            change = stating.Edit(title=item.title, body=item.body)
            stating.edit(conn, changed.id, change, now_ms, f"says something else in {IMPORTERS[system].title}")
            imports.put(conn, system, item.key, imports.Taken(digest(item.body), changed.uid), now_ms)
            continue
        if item.kept is not None and carrying.is_newer(conn, item):
            count.changed += 1
            carrying.follow(conn, item, item.kept, now_ms)
            imports.put(conn, system, item.key, imports.Taken(digest(item.body), item.key), now_ms)
            continue
        if imports.get(conn, system, item.key) is not None:
            count.before += 1
            continue
        if carrying.is_deleted(conn, item):
            count.deleted += 1
            continue
        if project is None and IMPORTERS[system].follows:
            continue  # its turn comes when memd has seen the project
        if project is None and name != "everywhere":
            project = taking_over.new_project(conn, system, name, now_ms)
        known = carrying.known(conn, item, project.id if project else None, keys)
        if known is not None:
            count.known += 1
            if item.kept is not None:
                carrying.fill(conn, known, item, item.kept)
        else:
            count.add(item, name)
            if item.kept is None:
                known = _add(conn, system, item, project, now_ms)
            else:
                known = carrying.add(conn, item, item.kept, project, now_ms)
        imports.put(conn, system, item.key, imports.Taken(digest(item.body), known), now_ms)


def _changed(conn: Connection, system: str, item: Imported) -> Fact | None:
    """Return the fact that a thing became, if it says something else now and the fact is still what was taken over."""
    taken = imports.get(conn, system, item.key) if IMPORTERS[system].follows else None
    if taken is None or taken.fact is None or taken.digest == digest(item.body):
        return None
    try:
        fact = facts.find(conn, taken.fact)
    except MemdError:
        return None  # somebody has forgotten it
    return fact if fact.status == "current" and digest(fact.body) == taken.digest else None


def _add(conn: Connection, system: str, item: Imported, project: Project | None, now_ms: int) -> str:
    """Add a fact and return its uid. It is judged against nothing: what is known stays as it is."""
    source = {"system": system, "key": item.key}
    at = item.at_ms if item.at_ms is not None and item.at_ms <= now_ms else now_ms
    new = NewFact(
        kind=item.kind,
        title=item.title or item.body[:120],
        body=item.body,
        origin="import",
        valid_from=at,
        project_id=None if project is None else project.id,
        parts=tuple(FactPart(name, text) for name, text in item.parts),
        tags=item.tags,
        topic=item.topic,
        epistemic=item.epistemic,
        confidence=item.confidence,
        evergreen=item.evergreen,
        author=item.author,
        basis="inferred" if item.inferred else "extracted",
        metadata=orjson.dumps({"imported": {**source, **item.more}}, default=str).decode(),
    )
    title = IMPORTERS[system].title
    fact = fact_changes.add(conn, new, now_ms, f"was imported from {title}")
    stating.pin(conn, fact.id)
    graphing.derive(conn, (fact.id,), now_ms)
    if item.status == "retracted":
        stating.retract(conn, fact.id, now_ms, f"was taken back in {title}")
    elif item.status == "superseded":
        stating.end(conn, fact.id, item.ended_at_ms or at, now_ms, f"no longer held in {title}")
    return facts.get(conn, fact.id).uid


def _place(conn: Connection, named: str | None, usual: str | None) -> tuple[Project | None, str]:
    """Return the project of a thing, None for one that memd does not have yet, and its name."""
    word = named or usual
    if word is None:
        return None, "everywhere"
    try:
        project = project_of(conn, word)
    except MemdError:
        if named is None:
            raise  # what the caller has named must be there
        project = None
    return project, word if project is None else project.root


async def _transcript(memory: Memory, params: ImportParams, path: Path) -> ImportAnswer:
    request = LookRequest(path, params.host)
    seen = await memory.workers.run(transcripts.TASK, request, deadline_s=DEADLINE_S, priority=Priority.FOREGROUND)
    assert isinstance(seen, Look)
    host, names = seen.sources[0].host, [name for name, _ in seen.sessions]
    before = await memory.readers.run(lambda conn: imports.sessions_named(conn, host, names))
    if params.dry_run:
        return ImportAnswer(
            path=str(path),
            what=adapters()[host].title,
            dry_run=True,
            found=len(names),
            added=len(names) - len(before),
            before=len(before),
            sessions=tuple(names),
            messages=sum(count for _, count in seen.sessions),
        )
    for source in seen.sources:
        await memory.capture.take_in(source)
    memory.distiller.wake()
    after = await memory.readers.run(lambda conn: imports.sessions_named(conn, host, names))
    return ImportAnswer(
        path=str(path),
        what=adapters()[host].title,
        dry_run=False,
        found=len(names),
        added=len(after.keys() - before.keys()),
        before=len(after.keys() & before.keys()),
        sessions=tuple(after),
        messages=sum(after.values()),
    )
