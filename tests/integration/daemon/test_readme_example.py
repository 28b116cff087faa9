"""The session that the README tells of, held with a real daemon: the next one is given what stands there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

README = Path(__file__).parents[3] / "README.md"
FIRST = "0a11ce00-0000-4000-8000-0000000000e1"
SECOND = "0a11ce00-0000-4000-8000-0000000000e2"


def _said() -> tuple[str, str]:
    """What the README has the user and the agent say first; what the agent does is not said."""
    quote = README.read_text("utf-8").split("> **you:**")[1]
    words = " ".join(line.removeprefix(">").strip() for line in quote.splitlines() if line.startswith(("> ", " ", ">")))
    user, agent = words.split("**agent:**")
    return user.strip(), re.sub(r"\*\(.*?\)\*\s*", "", agent).strip()


def test_the_next_session_is_given_what_the_readme_shows(home: Home, project: Path) -> None:
    shown = README.read_text("utf-8").split("<!-- example: wakeup -->\n```\n")[1].split("\n```\n<!-- /example -->")[0]
    user, agent = _said()
    with running(home):
        talk = Talk(home.transcript(FIRST), project, at="2026-11-29T10:00")
        talk.user(user)
        talk.model(agent)
        wait_until(lambda: settled(home), "the distilled session")
        given = home.hook("SessionStart", SECOND, project, source="startup")

    assert given.strip() == shown
