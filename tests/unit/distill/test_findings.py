from __future__ import annotations

import pytest

from memd.distill.findings import kind_of, told
from memd.distill.thread import Thread
from memd.model import FactKind
from tests.unit.distill.talk import Talk


def test_a_person_telling_how_things_are_is_heard_and_a_complaint_is_not(talk: Talk) -> None:
    talk.user("amounts ending in 13 cents always give BUSY twice").user("ci is red on the branch, only the LINT job")
    heard = [told(statement) for statement in Thread(talk.transcript()).statements]
    assert heard[0] > 0.35
    assert heard[1] == 0.0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("`TIDE_CACHE` moves the folder.", "config"),
        ("The berths are stored in a table of their own.", "architecture"),
        ("The tide service answers only in winter.", "discovery"),
        ("The bug was caused by `tide()` and is fixed now.", "bugfix"),
    ],
)
def test_the_kind_of_a_finding_follows_its_words(text: str, kind: FactKind) -> None:
    assert kind_of(text) == kind
