"""A folder that a person makes a project of its own takes along what was learnt there, and begins its sessions."""

from __future__ import annotations

import json
from pathlib import Path

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND, THIRD, FOURTH = (f"5e551011-0000-4000-8000-00000000000{number}" for number in range(1, 5))
TABLE = "Let's use SQLite instead of Postgres for the tide table, because the harbour office has no server."
PAGE = "Let's use Caddy instead of nginx for the lighthouse page, because it renews its certificates by itself."


def hold(home: Home, session: str, folder: Path, said: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    home.hook("SessionStart", session, folder, source="startup")
    talk = Talk(home.transcript(session), folder)
    talk.user(said)
    talk.model("Agreed.")
    home.hook("SessionEnd", session, folder, reason="other")
    wait_until(lambda: said[10:30] in json.dumps(home.call("facts.list")), "the decision")


def known(home: Home, folder: Path) -> str:
    return json.dumps(home.call("facts.list", project=str(folder)))


def test_a_folder_becomes_a_project_and_one_with_the_whole_again(home: Home, project: Path) -> None:
    page = project / "page"
    with running(home):
        hold(home, FIRST, project, TABLE)
        hold(home, SECOND, page / "src", PAGE)
        wait_until(lambda: settled(home), "both sessions")
        assert "Caddy" in known(home, project)

        counted = home.call("projects.split", folder=str(page))
        assert (counted["sessions"], len(home.call("projects.list"))) == (1, 1)
        home.call("projects.split", folder=str(page), apply=True)
        wait_until(lambda: "Caddy" in known(home, page) and "Caddy" not in known(home, project), "what goes along")
        wait_until(lambda: settled(home), "the sessions that are distilled again")
        assert ("SQLite" in known(home, project), "SQLite" in known(home, page)) == (True, False)

        told = home.hook("SessionStart", THIRD, page / "src", source="startup")
        assert ("Caddy" in told, "SQLite" in told) == (True, False)
        home.hook("SessionEnd", THIRD, page / "src", reason="other")
        (mine,) = [one for one in home.call("projects.list") if one["root"] == str(page)]
        assert mine["name"] == "page"

        home.call("projects.merge", source=str(page), into=str(project), apply=True)
        wait_until(lambda: settled(home), "the merged sessions")
        told = home.hook("SessionStart", FOURTH, page / "src", source="startup")
        assert ("Caddy" in told, "SQLite" in told) == (True, True)
    assert "disputed" not in told
