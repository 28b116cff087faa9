"""Who answers with a letter or a number has decided for what stands under it."""

from __future__ import annotations

import pytest

from memd.distill import picking
from memd.distill.distill import distill
from memd.distill.thread import Thread
from tests.unit.distill.talk import Talk

LETTERS = """How shall the tide table be kept?

| Option | Description |
|--------|-------------|
| A | a CSV file beside the gauge, read once at start |
| B | a `tides` table in SQLite with one row for each hour |
| C | a remote service of the harbour office |

Answer with the letter."""
NUMBERS = """Three ways out:

1. Clean the old gauge entries out of `pier.toml`
2) Move the tide table to its own module `tides.py`
3. **Rename** the harbour office client"""
ZH = "有两种方案：\n\n**方案 A：** 用 CSV 文件保存潮汐表\n\n**方案 B：** 用 SQLite 的 `tides` 表保存潮汐表"


def picked(talk: Talk) -> list[str]:
    return [draft.anchor.text for draft in picking.find(Thread(talk.transcript()))]


@pytest.mark.parametrize(
    ("reply", "answer", "things"),
    [
        (LETTERS, "B", ["`tides` table"]),
        (LETTERS, "option c please", ["remote service"]),
        (LETTERS, "A + B", ["CSV", "`tides` table"]),
        (NUMBERS, "2", ["tides.py"]),
        (NUMBERS, "1 and 3", ["pier.toml", "harbour office client"]),
        (ZH, "方案 B", ["`tides` 表"]),
        (ZH, "就按方案A来做", ["CSV"]),
    ],
)
def test_what_stands_under_a_letter_or_number_is_picked(talk: Talk, reply: str, answer: str, things: list[str]) -> None:
    found = picked(talk.user("tides please").reply(reply).user(answer))
    assert len(found) == len(things)
    assert all(thing in text for thing, text in zip(things, found, strict=True))


@pytest.mark.parametrize(
    "answer",
    [
        "B?",
        "what is option B?",
        "F",
        "ok",
        "A tide table would be nice to have on the landing page of the harbour",
        "there are 2 errors in it",
        "9",
    ],
)
def test_nothing_else_picks(talk: Talk, answer: str) -> None:
    assert picked(talk.user("tides please").reply(LETTERS).user(answer)) == []


@pytest.mark.parametrize(
    "opening",
    [
        "Next steps:",
        "If you want, I can:",
        "Shall I go on with one of these:",
        "Tu veux que je continue avec :",
        "Prochaine étape utile :",
        "¿Sigo con una de estas?",
        "Soll ich weitermachen mit:",
        "Могу дальше:",
        "下一步可以：",
        "次のどれを進めますか：",
        "다음 중 무엇을 할까요:",
        "Devam edeyim mi:",
        "Další kroky:",
    ],
)
def test_which_step_comes_next_is_an_order_and_decides_nothing(talk: Talk, opening: str) -> None:
    steps = NUMBERS.replace("Three ways out:", opening)
    assert picked(talk.user("tides please").reply(steps).user("2")) == []


def test_options_are_picked_from_though_the_model_says_that_it_can_take_each(talk: Talk) -> None:
    steps = NUMBERS.replace("Three ways out:", "I can go on with one of three options:")
    assert len(picked(talk.user("tides please").reply(steps).user("2"))) == 1


def test_a_letter_picks_nothing_where_nothing_is_listed(talk: Talk) -> None:
    assert picked(talk.user("tides please").reply("Shall I go on with the tide table?").user("A")) == []


def test_what_was_picked_is_kept_as_a_decision(talk: Talk) -> None:
    talk.user("tides please").reply(LETTERS).user("B").edited("tides.py", "The table is there.")
    (found,) = (one for one in distill(talk.transcript()).candidates if one.kind == "decision")
    assert "`tides` table in SQLite" in found.body
    assert [part.name for part in found.parts] == ["decided"]
