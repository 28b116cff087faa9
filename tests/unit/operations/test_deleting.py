"""What a person deletes is gone for good: from every table, index and byte, and also when it is read again."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from anyio import to_thread

from memd.adapter import Batch, Cursor, Event, MessagePart, SessionUpdate, Source, ToolResult, ToolUse
from memd.errors import BadParameter, NotFound, StoreFull
from memd.operations import scrub
from memd.store import deleting, injections, scrubbing, sessions
from memd.store.capturing import take_in
from memd.store.ingest import Prepared
from tests.unit.operations.conftest import FIRST, HOST, NOW, Harbor
from tests.unit.operations.test_remember import do

LATE = "0a11ce00-0000-4000-8000-0000000000d1"
OTHER = "0a11ce00-0000-4000-8000-0000000000d2"
FORK = "0a11ce00-0000-4000-8000-0000000000d3"
HELPER = "agent-0a11ce00000000d4"
WORD = "Zaphnixquorble"
"""A word that is in nothing else; its stem is what an index would keep of it."""
STEM = b"zaphnixquorbl"
DECIDED = f"Let's use {WORD} instead of Redis for the queue, because the office has no second server."


def said(session: str, name: str, seq: int, text: str, *calls: ToolUse, role: str = "user", **more: Any) -> MessagePart:
    kind = "prompt" if role == "user" else "reply"
    return MessagePart(
        session, name, name, seq, role, kind, NOW + 60_000 + seq * 1000, text, tool_calls=calls, **more  # type: ignore[arg-type]
    )  # fmt: skip


async def read(harbor: Harbor, session: str, *events: Event, at: int = NOW) -> None:
    """Have a transcript of a session read, as capture does."""
    source = Source(HOST, Path(f"/home/ada/.claude/projects/-harbor/{session}.jsonl"), session)
    batch = Batch((SessionUpdate(session, cwd=str(harbor.root)), *events), Cursor(offset=1, size=1), skipped={})
    prepared = Prepared(batch, ("",) * len(batch.events))
    await harbor.memory.writer.run(lambda conn: take_in(conn, source, prepared, {}, None, at))
    await harbor.memory.writer.run(lambda conn: _end(conn, session))


def _end(conn: sqlite3.Connection, session: str) -> None:
    found = sessions.by_native(conn, HOST, session)
    first = sessions.by_native(conn, HOST, FIRST)
    assert found is not None
    assert first is not None
    assert first.project is not None
    sessions.set_project(conn, found.id, first.project.id)
    sessions.mark_ended(conn, found.id, NOW + 900_000, "exit")


def decided(session: str = LATE) -> tuple[Event, ...]:
    return (
        said(session, f"{session}-1", 1, DECIDED),
        said(session, f"{session}-2", 2, "Done.", ToolUse("t1", "Bash", "shell", f"make {WORD}"), role="assistant"),
        ToolResult(session, "t1", f"{session}-3", 3, True, f"built {WORD} in 3 s", at=NOW + 63_000),
        said(session, f"{session}-4", 4, "From now on always run `make tide` before you commit."),
    )


async def learnt(harbor: Harbor) -> list[str]:
    await harbor.memory.distiller.run_due()
    return [f"{fact.title} {fact.text}" for fact in await do(harbor, "facts.list", all=True)]


async def shown(harbor: Harbor, session: str) -> dict[str, str]:
    """The messages of a session: what they say, by their ids."""
    return {one.id: one.text for one in (await do(harbor, "sessions.show", session=session)).messages}


async def id_of(harbor: Harbor, session: str, word: str) -> str:
    return next(name for name, text in (await shown(harbor, session)).items() if word in text)


def bytes_of(harbor: Harbor) -> Iterator[tuple[str, bytes]]:
    for path in harbor.memory.paths.data_dir.rglob("*"):
        if path.is_file() and "backups" not in path.parts:
            yield path.name, path.read_bytes().lower()


def holding(harbor: Harbor) -> set[str]:
    return {name for name, content in bytes_of(harbor) if WORD.lower().encode() in content or STEM in content}


async def test_a_message_is_deleted_only_when_told_to_apply(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    assert any(WORD in fact for fact in await learnt(harbor))
    message = await id_of(harbor, LATE, WORD)
    told = await do(harbor, "messages.forget", message=message)
    assert (told.applied, told.messages, told.tool_calls, told.begins) == (False, 1, 0, DECIDED)
    assert [WORD in fact.text or WORD in fact.title for fact in told.forgotten] == [True]
    assert told.transcripts == (f"/home/ada/.claude/projects/-harbor/{LATE}.jsonl",)
    assert WORD in str(await shown(harbor, LATE))
    assert any(WORD in fact for fact in await learnt(harbor))


async def test_a_deleted_message_is_in_no_table_no_index_and_no_byte(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    await do(harbor, "prompts.save", text=DECIDED)
    for word in (DECIDED, f"make {WORD}"):
        found = await harbor.memory.readers.run(partial(_message_with, word=word))
        done = await do(harbor, "messages.forget", message=found, apply=True)
        assert (done.applied, done.clean) == (True, True)
    assert holding(harbor) == set()
    facts = await learnt(harbor)
    assert not any(WORD in fact for fact in facts)
    assert any("make tide" in fact for fact in facts)
    assert holding(harbor) == set()
    assert not (await do(harbor, "search", query=WORD)).hits


def _message_with(conn: sqlite3.Connection, word: str) -> str:
    from memd.store import deleting

    (row,) = conn.execute(
        "SELECT m.id FROM messages m LEFT JOIN tool_calls t ON t.message_id = m.id"
        " WHERE instr(m.text || ifnull(t.input, ''), ?)",
        (word,),
    ).fetchone()
    return deleting.names(conn, (row,))[row]


async def test_reading_it_again_does_not_bring_it_back(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    await do(harbor, "messages.forget", message=await id_of(harbor, LATE, WORD), apply=True)
    before = await harbor.memory.readers.run(_kept)
    await read(harbor, LATE, *decided())
    await read(
        harbor,
        LATE,
        *(replace(event, replace=True) if isinstance(event, MessagePart) else event for event in decided()),
    )
    await harbor.memory.writer.run(sessions.distil_again)
    await learnt(harbor)
    assert await harbor.memory.readers.run(_kept) == before
    assert not [fact for fact in await learnt(harbor) if "Redis" in fact]


def _kept(conn: sqlite3.Connection) -> list[tuple[Any, ...]]:
    return conn.execute("SELECT key, seq, text FROM messages ORDER BY session_id, seq").fetchall()


async def test_what_still_comes_of_a_deleted_message_is_not_taken_in(harbor: Harbor) -> None:
    running = ToolUse("t9", "Bash", "shell", f"sleep 60; echo {WORD}")
    await read(harbor, LATE, said(LATE, "m1", 1, f"First of {WORD}", running, role="assistant"))
    await do(harbor, "messages.forget", message=await id_of(harbor, LATE, WORD), apply=True)
    more = said(LATE, "m1", 2, f"Rest of {WORD}", role="assistant")
    await read(harbor, LATE, replace(more, part="m1-b"), ToolResult(LATE, "t9", "m2", 3, True, WORD, at=NOW + 99_000))
    assert await shown(harbor, LATE) == {}
    assert holding(harbor) == {"memd.db-wal"} or holding(harbor) == set()
    await read(harbor, LATE, said(LATE, "m3", 4, "Go on with the pier."))
    assert list((await shown(harbor, LATE)).values()) == ["Go on with the pier."]


async def test_a_fact_that_another_session_states_as_well_stays_in_the_words_of_that(harbor: Harbor) -> None:
    longer = "Let's use RabbitMQ instead of Redis for the job queue on host zaphnixquorble-7, because it acknowledges."
    await read(harbor, LATE, said(LATE, "l1", 1, longer))
    await read(harbor, OTHER, said(OTHER, "o1", 9, "Let's use RabbitMQ instead of Redis for the job queue."))
    assert any("RabbitMQ" in fact for fact in await learnt(harbor))
    await do(harbor, "messages.forget", message=await id_of(harbor, LATE, "RabbitMQ"), apply=True)
    facts = [fact for fact in await learnt(harbor) if "RabbitMQ" in fact]
    assert facts
    assert holding(harbor) == set()


async def test_a_fact_that_a_person_ruled_on_goes_with_the_only_message_it_came_from(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await learnt(harbor)
    fact = next(one for one in await do(harbor, "facts.list") if WORD in one.text + one.title)
    await do(harbor, "facts.retract", fact=fact.id)
    await do(harbor, "messages.forget", message=await id_of(harbor, LATE, WORD), apply=True)
    assert not any(WORD in one for one in await learnt(harbor))


async def test_what_a_person_said_themselves_stays(harbor: Harbor) -> None:
    await read(harbor, LATE, said(LATE, "l1", 1, "From now on always run `make tide` before you commit."))
    await learnt(harbor)
    await do(
        harbor, "facts.remember", text="From now on always run `make tide` before you commit.", project=str(harbor.root)
    )
    kept = [one for one in await learnt(harbor) if "make tide" in one]
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    assert [one for one in await learnt(harbor) if "make tide" in one][:1] == kept[:1]


async def test_a_whole_session_goes_with_its_agents_and_nothing_that_was_read_brings_it_back(harbor: Harbor) -> None:
    agent = (
        SessionUpdate(HELPER, kind="subagent", parent=LATE, title=f"Look for {WORD}"),
        said(HELPER, "h1", 1, f"Count the {WORD}s."),
    )
    titled = SessionUpdate(LATE, title=f"The {WORD} queue", branch=f"feature/{WORD}")
    await read(harbor, LATE, titled, *decided())
    await read(harbor, HELPER, *agent)
    await learnt(harbor)
    given = injections.Injection(HOST, LATE, "prompt", {1: 0.5}, 10, extra=(f"src/{WORD}.py",))
    await harbor.memory.writer.run(lambda conn: injections.record(conn, given, NOW))
    await harbor.memory.writer.run(lambda conn: injections.mark_used(conn, HOST, LATE, [1], f"it spoke of {WORD}"))

    told = await do(harbor, "sessions.forget", session=LATE)
    assert (told.messages, told.tool_calls, told.agents, told.title) == (4, 1, 1, f"The {WORD} queue")
    done = await do(harbor, "sessions.forget", session=LATE, apply=True)
    assert (done.applied, done.clean, done.title, done.begins) == (True, True, None, "")
    assert holding(harbor) == set()
    listed = {one.native_id for one in await do(harbor, "sessions.list")}
    assert not {LATE, HELPER} & listed

    await read(harbor, LATE, titled, *decided())
    await read(harbor, HELPER, *agent)
    await harbor.memory.writer.run(sessions.distil_again)
    assert not any(WORD in fact for fact in await learnt(harbor))
    assert not {LATE, HELPER} & {one.native_id for one in await do(harbor, "sessions.list")}
    titles = await harbor.memory.readers.run(lambda conn: conn.execute("SELECT title FROM sessions").fetchall())
    assert WORD not in str(titles)


async def test_what_is_said_in_a_deleted_session_later_is_new(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    await do(harbor, "sessions.forget", session=LATE, apply=True)
    unread = replace(said(LATE, "unread", 5, f"What {WORD} was not read yet"), at=NOW + 200_000)
    later = replace(said(LATE, "later", 6, "Now paint the pier green."), at=NOW + 3_700_000)
    await read(harbor, LATE, *decided(), unread, later)
    assert list((await shown(harbor, LATE)).values()) == ["Now paint the pier green."]


async def test_the_history_that_a_fork_shows_goes_too_and_is_named(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    own = said(FORK, "f1", 9, "And now for the lamp.")
    copied = [replace(event, session=FORK) for event in decided()]
    await read(harbor, FORK, SessionUpdate(FORK, kind="fork", forked_from=LATE), *copied, own)
    message = await id_of(harbor, LATE, WORD)
    assert (await do(harbor, "messages.forget", message=message)).shared_with == (FORK,)
    await do(harbor, "messages.forget", message=message, apply=True)
    told = (await do(harbor, "sessions.show", session=FORK, history=True)).messages
    assert DECIDED not in [one.text for one in told]
    assert "And now for the lamp." in [one.text for one in told]
    third = "0a11ce00-0000-4000-8000-0000000000d9"
    await read(harbor, third, *[replace(event, session=third) for event in decided()])
    assert DECIDED not in str((await do(harbor, "sessions.show", session=third, history=True)).messages)


async def test_a_fork_goes_without_what_it_shares(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    copied = [replace(event, session=FORK) for event in decided()]
    await read(harbor, FORK, SessionUpdate(FORK, kind="fork", forked_from=LATE), *copied, said(FORK, "f1", 9, "Lamp"))
    told = await do(harbor, "sessions.forget", session=FORK, apply=True)
    assert told.messages == 1
    assert DECIDED in (await shown(harbor, LATE)).values()


async def test_what_was_distilled_of_it_before_is_not_written_after(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    distiller, started = harbor.memory.distiller, list[int]()
    write = distiller._write

    async def slow(*given: Any, **more: Any) -> None:
        if not started:
            started.append(1)
            await do(harbor, "sessions.forget", session=LATE, apply=True)
        await write(*given, **more)

    distiller._write = slow  # type: ignore[method-assign]
    await distiller.run_due()
    assert started
    assert not any(WORD in fact for fact in await learnt(harbor))
    rows = await harbor.memory.readers.run(lambda conn: conn.execute("SELECT * FROM session_summaries").fetchall())
    assert WORD not in str(rows)


async def test_a_file_from_before_deletions_were_zeroed_is_written_anew_once_where_there_is_room(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def as_before(conn: sqlite3.Connection) -> None:
        conn.execute("PRAGMA secure_delete = OFF")
        conn.execute("DELETE FROM meta WHERE key = 'zeroed'")
        conn.execute("INSERT INTO handoffs (uid, project_id, text, at) SELECT 'x', id, ?, 1 FROM projects", (WORD * 9,))

    await harbor.memory.writer.outside_transaction(as_before)
    await read(harbor, LATE, *decided())
    await harbor.memory.writer.run(lambda conn: conn.execute("DELETE FROM handoffs"))
    await harbor.memory.writer.outside_transaction(scrubbing.cut_log)
    assert "memd.db" in holding(harbor)
    with monkeypatch.context() as patch:
        usage = shutil.disk_usage(harbor.home)
        patch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 12))
        with pytest.raises(StoreFull):
            await scrub.scrub(harbor.memory)
    assert not await harbor.memory.readers.run(scrubbing.is_zeroed)
    assert "memd.db" in holding(harbor)
    done = await do(harbor, "sessions.forget", session=LATE, apply=True)
    assert done.clean
    assert holding(harbor) == set()
    assert await harbor.memory.readers.run(scrubbing.is_zeroed)


async def test_a_forgotten_fact_leaves_no_byte_either(harbor: Harbor) -> None:
    saved = await do(harbor, "facts.remember", text=f"The {WORD} key is under the mat", title="Key")
    await do(harbor, "facts.edit", fact=saved.fact.id, text=f"The {WORD} key hangs by the door")
    await do(harbor, "facts.forget", fact=saved.fact.id, apply=True)
    assert holding(harbor) == set()


async def test_backups_of_before_are_named_and_go_when_asked_for(harbor: Harbor) -> None:
    await read(harbor, LATE, *decided())
    taken = Path((await do(harbor, "backup.now")).path)
    backup = str(await to_thread.run_sync(taken.rename, taken.with_name("memd-1.db")))
    set_aside = harbor.memory.paths.database.with_name("memd.db.damaged-1")
    set_aside.write_bytes(WORD.encode())
    message = await id_of(harbor, LATE, DECIDED)
    assert set((await do(harbor, "messages.forget", message=message)).copies) == {backup, str(set_aside)}
    done = await do(harbor, "messages.forget", message=message, apply=True)
    assert set(done.copies) == {backup, str(set_aside)}
    again = await do(harbor, "sessions.forget", session=LATE, apply=True, copies=True)
    assert (again.copies, again.copies_removed) == ((), 2)
    for path in harbor.memory.paths.data_dir.rglob("*.db*"):
        assert WORD.encode() not in path.read_bytes(), path


async def test_a_message_is_called_by_its_id_or_how_that_begins(harbor: Harbor) -> None:
    ids = list(await shown(harbor, FIRST))
    assert len(set(ids)) == len(ids) > 2
    assert (await do(harbor, "messages.forget", message=ids[0][:10])).messages == 1
    for wrong in ("abc", "not an id", "", "0123456789abcdef0", "fffffffffffff"):
        with pytest.raises(NotFound, match="message"):
            await do(harbor, "messages.forget", message=wrong)
    await do(harbor, "messages.forget", message=ids[0], apply=True)
    with pytest.raises(NotFound):
        await do(harbor, "messages.forget", message=ids[0], apply=True)


@pytest.mark.parametrize("mode", ["words", "exact", "regex"])
async def test_what_is_found_can_be_deleted_by_its_id(harbor: Harbor, mode: str) -> None:
    await read(harbor, LATE, *decided())
    found = (await do(harbor, "search", query=WORD, mode=mode, kinds=("messages",))).hits
    assert {hit.message for hit in found} == {await id_of(harbor, LATE, WORD), await id_of(harbor, LATE, "Done.")}
    for hit in found:
        await do(harbor, "messages.forget", message=hit.message, apply=True)
    assert holding(harbor) == set()


async def test_an_id_that_several_messages_begin_with_is_not_guessed_at(harbor: Harbor) -> None:
    def alike(conn: sqlite3.Connection) -> None:
        rows = conn.execute(
            "SELECT message_id, min(part) FROM message_parts WHERE message_id NOT NULL GROUP BY 1 LIMIT 2"
        )
        for place, (_, part) in enumerate(rows.fetchall()):
            conn.execute("UPDATE message_parts SET part = ? WHERE part = ?", (0x1234_5678_0000_0000 + place, part))

    await harbor.memory.writer.run(alike)
    with pytest.raises(BadParameter, match="say more"):
        await do(harbor, "messages.forget", message="12345678")


@pytest.mark.parametrize("whole", [True, False], ids=["the session", "the message"])
async def test_what_a_session_no_longer_says_goes_with_what_it_came_from(harbor: Harbor, *, whole: bool) -> None:
    def rewound(conn: sqlite3.Connection) -> None:
        conn.execute("UPDATE messages SET abandoned = 1 WHERE instr(text, ?)", (WORD,))
        conn.execute("UPDATE sessions SET revision = revision + 1 WHERE native_id = ?", (LATE,))

    await read(harbor, LATE, *decided())
    assert any(WORD in fact for fact in await learnt(harbor))
    await harbor.memory.writer.run(rewound)
    assert any(WORD in fact for fact in await learnt(harbor)), "it is told as taken back"
    message = await harbor.memory.readers.run(_beginning)

    operation, given = ("sessions.forget", {"session": LATE}) if whole else ("messages.forget", {"message": message})
    shown_first = await do(harbor, operation, **given)
    await do(harbor, operation, apply=True, **given)

    assert any(WORD in fact.text for fact in shown_first.forgotten)
    assert not any(WORD in fact for fact in await learnt(harbor))
    assert not await harbor.memory.readers.run(
        lambda conn: conn.execute(
            "SELECT 1 FROM fact_history WHERE instr(old_title || old_body, ?)", (WORD,)
        ).fetchall()
    )


def _beginning(conn: sqlite3.Connection) -> str:
    row = conn.execute("SELECT id FROM messages WHERE text = ?", (DECIDED,)).fetchone()
    return deleting.names(conn, [row[0]])[row[0]]
