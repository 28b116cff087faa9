"""A note is a fact and a Markdown file; what is edited in the file changes the fact."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memd.errors import NotFound
from memd.operations.catalog import OPERATIONS
from memd.text.frontmatter import page_of
from tests.unit.operations.conftest import FIRST, Harbor


async def do(harbor: Harbor, name: str, /, **params: object) -> Any:
    return await OPERATIONS[name].call(harbor.memory, params)


def files(harbor: Harbor) -> list[Path]:
    return sorted(harbor.memory.paths.notes_dir.glob("*"))


async def test_a_note_is_one_private_file_is_found_at_once_and_reading_again_adds_nothing(harbor: Harbor) -> None:
    saved = await do(
        harbor, "facts.note", text="Ask the pilot for the key of the lamp store", tags=["key", "pier 12"], session=FIRST
    )
    (file,) = files(harbor)
    assert (saved.file, file.stat().st_mode & 0o777) == (str(file), 0o600)
    page = page_of(file.read_text())
    assert (page.text("id"), page.texts("tags")) == (saved.fact.id, ("key", "pier 12"))
    assert page.text("session_ref") == saved.fact.session
    assert str(page.text("date")).startswith("2026-11-29")
    (hit, *_) = (await do(harbor, "search", query="pilot key lamp store")).hits
    assert hit.id == saved.fact.id
    before = file.read_bytes()
    for _ in range(2):
        again = await do(harbor, "notes.read")
        assert (again.added, again.changed, again.same, again.skipped) == ((), (), 1, {})
    await do(harbor, "index.rebuild")
    assert (files(harbor), file.read_bytes()) == ([file], before)
    assert len(await do(harbor, "facts.list", kind="note")) == 1


async def test_each_field_survives_writing_reading_and_editing_and_unknown_ones_are_kept(harbor: Harbor) -> None:
    fact = (
        await do(
            harbor, "facts.remember", text="The lamp of pier 12 is lit at dusk", title="Pier 12", tags=["lamps"],
            author="ada", evergreen=True, confidence=0.7, basis="inferred", kind="convention", project="harbor",
            metadata={"source": "log book", "pages": ["3", "4"]},
        )
    ).fact  # fmt: skip
    written = await do(harbor, "notes.write", fact=fact.id)
    (file,) = files(harbor)
    assert (written.file, written.text) == (str(file), file.read_text())
    page = page_of(file.read_text())
    assert [page.get(name) for name in ("title", "tags", "author", "evergreen", "confidence", "confidence_score")] == [
        "Pier 12", ("lamps",), "ada", True, "inferred", 0.7,
    ]  # fmt: skip
    assert (page.get("source"), page.get("pages")) == ("log book", ("3", "4"))

    file.write_text(
        file.read_text()
        .replace("title: Pier 12", "title: Pier twelve")
        .replace("[lamps]", "[lamps, dusk]")
        .replace("author: ada", "author: grace")
        .replace("evergreen: true", "evergreen: false")
        .replace("confidence: inferred", "confidence: extracted")
        .replace("confidence_score: 0.7", "confidence_score: 0.9\nreviewers:\n  - ada\n  - lin\nlayout:\n  width: 3")
        .replace("lit at dusk", "lit at dawn")
    )
    read = await do(harbor, "notes.read")
    assert (read.changed, read.added) == ((fact.id,), ())
    now = (await do(harbor, "facts.show", fact=fact.id)).fact
    assert (now.title, now.text, now.tags) == ("Pier twelve", "The lamp of pier 12 is lit at dawn", ("dusk", "lamps"))
    assert (now.author, now.evergreen, now.basis, now.confidence) == ("grace", False, "extracted", 0.9)
    assert now.metadata == {"source": "log book", "pages": ["3", "4"], "reviewers": ["ada", "lin"]}
    assert (await do(harbor, "facts.versions", fact=fact.id)).versions[0].text == "The lamp of pier 12 is lit at dusk"
    assert "layout:\n  width: 3\n" in file.read_text()
    assert (await do(harbor, "notes.read")).same == 1


async def test_a_file_put_there_becomes_a_fact_once_and_gets_its_id(harbor: Harbor) -> None:
    folder = harbor.memory.paths.notes_dir
    folder.mkdir()
    (folder / "tide.md").write_text("---\ntitle: Tides\nmood: calm\n---\n\nThe tide table is printed on Fridays.\n")
    (folder / "plain.md").write_text("The pump of pier 3 needs oil each week.\n")
    (folder / "empty.md").write_text("---\ntitle: Nothing\n---\n ...\n")
    (folder / "broken.md").write_bytes(b"\xff\xfe\x00")
    first = await do(harbor, "notes.read")
    assert (len(first.added), sorted(first.skipped)) == (2, ["broken.md", "empty.md"])
    again = await do(harbor, "notes.read")
    assert (again.added, again.same) == ((), 2)
    page = page_of((folder / "tide.md").read_text())
    assert (page.text("mood"), page.text("id") in first.added) == ("calm", True)
    assert page.body == "\nThe tide table is printed on Fridays.\n"


async def test_a_fact_changed_elsewhere_is_written_into_its_file(harbor: Harbor) -> None:
    saved = await do(harbor, "facts.note", text="The lamp of pier 12 is lit at dusk")
    (file,) = files(harbor)
    old = file.read_text().replace("updated: ", "mood: calm\nupdated: ").replace("2026-11-29T11", "2026-11-29T10")
    file.write_text(old)
    await do(harbor, "facts.edit", fact=saved.fact.id, text="The lamp of pier 12 is lit at dawn")
    assert (await do(harbor, "notes.read")).changed == ()
    page = page_of(file.read_text())
    assert (page.body.strip(), page.text("mood")) == ("The lamp of pier 12 is lit at dawn", "calm")
    assert (await do(harbor, "facts.show", fact=saved.fact.id)).fact.text == "The lamp of pier 12 is lit at dawn"


async def test_what_is_forgotten_or_purged_leaves_no_file_and_none_brings_it_back(harbor: Harbor) -> None:
    saved = await do(harbor, "facts.note", text="The keeper's door code is on the third shelf")
    (file,) = files(harbor)
    copy = file.read_text()
    await do(harbor, "facts.forget", fact=saved.fact.id, apply=True)
    assert files(harbor) == []
    file.write_text(copy)
    assert (await do(harbor, "notes.read")).removed == 1
    assert files(harbor) == []
    await do(harbor, "facts.note", text="The pump of pier 3 needs oil each week")
    await do(harbor, "facts.purge", kind="note", apply=True)
    assert files(harbor) == []


@pytest.mark.parametrize("title", ["../../outside", "/etc/passwd", "..", "a/b\\c", "CON", "灯塔/../外"])
async def test_a_note_stands_in_its_folder_whatever_it_is_called(harbor: Harbor, title: str) -> None:
    saved = await do(harbor, "facts.note", text="The pilot has the key", title=title)
    other = await do(harbor, "facts.remember", text="The pilot has the lamp", title=title, again=True)
    written = await do(harbor, "notes.write", fact=other.fact.id)
    assert [file.parent for file in files(harbor)] == [harbor.memory.paths.notes_dir] * 2
    assert {saved.file, written.file} == set(map(str, files(harbor)))
    assert saved.fact.title == title
    for outside in ("../../outside.md", str(harbor.home)):
        with pytest.raises(NotFound):
            await do(harbor, "notes.write", fact=outside)


async def test_a_secret_in_a_file_does_not_get_into_the_store(harbor: Harbor) -> None:
    folder = harbor.memory.paths.notes_dir
    folder.mkdir()
    secret = "ghp_" + "b7Kq2LmN9xR4tV6wY8zA1cD3eF5gH7iJ9kL0"
    (folder / "key.md").write_text(f"---\nauthor: {secret}\n---\nThe tide table is read with {secret}.\n")
    (uid,) = (await do(harbor, "notes.read")).added
    assert secret not in str(await do(harbor, "facts.show", fact=uid))
