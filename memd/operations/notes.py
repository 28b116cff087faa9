"""Notes: quick ones kept as a fact and as a Markdown file each, and what was edited in those files."""

from __future__ import annotations

from dataclasses import replace

from anyio import to_thread

from memd.model import Fact
from memd.operations import entries, pages, saving, session_files
from memd.operations.fact_answers import NoteFileAnswer, NotesAnswer, RememberAnswer
from memd.operations.fact_params import FactParams
from memd.operations.items import Item, NoteParams
from memd.operations.memory import Memory
from memd.operations.registry import NoParams, operation
from memd.store import facts


@operation("facts.note", writes=True)
async def note(memory: Memory, params: NoteParams) -> RememberAnswer:
    """Keep a quick note, as a Markdown file as well.

    Raises as `facts.remember`.
    """
    item = Item(params.text, params.title, "note", params.project, session=params.session, tags=params.tags)
    draft = await to_thread.run_sync(saving.drafted, item)
    answer = await memory.writer.run(lambda conn: saving.save(conn, draft, memory.clock.now_ms()))
    try:
        written = await _written(memory, await memory.readers.run(lambda conn: facts.find(conn, answer.fact.id)))
    except OSError as error:
        warning = f"the note is kept, but its file could not be written ({error.strerror or error})"
        return replace(answer, warnings=(*answer.warnings, warning))
    return replace(answer, file=written.file)


@operation("notes.write", writes=True)
async def write(memory: Memory, params: FactParams) -> NoteFileAnswer:
    """Write a fact as a Markdown file in the folder of notes, where it may be edited.

    Raises NotFound, BadParameter when several facts could be meant, OSError when it cannot be written.
    """
    return await _written(memory, await memory.readers.run(lambda conn: facts.find(conn, params.fact)))


@operation("notes.read", writes=True)
async def read(memory: Memory, params: NoParams) -> NotesAnswer:
    """Take over what was edited in the files of notes; a new file becomes a fact, a known one never a second.

    What cannot be taken over is named with why and stays as it is.
    """
    return await taken_over(memory)


async def taken_over(memory: Memory) -> NotesAnswer:
    """Read all files of notes and take over what is new in them."""
    folder = memory.paths.notes_dir
    files, skipped = await to_thread.run_sync(entries.read, folder)
    if not files:
        return NotesAnswer(str(folder), skipped=skipped)
    done = await memory.writer.run(lambda conn: entries.take(conn, files, memory.clock.now_ms()))
    await to_thread.run_sync(entries.finish, done)
    return NotesAnswer(
        str(folder), tuple(done.added), tuple(done.changed), done.same, len(done.to_remove), skipped | done.skipped
    )


async def without_erased(memory: Memory) -> None:
    """Remove the files of facts that were deleted, and tell pages and files anew that may tell of what was."""
    await pages.refresh(memory)
    await session_files.without_erased(memory)
    files, _ = await to_thread.run_sync(entries.read, memory.paths.notes_dir)
    if files:
        gone = await memory.readers.run(lambda conn: entries.erased(conn, files))
        await to_thread.run_sync(entries.finish, entries.Read(to_remove=list(gone)))


async def _written(memory: Memory, fact: Fact) -> NoteFileAnswer:
    def work() -> NoteFileAnswer:
        path = entries.path_of(memory.paths.notes_dir, fact)
        known = entries.page_at(path)
        text = entries.page_with(fact, known).whole()
        entries.write(path, text)
        return NoteFileAnswer(fact.uid, str(path), text)

    return await to_thread.run_sync(work)
