"""Importing: transcripts that lie anywhere, and what other memories have kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final

from anyio import to_thread

from memd.errors import BadParameter, ImportRefused, MemdError
from memd.importers import transcripts
from memd.importers.model import Haul, Imported, ImportedEntity, Other
from memd.importers.registry import IMPORTERS, TASK, ReadRequest
from memd.importers.transcripts import Look, LookRequest
from memd.model import Project
from memd.operations import carrying, taking_over
from memd.operations.answers import ImportAnswer
from memd.operations.memory import Memory
from memd.operations.pieces import write_in_pieces
from memd.operations.registry import operation
from memd.operations.scope import containing, project_of
from memd.operations.taking_in import Count, take_in, weigh
from memd.operations.taking_over import Took
from memd.registry import adapters
from memd.store import carried, imports, projects
from memd.store.facts import Connection
from memd.workers.turns import Priority

DEADLINE_S: Final = 600.0


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
    count, took = Count(), Took()
    now = memory.clock.now_ms()

    roots = await _roots(memory, haul)
    apart = await _apart(memory, haul, roots)
    if not params.dry_run:
        for folder in apart:
            await memory.writer.run(partial(_split, folder=folder, now_ms=now))

    def place(conn: Connection, word: str | None) -> tuple[Project | None, str]:
        if word is not None and _folder(word) in apart:
            known = projects.by_path(conn, _folder(word))
            return known, str(_folder(word))
        return _place(conn, roots.get(word, word) if word else word, params.project)

    keys = frozenset(item.key for item in haul.items)
    take_others = partial(taking_over.others, system=haul.system, place=place, now_ms=now, took=took, apply=True)
    if params.dry_run:

        def look(conn: Connection) -> None:
            weigh(conn, haul, place, count, keys)
            taking_over.others(conn, haul.system, haul.others, place, now, took, apply=False)
            taking_over.links(conn, haul.system, haul.links, place, now, took, keys)

        await memory.readers.run(look)
    else:
        # Short transactions, so that what is said meanwhile is not kept waiting. Entities come first: facts name them.
        system, writer = haul.system, memory.writer
        entities: list[Other] = [one for one in haul.others if isinstance(one, ImportedEntity)]
        others: list[Other] = [one for one in haul.others if not isinstance(one, ImportedEntity)]

        def take(conn: Connection, some: Sequence[Imported]) -> None:
            take_in(conn, system, some, place, count, keys, memory.clock.now_ms())

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
        absent=await absent(memory, roots.values()),
        relations=took.relations,
        others=dict(took.others),
        skipped=dict(Counter(haul.skipped) + took.refused + count.skipped),
        examples=tuple(count.examples),
    )


async def absent(memory: Memory, named: Iterable[str]) -> tuple[str, ...]:
    """Return those of some folders that are not here and in which no session took place."""
    folders = sorted({name for name in named if Path(name).is_absolute()})
    gone = await to_thread.run_sync(lambda: [folder for folder in folders if not Path(folder).is_dir()])
    if not gone:
        return ()
    known = await memory.readers.run(projects.paths)
    unseen = frozenset(await memory.readers.run(projects.unseen))
    return tuple(folder for folder in gone if folder not in known or (known[folder] == folder and folder in unseen))


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


async def _apart(memory: Memory, haul: Haul, roots: Mapping[str, str]) -> frozenset[Path]:
    """Return the folders that an export of memd has as projects of their own, and that lie in another project here.

    There they had been made that, or lay in no repository yet; what was said of them holds for them alone.
    """
    if haul.system != carried.SYSTEM:
        return frozenset()
    named = {_folder(one.project) for one in (*haul.items, *haul.others, *haul.links) if one.project}
    folders = {folder for folder in named if folder.is_absolute()}

    def lies_in_another(conn: Connection, folder: Path) -> bool:
        found = containing(conn, folder)
        known = found is not None and projects.by_path(conn, folder) is None
        return known or (found is None and Path(roots.get(str(folder), str(folder))) in folder.parents)

    return frozenset(
        await memory.readers.run(lambda conn: [folder for folder in folders if lies_in_another(conn, folder)])
    )


def _split(conn: Connection, folder: Path, now_ms: int) -> None:
    if projects.by_path(conn, folder) is None:
        projects.split(conn, folder, folder.name, now_ms)


def _folder(name: str) -> Path:
    """Return the folder a name stands for: what was exported for others tells it from the reader's home."""
    return Path(name).expanduser() if name.startswith("~/") else Path(name)


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
