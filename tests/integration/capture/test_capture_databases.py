"""Capture of hosts that keep databases: what lives in a -wal alone is seen, changed and taken back as it happens."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.integration.capture.house import house
from tests.unit.adapters.cursor_host import Editor, assistant, user, write_rows
from tests.unit.adapters.opencode_host import OpenCodeHost

pytestmark = pytest.mark.filterwarnings("ignore:Callback with id:RuntimeWarning")

COMPOSER = "aaaa1111-0000-4000-8000-000000000001"
ABANDONED = "SELECT text FROM messages WHERE abandoned ORDER BY seq"


async def test_rows_in_the_wal_alone_are_captured_as_they_are_written(tmp_path: Path) -> None:
    host = OpenCodeHost(tmp_path / ".local/share/opencode/opencode.db")
    session = host.session()
    host.prompt(session, "one")
    async with house(tmp_path, hosts=["opencode"]) as home:
        await home.until_texts("one", session=session)
        message = host.message(session, "assistant", time={"created": host.clock})
        part = host.part(session, message, type="text", text="tw")
        await home.until_texts("one", "tw", session=session)
        host.update("part", part, type="text", text="two")
        await home.until_texts("one", "two", session=session)
        third = host.prompt(session, "three")
        await home.until_texts("one", "two", "three", session=session)
        host.delete(third)
        await home.until(lambda rows: rows == [("three",)], ABANDONED)
        assert await home.query("SELECT count(*) FROM sessions") == [(1,)]
    host.close()


async def test_a_session_of_cursor_is_captured_once_from_two_stores(tmp_path: Path) -> None:
    editor = Editor(tmp_path / ".config/Cursor/User/globalStorage/state.vscdb")
    editor.bubble(COMPOSER, "u1", "one")
    editor.composer(COMPOSER, ["u1"])
    transcript = tmp_path / f".cursor/projects/s/agent-transcripts/{COMPOSER}/{COMPOSER}.jsonl"
    write_rows(transcript, [user("one")])
    async with house(tmp_path, hosts=["cursor"]) as home:
        await home.until_texts("one", session=COMPOSER)
        write_rows(transcript, [user("one"), user("two")])
        await home.until_texts("one", "two", session=COMPOSER)
        editor.bubble(COMPOSER, "u2", "two")
        editor.bubble(COMPOSER, "u3", "three")
        editor.composer(COMPOSER, ["u1", "u2", "u3"])
        await home.until_texts("one", "two", "three", session=COMPOSER)
        assert await home.query("SELECT count(*) FROM sessions") == [(1,)]
    editor.close()


async def test_a_transcript_of_cursor_stands_in_its_project_and_is_found(tmp_path: Path) -> None:
    repo = tmp_path / "loom"
    (repo / ".git").mkdir(parents=True)
    (repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    projects = tmp_path / ".cursor/projects/some-slug"
    write_rows(projects / f"agent-transcripts/{COMPOSER}.jsonl", [user("oil the shuttle"), assistant("Oiled.")])
    (projects / ".workspace-trusted").write_text(json.dumps({"workspacePath": str(repo)}))
    async with house(tmp_path, hosts=["cursor"]) as home:
        await home.until_texts("oil the shuttle", "Oiled.", session=COMPOSER)
        rows = await home.query("SELECT p.root, s.native_id FROM sessions s JOIN projects p ON p.id = s.project_id")
        assert rows == [(str(repo), COMPOSER)]
        found = "SELECT m.role FROM messages_fts f JOIN messages m ON m.id = f.rowid WHERE messages_fts MATCH ?"
        assert await home.query(found, "shuttl") == [("user",)]
