"""OpenCode's database: what its rows mean, and that reading while it is written loses and doubles nothing."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import FileChange, ReadLimits, Root, SessionUpdate, Source, ToolResult
from memd.errors import TranscriptError
from memd.text.redaction import scrub
from memd_adapters import kilo as kilo_code
from memd_adapters.opencode import ADAPTER
from tests.unit.adapters.opencode_host import START, OpenCodeHost, Reader, calls, said


@pytest.fixture
def host(tmp_path: Path) -> Iterator[OpenCodeHost]:
    host = OpenCodeHost(tmp_path / "opencode" / "opencode.db")
    yield host
    host.close()


def test_a_session_is_told_with_all_its_columns(host: OpenCodeHost) -> None:
    session = host.session()
    host.prompt(session, '"make the lamp blink"')
    host.reply(session, "It blinks.")
    reader = Reader(host.path)
    reader.read()
    told = reader.told()[session]
    assert said(told) == ["prompt: make the lamp blink", "reply: It blinks."]
    facts = told.session
    assert (facts.kind, facts.cwd, facts.model, facts.agent) == ("main", "/home/ada/harbor", "sol-2", "build")
    assert (facts.title, facts.version, facts.started_at) == ("Harbour lights", "1.18.33", START + 100)
    assert (facts.ended_at, reader.skipped) == (None, {})


def test_a_schema_without_model_and_agent_is_read_as_well(tmp_path: Path) -> None:
    host = OpenCodeHost(tmp_path / "opencode.db", "1.2")
    session = host.session("New session - 2026-11-30T01:05:30.759Z")
    host.prompt(session, "hello")
    host.reply(session, "Hello.")
    reader = Reader(host.path)
    reader.read()
    facts = reader.told()[session].session
    assert (facts.model, facts.agent, facts.title) == ("sol-2", "build", None)
    host.close()


def test_tools_tell_kind_result_exit_code_and_changes(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.message(session, "assistant")
    diff = "--- a\n+++ b\n@@\n-one\n+two\n+three\n"
    host.part(
        session, message, type="tool", tool="bash", callID="call_000000000001",
        state={"status": "completed", "input": {"command": "ls"}, "output": "no\n", "metadata": {"exit": 2},
               "time": {"start": 1, "end": START + 900}},
    )  # fmt: skip
    host.part(
        session, message, type="tool", tool="edit", callID="call_000000000002",
        state={"status": "completed", "input": {"filePath": "/h/a.py", "oldString": "one"}, "output": "ok",
               "metadata": {"diff": diff}},
    )  # fmt: skip
    host.part(
        session, message, type="tool", tool="write", callID="call_000000000003",
        state={"status": "completed", "input": {"filePath": "/h/b.py", "content": "x\ny\n"}, "output": "ok",
               "metadata": {"exists": False}},
    )  # fmt: skip
    host.part(
        session, message, type="tool", tool="harbor_lights", callID="1",
        state={"status": "error", "input": {}, "error": "The user rejected permission."},
    )  # fmt: skip
    reader = Reader(host.path)
    reader.read()
    results = [event for event in reader.events if isinstance(event, ToolResult)]
    assert [(result.ok, result.exit_code, result.output) for result in results] == [
        (False, 2, "no\n"),
        (True, None, "ok"),
        (True, None, "ok"),
        (False, None, "The user rejected permission."),
    ]
    assert results[0].at == START + 900
    changes = [change for result in results for change in result.changes]
    assert changes == [FileChange("/h/a.py", "update", 2, 1), FileChange("/h/b.py", "create", 2, 0)]
    message_told = reader.told()[session].messages[0]
    assert [call.kind for call in message_told.tool_calls] == ["shell", "edit", "write", "mcp"]


def test_a_child_session_is_a_subagent_and_its_call_names_it(host: OpenCodeHost) -> None:
    session = host.session()
    child = host.session("Look around (@general subagent)", parent=session)
    host.prompt(child, "count the lamps")
    message = host.message(session, "assistant")
    host.part(
        session, message, type="tool", tool="task", callID="call_000000000001",
        state={"status": "completed", "input": {}, "output": "three", "metadata": {"sessionId": child}},
    )  # fmt: skip
    reader = Reader(host.path)
    reader.read()
    told = reader.told()[child].session
    assert (told.kind, told.parent) == ("subagent", session)
    assert [event.child for event in reader.events if isinstance(event, ToolResult)] == [child]


def test_a_reply_that_grows_is_replaced_and_a_call_is_told_when_it_runs(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.message(session, "assistant", time={"created": host.clock})
    text = host.part(session, message, type="text", text="Let me")
    tool = host.part(
        session, message, type="tool", tool="bash", callID="call_000000000001", state={"status": "pending"}
    )
    reader = Reader(host.path)
    reader.read()
    assert (said(reader.told()[session]), calls(reader.told()[session].messages)) == (["reply: Let me"], [])
    host.update("part", text, type="text", text="Let me look.")
    running = {"status": "running", "input": {"command": "ls"}}
    host.update("part", tool, type="tool", tool="bash", callID="call_000000000001", state=running)
    reader.read()
    assert said(reader.told()[session]) == ["reply: Let me look."]
    assert calls(reader.told()[session].messages) == [("bash", None, None)]
    host.clock += 3_600_000
    done = {**running, "status": "completed", "output": "a.py", "metadata": {"exit": 0}}
    host.update("part", tool, type="tool", tool="bash", callID="call_000000000001", state=done)
    reader.read()
    assert calls(reader.told()[session].messages) == [("bash", True, 0)]


def test_a_title_that_comes_late_is_told(host: OpenCodeHost) -> None:
    session = host.session("New session - 2026-11-30T01:05:30.759Z")
    host.prompt(session, "hello")
    reader = Reader(host.path)
    reader.read()
    host.touch(session, title="Greetings")
    assert [event.title for event in reader.read() if isinstance(event, SessionUpdate)] == ["Greetings"]


def test_what_the_host_adds_to_a_prompt_is_no_word_of_the_user(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.prompt(session, "look at @a.py")
    host.part(session, message, type="text", synthetic=True, text='Called the Read tool with {"filePath":"a.py"}')
    host.part(session, message, type="text", synthetic=True, text="<path>a.py</path>")
    host.part(session, message, type="text", synthetic=True, text="Continue if you have next steps")
    host.part(session, message, type="file", mime="text/plain", filename="a.py", url="file:///a.py", source={})
    host.part(session, message, type="file", mime="image/png", url="data:image/png;base64,AAAA")
    reader = Reader(host.path)
    reader.read()
    assert said(reader.told()[session]) == [
        "prompt: look at @a.py\n\n[image]",
        "notice: Continue if you have next steps",
    ]


def test_a_compaction_summary_and_an_aborted_reply_are_the_hosts_words(host: OpenCodeHost) -> None:
    session = host.session()
    asked = host.message(session, "user")
    host.part(session, asked, type="compaction", auto=True)
    summary = host.message(session, "assistant", summary=True)
    host.part(session, summary, type="text", text="So far: lamps.")
    host.message(session, "assistant", error={"name": "MessageAbortedError", "data": {"message": "Aborted."}})
    reader = Reader(host.path)
    reader.read()
    assert said(reader.told()[session]) == ["summary: So far: lamps.", "notice: MessageAbortedError: Aborted."]


def test_unknown_parts_are_counted(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.prompt(session, "hello")
    host.part(session, message, type="hologram")
    host.conn.execute("INSERT INTO part VALUES ('prt_x', ?, ?, 1, 1, '{broken')", (message, session))
    host.conn.execute("INSERT INTO part VALUES ('prt_y', 'msg_none', ?, 1, 1, '{\"type\":\"text\"}')", (session,))
    host.conn.execute("INSERT INTO session_message VALUES ('m', ?, 'user', 1, '{}')", (session,))
    reader = Reader(host.path)
    reader.read()
    assert reader.skipped == {
        "unknown part: hologram": 1,
        "damaged line": 1,
        "row that is no JSON object": 1,
        "part without a message": 1,
        "rows of a newer form (session_message)": 1,
    }
    host.prompt(session, "again")
    reader.read()
    assert reader.skipped["rows of a newer form (session_message)"] == 1


def test_what_is_shown_while_the_host_works_is_no_answer(host: OpenCodeHost) -> None:
    session = host.session()
    message = host.message(session, "assistant", time={"created": host.clock})
    host.part(session, message, type="text", text="⠸ Initializing snapshot…")
    host.part(session, message, type="text", text="Done.")
    reader = Reader(host.path)
    reader.read()
    assert said(reader.told()[session]) == ["reply: Done."]


def test_another_database_in_its_place_is_read_from_its_start(host: OpenCodeHost, tmp_path: Path) -> None:
    session = host.session()
    host.prompt(session, "one")
    reader = Reader(host.path)
    reader.read()
    host.close()
    host.path.parent.rename(tmp_path / "before")
    again = OpenCodeHost(host.path)
    again.session()
    fresh = again.session()
    again.prompt(fresh, "new")
    assert reader.step().restarted
    assert said(reader.told()[session]) == ["prompt: one"]
    assert said(reader.told()[fresh])[-1] == "prompt: new"
    again.close()


def test_an_unchanged_database_is_not_even_opened(host: OpenCodeHost) -> None:
    host.prompt(host.session(), "one")
    reader = Reader(host.path)
    reader.read()
    before = reader.cursor
    assert reader.read() == []
    assert reader.cursor == before


def test_batches_hold_about_the_bytes_that_were_asked_for(host: OpenCodeHost) -> None:
    session = host.session()
    for _ in range(50):
        host.prompt(session, "x" * 2000)
    reader = Reader(host.path, 10_000)
    sizes = []
    more = True
    while more:
        before = reader.cursor.offset if reader.cursor else 0
        more = reader.step().more
        assert reader.cursor is not None
        sizes.append(reader.cursor.offset - before)
    assert max(sizes) < 14_000
    assert len(reader.told()[session].messages) == 50


def test_the_state_is_small_and_holds_no_secret_to_redact(host: OpenCodeHost) -> None:
    for _ in range(30):
        session = host.session()
        for number in range(100):
            host.message(session, "user", number=number)
    reader = Reader(host.path)
    reader.read()
    assert reader.cursor is not None
    assert len(reader.cursor.state) < 60_000
    assert scrub(reader.cursor.state).text == reader.cursor.state


def test_tables_of_credentials_are_never_read(host: OpenCodeHost) -> None:
    session = host.session()
    host.prompt(session, "one")
    asked: list[str] = []
    host.conn.execute("INSERT INTO credential VALUES ('a', 'not for us')")
    reader = Reader(host.path)
    connect = sqlite3.connect

    def watched(*arguments: object, **options: object) -> sqlite3.Connection:
        conn = connect(*arguments, **options)  # type: ignore[call-overload]
        conn.set_trace_callback(asked.append)
        return conn  # type: ignore[no-any-return]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", watched)
        reader.read()
    assert asked
    assert not any("credential" in sql or "account" in sql or "*" in sql.split("FROM")[0] for sql in asked if
                   "count(*)" not in sql)  # fmt: skip


def test_foreign_databases_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as conn:
        conn.execute("CREATE TABLE message (id)")
    conn.close()
    with pytest.raises(TranscriptError, match="no database of OpenCode"):
        ADAPTER.read(Source("opencode", path), None, ReadLimits())


@pytest.mark.parametrize("name", ["opencode.db", "opencode-local.db", "copy.db"])
def test_a_database_lying_anywhere_is_recognised(host: OpenCodeHost, tmp_path: Path, name: str) -> None:
    host.session()
    copy = tmp_path / "elsewhere" / name
    copy.parent.mkdir()
    host.conn.execute("VACUUM INTO ?", (str(copy),))
    head = copy.read_bytes()[:65536]
    assert ADAPTER.recognise(copy, head) == Source("opencode", copy)
    assert kilo_code.ADAPTER.recognise(copy, head) is None
    kilo = copy.rename(copy.with_name("kilo.db"))
    assert ADAPTER.recognise(kilo, head) is None
    assert kilo_code.ADAPTER.recognise(kilo, head) == Source("kilo", kilo)


def test_places_of_databases_and_their_wal() -> None:
    root = Root("opencode", Path("/home/ada/.local/share/opencode"))
    for name in ("opencode.db", "opencode.db-wal"):
        assert ADAPTER.classify(root, root.path / name) == Source("opencode", root.path / "opencode.db")
    assert ADAPTER.classify(root, root.path / "opencode-local.db-wal") == Source(
        "opencode", root.path / "opencode-local.db"
    )
    for name in ("opencode.db-shm", "auth.json", "log/dev.log", "snapshot/x/opencode.db", "other.db"):
        assert ADAPTER.classify(root, root.path / name) is None
    named = Root("opencode", Path("/data/work.db"))
    assert ADAPTER.classify(named, Path("/data/work.db-wal")) == Source("opencode", Path("/data/work.db"))
    session = root.path / "storage/session/p1/ses_0001.json"
    assert ADAPTER.classify(root, session) == Source("opencode", session, "ses_0001")
    assert ADAPTER.classify(root, root.path / "storage/message/ses_0001/msg_1.json") is None


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_any_interleaving_of_writes_and_reads_tells_the_same(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    host = OpenCodeHost(folder / "opencode.db", chance.choice(("1.2", "1.18")))
    reader = Reader(host.path, chance.choice((1, 400, 1 << 20)))
    sessions = [host.session()]
    open_parts: list[tuple[str, str]] = []
    for step in range(60):
        session = chance.choice(sessions)
        match chance.randrange(10):
            case 0:
                sessions.append(host.session(parent=chance.choice((None, session))))
            case 1 | 2:
                host.prompt(session, f"prompt {step}")
            case 3:
                message = host.message(session, "assistant", time={"created": host.tick()})
                part = host.part(session, message, type="text", text="Le")
                open_parts.append((part, f"Let me {step}."))
            case 4 | 5 if open_parts:
                part, text = open_parts.pop(chance.randrange(len(open_parts)))
                host.update("part", part, type="text", text=text)
            case 6:
                host.clock += chance.choice((5, 3_000, 9_000))
                host.touch(session, title=f"Title {step}")
            case 7:
                assert host.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0
            case _:
                reader.step() if chance.random() < 0.5 else reader.read()
    for part, text in open_parts:
        host.update("part", part, type="text", text=text)
    for session in sessions:
        host.touch(session)
    reader.read()
    whole = Reader(host.path)
    whole.read()
    assert reader.told() == whole.told()
    host.close()
