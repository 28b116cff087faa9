"""A project that is deleted is gone with all that is kept of it, also when it is read again; nothing else goes."""

from __future__ import annotations

import sqlite3
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from memd.adapter import Batch, Cursor, SessionUpdate, Source
from memd.errors import BadParameter, NotFound
from memd.store import sessions
from memd.store.capturing import ProjectAt, take_in
from memd.store.ingest import Prepared
from tests.unit.operations.conftest import AGENT, ELSEWHERE, FIRST, HOST, NOW, Harbor
from tests.unit.operations.test_deleting import STEM, WORD, decided, said
from tests.unit.operations.test_remember import do

LATE = "0a11ce00-0000-4000-8000-0000000000e1"
OTHER = "0a11ce00-0000-4000-8000-0000000000e2"
LATER = NOW + 7_200_000


async def read(harbor: Harbor, session: str, *events: Any, at: int = NOW, cwd: Path | None = None) -> None:
    """Have a transcript of a session in the project read, as capture does."""
    source = Source(HOST, Path(f"/home/ada/.claude/projects/-harbor/{session}.jsonl"), session)
    root = cwd or harbor.root
    batch = Batch((SessionUpdate(session, cwd=str(root)), *events), Cursor(offset=1, size=1), skipped={})
    places = {str(root): ProjectAt(root, root.name)}
    prepared = Prepared(batch, ("",) * len(batch.events))
    await harbor.memory.writer.run(lambda conn: take_in(conn, source, prepared, places, None, at))
    await harbor.memory.writer.run(lambda conn: _ended(conn, session))


def _ended(conn: sqlite3.Connection, session: str) -> None:
    found = sessions.by_native(conn, HOST, session)
    assert found is not None
    sessions.mark_ended(conn, found.id, NOW + 900_000, "exit")


async def names(harbor: Harbor) -> set[str]:
    return {project.name for project in await do(harbor, "projects.list")}


async def lived_in(harbor: Harbor) -> None:
    """Let there be something of everything in the project, and a second project."""
    await read(harbor, LATE, *decided(LATE))
    await read(harbor, OTHER, said(OTHER, "o1", 1, "Where does the lamp stand?"), cwd=harbor.home / "work" / "pier")
    await harbor.memory.distiller.run_due()
    (harbor.root / "quay.py").write_text("def tide(): ...\n\n\ndef moor():\n    tide()\n")
    await do(harbor, "code.index", project="harbor")
    await do(harbor, "facts.remember", text=f"The {WORD} is fed at noon", project="harbor")
    await do(harbor, "facts.note", text=f"Ask for the {WORD} first", project="harbor")
    await do(harbor, "facts.remember", text="Lamps are lit at dusk")
    await do(harbor, "blocks.set", label="watch", value=f"mind the {WORD}", project="harbor")
    await do(harbor, "blocks.set", label="watch", value="mind the ebb", project="harbor")
    await do(harbor, "handoff.leave", text=f"The {WORD} waits", project="harbor")
    await do(harbor, "prompts.save", text=f"Where is the {WORD}?", project="harbor")
    await do(harbor, "relations.link", source=WORD, relation="uses", target="Oil", project="harbor", create=True)


async def test_all_that_is_kept_of_a_project_goes_and_nothing_else(harbor: Harbor) -> None:
    await lived_in(harbor)
    before = await harbor.memory.readers.run(everything)

    shown = await do(harbor, "projects.delete", project="harbor")
    assert await harbor.memory.readers.run(everything) == before
    done = await do(harbor, "projects.delete", project="harbor", apply=True)

    assert asdict(done) == {**asdict(shown), "applied": True, "clean": True}
    assert {name for name, count in done.counts.items() if count == 0} == set()
    assert done.counts["sessions"] == 3
    assert await names(harbor) == {"pier"}
    left = await harbor.memory.readers.run(everything)
    assert {table: len(rows) for table, rows in left.items() if table.startswith("code_")} == {
        table: 0 for table in left if table.startswith("code_")
    }
    assert [fact.title for fact in await do(harbor, "facts.list", all=True)] == ["Lamps are lit at dusk", "Lint first"]
    assert {session.native_id for session in await do(harbor, "sessions.list")} == {ELSEWHERE, OTHER}
    assert WORD.lower() not in str(left).lower()
    assert str(harbor.root) not in str({name: rows for name, rows in left.items() if name != "sources"})
    held = harbor.memory.paths.database.read_bytes()
    assert STEM not in held.lower()
    assert not list(harbor.memory.paths.notes_dir.rglob("*.md"))


async def test_reading_it_again_brings_nothing_back_and_what_comes_later_is_new(harbor: Harbor) -> None:
    await lived_in(harbor)
    await do(harbor, "projects.delete", project="harbor", apply=True)

    await read(harbor, LATE, *decided(LATE), at=LATER)
    await harbor.memory.distiller.run_due()

    assert await names(harbor) == {"pier"}
    assert WORD.lower() not in str(await harbor.memory.readers.run(everything)).lower()

    new = said(LATE, "later", 9_000, "Let's use Mango for the queue, because the office has one.")
    await read(harbor, LATE, new, at=LATER)
    await harbor.memory.distiller.run_due()

    assert await names(harbor) == {"pier", "harbor"}
    assert any("Mango" in fact.text for fact in await do(harbor, "facts.list", project="harbor"))


RULE = "Always answer me in German, in all of my projects, also in comments."


async def test_what_was_said_in_it_and_holds_everywhere_is_named_and_stays_as_the_persons_own(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided(LATE), said(LATE, "rule", 50, RULE))
    await read(harbor, OTHER, said(OTHER, "o1", 1, "Where does the lamp stand?"), cwd=harbor.home / "work" / "pier")
    await harbor.memory.distiller.run_due()
    shown = await do(harbor, "projects.delete", project="harbor")
    assert [(fact.text, fact.project) for fact in shown.everywhere] == [(RULE, None)]

    await do(harbor, "projects.delete", project="harbor", apply=True)

    for _ in range(2):
        (fact,) = [fact for fact in await do(harbor, "facts.list", project="pier") if "German" in fact.text]
        assert (fact.id, fact.origin, fact.session, fact.evidence) == (shown.everywhere[0].id, "user", None, ())
        await read(harbor, LATE, *decided(LATE), said(LATE, "rule", 50, RULE), at=LATER)
        await harbor.memory.distiller.run_due()


async def test_what_holds_everywhere_goes_along_where_that_is_asked_for(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided(LATE), said(LATE, "rule", 50, RULE))
    await harbor.memory.distiller.run_due()

    done = await do(harbor, "projects.delete", project="harbor", everywhere=True, apply=True)

    assert [fact.text for fact in done.everywhere] == [RULE]
    assert "German" not in str(await harbor.memory.readers.run(everything))
    assert b"answer me in German" not in harbor.memory.paths.database.read_bytes()


async def test_what_another_project_says_as_well_stays_without_being_named(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided(LATE), said(LATE, "rule", 50, RULE))
    await read(harbor, OTHER, said(OTHER, "o1", 60, RULE), cwd=harbor.home / "work" / "pier")
    await harbor.memory.distiller.run_due()
    shown = await do(harbor, "projects.delete", project="harbor", apply=True)
    assert shown.everywhere == ()
    (fact,) = [fact for fact in await do(harbor, "facts.list", project="pier") if "German" in fact.text]
    assert (fact.origin, len(fact.evidence)) == ("distill", 1)


async def test_a_project_whose_history_another_one_goes_on_from_stays(harbor: Harbor) -> None:
    await lived_in(harbor)

    def copy(conn: sqlite3.Connection) -> None:
        first, other = (sessions.by_native(conn, HOST, native) for native in (FIRST, OTHER))
        assert first is not None
        assert other is not None
        conn.execute(
            "INSERT INTO message_copies (session_id, message_id, seq) SELECT ?, id, 1 FROM messages"
            " WHERE session_id = ? LIMIT 1",
            (other.id, first.id),
        )

    await harbor.memory.writer.run(copy)

    with pytest.raises(BadParameter, match=OTHER):
        await do(harbor, "projects.delete", project="harbor", apply=True)
    assert "harbor" in await names(harbor)
    await do(harbor, "sessions.forget", session=OTHER, apply=True)
    await do(harbor, "projects.delete", project="harbor", apply=True)
    assert AGENT not in {session.native_id for session in await do(harbor, "sessions.list")}


async def test_a_project_that_there_is_not_is_not_deleted(harbor: Harbor) -> None:
    with pytest.raises(NotFound):
        await do(harbor, "projects.delete", project="nowhere", apply=True)


def everything(conn: sqlite3.Connection) -> dict[str, list[Any]]:
    """Every row of every table but those of the indexes and of what was asked."""
    tables = [name for (name,) in conn.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    apart = ("sqlite_", "meta", "traces", "jobs", "erased", "vector_models")
    return {
        name: conn.execute(f"SELECT * FROM {name}").fetchall()
        for name in tables
        if "_fts" not in name and "_words" not in name and not name.startswith(apart)
    }
