"""What a person keeps by hand is kept for the project they stand in, and can be taken back."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.contract.doors.agent import agent_of
from tests.contract.doors.conftest import Home


def test_what_is_remembered_holds_where_it_was_said(lived_in: Home) -> None:
    below = lived_in.project / "src"
    below.mkdir()

    here = lived_in.memd("remember", "Releases are cut on Tuesdays", "--kind", "convention", cwd=below)
    again = lived_in.memd("remember", "Releases are cut on Tuesdays", "--kind", "convention", cwd=lived_in.project)
    nowhere = lived_in.memd("remember", "The harbour master wants metric units", cwd=lived_in.folder)
    facts = {one["title"]: one for one in lived_in.memd("facts", "--json").json}

    kept = facts["Releases are cut on Tuesdays"]
    assert kept["project"] == str(lived_in.project)
    assert here.out == f"Kept for harbor: convention {kept['id'][-10:]}.\n"
    assert again.out == f"Known already for harbor: convention {kept['id'][-10:]}.\n"
    assert facts["The harbour master wants metric units"]["project"] is None
    assert nowhere.out.startswith("Kept everywhere: note ")
    assert "no project" in nowhere.err

    gone = lived_in.memd("memory", "retract", kept["id"][-10:])
    assert gone.out == f"Taken back, and never learnt again: convention {kept['id'][-10:]}, {kept['title']}.\n"


def test_what_is_remembered_before_any_session_holds_in_that_repository_alone(lived_in: Home) -> None:
    fresh = lived_in.folder / "work" / "ferry"
    below = fresh / "src"
    below.mkdir(parents=True)
    (fresh / ".git").mkdir()
    (fresh / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    kept = lived_in.memd("remember", "The ferry leaves at noon", cwd=below)
    facts = {one["title"]: one["project"] for one in lived_in.memd("facts", "--json").json}

    assert (kept.out.startswith("Kept for ferry: note "), kept.err) == (True, "")
    assert facts["The ferry leaves at noon"] == str(fresh)
    assert "noon" not in lived_in.memd("wakeup", cwd=lived_in.project).out
    assert "noon" in lived_in.memd("wakeup", cwd=fresh).out


def test_an_agent_keeps_something_in_a_repository_before_memd_has_seen_a_session_there(lived_in: Home) -> None:
    fresh = lived_in.folder / "work" / "dredger"
    (fresh / ".git").mkdir(parents=True)
    (fresh / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    with agent_of(lived_in, f"--project={fresh}") as pumped:
        pumped.greet()
        kept = pumped.call("remember", action="save", text="The dredger draws three metres")["structuredContent"]
    with agent_of(lived_in, f"--project={lived_in.folder}") as pumped:
        pumped.greet()
        refused = pumped.ask("tools/call", name="remember", arguments={"action": "save", "text": "Tides are late"})

    assert (kept["project"], kept["result"]["fact"]["project"]) == (str(fresh), str(fresh))
    assert 'project: "all"' in refused["result"]["content"][0]["text"]


def test_a_handoff_is_left_for_the_folder_one_stands_in(lived_in: Home) -> None:
    left = lived_in.memd("call", "handoff.leave", "project=.", "text=The crane is half painted", cwd=lived_in.project)

    assert (left.status, left.err) == (0, "")
    assert json.loads(left.out)["project"] == str(lived_in.project)


def test_a_day_is_one_where_the_person_is_who_asks(lived_in: Home) -> None:
    far = replace(lived_in, env={**lived_in.env, "TZ": "Pacific/Auckland"})
    said = {}
    for home, name in ((lived_in, "here"), (far, "there")):
        told = home.memd("call", "facts.remember", f"text=The ferry is painted {name}", "since=2026-01-15")
        said[name] = json.loads(told.out)["fact"]
    assert said["there"]["valid_from"] == "2026-01-14T11:00:00.000Z"
    assert said["here"]["valid_from"] != said["there"]["valid_from"]
    day_before = ("facts", "--as-of", "2026-01-15", "--json")
    assert said["there"]["id"] in {one["id"] for one in far.memd(*day_before).json}
    assert said["here"]["id"] not in {one["id"] for one in far.memd(*day_before).json}
