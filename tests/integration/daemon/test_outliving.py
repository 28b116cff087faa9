"""Sessions outlive the files they were read from: hosts delete theirs after some weeks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, wait_until
from tests.integration.daemon.talk import Talk

FIRST = "0a11ce00-0000-4000-8000-000000000001"
SAID = "The anchor chain has eleven shackles"


def test_a_session_whose_file_the_host_deleted_is_listed_found_and_exported(home: Home, project: Path) -> None:
    talk = Talk(home.transcript(FIRST), project)
    talk.user(SAID)
    with running(home):
        wait_until(lambda: home.call("status")["messages"] == 1, "the message")
        talk.path.unlink()
        wait_until(lambda: home.query("SELECT gone_at FROM sources")[0][0] is not None, "the file's end to be seen")

        (listed,) = home.call("sessions.list")
        (hit,) = home.call("search", query="anchor shackles")["hits"]
        out = home.folder / "out"
        memd = [sys.executable, "-m", "memd"]
        subprocess.run([*memd, "export", "--out", str(out)], env=home.env, check=True, capture_output=True)

    (exported,) = (out / "sessions").glob("*.json")
    assert listed["native_id"] == FIRST
    assert SAID in hit["text"]
    assert [message["text"] for message in json.loads(exported.read_text())["messages"]] == [SAID]
