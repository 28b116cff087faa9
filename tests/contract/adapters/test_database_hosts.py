"""Hosts that keep databases, held to the contract with a real host process at the other end of the file."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memd.adapter import Adapter, Batch, Cursor, Event, ReadLimits, Source
from memd.errors import TranscriptError
from memd.fold import fold, read_all
from memd.model import Message, Session, Transcript
from memd.store import sessions
from memd.store.ingest import Prepared, store_batch
from memd.store.migrate import migrations
from memd_adapters import cursor, opencode
from tests.contract.adapters.samples import BESIDE
from tests.unit.adapters.cursor_host import ChatStore, Editor
from tests.unit.adapters.opencode_host import SCHEMAS, OpenCodeHost

CHAT = "5f0e0c52-9f0d-4a61-8f0b-6f1fc2a0d001"
COMPOSER = "aaaa1111-0000-4000-8000-000000000001"

WRITER = """
import json, sqlite3, sys, time
conn = sqlite3.connect(sys.argv[1], isolation_level=None)
conn.execute("PRAGMA journal_mode = WAL").fetchall()
conn.execute("PRAGMA busy_timeout = 0")
busy = 0
for number in range(int(sys.argv[2])):
    at = 1_796_000_000_000 + number
    message, part = f"msg_{number:06}", f"prt_{number:06}"
    try:
        conn.execute("BEGIN IMMEDIATE")
        role = json.dumps({"role": "user"})
        conn.execute("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)", (message, at, at, role))
        text = json.dumps({"type": "text", "text": f"prompt {number}"})
        conn.execute("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?, ?)", (part, message, at, at, text))
        conn.execute("COMMIT")
        if number % 50 == 49:
            conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except sqlite3.OperationalError as error:
        busy += 1
print(busy)
"""

HOLDER = """
import sqlite3, sys
conn = sqlite3.connect(sys.argv[1])
conn.execute("SELECT count(*) FROM sqlite_master").fetchall()
print("open", flush=True)
sys.stdin.read()
"""


def looks(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in sorted(folder.iterdir())
    }  # fmt: skip


def sources(folder: Path) -> Iterator[tuple[Adapter, Source, sqlite3.Connection]]:
    """Make one database of each form; each has its rows in the -wal alone."""
    host = OpenCodeHost(folder / "opencode/opencode.db")
    session = host.session()
    host.prompt(session, "one")
    host.reply(session, "One.")
    yield opencode.ADAPTER, Source("opencode", host.path), host.conn
    editor = Editor(folder / "User/globalStorage/state.vscdb")
    editor.bubble(COMPOSER, "u1", "one")
    editor.bubble(COMPOSER, "a1", "One.")
    editor.composer(COMPOSER, ["u1", "a1"])
    yield cursor.ADAPTER, Source("cursor", editor.path), editor.conn
    chat = ChatStore(folder / f"chats/7d3c/{CHAT}")
    chat.root([chat.prompt("one"), chat.message("assistant", "One.")])
    yield cursor.ADAPTER, Source("cursor", chat.path, CHAT), chat.conn


def told(adapter: Adapter, source: Source) -> tuple[Transcript, ...]:
    return fold(adapter.name, read_all(adapter, source, ReadLimits())[0])


def left_by_a_killed_host(folder: Path) -> Iterator[tuple[Adapter, Source]]:
    """Make one database of each form with -wal and -shm and nobody who has it open."""
    for adapter, source, conn in sources(folder / "made"):
        left = folder / source.path.relative_to(folder / "made")
        shutil.copytree(source.path.parent, left.parent)
        conn.close()
        yield adapter, replace(source, path=left)


@contextmanager
def living_host(path: Path) -> Iterator[None]:
    """Have another process hold a database open, as a host at work does."""
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "open\n"
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("alive", [True, False])
def test_reading_leaves_a_hosts_files_as_they_are(tmp_path: Path, alive: bool) -> None:
    for adapter, source in left_by_a_killed_host(tmp_path):
        with living_host(source.path) if alive else nullcontext():
            before = looks(source.path.parent)
            assert len(before) >= 3
            assert adapter.recognise(source.path, source.path.read_bytes()[:65536]) == source
            (transcript,) = told(adapter, source)
            assert [message.text for message in transcript.messages] == ["one", "One."]
            read_all(adapter, source, ReadLimits(batch_bytes=1))
            assert looks(source.path.parent) == before


def test_reading_leaves_a_closed_hosts_files_as_they_are(tmp_path: Path) -> None:
    for adapter, source, conn in sources(tmp_path):
        conn.close()
        before = looks(source.path.parent)
        assert len(told(adapter, source)) == 1
        assert looks(source.path.parent) == before


def test_nothing_depends_on_where_the_home_folder_is(tmp_path: Path) -> None:
    for adapter, source, conn in sources(tmp_path / "home/ada"):
        moved = tmp_path / "elsewhere" / source.path.relative_to(tmp_path / "home/ada")
        moved.parent.mkdir(parents=True)
        for path in source.path.parent.iterdir():
            shutil.copyfile(path, moved.parent / path.name)
        conn.close()
        there, _ = read_all(adapter, replace(source, path=moved), ReadLimits())
        assert there == read_all(adapter, source, ReadLimits())[0]


def test_a_folder_that_may_not_be_written_to_is_read(tmp_path: Path) -> None:
    for adapter, source, conn in sources(tmp_path):
        wal = Path(f"{source.path}-wal").read_bytes()
        main = source.path.read_bytes()
        conn.close()
        for path in source.path.parent.iterdir():
            if path.name.startswith(source.path.name):
                path.unlink()
        source.path.write_bytes(main)
        Path(f"{source.path}-wal").write_bytes(wal)
        source.path.parent.chmod(0o555)
        try:
            assert len(told(adapter, source)) == 1
            assert not Path(f"{source.path}-shm").exists()
        finally:
            source.path.parent.chmod(0o755)


def test_a_host_that_writes_all_the_while_is_never_kept_out_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    conn = sqlite3.connect(path, isolation_level=None)
    conn.execute("PRAGMA journal_mode = WAL")
    conn.executescript(SCHEMAS["1.18"])
    conn.close()
    count = 300
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(count)], stdout=subprocess.PIPE, text=True)
    source = Source("opencode", path)
    events: list[Event] = []
    cursor_: Cursor | None = None
    done = False
    while True:
        with suppress(OSError):
            batch = opencode.ADAPTER.read(source, cursor_, ReadLimits(batch_bytes=2000))
            events += batch.events
            cursor_ = batch.cursor
            if done and not batch.more:
                break
        done = done or writer.poll() is not None
    assert writer.communicate()[0].strip() == "0"
    (transcript,) = fold("opencode", events)
    assert [message.text for message in transcript.messages] == [f"prompt {number}" for number in range(count)]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=400), whole=st.booleans())
def test_any_bytes_of_a_database_are_borne(tmp_path: Path, content: bytes, whole: bool) -> None:
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    for adapter, name in (
        (opencode.ADAPTER, "opencode.db"),
        (cursor.ADAPTER, "state.vscdb"),
        (cursor.ADAPTER, "store.db"),
    ):
        path = folder / name
        path.write_bytes(content if whole else b"SQLite format 3\0" + content)
        with suppress(TranscriptError, OSError):
            read_all(adapter, Source(adapter.name, path), ReadLimits())
        adapter.recognise(path, path.read_bytes())


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_damaged_databases_are_borne(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    for adapter, source, conn in sources(folder):
        conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = bytearray(source.path.read_bytes())
        conn.close()
        for _ in range(chance.randrange(1, 12)):
            at = chance.randrange(100 if chance.random() < 0.2 else len(content))
            content[at : at + chance.choice((1, 4, 60))] = chance.randbytes(chance.choice((1, 4, 60)))
        source.path.write_bytes(content)
        with suppress(TranscriptError, OSError):
            fold(adapter.name, read_all(adapter, source, ReadLimits())[0])


def plain(transcript: Transcript) -> tuple[Session, list[Message]]:
    """Take away what only a store gives, and what redaction may change."""
    session = replace(transcript.session, id=0, uid="", revision=0, state="live", project=None)
    messages = [
        replace(message, id=0, tool_calls=tuple(replace(call, output_chars=0) for call in message.tool_calls))
        for message in transcript.messages
    ]
    return session, messages


def stored(read: Sequence[tuple[Source, Batch]]) -> dict[str, tuple[Session, list[Message]]]:
    conn = sqlite3.connect(":memory:", isolation_level=None)
    conn.execute("PRAGMA foreign_keys = ON")
    for migration in migrations():
        conn.executescript(migration.sql)
    for source, batch in read:
        conn.execute("BEGIN IMMEDIATE")
        store_batch(conn, source, Prepared(batch, tuple("" for _ in batch.events)), 1)
        conn.execute("COMMIT")
    found = [session for (session,) in conn.execute("SELECT id FROM sessions").fetchall()]
    transcripts = [
        sessions.transcript(conn, session, include_copies=False, include_abandoned=True) for session in found
    ]
    conn.close()
    return {transcript.session.native_id: plain(transcript) for transcript in transcripts if transcript.messages}


@pytest.mark.parametrize("seed", range(8))
def test_fold_and_store_agree_on_rows_that_change_and_vanish(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    host = OpenCodeHost(tmp_path / "opencode.db")
    source = Source("opencode", host.path)
    read: list[tuple[Source, Batch]] = []
    cursor_: Cursor | None = None
    session_ids = [host.session()]
    messages: dict[str, list[str]] = {session_ids[0]: []}
    for step in range(50):
        session = chance.choice(session_ids)
        match chance.randrange(9):
            case 0 if messages[session]:
                host.clock += 50_000
                fork = host.fork(session)
                session_ids.append(fork)
                messages[fork] = []
            case 1 | 2:
                messages[session].append(host.prompt(session, f"prompt {step}"))
            case 3 | 4:
                messages[session].append(host.reply(session, f"reply {step}"))
            case 5:
                message = host.message(session, "assistant")
                state = {
                    "status": "completed",
                    "input": {"command": f"ls {step}"},
                    "output": "a",
                    "metadata": {"exit": 0},
                }
                host.part(session, message, type="tool", tool="bash", callID=f"call_{step:012}", state=state)
            case 6 if messages[session]:
                host.delete(messages[session].pop())
                host.touch(session)
            case _:
                batch = opencode.ADAPTER.read(source, cursor_, ReadLimits(batch_bytes=chance.choice((1, 500, 1 << 20))))
                read.append((source, batch))
                cursor_ = batch.cursor
    host.close()
    events = [event for _, batch in read for event in batch.events]
    folded = {transcript.session.native_id: plain(transcript) for transcript in fold("opencode", events)}
    assert stored(read) == {native: told for native, told in folded.items() if told[1]}


@pytest.mark.parametrize("seed", range(8))
def test_fold_and_store_agree_on_rewinds_in_cursor(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    editor = Editor(tmp_path / "globalStorage/state.vscdb")
    source = Source("cursor", editor.path)
    read: list[tuple[Source, Batch]] = []
    cursor_: Cursor | None = None
    order: list[str] = []
    for step in range(40):
        at = f"2026-08-29T09:{step:02}:00.000Z"
        match chance.randrange(6):
            case 0 | 1:
                order.append(f"u{step}")
                editor.bubble(COMPOSER, order[-1], f"prompt {chance.randrange(4)}", createdAt=at)
            case 2 | 3:
                order.append(f"a{step}")
                editor.bubble(COMPOSER, order[-1], f"answer {step}", createdAt=at)
            case 4 if len(order) > 2:
                del order[chance.randrange(1, len(order)) :]
            case _:
                batch = cursor.ADAPTER.read(source, cursor_, ReadLimits(batch_bytes=chance.choice((1, 300, 1 << 20))))
                read.append((source, batch))
                cursor_ = batch.cursor
        editor.composer(COMPOSER, order)
    editor.close()
    events = [event for _, batch in read for event in batch.events]
    folded = {transcript.session.native_id: plain(transcript) for transcript in fold("cursor", events)}
    assert stored(read) == folded


def recorded(name: str) -> Path:
    path = BESIDE / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def built(sql: Path, path: Path) -> sqlite3.Connection:
    """Build a database from its dump, with all rows in the -wal."""
    path.parent.mkdir(parents=True, exist_ok=True)
    conn = sqlite3.connect(path)
    conn.execute("PRAGMA journal_mode = WAL")
    conn.execute("PRAGMA wal_autocheckpoint = 0")
    conn.executescript(sql.read_text())
    return conn


def in_short(transcript: Transcript) -> str:
    """Return kind, messages by kind, calls (well + failed + unknown), abandoned: `main prompt1 reply6 calls4+1+0`."""
    words: list[str] = [transcript.session.kind]
    for kind in ("prompt", "reply", "summary", "command", "notice"):
        count = sum(message.kind == kind for message in transcript.messages)
        words += [f"{kind}{count}"] if count else []
    oks = [call.ok for message in transcript.messages for call in message.tool_calls]
    words += [f"calls{oks.count(True)}+{oks.count(False)}+{oks.count(None)}"] if oks else []
    abandoned = sum(message.abandoned for message in transcript.messages)
    words += [f"abandoned{abandoned}"] if abandoned else []
    return " ".join(words)


@pytest.mark.parametrize("dump", ["1.18.33__db", "1.18.33__db-checkpointed"])
def test_the_recorded_database_of_opencode_is_told(tmp_path: Path, dump: str) -> None:
    conn = built(recorded(f"opencode/{dump}/opencode.db.sql"), tmp_path / "opencode.db")
    events, skipped = read_all(opencode.ADAPTER, Source("opencode", tmp_path / "opencode.db"), ReadLimits())
    conn.close()
    told_now = {it.session.native_id[-6:]: in_short(it) for it in fold("opencode", events)}
    assert told_now == {
        "oWSZ5d": "main prompt1 reply6 calls4+1+0",
        "dkCXHZ": "main prompt1 reply2 calls3+0+0",
        "H9oMti": "main prompt1 reply2 calls1+0+0",
        "eF3vPI": "subagent prompt1 reply2 calls1+0+0",
        "cO18kD": "main prompt1 reply2 calls1+0+0",
        "szAR0d": "main prompt2 reply3 calls1+0+0",
    }
    assert not skipped


def test_the_recorded_files_of_opencode_are_told() -> None:
    folder = recorded("opencode/1.1.65__storage")
    events: list[Event] = []
    for path in folder.glob("session/*/*.json"):
        source = opencode.ADAPTER.recognise(path, path.read_bytes())
        assert source is not None
        events += read_all(opencode.ADAPTER, source, ReadLimits())[0]
    assert {it.session.native_id[-6:]: in_short(it) for it in fold("opencode", events)} == {
        "bP153b": "main prompt2 reply3 calls1+0+0",
        "Ic1RgJ": "main prompt1 reply2 calls1+0+0",
        "0ykTQZ": "subagent prompt1 reply2 calls1+0+0",
        "hOO4Tx": "main prompt1 reply2 calls1+0+0",
        "q3VDk7": "main prompt1 reply2 calls3+0+0",
        "US27Ht": "main prompt1 reply6 calls4+1+0",
    }


def test_the_recorded_stores_of_cursor_are_told(tmp_path: Path) -> None:
    folder = recorded("cursor")
    shutil.copytree(folder / "dot-cursor", tmp_path / ".cursor")
    shutil.copytree(folder / "state.vscdb-3.13", tmp_path / ".config/Cursor")
    conns = [built(sql, sql.with_suffix("")) for sql in tmp_path.rglob("*.sql")]
    events: list[Event] = []
    for path in sorted(path for path in tmp_path.rglob("*") if path.is_file()):
        source = cursor.ADAPTER.recognise(path, path.read_bytes()[:65536])
        if source is not None:
            events += read_all(cursor.ADAPTER, source, ReadLimits())[0]
    for conn in conns:
        conn.close()
    told_now = {it.session.native_id[:8] + it.session.native_id[-2:]: in_short(it) for it in fold("cursor", events)}
    assert told_now == {
        "4b0f9ad211": "main prompt2 reply2 calls0+0+1",
        "5f0e0c5201": "main prompt2 reply2 calls1+1+0 abandoned1",
        "7896c16845": "main prompt2 reply3 notice1 calls0+0+7",
        "0d4f1c5701": "subagent prompt1 reply2 calls0+0+1",
        "9d3f8a10ab": "main prompt2 reply4 calls2+0+0",
        "aaaa111101": "main prompt2 reply2 calls0+2+0 abandoned1",
        "aaaa111102": "main prompt1 reply1 calls1+0+0",
        "task-tooyZ": "subagent prompt1",
    }


@pytest.mark.parametrize("wal", [[], ["--wal"]])
def test_the_labelled_sessions_of_opencode_and_cursor_are_told(tmp_path: Path, wal: list[str]) -> None:
    build = BESIDE.parent / "eval/distill/build.py"
    if not build.exists():
        pytest.skip(f"{build} is not there")
    home = tmp_path / "home"
    only = ["--only", "oc-pandas-ventas-es", "oc-terraform-atlas", "cu-svelte-depot"]
    subprocess.run([sys.executable, str(build), str(home), *wal, *only], check=True, capture_output=True)
    database = home / ".local/share/opencode/opencode.db"
    before = looks(database.parent)
    told_now = fold("opencode", read_all(opencode.ADAPTER, Source("opencode", database), ReadLimits())[0])
    assert looks(database.parent) == before
    assert sorted(it.session.cwd or "" for it in told_now) == [
        "/home/dev/datos/ventas-etl",
        "/home/dev/infra/atlas-infra",
    ]
    assert all(it.messages and it.session.model == "claude-sonnet-5" for it in told_now)
    (transcript,) = (home / ".cursor/projects").rglob("*.jsonl")
    source = cursor.ADAPTER.recognise(transcript, transcript.read_bytes()[:65536])
    assert source is not None
    (session,) = told(cursor.ADAPTER, source)
    assert session.session.cwd == "/Users/dev/code/depot-dash"
    assert all(message.at for message in session.messages if message.kind == "prompt")
