"""OpenCode's store of single files, and that its ids in the database are the same messages."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from memd.adapter import Event, HostEnv, ReadLimits, Root, Source, Withdrawn
from memd.errors import TranscriptError
from memd.fold import fold, read_all
from memd_adapters import kilo
from memd_adapters.opencode import ADAPTER
from tests.unit.adapters.opencode_host import OpenCodeHost, by_id, calls, said

FIXTURE = Path(__file__).parents[2] / "fixtures/opencode/written/storage"
MAIN, CHILD, FORK = "ses_50ac9e1b7ffeHarborLamps01", "ses_50ac9d0a1ffeCountLamps02", "ses_50ac9c004ffeForkOfLamps3"


@pytest.fixture
def storage(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FIXTURE, tmp_path / "opencode/storage"))


def source(storage: Path, session: str) -> Source:
    path = next(storage.glob(f"session/*/{session}.json"))
    found = ADAPTER.recognise(path, path.read_bytes())
    assert found == Source("opencode", path, session)
    return found


def events(storage: Path, *sessions: str) -> list[Event]:
    return [
        event for session in sessions for event in read_all(ADAPTER, source(storage, session), ReadLimits())[0]
    ]  # fmt: skip


def test_a_session_its_child_and_its_fork_are_told(storage: Path) -> None:
    told = by_id(fold("opencode", events(storage, FORK, CHILD, MAIN)))
    assert said(told[MAIN]) == [
        "prompt: Wir nehmen LED für alle Lampen, nie wieder Natrium\u2028bitte",
        "reply: LED it is. I change the list.",
        "reply: Lamp 7 of nine has no bulb; the rest is LED now.",
        "prompt: put one in",
        "reply: ",
        "notice: MessageAbortedError: The operation was aborted.",
    ]
    assert calls(told[MAIN].messages) == [
        ("edit", True, None),
        ("bash", False, 2),
        ("task", True, None),
        ("write", False, None),
    ]
    assert (told[CHILD].session.kind, told[CHILD].session.parent) == ("subagent", MAIN)
    assert said(told[FORK]) == ["prompt: and the buoys?"]
    assert (told[FORK].session.kind, told[FORK].session.forked_from) == ("fork", MAIN)


def test_the_same_rows_in_the_database_are_the_same_messages(storage: Path, tmp_path: Path) -> None:
    host = OpenCodeHost(tmp_path / "opencode/opencode.db")
    for path in storage.glob("session/*/*.json"):
        row = json.loads(path.read_text())
        host.conn.execute(
            "INSERT INTO session (id, project_id, parent_id, slug, directory, title, version, time_created,"
            " time_updated) VALUES (?, ?, ?, 's', ?, ?, ?, ?, ?)",
            (row["id"], row["projectID"], row.get("parentID"), row["directory"], row["title"], row["version"],
             row["time"]["created"], row["time"]["updated"]),
        )  # fmt: skip
    for path in storage.glob("message/*/*.json"):
        row = json.loads(path.read_text())
        key, session, at = row.pop("id"), row.pop("sessionID"), row["time"]["created"]
        host.conn.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (key, session, at, at, json.dumps(row)))
    for path in storage.glob("part/*/*.json"):
        row = json.loads(path.read_text())
        key, session, message = row.pop("id"), row.pop("sessionID"), row.pop("messageID")
        host.conn.execute("INSERT INTO part VALUES (?, ?, ?, 1, 1, ?)", (key, message, session, json.dumps(row)))
    in_database, _ = read_all(ADAPTER, Source("opencode", host.path), ReadLimits())
    host.close()
    in_files = events(storage, MAIN, CHILD, FORK)
    assert by_id(fold("opencode", in_files)) == by_id(fold("opencode", in_database))
    assert by_id(fold("opencode", in_files + in_database)) == by_id(fold("opencode", in_files))


def test_a_message_whose_file_is_gone_was_taken_back(storage: Path) -> None:
    where = source(storage, MAIN)
    first = ADAPTER.read(where, None, ReadLimits())
    (storage / f"message/{MAIN}/msg_af5363c10001LampPrompt0002.json").unlink()
    row = json.loads(where.path.read_text())
    where.path.write_text(json.dumps({**row, "title": "Lamps"}))
    again = ADAPTER.read(where, first.cursor, ReadLimits())
    withdrawn = [event for event in again.events if isinstance(event, Withdrawn)]
    assert [event.messages[0] for event in withdrawn] == ["msg_af5363c10001LampPrompt0002"]
    told = by_id(fold("opencode", (*first.events, *again.events)))[MAIN]
    assert "-prompt: put one in" in said(told)
    assert told.session.title == "Lamps"


def test_only_files_that_are_new_are_told_again(storage: Path) -> None:
    for path in storage.rglob("*.json"):
        os.utime(path, (1_765_000_000, 1_765_000_000))
    where = source(storage, CHILD)
    part = storage / "part/msg_af5362260001CountReply0001/prt_af5362261001CountText00001.json"
    os.utime(part, (1_765_003_600, 1_765_003_600))
    first = ADAPTER.read(where, None, ReadLimits())
    part.write_text(part.read_text().replace("nine", "ten"))
    where.path.write_text(where.path.read_text() + "\n ")
    assert ADAPTER.read(where, first.cursor, ReadLimits()).lines == 1


def test_a_file_that_is_no_session_is_refused(storage: Path) -> None:
    where = source(storage, CHILD)
    where.path.write_text("[]")
    with pytest.raises(TranscriptError, match="no session of OpenCode"):
        ADAPTER.read(where, None, ReadLimits())


def test_an_id_that_is_no_name_leads_nowhere(storage: Path, tmp_path: Path) -> None:
    where = source(storage, CHILD)
    row = json.loads(where.path.read_text())
    where.path.write_text(json.dumps({**row, "id": "../../../etc"}))
    read, _ = read_all(ADAPTER, where, ReadLimits())
    assert len(read) == 1


def test_roots_follow_the_environment() -> None:
    def roots(**variables: str) -> list[str]:
        return [str(root.path) for root in ADAPTER.roots(HostEnv(Path("/home/ada"), variables, "linux"))]

    assert roots() == ["/home/ada/.local/share/opencode"]
    assert roots(XDG_DATA_HOME="/data") == ["/data/opencode"]
    assert roots(OPENCODE_DB="/srv/work.db") == ["/home/ada/.local/share/opencode", "/srv/work.db"]
    assert roots(OPENCODE_DB="work.db")[1:] == ["/home/ada/.local/share/opencode/work.db"]
    assert roots(OPENCODE_DB=":memory:") == roots(XDG_DATA_HOME="relative") == roots()
    assert roots(OPENCODE_DATA_DIR="/srv/data")[0] == "/srv/data"
    found = kilo.CORE.roots(HostEnv(Path("/home/ada"), {"KILO_DIR": "/srv/kilo"}, "linux", (Path("/x"),)))
    assert [str(root.path) for root in found] == ["/srv/kilo", "/home/ada/.local/share/kilo", "/x"]


def test_kilos_files_are_kilos() -> None:
    root = Root("kilo", Path("/home/ada/.local/share/kilo"))
    assert kilo.ADAPTER.classify(root, root.path / "kilo.db-wal") == Source("kilo", root.path / "kilo.db")
    assert kilo.ADAPTER.classify(root, root.path / "opencode.db") is None
    path = root.path / "storage/session/p/ses_1.json"
    head = b'{"id": "ses_1", "projectID": "p"}'
    assert kilo.ADAPTER.recognise(path, head) == Source("kilo", path, "ses_1")
    assert ADAPTER.recognise(path, head) is None


def test_both_generations_of_kilo_are_one_host(tmp_path: Path) -> None:
    env = HostEnv(tmp_path, {}, "linux", (Path("/x"),))
    roots = kilo.ADAPTER.roots(env)
    assert len(set(roots)) == len(roots)
    tasks = next(root for root in roots if "kilocode.kilo-code" in root.path.parts)
    core = Root("kilo", tmp_path / ".local/share/kilo")
    assert core in roots
    task = tasks.path / "1" / "api_conversation_history.json"
    assert kilo.ADAPTER.classify(tasks, task) == Source("kilo", task, "1")
    assert kilo.ADAPTER.classify(core, core.path / "kilo.db") == Source("kilo", core.path / "kilo.db")
