"""Trouble, its cause and what was changed become one fact, wherever in an exchange each of them was said."""

from __future__ import annotations

import pytest

from memd.distill.distill import distill, setting_of
from memd.distill.draft import Draft
from memd.distill.mended import find
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.distill.worth import Weights
from tests.unit.distill.talk import Talk

KEEP_ALL = Weights({"": 3.0}, {"": 3.0})
SYMPTOM = "the tide gauge driver crashes on startup on the new board"
CAUSE = "The gauge answers at `0x51`, the driver had `0x50` hard-coded, as the old board wired it."
FIX = "`gauge.py` now reads the address from `TIDE_ADDR` instead."


def mended(talk: Talk) -> list[Draft]:
    return list(find(Thread(talk.transcript())))


def told(draft: Draft) -> dict[str, str]:
    return {part.name: part.text for part in draft.parts}


def test_symptom_cause_and_fix_are_one_bugfix(talk: Talk) -> None:
    talk.user(SYMPTOM).ran("python -m gauge", "OSError", ok=False, exit_code=1)
    talk.reply("Let me scan the bus.").ran("i2cdetect -y 1", "51").reply(CAUSE).edited("gauge.py").reply(FIX)
    setting, drafts = setting_of(Thread(talk.transcript()))
    (fact,) = weigh(setting, drafts, KEEP_ALL)
    assert fact.kind == "bugfix"
    assert told(fact) == {"cause": CAUSE, "fix": FIX}
    assert {SYMPTOM, CAUSE, FIX} <= {one.text for one in (fact.anchor, *fact.support, *fact.also)}


def test_what_is_mended_when_told_to_go_on_counts_as_well(talk: Talk) -> None:
    talk.user("why do the tides jump by 12 cm at midnight?").reply(CAUSE).user("nice, fix it").edited("a.py").reply(FIX)
    assert [told(draft) for draft in mended(talk)] == [{"cause": CAUSE, "fix": FIX}]


@pytest.mark.parametrize(
    ("symptom", "cause"),
    [
        ("索引构建在港口的机器上失败了，一直报错", "`build.py` 一次性把所有潮位表读进内存，机器只有 4G。"),
        ("港のアプリが起動時にクラッシュする", "`gauge.py` が古い基板のアドレス `0x50` を固定で使っていました。"),
        (
            "Die Gezeitentabelle funktioniert nicht mehr",
            "`gauge.py` hatte die Adresse des alten Boards fest eingebaut.",
        ),
        ("таблица приливов не открывается", "`gauge.py` держал адрес старой платы `0x50` прямо в коде."),
    ],
)
def test_the_cause_is_known_by_where_it_stands_in_any_language(talk: Talk, symptom: str, cause: str) -> None:
    talk.user(symptom).reply(cause).edited("gauge.py")
    assert [draft.anchor.text for draft in mended(talk)] == [cause]


@pytest.mark.parametrize(
    "prompt",
    [
        "add a column for the height to the tide table",
        "should the tide table be in UTC?",
        "always write heights in millimetres",
        "let's use SQLite for the tide table",
        "ok",
    ],
)
def test_work_that_was_asked_for_is_not_mended(talk: Talk, prompt: str) -> None:
    assert mended(talk.user(prompt).reply(CAUSE).edited("gauge.py").reply(FIX)) == []


def test_trouble_after_which_nothing_was_changed_was_not_mended(talk: Talk) -> None:
    assert mended(talk.user(SYMPTOM).reply(CAUSE).user("I see. What else?").reply(FIX)) == []


def test_a_guess_is_no_cause(talk: Talk) -> None:
    talk.user(SYMPTOM).reply("Maybe the address `0x50` is the one of the old board.").edited("gauge.py")
    assert mended(talk) == []


def test_what_is_called_the_cause_is_preferred_to_what_was_said_last(talk: Talk) -> None:
    talk.user(SYMPTOM).reply("The cause is the address `0x50` of the old board.").reply(
        "There are two more places with that address in `board.py`."
    ).edited("gauge.py")
    assert [draft.anchor.text for draft in mended(talk)] == ["The cause is the address `0x50` of the old board."]


def test_where_something_goes_wrong_only_is_no_rule(talk: Talk) -> None:
    talk.user("the tide chart is black on AMD cards only").ran("make chart", ok=False).reply(CAUSE).edited("a.py")
    setting, drafts = setting_of(Thread(talk.transcript()))
    assert [draft.kind for draft in weigh(setting, drafts, KEEP_ALL)] == ["bugfix"]


def test_a_fix_that_calls_itself_one_is_the_fix_and_what_went_before_the_cause(talk: Talk) -> None:
    talk.user("run the tests").ran("pytest", ok=False, exit_code=1, output="AssertionError: 0 != 1")
    talk.edited("cal.py", "`tare()` returned the raw reading because the offset was added before the file was loaded.")
    talk.ran("pytest").reply("Fixed: `tare()` now loads the offset first, then subtracts it.")
    (one,) = [one for one in distill(talk.transcript()).candidates if one.kind == "bugfix"]
    assert {part.name: part.text[:6] for part in one.parts} == {"cause": "`tare(", "fix": "Fixed:"}


def test_a_symptom_that_was_mended_is_no_fact_of_its_own(talk: Talk) -> None:
    talk.user("I get sqlite3.OperationalError: database is locked again when two scales post at once")
    talk.ran("pytest", ok=False, exit_code=1)
    talk.edited("db.py", "The cause: each request opened its own write connection in `db.py`.").ran("pytest")
    talk.reply("Fixed: one writer connection with `busy_timeout=5000` in `db.py`; the test with two scales passes.")
    assert [one.kind for one in distill(talk.transcript()).candidates] == ["bugfix"]
