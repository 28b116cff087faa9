from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hosts import stories
from tests.hosts.codex_client import Codex
from tests.hosts.memd_under_test import Memd, installed_memd, said
from tests.hosts.seat import Seat
from tests.hosts.seat import seat as seat_with

pytestmark = [pytest.mark.hosts, pytest.mark.slow, pytest.mark.timeout(240)]

CODEX = Codex()


@pytest.fixture
def codex() -> Iterator[Seat]:
    """A seat with Codex, whose person has trusted no hook yet."""
    if CODEX.package.missing:
        pytest.skip(CODEX.package.missing)
    with seat_with(CODEX) as fresh:
        yield fresh


@pytest.fixture
def untrusted(codex: Seat) -> Iterator[Memd]:
    """memd installed there."""
    with installed_memd(codex.machine) as running:
        yield running


def test_without_trust_a_session_is_captured_all_the_same_and_told_nothing(codex: Seat, untrusted: Memd) -> None:
    for prompt in (stories.DECISION, stories.NEXT_STEP):
        assert CODEX.ask(codex.machine, prompt, trusting=False).exit_code == 0
    untrusted.wait_for_text(stories.NEXT)

    told = {text for one in untrusted.sessions() for text in said(untrusted.messages(one))}
    assert told >= {stories.DECISION, stories.AGREEMENT, stories.DECIDED, stories.NEXT_STEP, stories.NEXT}
    assert "SQLite" not in codex.model.first_request(stories.NEXT_STEP)


def test_the_doctor_says_that_the_hooks_are_not_trusted_and_how_to_trust_them(codex: Seat, untrusted: Memd) -> None:
    told = untrusted.tell("doctor")
    assert told.exit_code == 1
    assert "trusted" in told.stdout
    assert "/hooks" in told.stdout
