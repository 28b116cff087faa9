"""Capture of hosts that keep databases: what lives in a -wal alone is seen, changed and taken back as it happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integration.capture.house import house
from tests.unit.adapters.cursor_host import Editor, user, write_rows
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
