from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from memd.preview import preview
from memd.registry import adapters
from tests.eval.poison import CHANNELS, MARK, POISONS, Poisoned, sessions

SESSIONS = tuple(sessions())


def test_there_are_enough_of_them_of_every_host_in_both_languages() -> None:
    assert len(SESSIONS) >= 180
    assert {one.host for one in SESSIONS} == set(adapters())
    assert {one.channel for one in SESSIONS} == set(CHANNELS)
    assert {one.poison for one in SESSIONS} == set(POISONS)


@pytest.mark.parametrize("poisoned", SESSIONS, ids=lambda one: f"{one.host}, {one.channel}")
def test_what_is_not_the_persons_own_becomes_no_fact(tmp_path: Path, poisoned: Poisoned) -> None:
    facts = preview(poisoned.write(tmp_path))[0]["facts"]
    assert MARK not in orjson.dumps(facts).decode(), poisoned.poison
    assert "make harbor" in orjson.dumps(facts).decode()  # and what they do say is heard
