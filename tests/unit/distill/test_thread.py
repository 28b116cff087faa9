"""What in a message is said by its writer, and what was pasted."""

from __future__ import annotations

import pytest

from memd.distill.own import own_sentences
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk


@pytest.mark.parametrize(
    "line",
    [
        "10-20 14:36:39.870  8388  8388 W Sync: The default name was not specified. It may do too much work.",
        "[2026-11-29 10:00:00] ERROR The harbour was not found. Use another one.",
        "Nov 28 10:22:33 quay harbord[12]: Let's use the second pier instead. It never failed.",
        "2026/11/29 is no log line",
    ],
)
def test_a_line_of_a_log_is_nobodys_own_to_its_end(line: str) -> None:
    said = [one.text for one in own_sentences(f"it does this, why?\n\n{line}\n\nwe always sync twice.", "user")]

    assert said == ["it does this, why?", *([line] if "no log" in line else []), "we always sync twice."]


def test_what_stands_after_a_time_in_prose_is_kept() -> None:
    text = "Ships leave at 10:22. Never book the 10:22:33 one."

    assert [said.text for said in own_sentences(text, "user")] == [
        "Ships leave at 10:22.",
        "Never book the 10:22:33 one.",
    ]


def test_a_prompt_that_hands_the_models_reply_on_to_another_model_is_nobodys(talk: Talk) -> None:
    plan = "Always keep the tides in `tides.db`, never in memory.\n\n" + "Change the loader of the table first. " * 6
    talk.user("make a plan").reply(plan).user(plan).reply("`tides.db` holds them now.").user("Always keep it small.")
    thread = Thread(talk.transcript())
    assert [one.text for one in thread.statements if one.speaker == "user"] == ["make a plan", "Always keep it small."]
    assert len(thread.exchanges) == 2
