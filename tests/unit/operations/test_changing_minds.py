"""What several sessions come to in which somebody changed their mind, whichever of them is read first."""

from __future__ import annotations

import pytest

from tests.unit.operations.conftest import Harbor
from tests.unit.operations.test_deleting import LATE, OTHER, read, said
from tests.unit.operations.test_remember import do

LATER = 100
"""Places between two sessions, each of a second."""


async def stood(harbor: Harbor) -> list[str]:
    await harbor.memory.distiller.run_due()
    return [fact.text for fact in await do(harbor, "facts.list")]


async def spoken(harbor: Harbor, session: str, start: int, text: str) -> None:
    await read(
        harbor,
        session,
        said(session, f"{session}-a", start, "Let's start with the tide gauge."),
        said(session, f"{session}-b", start + 1, "It is set up in `gauge.py`.", role="assistant"),
        said(session, f"{session}-c", start + 2, text),
        said(session, f"{session}-d", start + 3, "Noted.", role="assistant"),
    )


@pytest.mark.parametrize("late_first", [False, True], ids=["in order", "latest first"])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The readings should be sent over MQTT.", "MQTT was a mistake, the broker dies: go back to plain HTTP."),
        ("Set the alarm threshold to 2000 g.", "The alarm threshold goes back to 1500 g."),
        ("We use Fira Sans only from now on.", "forget about Fira Sans, it is hard to read: use Atkinson instead"),
        ("We use uv in all my projects, never pip.", "uv is out, we use pixi in all my projects now."),
        ("All timestamps are stored in UTC, never in local time.", "Timestamps should be local time after all."),
        ("通知用 Kelpgram 发送", "不用 Kelpgram 了，改用 Signal"),
        ("告警阈值设为 2000 g", "告警阈值改回 1500 g"),
    ],
)  # fmt: skip
async def test_only_what_was_said_last_stands(harbor: Harbor, old: str, new: str, late_first: bool) -> None:
    sessions = [(OTHER, 1, old), (LATE, LATER, new)]
    for one in reversed(sessions) if late_first else sessions:
        await spoken(harbor, *one)
        await harbor.memory.distiller.run_due()
    standing = await stood(harbor)
    assert any(new in text for text in standing)
    assert not [text for text in standing if old in text]
    everything = await do(harbor, "facts.list", all=True)
    assert [one.status for one in everything if old in one.text] == ["superseded"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The menu must show lunch at noon, always.", "forget about lunch, let's finish this"),
        ("Set the alarm threshold to 2000 g.", "The battery threshold goes back to 15 %."),
        ("Use Kelpgres for the ledger.", "The Kelpgres column name was a mistake, rename it to `paid_at`."),
        ("告警阈值设为 2000 g", "电池阈值改回 15%"),
    ],
)
async def test_what_only_shares_a_word_with_it_stands(harbor: Harbor, old: str, new: str) -> None:
    await spoken(harbor, OTHER, 1, old)
    await spoken(harbor, LATE, LATER, new)
    assert any(old in text for text in await stood(harbor))
