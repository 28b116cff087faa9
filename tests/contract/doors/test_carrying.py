"""What memd keeps can be carried away, and what lies elsewhere can be carried in."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

from memd.doors.cli import client
from tests.contract.doors.conftest import AGENT, DECIDED, Home, write_session
from tests.unit.importers.stores import memvault


def test_everything_is_exported_and_another_memory_takes_it_in(lived_in: Home, home: Home, tmp_path: Path) -> None:
    links = [{"source": f"Lamp {number}", "relation": "uses", "target": "Oil"} for number in range(120)]
    call(lived_in, "relations.link_many", {"links": links, "project": "harbor"})
    call(lived_in, "blocks.set", {"label": "watch", "value": "mind the ebb", "project": "harbor"})
    call(lived_in, "handoff.leave", {"project": "harbor", "text": "The crane waits"})
    call(lived_in, "prompts.save", {"text": "Where is the key?", "project": "harbor"})
    out = tmp_path / "away"
    told = lived_in.memd("export", "--out", str(out))
    again = lived_in.memd("export", "--out", str(out))
    document = json.loads((out / "memd.json").read_text())
    shown = [json.loads(path.read_text()) for path in (out / "sessions").glob("*.json")]

    assert told.status == 0, told
    assert again.status == 6
    assert document == {**lived_in.memd("export", "--json").json, "exported_at": document["exported_at"]}
    assert {one["session"]["native_id"] for one in shown} >= {DECIDED}
    assert (out / ".gitignore").read_text() == "*\n"
    assert "SQLite instead of Postgres" in (out / "facts" / "harbor" / "decision.md").read_text()
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in (out, *out.rglob("*")))

    assert home.memd("install", "--yes").status == 0
    counted = home.memd("import", str(out / "memd.json"))
    taken = home.memd("import", str(out / "memd.json"), "--yes")
    facts = home.memd("facts", "--all", "--json").json

    assert "would be imported" in counted.out
    assert "say --yes" in counted.out
    assert taken.status == 0, taken
    assert {(fact["title"], fact["status"]) for fact in facts} == {
        (fact["title"], fact["status"]) for fact in document["facts"]
    }
    assert "nothing new" in home.memd("import", str(out / "memd.json")).out

    assert home.memd("export", "--out", str(tmp_path / "again")).status == 0
    back = json.loads((tmp_path / "again" / "memd.json").read_text())
    for name, words in WORDS.items():
        assert said(back[name], words) == said(document[name], words), name
    assert len(said(back["relations"], WORDS["relations"])) >= 120


def test_what_is_carried_in_belongs_to_the_projects_that_lie_here_before_any_session_is_read(
    lived_in: Home, home: Home, tmp_path: Path
) -> None:
    document = lived_in.memd("export", "--json").json
    (root,) = {fact["project"] for fact in document["facts"] if fact["project"]}
    here = home.project
    carried = json.dumps(document).replace(root, str(here)).replace(root.rpartition("/")[0], "/home/nobody")
    (tmp_path / "all.json").write_text(carried)

    assert home.memd("install", "--yes").status == 0
    assert home.memd("import", str(tmp_path / "all.json"), "--yes").status == 0
    told = home.memd("wakeup", "--project", str(here), "--json").json["text"]
    write_session(home)
    home.until("sessions", tells=len)
    projects = home.memd("call", "projects.list").json

    assert "SQLite instead of Postgres" in told
    assert [one["root"] for one in projects] == [str(here)]


WORDS = {
    "entities": ("name", "kind", "project", "aliases"),
    "relations": ("source_label", "relation", "target_label", "project", "strength", "quote"),
    "blocks": ("label", "value", "project", "limit", "position", "author"),
    "handoffs": ("text", "project", "author", "at"),
    "prompts": ("text", "project", "at"),
}


def said(rows: list[dict[str, Any]], words: tuple[str, ...]) -> set[str]:
    """What rows of an export say that is the same in every memory; a project that is none here goes by its origin."""
    return {json.dumps([row[word] for word in words]).replace('"memd:/', '"/') for row in rows}


def call(home: Home, operation: str, params: dict[str, Any]) -> None:
    client.call(home.paths.socket, operation, params)


def test_a_transcript_that_lies_elsewhere_is_read_like_any_other(home: Home, tmp_path: Path) -> None:
    write_session(home)
    (transcript,) = (home.folder / ".claude" / "projects" / "-harbor").glob("*.jsonl")
    elsewhere = tmp_path / "mail" / "attached.jsonl"
    elsewhere.parent.mkdir()
    transcript.rename(elsewhere)
    assert home.memd("install", "--yes").status == 0

    counted = home.memd("import", str(elsewhere), "--json").json
    done = home.memd("import", str(elsewhere), "--yes", "--json").json
    again = home.memd("import", str(elsewhere), "--yes", "--json").json

    assert (counted["what"], counted["added"], counted["messages"]) == ("Claude Code", 1, 3)
    assert (done["added"], done["messages"]) == (1, 3)
    assert (again["added"], again["before"], again["messages"]) == (0, 1, 3)
    assert len(home.memd("show", DECIDED, "--json").json["messages"]) == 3
    home.until("facts", tells=len)
    assert AGENT in json.dumps(home.memd("sessions", "--json").json)


def test_another_memory_is_counted_first_and_taken_over_when_told(lived_in: Home, tmp_path: Path) -> None:
    store = memvault(tmp_path)

    counted = lived_in.memd("import", str(store), "--dry-run")
    done = lived_in.memd("import", str(store), "--yes")
    found = lived_in.memd("search", "dredge", "--json").json

    assert "MemVault" in counted.out
    assert "3 facts would be imported of 3" in counted.out
    assert "3 facts imported of 3" in done.out
    assert "Knows how to dredge" in {hit["text"] for hit in found["hits"]}
    assert lived_in.memd("import", str(tmp_path / "none.db")).status == 2
