"""What holds some words is deleted wherever it stands, with a receipt, and reading it again does not bring it back."""

from __future__ import annotations

from typing import Any

import pytest
from anyio import to_thread

from memd.errors import BadParameter
from memd.operations import words
from memd.operations.recarrying import recarry
from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_deleting import said
from tests.unit.operations.test_project_deleting import read
from tests.unit.operations.test_remember import do, remember

ONE, OTHER = (f"0a11ce00-0000-4000-8000-0000000000{end}" for end in ("f3", "f4"))
WORDS = "Captain Barnaby"
TOLD = (
    said(ONE, "f3-1", 7_000, "From now on always call captain barnaby before you moor."),
    said(ONE, "f3-2", 7_100, "Always copy the tide table every night, the office lost it once."),
    said(OTHER, "f4-1", 7_200, "Captain Barnaby: never light pier 12 before dusk."),
)


async def told(harbor: Harbor) -> None:
    for session in (ONE, OTHER):
        await read(harbor, session, *(one for one in TOLD if one.session == session))
    await harbor.memory.distiller.run_due()


async def test_a_preview_tells_what_holds_the_words_and_changes_nothing(harbor: Harbor) -> None:
    await told(harbor)
    own = await remember(harbor, "Captain Barnaby has the key of the lamp store")
    await do(harbor, "blocks.set", label="watch", value="Ask Captain Barnaby")

    def dump(conn: Any) -> list[str]:
        return list(conn.iterdump())

    before = await harbor.memory.readers.run(dump)
    shown = await do(harbor, "words.forget", text=WORDS)
    assert (shown.applied, shown.messages, shown.sessions, shown.blocks) == (False, 2, 2, ("watch",))
    assert own.fact.id in {fact.id for fact in shown.forgotten}
    assert await harbor.memory.readers.run(dump) == before
    with pytest.raises(BadParameter, match="4 characters"):
        await do(harbor, "words.forget", text=" ab ")


async def test_what_is_named_with_the_words_goes_too_and_what_stays_is_told(harbor: Harbor) -> None:
    await do(harbor, "entities.add", name="Captain Barnaby", kind="person", project="harbor")
    await do(harbor, "entities.add", name="Harbour master", kind="person", aliases=("Captain Barnaby's mate",))
    await do(harbor, "entities.add", name="Lamp store", kind="service", project="harbor")
    for source, quote in (("Captain Barnaby", None), ("Harbour master", "captain barnaby told him to")):
        await do(
            harbor, "relations.link", source=source, relation="uses", target="Lamp store", quote=quote, project="harbor"
        )
    await remember(harbor, "The tide table hangs at pier 4", topic="people/captain barnaby")
    await do(harbor, "search", query="does Captain Barnaby smoke a zeppelin")
    await do(harbor, "projects.rename", project="harbor", name="captain barnaby's harbor")

    shown = await do(harbor, "words.forget", text=WORDS)
    assert (shown.entities, shown.projects, len(shown.forgotten)) == (2, ("captain barnaby's harbor",), 1)
    await do(harbor, "words.forget", text=WORDS, apply=True)
    await do(harbor, "projects.rename", project="captain barnaby's harbor", name="harbor")

    left = await harbor.memory.readers.run(lambda conn: "\n".join(conn.iterdump()))
    assert "arnaby" not in left.casefold()
    assert [one.source_label for one in (await do(harbor, "relations.list")).relations] == ["Harbour master"]
    again = await do(harbor, "words.forget", text=WORDS)
    assert (again.entities, again.projects, again.forgotten) == (0, (), ())


async def test_no_byte_of_the_words_is_left_and_reading_again_does_not_bring_them_back(harbor: Harbor) -> None:
    await told(harbor)
    await do(harbor, "facts.edit", fact=(await remember(harbor, "Captain Barnaby has the key")).fact.id, text="x y z")
    await do(harbor, "prompts.save", text="Where is Captain Barnaby?")
    await do(harbor, "handoff.leave", project="harbor", text="Ask Captain Barnaby")
    await do(harbor, "backup.now")

    done = await do(harbor, "words.forget", text=WORDS, apply=True, copies=True)

    assert (done.applied, done.messages, done.prompts, done.handoffs, done.clean) == (True, 2, 1, 1, True)
    assert done.copies == ()
    assert len(done.forgotten) >= 2
    folder = harbor.memory.paths.data_dir
    found = await to_thread.run_sync(
        lambda: [path.name for path in folder.rglob("*") if path.is_file() and b"arnaby" in path.read_bytes()]
    )
    assert found == []

    await told(harbor)
    assert not [hit for hit in (await do(harbor, "search", query=WORDS)).hits if "arnaby" in hit.text]
    assert not [fact for fact in await do(harbor, "facts.list", all=True) if "arnaby" in fact.text]
    assert [fact for fact in await do(harbor, "facts.list") if "tide table every night" in fact.text]


@pytest.mark.parametrize("step", ["write_in_pieces", "drop_rest"])
async def test_a_deletion_of_words_that_the_daemon_was_killed_at_is_brought_to_its_end_by_the_next(
    harbor: Harbor, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    await told(harbor)
    await remember(harbor, "Captain Barnaby has the key of the lamp store")
    await do(harbor, "prompts.save", text="Where is Captain Barnaby?")
    await do(harbor, "handoff.leave", project="harbor", text="Ask Captain Barnaby")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(f"memd.operations.words.{step}", killed)
        with pytest.raises(KeyboardInterrupt):
            await do(harbor, "words.forget", text=WORDS, apply=True)
    await recarry(harbor.memory)
    assert await words.go_on(harbor.memory)

    left = await harbor.memory.readers.run(lambda conn: "\n".join(conn.iterdump()))
    assert "arnaby" not in left.casefold()
    assert not await words.go_on(harbor.memory)
