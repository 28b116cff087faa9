"""What is exported for others holds nothing that is private."""

from __future__ import annotations

import json

from memd.doors.cli.export import shareable
from memd.doors.cli.parser import parse

OURS = {
    "id": "01",
    "title": "Lamps at dusk",
    "text": "Lamps are lit at dusk",
    "visibility": "shareable",
    "session": "s1",
    "evidence": [{"quote": "you know, lamps at dusk, as my aunt says"}],
}
MINE = {**OURS, "id": "02", "title": "Door code", "text": "The door code is on the shelf", "visibility": "private"}


def test_an_export_for_others_omits_every_private_row() -> None:
    document = shareable(
        {
            "memd_export": 1,
            "facts": [OURS, MINE],
            "sessions": [{"id": "s1", "title": "private talk"}],
            "relations": [{"source": "fact:02"}],
            "blocks": [{"label": "identity", "value": "the keeper"}],
            "whatever comes later": ["a secret plan"],
        }
    )
    assert [fact["id"] for fact in document["facts"]] == ["01"]
    told = json.dumps(document)
    for words in ("aunt", "door code", "private talk", "fact:02", "keeper", "s1", "plan"):
        assert words not in told
    assert document["memd_export"] == 1


def test_nothing_marked_shareable_is_nothing_exported() -> None:
    assert shareable({"facts": [MINE], "sessions": [1]}) == {"facts": [], "sessions": []}


def test_an_export_for_others_is_asked_for_by_its_option() -> None:
    assert parse(["export", "--shareable"]).shareable
    assert not parse(["export"]).shareable


def test_it_names_nobodys_home_folder() -> None:
    fact = OURS | {
        "project": "/home/ada/harbor",
        "text": "Lamps are in /Users/ada/harbor/lamps.py",
        "parts": {"command": "C:\\Users\\ada\\harbor\\light.exe"},
        "metadata": {"seen": ["file:///home/ada/harbor/log"]},
    }

    document = shareable({"project": "/home/ada/harbor", "facts": [fact]})

    assert "/ada" not in json.dumps(document)
    assert document["facts"][0]["parts"] == {"command": "~/harbor\\light.exe"}
    assert document["project"] == document["facts"][0]["project"] == "~/harbor"
    assert document["facts"][0]["metadata"] == {"seen": ["~/harbor/log"]}
