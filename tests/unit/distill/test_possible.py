from __future__ import annotations

import pytest

from memd.distill.distill import distill
from memd.distill.possible import possible
from tests.unit.distill.talk import Talk

POSSIBLE = (
    "Hypotheses:",
    "Possible causes",
    "The reload usually fails for one of these reasons, it could be one of the following:",
    "In this setup that is almost always:",
    "Two options:",
    "You have three ways:",
    "Here are the options",
    "Option B: a second queue",
    "Nice-to-have polish (same screens)",
    "Optional hardening",
    "If it still fails:",
    "可能的原因：",
    "有两种方案：",
    "Posibles causas",
    "Возможные причины",
    "обычно вызван одним из трёх узких мест:",
    "考えられる原因",
)
SO = (
    "Root cause",
    "What I changed",
    "Configuration options",
    "Command-line options of `tides`",
    "The causes were three:",
    "The pump has two modes:",
    "Likely to stay:",
    "修改内容：",
    "Qué cambié",
    "Причина",
)


@pytest.mark.parametrize("text", POSSIBLE)
def test_what_opens_a_list_of_what_only_could_be_is_known(text: str) -> None:
    assert possible(text)


@pytest.mark.parametrize("text", SO)
def test_what_opens_a_list_of_what_is_so_is_none(text: str) -> None:
    assert not possible(text)


def test_the_items_of_such_a_list_are_no_facts_and_those_of_another_one_are(talk: Talk) -> None:
    talk.user("the gauge at pier 4 shows no level, please find out why")
    talk.reply(
        "## Possible causes\n\n"
        "- The serial line of the gauge is parsed as `latin-1` in `src/gauge.py`, so each level is dropped.\n\n"
        "## What I found\n\n"
        "- `src/gauge.py` reads `/dev/ttyS1`, the gauge hangs at `/dev/ttyS2` since the new board."
    )
    found = " ".join(one.body for one in distill(talk.transcript()).candidates)
    assert "ttyS2" in found
    assert "latin-1" not in found


def test_what_a_person_takes_of_such_a_list_is_kept(talk: Talk) -> None:
    talk.user("how do we keep the tides?")
    talk.reply("Two options:\n\n1. Keep them in `tides.db` with WAL\n2. One CSV a day")
    talk.user("1").edited("src/tides.py", "The tides are kept in `tides.db` now.")
    assert any("tides.db" in one.body for one in distill(talk.transcript()).candidates)
