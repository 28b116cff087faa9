"""What one read of a source leaves in the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import replace

from memd.adapter import Batch, Cursor, Event, FileChange, MessagePart, SessionUpdate, ToolResult, Withdrawn
from memd.model import Message
from memd.store import messages, sessions, sources
from memd.store.ingest import Prepared, store_batch
from tests.unit.store.rows import HOST, copies, found, link, part, prompt, result, source, store, texts, use


def session_id(conn: sqlite3.Connection, name: str) -> int:
    session = sessions.by_native(conn, HOST, name)
    assert session is not None
    return session.id


def transcript(conn: sqlite3.Connection, name: str, *, include_copies: bool = False) -> tuple[Message, ...]:
    return messages.of_session(conn, session_id(conn, name), include_copies=include_copies)


def abandoned(conn: sqlite3.Connection, name: str) -> list[str]:
    return [message.key for message in transcript(conn, name, include_copies=True) if message.abandoned]


def test_parts_of_one_message_are_joined_in_their_order(conn: sqlite3.Connection) -> None:
    rows = [part("s", "b", 2, "second", message="m", thinking="then"), part("s", "a", 1, "first", message="m")]
    done = store(conn, "s", [*rows, part("s", "c", 3, "", message="m", calls=(use("t"),))])
    assert (done.new_messages, done.new_calls) == (1, 1)
    (message,) = transcript(conn, "s")
    assert (message.text, message.thinking, message.seq) == ("first\n\nsecond", "then", 1)
    assert [call.call_id for call in message.tool_calls] == ["t"]


def test_a_later_read_extends_a_message_and_what_finds_it(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, "lighthouse", message="m")])
    done = store(conn, "s", [part("s", "b", 2, "harbourMaster", message="m")])
    assert done.new_messages == 0
    assert texts(conn, "s") == ["lighthouse\n\nharbourMaster"]
    assert [found(conn, word) for word in ("lighthouse", "harbourMaster", "master", "nowhere")] == [1, 1, 1, 0]


def test_what_is_read_again_adds_nothing(conn: sqlite3.Connection) -> None:
    rows: list[Event] = [
        prompt("s", "a", 1),
        part("s", "b", 2, "yes", calls=(use("t"),)),
        result("s", "c", 3, "t"),
        link("s", "d", 4),
    ]
    store(conn, "s", rows)
    before = sessions.get(conn, session_id(conn, "s"))
    done = store(conn, "s", rows)
    assert (done.new_messages, done.new_calls, done.known_parts, done.sessions) == (0, 0, 4, ())
    assert sessions.get(conn, session_id(conn, "s")) == before


def test_a_row_that_the_host_updates_in_place_replaces_its_share_only(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, "draft", message="m"), part("s", "b", 2, "stays", message="m")])
    store(conn, "s", [part("s", "a", 1, "final version", message="m", calls=(use("t"),), replace=True)])
    assert texts(conn, "s") == ["final version\n\nstays"]
    assert [found(conn, word) for word in ("draft", "final", "stays")] == [0, 1, 1]
    store(conn, "s", [part("s", "a", 1, "", message="m", replace=True)])
    assert texts(conn, "s") == ["stays"]


def test_a_row_updated_within_one_read_counts_as_it_was_last(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, "draft"), part("s", "a", 1, "the longer final", replace=True)])
    store(conn, "s", [part("s", "b", 2, "more", message="a")])
    assert texts(conn, "s") == ["the longer final\n\nmore"]
    assert [found(conn, word) for word in ("draft", "longer")] == [0, 1]


def test_a_result_finishes_its_call_with_the_files_it_changed(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, calls=(use("t", "make buoy"),))])
    change = FileChange("/home/ada/harbor/buoy.c", "update", 3, 1)
    store(conn, "s", [result("s", "b", 2, "t", "no rule", ok=False, changes=(change,), child="kid")])
    (call,) = transcript(conn, "s")[0].tool_calls
    assert (call.ok, call.exit_code, call.output) == (False, 2, "no rule")
    assert [(file.path, file.op, file.added, file.removed) for file in call.changes] == [
        ("/home/ada/harbor/buoy.c", "update", 3, 1)
    ]
    assert [found(conn, word, "calls") for word in ("buoy", "rule", "done")] == [1, 1, 0]


def test_a_result_without_its_call_is_kept_and_healed_when_the_call_comes(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "p", 1), result("s", "b", 3, "t", "orphan")])
    stand_in = transcript(conn, "s")[-1]
    assert (stand_in.kind, [(call.name, call.output) for call in stand_in.tool_calls]) == (
        "notice",
        [("unknown", "orphan")],
    )
    assert sessions.get(conn, session_id(conn, "s")).messages == 2
    store(conn, "s", [part("s", "a", 2, calls=(use("t"),))])
    shown = transcript(conn, "s")
    assert [message.key for message in shown] == ["p", "a"]
    assert [(call.name, call.output) for call in shown[-1].tool_calls] == [("Run", "orphan")]
    assert sessions.get(conn, session_id(conn, "s")).messages == 2


def test_two_calls_under_one_id_are_both_kept(conn: sqlite3.Connection) -> None:
    store(conn, "s", [part("s", "a", 1, calls=(use("t", "first"),)), result("s", "b", 2, "t", "one")])
    store(conn, "s", [part("s", "c", 3, calls=(use("t", "second"),)), result("s", "d", 4, "t", "two")])
    calls = [call for message in transcript(conn, "s") for call in message.tool_calls]
    assert [(call.input, call.output) for call in calls] == [("first", "one"), ("second", "two")]


def test_a_fork_links_the_history_it_shares(conn: sqlite3.Connection) -> None:
    store(conn, "m", [prompt("m", "a", 1), part("m", "b", 2, "yes", calls=(use("t"),)), result("m", "c", 3, "t")])
    fork: list[Event] = [prompt("f", "a", 1), part("f", "b", 2, "yes", calls=(use("t"),)), result("f", "c", 3, "t")]
    done = store(conn, "f", [SessionUpdate("f", forked_from="m"), *fork, prompt("f", "d", 4)])
    assert (done.new_messages, done.new_calls, done.copied_parts) == (1, 0, 3)
    assert (texts(conn, "f"), copies(conn, "f")) == (["ask d"], ["a", "b"])
    assert [message.key for message in transcript(conn, "f", include_copies=True)] == ["a", "b", "d"]
    session = sessions.get(conn, session_id(conn, "f"))
    assert (session.messages, session.started_at) == (1, 1004)


def test_a_session_read_after_its_fork_gets_its_history_back(conn: sqlite3.Connection) -> None:
    rows: list[MessagePart | ToolResult] = [
        part("{}", "b", 2, "yes", calls=(use("t"),)),
        result("{}", "c", 3, "t", changes=(FileChange("x", "create"),)),
    ]
    store(conn, "f", [SessionUpdate("f", kind="background"), prompt("f", "a", 1), *_in(rows, "f"), prompt("f", "d", 4)])
    store(conn, "m", [prompt("m", "a", 1), *_in(rows, "m")])
    assert (texts(conn, "m"), texts(conn, "f"), copies(conn, "f")) == (["ask a", "yes"], ["ask d"], ["a", "b"])
    assert [sessions.get(conn, session_id(conn, name)).messages for name in "mf"] == [2, 1]
    owners = conn.execute(
        "SELECT DISTINCT session_id FROM tool_calls UNION SELECT session_id FROM file_changes"
    ).fetchall()
    assert owners == [(session_id(conn, "m"),)]


def test_a_message_that_goes_on_in_a_background_copy_is_parted_between_both(conn: sqlite3.Connection) -> None:
    first, second = part("f", "a", 1, "begun", message="m"), part("f", "b", 2, "ended", message="m")
    store(conn, "f", [SessionUpdate("f", kind="background"), first, second])
    store(conn, "o", [part("o", "a", 1, "begun", message="m")])
    assert (texts(conn, "o"), texts(conn, "f"), copies(conn, "f")) == (["begun"], ["ended"], ["m"])
    assert (found(conn, "begun"), found(conn, "ended")) == (1, 1)


def test_a_result_that_only_the_fork_has_finishes_the_shared_call(conn: sqlite3.Connection) -> None:
    store(conn, "m", [part("m", "a", 1, calls=(use("t"),))])
    store(conn, "f", [SessionUpdate("f", forked_from="m"), part("f", "a", 1, calls=(use("t"),))])
    done = store(conn, "f", [result("f", "b", 2, "t", "late")])
    assert [call.output for call in transcript(conn, "m")[0].tool_calls] == ["late"]
    assert done.new_messages == 0
    assert {name for _, name in done.sessions} == {"m", "f"}


def test_a_prompt_that_goes_back_leaves_what_lies_between_abandoned(conn: sqlite3.Connection) -> None:
    rows = [prompt("s", "a", 1), part("s", "b", 2), prompt("s", "c", 3, parent="b"), part("s", "d", 4)]
    store(conn, "s", rows)
    store(conn, "s", [prompt("s", "e", 5, parent="b"), part("s", "f", 6)])
    assert abandoned(conn, "s") == ["c", "d"]
    kept = messages.of_session(conn, session_id(conn, "s"), include_abandoned=False)
    assert [message.key for message in kept] == ["a", "b", "e", "f"]


def test_unknown_missing_and_circular_parents_abandon_nothing(conn: sqlite3.Connection) -> None:
    rows: list[Event] = [
        prompt("s", "a", 1, parent="c"),
        part("s", "b", 2),
        prompt("s", "c", 3, parent="nowhere"),
        prompt("s", "d", 4),
    ]
    store(conn, "s", [*rows, link("s", "e", 5, "d"), prompt("s", "f", 6, parent="e"), prompt("s", "g", 7, parent="g")])
    assert abandoned(conn, "s") == []


def test_what_a_fork_rewinds_stays_as_it_was_in_its_origin(conn: sqlite3.Connection) -> None:
    shared = [prompt("m", "a", 1), part("m", "b", 2), prompt("m", "c", 3, parent="b"), part("m", "d", 4)]
    store(conn, "m", shared)
    store(conn, "f", [SessionUpdate("f", forked_from="m"), *_in(shared, "f"), prompt("f", "e", 5, parent="b")])
    assert (abandoned(conn, "m"), abandoned(conn, "f")) == ([], ["c", "d"])


def test_withdrawn_messages_are_kept_and_marked(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1), part("s", "b", 2), part("s", "c", 3)])
    store(conn, "s", [Withdrawn("s", ("b", "unknown"))])
    assert abandoned(conn, "s") == ["b"]
    assert store(conn, "s", [Withdrawn("s", ("b",))]).sessions == ()


def test_updates_are_merged_and_never_take_anything_away(conn: sqlite3.Connection) -> None:
    first = SessionUpdate("s", cwd="/home/ada/harbor", branch="main", title="Tides", title_by_user=True, started_at=500)
    store(
        conn,
        "s",
        [first, SessionUpdate("s", cwd="/tmp", branch="wip", title="Guessed", model="m-1"), prompt("s", "a", 1)],
    )
    session = sessions.get(conn, session_id(conn, "s"))
    assert (session.cwd, session.branch, session.title, session.model) == ("/home/ada/harbor", "wip", "Tides", "m-1")
    assert (session.started_at, session.last_at, session.state) == (500, 1001, "live")
    store(conn, "s", [SessionUpdate("s", title="Tide tables", title_by_user=True)])
    assert sessions.get(conn, session_id(conn, "s")).title == "Tide tables"


def test_new_content_reopens_an_ended_session(conn: sqlite3.Connection) -> None:
    store(conn, "s", [prompt("s", "a", 1), SessionUpdate("s", ended_at=2000, end_reason="exit")])
    ended = sessions.get(conn, session_id(conn, "s"))
    assert (ended.state, ended.ended_at, ended.end_reason) == ("ended", 2000, "exit")
    store(conn, "s", [SessionUpdate("s", ended_at=2000, end_reason="exit")])
    assert sessions.get(conn, session_id(conn, "s")) == ended
    store(conn, "s", [part("s", "late", 2, at=1990)])
    assert sessions.get(conn, session_id(conn, "s")).state == "ended"
    store(conn, "s", [part("s", "b", 3, at=2100)])
    live = sessions.get(conn, session_id(conn, "s"))
    assert (live.state, live.ended_at, live.end_reason) == ("live", None, None)
    assert live.revision > ended.revision


def test_the_source_tells_the_parent_of_a_subagent(conn: sqlite3.Connection) -> None:
    batch = Batch((prompt("kid", "a", 1),), Cursor(offset=1))
    store_batch(conn, replace(source("kid"), parent="mother"), Prepared(batch, ("",)), 0)
    session = sessions.by_native(conn, HOST, "kid")
    assert session is not None
    assert session.parent == "mother"


def test_rows_appended_to_a_file_that_was_rewritten_shorter_stay_behind_the_older_ones(
    conn: sqlite3.Connection,
) -> None:
    store(conn, "s", [prompt("s", name, seq) for seq, name in enumerate("abcdef")])
    kept = [prompt("s", name, seq) for seq, name in enumerate("aef")]
    store(conn, "s", [*kept, prompt("s", "g", 3)], restarted=True)
    store(conn, "s", [prompt("s", "h", 4)])
    assert texts(conn, "s") == [f"ask {name}" for name in "abcdefgh"]


def test_cursor_skips_and_rows_are_one_transaction(conn: sqlite3.Connection) -> None:
    conn.execute("BEGIN IMMEDIATE")
    cursor = Cursor(offset=10, size=12, head="h", tail="t", state="{}")
    batch = Batch((prompt("s", "a", 1),), cursor, skipped={"torn line": 2}, lines=3)
    store_batch(conn, source("s"), Prepared(batch, ("ask a",)), 0)
    assert sources.load(conn, HOST, source("s").path) == cursor
    conn.execute("ROLLBACK")
    assert sources.load(conn, HOST, source("s").path) is None
    assert conn.execute("SELECT count(*) FROM messages").fetchone() == (0,)


def _in(rows: Iterable[MessagePart | ToolResult], session: str) -> list[Event]:
    return [replace(row, session=session) for row in rows]
