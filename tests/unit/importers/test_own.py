"""What `memd export` wrote is read back whole on another machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memd.clock import parse_iso_ms
from memd.errors import ImportRefused
from memd.importers.model import (
    Dispute,
    Haul,
    ImportedBlock,
    ImportedEntity,
    ImportedHandoff,
    ImportedPrompt,
    Kept,
    Line,
    Link,
    Mark,
    Proof,
)
from memd.importers.own import IMPORTER
from memd.store.carried import Noted

AT = "2026-03-01T10:00:00.000Z"
AT_MS = parse_iso_ms(AT) or 0


def exported(folder: Path, **parts: Any) -> Path:
    """A document as `memd export` writes it."""
    path = folder / "memd.json"
    path.write_text(json.dumps({"memd_export": 1, **parts}))
    return path


def read(folder: Path, **parts: Any) -> Haul:
    path = exported(folder, **parts)
    assert IMPORTER.recognise(path)
    return IMPORTER.read(path)


def test_a_fact_comes_with_all_that_it_says(tmp_path: Path) -> None:
    fact = {
        "id": "0190aa", "kind": "decision", "title": "Tide table in SQLite", "text": "The tide table lives in SQLite.",
        "project": "/srv/harbor", "valid_from": AT, "valid_to": AT, "status": "superseded", "tags": ["tides"],
        "topic": "storage", "author": "ada", "confidence": 0.5, "epistemic": "tested", "evergreen": True,
        "parts": {"because": "no server", "invented": "no part of memd's"},
        "evidence": [{"quote": "Let's use SQLite", "session": "s1", "at": AT}], "visibility": "shareable",
        "basis": "inferred", "domain": "operations", "metadata": {"ticket": {"id": 7}}, "origin": "distill",
        "session": "s1", "superseded_by": "0190ab", "uses": 4, "helpful": 1, "verified": AT, "revision": 2,
        "stale": [{"name": "tide.py", "change": "removed", "detail": "deleted", "at": AT}],
        "history": [{"at": AT, "action": "UPDATE", "reason": "was edited", "old_title": "", "old_text": "In Postgres"}],
        "ruling": "closed", "by_hand": False, "slot": "choice:store", "created": AT,
    }  # fmt: skip
    sessions = [{"id": "s1", "host": "claude_code", "native_id": "0a11ce00"}]

    (item,) = read(
        tmp_path, facts=[fact, {"kind": "note", "title": "without an id"}, "no fact"], sessions=sessions
    ).items

    assert (item.key, item.kind, item.title) == ("0190aa", "decision", "Tide table in SQLite")
    assert (item.body, item.project, item.author) == ("The tide table lives in SQLite.", "/srv/harbor", "ada")
    assert (item.at_ms, item.ended_at_ms, item.status) == (AT_MS, AT_MS, "superseded")
    assert (item.tags, item.topic, item.confidence) == (("tides",), "storage", 0.5)
    assert (item.epistemic, item.evergreen) == ("tested", True)
    assert item.parts == (("because", "no server"),)
    assert item.inferred
    session = ("claude_code", "0a11ce00")
    assert item.kept == Kept(
        origin="distill", metadata={"ticket": {"id": 7}}, session=session, by_hand=False, successor="0190ab",
        noted=Noted(
            visibility="shareable", domain="operations", slot="choice:store", created_at=AT_MS, revision=2, uses=4,
            verified_at=AT_MS, helpful=1, ruling="closed",
        ),
        evidence=(Proof("Let's use SQLite", AT_MS, session),), marks=(Mark("tide.py", "removed", "deleted", AT_MS),),
        history=(Line(AT_MS, "UPDATE", "was edited", "", "In Postgres"),),
    )  # fmt: skip


def test_several_parts_of_a_name_come_one_by_one(tmp_path: Path) -> None:
    told = {
        "id": "f",
        "parts": {"rejected": "Mongo; a file"},
        "all_parts": [["rejected", "Mongo"], ["rejected", "a file"]],
    }
    (item,) = read(tmp_path, facts=[told]).items
    assert item.parts == (("rejected", "Mongo"), ("rejected", "a file"))


def test_facts_that_cannot_both_hold_are_named_by_their_ids(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        contradictions=[
            {
                "one": "a",
                "other": "b",
                "reason": "the opposite",
                "found": AT,
                "verdict": "both",
                "why": "two ports",
            },
            {"one": "a", "other": "c", "reason": "the opposite", "found": "one day"},
        ],
    )
    assert found.disputes == (Dispute("a", "b", "the opposite", AT_MS, "both", "two ports"),)


def test_a_fact_that_says_little_holds_everywhere_and_now(tmp_path: Path) -> None:
    (item,) = read(tmp_path, facts=[{"id": "f", "status": "unheard of"}]).items

    assert (item.project, item.topic, item.author) == (None, None, None)
    assert (item.status, item.at_ms, item.ended_at_ms) == ("current", None, None)
    assert (item.parts, item.kept, item.evergreen) == ((), Kept(), False)


def test_what_stands_in_the_code_is_counted_and_left_to_the_code(tmp_path: Path) -> None:
    haul = read(tmp_path, facts=[{"id": "f1", "title": "open at six", "origin": "code"}, {"id": "f2"}])
    assert [item.key for item in haul.items] == ["f2"]
    assert haul.skipped == {"decisions that stand in the code, which come from there": 1}


def test_sessions_are_counted_and_left_to_their_transcripts(tmp_path: Path) -> None:
    found = read(tmp_path, sessions=[{}, {}, {}])

    assert (found.items, found.skipped) == ((), {"sessions, which come from transcripts": 3})


def test_relations_name_entities_by_their_names_and_those_of_facts_come_with_the_facts(tmp_path: Path) -> None:
    relations = [
        {
            "id": "r1", "source": "entity:0190bb", "source_label": "SQLite", "relation": "stores", "target": "entity:1",
            "project": "/srv/harbor", "strength": 0.9, "quote": "in SQLite", "valid_from": AT, "origin": "reflect",
        },
        {"source": "fact:a", "relation": "supports", "target": "code:tide.py", "valid_to": AT},
        {"source": "entity:1", "relation": "uses", "target": "entity:2", "fact": "0190aa"},
        {"source": "entity:1", "relation": "half of one"},
        "none",
    ]  # fmt: skip

    found = read(tmp_path, relations={"relations": relations})

    assert found.links == (
        Link("fact:a", "supports", "code:tide.py", ended_at_ms=AT_MS),
        Link("SQLite", "stores", "entity:1", "/srv/harbor", 0.9, "in SQLite", "r1", AT_MS, origin="reflect"),
    ), "what held before comes before what holds"
    assert found.skipped == {"relations that facts tell of, which come with them": 1}
    assert read(tmp_path, relations=relations).links == found.links


def test_entities_come_along_with_who_named_them(tmp_path: Path) -> None:
    entities = [
        {"id": "e1", "name": "Tide table", "kind": "component", "origin": "manual", "project": "/srv/harbor"},
        {"id": "e2", "name": "Postgres", "kind": None, "origin": "fact", "aliases": ["pg", "postgresql"]},
        {"id": "e3", "name": "Port", "origin": "fact"},
        {"id": "e4"},
    ]

    assert read(tmp_path, entities=entities).others == (
        ImportedEntity("e1", "Tide table", "component", "/srv/harbor"),
        ImportedEntity("e2", "Postgres", "concept", None, ("pg", "postgresql"), "fact"),
        ImportedEntity("e3", "Port", "concept", None, (), "fact"),
    )


def test_blocks_handoffs_and_prompts_come_in_the_order_they_were_made(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        blocks=[
            {"id": "b", "label": "style", "value": "Short words.", "limit": 400, "position": True, "author": "ada"}
        ],
        handoffs=[
            {"id": "h2", "text": "Paint the hull", "project": "/srv/harbor", "author": "", "at": AT},
            {"id": "h1", "text": "Buy paint", "project": "/srv/harbor"},
        ],
        prompts=[{"id": "p2", "text": "And now?", "project": "/srv/harbor", "at": AT}, {"id": "p1", "text": "Ahoy"}],
    )

    assert found.others == (
        ImportedBlock("b", "style", "Short words.", None, 400, None, "ada"),
        ImportedHandoff("h1", "Buy paint", "/srv/harbor"),
        ImportedHandoff("h2", "Paint the hull", "/srv/harbor", None, AT_MS),
        ImportedPrompt("p1", "Ahoy"),
        ImportedPrompt("p2", "And now?", "/srv/harbor", AT_MS),
    )


@pytest.mark.parametrize("document", [{"memd_export": 3}, {"memd_export": "1"}, ["memd_export"]])
def test_a_document_of_a_newer_memd_is_refused_by_its_name(tmp_path: Path, document: object) -> None:
    path = tmp_path / "memd.json"
    path.write_text(json.dumps(document))

    with pytest.raises(ImportRefused, match=r"memd\.json.*newer"):
        IMPORTER.read(path)


def test_a_document_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    path = exported(tmp_path)
    path.write_bytes(path.read_bytes()[:-4])

    with pytest.raises(ImportRefused, match="cannot be read"):
        IMPORTER.read(path)


def test_the_folder_that_an_export_was_written_to_stands_for_the_document_in_it(tmp_path: Path) -> None:
    exported(tmp_path, facts=[{"id": "0190aa", "title": "Tides", "text": "Tides are in SQLite."}])
    assert IMPORTER.recognise(tmp_path)
    assert [item.key for item in IMPORTER.read(tmp_path).items] == ["0190aa"]


def test_folders_other_files_and_what_is_not_there_are_none_of_its_documents(tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "other.json").write_text('{"facts": []}')
    (tmp_path / "memd.txt").write_text('{"memd_export": 1}')

    names = ("folder.json", "other.json", "memd.txt", "gone.json")
    assert not any(IMPORTER.recognise(tmp_path / name) for name in names)


@pytest.mark.parametrize(
    "part", ["facts", "contradictions", "entities", "blocks", "handoffs", "prompts", "relations", "sessions"]
)
@pytest.mark.parametrize("nonsense", [None, [], {}, [1, None, "x", [], {}]], ids=repr)
def test_parts_of_any_shape_are_borne(tmp_path: Path, part: str, nonsense: object) -> None:
    found = read(tmp_path, **{part: nonsense})

    assert (found.items, found.links, found.others, found.disputes) == ((), (), (), ())


def test_a_facts_members_of_any_shape_are_borne(tmp_path: Path) -> None:
    (item,) = read(tmp_path, facts=[{"id": 7, "parts": ["because"], "tags": 3, "valid_from": {}, "project": []}]).items

    assert (item.key, item.parts, item.tags, item.at_ms, item.project) == ("7", (), (), None, None)
