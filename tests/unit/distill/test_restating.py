"""What is said of a thing once more takes the place of what was said of it before."""

from __future__ import annotations

import pytest

from memd.distill.distill import setting_of
from memd.distill.passages import Passage
from memd.distill.restating import restated
from memd.distill.setting import Setting
from memd.distill.thread import Thread
from memd.distill.weigh import weigh
from memd.distill.worth import Weights
from tests.unit.distill.talk import Talk

FIRST = (
    "Important — `tests/tides.py:12`: Removing the final `keel ASC` still passes because both gauges share one pier."
)
AGAIN = (
    "Removing the final `keel ASC` still passes, as the database sorts by pier. Give the later pier the lower gauge."
)


def pairs(talk: Talk) -> list[tuple[str, str]]:
    found: dict[Passage, Passage] = restated(Setting(Thread(talk.transcript())).passages)
    return [(one.text, later.text) for one, later in found.items()]


def test_what_the_model_says_of_the_same_thing_later_takes_its_place(talk: Talk) -> None:
    talk.user("review the tests").reply(FIRST).user("fixed, look again").reply(AGAIN)
    assert pairs(talk) == [(FIRST, AGAIN)]
    setting, drafts = setting_of(Thread(talk.transcript()))
    assert [one.anchor.exchange for one in weigh(setting, drafts, Weights({"": -9.0}, {"": 3.0}))] == [1]


def test_what_was_worth_telling_is_kept_as_it_ended(talk: Talk) -> None:
    talk.user("review the tests").reply(FIRST).user("fixed, look again").reply(AGAIN)
    setting, drafts = setting_of(Thread(talk.transcript()))
    first_alone = Weights({"": -9.0}, {"": -3.0, "label": 9.0})
    assert [one.anchor.exchange for one in weigh(setting, drafts, first_alone)] == [1]


@pytest.mark.parametrize(
    "later",
    [
        "Sorting: removing `keel ASC` is a matter of taste.",
        "Removing the final check makes the build quicker by two seconds.",
        "We could sort by pier as well, and removing the final `keel ASC` would not matter then.",
    ],
)
def test_what_only_names_it_on_the_way_does_not(talk: Talk, later: str) -> None:
    assert pairs(talk.user("review the tests").reply(FIRST).user("go on").reply(later)) == []


def test_nor_does_what_stands_in_the_same_exchange(talk: Talk) -> None:
    assert pairs(talk.user("review the tests").reply(FIRST).reply(AGAIN)) == []


def test_nor_the_same_words_once_more(talk: Talk) -> None:
    assert pairs(talk.user("review the tests").reply(FIRST).user("say that again").reply(FIRST)) == []
