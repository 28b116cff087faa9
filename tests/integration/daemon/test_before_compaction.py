"""What was said last is kept before the host compacts a session, without what is secret."""

from __future__ import annotations

from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, wait_until
from tests.integration.daemon.talk import Talk

SESSION = "0a11ce00-0000-4000-8000-000000000007"
SECRET = "sk-" + "ant-api03-" + "Wq7" * 20
PROMPTS = (
    "The tide table needs a column for the keel depth.",
    f"the pilot service wants the key {SECRET} as a header",
    "Show the depth in fathoms on the pier board.",
)


def test_the_last_prompts_are_kept_with_their_session_and_without_secrets(home: Home, project: Path) -> None:
    with running(home):
        home.hook("SessionStart", SESSION, project, source="startup")
        talk = Talk(home.transcript(SESSION), project)
        for prompt in PROMPTS:
            talk.user(prompt)
            talk.model("Noted.")
        home.hook("PreCompact", SESSION, project, trigger="auto")
        # Nothing but the hook tells of the transcript's end: the session goes on.
        wait_until(lambda: home.call("status")["messages"] == 2 * len(PROMPTS), "what was said before the compaction")
        said = str(home.call("sessions.show", session=SESSION))
        assert home.query("SELECT state, ended_at FROM sessions") == [("live", None)]
    assert "column for the keel depth" in said
    assert "fathoms on the pier board" in said
    assert SECRET not in said
    kept = [path for path in home.folder.rglob("memd.db*") if path.is_file()]
    assert kept
    assert not any(SECRET.encode() in path.read_bytes() for path in kept)
