"""A fact that names what a later session changes or removes is marked in every answer, from transcript to answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.integration.daemon.daemon_under_test import Home, running, settled, wait_until
from tests.integration.daemon.talk import Talk

FIRST, SECOND = (f"0a11ce00-0000-4000-8000-00000000000{n}" for n in (1, 2))
SAID = "Let's light lamps through `relight_lamp` in `lamps/state.py` instead of the radio, because it drops at night."


def held(
    home: Home, project: Path, session: str, at: str, told: str, *tools: tuple[str, dict[str, object], str]
) -> None:
    """Hold a session in which tools ran, and let it be distilled."""
    home.hook("SessionStart", session, project, source="startup")
    talk = Talk(home.transcript(session), project, at=at)
    talk.user(told)
    for name, given, output in tools:
        talk.tool(name, given, output)
    talk.model("Done.")
    home.hook("SessionEnd", session, project, reason="other")
    wait_until(lambda: settled(home) and _seen(home, session), "the distilled session")


def _seen(home: Home, session: str) -> bool:
    return bool(home.query("SELECT 1 FROM sessions WHERE native_id = ? AND distilled = revision", session))


def marks(home: Home, project: Path) -> dict[str, str]:
    found = home.call("facts.stale", project=str(project))["stale"]
    return {Path(one["name"]).name: one["change"] for one in found}


def everywhere(home: Home, project: Path, fact: str) -> list[list[Any]]:
    """The marks of a fact in each answer that tells of it."""
    hits = home.call("search", query="relight lamp radio", project=str(project), kinds=["facts"])["hits"]
    return [
        home.call("facts.show", fact=fact)["fact"]["stale"],
        next(one for one in home.call("facts.list", project=str(project)) if one["id"] == fact)["stale"],
        next(one for one in hits if one["id"] == fact)["stale"],
    ]


def test_a_fact_is_marked_by_what_later_sessions_do_until_somebody_checks_it(home: Home, project: Path) -> None:
    lamps = project / "lamps" / "state.py"
    edit: dict[str, object] = {
        "file_path": str(lamps),
        "old_string": "def relight_lamp(lamp):\n    radio(lamp)",
        "new_string": "def light(lamp):\n    wire(lamp)",
    }
    with running(home):
        held(home, project, FIRST, "2026-11-02T09:00", SAID)
        (fact,) = [one for one in home.call("facts.list", project=str(project)) if "relight_lamp" in one["text"]]
        assert everywhere(home, project, fact["id"]) == [[], [], []]

        held(home, project, SECOND, "2026-11-05T09:00", "Wire the lamps.", ("Edit", edit, "The file was updated."))
        wait_until(lambda: len(marks(home, project)) == 2, "the marks of what was changed")
        assert marks(home, project) == {"state.py": "changed", "relight_lamp": "removed"}
        for told in everywhere(home, project, fact["id"]):
            assert {one["change"] for one in told} == {"changed", "removed"}
            assert {one["session"] for one in told} == {home.call("sessions.show", session=SECOND)["session"]["id"]}
        assert home.call("facts.stale", project=str(project), as_of="2026-11-04")["stale"] == []

        home.call("facts.verify", fact=fact["id"])
        assert (marks(home, project), everywhere(home, project, fact["id"])) == ({}, [[], [], []])

        # What is read again says nothing new; what happens later does.
        home.call("sessions.distill")
        wait_until(lambda: settled(home), "the sessions that were distilled anew")
        assert marks(home, project) == {}
