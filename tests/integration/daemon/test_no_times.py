"""A host that gives no times: its sessions come to rest by the times of their files."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until

OLDER, NEWER = "0ada0000-c000-4000-8000-00000000000a", "0ada0000-c000-4000-8000-00000000000b"


def _write(home: Home, project: Path, session: str, said: str, at: int) -> None:
    history = [
        {"message": {"role": "user", "content": said, "id": "m1"}, "contextItems": []},
        {"message": {"role": "assistant", "content": "Agreed.", "id": "m2"}, "contextItems": []},
    ]
    path = home.folder / ".continue" / "sessions" / f"{session}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"sessionId": session, "workspaceDirectory": str(project), "history": history}))
    os.utime(path, (at, at))


def test_sessions_without_times_end_are_distilled_and_stand_in_their_place(home: Home, project: Path) -> None:
    _write(home, project, OLDER, "Always run the linter before committing.", 1_780_000_000)
    _write(home, project, NEWER, "Let's use SQLite instead of Postgres, the office has no server.", 1_780_100_000)
    with running(home):
        wait_until(lambda: settled(home), "both sessions to be distilled")
        status = home.call("status")
        listed = [session["native_id"] for session in home.call("sessions.list")]
        facts = " ".join(fact["text"] for fact in home.call("facts.list"))

    assert listed == [NEWER, OLDER]
    assert "linter" in facts
    assert "SQLite" in facts
    assert not [one for one in status["degraded"] if "nothing could be read" in one]
