"""What was said of a thing at one version is over once it is told to be at a higher one."""

from __future__ import annotations

import pytest

from memd.distill.thread import Thread
from memd.distill.versions import outdated
from tests.unit.distill.talk import Talk

OLD = "Wrote the harbour charter with its four rules and set the version to 1.0.0."


@pytest.mark.parametrize(
    ("later", "over"),
    [
        ("Updated the charter to v1.0.1, keeping the four rules.", True),
        ("The charter is now at 1.1.0.", True),
        ("La charte passe, charter → 1.1.0.", True),
        ("charter升级到 2.0.0", True),
        ("Updated the gauge to v1.0.1.", False),
        ("Set the charter back to 0.9.0.", False),
        ("Shall I bump the charter to 1.0.1?", False),
        ("The charter grew to 1.5% of the page.", False),
    ],
)
def test_a_higher_version_of_the_same_thing_ends_what_was_said_of_the_lower(talk: Talk, later: str, over: bool) -> None:
    thread = Thread(talk.user("a charter please").reply(OLD).user("go on").reply(later).transcript())
    assert any(one.text == OLD for one in outdated(thread)) is over


def test_both_versions_in_one_exchange_are_one_report(talk: Talk) -> None:
    thread = Thread(talk.user("a charter please").reply(OLD).reply("Updated the charter to v1.0.1.").transcript())
    assert outdated(thread) == frozenset()
