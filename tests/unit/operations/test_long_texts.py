"""What is long is kept whole and said to be long; what is too long is refused before anything is written."""

from __future__ import annotations

from typing import Any

import pytest

from memd.errors import BadParameter
from memd.operations.catalog import OPERATIONS
from tests.unit.operations.conftest import FIRST, Harbor

LONG = ("The lamps of the harbour are lit at dusk. " * 2400)[:100_000] + "."
TOO_LONG = "x" * ((1 << 20) + 1)
TABLES = ("facts", "claims", "statements", "prompts", "blocks", "handoffs", "fact_versions", "entities")

Given = dict[str, object]
REFUSED: dict[str, tuple[str, Given, str]] = {
    "messages to look through": ("messages.add", {}, "text"),
    "a block": ("blocks.set", {"label": "lamps"}, "value"),
    "a handoff": ("handoff.leave", {"project": "harbor"}, "text"),
}
"""Ways in which a long text is not kept whole: it is looked through, or may be no longer than a page."""
WAYS: dict[str, tuple[str, Given, str]] = {
    "a fact": ("facts.remember", {}, "text"),
    "a fact of a batch": ("facts.batch", {}, "facts"),
    "a note": ("facts.note", {}, "text"),
    "a message": ("messages.add", {"infer": False}, "messages"),
    "a summary": ("sessions.summarise", {"session": FIRST}, "text"),
    "a prompt": ("prompts.save", {}, "text"),
    "an edit": ("facts.edit", {"fact": "?"}, "text"),
    "another statement": ("facts.revise", {"fact": "?"}, "text"),
}


async def give(harbor: Harbor, way: str, text: str) -> Any:
    name, more, where = (WAYS | REFUSED)[way]
    if "fact" in more:
        known = await OPERATIONS["facts.list"].call(harbor.memory, {})
        more = {**more, "fact": known[0].id}
    held: object = {"facts": [{"text": text}], "messages": [{"content": text}]}.get(where, text)
    return await OPERATIONS[name].call(harbor.memory, {**more, where: held})


async def rows(harbor: Harbor) -> dict[str, list[Any]]:
    def read(conn: Any) -> dict[str, list[Any]]:
        there = {name for (name,) in conn.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        return {table: conn.execute(f"SELECT * FROM {table}").fetchall() for table in TABLES if table in there}

    return await harbor.memory.readers.run(read)


def kept(answer: Any) -> tuple[str, tuple[str, ...]]:
    """The text that was kept and what was said of it."""
    answer = getattr(answer, "facts", (answer,))[0]
    fact = getattr(answer, "successor", None) or getattr(answer, "fact", answer)
    return fact.text, answer.warnings


@pytest.mark.parametrize("way", WAYS)
async def test_what_is_long_is_kept_whole_with_a_warning(harbor: Harbor, way: str) -> None:
    assert len(LONG) == 100_001

    text, warnings = kept(await give(harbor, way, LONG))

    assert text == LONG
    assert warnings == ("the text has 100001 characters; shorter ones are found better",)


async def test_what_is_just_not_long_has_no_warning(harbor: Harbor) -> None:
    assert kept(await give(harbor, "a fact", LONG[1:]))[1] == ()


@pytest.mark.parametrize("way", [*WAYS, *REFUSED])
async def test_what_is_too_long_is_refused_before_anything_is_written(harbor: Harbor, way: str) -> None:
    before = await rows(harbor)

    with pytest.raises(BadParameter, match=r"has \d+ characters|characters, not \d+"):
        await give(harbor, way, TOO_LONG)

    assert await rows(harbor) == before
    assert len(before) > 3


async def test_a_file_of_notes_that_is_too_long_is_named_and_stays_as_it_is(harbor: Harbor) -> None:
    harbor.memory.paths.notes_dir.mkdir(parents=True)
    (harbor.memory.paths.notes_dir / "long.md").write_text(LONG)
    (harbor.memory.paths.notes_dir / "too-long.md").write_text(TOO_LONG)

    answer: Any = await OPERATIONS["notes.read"].call(harbor.memory, {})

    assert len(answer.added) == 1
    assert answer.skipped == {"too-long.md": "is larger than 1000000 bytes"}
    assert (harbor.memory.paths.notes_dir / "too-long.md").read_text() == TOO_LONG
