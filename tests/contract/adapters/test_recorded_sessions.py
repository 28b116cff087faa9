from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from memd.model import Transcript
from memd.preview import read

FIXTURES = Path(__file__).parents[2] / "fixtures"
DECISION = "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server"
FOLLOW_UP = "Please add that the file is copied every night."
RECORDED = {
    "codex/0.171.0": "**/*.jsonl",
    "copilot/1.0.102": "**/events.jsonl",
    "opencode/1.18.33": "**/*.sql",
    "kilo/7.7.7": "**/*.sql",
    "gemini/0.61.0": "**/*.jsonl",
    "qwen/0.24.4": "**/*.jsonl",
    "cline/3.0.65": "**/*.messages.json",
    "continue/1.5.47": "**/????????-*.json",
    "aider/0.86.2": "**/.aider.chat.history.md",
}
SHELL_IN_WORDS = {"aider"}


@pytest.fixture(params=sorted(RECORDED))
def recording(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, tuple[Transcript, ...]]:
    """A host and the sessions of its recorded decision, which was taken up once more."""
    name: str = request.param
    host = name.partition("/")[0]
    (path,) = (FIXTURES / name / "decision").glob(RECORDED[name])
    return host, read(_database(path, tmp_path) if path.suffix == ".sql" else path, host)


def test_what_was_asked_and_said_is_read_once(recording: tuple[str, tuple[Transcript, ...]]) -> None:
    _, sessions = recording
    prompts = [one.text for session in sessions for one in session.messages if one.kind == "prompt"]
    replies = [one.text for session in sessions for one in session.messages if one.kind == "reply" and one.text]
    assert [prompt.startswith((DECISION, FOLLOW_UP)) for prompt in prompts] == [True, True]
    assert sum("docs/storage.md says why." in reply for reply in replies) == 1
    assert replies[-1] == "Added: the file is copied every night at 02:30."


def test_commands_and_edits_are_read_with_how_they_ended(recording: tuple[str, tuple[Transcript, ...]]) -> None:
    host, sessions = recording
    calls = [call for session in sessions for one in session.messages for call in one.tool_calls]
    assert {change.path for call in calls for change in call.changes} <= {
        "/home/ada/harbor/docs/storage.md",
        "docs/storage.md",
    }
    assert any(call.changes for call in calls)
    if host not in SHELL_IN_WORDS:
        assert [call.exit_code for call in calls if call.kind == "shell"] == [3, 0]


def test_the_folder_is_known(recording: tuple[str, tuple[Transcript, ...]]) -> None:
    host, sessions = recording
    assert {session.session.cwd for session in sessions} == {
        str(FIXTURES / "aider/0.86.2/decision/harbor") if host == "aider" else "/home/ada/harbor"
    }


def _database(sql: Path, folder: Path) -> Path:
    path = folder / "opencode.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(sql.read_text())
    return path
