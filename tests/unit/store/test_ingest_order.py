"""Whatever order, cuts and repetitions files are read in, the store ends up with the same rows."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Cursor, Event, FileChange, MessagePart, SessionKind, SessionUpdate, ToolResult, Withdrawn
from memd.store.dump import dump
from memd.text.tokens import prepare
from tests.unit.store.rows import database, link, part, prompt, result, store, use


@dataclass(frozen=True)
class File:
    """A file with a session, or with a stretch of one: its rows in order."""

    name: str
    rows: tuple[Event, ...]


def in_session(event: Event, session: str, copied_from: str | None) -> Event:
    if isinstance(event, Withdrawn):
        return replace(event, session=session)
    if isinstance(event, MessagePart):
        return replace(event, session=session, copied_from=copied_from)
    assert not isinstance(event, SessionUpdate)
    return replace(event, session=session)


@st.composite
def rows_of(draw: st.DrawFn, session: str, start: int, known: list[str]) -> list[Event]:
    """New rows of a session from a place on: prompts (perhaps rewinds), replies in pieces, calls, results."""
    rows: list[Event] = []
    seq = start
    names = list(known)

    def name() -> str:
        nonlocal seq
        seq += 1
        names.append(f"{session}{seq}")
        return names[-1]

    for _ in range(draw(st.integers(0, 3))):
        parent = draw(st.sampled_from([None, *names[-12:], "nowhere"]))
        rows.append(prompt(session, name(), seq, parent=parent))
        if draw(st.booleans()):
            rows.append(link(session, name(), seq, parent=names[-1]))
        first = name()
        rows.append(part(session, first, seq, f"reply {first}" * draw(st.integers(0, 1)), message=first, thinking="hm"))
        for _ in range(draw(st.integers(0, 2))):
            call, text = name(), draw(st.sampled_from(["", "and more"]))
            made = part(session, call, seq, text, message=first, calls=(use(call),))
            change = FileChange(f"/home/ada/{call}", "update", 1, 0)
            done = result(session, name(), seq, call, f"out {seq}", changes=(change,))
            # A host may write a result before its call, or never.
            rows += draw(st.sampled_from([(made, done), (made, done), (done, made), (made,), (done,)]))
    if draw(st.integers(0, 5)) == 0:
        rows.append(result(session, name(), seq, f"lost-{session}"))
    if names and draw(st.integers(0, 3)) == 0:
        rows.append(Withdrawn(session, tuple(draw(st.lists(st.sampled_from(names), max_size=2)))))
    return rows


@st.composite
def families(draw: st.DrawFn) -> list[File]:
    """An origin and forks of it or of one another, with hints of several kinds or none."""
    order = draw(st.permutations(["m", "f", "z"]))
    histories: dict[str, list[Event]] = {}
    files = []
    for number, session in enumerate(order[: draw(st.integers(2, 3))]):
        copied: list[Event] = []
        update = SessionUpdate(session, cwd=f"/home/ada/{session}", title=session)
        if number:
            origin = draw(st.sampled_from(list(histories)))
            hint = draw(st.sampled_from(["session", "rows", "kind", "none"]))
            kind: SessionKind | None = "background" if hint == "kind" else None
            update = replace(update, kind=kind, forked_from=origin if hint == "session" else None)
            until = draw(st.integers(0, len(histories[origin])))
            marks = origin if hint == "rows" else None
            copied = [in_session(row, session, marks) for row in histories[origin][:until]]
        known = [row.part for row in copied if not isinstance(row, SessionUpdate | Withdrawn)]
        own = draw(rows_of(session, 100 * (number + 1), known))
        histories[session] = copied + own
        # What the host says of a session may stand at the end of its file.
        rows = [update, *histories[session]] if draw(st.booleans()) else [*histories[session], update]
        stretches = sorted(draw(st.sets(st.integers(1, len(rows) - 1), max_size=2))) if len(rows) > 1 else []
        for begin, end in itertools.pairwise([0, *stretches, len(rows)]):
            files.append(File(f"{session}-{begin}", tuple(rows[begin:end])))
    return files


def read(files: list[File], cuts: list[list[int]], turns: list[int]) -> str:
    """Read the files in pieces, taking the next piece of the file whose turn it is, and dump what came of it."""
    conn = database()
    places = [0] * len(files)
    chunks = [list(itertools.pairwise([0, *cut, len(file.rows)])) for file, cut in zip(files, cuts, strict=True)]
    for turn in [*turns, *(n for n, pieces in enumerate(chunks) for _ in pieces)]:
        if places[turn] >= len(chunks[turn]):
            continue
        begin, end = chunks[turn][places[turn]]
        places[turn] += 1
        store(
            conn,
            files[turn].name,
            files[turn].rows[begin:end],
            cursor=Cursor(offset=end, size=len(files[turn].rows)),
        )
    problems = conn.execute("PRAGMA foreign_key_check").fetchall()
    assert not problems
    check_index(conn)
    text = dump(conn)
    for file in files:
        store(conn, file.name, file.rows, cursor=Cursor(len(file.rows), len(file.rows)), restarted=True)
    assert dump(conn) == text, "a file read again changed something"
    conn.close()
    return text


def check_index(conn: object) -> None:
    """What the indexes hold is what was prepared of the stored rows: taking it all out leaves nothing."""
    import sqlite3

    from memd.store.calls import call_text

    assert isinstance(conn, sqlite3.Connection)
    conn.execute("SAVEPOINT emptied")
    for row, text in conn.execute("SELECT id, text FROM messages WHERE text != ''").fetchall():
        conn.execute(
            "INSERT INTO messages_fts (messages_fts, rowid, body) VALUES ('delete', ?, ?)", (row, prepare(text))
        )
    for row, asked, output in conn.execute("SELECT id, input, output FROM tool_calls").fetchall():
        body = prepare(call_text(asked, output))
        conn.execute("INSERT INTO calls_fts (calls_fts, rowid, body) VALUES ('delete', ?, ?)", (row, body))
    for table in ("messages", "calls"):
        conn.execute(f"CREATE VIRTUAL TABLE temp.{table}_vocabulary USING fts5vocab(main, {table}_fts, row)")
        assert conn.execute(f"SELECT term, doc FROM temp.{table}_vocabulary").fetchall() == []
        assert conn.execute(f"SELECT count(*) FROM {table}_fts_docsize").fetchone() == (0,)
        conn.execute(f"DROP TABLE temp.{table}_vocabulary")
    conn.execute("ROLLBACK TO emptied")
    conn.execute("RELEASE emptied")


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(data=st.data())
def test_forks_and_origin_may_be_read_in_any_order_and_cut(data: st.DataObject) -> None:
    files = data.draw(families())
    whole = read(files, [[] for _ in files], list(range(len(files))))
    cuts = [
        sorted(data.draw(st.sets(st.integers(1, len(file.rows) - 1), max_size=3))) if len(file.rows) > 1 else []
        for file in files
    ]
    turns = data.draw(st.lists(st.integers(0, len(files) - 1), max_size=12))
    assert read(files, cuts, turns) == whole


def test_a_result_whose_call_only_another_copy_has_is_stood_in_for_nowhere() -> None:
    shared: list[Event] = [prompt("m", "m1", 1), result("m", "m3", 3, "c", "known")]
    files = [
        File("m", (*shared, part("m", "m2", 2, calls=(use("c"),)))),
        File("f", tuple(in_session(row, "f", None) for row in shared)),
    ]
    (text,) = {read(files, [[], []], list(turns)) for turns in ([0, 1], [1, 0])}
    assert "unknown" not in text
    assert text.count('"known"') == 1


def test_a_result_of_each_fork_leaves_the_one_of_the_origin() -> None:
    shared = [prompt("m", "m1", 1), part("m", "m2", 2, calls=(use("c"),))]
    files = [
        File("m", (*shared, result("m", "m3", 3, "c", "of the origin"))),
        File("f", (SessionUpdate("f", forked_from="m"), *(in_session(row, "f", None) for row in shared),
                   result("f", "f3", 3, "c", "of the fork"))),
    ]  # fmt: skip
    dumps = {read(files, [[], []], list(turns)) for turns in ([0, 1], [1, 0])}
    assert len(dumps) == 1
    assert "of the origin" in dumps.pop()
    assert isinstance(files[0].rows[-1], ToolResult)
